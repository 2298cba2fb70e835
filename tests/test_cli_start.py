"""How the command line begins: quickly, with help, completion and a scenario."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import multihop
from multihop.cli import ORDER
from multihop.scenario.examples import TEMPLATE, examples, write_scenario
from tests.conftest import Cli

ROOT = Path(__file__).resolve().parent.parent
SLOW = ("numpy", "polars", "matplotlib", "scipy", "rich")


def python(code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("command", ORDER)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help_with_an_example(cli: Cli, command: str, option: str) -> None:
    done = cli(command, option)
    assert done.returncode == 0
    assert f"Example: multihop {command}" in " ".join(done.stdout.split())


@pytest.mark.parametrize("command", ORDER)
def test_every_command_prints_json_and_has_a_page(cli: Cli, command: str) -> None:
    assert "--json" in cli(command, "--help").stdout
    guides = ROOT / "docs" / "guides"
    rows = [line.split("|") for line in (guides / "commands.md").read_text().splitlines()]
    [more] = [row[3] for row in rows if len(row) > 3 and row[1].strip() == f"`{command}`"]
    for page in re.findall(r"\]\(([\w.-]+\.md)", more):
        assert f"multihop {command}" in (guides / page).read_text()


@pytest.mark.parametrize("group", [[], ["lab"]])
def test_a_group_alone_shows_its_help(cli: Cli, group: list[str]) -> None:
    alone = cli(*group)
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout == cli(*group, "--help").stdout


def test_help_lists_every_command_and_the_exit_codes(cli: Cli) -> None:
    shown = cli("-h").stdout
    # a group of commands stands behind the others
    listed = [line.split()[0] for line in shown.partition("Commands:")[2].splitlines() if line]
    assert listed == [*ORDER, "lab"]
    assert "3 runs of a sweep are missing" in " ".join(shown.split())


@pytest.mark.parametrize(
    "arguments", [["--version"], ["-h"], ["run", "-h"], ["list", "schemes", "--json"], ["schema"]]
)
def test_what_is_quick_loads_nothing_slow(arguments: list[str]) -> None:
    done = python(
        f"import sys, multihop.cli\nsys.argv = ['multihop', *{arguments!r}]\n"
        "try:\n    multihop.cli.main()\n"
        f"finally:\n    print(*(m for m in {SLOW!r} if m in sys.modules), file=sys.stderr)"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == ""


def test_every_public_name_is_there_and_loaded_when_it_is_used() -> None:
    assert set(dir(multihop)) == set(multihop.__all__)
    assert all(getattr(multihop, name) is not None for name in multihop.__all__)
    assert callable(multihop.compare)
    with pytest.raises(AttributeError, match="comparer"):
        _ = multihop.comparer


def test_an_old_python_is_refused_in_one_line() -> None:
    done = python("import sys; sys.version_info = (3, 10, 2); import multihop")
    assert done.returncode == 1
    assert done.stderr == "multihop needs Python 3.11 or newer; this is 3.10\n"
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert required == ">=3.11"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("multihop com", "compare"),
        ("multihop compare x.toml --schemes udp,cx", "udp,cxcc"),
        ("multihop new --example dumb", "dumbbell"),
        ("multihop list ex", "examples"),
        ("multihop reproduce cxcc/fig8", "cxcc/fig8"),
    ],
)
def test_shells_complete(typed: str, offered: str) -> None:
    done = python(
        "import sys; sys.argv = ['multihop']; from multihop.cli import main; main()",
        _MULTIHOP_COMPLETE="complete_bash",
        COMP_WORDS=typed,
        COMP_CWORD=str(len(typed.split()) - 1),
    )
    assert offered in done.stdout.split()


def test_new_writes_a_scenario_that_runs_and_replaces_nothing(cli: Cli, tmp_path: Path) -> None:
    done = cli("new", "mine")
    assert "multihop run mine.toml" in done.stdout
    text = (tmp_path / "mine.toml").read_text()
    assert text.startswith("#:schema ./scenario.schema.json\n")
    assert "topology" in json.loads((tmp_path / "scenario.schema.json").read_text())["properties"]
    assert cli("run", "mine.toml", "--set", "duration=1 s").returncode == 0
    (tmp_path / "mine.toml").write_text("precious")
    again = cli("new", "mine.toml")
    assert again.returncode == 2
    assert "'mine.toml' is there already" in again.stderr
    assert (tmp_path / "mine.toml").read_text() == "precious"
    assert "cannot write" in cli("new", "nowhere/mine").stderr


def test_the_template_shows_keys_that_exist(tmp_path: Path) -> None:
    """With the signs of comments taken away from what is a key, it is still a scenario."""
    text = (Path(multihop.__file__).parent / "scenario" / TEMPLATE).read_text()
    keys = "\n".join(
        line.removeprefix("# ") if " = " in line else line for line in text.splitlines()
    )
    assert keys.count("\n") == text.rstrip("\n").count("\n")
    scenario = multihop.Scenario.from_toml(keys)
    assert set(scenario.to_dict()) >= {"seed", "radio", "mac", "routing", "traffic"}
    assert multihop.Scenario.from_toml(text).name == "my chain"


def test_examples_are_those_of_the_repository(cli: Cli, tmp_path: Path) -> None:
    names = [example.name for example in examples()]
    assert names == sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))
    for name in names:
        path = write_scenario(tmp_path / f"my-{name}.toml", name)
        assert multihop.Scenario.from_file(path) == multihop.Scenario.from_file(
            ROOT / "examples" / f"{name}.toml"
        )
    assert all(len(example.about) > 20 for example in examples())
    assert "there are: bidirectional-chain" in cli("new", "--example", "planet").stderr
    assert cli("new", "--example", "dumbbell").returncode == 0
    assert (tmp_path / "dumbbell.toml").exists()


@pytest.mark.long
def test_papers_say_which_extra_they_need() -> None:
    done = python(
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'scipy' else real(name, *rest)\n"
        "import sys; sys.argv = ['multihop', 'reproduce', 'cxcc/fig1a', '--out', '/nowhere']\n"
        "from multihop.cli import main; main()"
    )
    assert done.returncode == 2
    assert "pip install 'multihop[reproduce]'" in done.stderr
    assert done.stderr.count("\n") == 1
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert any(need.startswith("scipy") for need in project["optional-dependencies"]["reproduce"])
    assert not any(need.startswith("scipy") for need in project["dependencies"])
