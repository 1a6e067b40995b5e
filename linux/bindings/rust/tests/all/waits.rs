// SPDX-License-Identifier: MIT
use std::os::raw::c_int;
use std::thread;
use std::time::Duration;

use plafond::{attach, sys, Cpu, Error, Flags, Instant, Mutex, Periodic, Semaphore};

use crate::bounded::{attached, bounded, cpus};

const PERIOD: Duration = Duration::from_millis(2);

#[test]
fn releases_that_went_by_are_counted() {
    bounded(|| {
        let thread = attached();
        let start = Instant::now();
        let mut periodic = Periodic::new(start + PERIOD, PERIOD).unwrap();

        thread.sleep_until(start + 4 * PERIOD + PERIOD / 2).unwrap();
        periodic.wait(&thread).unwrap();
        assert!(Instant::now() >= start + 5 * PERIOD);
        assert!(periodic.missed() >= 4);
        assert_eq!(
            Periodic::new(start, Duration::ZERO).unwrap_err().errno(),
            sys::EINVAL,
            "a period of 0"
        );
    });
}

#[test]
fn a_time_that_is_over_does_not_sleep() {
    bounded(|| {
        let thread = attached();

        assert_eq!(thread.sleep_until(Instant::from_ns(0)), Ok(()));
        assert_eq!(thread.wake_hook(), Ok(()));
        assert_eq!(thread.stats().unwrap().waits_in_section, 0);
    });
}

#[test]
fn a_semaphore_hands_on_its_units() {
    bounded(|| {
        let thread = attached();
        let semaphore = Semaphore::new(1).unwrap();

        semaphore.wait(&thread).unwrap();
        assert_eq!(semaphore.wait_until(&thread, Instant::now() + PERIOD), Ok(false));
        thread::scope(|scope| {
            scope.spawn(|| semaphore.post().unwrap());
            let moved = &semaphore;

            assert_eq!(moved.wait_until(&thread, Instant::now() + 1000 * PERIOD), Ok(true));
        });
        assert_eq!(Semaphore::new(u32::MAX).unwrap_err().errno(), sys::EINVAL);
    });
}

extern "C" {
    fn mlockall(flags: c_int) -> c_int;
    fn munlockall() -> c_int;
}

#[test]
fn a_strict_thread_does_not_wait_inside() {
    const CURRENT_AND_FUTURE: c_int = 3;

    bounded(|| {
        let cpu = Cpu::Number(cpus()[0]);
        let mutex = Mutex::new(20, ());

        // SAFETY: it writes nothing; and the thread is suspended in no section.
        let thread = unsafe {
            assert_eq!(mlockall(CURRENT_AND_FUTURE), 0);
            attach(1, cpu, Flags::STRICT | Flags::BACKEND_USER).unwrap()
        };
        let inside = mutex.lock(&thread, |_| thread.sleep_until(Instant::now() + PERIOD));

        assert_eq!(inside, Ok(Err(Error::BUSY)));
        assert_eq!(plafond::backend(), "user");
        // SAFETY: it writes nothing.
        assert_eq!(unsafe { munlockall() }, 0);
    });
}
