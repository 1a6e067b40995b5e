// SPDX-License-Identifier: MIT
//! `sys` beside `plafond.h`, which a C compiler reads: sizes, offsets, constants and the types of the
//! functions; and beside the list of what the library exports.
use std::env;
use std::fmt::Write;
use std::fs;
use std::mem::{size_of, MaybeUninit};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::addr_of;

use plafond::sys::*;

const SOURCE: &str = include_str!("../../src/sys.rs");
const MAP: &str = include_str!("../../../../lib/plafond.map");

macro_rules! offset {
    ($c:literal, $type:ty, $($field:ident).+) => {{
        let place = MaybeUninit::<$type>::uninit();
        // SAFETY: an address inside of `place`; nothing is read.
        let field = unsafe { addr_of!((*place.as_ptr()).$($field).+) } as usize;

        (
            format!("offsetof({}, {})", $c, stringify!($($field).+).replace(' ', "")),
            (field - place.as_ptr() as usize) as i64,
        )
    }};
}

macro_rules! size {
    ($c:literal, $type:ty) => {
        (format!("sizeof({})", $c), size_of::<$type>() as i64)
    };
}

macro_rules! values {
    ($($name:ident)+) => { [$((stringify!($name).to_string(), $name as i64)),+] };
}

/// Each with the C expression for it.
fn numbers() -> Vec<(String, i64)> {
    let mut all = vec![
        size!("plf_mutex_t", plf_mutex_t),
        offset!("plf_mutex_t", plf_mutex_t, word),
        offset!("plf_mutex_t", plf_mutex_t, bound),
        offset!("plf_mutex_t", plf_mutex_t, ceiling),
        offset!("plf_mutex_t", plf_mutex_t, state),
        offset!("plf_mutex_t", plf_mutex_t, recursive),
        offset!("plf_mutex_t", plf_mutex_t, again),
        offset!("plf_mutex_t", plf_mutex_t, spin_ns),
        offset!("plf_mutex_t", plf_mutex_t, holder),
        size!("plf_cond_t", plf_cond_t),
        offset!("plf_cond_t", plf_cond_t, queue_lock),
        offset!("plf_cond_t", plf_cond_t, first),
        offset!("plf_cond_t", plf_cond_t, epoch),
        size!("plf_sem_t", plf_sem_t),
        size!("struct plf_periodic", plf_periodic),
        offset!("struct plf_periodic", plf_periodic, next_ns),
        offset!("struct plf_periodic", plf_periodic, period_ns),
        offset!("struct plf_periodic", plf_periodic, missed),
        offset!("struct plf_periodic", plf_periodic, interrupted),
        size!("struct plf_stats", plf_stats),
        offset!("struct plf_stats", plf_stats, gate_waits),
        offset!("struct plf_stats", plf_stats, waits_in_section),
        offset!("struct plf_stats", plf_stats, skips),
        (
            "((plf_mutex_t)PLF_MUTEX_GLOBAL_INITIALIZER).bound".into(),
            plf_mutex_t::global().bound.into(),
        ),
        (
            "((plf_mutex_t)PLF_MUTEX_INITIALIZER(42)).ceiling".into(),
            plf_mutex_t::with_ceiling(42).ceiling.into(),
        ),
        (
            "((plf_cond_t)PLF_COND_INITIALIZER).queue_lock.ceiling".into(),
            plf_cond_t::new().queue_lock.ceiling.into(),
        ),
    ];

    all.extend(values!(
        PLF_ROBUST PLF_STRICT PLF_BACKEND_USER PLF_BACKEND_SYSCALL PLF_BACKEND_MODULE PLF_CPU_PINNED
        PLF_PRIORITY_MAX PLF_GLOBAL_BAND PLF_SPIN_MAX_NS PLF_MUTEX_NORMAL PLF_MUTEX_RECURSIVE
        PLF_MUTEX_LOCKS_MAX
        EPERM EINTR EBUSY EXDEV EINVAL EDEADLK ETIMEDOUT EOWNERDEAD ENOTRECOVERABLE
    ));
    all
}

/// `pub fn NAME(ARGUMENT: TYPE, ...) -> TYPE;` of `sys`, in one line each.
fn functions() -> Vec<String> {
    let text = SOURCE.split_once("extern \"C\" {").unwrap().1.replace('\n', " ");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");

    words.split("pub fn ").skip(1).map(|f| f.split(';').next().unwrap().to_string()).collect()
}

fn name_of(function: &str) -> &str {
    function.split('(').next().unwrap()
}

fn c_type(rust: &str) -> String {
    let rust = rust.trim();

    if let Some(target) = rust.strip_prefix("*mut ") {
        return c_type(target) + " *";
    }
    if let Some(target) = rust.strip_prefix("*const ") {
        return "const ".to_string() + &c_type(target) + " *";
    }
    match rust {
        "c_int" => "int",
        "c_uint" => "unsigned",
        "c_char" => "char",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "plf_mutex_t" | "plf_cond_t" | "plf_sem_t" => rust,
        "plf_periodic" => "struct plf_periodic",
        "plf_stats" => "struct plf_stats",
        other => panic!("{other}: say what it is in C"),
    }
    .to_string()
}

/// The type of a pointer to it.
fn c_pointer(function: &str) -> String {
    let (head, result) = function.split_once(" -> ").unwrap_or((function, ""));
    let list = head.split_once('(').unwrap().1.trim_end_matches(')').trim_end_matches(", ");
    let arguments: Vec<_> =
        list.split(',').filter_map(|argument| Some(c_type(argument.split_once(':')?.1))).collect();
    let result = if result.is_empty() { "void".into() } else { c_type(result) };
    let arguments = if arguments.is_empty() { "void".into() } else { arguments.join(", ") };

    format!("{result} (*)({arguments})")
}

fn program() -> String {
    let mut c = "#include <plafond.h>\n#include <stddef.h>\n#include <stdio.h>\n".to_string();

    for function in functions() {
        let (name, pointer) = (name_of(&function), c_pointer(&function));

        writeln!(c, "_Static_assert(_Generic({name}, {pointer}: 1, default: 0), \"{name}\");")
            .unwrap();
    }
    writeln!(c, "int main(void)\n{{").unwrap();
    writeln!(
        c,
        "printf(\"%d.%d.%d\\n\", PLF_VERSION_MAJOR, PLF_VERSION_MINOR, PLF_VERSION_PATCH);"
    )
    .unwrap();
    for (expression, _) in numbers() {
        writeln!(c, "printf(\"%lld\\n\", (long long)({expression}));").unwrap();
    }
    c + "}\n"
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();

    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn sys_is_what_the_header_says() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, executable) = (folder.join("layout.c"), folder.join("layout"));

    fs::write(&source, program()).unwrap();
    output(
        Command::new("cc")
            .args(["-std=gnu17", "-Wl,--unresolved-symbols=ignore-all", "-I"])
            .arg(env!("PLAFOND_INCLUDE"))
            .arg(&source)
            .arg("-o")
            .arg(&executable),
    );
    let printed = output(&mut Command::new(executable));
    let mut lines = printed.lines();

    assert_eq!(lines.next(), Some(env!("CARGO_PKG_VERSION")));
    for (expression, value) in numbers() {
        assert_eq!(lines.next(), Some(value.to_string().as_str()), "{expression}");
    }
    assert_eq!(lines.next(), None);
}

/// But for servers, which the crate does not have.
#[test]
fn sys_has_what_the_library_exports() {
    let exported = MAP.split("/* called by the inline halves */").next().unwrap();
    let mut exported: Vec<_> = exported
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .filter(|name| name.starts_with("plf_"))
        .filter(|name| !name.starts_with("plf_server_") && !name.starts_with("plf_shared_"))
        .collect();
    let functions = functions();
    let mut declared: Vec<_> = functions.iter().map(|function| name_of(function)).collect();

    exported.sort_unstable();
    declared.sort_unstable();
    assert_eq!(declared, exported);
}
