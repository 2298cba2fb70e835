"""The documentation is true: commands, outputs, examples, tables and links.

    python -m tests.test_docs

writes outputs and tables anew, after a change that is meant to change them. In the pages

- `$ ...` in a console block with output below it is run, and the output must be the same, times
  apart; all others are checked by `test_docs_commands.py`, and those of a tutorial, which build on
  each other, by `test_tutorial.py`;
- a terminal has 80 columns;
- a toml block is a scenario, or a part of one: with what it lacks it can be run; or a sweep;
- a rust block is the text of the Rust file that is linked to right above it, which Cargo compiles
  with the tests;
- any other block is marked as text;
- a python block is run, and prints what stands in the text block right behind it;
- the lines between `<!-- table: NAME -->` and `<!-- end -->` are made by `tables()`.
"""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from multihop import (
    Scenario,
    Sweep,
    macs,
    mobilities,
    propagations,
    prototype,
    routings,
    run,
    schema,
    schemes,
    topologies,
    traffics,
)
from multihop._multihop import radio, traffic, wired
from multihop.meshes.measures import MEASURES
from multihop.meshes.presets import PRESETS
from multihop.meshes.writing import rate
from multihop.prototype.identity import KNOWN
from multihop.prototype.methods import TRAITS, methods
from multihop.reporting.markdown import markdown_table
from multihop.reproducing import readings_page, stored
from multihop.reproducing.registry import CITATIONS, ROWS
from multihop.reproducing.reproduction import judge_rows
from multihop.results.columns import COLUMNS, TRACE, VOCABULARY
from multihop_papers.cl import page as cl_page
from multihop_papers.lora import page as lora_page
from multihop_papers.today import page as today_page
from multihop_papers.wake import page as wake_page
from tests import applications, daemons, learning
from tests.conftest import call

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *sorted((ROOT / "docs").glob("guides/**/*.md")),
    *sorted((ROOT / "docs").glob("wake/*.md")),
    *sorted((ROOT / "docs").glob("today/*.md")),
    *sorted((ROOT / "docs").glob("lora/*.md")),
]
TUTORIALS = sorted((ROOT / "docs").glob("tutorial/*.md"))
LINKED = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benches").rglob("*.md")]

CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUST = re.compile(r"^```rust\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"console", "python", "text", "toml", "rust"}
COLUMNS_OF_A_TERMINAL = 80
PYTHON = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n^```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
TABLE = re.compile(r"(?<=^<!-- table: )([\w. -]+) -->\n(.*?)(?=^<!-- end -->$)", re.M | re.DOTALL)
COMMAND = re.compile(r"^\$ (?P<line>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
NAMED = re.compile(r"\[`(?:[\w]+(?:::|\.))?(\w+)`\]\(([^)#\s]+\.(?:rs|py))\)")
LINK = re.compile(r"(?<!`)\[[^\]\[]*\]\((?!https?://|#)([^)#\s]+)(?:#[^)]*)?\)")
SECONDS = re.compile(r"\bin \d+(\.\d+)? s\b")
BLANKS = re.compile(" +")
RULES = re.compile("─+")
# What only a shell understands.
SHELL = re.compile(r"[|&;<>]")
Section = dict[str, Any]


def pages(
    found: Callable[[str], Iterator[Any]], among: Sequence[Path] = (*PAGES, *TUTORIALS)
) -> list[Any]:
    """List what is found in these pages, each with its page's name."""
    return [
        pytest.param(*item, id=f"{page.name} {number}")
        for page in among
        for number, item in enumerate(found(page.read_text(encoding="utf-8")), 1)
    ]


def commands(text: str) -> Iterator[tuple[str, str]]:
    for block in CONSOLE.findall(text):
        yield from COMMAND.findall(block)


def python_blocks(text: str) -> Iterator[tuple[str, str]]:
    for block in PYTHON.finditer(text):
        yield block["code"], block["output"] or ""


def toml_blocks(text: str) -> Iterator[tuple[str]]:
    yield from ((block,) for block in TOML.findall(text))


def rust_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the Rust file that is linked to last before each block, and the block."""
    for block in RUST.finditer(text):
        yield re.findall(r"\]\(([^)]+\.rs)\)", text[: block.start()])[-1], block[1]


def shown_tables(text: str) -> Iterator[tuple[str, str]]:
    yield from TABLE.findall(text)


# ---- running ---------------------------------------------------------------------------------


@contextlib.contextmanager
def folder_with_examples() -> Iterator[Path]:
    """Make a folder for a while."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        yield Path(folder)


@cache
def output(line: str) -> str:
    """Run a shell line in a folder of its own that has the examples, and return what it prints.

    A command alone needs no shell, and no process.
    """
    program, *arguments = shlex.split(line)
    with folder_with_examples() as folder:
        if program == "multihop" and not SHELL.search(line):
            done: Any = call(folder, *arguments, columns=COLUMNS_OF_A_TERMINAL)
        else:
            done = in_a_shell(line, folder)
    # An error is something to show as well.
    return bare(done.stdout or done.stderr)


def bare(text: str) -> str:
    """Return text without blanks at the ends of lines."""
    return "".join(f"{row.rstrip()}\n" for row in text.splitlines())


def in_a_shell(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": str(COLUMNS_OF_A_TERMINAL)},
        capture_output=True,
        text=True,
        timeout=120,
    )


@cache
def python_output(code: str) -> str:
    """Run a program as a module of its own and return what it prints."""
    printed = io.StringIO()
    with (
        folder_with_examples() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
    ):
        exec(compile(code, "<block>", "exec"), {"__name__": "__main__"})
    for name in list(KNOWN):  # other pages list what is built in
        prototype.unregister(name)
    return bare(printed.getvalue())


def normalized(text: str) -> str:
    """Return what is printed without its times and the widths of columns, which Rich decides."""
    return BLANKS.sub(" ", RULES.sub("─", SECONDS.sub("in _ s", text)))


@pytest.mark.engine
@pytest.mark.parametrize(("line", "shown"), [p for p in pages(commands, PAGES) if p.values[1]])
def test_commands(line: str, shown: str) -> None:
    assert normalized(output(line)) == normalized(shown)


@pytest.mark.parametrize(("code", "shown"), pages(python_blocks))
def test_python_examples(code: str, shown: str) -> None:
    assert python_output(code) == shown


@pytest.mark.parametrize(("line", "shown"), [p for p in pages(commands, PAGES) if p.values[1]])
def test_output_fits_a_terminal(line: str, shown: str) -> None:
    # An error is one line, for programs that look for it.
    rows = [row for row in shown.splitlines() if not row.startswith("error: ")]
    assert max(map(len, rows), default=0) <= COLUMNS_OF_A_TERMINAL, line


# What a part of a scenario stands in: eight nodes, the same as in the file of movements.
AROUND = """
topology = { kind = "grid", rows = 2, columns = 4, horizontal_flows = 1 }
scheme = { name = "udp" }
traffic = { load = "10 kbit/s" }
"""


@pytest.mark.parametrize("block", pages(toml_blocks))
def test_scenarios_can_be_run(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    part = tomllib.loads(block)
    if "scenario" in part:
        assert Sweep.from_dict(part, ROOT / "examples" / "sweeps" / "block.toml").points()
        return
    around = tomllib.loads(AROUND)
    Path("movements.txt").write_text(Scenario.from_dict(around).movement())
    duration = "30 s" if part.keys() & {"restart", "flow"} else "1 s"
    if part.get("traffic", {}).get("kind") == "meshtastic":
        duration = "10 min"  # a mesh says little
    done = run(Scenario.from_dict({**around, **part, "warmup": "1 s", "duration": duration}))
    assert done.runs["goodput_bit_s"][0] > 0


@pytest.mark.parametrize(("path", "code"), pages(rust_blocks))
def test_rust_is_compiled(path: str, code: str) -> None:
    assert code == (ROOT / path).read_text(encoding="utf-8")
    # A module of a test is compiled with it.
    tests = ROOT / re.sub(r"/tests/.*", "/tests", path)
    assert any(f"mod {Path(path).parent.name};" in t.read_text() for t in tests.glob("*.rs"))


@pytest.mark.parametrize("page", [*PAGES, *TUTORIALS], ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_tested(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    kinds = re.findall(r"^```(.*)$", text, re.MULTILINE)[::2]
    assert set(kinds) <= KINDS
    assert kinds.count("rust") == len(list(rust_blocks(text)))
    assert kinds.count("toml") == len(list(toml_blocks(text)))


# ---- tables ----------------------------------------------------------------------------------


# The kinds of parts, with what there is of each and the key that chooses one.
PARTS = {
    "schemes": (schemes, "name"),
    "routings": (routings, "kind"),
    "propagations": (propagations, "propagation"),
    "macs": (macs, "kind"),
    "topologies": (topologies, "kind"),
    "mobilities": (mobilities, "kind"),
    "traffics": (traffics, "kind"),
}
MACS = {"dcf": "DCF, with or without RTS/CTS", "csma": "reduced CSMA"}


def _chapter(parts: str) -> str:
    """Make the headings and tables of all parts of a kind."""
    made, key = PARTS[parts]
    # Movement shares a page with other sections.
    level = "###" if parts == "mobilities" else "##"
    heads = ((part, part.get("about", part.get("paper"))) for part in made())
    return "".join(
        f'\n{level} {key} = "{part["name"]}"\n\n{about}\n\n{_params(part)}' for part, about in heads
    )


@cache
def tables() -> dict[str, str]:
    """Make every table that the pages show, by name."""
    tree = json.loads(schema())
    sections = {
        "scenario": tree,
        **{
            name: tree["$defs"][f"{name.title()}Section"]
            for name in ("measure", "policy", "role", "node", "link", "channel", "move", "flow")
        },
    }
    made = {name: _keys(name, section, tree["$defs"]) for name, section in sections.items()}
    made |= {name: _chapter(name) for name in PARTS if name != "schemes"}
    made["pages of schemes"] = markdown_table(
        ("name", "scheme", "keys"),
        [
            (f"[`{s['name']}`](scheme-{s['name']}.md)", s["title"], str(len(s["params"])))
            for s in schemes()
        ],
    )
    made |= {part["name"]: _params(part) for part in (radio(), traffic(), wired())}
    made["list of schemes"] = markdown_table(
        ("scheme", "title", "MAC", "paper"),
        [(f"`{s['name']}`", s["title"], MACS[s["mac"]], s["paper"]) for s in schemes()],
    )
    for kind, described in (("columns", COLUMNS), ("trace", TRACE)):
        for name, columns in described.items():
            rows = [(f"`{key}`", column.unit, column.about) for key, column in columns.items()]
            made[f"{kind} {name}"] = markdown_table(("column", "unit", "meaning"), rows)
    for name, words in VOCABULARY.items():
        said = [(f"`{word.removeprefix('lost_')}`", about) for word, about in words.items()]
        made[f"words {name}"] = markdown_table(("word", "meaning"), said)
    made |= _imports()
    made["prototype methods"] = "\n".join(_methods(cls) for cls in TRAITS)
    kept = [verdict for paper in CITATIONS for verdict in stored.verdicts_of(paper)]
    made |= stored.tables(ROWS, list(judge_rows(ROWS, kept)), stored.FOLDER)
    made |= readings_page.tables() | wake_page.tables() | today_page.tables()
    made |= learning.tables() | applications.tables() | daemons.tables()
    return made | lora_page.tables() | cl_page.tables()


def _imports() -> dict[str, str]:
    """Make the tables of measures and radios that imports know."""
    measures = [
        (m.name, ", ".join(f"`{column}`" for column in m.columns) or "`--measure`", m.conversion,
         m.source)
        for m in MEASURES
    ]  # fmt: skip
    radios = [
        (
            *(f"`{p.name}`", p.about, f"{p.receive_dbm:g} dBm"),
            *(rate(p.rate_bit_s), f"{p.noise_dbm:g} dBm", p.source),
        )
        for p in PRESETS.values()
    ]
    head = ("preset", "radio", "receive threshold", "rate", "noise", "source")
    return {
        "measures": markdown_table(("measure", "columns", "conversion", "source"), measures),
        "radios": markdown_table(head, radios),
    }


def _methods(cls: type) -> str:
    """Make the table of the methods that a class of schemes in Python has."""
    rows = [
        (f"`{method.python}`", f"`{method.rust}`", method.about)
        for method in methods()
        if method.cls is cls
    ]
    return f"{cls.__name__}:\n\n" + markdown_table(("in Python", "in Rust", "what it is for"), rows)


# What a key is if it has no default of its own and is not required.
OTHERWISE = {
    "flow": "that of `[traffic]`",
}
EXAMPLES = {
    "name": '"left"',
    "address": '"10.0.3.7"',
    "from": '"left"',
    "to": '"right"',
    "load": '"100 kbit/s"',
    "interval_jitter": "0.5",
    "width": '"1 km"',
    "height": '"1 km"',
    "bit_error_rate": "1e-6",
    "size": '"50 kB"',
    "node": '"n3"',
    "nodes": '["n3", "n7"]',
    "agents": '"senders"',
    "policy.file": '"pace.json"',
    "text": '"{...}"',
    "role": '"router"',
    "share": '"10 %"',
    "antenna_gain": '"3 dBi"',
    "antenna_height": '"6 m"',
    "sense_threshold": '"-80 dBm"',
    "via": '["n1", "n2"]',
}


def _keys(name: str, section: Section, definitions: Section) -> str:
    """Make the table of a section's keys; those that are sections themselves are left out."""
    required = section.get("required", [])
    rows = []
    for key, value in section["properties"].items():
        reference = value.get("$ref") or value.get("anyOf", [{}])[0].get("$ref", "")
        target = definitions.get(reference.rpartition("/")[2], {})
        tables = value.get("type") == "array" and "$ref" in value["items"]
        if (
            target.get("type") == "object"
            or key in ("scheme", "traffic", "mobility", "roles")
            or tables
        ):
            continue
        about, _, default = value.get("description", "").replace("\n", " ").partition("Default: ")
        default = default.removesuffix(".")
        among = value.get("oneOf", target.get("oneOf", []))
        names = [*(choice["const"] for choice in among), *value.get("enum", [])]
        choices = [f'"{name}"' for name in names]
        kind = (
            value.get("x-units") or [f"`{choice}`" for choice in choices] or _types(value, target)
        )
        standard = default or ("required" if key in required else OTHERWISE.get(name, "none"))
        example = choices[0] if choices else _example(f"{name}.{key}", value, default)
        meaning = about.strip() or target.get("description", "")
        rows.append((f"`{key}`", ", ".join(kind), standard, meaning, f"`{key} = {example}`"))
    return markdown_table(("key", "unit or type", "default", "meaning", "example"), rows)


def _types(value: Section, target: Section) -> list[str]:
    """Return the types of a value: one, or those of what it refers to."""
    alternatives = target.get("anyOf", [value]) if "type" not in value else [value]
    return [_type(alternative) for alternative in alternatives]


def _type(value: Section) -> str:
    kind = value.get("type", "")
    names = {
        "integer": "whole number",
        "number": "number",
        "boolean": "switch",
        "string": "text",
        "array": "list of texts",
    }
    return names[kind if isinstance(kind, str) else kind[0]]


def _example(path: str, value: Section, default: str) -> str:
    key = path.rpartition(".")[2]
    if path in EXAMPLES or key in EXAMPLES:
        return EXAMPLES.get(path, EXAMPLES.get(key, ""))
    if default in ("true", "false"):
        return "false" if default == "true" else "true"
    given = re.match(r'"[^"]*"|[\d.]+', default)
    return given[0] if given else json.dumps(value.get("examples", [1])[0])


def scheme_pages() -> dict[Path, str]:
    """Make the page of the keys of each scheme."""
    folder = ROOT / "docs" / "guides" / "scenario"
    return {
        folder / f"scheme-{part['name']}.md": (
            f'# name = "{part["name"]}"\n\n'
            f"{part['title']}: keys of [`[scheme]`](scheme.md). Source: {part['paper']}.\n\n"
            f"{_params(part)}"
        )
        for part in schemes()
        if part["name"] not in KNOWN  # built in
    }


def _params(part: Section) -> str:
    if not part["params"]:
        return "It has no keys of its own.\n"
    rows = []
    for param in part["params"]:
        given = param.get("default", param.get("example"))
        value = json.dumps(given).removesuffix(".0")
        default = value if "default" in param else param.get("otherwise", "required")
        if "field" in param:
            default += f" (on Linux: {json.dumps(param['field'])})"
        row = (_kind(param), _allowed(param), default, param["about"])
        rows.append((f"`{param['name']}`", *row, f"`{param['name']} = {value}`"))
    return markdown_table(("key", "unit or type", "allowed", "default", "meaning", "example"), rows)


def _kind(param: Section) -> str:
    bare = f", or a number of {param['unit']}" if param["unit"] else ""
    return {
        "switch": "switch",
        "count": param["unit"] or "whole number",
        "number": param["unit"] or "number",
        "time": f"time{bare}",
        "length": "length",
        "rate": "rate",
        "size": "size",
        "measure": param["unit"],
        "numbers": "list of whole numbers",
        "text": "text",
        "seed": "whole number",
        "choice": ", ".join(f'`"{name}"`' for name in param.get("among", ())),
        "table": f"numbers of {param['unit']}, or a file",
    }[param["kind"]]


def _allowed(param: Section) -> str:
    if "min" not in param:
        return {"switch": "true, false", "choice": "these"}.get(param["kind"], "any")
    written = ["" if end is None else _number(end) for end in (param["min"], param.get("max"))]
    bounds = " to ".join(written) if written[1] else f"at least {written[0]}"
    return bounds + (f", at most `{param['at_most']}`" if "at_most" in param else "")


def _number(end: float | str) -> str:
    return end if isinstance(end, str) else f"{end:.0f}" if end >= 1000 else f"{end:g}"


@pytest.mark.parametrize(("name", "shown"), pages(shown_tables))
def test_tables_are_what_the_program_says(name: str, shown: str) -> None:
    assert shown == tables()[name]


def single_tables() -> dict[str, str]:
    """Return the tables of keys, each by itself."""
    parts = {
        f"{kind} {part['name']}": _params(part)
        for kind, (made, _) in PARTS.items()
        for part in made()
        if part["params"]
    }
    sections = {name: table for name, table in tables().items() if "| example |" in table}
    return {name: table for name, table in sections.items() if name not in PARTS} | parts


@pytest.mark.parametrize(("name", "table"), sorted(single_tables().items()))
def test_examples_are_of_the_kind_that_stands_beside_them(name: str, table: str) -> None:
    kinds = {"text": str, "whole number": int, "switch": bool}
    kinds |= {"list of texts": list, "list of whole numbers": list}
    header, _, *rows = (line[2:-2].split(" | ") for line in table.splitlines())
    for row in rows:
        ((key, example),) = tomllib.loads(row[-1].strip("`")).items()
        assert row[0] == f"`{key}`", name
        kind = row[header.index("unit or type")]
        if kind.startswith("`"):
            assert json.dumps(example) in kind
        else:
            assert isinstance(example, kinds.get(kind, str | int | float)), f"{key} is {kind}"


def test_every_table_is_shown() -> None:
    shown = {name for page in PAGES for name, _ in shown_tables(page.read_text(encoding="utf-8"))}
    assert shown == set(tables())


def test_every_page_of_a_table_is_in_the_list() -> None:
    folder = ROOT / "docs" / "guides"
    index, of_schemes = folder / "scenarios.md", folder / "scenario" / "scheme.md"
    listed = {f"{name}.md" for name in re.findall(r"\(scenario/([\w-]+)\.md\)", index.read_text())}
    listed |= set(re.findall(r"\((scheme-[\w-]+\.md)\)", of_schemes.read_text("utf-8")))
    assert {page.name for page in (folder / "scenario").glob("*.md")} == listed


# ---- links -----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.DOTALL)
    missing = [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", [*PAGES, *TUTORIALS], ids=lambda page: page.name)
def test_names_stand_in_the_files_that_they_link_to(page: Path) -> None:
    for name, link in NAMED.findall(page.read_text(encoding="utf-8")):
        source = (page.parent / link).read_text(encoding="utf-8")
        assert re.search(rf"\b{name}\b", source), f"{name} is not in {link}"


def test_the_readme_names_the_versions_that_are_needed() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rust = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f"Rust {rust} or newer" in text
    assert f"Python {python.removeprefix('>=')} or newer" in text


# ---- writing ---------------------------------------------------------------------------------


def renew(text: str, with_commands: bool = True) -> str:
    """Return a page with outputs and tables written anew."""

    def command(found: re.Match[str]) -> str:
        line, shown = found["line"], found["output"]
        return f"$ {line}\n{output(line) if shown else ''}"

    def example(found: re.Match[str]) -> str:
        if found["output"] is None:
            return found[0]
        return f"```python\n{found['code']}```\n\n```text\n{python_output(found['code'])}```"

    if with_commands:
        text = CONSOLE.sub(lambda block: COMMAND.sub(command, block[0]), text)
    text = PYTHON.sub(example, text)
    return TABLE.sub(lambda found: f"{found[1]} -->\n{tables()[found[1]]}", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(renew(page.read_text(encoding="utf-8")), encoding="utf-8")
