// SPDX-License-Identifier: MIT
//! A control loop and a logger share a state, which the logger must not find half written.
use std::thread;
use std::time::Duration;

use plafond::{attach, Cpu, Error, Flags, Instant, Mutex, Periodic};

struct State {
    release: u32,
    position: f64,
}

const CONTROL: i32 = 20;
const LOGGER: i32 = 10;
const RELEASES: u32 = 20;
const LINES: u32 = 5;
const PERIOD: Duration = Duration::from_millis(5);

static STATE: Mutex<State> = Mutex::new(CONTROL, State { release: 0, position: 0.0 });

fn control(start: Instant) -> Result<(), Error> {
    // SAFETY: this program changes no affinity, and nothing else moves its threads.
    let thread = unsafe { attach(CONTROL, Cpu::Number(0), Flags::ROBUST) }?;
    let mut periodic = Periodic::new(start, PERIOD)?;

    for release in 1..=RELEASES {
        periodic.wait(&thread)?;
        STATE.lock(&thread, |mut state| {
            state.release = release;
            state.position = f64::from(release) / 2.0;
        })?;
    }
    Ok(())
}

/// How many states it read, and whether each was of one release.
fn log(start: Instant) -> Result<(u32, bool), Error> {
    // SAFETY: as above.
    let thread = unsafe { attach(LOGGER, Cpu::Number(0), Flags::ROBUST) }?;
    let mut periodic = Periodic::new(start, 4 * PERIOD)?;
    let mut is_whole = true;

    for _ in 0..LINES {
        periodic.wait(&thread)?;
        is_whole &=
            STATE.lock(&thread, |state| state.position * 2.0 == f64::from(state.release))?;
    }
    Ok((LINES, is_whole))
}

fn main() -> Result<(), Error> {
    let start = Instant::now() + PERIOD;
    let control = thread::spawn(move || control(start));
    let logger = thread::spawn(move || log(start));

    control.join().expect("it does not panic")?;
    let (count, is_whole) = logger.join().expect("it does not panic")?;

    println!("{RELEASES} releases; {count} states logged, each of one release: {is_whole}");
    Ok(())
}
