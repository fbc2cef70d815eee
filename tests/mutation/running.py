"""Runs the tests of a build that contains all mutants: which tests reach which mutants, and which test notices one."""
import json
import math
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from building import PROGRAMS, say

# Their tests share results that take long to compute, and run in one process (the same list as in tests/CMakeLists.txt).
TOGETHER = {"ReproducedTables", "Scores", "PublishedTables", "SwitchTables", "GoldenReproductions"}
QUICK = 1  # CPU seconds that a quick test takes at most, alone in a process of this build
SLOWEST = 900  # CPU seconds that a slow test takes at most
MOST_LEFT_OUT = 3  # tests that may fail without any mutant; more of them are an error
STAGES = (0.5, 2, 8, 30)  # seconds of tests in each process, one process after the other, until a test fails
MEMORY, FILE = 3 << 30, 1 << 36  # limits of a mutant in bytes: memory, and the size of one file


@dataclass
class Test:
    program: str
    name: str  # or the names of a group of tests, separated by colons
    room: str
    seconds: float = 0
    reached: set = field(default_factory=set)

    @property
    def slow(self):
        return self.seconds > QUICK


@dataclass
class Outcome:
    noticed_by: str = ""  # a test, or the first of the process that crashed or hung
    how: str = ""
    slow: bool = False
    tests: int = 0  # number of quick tests that reach it
    seconds: float = 0


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(words, environment, folder, seconds, running):
    """The exit code and the output. Each process may use at most this many CPU seconds; the code is None if the command has
    not ended long after that. Its children end with it. Until then it is in the set `running`."""
    process = subprocess.Popen(words, env={**os.environ, **environment}, cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               preexec_fn=lambda: limits(seconds))
    running.add(process)
    try:
        out, _ = process.communicate(timeout=20 + 10 * seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        out, code = b"", None
    kill(process)
    if code is None:
        out, _ = process.communicate()
    running.discard(process)
    return code, out.decode(errors="replace")


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Tests:
    def __init__(self, build, jobs):
        self.build, self.jobs = build, jobs
        self.tests = []
        self.running, self.stopped = set(), False

    def stop(self):
        """Ends the running tests; their results are then meaningless."""
        self.stopped = True
        for process in list(self.running):
            kill(process)

    def in_folder(self, action, *arguments):
        """Calls action(folder, environment, arguments...) with its own directory for temporary files."""
        folder = Path(tempfile.mkdtemp(prefix="switchyard-mutant-"))
        try:
            return action(folder, {"TMPDIR": str(folder), "TEST_TMPDIR": str(folder)}, *arguments)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def listed(self, program):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            subprocess.run([self.build.program(program), "--gtest_list_tests", f"--gtest_output=json:{file.name}"],
                           check=True, stdout=subprocess.DEVNULL)
            suites = json.load(file)["testsuites"]
        for suite in suites:
            for test in suite["testsuite"]:
                if not test["name"].startswith("DISABLED_"):
                    room = Path(test["file"]).parent.name
                    yield Test(program, f'{suite["name"]}.{test["name"]}', room)

    # --- the first pass ---

    def record(self, thorough):
        """Records the mutants that each test reaches, and its time; valid until a program changes. Unless thorough, slow tests
        are ended and skipped."""
        state = [program.stat().st_mtime for program in self.build.programs()]
        whole = self.build.folder / "reached.json"
        kept = whole if thorough else self.build.folder / "reached-quick.json"
        for kept in (whole,) if thorough else (whole, kept):
            if not kept.exists():
                continue
            old = json.loads(kept.read_text())
            if old["state"] == state:
                self.tests = [Test(**{**t, "reached": set(t["reached"])}) for t in old["tests"]]
                return
        units = {}
        for program in PROGRAMS:
            for test in self.listed(program):
                suite = test.name.split(".")[0]
                units.setdefault((program, suite if suite in TOGETHER else test.name), []).append(test)
        say(f"one pass of {sum(map(len, units.values()))} tests without a mutant")
        self.tests = [Test(unit[0].program, ":".join(t.name for t in unit), unit[0].room) for unit in units.values()]
        with ThreadPoolExecutor(self.jobs) as pool:
            failed = [f for f in pool.map(lambda unit: self.in_folder(self.record_unit, unit, thorough), self.tests) if f]
        if failed:
            say("these tests fail without any mutant, and are skipped:\n" + "\n".join(failed))
        if len(failed) > MOST_LEFT_OUT:
            raise SystemExit(1)
        self.tests = sorted((t for t in self.tests if t.reached), key=lambda t: t.seconds)
        kept.write_text(json.dumps({"state": state, "tests": [{**vars(t), "reached": sorted(t.reached)} for t in self.tests]}))

    def record_unit(self, folder, environment, unit, thorough):
        """Records the mutants that a test reaches, and its time. Returns the problem, if there is one."""
        reached = folder / "reached"
        words = self.words(unit.program, [unit], folder)
        environment = {**environment, "SWITCHYARD_MUTANTS_REACHED": str(reached)}
        code, out = run(words, environment, folder, SLOWEST if thorough else QUICK, self.running)
        if not thorough and code in (None, -signal.SIGXCPU):
            return None  # a slow test
        if code not in (0, None) and not thorough:  # or a child of it was ended
            code, out = run(words, environment, folder, SLOWEST, self.running)
        if code != 0:
            return f"{unit.name}: exit code {code}\n{out[-1500:]}"
        lines = [line.split() for line in reached.read_text().splitlines()]
        unit.seconds = sum(int(line[1]) for line in lines if line[0] == "used") / 1e6
        unit.reached = {int(line[0]) for line in lines if len(line) == 1}
        return None

    def words(self, program, tests, folder):
        flags = folder / f"{program}.flags"
        flags.write_text("--gtest_filter=" + ":".join(t.name for t in tests) + "\n")
        return [str(self.build.program(program)), f"--gtest_flagfile={flags}", "--gtest_brief=1", "--gtest_fail_fast"]

    # --- one mutant ---

    def outcome(self, place, thorough=True):
        return self.in_folder(self.outcome_in, place, thorough)

    def outcome_in(self, folder, environment, place, thorough):
        """Runs the tests that reach the mutant, the quickest first (those of the same module before others), in stages."""
        begin = time.monotonic()
        room = place.file.split("/")[1]
        own = [t for t in self.tests if place.number in t.reached]
        result = Outcome(tests=sum(not t.slow for t in own))
        environment = {**environment, "SWITCHYARD_MUTANT": str(place.number)}
        for slow in (False, True) if thorough else (False,):
            tests = [t for t in own if t.slow == slow]
            tests.sort(key=lambda t: t.seconds * (0.3 if t.room == room else 1))
            for stage in stages_of(tests):
                if self.stopped:
                    return result
                for program in sorted({t.program for t in stage}):
                    part = [t for t in stage if t.program == program]
                    limit = 2 + math.ceil(5 * sum(t.seconds for t in part))
                    code, out = run(self.words(program, part, folder), environment, folder, limit, self.running)
                    if code == 0:
                        continue
                    failed = [line.split("]")[1].strip().split(" ")[0].rstrip(",") for line in out.splitlines()
                              if line.startswith("[  FAILED  ]") and "." in line]
                    result.noticed_by = failed[0] if failed else part[0].name.split(":")[0]
                    stuck = code is None or code == -signal.SIGXCPU
                    result.how = "hangs" if stuck else "fails" if failed else "crashes"
                    result.slow = slow
                    result.seconds = time.monotonic() - begin
                    return result
        result.seconds = time.monotonic() - begin
        return result


def stages_of(tests):
    stage, budget, total = [], 0, 0.0
    for test in tests:
        stage.append(test)
        total += test.seconds
        if budget < len(STAGES) and total >= STAGES[budget]:
            yield stage
            stage, budget, total = [], budget + 1, 0.0
    if stage:
        yield stage
