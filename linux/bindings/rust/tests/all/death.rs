// SPDX-License-Identifier: MIT
//! A thread that vanishes inside: by unsafe means, for there are no others.
use std::os::raw::c_long;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use plafond::{Error, Mutex};

use crate::bounded::{attached, bounded};

#[cfg(target_arch = "x86_64")]
const SYS_EXIT: c_long = 60;
#[cfg(target_arch = "aarch64")]
const SYS_EXIT: c_long = 93;

extern "C" {
    fn gettid() -> i32;
    fn syscall(number: c_long, ...) -> c_long;
}

fn vanish_inside(mutex: &'static Mutex<i32>) {
    let (send, tid) = mpsc::channel();

    // Not joined: std would look for its result.
    thread::spawn(move || {
        mutex.lock(&attached(), |mut data| {
            *data = 2;
            // SAFETY: no arguments; and the end of this thread alone, whose stack is leaked.
            unsafe {
                send.send(gettid()).unwrap();
                syscall(SYS_EXIT, 0);
            }
        })
    });
    let tid: i32 = tid.recv().unwrap();
    let is_there = || PathBuf::from(format!("/proc/self/task/{tid}")).exists();

    while is_there() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn what_it_held_is_not_entered_again() {
    bounded(|| {
        let mutex: &'static mut Mutex<i32> = Box::leak(Box::new(Mutex::new(20, 1)));
        let place: *mut Mutex<i32> = mutex;

        // SAFETY: borrowed by this thread, and by the one that vanishes, alone.
        let mutex = unsafe { &*place };

        vanish_inside(mutex);
        let thread = attached();

        for _ in 0..2 {
            assert_eq!(mutex.lock(&thread, |data| *data), Err(Error::NOT_RECOVERABLE));
            assert_eq!(mutex.repair(&thread, |data| *data), Err(Error::NOT_RECOVERABLE));
        }
        // SAFETY: the vanished thread has lent its guard to none, and the borrow above is over.
        assert_eq!(*unsafe { &mut *place }.get_mut(), 2);
        assert_eq!(Mutex::new(20, 3).lock(&thread, |data| *data), Ok(3));
    });
}
