#!/usr/bin/env python3
"""Write a copy of Debian's ns-2 2.35 for x86-64 whose backoff forgets no slot.

    python3 whole_slots.py FOLDER
    PATH="$PWD/FOLDER:$PATH" python3 run_drawn.py -o mine --first 1001 --count 120 --seeds 6

When the medium becomes busy, `BackoffTimer::pause` (mac/mac-timers.cc) divides floating-point times
and cuts off: where exactly so many slots have passed, it often counts one fewer. The copy adds a
millionth of a slot before it cuts off. That takes two instructions more than there is room for,
which stand behind the end of the code.
"""

from __future__ import annotations

import argparse
import shutil
import struct
import sys
from pathlib import Path

import batch

# divsd %xmm2,%xmm0; cvttsd2si %xmm0,%eax: slots = int(sr / mst)
DIVIDE, CUT_OFF = bytes.fromhex("f20f5ec2"), bytes.fromhex("f20f2cc0")
# movsd 0x48(%rdi),%xmm0 follows: rtime
RTIME = bytes.fromhex("f20f104748")
ADD, CALL, RETURN, NOTHING = bytes.fromhex("f20f5805"), b"\xe8", b"\xc3", b"\x90"
A_LITTLE = 1e-6
LOADED, EXECUTABLE = 1, 1


def code_ends(program: bytes) -> tuple[int, int]:
    """Return where the code of an ELF program ends in its file, and where the next part begins."""
    (headers,) = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    parts = [struct.unpack_from("<IIQQQQ", program, headers + size * i) for i in range(count)]
    loaded = [part for part in parts if part[0] == LOADED]
    end = next(part[2] + part[5] for part in loaded if part[1] & EXECUTABLE)
    return end, min(part[2] for part in loaded if part[2] >= end)


def patched(program: bytes) -> bytes:
    """Return the program, with the slots that it counts counted whole."""
    cut = DIVIDE + CUT_OFF
    if program.count(cut + RTIME) != 1:
        raise ValueError("it does not pause its backoff as Debian's ns-2 2.35 for x86-64 does")
    place = program.index(cut + RTIME)
    end, limit = code_ends(program)
    # Of `added`, what follows the number's place in ADD stands between it and the number.
    after = CUT_OFF + RETURN
    added = DIVIDE + ADD + struct.pack("<i", len(after)) + after + struct.pack("<d", A_LITTLE)
    if end + len(added) > limit or any(program[end : end + len(added)]):
        raise ValueError("there is no room behind its code")
    call = CALL + struct.pack("<i", end - place - len(CALL) - 4)
    copy = bytearray(program)
    copy[place : place + len(cut)] = call.ljust(len(cut), NOTHING)
    copy[end : end + len(added)] = added
    return bytes(copy)


def main() -> int:
    """Parse the arguments and write the copy."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where to write it, as ns")
    folder = parser.parse_args().folder
    ns = shutil.which("ns")
    if ns is None:
        print(batch.NO_NS, file=sys.stderr)
        return 3
    try:
        copy = patched(Path(ns).read_bytes())
    except ValueError as error:
        print(f"{ns}: {error}", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ns").write_bytes(copy)
    (folder / "ns").chmod(0o755)
    print(folder.resolve() / "ns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
