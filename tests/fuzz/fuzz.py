#!/usr/bin/env python3
"""Runs the fuzz targets of a build, several at a time, and prints the number of executions, the kept inputs and the coverage.

Inputs that reach new code stay in the build directory, and the next run starts with them. --keep copies those of at most
2 KiB into tests/fuzz/corpus/: the smallest first, and none that reaches no more code than those before it.
Exit 1 if a target has found a failure: prints the names of its input and its report.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LONGEST_KEPT, MOST_KEPT = 2048, 150


def tool(name):
    """llvm-cov is called llvm-cov-14 where only that is installed."""
    found = shutil.which(name) or shutil.which(name + '-14')
    if not found:
        sys.exit(f'{name} is missing: install the package llvm')
    return found


class Target:
    def __init__(self, build, name):
        self.name = name
        self.program = build / 'tests/fuzz' / f'fuzz_{name}'
        self.first = HERE / 'corpus' / name
        self.found = build / f'corpus-{name}'
        self.log = build / f'fuzz-{name}.log'
        self.artifacts = build / 'found'
        self.profile = build / f'fuzz-{name}.profdata'
        self.executions = self.edges = self.exit_code = 0
        self.found.mkdir(parents=True, exist_ok=True)
        self.artifacts.mkdir(parents=True, exist_ok=True)
        self.first.mkdir(parents=True, exist_ok=True)

    def run(self, seconds):
        words = [self.program, self.found, self.first, f'-max_total_time={seconds}', '-rss_limit_mb=1024', '-timeout=10',
                 '-print_final_stats=1', f'-artifact_prefix={self.artifacts}/{self.name}-']
        if (HERE / f'{self.name}.dict').exists():
            words.append(f'-dict={HERE / self.name}.dict')
        with open(self.log, 'wb') as log:
            self.exit_code = subprocess.run(words, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                            env=self.environment('/dev/null')).returncode
        text = self.log.read_text(errors='replace')
        self.executions = int((re.findall(r'number_of_executed_units:\s*(\d+)', text) or [0])[-1])
        self.edges = int((re.findall(r'cov: (\d+)', text) or [0])[-1])
        return self

    @staticmethod
    def environment(profile):
        return dict(os.environ, LLVM_PROFILE_FILE=str(profile))

    def measure(self):
        """Runs each input once, to record the lines that they reach."""
        raw = self.profile.with_suffix('.profraw')
        subprocess.run([self.program, '-runs=0', self.first, self.found], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=self.environment(raw))
        subprocess.run([tool('llvm-profdata'), 'merge', '-sparse', raw, '-o', self.profile], check=True)
        raw.unlink()

    def keep(self):
        """Copies the small inputs that reach new code. Returns the number of files."""
        before = set(self.first.iterdir())
        with tempfile.TemporaryDirectory() as small:
            for file in self.found.iterdir():
                if file.stat().st_size <= LONGEST_KEPT:
                    shutil.copy(file, small)
            subprocess.run([self.program, '-merge=1', self.first, small], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=self.environment('/dev/null'), check=True)
        new = sorted(set(self.first.iterdir()) - before, key=lambda file: (file.stat().st_size, file.name))
        for file in new[max(0, MOST_KEPT - len(before)):]:
            file.unlink()
        return min(len(new), max(0, MOST_KEPT - len(before)))


def lines_covered(targets, profile):
    """{file below sim/ or ui/: (lines reached, lines)} of these targets' programs."""
    words = [tool('llvm-cov'), 'export', '-summary-only', f'-instr-profile={profile}', targets[0].program]
    for other in targets[1:]:
        words += ['-object', other.program]
    files = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)['data'][0]['files']
    covered = {}
    for file in files:
        name = os.path.relpath(file['filename'], ROOT)
        if name.startswith(('sim/', 'ui/')):
            lines = file['summary']['lines']
            covered[name] = (lines['covered'], lines['count'])
    return covered


def share(files):
    reached, all_lines = sum(a for a, _ in files), sum(b for _, b in files)
    return f'{100 * reached / all_lines:.0f} %' if all_lines else '-'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path, help='directory of a build with SWITCHYARD_FUZZ')
    parser.add_argument('targets', nargs='*', help='only these targets (all)')
    parser.add_argument('--seconds', type=int, default=300, help='seconds for each target (300)')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='targets to run at a time (number of CPUs)')
    parser.add_argument('--keep', action='store_true', help='copy new inputs into tests/fuzz/corpus/')
    o = parser.parse_intermixed_args()
    there = sorted(path.name[len('fuzz_'):] for path in (o.build / 'tests/fuzz').glob('fuzz_*') if os.access(path, os.X_OK)
                   and path.is_file())
    unknown = set(o.targets) - set(there)
    if unknown or not there:
        sys.exit(f'unknown target {", ".join(sorted(unknown))}; the targets are: {", ".join(there) or "none"}')
    targets = [Target(o.build.resolve(), name) for name in o.targets or there]

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(t.run, o.seconds) for t in targets]):
            t = done.result()
            print(f'{t.name}: {t.executions:,} executions in {o.seconds} s'
                  + (f'; FOUND a failure: {t.log}' if t.exit_code else ''), flush=True)
    for t in targets:
        t.measure()

    print(f'\n{"target":10} {"executions":>12} {"inputs":>7} {"edges":>7}   lines reached, by directory')
    everything = o.build.resolve() / 'fuzz.profdata'
    subprocess.run([tool('llvm-profdata'), 'merge', '-sparse', *(t.profile for t in targets), '-o', everything], check=True)
    for t in targets:
        rooms = {}
        for name, lines in lines_covered([t], t.profile).items():
            rooms.setdefault('/'.join(name.split('/')[:2]), []).append(lines)
        said = ', '.join(f'{room} {share(files)}' for room, files in sorted(rooms.items())
                         if sum(a for a, _ in files) > 0)
        inputs = len(list(t.found.iterdir())) + len(list(t.first.iterdir()))
        print(f'{t.name:10} {t.executions:12,} {inputs:7} {t.edges:7}   {said}')
    print(f'{sum(t.executions for t in targets):,} executions; all targets together reach '
          f'{share(lines_covered(targets, everything).values())} of the lines that are linked into them')
    if o.keep:
        print('kept: ' + ', '.join(f'{t.name} {t.keep()}' for t in targets))
    failed = [t for t in targets if t.exit_code]
    for t in failed:
        print(f'\n{t.name} has found a failure; its input is in {t.artifacts}, and {t.log} ends with\n'
              + t.log.read_text(errors='replace')[-3000:], file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
