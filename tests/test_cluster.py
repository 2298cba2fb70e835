"""Sweeps on a Dask cluster: a worker that dies costs its runs only; engines must be alike."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from multihop import EngineError, MissingExtraError, OutputError, Scenario, sweep
from multihop.sweeping.batches import Batch, Job, Product, check_engines, engine, perform
from multihop.sweeping.pools import Pool, _client
from multihop.sweeping.store import Store, run_name
from multihop.sweeping.work import ALONE, Worker
from tests.conftest import Cli
from tests.sweeping import stored

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.long
def test_a_killed_worker_changes_nothing() -> None:
    pytest.importorskip("distributed", reason="needs the extra `dask`")
    short = ("--set", "duration=300 ms")
    done = subprocess.run(
        [sys.executable, str(ROOT / "benches" / "cluster.py"), "--json", *short],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["runs"] == 2400
    assert found["worker_killed"]
    assert found["byte_identical"]
    assert "runs.parquet" in found["tables"]


def test_a_scheduler_that_does_not_answer_is_named(base: Scenario, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra `dask`")
    with pytest.raises(OutputError, match="cannot reach a Dask scheduler at 'nonsense://'"):
        sweep(base, {"seed": [1]}, tmp_path, on="nonsense://", progress=False)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'multihop\[dask\]'"):
        _client("tcp://127.0.0.1:1")


def test_other_engines_are_refused() -> None:
    check_engines({"tcp://one": engine()})
    with pytest.raises(EngineError, match="worker tcp://two: the engine is other there"):
        check_engines({"tcp://one": engine(), "tcp://two": "other"})
    with pytest.raises(EngineError, match="install the same wheel on both"):
        perform(Batch((), "other"))


class Dying(Pool):
    """Workers that die at some runs: every batch that has one of them is lost."""

    def __init__(self, deadly: set[str]) -> None:
        from concurrent.futures import ThreadPoolExecutor

        super().__init__(ThreadPoolExecutor(1), 1, lambda: None)
        self.deadly = deadly

    def submit(self, batch: Batch) -> object:
        return self.executor.submit(self._do, batch)

    def _do(self, batch: Batch) -> Product:
        if self.deadly.intersection(job.run for job in batch.jobs):
            raise ChildProcessError
        return perform(batch)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, ChildProcessError)


def test_a_run_that_kills_its_workers_costs_no_other(base: Scenario, tmp_path: Path) -> None:
    scenarios = [base.with_(seed=seed).json for seed in range(30)]
    jobs = {run_name(text): Job(run_name(text), text, ("runs",)) for text in scenarios}
    deadly = list(jobs)[20]
    store = Store.make(tmp_path)
    worker = Worker(store, jobs, Dying({deadly}))
    worker.do(lambda done: None)
    assert worker.failed == {deadly: ALONE}
    assert sorted(stored(tmp_path)) == sorted(jobs.keys() - {deadly})
    assert store.failures()[deadly]["error"] == ALONE


@pytest.mark.parametrize("address", ["host", "tcp://host:x"])
def test_what_is_no_address_is_one_line(cli: Cli, tiny: Path, address: str) -> None:
    pytest.importorskip("distributed", reason="needs the extra `dask`")
    done = cli("sweep", tiny, "--out", "out", "--on", address)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: cannot reach a Dask scheduler at '{address}': ")
    assert done.stderr.count("\n") == 1


def test_what_dask_writes_of_its_own_is_not_shown(tiny: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra `dask`")
    command = ["sweep", tiny, "--out", tiny.parent / "out", "--on", "ucx://h:1"]
    done = subprocess.run(
        [sys.executable, "-m", "multihop", *map(str, command)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot reach a Dask scheduler at 'ucx://h:1': ")
    assert done.stderr.count("\n") == 1
