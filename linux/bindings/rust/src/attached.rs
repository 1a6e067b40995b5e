// SPDX-License-Identifier: MIT
use std::ffi::CStr;
use std::marker::PhantomData;
use std::ops::BitOr;
use std::os::raw::{c_int, c_uint};

use crate::{sys, Error, Instant};

/// The CPU that a thread is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// By its number; the thread is pinned to it.
    Number(u32),
    /// The one CPU to which the thread is pinned already.
    Pinned,
}

/// Strength and backend, joined by `|`; [`Flags::ROBUST`] is the usual choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(c_uint);

impl Flags {
    /// Exclusion holds even if a holder is suspended.
    pub const ROBUST: Flags = Flags(sys::PLF_ROBUST);
    /// Plain loads and stores: see the safety of [`attach`].
    pub const STRICT: Flags = Flags(sys::PLF_STRICT);
    /// The ceiling stack.
    pub const BACKEND_USER: Flags = Flags(sys::PLF_BACKEND_USER);
    /// Two changes of the priority a section.
    pub const BACKEND_SYSCALL: Flags = Flags(sys::PLF_BACKEND_SYSCALL);
    /// Claims that plafond.ko reads.
    pub const BACKEND_MODULE: Flags = Flags(sys::PLF_BACKEND_MODULE);
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// The calling thread is attached: what every lock and every wait asks for.
///
/// The token stays on its thread (neither `Send` nor `Sync`), and to drop it detaches the thread.
/// Each section borrows it, so no section outlives it. A forgotten token leaves the thread attached
/// until it ends.
#[derive(Debug)]
pub struct Attached {
    of_this_thread: PhantomData<*mut ()>,
}

/// Attach the calling thread: pin it to `cpu`, and make it `SCHED_FIFO` at `priority`, 1 to 99, or
/// `SCHED_OTHER` for 0. Errors are those of `plf_attach()`.
///
/// # Safety
///
/// That no two threads are in a [`Mutex`](crate::Mutex) at once rests on these promises, for as long
/// as the thread is attached:
///
/// - Nothing moves the thread to another CPU: no call of `sched_setaffinity()`, which some crates
///   offer as a safe function, and from outside no `taskset`, no cpuset and no removal of that CPU.
/// - With [`Flags::STRICT`], nothing suspends the thread in a section: no page fault, no call that
///   sleeps, no debugger that stops one thread alone, and no foreign mutex with priority
///   inheritance that lends priority to a holder.
///
/// Backend `syscall` and [`GlobalMutex`](crate::GlobalMutex) need neither for exclusion.
///
/// ```
/// use plafond::{attach, Cpu, Flags};
/// # fn main() -> Result<(), plafond::Error> {
/// // SAFETY: this program changes no affinity, and nothing else moves its threads.
/// let thread = unsafe { attach(0, Cpu::Number(0), Flags::ROBUST) }?;
/// # drop(thread);
/// # Ok(())
/// # }
/// ```
pub unsafe fn attach(priority: i32, cpu: Cpu, flags: Flags) -> Result<Attached, Error> {
    let cpu = match cpu {
        Cpu::Number(number) => c_int::try_from(number).map_err(|_| Error::INVALID)?,
        Cpu::Pinned => sys::PLF_CPU_PINNED,
    };

    // SAFETY: plf_attach() takes any numbers.
    Error::check(unsafe { sys::plf_attach(priority, cpu, flags.0) })?;
    Ok(Attached { of_this_thread: PhantomData })
}

/// What a thread went through since it was attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Times it slept because an open section covered it.
    pub gate_waits: u64,
    /// Waits begun in a section.
    pub waits_in_section: u64,
}

impl Attached {
    /// The wake hook: call it after a sleep in a call that is not of this crate.
    pub fn wake_hook(&self) -> Result<(), Error> {
        // SAFETY: plf_wake_hook() is for any thread.
        Error::check(unsafe { sys::plf_wake_hook() })
    }

    /// Sleep until then. [`Error::INTERRUPTED`]: a signal handler ran.
    pub fn sleep_until(&self, time: Instant) -> Result<(), Error> {
        // SAFETY: plf_sleep_until() is for any thread.
        Error::check(unsafe { sys::plf_sleep_until(time.as_ns()) })
    }

    /// Counts of this thread.
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut stats = sys::plf_stats::default();

        // SAFETY: `stats` is there to be written.
        Error::check(unsafe { sys::plf_get_stats(&mut stats) })?;
        Ok(Stats { gate_waits: stats.gate_waits, waits_in_section: stats.waits_in_section })
    }
}

impl Drop for Attached {
    /// It is refused only where unsafe code has detached the thread, or a section was left behind on
    /// a stack that no code returns to: then the thread stays as it is until it ends.
    fn drop(&mut self) {
        // SAFETY: plf_detach() is for any thread.
        let _refused = unsafe { sys::plf_detach() };
    }
}

/// The backend in use: `user`, `syscall`, `module`, or `none` while no thread is attached.
pub fn backend() -> &'static str {
    // SAFETY: plf_backend() returns one of these words, which are never freed.
    let name = unsafe { CStr::from_ptr(sys::plf_backend()) };

    name.to_str().expect("these words are ASCII")
}
