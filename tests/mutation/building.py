"""Builds programs that contain all mutants: finds the places, writes copies of the sources, and builds them. Mutants that
do not compile are skipped."""
import hashlib
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import copies
import places

PROGRAMS = ("switchyard_tests", "switchyard_golden", "switchyard_ui_tests")


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_quietly(words, log):
    """Returns whether the command succeeded; its output is in the file `log`."""
    with open(log, "w") as out:
        return subprocess.run(words, stdout=out, stderr=subprocess.STDOUT).returncode == 0


def must_run(words, log):
    if not run_quietly(words, log):
        raise SystemExit(Path(log).read_text()[-4000:] + f"\nfailed: {' '.join(map(str, words))}")


def state_of(root):
    """A hash of all files that the places depend on."""
    total = hashlib.sha256()
    files = [*sorted((root / "sim").rglob("*")), *(root / "tests/mutation" / name for name in ("places.py", "copies.py"))]
    for file in files:
        if file.is_file():
            total.update(str(file).encode() + file.read_bytes())
    return total.hexdigest()


class Build:
    """build/mutation of a project."""

    def __init__(self, root):
        self.root = root
        self.folder = root / "build/mutation"
        self.tree = self.folder / "source"
        self.binaries = self.folder / "build"

    def program(self, name):
        return self.binaries / "tests" / name

    def programs(self):
        return [*map(self.program, PROGRAMS), self.binaries / "sim/cli/switchyard"]

    def make(self, wanted=lambda place: True):
        """Builds the programs with the mutants of the wanted places, and returns these places. Fewer places compile faster."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = self.folder / "places.pickle"
        state = state_of(self.root)
        found, dropped, compiled = None, set(), False
        if kept.exists():
            old_state, found, dropped, compiled = pickle.loads(kept.read_bytes())
            if old_state != state:
                found, dropped, compiled = None, set(), False
        if found is None:
            say("reading the sources")
            parse = self.folder / "parse"
            must_run(["cmake", "-S", self.root, "-B", parse, "-G", "Ninja", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=1000",
                      "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], self.folder / "parse.log")
            found = places.find_places(self.root, parse / "compile_commands.json")
            for number, place in enumerate(found):
                place.number = number
            say(f"{len(found)} places in {len({p.file for p in found})} files")
        found_all, found = found, [p for p in found if wanted(p)]
        while True:
            copies.write_tree(self.root, self.tree, found, dropped)
            if self.compile():
                break
            log = (self.folder / "build.log").read_text()
            with open(self.folder / "dropped.log", "a") as out:
                out.write(log)
            guilty = copies.blamed(log, self.tree, found)
            dropped |= guilty
            say(f"{len(guilty)} places do not compile with their mutants and are skipped")
            kept.write_bytes(pickle.dumps((state, found_all, dropped, False)))
            if not guilty:
                raise SystemExit((self.folder / "build.log").read_text()[-6000:])
        kept.write_bytes(pickle.dumps((state, found_all, dropped, True)))
        return [p for p in found if p.number not in dropped]

    def compile(self):
        say("building")
        runtime, source = self.folder / "mutant.o", self.root / "tests/mutation/mutant.cpp"
        if not runtime.exists() or runtime.stat().st_mtime < source.stat().st_mtime:
            must_run(["g++", "-std=c++20", "-O2", "-I", self.root, "-c", source, "-o", runtime], self.folder / "configure.log")
            for program in self.programs():
                program.unlink(missing_ok=True)  # so that it is linked again
        flags = f"-O1 -DNDEBUG -DSWITCHYARD_FEWER_ROUNDS -w -fmax-errors=0 -include {self.root}/tests/mutation/mutant.h"
        must_run(["cmake", "-S", self.tree, "-B", self.binaries, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                  "-DCMAKE_CXX_COMPILER=g++", f"-DCMAKE_CXX_FLAGS={flags}",
                  f"-DCMAKE_CXX_STANDARD_LIBRARIES={runtime}", f"-DSWITCHYARD_TESTED_TREE={self.root}"],
                 self.folder / "configure.log")
        return run_quietly(["cmake", "--build", self.binaries, "--target", "switchyard", *PROGRAMS, "--", "-k", "0"],
                           self.folder / "build.log")
