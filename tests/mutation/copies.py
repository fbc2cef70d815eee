"""Writes copies of the sources in which each place checks whether its mutant is on (mutant.h).

A copy has the lines of the original: the code of a mutant is in the line where its place begins, so that the line of a
compiler message identifies the place.
"""
import re
from pathlib import Path


def asked(place):
    return f"mutants::is_on{'_at_run_time' if place.at_run_time else ''}({place.number}u)"


def wrapped(place, inside):
    """The place as a choice; `inside` is the original, which may contain other places."""
    if place.form == "negate":
        return f"({asked(place)} != static_cast<bool>({inside}))"
    if place.form == "drop":
        return f"({asked(place)} ? void() : static_cast<void>({inside}))"
    if place.form == "jump":
        return f"{{ if (!{asked(place)}) {inside} }}"
    return f"({asked(place)} ? ({place.changed}) : ({inside}))"


def copy_of(text, places):
    """The text of a file with all its places. Places are nested or disjoint."""
    order = {"jump": 0, "drop": 1, "negate": 2, "choose": 3}
    places = sorted(places, key=lambda p: (p.begin, -p.end, order[p.form], p.number))
    consts = {p.constant: "inline const" if p.in_class else "const" for p in places if p.constant >= 0}

    def plain(begin, end):
        part, at = "", begin
        for constant in sorted(c for c in consts if begin <= c < end):
            part += text[at:constant].decode() + consts[constant]
            at = constant + len("constexpr")
        return part + text[at:end].decode()

    def render(begin, end, inner):
        result, at, i = "", begin, 0
        while i < len(inner):
            place = inner[i]
            inside = []
            i += 1
            while i < len(inner) and inner[i].begin < place.end:
                inside.append(inner[i])
                i += 1
            result += plain(at, place.begin) + wrapped(place, render(place.begin, place.end, inside))
            at = place.end
        return result + plain(at, end)

    # Places that overlap without nesting are not possible: the later one is skipped.
    kept, open_ends = [], []
    for place in places:
        while open_ends and open_ends[-1] <= place.begin:
            open_ends.pop()
        if not open_ends or place.end <= open_ends[-1]:
            kept.append(place)
            open_ends.append(place.end)
    return render(0, len(text), kept)


def spans(copy):
    """The range of each mutant in a copy: {number: (begin, end)}."""
    found = {}
    for match in re.finditer(r"mutants::is_on(?:_at_run_time)?\((\d+)u\)", copy):
        begin = copy.rindex("(" if copy[match.start() - 1] != "!" else "{", 0, match.start())
        depth, end = 0, begin
        for end in range(begin, len(copy)):
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(copy[end], 0)
            if depth == 0:
                break
        found[int(match[1])] = (begin, end + 1)
    return found


def write_if_changed(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)


def write_tree(root, tree, places, dropped):
    """The project below `root`, with copies that replace its mutated files."""
    by_file = {}
    for place in places:
        if place.number not in dropped:
            by_file.setdefault(place.file, []).append(place)
    for entry in sorted(root.iterdir()):
        link = tree / entry.name
        if entry.name not in ("sim", "build", ".git") and not link.exists():
            tree.mkdir(parents=True, exist_ok=True)
            link.symlink_to(entry)
    there = set()
    for source in sorted((root / "sim").rglob("*")):
        if not source.is_file():
            continue
        name = source.relative_to(root)
        there.add(tree / name)
        text = source.read_bytes()
        found = by_file.get(str(name))
        # A file without mutants is copied as it is: it may be no text, such as an icon.
        write_if_changed(tree / name, text if found is None else copy_of(text, found).encode())
    for old in (tree / "sim").rglob("*"):
        if old.is_file() and old not in there:
            old.unlink()


MESSAGE = re.compile(r"^(/[^:\s]+):(\d+):(\d+): +(error|note|required from)", re.M)


class Copy:
    """A written copy, and the ranges of its mutants."""

    def __init__(self, path, places):
        self.text = path.read_text()
        self.spans = spans(self.text)
        self.lines = [0, *(m.end() for m in re.finditer("\n", self.text)), len(self.text)]
        self.constants = {}  # the mutants of a constant, by line
        for place in places:
            if place.constant >= 0 and place.number in self.spans:
                last = self.text.count("\n", 0, self.spans[place.number][0]) + 1
                for line in range(place.constant_line, last + 1):
                    self.constants.setdefault(line, set()).add(place.number)

    def at(self, line, column):
        """The innermost mutant at this position, otherwise all mutants of the line."""
        begin, end = self.lines[line - 1], self.lines[line]
        around = [n for n, (b, e) in self.spans.items() if b <= begin + column - 1 < e]
        if around:
            return {min(around, key=lambda n: self.spans[n][1] - self.spans[n][0])}
        return {n for n, (b, _) in self.spans.items() if begin <= b < end}


def blamed(log, tree, places):
    """The numbers of the places that the compiler's messages refer to."""
    here = {}
    for place in places:
        here.setdefault(place.file, []).append(place)
    copies, guilty, asked_for_by = {}, set(), None
    for path, line, column, what in MESSAGE.findall(log):
        name = path[len(str(tree)) + 1:]
        if not path.startswith(f"{tree}/sim/"):
            if what == "error" and asked_for_by is not None:  # the error is in a template of a library
                guilty |= asked_for_by
            asked_for_by = None if what == "error" else asked_for_by
            continue
        if name not in copies:
            copies[name] = Copy(Path(path), here.get(name, []))
        copy = copies[name]
        if what == "required from":
            asked_for_by = asked_for_by or copy.at(int(line), int(column))
            continue
        if what == "error":
            guilty |= copy.at(int(line), int(column))
            asked_for_by = None
        guilty |= copy.constants.get(int(line), set())
    return guilty
