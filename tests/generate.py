"""Write everything that programs make of code and of stored results: `make generate`.

    python -m tests.generate [NAME ...]

makes all of it anew, or what is named. `test_generated.py` fails where a file differs.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from multihop import schema
from multihop.sweeping.schema import sweep_schema

ROOT = Path(__file__).resolve().parent.parent
Files = Mapping[Path, str]
# Keys of a schema whose members stand on a line each.
OPENED = ("$defs", "properties")


def schemas() -> Files:
    """Make the schemas that editors find beside the examples."""
    examples = ROOT / "examples"
    return {
        examples / "scenario.schema.json": compact(json.loads(schema())),
        examples / "sweeps" / "sweep.schema.json": compact(json.loads(sweep_schema())),
    }


def compact(tree: Mapping[str, Any]) -> str:
    """Write a schema with a line for each key and each definition."""
    lines = ",\n".join(members(tree))
    return f"{{\n{lines}\n}}\n"


def members(tree: Mapping[str, Any]) -> Iterator[str]:
    for key, value in tree.items():
        if key in OPENED:
            inner = ",\n".join(f"  {_pair(name, part)}" for name, part in value.items())
            yield f" {json.dumps(key)}: {{\n{inner}\n }}"
        else:
            yield f" {_pair(key, value)}"


def _pair(key: str, value: Any) -> str:
    return f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


MAKERS: dict[str, Callable[[], Files]] = {"schemas": schemas}


def main(names: list[str]) -> int:
    unknown = set(names) - set(MAKERS)
    if unknown:
        print(f"error: unknown: {', '.join(unknown)}; there are: {', '.join(MAKERS)}")
        return 2
    for name in names or MAKERS:
        for path, text in MAKERS[name]().items():
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
