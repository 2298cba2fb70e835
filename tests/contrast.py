"""Contrast as the web's guidelines define it (WCAG 2.2, relative luminance and contrast ratio)."""

import re
from importlib.resources import files

CSS = files("multihop.reporting").joinpath("report.css").read_text(encoding="utf-8")


def luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def themes() -> dict[str, dict[str, str]]:
    """Read the page's colours, light and dark, from its style sheet."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    return {
        name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
        for name, block in (("light", light), ("dark", dark))
    }
