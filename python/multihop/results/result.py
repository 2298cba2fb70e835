"""Results: the tables of a run as Polars data frames, and their way to disk."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from ..engine.errors import OutputError
from .columns import COLUMNS, VOCABULARY
from .messages import grouped

if TYPE_CHECKING:
    from ..charting.stored import Plot
    from ..scenario.form import Scenario

# What there is too little room for: of the disk, of a quota, of the size that a file may have.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Result:
    """The tables of one run, or of many runs below each other.

    The columns and their units stand in `multihop.results.columns.COLUMNS`.
    """

    tables: dict[str, pl.DataFrame]

    @classmethod
    def from_columns(cls, tables: Mapping[str, Mapping[str, Any]]) -> Result:
        """Make the tables of a result from the engine's columns."""
        return cls({name: pl.DataFrame(dict(columns)) for name, columns in tables.items()})

    @property
    def runs(self) -> pl.DataFrame:
        """One row a run: goodput, both delays, overhead, fingerprint."""
        return self.tables["runs"]

    @property
    def flows(self) -> pl.DataFrame:
        """One row a flow: goodput, both delays, and its packets by outcome."""
        return self.tables["flows"]

    @property
    def nodes(self) -> pl.DataFrame:
        """One row a node: air time, frames, losses, counters of its MAC."""
        return self.tables["nodes"]

    @property
    def series(self) -> pl.DataFrame:
        """Deliveries and windows over time, for every flow."""
        return self.tables["series"]

    @property
    def congestion(self) -> pl.DataFrame:
        """The time that the congestion potential of every node had each value; only if measured."""
        if "congestion" not in self.tables:
            raise KeyError("not measured: set congestion_potential = true in [measure]")
        return self.tables["congestion"]

    @property
    def messages(self) -> pl.DataFrame:
        """One row a packet for everyone or a group: nodes reached, times, hops, frames."""
        if "messages" not in self.tables:
            raise KeyError('no flow is for several nodes: see `to = "everyone"` in [[flow]]')
        return self.tables["messages"]

    def messages_by(self, what: str) -> pl.DataFrame:
        """Return what became of messages by `kind`, by `hour`, or by the `node` that sent them.

        Only those that were sent while measuring; of the results of one run.

        >>> run("meshtastic.toml").messages_by("hour")
        """
        _ = self.messages
        if self.runs.height != 1:
            raise ValueError(f"these are {self.runs.height} runs; take one of them")
        return grouped(self.tables, what)

    @property
    def positions(self) -> pl.DataFrame:
        """The position of every node in m when its movement begins or ends; only if any moves."""
        if "positions" not in self.tables:
            raise KeyError("no node moves: see [mobility] and [[move]]")
        return self.tables["positions"]

    @property
    def events(self) -> pl.DataFrame:
        """All events of a run in order of time; only of `run(..., events=True)`."""
        if "events" not in self.tables:
            raise KeyError("this run kept none: run it with events=True")
        return self.tables["events"]

    def plot(
        self,
        x: str,
        y: str,
        *,
        by: str | Iterable[str] = (),
        facet: str | None = None,
        statistic: str = "mean",
        table: str = "runs",
        where: Mapping[str, Any] | None = None,
        log: str | Iterable[str] = (),
        style: str = "paper",
    ) -> Plot:
        """Draw a column over another, with 95 % confidence intervals over the seeds.

        A line for each value of `by`, a panel for each of `facet`; `log` names axes. Columns have
        whole or short names. A notebook shows the returned plot.

        >>> sweep(base, loads, "out").plot("load", "goodput", by="scheme").save("goodput.pdf")
        """
        # Drawing takes a while to load.
        from ..charting.chart import Wanted
        from ..charting.stored import names, plot

        wanted = Wanted(x, y, names(by), facet, statistic, table, where or {}, names(log))
        return plot(self, wanted, style)

    def __repr__(self) -> str:
        sizes = (f"{name} ({table.height} rows)" for name, table in self.tables.items())
        return f"<Result: {', '.join(sizes)}>"

    def _repr_html_(self) -> str:
        # What a notebook asks for; nobody else loads it.
        from ..charting.result_html import html

        return html(self)

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return the tables of a result as lists of rows."""
        return {name: table.to_dicts() for name, table in self.tables.items()}

    def write(self, folder: str | Path) -> list[Path]:
        """Write each table of a result as a Parquet file into `folder`, and return the paths.

        A file appears whole or not at all.
        """
        folder = make_folder(folder)
        paths = []
        for name, table in self.tables.items():
            paths.append(folder / f"{name}.parquet")
            with replacing(paths[-1]) as temporary:
                write_table(name, table, temporary)
        return paths


def write_table(name: str, table: pl.DataFrame, file: Path | IO[bytes]) -> None:
    """Write a table as a Parquet file, with the meaning of its columns beside them.

    Equal tables become equal bytes, whatever they were put together from.
    """
    about = {"multihop.columns": _dictionary(name, tuple(table.columns))}
    table.rechunk().write_parquet(file, metadata=about)


@cache
def _dictionary(name: str, columns: tuple[str, ...]) -> str:
    known = COLUMNS.get(name, {})
    there = (column for column in columns if column in known)
    return json.dumps({column: known[column].said() for column in there})


def in_words(table: pl.DataFrame) -> pl.DataFrame:
    """Write as text what a sweep has varied as tables or lists, so that it can be told apart."""
    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    return table.with_columns(
        pl.Series(name, [None if v is None else word(v) for v in table[name].to_list()], pl.String)
        for name in nested
    )


def word(value: Any) -> str:
    """Write a value, without the keys of a table that it does not have."""
    return json.dumps(_given(value)) if isinstance(value, dict | list) else str(value)


def _given(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _given(inner) for key, inner in value.items() if inner is not None}
    return [_given(inner) for inner in value] if isinstance(value, list) else value


def make_folder(folder: str | Path, option: str = "--out") -> Path:
    """Make a folder for results, or say which one cannot be written to and what to do."""
    folder = Path(folder)
    with explained(folder, option):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def replacing(path: Path, option: str = "--out") -> Iterator[Path]:
    """Give a temporary file beside `path` that becomes it at the end.

    A place that cannot be written to is refused at the beginning.
    """
    with explained(path.parent, option):
        target = _file(path, option)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            temporary.touch()
            yield temporary
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


# What a folder holds, by the file that says so; of several, the first.
HOLDINGS = {
    "store.json": "the results of a sweep",
    "run.json": "a trace",
    "runs.parquet": "the tables of a run",
}


def refuse_other_results(folder: Path, own: str) -> None:
    """Refuse a folder with results that new ones would replace in part; `own` are alike."""
    found = next((name for name in HOLDINGS if os.path.exists(folder / name)), own)
    if found != own:
        raise OutputError(
            f"'{folder}' holds {HOLDINGS[found]}, whose tables would be replaced; name another "
            "folder with --out"
        )


def check_file(path: Path, option: str = "--out") -> None:
    """Refuse, before anything is run for it, a file that cannot be written; leave what is there."""
    with explained(path.parent, option):
        target = _file(path, option)
        with tempfile.TemporaryFile(dir=target.parent):
            pass


def _file(path: Path, option: str) -> Path:
    """Return the file that a path means, behind links; refuse folders, devices and pipes."""
    if path.is_dir():
        raise OutputError(f"cannot write to '{path}': it is a folder; name a file with {option}")
    if path.exists() and not path.is_file():
        raise OutputError(f"cannot write to '{path}': it is no file; name one with {option}")
    return Path(os.path.realpath(path))


@contextlib.contextmanager
def explained(folder: Path, option: str = "--out") -> Iterator[None]:
    """Name the folder and a remedy where results cannot be written; `option` names the folder."""
    try:
        yield
    except (OSError, pl.exceptions.ComputeError) as error:
        number = _error_number(error)
        if number is None:
            raise
        remedy = (
            f"make room there, or name another folder with {option}, and give the same "
            "command again"
            if number in NO_ROOM
            else f"name another folder with {option}, or make this one writable"
        )
        raise OutputError(f"cannot write to '{folder}': {os.strerror(number)}; {remedy}") from error


def first_line(error: Exception) -> str:
    """Return what an error says; behind that, Polars may explain its query."""
    return str(error).partition("\n")[0]


def _error_number(error: Exception) -> int | None:
    """Return the system's error number; Polars and the engine have it in their texts only."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    found = re.search(r"\(os error (\d+)\)", str(error))
    return int(found[1]) if found else None


# The fate of most packets of a flow that delivered none, and a remedy where one is known.
NO_ROUTE = "no route to its destination was found"
# The remedy where distances decide which nodes hear each other, and where links or wires do.
CLOSER = "move the nodes closer together or raise {range}"
LISTED = "list [[link]] that lead there, in both directions"
CAUSES = {name: f"lost: {about}" for name, about in VOCABULARY["drop_causes"].items()} | {
    "without_route": NO_ROUTE,
    "lost_no_route": NO_ROUTE,
    "lost_route_broken": "the route broke before they could go; the nodes move apart, or the "
    "medium is so busy that routing takes links for broken",
    "lost_route_buffer_full": NO_ROUTE,
    "lost_retries_spent": "the MAC dropped packets after all attempts; the next node is out of "
    "reach, or other frames destroy its frames: lower the load or the distance",
    "lost_queue_full": "the queue was full; the network carries less than is offered: lower "
    "traffic.load",
    "lost_source_buffer_full": "rejected at the source, whose buffer was full: the network "
    "carries nothing, or less than is offered: lower traffic.load",
    "lost_ttl_expired": "the time to live ran out; the route is too long, or a loop",
    "control_lost": "acknowledgments or requests for a connection were dropped on their way",
    "run_inside": "still under way; the run may be too short: raise duration, or start earlier",
}


def unreached(result: Result, scenario: Scenario) -> list[str]:
    """Return a sentence for every flow that delivered nothing while measuring, with the cause."""
    remedy = _remedy(scenario.to_dict())
    tried = pl.sum_horizontal("offered", "run_offered", "control_lost", "without_route") > 0
    measured = (pl.col("offered") > 0) | (pl.col("run_delivered") == 0)
    silent = result.flows.filter((pl.col("delivered") == 0) & tried & measured)
    return [
        f"'{row['name']}' delivered nothing: {_cause(row, remedy)}" for row in silent.to_dicts()
    ]


def _remedy(tables: Mapping[str, Any]) -> str:
    """Say what may help where no route is found: nothing, where nodes are near enough."""
    if tables.get("link"):
        # Links decide, also beside distances.
        return LISTED
    if "wired" in tables:
        return CLOSER.format(range="wired.neighbour_range")
    by_power = "receive_threshold" in tables.get("radio", {})
    return CLOSER.format(range="radio.transmit_power" if by_power else "radio.receive_range")


def _cause(row: Mapping[str, Any], remedy: str) -> str:
    """Say what became of most packets of a flow, and of how many."""
    # A cause that a scheme declares is a column of its runs only.
    most = max(CAUSES, key=lambda column: row.get(column) or 0)
    if not row.get(most):
        return (
            "all its packets were lost before measuring began; lower warmup, or start it later "
            f"(packets: {row['run_lost']})"
        )
    cause = f"{CAUSES[most]}; {remedy}" if CAUSES[most] == NO_ROUTE else CAUSES[most]
    return f"{cause} (packets: {row[most]})"
