// SPDX-License-Identifier: MIT
//! One program: what the crate promises, and what safe code may try against it.
#![deny(unsafe_op_in_unsafe_fn)]

mod attached;
mod attempts;
mod bounded;
mod condvar;
mod death;
mod fork;
mod layout;
mod mutex;
mod quarantine;
mod waits;
