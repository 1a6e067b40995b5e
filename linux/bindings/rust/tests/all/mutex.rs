// SPDX-License-Identifier: MIT
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::Duration;

use plafond::{Attached, Error, GlobalMutex, Instant, Mutex};

use crate::bounded::{attached, bounded, cpus, on_cpu, while_held};

const ROUNDS: u64 = 50_000;

fn count(cpu: u32, add: impl Fn(&Attached)) {
    let thread = on_cpu(0, cpu);

    for _ in 0..ROUNDS {
        add(&thread);
    }
}

#[test]
fn one_thread_at_a_time_is_inside() {
    bounded(|| {
        let counter = Mutex::new(20, 0_u64);

        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    count(cpus()[0], |thread| counter.lock(thread, |mut n| *n += 1).unwrap())
                });
            }
        });
        assert_eq!(counter.into_inner(), 4 * ROUNDS);
    });
}

#[test]
fn a_global_one_serves_two_cpus() {
    bounded(|| {
        static COUNTER: GlobalMutex<u64> = GlobalMutex::new_global(0);

        COUNTER.set_spin(5000).unwrap();
        assert_eq!(COUNTER.set_spin(1_000_001).unwrap_err().errno(), plafond::sys::EINVAL);
        thread::scope(|scope| {
            for cpu in cpus().into_iter().take(2) {
                scope.spawn(move || {
                    count(cpu, |thread| COUNTER.lock(thread, |mut n| *n += 1).unwrap())
                });
            }
        });
        assert_eq!(COUNTER.lock(&attached(), |n| *n), Ok(2 * ROUNDS));
    });
}

#[test]
fn sections_nest() {
    bounded(|| {
        let thread = attached();
        let (outer, inner) = (Mutex::new(20, 1), Mutex::new(30, 2));
        let sum = outer.lock(&thread, |a| inner.lock(&thread, |b| *a + *b)).unwrap();

        assert_eq!(sum, Ok(3));
        assert_eq!(inner.lock(&thread, |b| *b), Ok(2));
        assert_eq!(outer.lock(&thread, |a| *a), Ok(1));
    });
}

#[test]
fn its_own_mutex_is_refused() {
    bounded(|| {
        let thread = attached();
        let mutex = Mutex::new(20, ());
        let again = mutex.lock(&thread, |_| mutex.lock(&thread, |_| ())).unwrap();

        assert_eq!(again.unwrap_err().errno(), plafond::sys::EDEADLK);
        assert_eq!(mutex.lock(&thread, |_| ()), Ok(()));
    });
}

fn lock_all(mutexes: &[Mutex<()>], thread: &Attached) -> Result<(), Error> {
    match mutexes.split_first() {
        Some((first, others)) => first.lock(thread, |_| lock_all(others, thread))?,
        None => Ok(()),
    }
}

#[test]
fn the_17th_open_section_is_refused() {
    bounded(|| {
        let thread = attached();
        let mutexes: Vec<_> = (0..17).map(|_| Mutex::new(20, ())).collect();

        assert_eq!(
            lock_all(&mutexes, &thread).unwrap_err().to_string(),
            "too many sections are open, or the semaphore is 0"
        );
        assert_eq!(lock_all(&mutexes[..16], &thread), Ok(()));
    });
}

#[test]
fn a_priority_above_the_ceiling_is_refused() {
    bounded(|| {
        let thread = on_cpu(21, cpus()[0]);

        assert_eq!(
            Mutex::new(20, ()).lock(&thread, |_| ()).unwrap_err().errno(),
            plafond::sys::EINVAL
        );
        assert_eq!(Mutex::new(21, ()).lock(&thread, |_| ()), Ok(()));
    });
}

#[test]
fn another_cpu_is_refused() {
    bounded(|| {
        let mutex = Mutex::new(20, 0);

        mutex.lock(&attached(), |mut data| *data = 1).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                let there = on_cpu(0, cpus()[1]);

                assert_eq!(mutex.lock(&there, |_| ()), Err(Error::WRONG_CPU));
            });
        });
    });
}

#[test]
fn try_lock_does_not_sleep() {
    bounded(|| {
        let thread = attached();
        let mutex = Arc::new(Mutex::new(20, ()));

        while_held(&mutex, || assert_eq!(mutex.try_lock(&thread, |_| ()), Err(Error::BUSY)));
        assert_eq!(mutex.try_lock(&thread, |_| ()), Ok(()));
    });
}

#[test]
fn a_lock_with_a_time_ends_at_that() {
    bounded(|| {
        let thread = attached();
        let mutex = Arc::new(Mutex::new(20, 0));
        let past = Instant::from_ns(0);

        while_held(&mutex, || {
            let soon = Instant::now() + Duration::from_millis(3);

            for time in [past, Instant::now(), soon] {
                assert_eq!(mutex.try_lock_until(&thread, time, |_| ()), Err(Error::TIMED_OUT));
                assert!(Instant::now() >= time);
            }
        });
        for time in [past, Instant::now(), Instant::from_ns(u64::MAX)] {
            assert_eq!(mutex.try_lock_until(&thread, time, |mut n| *n += 1), Ok(()));
        }
        assert_eq!(mutex.lock(&thread, |n| *n), Ok(3));
    });
}

/// The less urgent one is inside for longer than the other one sleeps.
#[test]
fn a_thread_up_to_the_ceiling_waits_for_the_section() {
    static MUTEX: Mutex<()> = Mutex::new(20, ());
    static IS_INSIDE: AtomicBool = AtomicBool::new(false);

    bounded(|| {
        let cpu = cpus()[0];
        let thread = on_cpu(5, cpu);
        let (sender, is_attached) = mpsc::channel();
        let urgent = thread::spawn(move || {
            let thread = on_cpu(10, cpu);
            let wake_up = Instant::now() + Duration::from_millis(30);

            sender.send(wake_up).unwrap();
            thread.sleep_until(wake_up).unwrap();
            (IS_INSIDE.load(SeqCst), thread.stats().unwrap().gate_waits)
        });
        let wake_up = is_attached.recv().unwrap();

        MUTEX
            .lock(&thread, |_| {
                IS_INSIDE.store(true, SeqCst);
                while Instant::now() < wake_up + Duration::from_millis(10) {}
                IS_INSIDE.store(false, SeqCst);
            })
            .unwrap();
        assert_eq!(urgent.join().unwrap(), (false, 1));
    });
}
