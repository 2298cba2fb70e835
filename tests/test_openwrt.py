"""OpenWrt's package: its init script, in a root file system of BusyBox, and its files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from multihop.engine import programs
from multihop.lab import tools
from tests.conftest import TINY

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "packaging" / "openwrt"
FILES = PACKAGE / "multihop-node" / "files"
DATA = ROOT / "tests" / "data" / "openwrt"
PATIENCE_S = 20.0


def busybox() -> Path | None:
    """Return where a BusyBox is that needs no libraries, if there is one."""
    found = shutil.which("busybox") or shutil.which("busybox", path="/usr/lib/busybox:/bin")
    if found is None or shutil.which("unshare") is None:
        return None
    return Path(found) if b"ld-linux" not in Path(found).read_bytes()[:8192] else None


needs_busybox = pytest.mark.skipif(busybox() is None, reason="apt-get install busybox-static")


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """Return a root file system with BusyBox, and stand-ins for procd and UCI."""
    own = busybox()
    assert own is not None
    root = tmp_path / "root"
    for folder in ("bin", "dev", "etc/init.d", "etc/config", "lib", "proc", "usr/bin", "var/run"):
        (root / folder).mkdir(parents=True)
    shutil.copy(own, root / "bin" / "busybox")
    for applet in ("sh", "cat", "chmod", "mkdir", "printf", "tr"):
        (root / "bin" / applet).symlink_to("busybox")
    shutil.copy(DATA / "functions.sh", root / "lib")
    shutil.copy(DATA / "rc.common", root / "etc")
    shutil.copy(FILES / "multihop.init", root / "etc" / "init.d" / "multihop")
    shutil.copy(FILES / "multihop.config", root / "etc" / "config" / "multihop")
    return root


def start(root: Path, config: str | None = None) -> subprocess.CompletedProcess[str]:
    """Start the service there."""
    if config is not None:
        (root / "etc" / "config" / "multihop").write_text(config)
    (root / "procd").write_text("")
    inside = ["/bin/sh", "/etc/rc.common", "/etc/init.d/multihop", "start"]
    command = ["unshare", *tools.own_user(), "--root", str(root), *inside]
    return subprocess.run(command, capture_output=True, text=True, env={"PATH": "/bin:/usr/bin"})


def made(root: Path, node: str) -> dict[str, Any]:
    """Return the file that a node gets."""
    return tomllib.loads((root / "var" / "etc" / "multihop" / f"{node}.toml").read_text())


TWO = """
config node 'n1'
	option interface 'mesh0'
	option mtu '1400'
	option idle '30.5'
	option most_flows '64'
	option drop_rights 'on'
	option other_key '/etc/multihop/next key'
	list announce '192.168.7.0/24'
	list announce '0.0.0.0/0'
	option log 'warning'
	list groups_of_something_else 'x'

config node 'lab'
	option ether '/tmp/ether'
	option node 'n2'
	option plain '1'
	option scenario '/etc/multihop/lab.toml'

config node 'member'
	option interface 'mesh1'
	option identity '/etc/multihop/identity'
	option authority '12'

config node 'off'
	option enabled '0'

config something 'else'
	option mtu '1'
"""


@needs_busybox
def test_sections_become_files_of_nodes(device: Path) -> None:
    done = start(device, TWO)
    assert (done.returncode, done.stderr) == (0, "")
    assert made(device, "n1") == {
        "interface": "mesh0",
        "mtu": 1400,
        "idle": 30.5,
        "most-flows": 64,
        "drop-rights": True,
        "other-key": "/etc/multihop/next key",
        "announce": ["192.168.7.0/24", "0.0.0.0/0"],
        "log": "warning",
        "groups-of-something-else": ["x"],
        "node": "n1",
        "scenario": "/etc/multihop/mesh.toml",
        "control": "/var/run/multihop/n1.control",
        "key": "/etc/multihop/network.key",
        "state": "/etc/multihop/state",
    }
    lab = made(device, "lab")
    assert (lab["node"], lab["plain"], lab["ether"]) == ("n2", True, "/tmp/ether")
    member = made(device, "member")
    assert (member["identity"], member["authority"]) == ("/etc/multihop/identity", "12")
    assert "key" not in lab
    assert "key" not in member
    said = (device / "procd").read_text().splitlines()
    instances = [line for line in said if line.startswith("instance")]
    assert instances == ["instance n1", "instance lab", "instance member"]
    assert "command /usr/bin/multihop-node --config /var/etc/multihop/n1.toml" in said
    assert "respawn 3600 1 0" in said
    assert said[-1] == "trigger multihop"
    [watched, _, others] = [line.split() for line in said if line.startswith("file")]
    assert {"/etc/multihop/network.key", "/etc/multihop/mesh.toml"} <= set(watched)
    assert "/etc/multihop/identity" in others
    assert (device / "etc" / "multihop" / "state").stat().st_mode & 0o777 == 0o700


@needs_busybox
def test_a_value_that_is_no_value_of_a_file_starts_nothing(device: Path) -> None:
    config = (
        "config node 'n1'\n\toption interface \"me'sh\"\n\nconfig node 'n2'\n\toption mtu '900'\n"
    )
    done = start(device, config)
    assert "n1: interface: a value has neither quotes nor line ends" in done.stderr
    said = (device / "procd").read_text().splitlines()
    assert [line for line in said if line.startswith("instance")] == ["instance n2"]


@needs_busybox
def test_the_file_that_is_installed_starts_nothing_until_it_is_wanted(device: Path) -> None:
    assert start(device).returncode == 0
    assert (device / "procd").read_text() == "trigger multihop\n"
    assert made(device, "n1")["interface"] == "mesh0"


@needs_busybox
@pytest.mark.engine
def test_every_option_of_the_script_is_a_flag_of_the_node(device: Path, tmp_path: Path) -> None:
    node = programs.find("multihop-node")
    if node is None:
        pytest.skip("make linux")
    flags = subprocess.run([node, "--help"], capture_output=True, text=True, check=True).stdout
    script = (FILES / "multihop.init").read_text()
    lists = re.findall(r'^(?:NUMBERS|SWITCHES)="(.*)"$', script, re.MULTILINE)
    assert len(lists) == 2
    for name in " ".join(lists).split():
        assert f"--{name.replace('_', '-')}" in flags, name
    scenario, key = tmp_path / "tiny.toml", tmp_path / "key"
    scenario.write_text(TINY)
    subprocess.run([node, "key", str(key)], check=True)
    numbers = {"mtu": 900, "most_flows": 9, "queue": 9, "idle": 9, "groups": 1, "incarnation": 3}
    options = {"node": "n1", "ether": tmp_path / "ether", "scenario": scenario, "key": key}
    lines = [f"\toption {name} '{value}'" for name, value in {**options, **numbers}.items()]
    assert start(device, "\n".join(["config node 'n1'", *lines, ""])).returncode == 0
    config = device / "var" / "etc" / "multihop" / "n1.toml"
    command = [node, "doctor", "--json", "--config", str(config), "--state", str(tmp_path)]
    doctor = subprocess.run(command, capture_output=True, text=True)
    said = {row["part"]: row["says"] for row in json.loads(doctor.stdout)}
    assert (said["configuration"], said["scenario"]) == ("it can be read", "3 other nodes")


def static() -> Path:
    """Return the static program for this machine, which `make linux-static-some` builds."""
    folder = ROOT / "target" / f"{os.uname().machine}-unknown-linux-musl"
    return folder / os.environ["MULTIHOP_STATIC"] / "multihop-node"


needs_static = pytest.mark.skipif(
    "MULTIHOP_STATIC" not in os.environ, reason="make linux-static-some builds what is tried"
)


@needs_static
def test_a_package_is_made_without_the_sdk(tmp_path: Path) -> None:
    command = [str(PACKAGE / "ipk.sh"), str(static()), "x86_64", str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(printed).name.endswith("-1_x86_64.ipk")
    with tarfile.open(printed) as outer:
        assert outer.getnames() == ["./debian-binary", "./control.tar.gz", "./data.tar.gz"]
        outer.extractall(tmp_path, filter="data")
    with tarfile.open(tmp_path / "data.tar.gz") as data:
        files = {member.name: member for member in data.getmembers() if member.isfile()}
        assert {member.uid for member in data.getmembers()} == {0}
    assert {name: oct(member.mode) for name, member in files.items()} == {
        "./usr/bin/multihop-node": "0o755",
        "./etc/init.d/multihop": "0o755",
        "./etc/config/multihop": "0o600",
        "./lib/upgrade/keep.d/multihop": "0o644",
    }
    with tarfile.open(tmp_path / "control.tar.gz") as control:
        assert {"./control", "./conffiles", "./postinst", "./prerm"} <= set(control.getnames())
        text = control.extractfile("./control")
        assert text is not None
        assert b"Architecture: x86_64\n" in text.read()


@needs_busybox
@needs_static
@pytest.mark.skipif(bool(tools.missing()), reason=tools.missing() or "there is all")
def test_a_node_runs_there_as_the_script_starts_it(device: Path, tmp_path: Path) -> None:
    own = static()
    shutil.copy(own, device / "usr" / "bin" / "multihop-node")
    (device / "etc" / "multihop").mkdir()
    (device / "etc" / "multihop" / "mesh.toml").write_text(TINY)
    subprocess.run([own, "key", device / "etc" / "multihop" / "network.key"], check=True)
    done = start(device, "config node 'n1'\n\toption interface 'mesh0'\n")
    assert done.returncode == 0, done.stderr
    said = (device / "procd").read_text().splitlines()
    [words] = [line.split()[1:] for line in said if line.startswith("command")]
    script = f'mount --rbind /dev {device}/dev && exec chroot {device} "$@"'
    namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child"]
    command = ["unshare", *tools.own_user(), *namespaces, "sh", "-c", script, "sh", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as node:
        try:
            socket = device / "var" / "run" / "multihop" / "n1.control"
            begun = time.monotonic()
            while not socket.exists() and time.monotonic() - begun < PATIENCE_S:
                assert node.poll() is None, node.stderr and node.stderr.read()
                time.sleep(0.05)
            asked = [str(own), "status", str(socket)]
            status = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        finally:
            node.kill()
    assert status.startswith("n1 is 10.0.0.1")
    # its Wi-Fi device may come later
    assert "radio       off; " in status
    assert (device / "etc" / "multihop" / "state" / "n1.life").read_text() == "1\n"
