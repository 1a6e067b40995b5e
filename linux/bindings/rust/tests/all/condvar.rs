// SPDX-License-Identifier: MIT
use std::fs;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use plafond::{Condvar, Error, Guard, Instant, Mutex};

use crate::bounded::{attached, bounded, cpus, on_cpu, panic_now, panics};
use crate::quarantine::freed;

const A_WHILE: Duration = Duration::from_millis(20);

#[test]
fn every_item_arrives() {
    static QUEUE: Mutex<Vec<u32>> = Mutex::new(20, Vec::new());
    static NOT_EMPTY: Condvar = Condvar::new();
    const ITEMS: u32 = 1000;

    fn take(mut queue: Guard<'_, Vec<u32>>) -> Result<u32, Error> {
        loop {
            match queue.pop() {
                Some(item) => return Ok(item),
                None => queue = NOT_EMPTY.wait(queue)?,
            }
        }
    }
    bounded(|| {
        let consumer = thread::spawn(|| {
            let thread = attached();

            (0..ITEMS).map(|_| QUEUE.lock(&thread, take).unwrap().unwrap()).sum::<u32>()
        });
        let thread = attached();

        for item in 0..ITEMS {
            QUEUE.lock(&thread, |mut queue| queue.push(item)).unwrap();
            NOT_EMPTY.notify_one(&thread).unwrap();
        }
        assert_eq!(consumer.join().unwrap(), ITEMS * (ITEMS - 1) / 2);
    });
}

#[test]
fn all_are_notified() {
    static IS_OPEN: Mutex<bool> = Mutex::new(20, false);
    static OPENED: Condvar = Condvar::new();

    fn pass(mut is_open: Guard<'_, bool>) -> Result<(), Error> {
        while !*is_open {
            is_open = OPENED.wait(is_open)?;
        }
        Ok(())
    }
    bounded(|| {
        let wait = || thread::spawn(|| IS_OPEN.lock(&attached(), pass));
        let waiters = [wait(), wait(), wait()];
        let thread = attached();

        thread::sleep(A_WHILE);
        IS_OPEN.lock(&thread, |mut is_open| *is_open = true).unwrap();
        OPENED.notify_all(&thread).unwrap();
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap(), Ok(Ok(())));
        }
    });
}

/// When its time is over, the thread is inside again; another one was meanwhile.
#[test]
fn a_wait_ends_in_time() {
    bounded(|| {
        let thread = attached();
        let (mutex, condvar) = (Mutex::new(20, 1), Condvar::new());

        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(A_WHILE);
                mutex.lock(&attached(), |mut data| *data = 2).unwrap();
            });
            mutex
                .lock(&thread, |mut guard| loop {
                    let until = Instant::now() + A_WHILE;
                    let (again, is_over) = condvar.wait_until(guard, until).unwrap();

                    assert!(is_over && Instant::now() >= until);
                    if *again == 2 {
                        break;
                    }
                    guard = again;
                })
                .unwrap();
        });
        assert_eq!(mutex.lock(&thread, |data| *data), Ok(2));
    });
}

#[test]
fn a_wait_gives_no_guard_to_poisoned_data() {
    bounded(|| {
        let thread = attached();
        let (mutex, condvar) = (Mutex::new(20, 1), Condvar::new());
        let waited = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(A_WHILE / 2);
                assert!(panics(|| mutex.lock(&attached(), |_| panic_now()).unwrap()));
            });
            mutex.lock(&thread, |mut guard| loop {
                match condvar.wait_until(guard, Instant::now() + A_WHILE) {
                    Ok((again, _)) => guard = again,
                    Err(error) => return error,
                }
            })
        });

        assert_eq!(waited, Ok(Error::POISONED));
        assert_eq!(mutex.lock(&thread, |data| *data), Err(Error::POISONED));
        assert_eq!(mutex.repair(&thread, |data| *data), Ok(1));
        assert_eq!(mutex.lock(&thread, |data| *data), Ok(1));
    });
}

/// Else another thread would find the data as they are in the middle of the repair.
#[test]
fn a_repair_that_waits_repairs_nothing() {
    bounded(|| {
        let thread = attached();
        let (mutex, condvar) = (Mutex::new(20, 1), Condvar::new());
        let panicked = panics(|| mutex.lock(&thread, |_| panic_now()).unwrap());
        let waited = mutex.repair(&thread, |guard| {
            condvar.wait_until(guard, Instant::now()).map(|(guard, _)| *guard)
        });

        assert!(panicked);
        assert_eq!(waited, Ok(Err(Error::POISONED)));
        assert_eq!(mutex.lock(&thread, |data| *data), Err(Error::POISONED));
        assert_eq!(mutex.repair(&thread, |data| *data), Ok(1));
    });
}

extern "C" {
    fn gettid() -> i32;
    fn sched_setaffinity(tid: i32, size: usize, set: *const u64) -> i32;
}

fn move_thread(tid: i32, cpu: u32) {
    let mut set = [0_u64; 16];

    set[cpu as usize / 64] = 1 << (cpu % 64);
    // SAFETY: the set is so large. The thread is in no section, and comes back before its next one.
    assert_eq!(unsafe { sched_setaffinity(tid, 128, set.as_ptr()) }, 0);
}

fn wait_until_asleep(tid: i32) {
    let stat = format!("/proc/self/task/{tid}/stat");

    while !fs::read_to_string(&stat).unwrap().contains(") S ") {
        thread::yield_now();
    }
}

/// A thread that was moved away cannot leave the queue, and returns to it at its next wait: by then
/// the condition variable was moved and dropped.
#[test]
fn a_queue_that_a_thread_could_not_leave_is_never_freed() {
    bounded(|| {
        let (cpu, other) = (cpus()[0], cpus()[1]);
        let (started, is_started) = mpsc::channel();
        let mover = thread::spawn(move || {
            let tid = is_started.recv().unwrap();

            wait_until_asleep(tid);
            move_thread(tid, other);
        });
        let thread = on_cpu(0, cpu);
        let (mutex, condvar) = (Mutex::new(20, 1), Condvar::new());
        // SAFETY: without arguments.
        let tid = unsafe { gettid() };

        started.send(tid).unwrap();
        let waited = mutex.lock(&thread, |guard| {
            condvar.wait_until(guard, Instant::now() + 20 * A_WHILE).map(|(guard, _)| *guard)
        });

        mover.join().unwrap();
        assert_eq!(waited, Ok(Err(Error::WRONG_CPU)));
        let of_another = thread::scope(|scope| {
            let wait = || {
                mutex.lock(&on_cpu(0, cpu), |guard| {
                    condvar.wait_until(guard, Instant::now()).map(|(_, is_over)| is_over)
                })
            };

            scope.spawn(wait).join().unwrap()
        });

        assert_eq!(of_another, Ok(Ok(true)), "and changes nothing");
        let before = freed();

        drop(Box::new(condvar));
        assert_eq!(freed(), before);
        move_thread(tid, cpu);
        assert_eq!(mutex.lock(&thread, |data| *data), Ok(1), "the section was left");

        let before = freed();
        let next = Condvar::new();
        let ended = mutex.lock(&thread, |guard| {
            let (guard, is_over) = next.wait_until(guard, Instant::now()).unwrap();

            (*guard, is_over)
        });

        assert_eq!(ended, Ok((1, true)));
        drop(next);
        assert_eq!(freed(), before + 1, "a usual one is freed");
    });
}
