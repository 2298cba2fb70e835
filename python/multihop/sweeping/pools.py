"""Who does the batches of a sweep: threads of this process, or the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from .._multihop import Cancel
from ..engine.errors import EngineError, MissingExtraError, OutputError
from ..engine.interrupts import held_interrupts
from ..results.result import first_line
from .batches import Batch, Product, check_engines, engine, perform

if TYPE_CHECKING:
    from distributed import Client

# How long a scheduler may take to answer, how often it is asked for its workers, and how long it
# may be without any.
CONNECT_S = 10
LOOK_S = 2
ALONE_S = 60


class Pool:
    """Threads of this process; the engine runs without the interpreter lock."""

    def __init__(
        self, executor: Executor, workers: int, check_interrupts: Callable[[], None]
    ) -> None:
        self.executor = executor
        self.check_interrupts = check_interrupts
        self.cancel = Cancel()
        self.workers = workers
        # What stands in a claim, for `status`.
        self.where = "threads"

    @property
    def slots(self) -> int:
        """How many batches may be under way: a worker that has done one finds another."""
        return 2 * self.workers

    def submit(self, batch: Batch) -> Future[Product]:
        """Begin with a batch."""
        return self.executor.submit(perform, batch, self.cancel)

    def stop(self) -> None:
        """End every batch after what it has finished; the products hold that."""
        self.cancel.cancel()

    def lost(self, error: BaseException) -> bool:
        """Whether a batch failed because its worker died."""
        return False

    def explain(self, error: BaseException) -> BaseException:
        """Return what the user is told of an error that is no run's."""
        return error

    def check(self) -> None:
        """Raise what keeps the work from going on, if anything does: Ctrl-C does."""
        self.check_interrupts()


class Cluster(Pool):
    """The workers of a Dask cluster; Dask gives a batch of a dead worker to another one."""

    def __init__(self, client: Client, address: str, check_interrupts: Callable[[], None]) -> None:
        super().__init__(client.get_executor(pure=False), 0, check_interrupts)
        self.client = client
        self.where = address
        self.alone_since: float | None = None
        self.looked = -math.inf
        self.check()

    def check(self) -> None:
        """Count the workers' threads; refuse to wait for ever where there are none."""
        super().check()
        now = time.monotonic()
        if now - self.looked < LOOK_S:
            return
        self.looked = now
        self.workers = sum(self.client.nthreads().values())
        if self.workers:
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now
        elif now - self.alone_since > ALONE_S:
            raise OutputError(
                f"{self.where} has had no worker for {ALONE_S} s; start some, as in `dask worker "
                f"{self.where}`, and give the same command again"
            )

    def submit(self, batch: Batch) -> Future[Product]:
        """Give a batch to the scheduler."""
        return self.executor.submit(perform, batch)

    def stop(self) -> None:
        """Give no more batches to workers; what they are at is lost."""
        self.executor.shutdown(wait=False)

    def lost(self, error: BaseException) -> bool:
        """Whether Dask gave up because worker after worker died at this batch."""
        from distributed import KilledWorker

        return isinstance(error, KilledWorker)

    def explain(self, error: BaseException) -> BaseException:
        """Say what a broken connection means."""
        if isinstance(error, EngineError):
            return error
        return OutputError(
            f"{self.where} does not do the runs any more: {type(error).__name__}: {error}; what "
            "was finished is kept, give the same command again"
        )


@contextlib.contextmanager
def pool(workers: int | None, on: str | None) -> Iterator[Pool]:
    """Open the pool that a sweep asks for: so many threads, or the cluster of a scheduler."""
    if on is None:
        count = workers or os.cpu_count() or 1
        with held_interrupts() as check_interrupts, ThreadPoolExecutor(count) as executor:
            yield Pool(executor, count, check_interrupts)
        return
    with _client(on) as client:
        found: dict[str, Any] = client.run(engine, on_error="return")
        if missing := next((w for w, name in found.items() if not isinstance(name, str)), None):
            raise EngineError(
                f"worker {missing} has no multihop ({found[missing]}); install the same wheel there"
            )
        check_engines(found)
        with held_interrupts() as check_interrupts:
            yield Cluster(client, on, check_interrupts)


def _client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError(
            "--on needs Dask, which is not installed: pip install 'multihop[dask]'"
        ) from None
    try:
        # In a thread, because notebooks have a loop in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(_reach(address))).result()
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise OutputError(
            f"cannot reach a Dask scheduler at '{address}': {first_line(error)}; start one with "
            "`dask scheduler` and give its address, as in tcp://host:8786"
        ) from error


async def _reach(address: str) -> None:
    """Connect once: a client that cannot prints a traceback of its own when it is thrown away."""
    from distributed import Security
    from distributed.comm.core import connect

    given = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECT_S, **given)
    await comm.close()
