"""HTML by templates, in which every text is escaped."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment(package: str) -> Environment:
    """Return the environment of the templates in a package's folder `templates`."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def rendered(package: str, template: str, **values: Any) -> str:
    """Fill a template of a package; a name in it that has no value is an error."""
    return environment(package).get_template(template).render(**values)


def offer(package: str, **values: Any) -> None:
    """Let the templates of a package use functions and constants by name."""
    environment(package).globals.update(values)
