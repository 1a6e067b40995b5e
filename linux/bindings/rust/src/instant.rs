// SPDX-License-Identifier: MIT
use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

use crate::sys;

/// A time of `CLOCK_MONOTONIC`, in nanoseconds, which the waits take.
///
/// Not [`std::time::Instant`]: that one hides its value, and one reckoned from two readings of the
/// clock is wrong by the time between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// This moment.
    pub fn now() -> Self {
        // SAFETY: plf_now() reads a clock.
        Instant(unsafe { sys::plf_now() })
    }

    /// The time that `clock_gettime()` gives as so many nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Instant(ns)
    }

    /// The time in nanoseconds, as `clock_gettime()` counts them.
    pub const fn as_ns(self) -> u64 {
        self.0
    }
}

/// A longer one than the clock can show is its longest, 584 years.
pub(crate) fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, later: Duration) -> Instant {
        Instant(self.0.saturating_add(ns(later)))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, later: Duration) {
        *self = *self + later;
    }
}

impl Sub for Instant {
    type Output = Duration;

    /// Zero where `earlier` is the later one, as std's.
    fn sub(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}
