// SPDX-License-Identifier: MIT
use std::ffi::CStr;
use std::fmt;
use std::io;
use std::os::raw::c_int;

use crate::sys;

/// What the library refused: an errno value, in the words of `plf_strerror()`.
///
/// Nothing here panics for an error of the library, also where it is the program's fault: a panic
/// would poison the sections around it, and a real-time thread may have something better to do.
///
/// | errno | of [`lock`](crate::Mutex::lock) | whose fault |
/// |---|---|---|
/// | `EINVAL` | the thread's priority is above the ceiling | the program's |
/// | `EDEADLK` | the thread has the mutex already, or the wait would close a cycle | the program's |
/// | `EAGAIN` | 16 sections are open | the program's |
/// | `EXDEV` | [`WRONG_CPU`](Error::WRONG_CPU) | the program's |
/// | `ENOTSUP` | a global mutex, and the thread is strict | the program's |
/// | `EPERM` | backend `syscall`: no privilege for the ceiling | the machine's |
/// | `ENOMEM` | the kernel has no memory for the wait | the machine's |
/// | `EBUSY` | [`BUSY`](Error::BUSY), of `try_lock` alone | none |
/// | `ETIMEDOUT` | [`TIMED_OUT`](Error::TIMED_OUT), of `try_lock_until` alone | none |
/// | `EOWNERDEAD` | [`POISONED`](Error::POISONED) | the last holder's |
/// | `ENOTRECOVERABLE` | [`NOT_RECOVERABLE`](Error::NOT_RECOVERABLE) | a holder's |
///
/// The other functions' errors are in the manual's table, under the names of the C functions.
///
/// ```
/// # use plafond::Error;
/// assert_eq!(
///     Error::WRONG_CPU.to_string(),
///     "the mutex belongs to another CPU or server, or the thread was moved to one"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error(c_int);

impl Error {
    /// `try_lock` would sleep; or a wait in a section of a strict thread.
    pub const BUSY: Error = Error(sys::EBUSY);
    /// The time of a wait is over.
    pub const TIMED_OUT: Error = Error(sys::ETIMEDOUT);
    /// The mutex belongs to the CPU of the thread that locked it first, which is another.
    pub const WRONG_CPU: Error = Error(sys::EXDEV);
    /// A signal handler ran. Wait again: nothing is lost.
    pub const INTERRUPTED: Error = Error(sys::EINTR);
    /// A thread panicked in a section: see [`Mutex::repair`](crate::Mutex::repair).
    pub const POISONED: Error = Error(sys::EOWNERDEAD);
    /// A thread ended in a section without leaving it: see [owner death](crate#owner-death).
    pub const NOT_RECOVERABLE: Error = Error(sys::ENOTRECOVERABLE);
    pub(crate) const INVALID: Error = Error(sys::EINVAL);

    /// The value, as `errno.h` has it.
    pub const fn errno(self) -> i32 {
        self.0
    }

    pub(crate) fn check(errno: c_int) -> Result<(), Error> {
        match errno {
            0 => Ok(()),
            errno => Err(Error(errno)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: plf_strerror() takes any number and returns a string that is never freed.
        let words = unsafe { CStr::from_ptr(sys::plf_strerror(self.0)) };

        f.write_str(&words.to_string_lossy())
    }
}

impl fmt::Debug for Error {
    /// With the words, for those that `main` returns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({}: {})", self.0, self)
    }
}

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    /// Of the kind that the system's errno value has, with this error inside.
    fn from(error: Error) -> Self {
        io::Error::new(io::Error::from_raw_os_error(error.0).kind(), error)
    }
}
