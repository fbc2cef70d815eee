"""The numbers of the home page's figure, computed by the program: for each number of processes and each kernel, what the first yields
cost, which tasks each search visits, and the mean cost of a yield in a long run.

The program's command line is `switchyard`, a function from words and standard input to standard output (make.py)."""
import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor

COUNTS = [2, 4, 8, 10, 20, 40]  # the columns of the table of 1997
KERNELS = {"original": "linux-2.0", "patched": "linux-2.0:yield=one_tick"}
YIELDS = 40  # as many as the patched kernel needs from one recalculation to the next, with two processes
# The work of the kernel in the trace, by the names of the costs on the pages.
PARTS = {"system_call": "system", "search": "search", "recalculation": "recalc", "switch": "switch", "page_tables": "address_space"}


def options(count, policy):
    return ["yield-processes", "--set", f"/tasks/0/count={count}", "--policy", policy]


def yields_of_trace(text):
    """For each yield: the intervals of the kernel's work as [part, nanoseconds], and the number of recalculated tasks."""
    yields, begun, work, recalculated = [], {}, None, 0
    for row in csv.DictReader(io.StringIO(text)):
        what = row["what"]
        if row["event"] == "sched_yield":
            if work is not None:
                yields.append({"parts": work, "recalculated": recalculated})
            work, recalculated = [], 0
        elif work is None:
            continue
        elif row["event"] == "recalculation":
            recalculated = int(row["value"])
        elif row["event"] == "work_begin":
            begun[len(begun)] = (what, int(row["time_ns"]))
        elif row["event"] == "work_end":
            kind, begin = begun.pop(len(begun) - 1)
            if kind in PARTS:
                work.append([PARTS[kind], int(row["time_ns"]) - begin])
    return yields


def searches(text):
    """For each decision: the winner, the number of visited tasks, and, as `switchyard step` prints, the first twelve of them with their
    goodness, then the winner if it is none of the twelve. Tasks are numbered from 0."""
    found = []
    for block in re.split(r"schedule\(\): prev is .*\n", text)[1:]:
        visited = re.findall(r"^ +spinner\.(\d+) +counter .*?goodness +(-?\d+)", block, re.M)
        winner = re.search(r"^ +spinner\.(\d+) runs", block, re.M)
        found.append({"next": int(winner[1]) - 1, "visited": int(re.search(r"work: (\d+) tasks? considered", block)[1]),
                      "order": [int(name) - 1 for name, _ in visited], "goodness": [int(value) for _, value in visited]})
    return found


def figure_of(switchyard, count, policy):
    session = "start\n" + "yield\n" * (YIELDS + 1)
    decisions = searches(switchyard(["step", *options(count, policy)], session))[1:]  # the first one has no task before it
    trace = yields_of_trace(switchyard(["export", *options(count, policy), "--format", "csv", "--until", "3ms", "--quiet"]))
    if len(decisions) < YIELDS or len(trace) < YIELDS:
        raise SystemExit(f"home_data.py: {len(decisions)} decisions and {len(trace)} yields of {count} processes under {policy}")
    long_run = ["run", *options(count, policy), "--until", "1s"]
    run = json.loads(switchyard([*long_run, "--format", "json"]))
    return {"command": " ".join(["switchyard", *long_run]), "mean": run["simulated_ns"] / run["yields"]["calls"],
            "yields_per_recalculation": run["yields"]["calls"] / run["schedule"]["recalculations"],
            "parts": {name: run["time_ns"][name] / run["yields"]["calls"] for name in dict.fromkeys(PARTS.values())},
            "yields": [{**a, **b} for a, b in zip(trace[:YIELDS], decisions)]}


def home_data(switchyard):
    cases = [(kernel, count) for kernel in KERNELS for count in COUNTS]
    with ThreadPoolExecutor() as pool:
        figures = pool.map(lambda case: figure_of(switchyard, case[1], KERNELS[case[0]]), cases)
    return {"counts": COUNTS,
            "figures": {f"{kernel} {count}": figure for (kernel, count), figure in zip(cases, figures)}}
