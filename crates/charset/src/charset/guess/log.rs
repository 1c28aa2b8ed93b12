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
    (nats * UNIT).round() as Log
}

/// Returns the value of a sum to the base e.
pub(super) fn to_nats(sum: Sum) -> f64 {
    sum as f64 / UNIT
}

/// Returns the sum of `count` equal logarithms.
pub(super) fn times(one: Log, count: usize) -> Sum {
    Sum::from(one) * count as Sum
}
