# SPDX-License-Identifier: MIT
"""The virtual machine itself: real guests, and the messages if a guest fails."""

import lzma
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from patience import HUNG_S

from plafond.errors import PlafondError, RefusedError
from plafond.programs import build_folder
from plafond.vm import machine
from plafond.vm.archive import file_entry, pack
from plafond.vm.guest import Guest, KernelLine, Processor
from plafond.vm.kernel import SCRIPTS
from plafond.vm.machine import run_in_vm
from plafond.vm.messages import Mailbox, Message

pytestmark = pytest.mark.guest

QUICK = Guest(cpus=2)  # boots in half the time
SENT = "ready 0\\nsome 5\\nwhole"


@pytest.fixture
def fake_qemu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that replaces QEMU by a script, which must write the files $console and
    $sent."""

    def write(script: str) -> None:
        program = tmp_path / "qemu-system-x86_64"
        find = (
            "for word; do case $word in file:*) console=${word#file:} ;; "
            "*path=*) sent=${word#*path=} ;; esac; done"
        )
        program.write_text(f"#!/bin/sh\n{find}\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return write


def test_results_come_back_whole() -> None:
    random = bytes(range(256)) * 1000
    sent: list[str] = []
    results = run_in_vm(
        QUICK,
        {"/data/random": random, "/bin/true-of-the-host": Path("/usr/bin/true")},
        [
            "cp /data/random /results/back",
            "echo early | post now",
            "true-of-the-host && uname -v >/results/version",
            "echo reported; exit 3",
        ],
        HUNG_S,
        lambda message: sent.append(message.name),
    )
    assert results.files["back"] == random
    assert results.files["now"] == b"early\n"
    assert b"PREEMPT_RT" in results.files["version"]
    assert set(results.files) == {"now", "back", "version"}
    assert sent[:2] == ["ready", "now"]
    assert results.status == 3
    assert "reported" in results.console


@pytest.mark.parametrize("line", KernelLine)
def test_the_modules_are_loaded(line: KernelLine) -> None:
    guest = Guest(line, 2, modules=True)
    commands = ["test -c /dev/plafond && test -c /dev/immpc && uname -r >/results/release"]
    results = run_in_vm(guest, {}, commands, HUNG_S)
    assert results.status == 0, results.console
    assert results.files["release"].decode().startswith(line.removesuffix("x"))


def test_another_processor_has_its_kernel_and_sends_files_whole() -> None:
    guest = Guest(modules=True, processor=Processor.AARCH64)
    random = bytes(range(256)) * 1000
    results = run_in_vm(
        guest,
        {"/data/random": random},
        [
            "cp /data/random /results/back",
            "uname -m | post processor",
            "test -c /dev/plafond && test -c /dev/immpc",
        ],
        HUNG_S,
    )
    assert results.status == 0, results.console
    assert results.files == {"back": random, "processor": b"aarch64\n"}


def test_a_guest_that_panics_is_reported_with_its_console() -> None:
    counting = Guest()  # by the host's clock, the kernel's last words may come too late
    with pytest.raises(PlafondError) as reported:
        run_in_vm(counting, {}, ["echo c >/proc/sysrq-trigger"], HUNG_S)
    assert "the guest died: " in str(reported.value)
    assert "Kernel panic" in str(reported.value)
    assert "\n  | " in str(reported.value)


def test_a_module_that_does_not_load_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, order = tmp_path / "plafond.ko", tmp_path / "order"
    bad.write_bytes(b"no module")
    order.write_text("plafond\n")
    monkeypatch.setattr(machine, "built_modules", lambda _: [bad, order])
    with pytest.raises(PlafondError, match=r"module plafond does not load: .*nvalid module format"):
        run_in_vm(Guest(cpus=2, modules=True), {}, ["true"], HUNG_S)


def test_a_guest_that_hangs_is_ended(fake_qemu: Callable[[str], None]) -> None:
    fake_qemu('echo "so far so good" >$console; sleep 60')
    with pytest.raises(PlafondError, match=r"had not finished after 1 s(.|\n)*\| so far so good"):
        run_in_vm(QUICK, {}, ["true"], 1.0)


def test_an_emulator_that_fails_is_reported(fake_qemu: Callable[[str], None]) -> None:
    fake_qemu("echo 'no such machine' >&2; exit 1")
    with pytest.raises(PlafondError, match="QEMU failed: no such machine; its console is empty"):
        run_in_vm(QUICK, {}, ["true"], HUNG_S)


def test_an_emulator_that_fails_without_a_word_is_reported(
    fake_qemu: Callable[[str], None],
) -> None:
    fake_qemu("exit 2")
    with pytest.raises(PlafondError, match="QEMU failed: exit code 2; its console is empty"):
        run_in_vm(QUICK, {}, ["true"], HUNG_S)


def test_a_guest_that_ends_early_is_reported_and_keeps_what_it_sent(
    fake_qemu: Callable[[str], None],
) -> None:
    fake_qemu(f"printf '{SENT}'>$sent; echo bye >$console")
    came: list[Message] = []
    with pytest.raises(PlafondError, match="the guest ended early"):
        run_in_vm(QUICK, {}, ["true"], HUNG_S, came.append)
    assert came == [Message("ready", b""), Message("some", b"whole")]


def test_without_an_emulator_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RefusedError, match="apt install qemu-system-x86"):
        run_in_vm(QUICK, {}, ["true"], HUNG_S)
    other = Guest(processor=Processor.AARCH64)
    with pytest.raises(RefusedError, match="apt install qemu-system-arm"):
        run_in_vm(other, {}, ["true"], HUNG_S)


def script(name: str, *arguments: str | Path, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [SCRIPTS / name, *arguments],
        env={"PATH": "/usr/bin:/bin"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()[-1]


def test_a_kernel_that_there_is_not_is_refused(tmp_path: Path) -> None:
    code, said = script("fetch-kernel", "5.4", tmp_path)
    assert (code, said) == (1, "no such kernel: found 5.4; expected 6.12 or 7.x")
    code, said = script("fetch-kernel", "6.12", tmp_path, "riscv64")
    assert (code, said) == (1, "no such processor: found riscv64; expected x86_64 or aarch64")


def test_without_a_network_one_line_says_so(tmp_path: Path) -> None:
    no_mirror = "http://127.0.0.1:9/debian"
    code, said = script("fetch-kernel", "6.12", tmp_path, PLAFOND_DEBIAN_MIRROR=no_mirror)
    assert code == 1
    assert said.startswith("Debian's archive (")
    assert "cannot be read: Failed to fetch the mirror" in said
    assert not (tmp_path / "release").exists()


def test_without_package_lists_one_line_says_what_to_do(tmp_path: Path) -> None:
    settings = tmp_path / "apt.conf"
    settings.write_text(f'Dir::State::lists "{tmp_path}/lists";\n')
    code, said = script("fetch-kernel", "6.12", tmp_path / "out", APT_CONFIG=str(settings))
    assert code == 1
    assert "run apt-get update, or set PLAFOND_DEBIAN_MIRROR" in said


def test_missing_headers_are_reported(tmp_path: Path) -> None:
    (tmp_path / "release").write_text("9.9-rt\n")
    code, said = script("build-modules", "6.12", tmp_path)
    assert (code, said.startswith("the headers of Linux 9.9-rt are missing")) == (1, True)


def fake_headers(folder: Path, rule: str, compiler: str = "gcc") -> Path:
    """Make the folder that of a kernel whose modules are built by `rule`."""
    headers = folder / "root/usr/src/linux-headers-9.9-rt"
    headers.mkdir(parents=True)
    (headers / ".kernelvariables").write_text(f"CC = $(CROSS_COMPILE){compiler}\n")
    (headers / "Makefile").write_text(f"modules:\n\t@{rule}\n")
    (folder / "release").write_text("9.9-rt\n")
    return folder


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            r"printf 'x\0vermagic=1.2-rt SMP\0' | tee $(M)/plafond.ko >$(M)/immpc_driver.ko",
            "plafond.ko was built for Linux 1.2-rt, but the kernel is 9.9-rt",
        ),
        ("echo 'hook.c:3: error: no hook'; false", "hook.c:3: error: no hook (see "),
    ],
)
def test_modules_that_do_not_build_or_fit_are_reported(
    tmp_path: Path, rule: str, message: str
) -> None:
    code, said = script("build-modules", "6.12", fake_headers(tmp_path, rule))
    assert code == 1
    assert message in said


def test_a_machine_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "dpkg"
    other.write_text("#!/bin/sh\necho arm64\n")
    other.chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    code, said = script("fetch-kernel", "6.12", tmp_path / "out", PATH=path)
    assert (code, said) == (2, "the kernel of the virtual machine is for amd64: found arm64")


@pytest.fixture
def linux(tmp_path: Path) -> Path:
    """Return a folder like the repository's, but without sources."""
    linux = tmp_path / "linux"
    copytree(SCRIPTS, linux / "vm")
    (linux / "module").mkdir()
    (tmp_path / "protocol").mkdir()
    return linux


@pytest.mark.parametrize(
    ("name", "code"), [("a.c", 1), ("Kbuild", 1), (".mypy_cache", 0), ("__pycache__", 0)]
)
def test_only_a_newer_source_is_built(tmp_path: Path, linux: Path, name: str, code: int) -> None:
    headers = fake_headers(tmp_path, "echo error: built; false")
    (headers / "modules").mkdir()
    order = headers / "modules/order"
    order.touch()
    os.utime(order, (0, 0))
    for place in (linux, linux / "module", tmp_path / "protocol"):
        os.utime(place, (0, 0))
    (linux / "module" / name).touch()
    done = subprocess.run([linux / "vm/build-modules", "6.12", headers], check=False)
    assert done.returncode == code


def test_what_a_build_in_place_left_is_not_built_with(tmp_path: Path, linux: Path) -> None:
    headers = fake_headers(tmp_path, "echo error: left $$(cd $(M) && ls -A | tr '\\n' ' '); false")
    for name in ("a.c", "a.o", ".a.o.cmd", "a.mod", "a.mod.c", "a.ko", "modules.order"):
        (linux / "module" / name).touch()
    done = subprocess.run(
        [linux / "vm/build-modules", "6.12", headers], capture_output=True, text=True, check=False
    )
    assert "error: left a.c (see" in done.stderr


@pytest.mark.parametrize(("line", "advice"), [("6.12", "build"), ("7.x", "use --kernel 6.12, or")])
def test_without_a_namespace_the_other_line_is_advised(
    tmp_path: Path, line: str, advice: str
) -> None:
    folder = fake_headers(tmp_path, "true", "gcc-1.2")
    denied = tmp_path / "unshare"
    denied.write_text("#!/bin/sh\nexit 1\n")
    denied.chmod(0o755)
    code, said = script("build-modules", line, folder, PATH=f"{tmp_path}:/usr/bin:/bin")
    assert code == 2
    assert f"which is denied here: {advice} " in said


def test_a_kernel_is_fetched_once() -> None:
    folder = build_folder() / "vm" / "6.12"
    no_mirror = "http://127.0.0.1:9/debian"
    done = subprocess.run(
        [SCRIPTS / "fetch-kernel", "6.12", folder],
        env={"PATH": "/usr/bin:/bin", "PLAFOND_DEBIAN_MIRROR": no_mirror},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert {driver.stem for driver in (folder / "drivers").iterdir()} == set(DRIVERS)


def test_a_kernel_without_drivers_is_fetched_again_and_kept_until_then(tmp_path: Path) -> None:
    (tmp_path / "release").write_text("9.9-rt\n")
    no_mirror = "http://127.0.0.1:9/debian"
    code, said = script("fetch-kernel", "6.12", tmp_path, PLAFOND_DEBIAN_MIRROR=no_mirror)
    assert (code, "cannot be read" in said) == (1, True)
    assert (tmp_path / "release").read_text() == "9.9-rt\n"


# Debian's archive with one kernel: fakes of apt and dpkg. All packages are the file $TAR.
ARCHIVE = {
    "dpkg": "echo amd64",
    "apt-cache": """\
case $2 in
linux-headers-rt-amd64*) printf 'Version: 6.12.9-1\nDepends: linux-headers-6.12.9-rt\n' ;;
esac""",
    "apt-get": "if [ $1 = download ]; then shift 2; for each; do touch $each.deb; done; fi",
    "dpkg-deb": "if [ $1 = --fsys-tarfile ]; then cat $TAR; else mkdir -p $3; fi",
}
DRIVERS = ["virtio_blk", "failover", "net_failover", "virtio_net"]


@pytest.mark.parametrize("missing", [None, *DRIVERS])
def test_a_package_without_one_of_the_drivers_is_reported_by_its_name(
    tmp_path: Path, missing: str | None
) -> None:
    for name, text in ARCHIVE.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    package, modules = tmp_path / "package", "usr/lib/modules/6.12.9-rt/kernel/drivers"
    (package / modules).mkdir(parents=True)
    (package / "boot").mkdir()
    (package / "boot/vmlinuz-6.12.9-rt").write_text("a kernel")
    for driver in DRIVERS:
        if driver != missing:
            compressed = lzma.compress(driver.encode())
            (package / modules / f"{driver}.ko.xz").write_bytes(compressed)
    subprocess.run(["tar", "-C", package, "-cf", tmp_path / "tar", "."], check=True)

    done = subprocess.run(
        [SCRIPTS / "fetch-kernel", "6.12", tmp_path / "out"],
        env={
            "PATH": f"{tmp_path}:/usr/bin:/bin",
            "PLAFOND_DEBIAN_MIRROR": "http://127.0.0.1:9/debian",
            "TAR": str(tmp_path / "tar"),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    if missing is None:
        assert done.returncode == 0, done.stderr
        drivers = {file.name: file.read_text() for file in (tmp_path / "out/drivers").iterdir()}
        assert drivers == {f"{driver}.ko": driver for driver in DRIVERS}
    else:
        assert done.returncode == 1
        said = f"linux-image-6.12.9-rt.deb holds no module {missing} for Linux 6.12.9-rt"
        assert done.stderr.splitlines()[-1] == said
        assert not (tmp_path / "out/release").exists()


def test_the_file_system_is_the_same_each_time() -> None:
    files = {"/b/c": file_entry(b"c", False), "/a": file_entry(b"aa", True)}
    packed = pack(files)
    assert packed == pack(dict(reversed(files.items())))
    listed = subprocess.run(
        ["busybox", "cpio", "-tv"], input=packed, capture_output=True, check=True
    )
    assert [line.split()[0] + line.split()[-1] for line in listed.stdout.decode().splitlines()] == [
        "-rwxr-xr-xa",
        "drwxr-xr-xb",
        "-rw-r--r--b/c",
    ]


def test_messages_are_read_once_they_are_whole(tmp_path: Path) -> None:
    file = tmp_path / "sent"
    mailbox = Mailbox(file)
    assert mailbox.collect() == []
    file.write_bytes(b"one 3\n1\n1two 2")
    assert mailbox.collect() == [Message("one", b"1\n1")]
    file.write_bytes(file.read_bytes() + b"\n2")
    assert mailbox.collect() == []
    file.write_bytes(file.read_bytes() + b"2three 0\n")
    assert mailbox.collect() == [Message("two", b"22"), Message("three", b"")]
