#!/usr/bin/python3
"""Mutation testing: does a test fail when a line is wrong? docs/how-to/testing.md explains the method and the report.

  ./run mutation-test                          300 mutants from all of sim/; another 300 with --seed 2
  ./run mutation-test --only sim/policies/nt4.cpp --all
                                         every mutant of a file (or of a directory)
  ./run mutation-test --list --only sim/core   list the mutants, and their numbers in this build
  ./run mutation-test --number 1234            one mutant
  ./run mutation-test --listed                 those listed in tests/mutation/equivalent.json: no test may detect them

Exit code: 0 if each mutant is noticed by a test or listed as equivalent, 1 if one is neither, or both.
"""
import argparse
import collections
import hashlib
import json
import math
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from building import Build, say
from running import Tests

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests/mutation/equivalent.json"
# The worst effect of a wrong line is a wrong result. Drawing and printing have half the normal weight.
WEIGHTS = {"core": 2, "policies": 2, "actions": 2, "replay": 2, "plot": 0.5, "cli": 0.5, "figures": 0.5}


def arguments():
    parser = argparse.ArgumentParser(prog="./run mutation-test", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="number of mutants (300)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
    parser.add_argument("--only", action="append", default=[], metavar="PATH", help="only mutants of this file or directory; may be repeated")
    parser.add_argument("--kind", help="only mutants of this kind, such as 'comparison'")
    parser.add_argument("--all", action="store_true", help="all mutants instead of a sample")
    parser.add_argument("--number", action="append", type=int, default=[], help="the mutant with this number; may be repeated")
    parser.add_argument("--listed", action="store_true", help="only the mutants listed as equivalent")
    parser.add_argument("--list", action="store_true", help="print the mutants, do not run them")
    parser.add_argument("--quick", action="store_true", help="skip the slow tests; without this option, survivors also run all slow tests")
    parser.add_argument("--jobs", type=int, default=2, help="mutants to run at a time (2)")
    return parser.parse_args()


def equivalents(places, options):
    """The reasons by key, and the entries of the list for places that do not exist."""
    there = {p.key() for p in places}
    reasons, stale = {}, []
    for entry in json.loads(LIST.read_text()):
        key = (entry["file"], entry["function"], entry["kind"], entry["original"], entry["changed"], entry["nth"])
        reasons[key] = entry["reason"]
        if key not in there and is_wanted(entry["file"], options):
            stale.append(f'{entry["file"]}: {entry["function"]}: {entry["original"]} -> {entry["changed"]}')
    return reasons, stale


def is_wanted(file, options):
    """Whether the file is one of --only, or in a directory of --only."""
    return not options.only or any(
        file == only.rstrip("/") or file.startswith(only.rstrip("/") + "/") for only in options.only)


def chosen(places, options, reasons):
    if options.number:
        return [p for p in places if p.number in options.number]
    if options.listed:
        return [p for p in places if p.key() in reasons]
    places = [p for p in places if is_wanted(p.file, options)]
    places = [p for p in places if options.kind in (None, p.kind)]
    if options.all or len(places) <= options.count:
        return places
    return sample(places, options.count, options.seed)


def sample(places, count, seed):
    """The sample depends on the content of a place, not on its position: a change elsewhere does not change the sample."""
    def draw(place):
        text = json.dumps([seed, *place.key()])
        drawn = (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") + 1) / 2**64
        return -math.log(drawn) / WEIGHTS.get(place.file.split("/")[1], 1)

    picked = {p.number for p in sorted(places, key=draw)[:count]}
    return [p for p in places if p.number in picked]


def described(place):
    return f"{place.file}:{place.line} ({place.function}) {place.kind} {place.number}: {place.original}  ->  {place.changed}"


def run_all(picked, tests, reasons, options):
    """The outcome of each, in random order, so that an interrupt leaves a sample, too. Mutants that are listed as equivalent
    run only the quick tests; with --listed or --number also the slow ones."""
    def thorough(place):
        return not options.quick and (place.key() not in reasons or options.listed or bool(options.number))

    outcomes, begin, picked = {}, time.monotonic(), list(picked)
    random.Random(0).shuffle(picked)
    pool = ThreadPoolExecutor(options.jobs)
    running = {pool.submit(tests.outcome, place, thorough(place)): place for place in picked}
    try:
        for done in as_completed(running):
            place, outcome = running[done], done.result()
            if tests.stopped:
                break
            outcomes[place.number] = outcome
            fate = f"{outcome.how}: {outcome.noticed_by}" if outcome.how else f"SURVIVES {outcome.tests} tests"
            say(f"{len(outcomes):4}/{len(picked)} {time.monotonic() - begin:5.0f} s  {described(place)[:150]}  {fate}")
    except KeyboardInterrupt:
        say("interrupted: the report covers only the mutants that were run")
        tests.stop()
    pool.shutdown(cancel_futures=True)
    return outcomes


def table(title, rows):
    print(f"\n{title:24} mutants  noticed  by slow tests  equivalent  survivors")
    for name, row in sorted(rows.items()):
        print(f"{name:24} {row['all']:7}  {row['noticed']:7}  {row['slow']:13}  {row['listed']:10}  {row['survives']:9}")


def report(picked, outcomes, reasons, stale, minutes):
    """Prints the report. Returns whether there is no problem."""
    by = {"where": {}, "kind": {}, "total": {"all": collections.Counter()}}
    survivors, wrong = [], []
    for place in picked:
        outcome, listed = outcomes[place.number], place.key() in reasons
        fate = "noticed" if outcome.how else "listed" if listed else "survives"
        for rows, name in ((by["where"], "/".join(place.file.split("/")[:2])), (by["kind"], place.kind), (by["total"], "all")):
            row = rows.setdefault(name, collections.Counter())
            row["all"] += 1
            row[fate] += 1
            row["slow"] += outcome.slow
        if fate == "survives":
            survivors.append(place)
        if listed and outcome.how:
            wrong.append((place, outcome))
    table("where", by["where"])
    table("kind", by["kind"])
    total = by["total"]["all"]
    counted = total["all"] - total["listed"]
    print(f"\n{total['all']} mutants: {total['noticed']} noticed ({total['slow']} of them by slow tests only), "
          f"{total['listed']} listed as equivalent, {len(survivors)} survivors")
    if counted:
        print(f"noticed of those that are not listed: {100 * total['noticed'] / counted:.1f} %")
    print(f"minutes: {minutes['build']:.1f} for the build, {minutes['record']:.1f} for the pass without a mutant, "
          f"{minutes['run']:.1f} for the mutants")
    for place in survivors:
        print(f"\nSURVIVES: {described(place)}\n  {outcomes[place.number].tests} quick tests reach it")
        print("  " + json.dumps({"file": place.file, "function": place.function, "kind": place.kind,
                                 "original": place.original, "changed": place.changed, "nth": place.nth, "reason": ""},
                                ensure_ascii=False))
    for place, outcome in wrong:
        print(f"\nLISTED, BUT NOTICED: {described(place)}\n  {outcome.how}: {outcome.noticed_by}")
    for entry in stale:
        print(f"\nLISTED, BUT NOT FOUND: {entry}")
    return not (survivors or wrong or stale)


def main():
    options = arguments()
    build, minutes, begin = Build(ROOT), {}, time.monotonic()

    def minutes_since_last():
        nonlocal begin
        last, begin = begin, time.monotonic()
        return (begin - last) / 60

    places = build.make(lambda place: is_wanted(place.file, options))
    minutes["build"] = minutes_since_last()
    reasons, stale = equivalents(places, options)
    picked = chosen(places, options, reasons)
    if options.list:
        print("\n".join(map(described, picked)))
        return 0
    tests = Tests(build, options.jobs)
    tests.record(thorough=not options.quick)
    minutes["record"] = minutes_since_last()
    quick = [t for t in tests.tests if not t.slow]
    slow = [t for t in tests.tests if t.slow]
    reached = [set().union(*(t.reached for t in some)) for some in (quick, tests.tests)]
    by_quick, by_all = (sum(p.number in numbers for p in places) for numbers in reached)
    say(f"{len(quick)} quick tests, {sum(t.seconds for t in quick):.0f} s, reach {by_quick} of {len(places)} mutants; "
        f"with {len(slow)} slow ones, {sum(t.seconds for t in slow):.0f} s, it is {by_all}")
    outcomes = run_all(picked, tests, reasons, options)
    minutes["run"] = minutes_since_last()
    done = [p for p in picked if p.number in outcomes]
    return 0 if report(done, outcomes, reasons, stale, minutes) and len(done) == len(picked) else 1


if __name__ == "__main__":
    sys.exit(main())
