"""The form of sweep files, as a JSON Schema for editors."""

from __future__ import annotations

import json
from typing import Any

from .axes import VALUES_LIMIT
from .seeds import LEAST, MOST, SEEDS_LIMIT

_VALUE = {
    "description": "A value as it stands in a scenario.",
    "type": ["string", "number", "boolean", "array"],
}
_END = {"type": ["string", "number"]}
_KEY = {"propertyNames": {"pattern": "^[a-z_][a-z0-9_-]*([.][a-z0-9_-]+)*$"}}
_RANGE: dict[str, Any] = {
    "description": "From one value to another, both with the same unit; by a step, or so many.",
    "type": "object",
    "additionalProperties": False,
    "required": ["from", "to"],
    "properties": {
        "from": {**_END, "description": "The first value.", "examples": ["25 kbit/s"]},
        "to": {**_END, "description": "The last value, if the steps meet it."},
        "step": {**_END, "description": "From one value to the next."},
        "count": {
            "description": "How many values, evenly spaced, both ends among them.",
            "type": "integer",
            "minimum": 2,
            "maximum": VALUES_LIMIT,
        },
        "scale": {
            "description": "With `count`: even differences, or even ratios. Default: linear.",
            "enum": ["linear", "log"],
        },
    },
    "oneOf": [{"required": ["step"]}, {"required": ["count"]}],
    "dependentRequired": {"scale": ["count"]},
}
_VALUES = {"anyOf": [{"type": "array", "items": _VALUE, "minItems": 1}, _RANGE]}
_BOUNDS = {
    "description": "A number within bounds, which count.",
    "type": "object",
    "additionalProperties": False,
    "minProperties": 1,
    "properties": {"from": _END, "to": _END},
}
_CONDITION: dict[str, Any] = {
    "description": "What varied keys must be: a value, one of a list, or within bounds.",
    "type": "object",
    "minProperties": 1,
    **_KEY,
    "additionalProperties": {"anyOf": [_VALUE, _BOUNDS]},
}
_SEED = {"type": "integer", "minimum": 0}
_UNTIL: dict[str, Any] = {
    "description": "As many as it takes until the mean's 95 % confidence interval is narrow.",
    "type": "object",
    "additionalProperties": False,
    "required": ["until"],
    "properties": {
        "until": {
            "description": "How far the interval's ends may lie from the mean, as a share of it.",
            "type": "string",
            "pattern": "^[0-9.]+ *%$",
            "examples": ["5 %"],
        },
        "of": {
            "description": "The column of `runs` that it is about. Default: goodput_bit_s.",
            "type": "string",
        },
        "first": {**_SEED, "description": "The first seed. Default: 1."},
        "min": {
            "description": f"Seeds to begin with. Default: {LEAST}.",
            "type": "integer",
            "minimum": 2,
        },
        "max": {
            "description": f"Seeds at most. Default: {MOST}.",
            "type": "integer",
            "minimum": 2,
            "maximum": SEEDS_LIMIT,
        },
    },
}
KEYS: dict[str, dict[str, Any]] = {
    "name": {
        "description": "What the sweep is called. Default: the file's name.",
        "type": "string",
    },
    "scenario": {
        "description": "The scenario's file, relative to this one, or the scenario itself.",
        "type": ["string", "object"],
    },
    "set": {
        "description": "Keys of the scenario that are replaced in every run.",
        "type": "object",
        **_KEY,
    },
    "axis": {
        "description": "What is varied. Keys of one axis go together; several axes multiply, the "
        "last one changing fastest.",
        "type": "array",
        "items": {
            "type": "object",
            "minProperties": 1,
            **_KEY,
            "properties": {
                "when": {
                    **_CONDITION,
                    "description": "The axis counts only where this holds of axes before it.",
                }
            },
            "additionalProperties": _VALUES,
        },
    },
    "skip": {
        "description": "Combinations that are left out.",
        "type": "array",
        "items": _CONDITION,
    },
    "seeds": {
        "description": "Seeds of each combination: so many from 1, a list, or until its mean is "
        "known well enough. Default: the scenario's seed.",
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": SEEDS_LIMIT},
            {"type": "array", "items": _SEED, "minItems": 1, "uniqueItems": True},
            _UNTIL,
        ],
    },
    "tables": {
        "description": "What is kept of every run, `runs` at least. Default: all.",
        "type": "array",
        "items": {"enum": ["runs", "flows", "nodes", "series", "congestion", "messages"]},
        "contains": {"const": "runs"},
    },
}


def sweep_schema() -> str:
    """Return the JSON Schema of sweep files."""
    return json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "multihop sweep",
            "description": "A scenario, what is varied in it, and with how many seeds.",
            "type": "object",
            "additionalProperties": False,
            "required": ["scenario"],
            "properties": KEYS,
        },
        indent=2,
    )
