// SPDX-License-Identifier: MIT
//! Real-time mutexes with a priority ceiling at the price of a few stores: libplafond for Rust.
//!
//! ```
//! use plafond::{attach, Cpu, Flags, Mutex};
//!
//! static POSITION: Mutex<i64> = Mutex::new(20, 0); // ceiling: its most urgent user
//!
//! # fn main() -> Result<(), plafond::Error> {
//! // SAFETY: this program changes no affinity, and nothing else moves its threads.
//! let thread = unsafe { attach(20, Cpu::Number(0), Flags::ROBUST) }?; // SCHED_FIFO 20
//! POSITION.lock(&thread, |mut position| *position += 1)?; // no system call
//! # Ok(())
//! # }
//! ```
//!
//! The mutex follows the immediate priority ceiling protocol: threads of a CPU cannot deadlock, and in
//! each activation a thread waits for at most one section of a less urgent thread. The library's
//! manual, docs/linux.md, has the rules of strengths, backends and waits; a Rust program calls lock and
//! unlock where a C program has them inline.
//!
//! # Build
//!
//! The crate needs Rust 1.63 and no other crate. It finds libplafond by pkg-config; with feature
//! `vendored` it compiles the library of the repository that it lies in, with `cc` and `ar` (variables
//! `CC` and `AR`), and links it statically. The library's version must be the crate's.
//!
//! # Soundness
//!
//! Safe code has one promise to make, and it makes it where it writes `unsafe`: that of [`attach`],
//! which is that nothing moves the thread to another CPU. No code of the program alone can keep that,
//! as with a file that is mapped into memory. From there on nothing that safe code does lets two
//! threads at the data, or the library at memory that is gone:
//!
//! | attempt | what happens |
//! |---|---|
//! | lock without attaching | does not compile: [`Mutex::lock`] takes an [`Attached`] |
//! | use the token or the guard in another thread | does not compile: neither is `Send` or `Sync` |
//! | drop the token in a section | does not compile: the section borrows it |
//! | move or drop the mutex in its section | does not compile: the section borrows it |
//! | keep the guard, or a reference to the data, beyond the section | does not compile: no lifetime is long enough |
//! | leave sections in the wrong order | cannot be written: they are closures, which nest |
//! | forget or drop the guard | nothing: the closure's end is the section's |
//! | forget the token | the thread stays attached until it ends; another `attach` gives `EALREADY` |
//! | panic in a section | it is left, and the mutex is [poisoned](Error::POISONED) |
//! | lock the mutex that one has | `EDEADLK` |
//! | lock on another CPU | [`Error::WRONG_CPU`] |
//! | use the guard of an outer section in a wait | `EPERM`; the section ends with its closure |
//!
//! This is why [`Mutex::lock`] takes a closure, and returns no guard as std's does. A guard may be
//! leaked. Std's mutex is locked for ever then, which is sound; but a plafond section left open keeps
//! out every thread up to its ceiling, and when its thread ends, the library closes the section, and
//! gives the mutex to the next thread: beside a reference that the leaked guard may have lent to a
//! thread that lives. A [`GlobalMutex`] is written to then, at the address that it had when it was
//! locked. Sections that are closures cannot be left open, so there is nothing to defend against.
//!
//! ## Owner death
//!
//! So a thread ends in a section only by unsafe means: `pthread_exit()`, a `fork()` while another
//! thread is inside, a stack that is abandoned. The library finds that out. The next locker in C would
//! be given the mutex, to repair the data; here it gets [`Error::NOT_RECOVERABLE`], as does every later
//! one, for the library cannot know which references to the data are still alive. The borrow checker
//! does: [`Mutex::get_mut`] and [`Mutex::into_inner`] always have the data. A panic is repaired by
//! [`Mutex::repair`].
//!
//! ## What `unsafe` in this crate relies on
//!
//! - of plf_mutex_t: after 0 from lock or trylock this thread alone has it, until unlock returns 0, or
//!   while a wait on a condition variable sleeps; unlock gives `EPERM` unless it is this thread's
//!   innermost section. While it is free no memory of the library names it.
//! - of plf_cond_t: a wait that returns 0 or `ETIMEDOUT` has left the queue.
//! - of all: a function reads and writes what its arguments point to, and its own memory.
//!
//! Miri executes no foreign code, so it cannot check these. In its place stand the proofs of the very
//! code that is linked: `./plafond prove ceiling-stack` lets other threads arrive at each instruction
//! boundary of the compiled lock and unlock; and the tests in `tests/`, which try what the table lists.
#![deny(missing_docs, missing_debug_implementations, unsafe_op_in_unsafe_fn)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod attached;
mod condvar;
mod error;
mod instant;
mod mutex;
mod periodic;
#[cfg(doctest)]
mod refused;
mod semaphore;
pub mod sys;

pub use attached::{attach, backend, Attached, Cpu, Flags, Stats};
pub use condvar::Condvar;
pub use error::Error;
pub use instant::Instant;
pub use mutex::{Global, GlobalMutex, Guard, Mutex, OneCpu};
pub use periodic::Periodic;
pub use semaphore::Semaphore;
