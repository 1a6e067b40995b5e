// SPDX-License-Identifier: MIT
use std::cell::UnsafeCell;

use crate::{sys, Attached, Error, Instant};

/// A semaphore whose waits carry the wake hook. Any thread may post, attached or not.
///
/// ```
/// use plafond::{attach, Cpu, Flags, Semaphore};
/// # fn main() -> Result<(), plafond::Error> {
/// // SAFETY: this program changes no affinity, and nothing else moves its threads.
/// let thread = unsafe { attach(0, Cpu::Number(0), Flags::ROBUST) }?;
/// let arrived = Semaphore::new(0)?;
/// std::thread::scope(|scope| {
///     scope.spawn(|| arrived.post());
///     arrived.wait(&thread)
/// })?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Semaphore {
    c: Box<UnsafeCell<sys::plf_sem_t>>, // POSIX: a copy is no semaphore
}

// SAFETY: every call on a POSIX semaphore is for any thread, at any time.
unsafe impl Send for Semaphore {}
// SAFETY: as above.
unsafe impl Sync for Semaphore {}

impl Semaphore {
    /// Of so many units. `EINVAL`: more than `SEM_VALUE_MAX`.
    pub fn new(units: u32) -> Result<Self, Error> {
        let c = Box::new(UnsafeCell::new(sys::plf_sem_t::default()));

        // SAFETY: `c` is there to be written.
        let errno = unsafe { sys::plf_sem_init(c.get(), units) };

        // Dropped uninitialised on an error: plf_sem_destroy() has nothing to free.
        let semaphore = Semaphore { c };

        Error::check(errno).map(|()| semaphore)
    }

    /// Take one unit, after sleeping while there is none. [`Error::INTERRUPTED`]: a signal handler
    /// ran. After `EXDEV`, `EDEADLK` and `ENOMEM` the unit is taken, but the ceiling rule was not
    /// kept.
    pub fn wait(&self, _thread: &Attached) -> Result<(), Error> {
        // SAFETY: initialised, and borrowed.
        Error::check(unsafe { sys::plf_sem_wait(self.c.get()) })
    }

    /// As [`wait`](Semaphore::wait), but no longer than until `time`. False: it is over.
    pub fn wait_until(&self, _thread: &Attached, time: Instant) -> Result<bool, Error> {
        // SAFETY: initialised, and borrowed.
        match Error::check(unsafe { sys::plf_sem_timedwait(self.c.get(), time.as_ns()) }) {
            Ok(()) => Ok(true),
            Err(Error::TIMED_OUT) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Give one unit. `EOVERFLOW`: there are `SEM_VALUE_MAX`.
    pub fn post(&self) -> Result<(), Error> {
        // SAFETY: initialised, and borrowed.
        Error::check(unsafe { sys::plf_sem_post(self.c.get()) })
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: no thread borrows it, so none waits.
        let _always_0 = unsafe { sys::plf_sem_destroy(self.c.get()) };
    }
}
