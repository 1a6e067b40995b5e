// SPDX-License-Identifier: MIT
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::os::raw::c_int;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::process::abort;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::{sys, Attached, Error, Instant};

/// The kind of a [`Mutex`] whose users are all attached to one CPU.
#[derive(Debug)]
pub struct OneCpu(());

/// The kind of a [`GlobalMutex`].
#[derive(Debug)]
pub struct Global(());

/// A mutex with a ceiling, around the data that it guards.
///
/// A section is a closure. So sections of a thread end last in, first out, as the ceiling protocol
/// asks; none stays open, whatever the closure does with its [`Guard`]; and the mutex stays where it
/// is meanwhile. This is what the [crate's soundness](crate#soundness) rests on.
///
/// The ceiling is the highest priority of the threads that lock it. The mutex belongs to the CPU of
/// the thread that locked it first: others get [`Error::WRONG_CPU`].
///
/// ```
/// use plafond::{attach, Cpu, Flags, Mutex};
///
/// static POSITION: Mutex<(i32, i32)> = Mutex::new(20, (0, 0));
///
/// # fn main() -> Result<(), plafond::Error> {
/// // SAFETY: this program changes no affinity, and nothing else moves its threads.
/// let thread = unsafe { attach(0, Cpu::Number(0), Flags::ROBUST) }?;
/// POSITION.lock(&thread, |mut position| position.0 += 1)?;
/// assert_eq!(POSITION.lock(&thread, |position| *position)?, (1, 0));
/// # Ok(())
/// # }
/// ```
///
/// Invariant of this file: a `Guard` exists only while its thread has the mutex's section, and a
/// section has at most one.
pub struct Mutex<T: ?Sized, K = OneCpu> {
    c: UnsafeCell<sys::plf_mutex_t>,
    /// A thread panicked inside. Written and read in the section.
    is_poisoned: AtomicBool,
    kind: PhantomData<K>,
    data: UnsafeCell<T>,
}

/// A mutex for threads of several CPUs: the multiprocessor priority ceiling protocol.
///
/// It has no ceiling: a section is above all priorities of its CPU. Priorities of its users end
/// below 50. In its section no [`Mutex`] is locked and no [`Condvar`](crate::Condvar) signalled
/// (`EDEADLK`), and none waited on:
///
/// ```compile_fail,E0308
/// # use plafond::{Attached, Condvar, Error, GlobalMutex};
/// fn wait(table: &GlobalMutex<u32>, changed: &Condvar, thread: &Attached) -> Result<(), Error> {
///     table.lock(thread, |guard| changed.wait(guard).map(|_| ()))?
/// }
/// ```
pub type GlobalMutex<T> = Mutex<T, Global>;

// SAFETY: a thread gets at the data only in the section, which one thread has at a time, so `T` goes
// from thread to thread and is never shared. `Send` is derived: no part knows its address or thread.
unsafe impl<T: ?Sized + Send, K> Sync for Mutex<T, K> {}

impl<T: ?Sized, K> UnwindSafe for Mutex<T, K> {}
impl<T: ?Sized, K> RefUnwindSafe for Mutex<T, K> {}

impl<T> Mutex<T> {
    /// A free mutex of no CPU yet.
    ///
    /// # Panics
    ///
    /// Unless the ceiling is from 1 to 99; of a static, when it is compiled.
    ///
    /// ```compile_fail,E0080
    /// static LOCK: plafond::Mutex<u32> = plafond::Mutex::new(100, 0);
    /// ```
    pub const fn new(ceiling: i32, data: T) -> Self {
        assert!(ceiling >= 1 && ceiling <= sys::PLF_PRIORITY_MAX, "a ceiling is from 1 to 99");
        Self::around(sys::plf_mutex_t::with_ceiling(ceiling as u32), data)
    }
}

impl<T> GlobalMutex<T> {
    /// A free mutex, whose waiting threads sleep at once.
    pub const fn new_global(data: T) -> Self {
        Self::around(sys::plf_mutex_t::global(), data)
    }
}

impl<T: ?Sized> GlobalMutex<T> {
    /// From the next lock on, let a thread that finds it held spin for at most `ns` nanoseconds
    /// before it sleeps. `EINVAL`: above 1 ms.
    pub fn set_spin(&self, ns: u32) -> Result<(), Error> {
        // SAFETY: the mutex is there; plf_mutex_setspin() may be called at any time.
        Error::check(unsafe { sys::plf_mutex_setspin(self.c.get(), ns) })
    }
}

/// How long a thread may sleep before it enters.
enum Until {
    Now,
    Time(Instant),
    TheEnd,
}

impl<T, K> Mutex<T, K> {
    const fn around(c: sys::plf_mutex_t, data: T) -> Self {
        Mutex {
            c: UnsafeCell::new(c),
            is_poisoned: AtomicBool::new(false),
            kind: PhantomData,
            data: UnsafeCell::new(data),
        }
    }

    /// The data, whatever has become of them: no thread is inside.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized, K> Mutex<T, K> {
    /// The data, whatever has become of them: no thread is inside.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// Enter the section, after waiting while one that covers the thread is open, and execute
    /// `section` there. Returns its result.
    ///
    /// If `section` panics, the mutex is poisoned, as std's: see [`repair`](Mutex::repair).
    ///
    /// # Aborts
    ///
    /// The process, with a message, if the section cannot be left: the wait for a section above it
    /// would never end (`EDEADLK`), the kernel has no memory for that wait, or stackful coroutines of
    /// one thread left their sections in another order than last in, first out.
    pub fn lock<R>(
        &self,
        thread: &Attached,
        section: impl for<'s> FnOnce(Guard<'s, T, K>) -> R,
    ) -> Result<R, Error> {
        Ok(self.enter(thread, Until::TheEnd)?.sound()?.run(section))
    }

    /// As [`lock`](Mutex::lock), and [`Error::BUSY`] where that would sleep.
    pub fn try_lock<R>(
        &self,
        thread: &Attached,
        section: impl for<'s> FnOnce(Guard<'s, T, K>) -> R,
    ) -> Result<R, Error> {
        Ok(self.enter(thread, Until::Now)?.sound()?.run(section))
    }

    /// As [`lock`](Mutex::lock), and [`Error::TIMED_OUT`] if that still sleeps at `time`.
    ///
    /// A mutex that can be had is locked although the time is over.
    pub fn try_lock_until<R>(
        &self,
        thread: &Attached,
        time: Instant,
        section: impl for<'s> FnOnce(Guard<'s, T, K>) -> R,
    ) -> Result<R, Error> {
        Ok(self.enter(thread, Until::Time(time))?.sound()?.run(section))
    }

    /// As [`lock`](Mutex::lock), also if the mutex is poisoned; when `section` has returned, it is
    /// not any more.
    ///
    /// ```
    /// # use plafond::{attach, Cpu, Error, Flags, Mutex};
    /// # fn main() -> Result<(), Error> {
    /// # // SAFETY: nothing here changes an affinity.
    /// # let thread = unsafe { attach(0, Cpu::Number(0), Flags::ROBUST) }?;
    /// static SHARES: Mutex<(u32, u32)> = Mutex::new(20, (60, 40)); // of 100
    ///
    /// let panicked = std::panic::catch_unwind(|| {
    ///     SHARES.lock(&thread, |mut shares| {
    ///         shares.0 = 70;
    ///         panic!("before the second store");
    ///     })
    /// });
    /// assert!(panicked.is_err());
    /// assert_eq!(SHARES.lock(&thread, |shares| *shares), Err(Error::POISONED));
    /// SHARES.repair(&thread, |mut shares| shares.1 = 100 - shares.0)?;
    /// assert_eq!(SHARES.lock(&thread, |shares| *shares), Ok((70, 30)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn repair<R>(
        &self,
        thread: &Attached,
        section: impl for<'s> FnOnce(Guard<'s, T, K>) -> R,
    ) -> Result<R, Error> {
        let entered = self.enter(thread, Until::TheEnd)?;

        Ok(entered.run(|guard| {
            let inside = guard.section;
            let result = section(guard);

            if inside.state.get() == State::Open {
                self.is_poisoned.store(false, Relaxed);
            }
            result
        }))
    }

    /// After `EOWNERDEAD` the mutex is ours, but its last holder has not left, and may have lent the
    /// data to a thread that lives. Left without repair, it is never entered again.
    fn enter(&self, _thread: &Attached, until: Until) -> Result<Section<'_, T, K>, Error> {
        let c = self.c.get();
        // SAFETY: the mutex is initialised, and stays where it is while it is borrowed: for as long
        // as this thread has its section.
        let errno = unsafe {
            match until {
                Until::Now => sys::plf_mutex_trylock(c),
                Until::Time(time) => sys::plf_mutex_timedlock(c, time.as_ns()),
                Until::TheEnd => sys::plf_mutex_lock(c),
            }
        };

        match Error::check(errno) {
            Ok(()) => Ok(Section { mutex: self, state: Cell::new(State::Open) }),
            Err(Error::POISONED) => {
                leave(&self.c);
                Err(Error::NOT_RECOVERABLE)
            }
            Err(error) => Err(error),
        }
    }
}

impl<T: ?Sized, K> fmt::Debug for Mutex<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex").finish_non_exhaustive()
    }
}

/// Leave the section, which is the thread's.
fn leave(c: &UnsafeCell<sys::plf_mutex_t>) {
    // SAFETY: the mutex is initialised. If it is not the innermost section, that is an error.
    if let Err(error) = Error::check(unsafe { sys::plf_mutex_unlock(c.get()) }) {
        eprintln!("plafond: a section cannot be left: {} (errno {})", error, error.errno());
        abort();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// A wait failed and took the guard with it; whether the mutex was locked again is in its word.
    WithoutGuard,
    Left,
}

/// A section of the calling thread. It lies in the frame of the function that entered it.
pub(crate) struct Section<'m, T: ?Sized, K> {
    mutex: &'m Mutex<T, K>,
    state: Cell<State>,
}

impl<'m, T: ?Sized, K> Section<'m, T, K> {
    /// The data were left as they should be; else the section is left.
    fn sound(self) -> Result<Self, Error> {
        if self.mutex.is_poisoned.load(Relaxed) {
            self.leave();
            return Err(Error::POISONED);
        }
        Ok(self)
    }

    fn run<R>(self, section: impl for<'s> FnOnce(Guard<'s, T, K>) -> R) -> R {
        let result = section(Guard { section: &self });

        self.leave();
        result
    }

    fn leave(&self) {
        match self.state.replace(State::Left) {
            State::Open => leave(&self.mutex.c),
            State::WithoutGuard => self.leave_if_inside(),
            State::Left => {}
        }
    }

    /// EPERM: the wait that failed had left already.
    fn leave_if_inside(&self) {
        // SAFETY: the mutex is initialised; of another thread's or a free one EPERM comes back.
        let errno = unsafe { sys::plf_mutex_unlock(self.mutex.c.get()) };

        if errno != 0 && errno != sys::EPERM {
            leave(&self.mutex.c);
        }
    }
}

impl<T: ?Sized, K> Drop for Section<'_, T, K> {
    /// Not left yet: a panic goes through it.
    fn drop(&mut self) {
        if self.state.get() == State::Open {
            self.mutex.is_poisoned.store(true, Relaxed);
        }
        self.leave();
    }
}

/// The data, in a section. Neither `Send` nor `Sync`.
///
/// To drop or to forget it changes nothing: the section ends with its closure. It cannot leave that:
///
/// ```compile_fail,E0521
/// # use plafond::{Attached, Mutex};
/// fn leak(lock: &'static Mutex<u32>, thread: &'static Attached) {
///     let mut escaped = None;
///     let _ = lock.lock(thread, |guard| escaped = Some(guard));
/// }
/// ```
pub struct Guard<'s, T: ?Sized, K = OneCpu> {
    section: &'s Section<'s, T, K>,
}

impl<'s, T: ?Sized> Guard<'s, T> {
    /// Leave the section, wait by `wait`, and be in the section again. An error comes without it.
    pub(crate) fn wait_by(
        self,
        wait: impl FnOnce(*mut sys::plf_mutex_t) -> c_int,
    ) -> Result<(Self, bool), Error> {
        let mutex = self.section.mutex;

        self.section.state.set(State::WithoutGuard);
        let is_over = match Error::check(wait(mutex.c.get())) {
            Ok(()) => false,
            Err(Error::TIMED_OUT) => true,
            Err(Error::POISONED) => return Err(Error::NOT_RECOVERABLE), // as in Mutex::enter()
            Err(error) => return Err(error),
        };

        if mutex.is_poisoned.load(Relaxed) {
            return Err(Error::POISONED);
        }
        self.section.state.set(State::Open);
        Ok((self, is_over))
    }
}

impl<T: ?Sized, K> Deref for Guard<'_, T, K> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: while there is a guard, this thread alone is in the section, and it is the only
        // guard; so references to the data come from it alone, and it is borrowed with them.
        unsafe { &*self.section.mutex.data.get() }
    }
}

impl<T: ?Sized, K> DerefMut for Guard<'_, T, K> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above; the guard is borrowed exclusively.
        unsafe { &mut *self.section.mutex.data.get() }
    }
}

impl<T: ?Sized + fmt::Debug, K> fmt::Debug for Guard<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
