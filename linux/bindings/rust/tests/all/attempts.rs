// SPDX-License-Identifier: MIT
//! Safe code against the library: what compiles. What does not is in src/refused.rs.
#![allow(clippy::drop_non_drop, clippy::forget_non_drop)] // they are the attempts
use std::cell::RefCell;
use std::env;
use std::mem::{self, size_of, MaybeUninit};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::slice;
use std::sync::{mpsc, Arc};
use std::thread;

use plafond::{attach, sys, Attached, Condvar, Cpu, Error, Flags, GlobalMutex, Mutex};

use crate::bounded::{attached, bounded, cpus, panic_now, panics};

const SIGABRT: i32 = 6;

/// Another thread, attached before there is a section that covers it.
struct Elsewhere {
    mutexes: Option<mpsc::Sender<Arc<Mutex<i32>>>>,
    answers: mpsc::Receiver<Result<i32, Error>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Elsewhere {
    fn start() -> Self {
        let (mutexes, asked) = mpsc::channel::<Arc<Mutex<i32>>>();
        let (answer, answers) = mpsc::channel();
        let thread = thread::spawn(move || {
            let thread = attached();

            answer.send(Ok(0)).unwrap();
            for mutex in asked {
                answer.send(mutex.try_lock(&thread, |data| *data)).unwrap();
            }
        });

        answers.recv().unwrap().unwrap();
        Elsewhere { mutexes: Some(mutexes), answers, thread: Some(thread) }
    }

    fn finds(&self, mutex: &Arc<Mutex<i32>>) -> Result<i32, Error> {
        self.mutexes.as_ref().unwrap().send(Arc::clone(mutex)).unwrap();
        self.answers.recv().unwrap()
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        self.mutexes = None;
        self.thread.take().unwrap().join().unwrap();
    }
}

fn mutex() -> Arc<Mutex<i32>> {
    Arc::new(Mutex::new(20, 1))
}

#[test]
fn a_forgotten_guard_ends_with_its_closure() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let mutex = mutex();

        mutex.lock(&attached(), |guard| mem::forget(guard)).unwrap();
        assert_eq!(elsewhere.finds(&mutex), Ok(1));
    });
}

#[test]
fn a_dropped_guard_does_not_end_the_section() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let mutex = mutex();
        let inside = mutex.lock(&attached(), |guard| {
            drop(guard);
            elsewhere.finds(&mutex)
        });

        assert_eq!(inside, Ok(Err(Error::BUSY)));
        assert_eq!(elsewhere.finds(&mutex), Ok(1));
    });
}

#[test]
fn the_outer_guard_may_go_first() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let thread = attached();
        let (outer, inner) = (mutex(), mutex());
        let inside = outer.lock(&thread, |guard| {
            inner.lock(&thread, |_| {
                drop(guard);
                elsewhere.finds(&outer)
            })
        });

        assert_eq!(inside, Ok(Ok(Err(Error::BUSY))));
        assert_eq!((elsewhere.finds(&outer), elsewhere.finds(&inner)), (Ok(1), Ok(1)));
    });
}

#[test]
fn a_wait_with_the_outer_guard_is_refused() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let thread = attached();
        let condvar = Condvar::new();
        let (outer, inner) = (mutex(), mutex());
        let waited = outer.lock(&thread, |guard| {
            inner.lock(&thread, |_| condvar.wait(guard).map(|guard| *guard)).unwrap()
        });

        assert_eq!(waited.unwrap().unwrap_err().errno(), sys::EPERM);
        assert_eq!((elsewhere.finds(&outer), elsewhere.finds(&inner)), (Ok(1), Ok(1)));
    });
}

/// The guard went with the wait, so the panic cannot have left the data half changed.
#[test]
fn a_panic_behind_a_wait_that_failed_poisons_nothing() {
    bounded(|| {
        let thread = attached();
        let condvar = Condvar::new();
        let (outer, inner) = (mutex(), mutex());

        assert!(panics(|| {
            let _ = outer.lock(&thread, |guard| {
                let waited = inner.lock(&thread, |_| condvar.wait(guard).map(|guard| *guard));

                assert_eq!(waited.unwrap().unwrap_err().errno(), sys::EPERM);
                panic_now()
            });
        }));
        assert_eq!(outer.lock(&thread, |data| *data), Ok(1));
    });
}

fn panic_inside(mutex: &Mutex<i32>, thread: &Attached) {
    mutex
        .lock(thread, |mut data| {
            *data = 2;
            panic_now();
        })
        .unwrap()
}

#[test]
fn a_panic_leaves_and_poisons() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let thread = attached();
        let (outer, inner) = (mutex(), mutex());

        assert!(panics(|| outer.lock(&thread, |_| panic_inside(&inner, &thread)).unwrap()));
        for mutex in [&outer, &inner] {
            assert_eq!(elsewhere.finds(mutex), Err(Error::POISONED));
            assert_eq!(elsewhere.finds(mutex), Err(Error::POISONED), "not repaired");
        }
        assert!(panics(|| inner.repair(&thread, |_| panic_now()).unwrap()));
        assert_eq!(elsewhere.finds(&inner), Err(Error::POISONED), "the repair failed");
        assert_eq!(inner.repair(&thread, |data| *data), Ok(2));
        assert_eq!(elsewhere.finds(&inner), Ok(2));
        assert_eq!(elsewhere.finds(&outer), Err(Error::POISONED));
    });
}

#[test]
fn a_panic_that_ends_the_thread_is_no_owner_death() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let mutex = mutex();
        let theirs = Arc::clone(&mutex);

        let ended = thread::spawn(move || panic_inside(&theirs, &attached())).join();

        assert!(ended.is_err());
        assert_eq!(elsewhere.finds(&mutex), Err(Error::POISONED));
    });
}

#[test]
fn a_section_of_a_destructor_is_not_poisoned_by_the_panic_around_it() {
    struct LocksAtItsEnd<'a>(&'a Mutex<i32>, &'a Attached);

    impl Drop for LocksAtItsEnd<'_> {
        fn drop(&mut self) {
            self.0.lock(self.1, |mut data| *data += 1).unwrap();
        }
    }
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let thread = attached();
        let mutex = mutex();

        assert!(panics(|| {
            let _locks = LocksAtItsEnd(&mutex, &thread);

            panic_now();
        }));
        assert_eq!(elsewhere.finds(&mutex), Ok(2));
    });
}

#[test]
fn a_forgotten_token_leaves_the_thread_attached_to_its_end() {
    bounded(|| {
        let elsewhere = Elsewhere::start();
        let mutex = mutex();
        let theirs = Arc::clone(&mutex);

        thread::spawn(move || {
            let thread: &'static Attached = Box::leak(Box::new(attached()));
            // SAFETY: the thread is not moved.
            let again = unsafe { attach(0, Cpu::Number(cpus()[0]), Flags::BACKEND_USER) };

            assert_eq!(again.unwrap_err().to_string(), "the thread is attached already");
            theirs.lock(thread, |guard| mem::forget(guard)).unwrap();
        })
        .join()
        .unwrap();
        assert_eq!(elsewhere.finds(&mutex), Ok(1));
    });
}

#[test]
fn a_token_may_be_dropped_when_its_thread_ends() {
    thread_local!(static TOKEN: RefCell<Option<Attached>> = RefCell::default());

    bounded(|| {
        let elsewhere = Elsewhere::start();
        let mutex = mutex();
        let theirs = Arc::clone(&mutex);

        thread::spawn(move || {
            TOKEN.with(|token| {
                token.replace(Some(attached()));
                theirs.lock(token.borrow().as_ref().unwrap(), |guard| mem::forget(guard)).unwrap();
            });
        })
        .join()
        .unwrap();
        assert_eq!(elsewhere.finds(&mutex), Ok(1));
    });
}

/// Use `mutex` by `lock`, move it away, and end the thread. Returns whether the place where it was
/// is as it was left, and the mutex.
fn move_and_end<M: Send + 'static>(mutex: M, lock: fn(&mut M, &Attached)) -> (bool, M) {
    let (moved, arrived) = mpsc::channel();
    let (place, left) = thread::spawn(move || {
        let place = Box::leak(Box::new(MaybeUninit::new(mutex)));
        let thread = attached();

        // SAFETY: initialised above, and read once: a move.
        unsafe {
            lock(place.assume_init_mut(), &thread);
            moved.send(place.as_ptr().read()).unwrap();
        }
        mem::forget(thread);
        (place.as_ptr() as usize, bytes_at(place.as_ptr()))
    })
    .join()
    .unwrap();

    (bytes_at(place as *const M) == left, arrived.recv().unwrap())
}

/// Of what was leaked, and has no padding.
fn bytes_at<M>(place: *const M) -> Vec<u8> {
    // SAFETY: so large.
    unsafe { slice::from_raw_parts(place.cast(), size_of::<M>()) }.to_vec()
}

#[test]
fn a_mutex_is_forgotten_where_it_was() {
    bounded(|| {
        let (is_untouched, mutex) =
            move_and_end(GlobalMutex::new_global([1_u8; 7]), |mutex, thread| {
                mutex.lock(thread, |guard| mem::forget(guard)).unwrap();
            });

        assert!(is_untouched);
        assert_eq!(mutex.lock(&attached(), |data| data[0]), Ok(1));
    });
}

/// What a guard that is leaked would do, and that the test above would see it.
#[test]
fn the_library_writes_to_a_global_mutex_of_a_section_left_open() {
    bounded(|| {
        let (is_untouched, _) = move_and_end(sys::plf_mutex_t::global(), |mutex, _| {
            // SAFETY: initialised. It is moved while it is locked, which is what this is about.
            assert_eq!(unsafe { sys::plf_mutex_lock(mutex) }, 0);
        });

        assert!(!is_untouched);
    });
}

/// As stackful coroutines of one thread could have it.
#[test]
fn a_section_below_an_open_one_ends_the_program() {
    const IN_CHILD: &str = "PLAFOND_TEST_WRONG_ORDER";

    fn leave_in_wrong_order() {
        let mut above = sys::plf_mutex_t::with_ceiling(20);
        let _ = Mutex::new(20, ()).lock(&attached(), |_| {
            // SAFETY: initialised, and there until the program ends.
            assert_eq!(unsafe { sys::plf_mutex_lock(&mut above) }, 0);
        });
    }
    if env::var_os(IN_CHILD).is_some() {
        return leave_in_wrong_order();
    }
    let name = "attempts::a_section_below_an_open_one_ends_the_program";
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--nocapture", name])
        .env(IN_CHILD, "yes")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&child.stderr);

    assert_eq!(child.status.signal(), Some(SIGABRT), "{errors}");
    assert!(
        errors.contains("plafond: a section cannot be left: Operation not permitted"),
        "{errors}"
    );
}
