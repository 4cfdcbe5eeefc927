#!/usr/bin/env python3
"""Widens the gap between the kernel's memory watermarks on a node that has swap.

Sets one thing, until the next boot: vm.watermark_scale_factor, so that kswapd begins to reclaim about 1 GiB before
memory runs out. Never below the kernel's default of 0.1 % nor above 10 % of the node's memory.
"""

import pathlib

PROC = pathlib.Path("/proc")
SCALE_FACTOR = PROC / "sys/vm/watermark_scale_factor"
GAP_KIB = 1024 * 1024
LOWEST, HIGHEST = 10, 1000  # in units of 0.01 % of memory


def total_kib():
    for line in (PROC / "meminfo").read_text().splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1])
    raise SystemExit("no MemTotal in /proc/meminfo")


def has_swap():
    return len((PROC / "swaps").read_text().splitlines()) > 1


def main():
    if not has_swap():
        print("no swap is on: the watermarks stay as they are")
        return
    factor = max(LOWEST, min(HIGHEST, GAP_KIB * 10000 // total_kib()))
    before = int(SCALE_FACTOR.read_text())
    if before >= factor:
        print(f"vm.watermark_scale_factor is {before} already")
        return
    SCALE_FACTOR.write_text(f"{factor}\n")
    print(f"vm.watermark_scale_factor: {before} -> {factor}")


if __name__ == "__main__":
    main()
