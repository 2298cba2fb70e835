#!/usr/bin/env python3
"""Build ns-2 2.35 from its source, as it is or with patches, to see what follows from a change.

    apt-get install ns2 g++ make patch libotcl1-dev libtclcl1-dev tcl8.6-dev
    apt-get source --download-only ns2      # needs a deb-src line
    python3 from_source.py ns2_2.35+dfsg.orig.tar.xz FOLDER --patch dsr_repaired.patch
    PATH="$PWD/FOLDER:$PATH" python3 run_dsr.py ns2_dsr_mobile -o mine

ns-2's own configuration finds no Tcl of today, so what it would find out stands here. The Tcl
library that is compiled in is that of the installed ns-2, which has Debian's changes. Without a
patch the program writes the same traces as the installed one, byte by byte.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import batch

AUTOCONF = """
#define HAVE_INT64
#define HAVE_SOCKLEN_T
#define HAVE_BCOPY
#define HAVE_BZERO
#define HAVE_GETRUSAGE
#define HAVE_SBRK
#define HAVE_SNPRINTF
#define HAVE_STRTOLL
#define HAVE_STRTOQ
#define HAVE_FEENABLEEXCEPT
#define STDC_HEADERS 1
#define HAVE_STRING_H 1
#define HAVE_STRINGS_H 1
#define HAVE_ARPA_INET_H 1
#define HAVE_NETINET_IN_H 1
#define HAVE_NET_ETHERNET_H 1
#define HAVE_FENV_H 1
#define HAVE_ETHER_HEADER_STRUCT 1
#define RANDOM_RETURN_TYPE long
#define SIZEOF_LONG 8
#define MEMDEBUG_SIMULATIONS
#ifdef __cplusplus
#define HAVE_STL 1
namespace std {}
using namespace std;
#endif
"""
# What Debian's TclCL lacks where 64 bits are a `long`; no script here sets such a variable.
BINDING = """
#include "config.h"
void TclObject::bind(const char*, int64_t*) {}
bool TclObject::delay_bind(const char*, const char*, const char*, int64_t*, TclObject*)
{ return false; }
"""
DEFINED = (
    "TCP_DELAY_BIND_ALL NO_TK NDEBUG USE_INTERP_RESULT HAVE_CONFIG_H NS_DIFFUSION SMAC_NO_SYNC"
    " CPP_NAMESPACE=std USE_SINGLE_ADDRESS_SPACE rng_test"
)
INCLUDED = (
    ". /usr/include/tcl8.6 /usr/include/tclcl tcp sctp common link queue adc apps mac mobile trace"
    " routing tools classifier mcast diffusion3/lib/main diffusion3/lib diffusion3/lib/nr"
    " diffusion3/ns diffusion3/filter_core asim qs diffserv satellite wpan"
)
# A procedure with which the library of ns-2 begins.
FIRST = b"proc warn {msg}"


def objects(makefile: str) -> list[str]:
    """Return the object files that ns-2's makefile lists."""
    names = []
    for variable in ("OBJ_STL", "OBJ_CC", "OBJ_C"):
        found = re.search(rf"^{variable}\s*=\s*((?:.*\\\n)*.*\n)", makefile, re.M)
        if found is None:
            raise ValueError(f"Makefile.in has no {variable}")
        words = found[1].replace("$(LIB_DIR)", "lib/").replace("\\", " ").split()
        names += [word for word in words if word.endswith(".o")]
    return names


def embedded(name: str, code: bytes) -> str:
    """Return C++ that holds Tcl code."""
    numbers = ",".join(str(byte if byte < 128 else byte - 256) for byte in code)
    text = f"static const char code[] = {{{numbers},0}};"
    return f'#include "config.h"\n{text}\nEmbeddedTcl {name}(code);\n'


def library(program: bytes) -> bytes:
    """Return the Tcl library in an installed ns-2."""
    place = program.find(FIRST)
    if place < 0:
        raise ValueError("the installed ns has no Tcl library in it")
    return program[place : program.index(b"\0", place)]


def write_sources(source: Path, program: bytes) -> None:
    """Write what ns-2's configuration would write, and a makefile."""
    (source / "autoconf.h").write_text(AUTOCONF)
    (source / "gen").mkdir(exist_ok=True)
    (source / "gen/ns_tcl.cc").write_text(embedded("et_ns_lib", library(program)))
    (source / "gen/binding.cc").write_text(BINDING)
    (source / "gen/version.cc").write_text('char version_string[] = "2.35";\n')
    made = ["gen/ns_tcl.o", "gen/binding.o", "gen/version.o", "gen/ptypes.o"]
    begin = ["common/main-monolithic.o", "common/tclAppInit.o"]
    listed = objects((source / "Makefile.in").read_text(errors="replace"))
    options = [f"-D{name}" for name in DEFINED.split()] + [f"-I{path}" for path in INCLUDED.split()]
    flags = f"-O2 -w {' '.join(options)}"
    libraries = "-ltclcl -lotcl -ltcl8.6 -lm -ldl"
    lines = [
        f"OBJECTS = {' '.join(listed + made + begin)}",
        f"CXXFLAGS = {flags} -std=gnu++98 -fpermissive",
        f"CFLAGS = {flags} -std=gnu89",
        "ns: $(OBJECTS)",
        f"\tg++ -o $@ $(OBJECTS) {libraries}",
        # It needs only what a packet is called; the rest of ns-2 is not there yet.
        "gen/ptypes.cc: common/ptypes2tcl.cc",
        f"\tg++ $(CXXFLAGS) -o gen/ptypes $< -Wl,--unresolved-symbols=ignore-all {libraries}",
        "\tgen/ptypes > $@",
    ]
    (source / "build.mk").write_text("\n".join(lines) + "\n")


def run(*command: str, folder: Path) -> None:
    """Run a command in a folder; raise ValueError where it fails."""
    try:
        subprocess.run(command, cwd=folder, check=True)
    except FileNotFoundError:
        raise ValueError(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(f"{command[0]} failed with {error.returncode} in {folder}") from None


def build(archive: Path, folder: Path, patches: Sequence[Path], program: bytes) -> None:
    """Unpack ns-2, patch it and build FOLDER/ns; raise OSError or ValueError where that fails."""
    folder.mkdir(parents=True)
    run("tar", "-xf", str(archive.resolve()), folder=folder)
    source = next((path.parent for path in folder.glob("*/Makefile.in")), None)
    if source is None:
        raise ValueError(f"{archive}: no folder in it has a Makefile.in: not the source of ns-2")
    for patch in patches:
        run("patch", "--batch", "-p1", "-i", str(patch.resolve()), folder=source)
    write_sources(source, program)
    run("make", "-s", "-f", "build.mk", f"-j{os.cpu_count()}", "ns", folder=source)
    shutil.copy2(source / "ns", folder / "ns")


def main() -> int:
    """Parse the arguments and build."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="ns2_2.35+dfsg.orig.tar.xz")
    parser.add_argument("folder", type=Path, help="a new folder, to build it in: FOLDER/ns")
    parser.add_argument("--patch", type=Path, action="append", default=[], help="repeatable")
    args = parser.parse_args()
    ns = shutil.which("ns")
    if ns is None:
        print(batch.NO_NS, file=sys.stderr)
        return 3
    try:
        build(args.source, args.folder, args.patch, Path(ns).read_bytes())
    except FileExistsError:
        print(f"{args.folder}: it exists; name a new folder, or remove it", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(args.folder.resolve() / "ns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
