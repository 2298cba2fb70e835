"""Radios: what a receiver of a standard needs at a rate, and how its MAC is timed.

A preset gives thresholds, rates and times. The MAC is the simulator's: the 802.11 DCF, or the
reduced CSMA of the schemes that bring it, also where the radio is LoRa's or 802.15.4's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from ..engine.errors import MeshError

# Thermal noise at 290 K in dBm/Hz.
THERMAL_DBM_HZ = -174.0
# Receivers sense what is so much weaker than what they decode, in dB.
SENSE_BELOW_DB = 10.0


@dataclass(frozen=True)
class Preset:
    """A radio: thresholds in dBm, rate in bit/s, and what [mac] and [traffic] have beside it."""

    name: str
    about: str
    source: str
    receive_dbm: float
    rate_bit_s: float
    # In Hz, and in dB: what the noise below an SNR follows from.
    bandwidth_hz: float
    noise_figure_db: float = 7.0
    frequency: str = "2.437 GHz"
    # Keys of [mac] besides data_rate.
    mac: Mapping[str, str] = field(default_factory=dict)
    # In B, and in bit/s for each flow.
    payload_bytes: int = 512
    load: str = "100 kbit/s"
    # Measured time and warm-up, long enough for packets at this rate.
    times: tuple[str, str] = ("60 s", "10 s")
    # The mesh whose MAC, scheme and traffic a scenario has; "" for the DCF with the radio's times.
    mesh: str = ""

    @property
    def symbol_ms(self) -> float:
        """How long a symbol of LoRa is, by the setting that its name says."""
        factor, khz, _ = (MESHTASTIC | OTHERS)[self.name]
        return float(2**factor / khz)

    @property
    def noise_dbm(self) -> float:
        """The noise in the band of a receiver, in dBm."""
        noise = THERMAL_DBM_HZ + 10 * math.log10(self.bandwidth_hz) + self.noise_figure_db
        return round(noise, 1)

    @property
    def sense_dbm(self) -> float:
        """The weakest signal that is sensed, in dBm."""
        return self.receive_dbm - SENSE_BELOW_DB


def _dsss(mbit: float, receive_dbm: float) -> Preset:
    return Preset(
        f"802.11-dsss-{mbit:g}",
        f"802.11b, {mbit:g} Mbit/s",
        "IEEE 802.11-2016, 15.4.6.2 and 16.3.8.2: -80 dBm at 2 Mbit/s, -76 dBm at 11",
        receive_dbm,
        mbit * 1e6,
        22e6,
        mac={"timing": '"dsss"', "basic_rate": '"1 Mbit/s"'},
    )


def _ofdm(mbit: float, receive_dbm: float) -> Preset:
    return Preset(
        f"802.11-ofdm-{mbit:g}",
        f"802.11a/g, {mbit:g} Mbit/s",
        "IEEE 802.11-2016, table 17-18, 20 MHz",
        receive_dbm,
        mbit * 1e6,
        20e6,
        frequency="5.18 GHz",
        mac={"timing": '"ofdm-5"', "basic_rate": '"6 Mbit/s"'},
    )


# What a demodulator of LoRa needs, in dB above the noise (Semtech SX1276, table 13).
LORA_SNR_DB = {7: -7.5, 8: -10.0, 9: -12.5, 10: -15.0, 11: -17.5, 12: -20.0}
LORA_BANDWIDTHS_KHZ = (125, 250, 500)
LORA_PREAMBLE_SYMBOLS = 12.25
# What Meshtastic calls its settings: spreading factor, bandwidth in kHz, coding rate 4/x.
MESHTASTIC = {
    "short-turbo": (7, 500, 5),
    "short-fast": (7, 250, 5),
    "short-slow": (8, 250, 5),
    "medium-fast": (9, 250, 5),
    "medium-slow": (10, 250, 5),
    "long-fast": (11, 250, 5),
    "long-moderate": (11, 125, 8),
    "long-slow": (12, 125, 8),
}


def _lora(name: str, about: str, factor: int, khz: float, coding: int = 5) -> Preset:
    """Return the preset of a spreading factor: sensitivity = -174 + 10 log B + NF + SNR limit."""
    symbol_s = 2**factor / (khz * 1e3)
    rate = factor * 4 / coding / symbol_s
    noise = THERMAL_DBM_HZ + 10 * math.log10(khz * 1e3) + 6
    symbol = f'"{symbol_s * 1e6:.0f} us"'
    return Preset(
        name,
        f"LoRa, {about}SF{factor}, {khz:g} kHz, 4/{coding}",
        "Semtech AN1200.22: sensitivity = -174 + 10 log B + NF (6 dB) + SNR limit",
        round(noise + LORA_SNR_DB[factor], 1),
        round(rate),
        khz * 1e3,
        6.0,
        "868 MHz",
        {
            "basic_rate": f'"{round(rate)} bit/s"',
            # A slot is long enough to detect activity on the channel, which takes two symbols.
            "slot": f'"{2 * symbol_s * 1e6:.0f} us"',
            "sifs": symbol,
            "preamble": f'"{LORA_PREAMBLE_SYMBOLS * symbol_s * 1e6:.0f} us"',
            "header": '"16 B"',
        },
        32,
        f"{max(1, round(rate / 20))} bit/s",
        ("1800 s", "60 s"),
    )


def _zigbee(name: str, about: str, receive_dbm: float, kbit: float, symbol_us: float) -> Preset:
    return Preset(
        name,
        f"802.15.4, {about}, {kbit:g} kbit/s",
        "IEEE 802.15.4-2006, 6.5.3.3 and 6.6.3.4; backoff 20 symbols, turnaround 12",
        receive_dbm,
        kbit * 1e3,
        2e6 if kbit == 250 else 1e6,
        10.0,
        "2.45 GHz" if kbit == 250 else "868 MHz",
        {
            "basic_rate": f'"{kbit:g} kbit/s"',
            "slot": f'"{20 * symbol_us:g} us"',
            "sifs": f'"{12 * symbol_us:g} us"',
            "preamble": f'"{6 * 8 / kbit * 1e3:g} us"',
            "cw_min": "7",
            "cw_max": "31",
            "header": '"13 B"',
        },
        64,
        f"{round(kbit * 1e3 / 20)} bit/s",
    )


PRESETS = {
    preset.name: preset
    for preset in (
        *(_dsss(mbit, dbm) for mbit, dbm in ((1, -80), (2, -80), (5.5, -76), (11, -76))),
        *(
            _ofdm(mbit, dbm)
            for mbit, dbm in (
                (6, -82), (9, -81), (12, -79), (18, -77), (24, -74), (36, -70), (48, -66), (54, -65)
            )
        ),
        *(
            _lora(f"lora-sf{factor}-{khz}", "", factor, khz)
            for khz in LORA_BANDWIDTHS_KHZ
            for factor in LORA_SNR_DB
        ),
        *(
            _lora(f"lora-{name}", f"Meshtastic's {name}, ", *how)
            for name, how in MESHTASTIC.items()
        ),
        _zigbee("802.15.4-250", "2.4 GHz", -85, 250, 16),
        _zigbee("802.15.4-40", "915 MHz", -92, 40, 25),
        _zigbee("802.15.4-20", "868 MHz", -92, 20, 50),
    )
}  # fmt: skip
DEFAULT = "802.11-ofdm-6"
# Meshes that have a scheme, and the settings of the MAC `lora` that they may have.
MESHES = {"meshtastic": ("long-turbo", "medium-turbo", "very-long-slow", *MESHTASTIC)}
MESH_DEFAULT = "long-fast"
# What their nodes send, in dBm, and the path loss of `propagation = "log-distance"`.
POWER_DBM, LOSS_AT_1_KM_DB, EXPONENT = 30.0, 147.85, 4.49
# The settings of which there is no preset with the times of the 802.11 DCF.
OTHERS = {
    "long-turbo": (11, 500, 8),
    "medium-turbo": (9, 500, 5),
    "very-long-slow": (12, 62.5, 8),
}
# How --mac calls the timings of 802.11.
MACS = ("dsss", "ofdm")


def preset_of(name: str | None, mac: str | None, rate_bit_s: float | None) -> Preset:
    """Return the preset of a name, or of a MAC's timing and a rate in bit/s.

    Raises `MeshError` for a name, a MAC or a rate that there is not, and lists those there are.
    """
    if name is not None:
        if mac is not None or rate_bit_s is not None:
            raise MeshError("--preset has a MAC and a rate; give it, or --mac and --data-rate")
        return _preset(name)
    if mac is None and rate_bit_s is None:
        return PRESETS[DEFAULT]
    if mac is not None and mac not in MACS:
        raise MeshError(f"--mac: '{mac}' is no timing of 802.11; there are {' and '.join(MACS)}")
    fitting = [
        preset
        for preset in PRESETS.values()
        if preset.name.startswith(f"802.11-{mac or ''}") and rate_bit_s in (None, preset.rate_bit_s)
    ]
    if not fitting:
        rates = ", ".join(
            f"{p.rate_bit_s / 1e6:g}"
            for p in PRESETS.values()
            if f"-{mac or ''}" in p.name[6:] and p.name.startswith("802.11-")
        )
        of = f" of {mac}" if mac else ""
        raise MeshError(
            f"--data-rate: {(rate_bit_s or 0) / 1e6:g} Mbit/s is no rate{of}; there are {rates} "
            "Mbit/s; --preset has the rates of other radios"
        )
    return fitting[0]


def reach_m(radio: Preset) -> float:
    """Return how far nodes decode over the propagation that a scenario of a whole mesh has."""
    spare_db = POWER_DBM - radio.receive_dbm - LOSS_AT_1_KM_DB
    return 1000 * 10 ** (spare_db / (10 * EXPONENT))


def mesh_preset(mesh: str, name: str | None) -> Preset:
    """Return the radio of a whole mesh: that of the MAC `lora` with one of its settings.

    Raises `MeshError` for a mesh or a setting that there is not, and lists those there are.
    """
    if mesh not in MESHES:
        raise MeshError(f"--mesh: there is no '{mesh}'; there are {', '.join(MESHES)}")
    name = (name or MESH_DEFAULT).removeprefix("lora-")
    if name not in MESHES[mesh]:
        near = get_close_matches(name, MESHES[mesh], 1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise MeshError(
            f"--preset: {mesh} has no setting '{name}'{hint}; there are {', '.join(MESHES[mesh])}"
        )
    factor, khz, coding = (MESHTASTIC | OTHERS)[name]
    found = _lora(name, f"Meshtastic's {name}, ", factor, khz, coding)
    mac = {"kind": '"lora"', "preset": f'"{name}"'}
    return replace(found, mac=mac, times=("24 h", "0 s"), mesh=mesh)


def _preset(name: str) -> Preset:
    if name not in PRESETS:
        near = get_close_matches(name, PRESETS, 3)
        hint = f", did you mean {' or '.join(near)}?" if near else ""
        raise MeshError(f"--preset: there is no '{name}'{hint}; there are {', '.join(PRESETS)}")
    return PRESETS[name]
