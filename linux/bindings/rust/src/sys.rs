// SPDX-License-Identifier: MIT
//! The functions of `plafond.h` as they are, but for servers, for what the safe half does not
//! have. Names, arguments, results and errors are those of the header; `tests/layout.rs` compares
//! sizes, offsets and constants with it.
#![allow(missing_docs, non_camel_case_types)]

use std::os::raw::{c_char, c_int, c_uint};

pub const PLF_ROBUST: c_uint = 0;
pub const PLF_STRICT: c_uint = 1 << 0;
pub const PLF_BACKEND_USER: c_uint = 1 << 1;
pub const PLF_BACKEND_SYSCALL: c_uint = 1 << 2;
pub const PLF_BACKEND_MODULE: c_uint = 1 << 3;
pub const PLF_CPU_PINNED: c_int = -1;
pub const PLF_PRIORITY_MAX: c_int = 99;
pub const PLF_GLOBAL_BAND: c_int = 50;
pub const PLF_MUTEX_NORMAL: c_int = 0;
pub const PLF_MUTEX_RECURSIVE: c_int = 1;
pub const PLF_MUTEX_LOCKS_MAX: c_int = 65536;
pub const PLF_SPIN_MAX_NS: u32 = 1_000_000;

/* Linux's errno values that the safe half distinguishes. */
pub const EPERM: c_int = 1;
pub const EINTR: c_int = 4;
pub const EBUSY: c_int = 16;
pub const EXDEV: c_int = 18;
pub const EINVAL: c_int = 22;
pub const EDEADLK: c_int = 35;
pub const ETIMEDOUT: c_int = 110;
pub const EOWNERDEAD: c_int = 130;
pub const ENOTRECOVERABLE: c_int = 131;

#[repr(C)]
#[derive(Debug)]
pub struct plf_mutex_t {
    pub word: u64,
    pub bound: u32,
    pub ceiling: u32,
    pub state: u8,
    pub recursive: u8,
    pub again: u16,
    pub spin_ns: u32,
    pub holder: u64,
}

impl plf_mutex_t {
    const NONE: Self = plf_mutex_t {
        word: 0,
        bound: 0,
        ceiling: 0,
        state: 0,
        recursive: 0,
        again: 0,
        spin_ns: 0,
        holder: 0,
    };

    /// `PLF_MUTEX_INITIALIZER(ceiling)`
    pub const fn with_ceiling(ceiling: u32) -> Self {
        plf_mutex_t { ceiling, ..Self::NONE }
    }

    /// `PLF_MUTEX_GLOBAL_INITIALIZER`
    pub const fn global() -> Self {
        plf_mutex_t { bound: u32::MAX, ..Self::NONE }
    }
}

#[repr(C)]
#[derive(Debug)]
pub struct plf_cond_t {
    pub queue_lock: plf_mutex_t,
    pub first: u32,
    pub epoch: u32,
}

impl plf_cond_t {
    /// `PLF_COND_INITIALIZER`
    pub const fn new() -> Self {
        let queue_lock = plf_mutex_t::with_ceiling(PLF_PRIORITY_MAX as u32);

        plf_cond_t { queue_lock, first: 0, epoch: 0 }
    }
}

impl Default for plf_cond_t {
    fn default() -> Self {
        Self::new()
    }
}

/// With the C library's `sem_t` inside, as glibc has it on 64-bit processors.
#[repr(C)]
#[derive(Debug, Default)]
pub struct plf_sem_t {
    pub sem: [u64; 4],
}

#[repr(C)]
#[derive(Debug, Default)]
pub struct plf_periodic {
    pub next_ns: u64,
    pub period_ns: u64,
    pub missed: u64,
    pub interrupted: u32,
}

#[repr(C)]
#[derive(Debug, Default)]
pub struct plf_stats {
    pub gate_waits: u64,
    pub waits_in_section: u64,
    pub skips: u64,
}

extern "C" {
    pub fn plf_strerror(error: c_int) -> *const c_char;

    pub fn plf_attach(priority: c_int, cpu: c_int, flags: c_uint) -> c_int;
    pub fn plf_detach() -> c_int;
    pub fn plf_backend() -> *const c_char;
    pub fn plf_get_stats(stats: *mut plf_stats) -> c_int;

    pub fn plf_mutex_init(mutex: *mut plf_mutex_t, ceiling: c_int) -> c_int;
    pub fn plf_mutex_init_global(mutex: *mut plf_mutex_t);
    pub fn plf_mutex_settype(mutex: *mut plf_mutex_t, type_: c_int) -> c_int;
    pub fn plf_mutex_gettype(mutex: *const plf_mutex_t) -> c_int;
    pub fn plf_mutex_destroy(mutex: *mut plf_mutex_t) -> c_int;
    pub fn plf_mutex_lock(mutex: *mut plf_mutex_t) -> c_int;
    pub fn plf_mutex_trylock(mutex: *mut plf_mutex_t) -> c_int;
    pub fn plf_mutex_timedlock(mutex: *mut plf_mutex_t, time_ns: u64) -> c_int;
    pub fn plf_mutex_unlock(mutex: *mut plf_mutex_t) -> c_int;
    pub fn plf_mutex_consistent(mutex: *mut plf_mutex_t) -> c_int;
    pub fn plf_mutex_getceiling(mutex: *const plf_mutex_t, ceiling: *mut c_int) -> c_int;
    pub fn plf_mutex_setceiling(mutex: *mut plf_mutex_t, ceiling: c_int, old: *mut c_int) -> c_int;
    pub fn plf_mutex_setspin(mutex: *mut plf_mutex_t, spin_ns: u32) -> c_int;
    pub fn plf_mutex_getspin(mutex: *const plf_mutex_t, spin_ns: *mut u32) -> c_int;

    pub fn plf_wake_hook() -> c_int;
    pub fn plf_sleep_until(time_ns: u64) -> c_int;
    pub fn plf_now() -> u64;
    pub fn plf_periodic_init(periodic: *mut plf_periodic, first_ns: u64, period_ns: u64) -> c_int;
    pub fn plf_periodic_wait(periodic: *mut plf_periodic) -> c_int;

    pub fn plf_cond_init(cond: *mut plf_cond_t);
    pub fn plf_cond_destroy(cond: *mut plf_cond_t) -> c_int;
    pub fn plf_cond_wait(cond: *mut plf_cond_t, mutex: *mut plf_mutex_t) -> c_int;
    pub fn plf_cond_timedwait(
        cond: *mut plf_cond_t,
        mutex: *mut plf_mutex_t,
        time_ns: u64,
    ) -> c_int;
    pub fn plf_cond_signal(cond: *mut plf_cond_t) -> c_int;
    pub fn plf_cond_broadcast(cond: *mut plf_cond_t) -> c_int;

    pub fn plf_sem_init(sem: *mut plf_sem_t, value: c_uint) -> c_int;
    pub fn plf_sem_destroy(sem: *mut plf_sem_t) -> c_int;
    pub fn plf_sem_wait(sem: *mut plf_sem_t) -> c_int;
    pub fn plf_sem_trywait(sem: *mut plf_sem_t) -> c_int;
    pub fn plf_sem_timedwait(sem: *mut plf_sem_t, time_ns: u64) -> c_int;
    pub fn plf_sem_post(sem: *mut plf_sem_t) -> c_int;
}
