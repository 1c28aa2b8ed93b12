//! The inputs of the benchmarks and of the comparison with the peers: text, mail and hostile
//! shapes, all made from the data beside this file.
#![allow(dead_code, reason = "each program uses a part of it")]

pub mod callgrind;
pub mod mail;
pub mod more_shapes;
pub mod repeated;
pub mod shapes;
pub mod text;

use std::time::Duration;

/// The same numbers in every run (Steele, Lea and Flood's SplitMix64).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    pub fn octets(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }
}

/// The time that this thread has had of a processor. Where the system does not say, it is the time
/// of the clock.
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).expect("a clock that began at zero")
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed()
    }
}
