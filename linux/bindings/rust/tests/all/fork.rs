// SPDX-License-Identifier: MIT
//! In the child of `fork()`, which takes unsafe code, the calling thread alone goes on.
use std::os::raw::{c_int, c_uint};
use std::sync::Arc;

use plafond::sys::EDEADLK;
use plafond::{Error, Mutex};

use crate::bounded::{attached, bounded, while_held};

extern "C" {
    fn fork() -> c_int;
    fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(status: c_int) -> !;
    fn alarm(seconds: c_uint) -> c_uint;
}

const AS_EXPECTED: c_int = 42;

/// Ends the child as soon as it has an answer. True: that was as expected.
fn in_child(is_as_expected: impl FnOnce() -> bool) -> bool {
    let mut status = 0;

    // SAFETY: the child locks and ends; it allocates nothing, and no destructor runs there.
    unsafe {
        let pid = fork();

        if pid == 0 {
            alarm(10);
            _exit(if is_as_expected() { AS_EXPECTED } else { 1 });
        }
        assert_eq!(waitpid(pid, &mut status, 0), pid);
    }
    status == AS_EXPECTED << 8
}

#[test]
fn a_child_does_not_enter_where_another_thread_was() {
    bounded(|| {
        let thread = attached();
        let mutex = Arc::new(Mutex::new(20, 1));

        while_held(&mutex, || {
            assert!(in_child(|| mutex.lock(&thread, |data| *data) == Err(Error::NOT_RECOVERABLE)));
        });
        assert_eq!(mutex.lock(&thread, |data| *data), Ok(1));
    });
}

#[test]
fn a_child_is_in_the_section_in_which_it_was_made() {
    bounded(|| {
        let thread = attached();
        let (outer, inner) = (Mutex::new(20, 1), Mutex::new(20, 1));
        let is_as_expected = outer.lock(&thread, |_| {
            in_child(|| {
                inner.lock(&thread, |data| *data) == Ok(1)
                    && outer.lock(&thread, |data| *data).map_err(Error::errno) == Err(EDEADLK)
            })
        });

        assert_eq!(is_as_expected, Ok(true));
        assert_eq!(outer.lock(&thread, |data| *data), Ok(1));
    });
}
