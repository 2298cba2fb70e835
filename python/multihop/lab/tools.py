"""What a lab needs of the machine, and whether it is there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ..engine import programs
from ..engine.errors import LabError

PROGRAMS = ("multihop-node", "multihop-ether")
# So ends the version of a program that is built without optimisation.
SLOW = "(debug)"


def program(name: str) -> str:
    """Return where a program of multihop is; raises `LabError` if it is nowhere."""
    found = programs.find(name)
    if found is None:
        raise LabError(
            f"there is no {name}: build it (make linux), or set MULTIHOP_BIN to its folder"
        )
    return found


def versions() -> dict[str, str]:
    """Return the versions of a lab's programs, for what is measured with them.

    One that is built without optimisation ends with "(debug)". Raises `LabError` if one is nowhere.
    """
    return {name: programs.version(program(name)) for name in PROGRAMS}


def chosen() -> str:
    """Return which programs a lab takes, if they are others than the path has, or nothing.

    Raises `LabError` if one is nowhere.
    """
    taken = [(program(name), shutil.which(name)) for name in PROGRAMS]
    if all(path == installed for path, installed in taken):
        return ""
    return " and ".join(f"{path}, version {programs.version(path)}" for path, _ in taken)


def slow() -> str:
    """Return which program of labs is slow and how to have a fast one; nothing if none is."""
    found = [programs.find(name) for name in PROGRAMS]
    built = [path for path in found if path and programs.version(path).endswith(SLOW)]
    if not built:
        return ""
    return (
        f"{' and '.join(built)}: built without optimisation, and late on a busy machine: make linux"
    )


def own_user() -> list[str]:
    """Return the options of `unshare` that make a user namespace, which root does not need."""
    return [] if os.geteuid() == 0 else ["--user", "--map-root-user"]


def examine() -> dict[str, str]:
    """Return what a lab needs, each "ok" or what is missing and how to get it."""
    return {
        "programs": _programs(),
        "util-linux": _util_linux(),
        "tun": _tun(),
        "namespaces": _namespaces(),
    }


def missing() -> str:
    """Return why there can be no lab here; nothing if there can."""
    return "; ".join(f"{part}: {state}" for part, state in examine().items() if state != "ok")


def _programs() -> str:
    try:
        for name in PROGRAMS:
            program(name)
    except LabError as error:
        return str(error)
    return "ok"


def ip() -> str:
    """Return where iproute2's `ip` is; raises `LabError` if it is nowhere."""
    return _administrative("ip", "iproute2")


def nft() -> str:
    """Return where nftables' `nft` is; raises `LabError` if it is nowhere."""
    return _administrative("nft", "nftables")


def _administrative(name: str, package: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        raise LabError(f"there is no {name}: apt install {package}")
    return found


def _util_linux() -> str:
    absent = [name for name in ("unshare", "nsenter", "setpriv") if shutil.which(name) is None]
    return f"no {' and no '.join(absent)}: apt install util-linux" if absent else "ok"


def _tun() -> str:
    device = Path("/dev/net/tun")
    if not device.exists():
        return "no /dev/net/tun: modprobe tun; in a container, give it this device"
    if not os.access(device, os.R_OK | os.W_OK):
        return "/dev/net/tun may not be opened: chmod 666 /dev/net/tun"
    return "ok"


def _namespaces() -> str:
    if shutil.which("unshare") is None:
        return "they cannot be tried without unshare"
    wanted = [*own_user(), "--net", "--mount", "--pid", "--fork", "--mount-proc"]
    tried = subprocess.run(
        ["unshare", *wanted, "true"], capture_output=True, text=True, check=False
    )
    if tried.returncode == 0:
        return "ok"
    said = tried.stderr.strip().splitlines()
    hint = "as root, or: sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000"
    return f"none can be made ({said[-1] if said else 'no reason given'}): {hint}"
