"""The service of a node is hardened, as the guide says; scripts of packages have no faults."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UNIT = ROOT / "packaging" / "multihop-node@.service"
DROP_IN = ROOT / "packaging" / "local.conf"

# What the service has to say, each with all its words.
HARDENED = {
    "NoNewPrivileges": {"yes"},
    "DynamicUser": {"yes"},
    "CapabilityBoundingSet": {"CAP_NET_ADMIN", "CAP_NET_RAW"},
    "AmbientCapabilities": {"CAP_NET_ADMIN", "CAP_NET_RAW"},
    "DevicePolicy": {"closed"},
    "DeviceAllow": {"/dev/net/tun", "rw"},
    "ProtectSystem": {"strict"},
    "ProtectHome": {"yes"},
    "PrivateTmp": {"yes"},
    "PrivateMounts": {"yes"},
    "ProtectKernelTunables": {"yes"},
    "ProtectKernelModules": {"yes"},
    "ProtectKernelLogs": {"yes"},
    "ProtectControlGroups": {"yes"},
    "ProtectClock": {"yes"},
    "ProtectHostname": {"yes"},
    "ProtectProc": {"invisible"},
    "ProcSubset": {"pid"},
    "RestrictNamespaces": {"yes"},
    "RestrictAddressFamilies": {"AF_UNIX", "AF_NETLINK", "AF_PACKET"},
    "RestrictRealtime": {"yes"},
    "RestrictSUIDSGID": {"yes"},
    "IPAddressDeny": {"any"},
    "LockPersonality": {"yes"},
    "MemoryDenyWriteExecute": {"yes"},
    "SystemCallArchitectures": {"native"},
    "SystemCallFilter": {"@system-service", "~@privileged", "@resources"},
    "UMask": {"0077"},
}


def settings(path: Path) -> dict[str, set[str]]:
    """Return the words of each setting of a unit, those of repeated lines together."""
    found: dict[str, set[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", path.read_text(), re.MULTILINE):
        found.setdefault(name, set()).update(value.split())
    return found


def test_the_service_has_every_setting_of_the_list() -> None:
    unit = settings(UNIT)
    assert {name: unit.get(name) for name in HARDENED} == HARDENED


def test_the_drop_in_widens_only_what_keys_need() -> None:
    widened = settings(DROP_IN)
    assert widened == {
        "RestrictAddressFamilies": {"AF_INET"},
        "IPAddressAllow": {"localhost", "10.0.0.0/8"},
        "SystemCallFilter": {"capset"},
    }


def test_managers_of_networks_leave_the_devices_of_the_packaged_node_alone() -> None:
    node = tomllib.loads((ROOT / "packaging" / "node.toml").read_text())
    # the default of multihop-node
    devices = [node.get("tun", "multihop0"), node["interface"]]
    manager, networkd = configparser.ConfigParser(), configparser.ConfigParser()
    manager.read(ROOT / "packaging" / "NetworkManager.conf")
    names = manager["keyfile"]["unmanaged-devices"].split(";")
    patterns = [name.removeprefix("interface-name:") for name in names]
    assert all(any(fnmatch(device, pattern) for pattern in patterns) for device in devices)
    networkd.read(ROOT / "packaging" / "multihop.network")
    assert fnmatch(devices[0], networkd["Match"]["Name"])
    assert networkd["Link"].getboolean("Unmanaged")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="apt-get install systemd")
def test_its_exposure_is_small(tmp_path: Path) -> None:
    # without the program of the service, systemd says so, and judges all the same
    unit = shutil.copy(UNIT, tmp_path)
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--no-pager",
        "--threshold=15",
        unit,
    ]
    judged = subprocess.run(command, capture_output=True, text=True)
    assert "Overall exposure level" in judged.stdout, judged.stderr
    assert judged.returncode == 0, judged.stdout


def test_scripts_of_packages_have_no_faults() -> None:
    checker = shutil.which("shellcheck")
    if checker is None:
        pytest.skip("apt-get install shellcheck")
    packaging = ROOT / "packaging"
    scripts = [*packaging.glob("debian/*"), packaging / "openwrt" / "ipk.sh"]
    scripts.append(packaging / "openwrt" / "multihop-node" / "files" / "multihop.init")
    assert len(scripts) == 5
    done = subprocess.run([checker, *scripts], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
