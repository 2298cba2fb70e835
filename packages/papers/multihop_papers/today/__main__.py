"""Measure each radio anew, and write its file: `python -m multihop_papers.today`."""

from __future__ import annotations

import json
import warnings
from dataclasses import fields, replace

from multihop import Scenario, run
from multihop._multihop import network

from .radios import FILE, RADIOS, STEPS, STEPS_FILE, Radio

# More than any link carries, in packets/s, and for how many packets of ns-2's link it is measured.
TOO_MUCH = 3.0
MEASURED_S = 60.0
# That of `mac.timing = "ofdm-5"`, without which a radio has another one.
FREQUENCY = "5.18 GHz"


def link(radio: Radio) -> Scenario:
    """Return one saturated link, of which both ends are close."""
    scenario = {
        "warmup": f"{radio.seconds(5):.3f} s",
        "duration": f"{radio.seconds(MEASURED_S):.3f} s",
        "topology": {"kind": "chain", "hops": 1, "spacing": "1 m"},
        "scheme": {"name": "udp"},
        "traffic": {"load": radio.load(TOO_MUCH), "payload": f"{radio.payload} B"},
    }
    return Scenario.from_dict(scenario).with_(**radio.settings)


def noticed(scenario: Scenario) -> Scenario:
    """Return the scenario with ranges that say up to where its frames are noticed.

    A receiver of OFDM adds up what is weaker, and does not defer to it.
    """
    threshold = scenario.conditions.get("receive_threshold_dbm")
    if threshold is None:
        return scenario
    keys = {"radio.interference": "ratio", "radio.sense_threshold": f"{threshold:g} dBm"}
    return scenario.with_(**keys, **{"radio.frequency": FREQUENCY})


def measured(radio: Radio) -> Radio:
    """Return the radio as the engine has it."""
    scenario = link(radio)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        goodput = run(scenario).runs["goodput_bit_s"].item()
        range_m = network(scenario.json)["ranges_m"][0]
        sense_m = network(noticed(scenario).json)["ranges_m"][1]
    packets = goodput / 8 / radio.payload
    if packets > radio.link_packets_s * TOO_MUCH / 2:
        return measured(replace(radio, link_packets_s=packets))
    return replace(
        radio,
        range_m=round(range_m, 3),
        sense_m=round(sense_m, 3),
        link_packets_s=float(f"{packets:.5g}"),
    )


def written(radios: tuple[Radio, ...]) -> str:
    """Return the file of these radios."""
    return "\n".join(_table(radio) for radio in radios)


def _table(radio: Radio) -> str:
    keys = {field.name: getattr(radio, field.name) for field in fields(radio)}
    own_keys = keys.pop("settings")
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items() if value != ""]
    own = [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in own_keys.items()]
    return "\n".join(["[[radio]]", *lines, "[radio.settings]", *own, ""])


if __name__ == "__main__":
    for file, radios in ((FILE, RADIOS), (STEPS_FILE, STEPS)):
        file.write_text(written(tuple(map(measured, radios))), encoding="utf-8")
