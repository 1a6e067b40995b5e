# SPDX-License-Identifier: MIT
# The waits that carry the wake hook. They need -fexceptions: a thread that is cancelled in one of
# them unwinds through it.
set(plf_waits_sources
    waits/disk.c waits/file_lock.c waits/futex.c waits/io.c waits/ipc.c waits/locks.c
    waits/own_syscall.c waits/poll.c waits/process.c waits/semaphore.c waits/signal.c waits/sleep.c
    waits/socket.c waits/threads.c)

# This library's own system calls are not the ones that it interposes.
set(plf_waits_link -Wl,--wrap=syscall,--wrap=ioctl,--wrap=fcntl)
