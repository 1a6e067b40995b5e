# SPDX-License-Identifier: MIT
"""The driver of a disk, virtio-blk.

QEMU's main loop ends the reads of its disk, in the host's time, so runs differ.
"""

from plafond.bench.irqs.device import Reservation
from plafond.bench.irqs.drivers import Driver
from plafond.bench.irqs.guest import Setting
from plafond.vm.guest import Guest

MS = 1_000_000
DISK = Driver(
    name="disk",
    setting=Setting(
        Guest(disk=True),
        ["virtio_blk"],
        "virtio0-req.0",
        ["disk", "plafond-record", "plafond-reserve"],
    ),
    command=f"disk /dev/vda {200 * MS}",
    reservations=[Reservation(share * MS // 10, 10 * MS) for share in (5, 10, 15, 20, 30)],
    recorded=Reservation(MS, 10 * MS),
)
