"""Doing what a sweep lacks: claim a batch, have it done, keep what became of it.

Any number of processes do this side by side with one store, and share the work; what one leaves
when it is killed, the others do.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping, MutableMapping
from concurrent.futures import FIRST_COMPLETED, Future, wait

from ..running.runner import POLL_S
from .batches import Job, Product
from .claims import Claim
from .pools import Pool
from .store import Store

# A batch takes this share of the time that the sweep has taken so far, within bounds: so much is
# lost at most when the power goes, and so seldom is anything written.
SHARE = 0.05
SHORTEST_S = 2.0
LONGEST_S = 60.0
# The last batches are smaller, that the workers end together, but not below this share of a batch.
LEAST = 0.2
# How long a batch may take to stop.
STOP_S = 10
ALONE = "the worker that ran it died, each time on another try"


class Pace:
    """How many runs a batch should have, from how long they took so far."""

    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.seconds = 0.0
        self.runs = 0
        self.last = 0.0

    def note(self, product: Product) -> None:
        """Learn from a batch."""
        count = len(product.runs) + len(product.failed)
        if count:
            self.seconds += product.seconds
            self.runs += count
            self.last = product.seconds / count

    def size(self, pending: int, slots: int) -> int:
        """Return how many runs to take, of so many that are left for all."""
        if not self.runs:
            return 1
        each = max(self.seconds / self.runs, self.last, 1e-6)
        length = min(max((time.monotonic() - self.begin) * SHARE, SHORTEST_S), LONGEST_S)
        fair = max(math.ceil(pending / (2 * slots)), math.floor(LEAST * length / each))
        return max(1, min(math.floor(length / each), fair))


class Worker:
    """The work of one call: what is still to be done, and what is under way."""

    def __init__(self, store: Store, jobs: Mapping[str, Job], pool: Pool) -> None:
        self.store = store
        self.pool = pool
        self.count = len(jobs)
        self.pending: MutableMapping[str, Job] = dict(jobs)
        self.flying: dict[Future[Product], Claim] = {}
        self.pace = Pace()
        # Runs whose batch killed its worker: they are tried one by one.
        self.alone: dict[str, Job] = {}
        self.failed: dict[str, str] = {}

    def do(self, show: Callable[[int], None]) -> None:
        """Do all; Ctrl-C and errors stop it, and what is finished by then is kept."""
        try:
            while self.pending or self.flying or self.alone:
                self._claim()
                if self.flying:
                    done, _ = wait(self.flying, POLL_S, FIRST_COMPLETED)
                    for future in done:
                        self._keep(future)
                elif self.pending or self.alone:  # others are at the rest
                    time.sleep(POLL_S)
                self.pool.check()
                flying = sum(len(claim.batch.jobs) for claim in self.flying.values())
                show(self.count - len(self.pending) - len(self.alone) - flying)
        except BaseException:
            self._abandon()
            raise

    def _claim(self) -> None:
        """Take batches while there is room for them."""
        slots = self.pool.slots
        while len(self.flying) < slots:
            queue, size = self.pending, self.pace.size(len(self.pending), slots)
            if not queue:
                queue, size = self.alone, 1
            claim = queue and self.store.claim(queue, size, self.pool.workers, self.pool.where)
            if not claim:
                return
            self.flying[self.pool.submit(claim.batch)] = claim

    def _keep(self, future: Future[Product]) -> None:
        claim = self.flying[future]
        error = future.exception()
        if error is None:
            product = future.result()
        elif self.pool.lost(error):
            if len(claim.batch.jobs) > 1:
                self.alone |= {job.run: job for job in claim.batch.jobs}
                self.flying.pop(future)
                claim.release()
                return
            product = Product({}, (), 0.0, {claim.batch.jobs[0].run: ALONE})
        else:
            raise self.pool.explain(error)
        self.pace.note(product)
        self.failed |= product.failed
        self.store.commit(claim, product)
        self.flying.pop(future)

    def _abandon(self) -> None:
        """Stop what is under way, keep what it has finished, and let others have the rest."""
        self.pool.stop()
        while self.flying:
            future, claim = self.flying.popitem()
            # The first error is the one that is told.
            with contextlib.suppress(Exception):
                if future.exception(STOP_S) is None:
                    self.store.commit(claim, future.result())
            claim.release()
