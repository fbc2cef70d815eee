"""Finds the places of sim/ that a mutant can change.

clang reads the sources, with the compile commands of a build with the fewest batches. A place is an expression or a
statement in a file, with the text that replaces it when the mutant is on. Excluded are: values that the compiler needs
(template arguments, array bounds, enumerators, case labels), code from macros, texts, calls that only reserve
memory, the steps of loops, since those mutants would never end, and the initial 0 or `false` of a member, which only
makes it determinate.
"""
import bisect
import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from clang.cindex import CursorKind, Index, SourceLocation, SourceRange, TokenKind, TranslationUnit, TypeKind

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&",
              "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "^=": "|="}
CALLS = {"min": "max", "max": "min", "lower_bound": "upper_bound", "upper_bound": "lower_bound", "any_of": "all_of",
         "all_of": "any_of", "none_of": "any_of", "front": "back", "back": "front", "floor": "ceil", "ceil": "floor",
         "find_first_of": "find_last_of", "find_last_of": "find_first_of"}
# Third-party code, files that the test programs do not contain, and the widths of letters, which a test compares with the fonts.
LEFT_OUT = {"zlib_stb.cpp", "static_fmt.cpp", "version.cpp", "text_width.cpp"}
NOTHING_YET = {"= 0", "= 0.0", "= false", "{0}", "{false}"}  # the initial value of a member that is assigned later
IN_ADVANCE = {"reserve", "shrink_to_fit", "__builtin_prefetch"}

FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR,
             CursorKind.CONVERSION_FUNCTION, CursorKind.FUNCTION_TEMPLATE}
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_TEMPLATE,
           CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
IGNORED = {CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL, CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL,
           CursorKind.TYPE_ALIAS_TEMPLATE_DECL, CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
           CursorKind.TEMPLATE_TYPE_PARAMETER, CursorKind.TEMPLATE_TEMPLATE_PARAMETER, CursorKind.USING_DECLARATION}
NUMBERS = {TypeKind.BOOL, TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG,
           TypeKind.ULONGLONG, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG,
           TypeKind.LONGLONG, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.DEPENDENT}
LOOPS = {CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.CXX_FOR_RANGE_STMT}
JUMPS = {CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT}


@dataclass
class Place:
    """What a mutant changes: [begin, end) of the file, offsets in bytes."""
    file: str
    begin: int
    end: int
    kind: str
    form: str  # "choose" between two texts, "negate" a condition, "drop" an expression, "jump": drop a statement
    original: str
    changed: str  # for "choose": C++; otherwise human-readable
    function: str
    line: int
    at_run_time: bool  # in code that the compiler may also have to evaluate
    constant: int = -1  # offset of the `constexpr` that must become a plain constant for this, and its line
    constant_line: int = -1
    in_class: bool = False
    declared: tuple = ()  # the position of the name of that constant
    number: int = -1
    nth: int = 1  # number among identical places in the same function

    def key(self):
        return (self.file, self.function, self.kind, self.original, self.changed, self.nth)


class Source:
    """The tokens of one file."""

    def __init__(self, unit, name, text):
        self.text = text
        extent = SourceRange.from_locations(SourceLocation.from_offset(unit, unit.get_file(name), 0),
                                            SourceLocation.from_offset(unit, unit.get_file(name), len(text)))
        self.tokens = [(t.extent.start.offset, t.spelling.encode(), t.kind) for t in unit.get_tokens(extent=extent)
                       if t.kind != TokenKind.COMMENT]
        self.starts = [start for start, _, _ in self.tokens]

    def at(self, offset):
        """The index of the first token at or after the offset."""
        return bisect.bisect_left(self.starts, offset)

    def token(self, offset):
        i = self.at(offset)
        return self.tokens[i] if i < len(self.tokens) and self.starts[i] == offset else (offset, b"", None)

    def flat(self, begin, end, changes=None):
        """The text of [begin, end) in one line, without comments, with the tokens at some offsets changed."""
        changes = changes or {}
        text, last = b"", begin
        for i in range(self.at(begin), self.at(end)):
            start, spelling, _ = self.tokens[i]
            if text and start > last:
                text += b" "
            text += changes.get(start, spelling)
            last = start + len(spelling)
        return text.decode()


class Finder:
    """Visits the syntax trees of some sources, and collects the places of files below `root`."""

    def __init__(self, root):
        self.root = str(root) + "/"
        self.places = {}
        self.sources = {}
        self.whole = set()  # files that were visited
        self.needed = set()  # by the compiler: positions of constants that types and other constants use

    def read(self, sources, options):
        text = "".join(f'#include "{source}"\n' for source in sources)
        unit = Index.create().parse("all.cpp", args=options, unsaved_files=[("all.cpp", text)])
        errors = [d for d in unit.diagnostics if d.severity >= 3]
        if errors:
            raise SystemExit("clang cannot parse the sources: " + "; ".join(map(str, errors[:5])))
        self.unit, new = unit, set()
        for cursor in unit.cursor.get_children():
            name = cursor.location.file.name if cursor.location.file else ""
            if not name.startswith(self.root) or name in self.whole:
                continue
            if name not in new:
                new.add(name)
                self.sources[name] = Source(unit, name, Path(name).read_bytes())
            self.file, self.source = name, self.sources[name]
            self.walk(cursor, "", False, False, -1)
        self.whole |= new

    # --- visiting ---

    def walk(self, cursor, function, at_run_time, in_class, constant, declared=()):
        kind = cursor.kind
        if kind in IGNORED:
            self.need(cursor)
            return
        if kind == CursorKind.CALL_EXPR and cursor.spelling in IN_ADVANCE:
            return
        children = list(cursor.get_children())
        if kind in FUNCTIONS:
            name = qualified_name(cursor)
            function = f"{function}/{name}" if function and function != name else name
            body = [c for c in children if c.kind == CursorKind.COMPOUND_STMT]
            until = body[-1].extent.start.offset if body else cursor.extent.end.offset
            begin = self.source.at(cursor.extent.start.offset)
            words = {w for _, w, _ in self.source.tokens[begin:self.source.at(until)]}
            at_run_time = bool(words & {b"constexpr", b"consteval"})
            in_class, constant = False, -1
            if b"consteval" in words:
                return
        elif kind in CLASSES:
            in_class = True
        elif kind in (CursorKind.VAR_DECL, CursorKind.FIELD_DECL, CursorKind.PARM_DECL):
            if (allowed := self.variable(cursor, at_run_time, in_class)) is None:
                return
            children, at_run_time, constant = *allowed, constant
            if isinstance(at_run_time, tuple):
                at_run_time, constant = at_run_time
                declared = (self.file, cursor.location.offset)
            function = function or cursor.spelling
        elif kind == CursorKind.CASE_STMT:
            self.need(children[0])
            children = children[1:]
        elif kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR):
            named = cursor.location.offset  # code after the name is a template argument
            for child in children:
                if child.extent.start.offset > named:
                    self.need(child)
            children = [c for c in children if c.extent.start.offset < named]
        fixed = kind == CursorKind.IF_STMT and b"constexpr" in self.words_before_bracket(cursor)
        if fixed:
            self.need(children[0])
            children = [c for c in children if c.kind.is_statement()]

        def add(what, form, begin, end, changed):
            self.add(Place(self.file, begin, end, what, form, self.source.flat(begin, end), changed, function,
                           cursor.location.line, at_run_time, constant,
                           self.source.text.count(b"\n", 0, max(constant, 0)) + 1, in_class, declared))

        self.expression(cursor, children, fixed, add)
        for statement in statements_of(cursor, children):
            self.statement(statement, cursor, children, function, at_run_time)
        for child in children:
            if child.extent.start.file and child.extent.start.file.name == self.file:
                self.walk(child, function, at_run_time, in_class, constant, declared)

    def need(self, cursor):
        if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            at = cursor.referenced.location
            self.needed.add((at.file.name if at.file else "", at.offset))
        for child in cursor.get_children():
            self.need(child)

    def words_before_bracket(self, cursor):
        i = self.source.at(cursor.extent.start.offset)
        return {w for _, w, _ in self.source.tokens[i:i + 2]}

    def variable(self, cursor, at_run_time, in_class):
        """The children that are its initial value, and at_run_time for them, perhaps with the place of the
        `constexpr` that has to go. None if it has to stay as it is."""
        source, name = self.source, cursor.location.offset
        begin, end = source.at(cursor.extent.start.offset), source.at(cursor.extent.end.offset)
        before = [t for t in source.tokens[begin:end] if t[0] < name]
        after = source.tokens[source.at(name):end]
        opens = next((start for start, word, _ in after if word in (b"=", b"{", b"(")), None)
        children = list(cursor.get_children())
        constexpr = [start for start, word, _ in before if word == b"constexpr"]
        for child in children:  # array bounds, template arguments, and operands of constants
            if constexpr or opens is None or child.extent.start.offset < opens:
                self.need(child)
        if opens is None:
            return None
        values = [c for c in children if c.extent.start.offset >= opens]
        if cursor.kind == CursorKind.FIELD_DECL:
            nothing_yet = source.flat(source.tokens[source.at(opens)][0], cursor.extent.end.offset) in NOTHING_YET
            return (values, True) if not cursor.is_bitfield() and not nothing_yet else None
        if constexpr:
            pointer = any(word in (b"*", b"auto") for _, word, _ in before)
            if pointer or at_run_time:
                return None
            return values, (False, constexpr[0])
        if in_class:
            return None
        return values, at_run_time

    # --- possible changes ---

    def expression(self, cursor, children, fixed, add):
        kind, source = cursor.kind, self.source
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        first = source.token(begin)
        if kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.operator(begin, end, source.at(children[0].extent.end.offset), cursor, children, add)
        elif kind == CursorKind.CALL_EXPR and cursor.spelling.startswith('operator""'):
            self.literal(begin, first, add)
        elif kind == CursorKind.CALL_EXPR and cursor.spelling.startswith("operator") and len(children) == 3:
            where = source.at(children[1].extent.start.offset)
            if begin < children[1].extent.start.offset < children[2].extent.start.offset < end:
                self.operator(begin, end, where, cursor, (children[0], children[2]), add)
        elif kind == CursorKind.CALL_EXPR:
            self.call(cursor, begin, end, add)
        elif kind == CursorKind.UNARY_OPERATOR and first[1] == b"!":
            add("swapped branch", "negate", begin, end, source.flat(begin + 1, end))
        elif kind == CursorKind.UNARY_OPERATOR and first[1] == b"-" and cursor.type.get_canonical().kind in NUMBERS:
            add("arithmetic", "choose", begin, end, source.flat(begin + 1, end))
        elif kind == CursorKind.CONDITIONAL_OPERATOR and len(children) == 3:
            self.condition(children[0], add)
        elif kind == CursorKind.IF_STMT:
            closes = self.closes(cursor)
            inside = [c for c in children if c.extent.end.offset <= closes]
            if inside and inside[-1].kind.is_expression() and not declares(inside) and not fixed:
                self.condition(inside[-1], add)
        elif kind in (CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL, CursorKind.CHARACTER_LITERAL):
            self.literal(begin, first, add)
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR and first[1] in (b"true", b"false"):
            add("wrong constant", "choose", begin, end, "false" if first[1] == b"true" else "true")
        elif kind == CursorKind.DECL_REF_EXPR:
            self.enumerator(cursor, begin, end, add)

    def operator(self, begin, end, where, cursor, operands, add):
        if where >= len(self.source.tokens):
            return
        start, word, kind = self.source.tokens[where]
        if not begin < start < end or kind != TokenKind.PUNCTUATION:
            return
        word = word.decode()
        if word in ("==", "!="):
            add("comparison", "negate", begin, end, self.source.flat(begin, end, {start: COMPARISONS[word].encode()}))
            return
        counts = all(is_number(c.type) for c in (cursor, *operands))
        if counts and word not in "+ - += -=".split():  # a time cannot be multiplied by a time
            counts = not is_time(operands[1].type) and (word != "%" or not is_time(operands[0].type))
        for what, table in (("comparison", COMPARISONS), ("and or", LOGIC), ("arithmetic", ARITHMETIC)):
            if word in table and (counts or what == "comparison"):
                add(what, "choose", begin, end, self.source.flat(begin, end, {start: table[word].encode()}))

    def condition(self, cursor, add):
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        add("swapped branch", "negate", begin, end, f"!({self.source.flat(begin, end)})")

    def literal(self, begin, token, add):
        if token[2] != TokenKind.LITERAL:
            return
        word = token[1].decode()
        end = begin + len(token[1])
        if re.fullmatch(r"'(\\?.)'", word):
            add("wrong constant", "choose", begin, end, "'?'" if word != "'?'" else "'!'")
        elif number := re.fullmatch(r"(0[xX][0-9a-fA-F']+|[0-9][0-9']*)([a-zA-Z_]*)", word):
            value = int(number[1].replace("'", ""), 0 if number[1][:2] in ("0x", "0X") else 10)
            what = "off by one" if value <= 16 and number[2].lower() in ("", "u", "l", "ul", "ull") else "wrong constant"
            add(what, "choose", begin, end, f"{value + 1}{number[2]}")
        elif number := re.fullmatch(r"([0-9.']+(?:e[-+]?[0-9]+)?)([a-zA-Z]*)", word):
            value = float(number[1].replace("'", ""))
            add("wrong constant", "choose", begin, end, f"{value * 1.02 if value else 1.0!r}{number[2]}")

    def call(self, cursor, begin, end, add):
        name = cursor.spelling
        if name not in CALLS:
            return
        if name.endswith("_bound") and any(
                t[1] == b"[" for t in self.source.tokens[self.source.at(begin):self.source.at(end)]):
            return  # the two functions pass arguments to the comparison in different orders
        for i in range(self.source.at(begin), self.source.at(end)):
            start, word, _ = self.source.tokens[i]
            if word == name.encode() and self.source.tokens[i - 1][1] in (b"::", b".", b"->"):
                named = [c for c in cursor.get_children()][:1]
                if named and start < named[0].extent.end.offset:
                    add("swapped call", "choose", begin, end,
                        self.source.flat(begin, end, {start: CALLS[name].encode()}))
                return

    def enumerator(self, cursor, begin, end, add):
        """The next one of the same enumeration."""
        declared = cursor.referenced
        if declared is None or declared.kind != CursorKind.ENUM_CONSTANT_DECL:
            return
        all_of_them = [c.spelling for c in declared.semantic_parent.get_children()
                       if c.kind == CursorKind.ENUM_CONSTANT_DECL]
        last = self.source.tokens[self.source.at(end) - 1]
        if len(all_of_them) < 2 or last[1].decode() != declared.spelling or last[0] < begin:
            return
        other = all_of_them[(all_of_them.index(declared.spelling) + 1) % len(all_of_them)]
        add("wrong constant", "choose", begin, end, self.source.flat(begin, end, {last[0]: other.encode()}))

    def closes(self, cursor):
        """The position of the bracket that closes the one after the statement's keyword."""
        depth, i = 0, self.source.at(cursor.extent.start.offset)
        for start, word, _ in self.source.tokens[i:]:
            depth += {b"(": 1, b")": -1}.get(word, 0)
            if depth == 0 and word == b")":
                return start
        return -1

    def statement(self, cursor, parent, siblings, function, at_run_time):
        source = self.source
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        following = source.at(end)
        if cursor.extent.start.file is None or cursor.extent.start.file.name != self.file:
            return
        if source.token(begin)[2] is None or following >= len(source.tokens) or source.tokens[following][1] != b";":
            return
        flat = source.flat(begin, end)
        jump = cursor.kind in JUMPS or flat == "return"
        if not jump and not cursor.kind.is_expression():
            return
        words = {w.decode() for _, w, _ in source.tokens[source.at(begin):following]}
        if words & IN_ADVANCE or flat.startswith(("(void)", "static_cast<void>", "co_")):
            return
        last = siblings and cursor == siblings[-1] and parent.kind == CursorKind.COMPOUND_STMT
        in_switch = {parent.kind, *(s.kind for s in siblings)} & {CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT}
        if flat == "break" and in_switch and source.tokens[following + 1][1] == b"}":
            return  # the end of the switch follows
        if flat.startswith("throw") and last or flat == "return" and last:
            return  # removing them makes a function end without a return value, or changes nothing
        if "assert" in words:
            return
        stop = source.tokens[following][0] + 1
        self.add(Place(self.file, begin, stop if jump else end, "dropped statement", "jump" if jump else "drop",
                       flat, "nothing", function, cursor.location.line, at_run_time))

    def add(self, place):
        if b"\n" in self.source.text[place.begin:place.end] and any(
                b"\n" in word for start, word, _ in self.source.tokens[self.source.at(place.begin):self.source.at(place.end)]):
            return  # a raw string of several lines
        if place.end <= place.begin or place.original == place.changed or self.source.token(place.begin)[2] is None:
            return
        self.places.setdefault((place.file, place.begin, place.end, place.kind, place.form), place)


def is_time(type):
    return "std::chrono::duration<" in type.get_canonical().spelling


def is_number(type):
    return type.get_canonical().kind in NUMBERS or is_time(type)


def declares(condition):
    """Whether the brackets of an `if` contain a variable, whose value is then the condition."""
    return len(condition) > 1 and condition[-1].extent.start.offset < condition[-2].extent.end.offset


def statements_of(cursor, children):
    """The children of a statement that are statements in their own right."""
    if cursor.kind == CursorKind.COMPOUND_STMT:
        return children
    if cursor.kind == CursorKind.IF_STMT:
        return [c for c in children[1:]]
    if cursor.kind in LOOPS or cursor.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
        return children[-1:]
    return children[:1] if cursor.kind == CursorKind.DO_STMT else []


def qualified_name(cursor):
    names = []
    while cursor is not None and cursor.kind not in (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE):
        names.append(cursor.spelling)
        cursor = cursor.semantic_parent
    return "::".join(reversed(names))


def find_places(root, commands_file):
    """All places below root/sim, in the order of files and lines, numbered."""
    finder = Finder(root / "sim")
    for entry in json.loads(Path(commands_file).read_text()):
        words = shlex.split(entry["command"])
        file = Path(entry["file"])
        if "/sim/" not in entry["file"] or file.name in LEFT_OUT:
            continue
        sources = re.findall(r'#include "(.*)"', file.read_text()) if "/Unity/" in entry["file"] else [str(file)]
        sources = [s for s in sources if s.startswith(f"{root}/sim/") and Path(s).name not in LEFT_OUT]
        options = [w for w in words if w.startswith(("-I", "-D", "-std"))]
        for i, word in enumerate(words):
            if word == "-isystem":
                options += [word, words[i + 1]]
        finder.read(sources, [*options, "-w"])
    for key in [key for key, p in finder.places.items() if p.declared in finder.needed]:
        del finder.places[key]
    opposites = {(p.file, p.begin, p.end) for p in finder.places.values()
                 if p.form == "negate" and p.kind == "comparison" or p.form == "choose" and p.kind == "swapped branch"}
    places = [p for p in finder.places.values() if (p.form, p.kind) != ("negate", "swapped branch")
              or (p.file, p.begin, p.end) not in opposites]
    places.sort(key=lambda p: (p.file, p.begin, -p.end, p.kind))
    seen = {}
    for place in places:
        place.file = str(Path(place.file).relative_to(root))
        key = place.key()
        seen[key] = seen.get(key, 0) + 1
        place.nth = seen[key]
    return places
