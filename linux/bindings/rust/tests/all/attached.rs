// SPDX-License-Identifier: MIT
use plafond::{attach, backend, sys, Cpu, Flags};

use crate::bounded::{attached, bounded, cpus};

#[test]
fn a_dropped_token_detaches() {
    bounded(|| {
        for _ in 0..2 {
            drop(attached());
            assert_eq!(backend(), "none");
        }
    });
}

#[test]
fn a_pinned_thread_stays_on_its_cpu() {
    bounded(|| {
        // SAFETY: the thread is not moved.
        let pinned = || unsafe { attach(0, Cpu::Pinned, Flags::BACKEND_USER) };

        assert_eq!(pinned().unwrap_err().errno(), sys::EINVAL, "not pinned yet");
        drop(attached());
        pinned().unwrap();
    });
}

#[test]
fn the_backend_is_that_of_the_flags() {
    bounded(|| {
        for (flags, name) in [(Flags::BACKEND_USER, "user"), (Flags::BACKEND_SYSCALL, "syscall")] {
            // SAFETY: the thread is not moved.
            let _attached = unsafe { attach(0, Cpu::Number(cpus()[0]), flags) }.unwrap();

            assert_eq!(backend(), name);
        }
    });
}

#[test]
fn a_wrong_request_is_refused() {
    bounded(|| {
        let refused = |priority, cpu| {
            // SAFETY: the thread is not moved.
            unsafe { attach(priority, cpu, Flags::BACKEND_USER) }.unwrap_err()
        };
        let number = refused(0, Cpu::Number(u32::MAX));

        assert_eq!(number.errno(), sys::EINVAL);
        assert_eq!(refused(100, Cpu::Number(cpus()[0])), number);
        assert_eq!(format!("{number:?}"), "Error(22: Invalid argument)");
        assert_eq!(std::io::Error::from(number).kind(), std::io::ErrorKind::InvalidInput);
        assert_eq!(std::io::Error::from(number).to_string(), "Invalid argument");
    });
}
