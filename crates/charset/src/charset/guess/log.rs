//! Logarithms of probabilities, as whole numbers: sums of them are the same in any order.

/// The logarithm of one probability, in units of 2^-20.
pub(super) type Log = i32;

/// A sum of logarithms.
pub(super) type Sum = i64;

const UNIT: f64 = (1 << 20) as f64;

/// Returns the logarithm of a probability.
pub(super) fn log(probability: f64) -> Log {
    of_nats(probability.ln())
}

/// Returns a logarithm from its value to the base e.
pub(super) fn of_nats(nats: f64) -> Log {
    let units = nats * UNIT;
    // The nearest one: `round` is a call on most machines.
    (units + 0.5_f64.copysign(units)) as Log
}

/// Returns the value of a sum to the base e.
pub(super) fn to_nats(sum: Sum) -> f64 {
    sum as f64 / UNIT
}

/// Returns the sum of `count` equal logarithms.
pub(super) fn times(one: Log, count: usize) -> Sum {
    Sum::from(one) * count as Sum
}
