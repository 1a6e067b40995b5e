// SPDX-License-Identifier: MIT
use std::os::raw::c_int;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use crate::{sys, Attached, Error, Guard, Instant};

/// A condition variable: a signal wakes the waiter of the highest priority.
///
/// It belongs to one CPU, as a [`Mutex`](crate::Mutex). Its first use allocates the 40 bytes that
/// waiting threads know by address.
///
/// ```
/// use plafond::{attach, Condvar, Cpu, Error, Flags, Mutex};
///
/// static ITEMS: Mutex<Vec<u32>> = Mutex::new(20, Vec::new());
/// static NOT_EMPTY: Condvar = Condvar::new();
///
/// # fn main() -> Result<(), Error> {
/// // SAFETY: this program changes no affinity, and nothing else moves its threads.
/// let thread = unsafe { attach(0, Cpu::Number(0), Flags::ROBUST) }?;
/// ITEMS.lock(&thread, |mut items| items.push(7))?;
/// NOT_EMPTY.notify_one(&thread)?;
///
/// let item = ITEMS.lock(&thread, |mut items| loop {
///     match items.pop() {
///         Some(item) => return Ok(item),
///         None => items = NOT_EMPTY.wait(items)?,
///     }
/// })?;
/// assert_eq!(item, Ok::<u32, Error>(7));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Condvar {
    c: AtomicPtr<sys::plf_cond_t>,
    /// A thread that could not leave the queue may return to it at any time.
    is_kept: AtomicBool,
}

impl Condvar {
    /// No thread waits.
    pub const fn new() -> Self {
        Condvar { c: AtomicPtr::new(ptr::null_mut()), is_kept: AtomicBool::new(false) }
    }

    /// Leave the section, sleep, and enter it again: perhaps without a signal, so ask again for what
    /// was waited for.
    ///
    /// After an error the guard is gone, so `section` can no more than return. Whether the mutex is
    /// still locked until then depends on the error; the section ends in any case.
    pub fn wait<'s, T: ?Sized>(&self, guard: Guard<'s, T>) -> Result<Guard<'s, T>, Error> {
        let (guard, _) = self.wait_until(guard, Instant::from_ns(u64::MAX))?;

        Ok(guard)
    }

    /// As [`wait`](Condvar::wait), but no longer than until `time`. True: that is over.
    pub fn wait_until<'s, T: ?Sized>(
        &self,
        guard: Guard<'s, T>,
        time: Instant,
    ) -> Result<(Guard<'s, T>, bool), Error> {
        let c = self.there();

        guard.wait_by(|mutex| {
            // SAFETY: both are initialised; the mutex is borrowed by its section, and the condition
            // variable stays where it is until no thread can have it in mind.
            let errno = unsafe { sys::plf_cond_timedwait(c, mutex, time.as_ns()) };

            if errno != 0 && errno != sys::ETIMEDOUT {
                self.is_kept.store(true, Ordering::Relaxed);
            }
            errno
        })
    }

    /// Wake the first waiter; with none, nothing.
    pub fn notify_one(&self, thread: &Attached) -> Result<(), Error> {
        self.notify(thread, sys::plf_cond_signal)
    }

    /// Wake all waiters.
    pub fn notify_all(&self, thread: &Attached) -> Result<(), Error> {
        self.notify(thread, sys::plf_cond_broadcast)
    }

    fn notify(
        &self,
        _thread: &Attached,
        way: unsafe extern "C" fn(*mut sys::plf_cond_t) -> c_int,
    ) -> Result<(), Error> {
        // SAFETY: the condition variable is initialised.
        Error::check(unsafe { way(self.there()) })
    }

    /// The C part, which the first user allocates.
    fn there(&self) -> *mut sys::plf_cond_t {
        let found = self.c.load(Ordering::Acquire);

        if !found.is_null() {
            return found;
        }
        let own = Box::into_raw(Box::new(sys::plf_cond_t::new()));

        match self.c.compare_exchange(found, own, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => own,
            Err(others) => {
                // SAFETY: allocated above, and shown to no thread.
                drop(unsafe { Box::from_raw(own) });
                others
            }
        }
    }
}

impl Default for Condvar {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Condvar {
    /// A wait that failed may have left its thread in the queue: at its next wait, on whichever
    /// condition variable, that thread comes back to leave it. Then the 40 bytes are leaked.
    fn drop(&mut self) {
        let c = *self.c.get_mut();

        if !c.is_null() && !*self.is_kept.get_mut() {
            // SAFETY: allocated by there(). Every wait was borrowing it and has left the queue, so
            // no thread has its address.
            drop(unsafe { Box::from_raw(c) });
        }
    }
}
