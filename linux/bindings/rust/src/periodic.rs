// SPDX-License-Identifier: MIT
use std::time::Duration;

use crate::instant::ns;
use crate::{sys, Attached, Error, Instant};

/// Releases of a thread, one every period.
///
/// ```
/// use plafond::{attach, Cpu, Flags, Instant, Periodic};
/// use std::time::Duration;
/// # fn main() -> Result<(), plafond::Error> {
/// // SAFETY: this program changes no affinity, and nothing else moves its threads.
/// let thread = unsafe { attach(0, Cpu::Number(0), Flags::ROBUST) }?;
/// let start = Instant::now();
/// let mut periodic = Periodic::new(start, Duration::from_millis(1))?;
/// for _ in 0..5 {
///     periodic.wait(&thread)?;
/// }
/// assert!(Instant::now() - start >= Duration::from_millis(4));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Periodic {
    c: sys::plf_periodic,
}

impl Periodic {
    /// First release at `first`, then one every `period`. `EINVAL`: the period is 0.
    pub fn new(first: Instant, period: Duration) -> Result<Self, Error> {
        let mut c = sys::plf_periodic::default();

        // SAFETY: `c` is there to be written.
        Error::check(unsafe { sys::plf_periodic_init(&mut c, first.as_ns(), ns(period)) })?;
        Ok(Periodic { c })
    }

    /// Sleep until the next release. Those that went by meanwhile are counted and skipped.
    pub fn wait(&mut self, _thread: &Attached) -> Result<(), Error> {
        // SAFETY: initialised, and ours alone.
        Error::check(unsafe { sys::plf_periodic_wait(&mut self.c) })
    }

    /// Releases that found the thread still at work.
    pub fn missed(&self) -> u64 {
        self.c.missed
    }
}
