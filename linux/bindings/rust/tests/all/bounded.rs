// SPDX-License-Identifier: MIT
//! Tests with attached threads: one at a time, each in a thread of its own, none for ever.
use std::fs;
use std::io::{self, Write};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::process::exit;
use std::sync::{mpsc, Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use plafond::{attach, Attached, Cpu, Flags};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
const LIMIT: Duration = Duration::from_secs(20);

/// Its panic is the test's.
pub fn bounded(test: impl FnOnce() + Send + 'static) {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (done, is_done) = mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        let _done = done; // dropped at the end, or by a panic
        test();
    });

    if is_done.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
        // Not by a macro, whose output the harness would keep.
        let _ = writeln!(io::stderr(), "the test takes more than {LIMIT:?}");
        exit(1);
    }
    if let Err(panic) = thread.join() {
        resume_unwind(panic);
    }
}

/// Those that this process may use, by number.
pub fn cpus() -> Vec<u32> {
    let status = fs::read_to_string("/proc/self/status").unwrap(); // of the first thread
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let number = |text: &str| text.trim().parse::<u32>().unwrap();

    list.unwrap()
        .split(',')
        .flat_map(|range| match range.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(range)..=number(range),
        })
        .collect()
}

pub fn on_cpu(priority: i32, cpu: u32) -> Attached {
    // SAFETY: where a test moves a thread, it says what it relies on.
    unsafe { attach(priority, Cpu::Number(cpu), Flags::BACKEND_USER) }.unwrap()
}

/// On the first CPU, under the system's usual scheduling.
pub fn attached() -> Attached {
    on_cpu(0, cpus()[0])
}

/// A panic without a message.
pub fn panic_now() -> ! {
    resume_unwind(Box::new(()))
}

pub fn panics(code: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(code)).is_err()
}

/// While another thread is in the section.
pub fn while_held<T: Send + 'static>(mutex: &Arc<plafond::Mutex<T>>, code: impl FnOnce()) {
    let (entered, is_entered) = mpsc::channel();
    let (end, is_end) = mpsc::channel::<()>();
    let holders = Arc::clone(mutex);
    let holder = thread::spawn(move || {
        holders.lock(&attached(), |_| {
            entered.send(()).unwrap();
            is_end.recv().unwrap();
        })
    });

    is_entered.recv().unwrap();
    code();
    end.send(()).unwrap();
    holder.join().unwrap().unwrap();
}
