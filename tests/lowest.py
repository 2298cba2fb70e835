"""Print the lowest versions that `pyproject.toml` allows, one a line: for `make test-lowest`.

What the developers' tools need stays as new as it comes; only what users install is pinned.
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
LOWER_BOUND = re.compile(r"([\w.-]+)>=([\w.]+)")


def lowest(project: Path = PROJECT) -> list[str]:
    """Return every dependency of users, with the extras, at its lower bound."""
    table = tomllib.loads(project.read_text())["project"]
    extras = table["optional-dependencies"]
    wanted = [
        *table["dependencies"],
        *(r for name in extras if name != "dev" for r in extras[name]),
    ]
    found = [LOWER_BOUND.fullmatch(requirement) for requirement in wanted]
    if None in found:
        raise ValueError(f"{project}: a dependency has no lower bound, as in name>=1.2")
    return [f"{match[1]}=={match[2]}" for match in found if match]


if __name__ == "__main__":
    print("\n".join(lowest()))
