#!/usr/bin/env python3
"""describe.py DIRECTORY VERSION: writes the page that tells which file is for whom, and SHA256SUMS."""
import hashlib
import pathlib
import re
import sys

directory, version = pathlib.Path(sys.argv[1]), sys.argv[2]
KINDS = [
    (r"windows-x86_64\.zip", "Windows 10 (version 1903) or later, 64 bits", "Unpack it, and double-click `switchyard-ui.exe`."),
    (r"linux-x86_64\.tar\.gz", "Linux on a PC, any distribution since 2018 (glibc 2.28)", "Unpack it, and run `bin/switchyard-ui`."),
    (r"linux-aarch64\.tar\.gz", "Linux on 64-bit ARM, since 2018 (glibc 2.28)", "Unpack it, and run `bin/switchyard-ui`."),
    (r"switchyard_.*deb12.*\.deb", "Debian 12: the commands", "`sudo apt install ./FILE`"),
    (r"switchyard-ui_.*deb12.*\.deb", "Debian 12: the window; needs the commands", "`sudo apt install ./FILE ./FILE-OF-THE-COMMANDS`"),
    (r"switchyard_.*deb13.*\.deb", "Debian 13: the commands", "`sudo apt install ./FILE`"),
    (r"switchyard-ui_.*deb13.*\.deb", "Debian 13: the window; needs the commands", "`sudo apt install ./FILE ./FILE-OF-THE-COMMANDS`"),
    (r"\.html", "a browser, without installation", "Open it. It contains the window, all scenarios and all lessons' scenarios, and needs no network."),
    (r"switchyard-[0-9.]+\.tar\.gz", "developers: the sources", "Unpack them, and run `./run demo`; git is not needed."),
]


def row_of(name):
    for place, (pattern, audience, use) in enumerate(KINDS):
        if re.search(pattern + "$", name):
            return place, f"| `{name}` | {audience} | {use.replace('FILE`', name + '`').replace('./FILE ', './' + name + ' ')} |"
    raise SystemExit(f"describe.py: no description for {name}")


def size_of(path):
    return f"{path.stat().st_size / 1e6:.1f} MB"


files = sorted(path for path in directory.iterdir() if path.name not in ("README.md", "SHA256SUMS"))
rows = sorted((row_of(path.name), size_of(path)) for path in files)
lines = [f"# Switchyard {version}: which file is for whom", "", "| file | for | use | size |", "|---|---|---|---|"]
lines += [f"{text} {size} |" for (_, text), size in rows]
lines += ["", "`sha256sum --check SHA256SUMS` compares the files with their checksums. The programs need no network.",
          "`switchyard --version` prints the version and the commit. `docs/changelog.md` in the sources lists the changes.", ""]
(directory / "README.md").write_text("\n".join(lines))
sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in [*files, directory / "README.md"]]
(directory / "SHA256SUMS").write_text("".join(sorted(sums, key=lambda line: line[66:])))
