// SPDX-License-Identifier: MIT
//! An allocator that never gives the memory of a condition variable out again, and knows whether it
//! was written to after it was freed.
use std::alloc::{GlobalAlloc, Layout, System};
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use plafond::sys::plf_cond_t;

const FILL: u8 = 0xa5;
const PLACES: usize = 4096;
#[allow(clippy::declare_interior_mutable_const)] // each place of the array is one of its own
const EMPTY: AtomicUsize = AtomicUsize::new(0);

struct Quarantine;

#[global_allocator]
static QUARANTINE: Quarantine = Quarantine;
static COUNT: AtomicUsize = AtomicUsize::new(0);
static FREED: [AtomicUsize; PLACES] = [EMPTY; PLACES];

// SAFETY: as the system's; memory that is kept is not freed.
unsafe impl GlobalAlloc for Quarantine {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if layout != Layout::new::<plf_cond_t>() {
            // SAFETY: as the caller's.
            return unsafe { System.dealloc(memory, layout) };
        }
        // SAFETY: so large, and no longer its user's.
        unsafe { memory.write_bytes(FILL, layout.size()) };
        if let Some(place) = FREED.get(COUNT.fetch_add(1, SeqCst)) {
            place.store(memory as usize, SeqCst);
        }
    }
}

/// How many were freed; none was written to since.
pub fn freed() -> usize {
    let count = COUNT.load(SeqCst);

    assert!(count <= PLACES, "more places are needed");
    for place in &FREED[..count] {
        let memory = place.load(SeqCst) as *const u8;
        // SAFETY: kept above, and so large.
        let bytes = unsafe { slice::from_raw_parts(memory, std::mem::size_of::<plf_cond_t>()) };

        assert!(
            bytes.iter().all(|&byte| byte == FILL),
            "written to after it was freed: {bytes:x?}"
        );
    }
    count
}
