#!/usr/bin/env python3
"""Gives system services a latency target on the disks that swap is on.

Sets one thing, until the next boot: io.latency of system.slice, 75 ms for each disk in use as swap. When the services'
reads and writes take longer than that, the kernel holds back the other cgroups on the disk, whose swapping is the cause.
"""

import os
import pathlib

IO_LATENCY = pathlib.Path("/sys/fs/cgroup/system.slice/io.latency")
TARGET_MICROSECONDS = 75000


def swap_paths():
    lines = pathlib.Path("/proc/swaps").read_text().splitlines()[1:]
    return [line.split()[0] for line in lines if not line.startswith("/dev/zram")]


def disk_of(path):
    """The disk, as "major:minor", on which a partition or a file lies; None where it has no disk of its own."""
    status = os.stat(path)
    number = status.st_rdev if path.startswith("/dev/") else status.st_dev
    device = pathlib.Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not device.exists():
        return None
    device = device.resolve()
    if (device / "partition").exists():
        device = device.parent
    return (device / "dev").read_text().strip()


def main():
    if not IO_LATENCY.exists():
        print("this kernel has no io.latency for system.slice: nothing to set")
        return
    disks = sorted({disk for disk in map(disk_of, swap_paths()) if disk})
    for disk in disks:
        IO_LATENCY.write_text(f"{disk} target={TARGET_MICROSECONDS}\n")
        print(f"system.slice io.latency on {disk}: {TARGET_MICROSECONDS} us")
    if not disks:
        print("no swap is on a disk: nothing to set")


if __name__ == "__main__":
    main()
