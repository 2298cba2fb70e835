#!/usr/bin/env python3
"""A cluster of two Dask workers on this machine does a sweep, and loses one in the middle.

The tables must be those of a serial run, byte for byte. Exits with 1 if they are not. The test has
a short sweep; figure 8 of CXCC in full, with 50 seeds at every load, is

    benches/cluster.py --sweep examples/sweeps/cxcc-fig8-full.toml
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from multihop import Sweep
from multihop.cli.app import settings_of
from multihop.sweeping.sweeps import Means

SWEEP = Path(__file__).resolve().parent.parent / "examples" / "sweeps" / "cxcc-fig8.toml"
START_S = 60
# As the guide says: without what Dask measures of itself.
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}
# A worker dies when so much is done.
SHARE = 0.2


def start(kind: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a scheduler or a worker, as a user would."""
    module = f"distributed.cli.dask_{kind}"
    quiet = ["--no-dashboard"]
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments, *quiet],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | QUIET,
    )


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler and two workers of one thread each; yield its address and all three."""
    about = folder / "scheduler.json"
    processes = [start("scheduler", "--port", "0", "--scheduler-file", str(about))]
    try:
        deadline = time.monotonic() + START_S
        address = ""
        while not address:
            if time.monotonic() > deadline:
                raise SystemExit("the scheduler does not start")
            time.sleep(0.1)
            with contextlib.suppress(OSError, ValueError):
                address = json.loads(about.read_text())["address"]
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        processes += [start("worker", address, *options) for _ in range(2)]
        _await_workers(address)
        yield address, processes
    finally:
        # They have nothing to lose, and a worker without its scheduler waits for it.
        for process in processes:
            process.kill()
            process.wait()


def _await_workers(address: str) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=START_S)


def kill_in_the_middle(worker: subprocess.Popen[bytes], out: Path, runs: int) -> threading.Thread:
    """Kill a worker with SIGKILL once a share of the runs is there."""
    from multihop.sweeping.store import Store

    def watch() -> None:
        while worker.poll() is None:
            time.sleep(0.05)
            with contextlib.suppress(OSError):
                store = Store(out)
                store.refresh()
                if sum(len(part.runs) for part in store.parts.values()) >= SHARE * runs:
                    worker.send_signal(signal.SIGKILL)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def demo(sweep: Sweep, folder: Path, *, progress: bool) -> dict[str, object]:
    """Do the sweep serially and on the cluster, and compare the tables."""
    serial, spread = folder / "serial", folder / "cluster"
    runs = sweep.run(serial, Means(workers=1, progress=progress)).runs
    with cluster(folder) as (address, (_, victim, _)):
        watching = kill_in_the_middle(victim, spread, runs)
        done = sweep.run(spread, Means(on=address, progress=progress))
        watching.join(1)
        killed = victim.poll() == -signal.SIGKILL
    names = sorted(path.name for path in serial.glob("*.parquet"))
    alike = all((serial / name).read_bytes() == (spread / name).read_bytes() for name in names)
    return {
        "runs": runs,
        "missing": done.missing,
        "tables": names,
        "worker_killed": killed,
        "byte_identical": alike,
    }


def main() -> int:
    """Parse the arguments, run, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--sweep", type=Path, default=SWEEP, help="sweep file (figure 8, short)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="as for `multihop sweep`"
    )
    args = parser.parse_args()
    sweep = Sweep.from_file(args.sweep).set(settings_of(args.set), "--set")
    with tempfile.TemporaryDirectory() as folder:
        found = demo(sweep, Path(folder), progress=not args.json)
    if args.json:
        print(json.dumps(found))
    else:
        print(
            f"{found['runs']} runs on two workers, one of them "
            f"{'killed in the middle' if found['worker_killed'] else 'NOT killed in time'}: the "
            f"tables are {'byte-identical to' if found['byte_identical'] else 'NOT'} those of a "
            "serial run"
        )
    return 0 if found["byte_identical"] and found["worker_killed"] else 1


if __name__ == "__main__":
    sys.exit(main())
