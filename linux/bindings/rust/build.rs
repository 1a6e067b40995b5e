// SPDX-License-Identifier: MIT
//! Find libplafond by pkg-config or, with feature `vendored`, compile it from this repository. The
//! library has the crate's version, or the build ends with one message.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let include = if env::var_os("CARGO_FEATURE_VENDORED").is_some() { compile() } else { find() };
    println!("cargo:rustc-env=PLAFOND_INCLUDE={}", include.display()); // for tests/layout.rs
}

fn refuse(message: &str) -> ! {
    eprintln!("crate plafond: {}", message);
    exit(1)
}

/// Until 1.0 another minor version may change anything.
fn expect_version(found: &str, place: &str) {
    let of_crate = env!("CARGO_PKG_VERSION");
    let minor = |version: &str| version.split('.').take(2).map(String::from).collect::<Vec<_>>();

    if minor(found) != minor(of_crate) {
        refuse(&format!(
            "found libplafond {} {}; expected {}, the crate's version",
            found, place, of_crate
        ));
    }
}

// ---- By pkg-config ---------------------------------------------------------

fn find() -> PathBuf {
    for name in ["PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR"] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    let version = pkg_config("--modversion");
    let libraries = pkg_config("--variable=libdir");

    expect_version(&version, &format!("in {}", libraries));
    println!("cargo:rustc-link-search=native={}", libraries);
    println!("cargo:rustc-link-lib=plafond");
    PathBuf::from(pkg_config("--variable=includedir"))
}

fn pkg_config(question: &str) -> String {
    let advice = "install libplafond (make install), name its folder by \
                  PKG_CONFIG_PATH=PREFIX/lib/pkgconfig, or build with --features vendored";

    match Command::new("pkg-config").args([question, "plafond"]).output() {
        Err(error) => refuse(&format!("cannot run pkg-config: {}; {}", error, advice)),
        Ok(answer) if !answer.status.success() => {
            refuse(&format!("pkg-config finds no libplafond: {}", advice))
        }
        Ok(answer) => String::from_utf8_lossy(&answer.stdout).trim().to_string(),
    }
}

// ---- From the repository ---------------------------------------------------

/// The rooms that the library is made of, as linux/lib/CMakeLists.txt has them.
fn compile() -> PathBuf {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let (library, core, protocol) =
        (root.join("linux/lib"), root.join("linux/core"), root.join("protocol"));
    let header = library.join("include/plafond.h");
    let include = out.join("include");

    if !header.exists() {
        refuse(&format!(
            "feature vendored compiles the library of plafond's repository: found no {}",
            header.display()
        ));
    }
    expect_version(&version_of(&header), "in the repository");
    for room in [&library, &core, &protocol] {
        println!("cargo:rerun-if-changed={}", room.display());
    }
    copy_headers(&library.join("include"), &include);
    copy_headers(&library.join("include/plafond"), &include.join("plafond"));
    copy_headers(&protocol, &include.join("plafond"));
    run(tool("CC", "cc")
        .current_dir(&out)
        .args(["-c", "-std=gnu17", "-O2", "-fPIC", "-I"])
        .arg(&include)
        .arg("-I")
        .arg(&core)
        .args(files(&library, "c"))
        .args(files(&core, "c")));
    run(tool("AR", "ar").arg("crs").arg(out.join("libplafond.a")).args(files(&out, "o")));
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=plafond");
    include
}

fn version_of(header: &Path) -> String {
    let text = fs::read_to_string(header).unwrap_or_default();
    let number = |part: &str| {
        let define = format!("#define PLF_VERSION_{} ", part);
        let line = text.lines().find_map(|line| line.strip_prefix(&define));

        line.unwrap_or("?").to_string()
    };

    [number("MAJOR"), number("MINOR"), number("PATCH")].join(".")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| refuse(&format!("{}: {}", folder.display(), error)));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));

    paths.filter(|path| path.extension() == Some(OsStr::new(extension))).collect()
}

fn copy_headers(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("cargo's OUT_DIR can be written");
    for header in files(from, "h") {
        let name = header.file_name().expect("a file has a name");

        fs::copy(&header, to.join(name)).expect("cargo's OUT_DIR can be written");
    }
}

fn tool(variable: &str, usual: &str) -> Command {
    println!("cargo:rerun-if-env-changed={}", variable);
    Command::new(env::var_os(variable).unwrap_or_else(|| usual.into()))
}

fn run(command: &mut Command) {
    match command.status() {
        Err(error) => refuse(&format!("cannot run {:?}: {}", command.get_program(), error)),
        Ok(status) if !status.success() => refuse(&format!("{:?}: {}", command, status)),
        Ok(_) => {}
    }
}
