#!/usr/bin/env python3
"""Leaves those characters in a TrueType font that the window draws: fonts.py FROM TO

Everything else weighs three times as much as the program. What remains is drawn as before: the outlines, the widths
and the mapping of characters stay as they are. The characters are read from ui/platform/fonts.cpp.
"""
import re
import struct
import sys
from pathlib import Path

KEPT = [b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"]  # all that stb_truetype reads


def characters():
    source = (Path(__file__).parent.parent / "platform/fonts.cpp").read_text()
    numbers = re.search(r"kCharacters\[\] = \{(.*?)\};", source, re.S)[1]
    numbers = [int(n, 16) for n in re.findall(r"0x[0-9a-f]+", re.sub(r"//.*", "", numbers))]
    assert len(numbers) % 2 == 0
    return [c for first, last in zip(numbers[::2], numbers[1::2]) for c in range(first, last + 1)]


def tables_of(font):
    count = struct.unpack_from(">H", font, 4)[0]
    found = {}
    for i in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", font, 12 + 16 * i)
        found[tag] = font[offset:offset + length]
    return found


def glyphs_of(cmap, wanted):
    """The glyph of each wanted character, by the font's table of format 12."""
    for i in range(struct.unpack_from(">H", cmap, 2)[0]):
        offset = struct.unpack_from(">HHI", cmap, 4 + 8 * i)[2]
        if struct.unpack_from(">H", cmap, offset)[0] == 12:
            break
    else:
        raise SystemExit("fonts.py: the font has no table of all of Unicode")
    groups = struct.unpack_from(">I", cmap, offset + 12)[0]
    glyphs = {}
    for i in range(groups):
        first, last, glyph = struct.unpack_from(">III", cmap, offset + 16 + 12 * i)
        for c in wanted:
            if first <= c <= last:
                glyphs[c] = glyph + c - first
    return glyphs


def parts_of(outline):
    """The glyphs that a composed one is made of."""
    if len(outline) < 10 or struct.unpack_from(">h", outline)[0] >= 0:
        return
    at = 10
    while True:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        yield glyph
        at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
        if not flags & 0x20:
            return


def main(source, target):
    wanted = characters()
    tables = tables_of(Path(source).read_bytes())
    count = struct.unpack_from(">H", tables[b"maxp"], 4)[0]
    is_long = struct.unpack_from(">h", tables[b"head"], 50)[0] == 1
    places = struct.unpack(f">{count + 1}{'I' if is_long else 'H'}", tables[b"loca"][:(count + 1) * (4 if is_long else 2)])
    if not is_long:
        places = [2 * place for place in places]
    outlines = [tables[b"glyf"][a:b] for a, b in zip(places, places[1:])]
    glyphs = glyphs_of(tables[b"cmap"], wanted)
    kept = {0}
    todo = [*glyphs.values()]
    while todo:
        glyph = todo.pop()
        if glyph not in kept:
            kept.add(glyph)
            todo.extend(parts_of(outlines[glyph]))

    data, new_places = bytearray(), [0]
    for glyph, outline in enumerate(outlines):
        if glyph in kept:
            data += outline + b"\0" * (-len(outline) % 4)
        new_places.append(len(data))
    tables[b"glyf"] = bytes(data)
    tables[b"loca"] = struct.pack(f">{count + 1}I", *new_places)
    head = bytearray(tables[b"head"])
    struct.pack_into(">h", head, 50, 1)
    tables[b"head"] = bytes(head)
    # One table of the wanted characters, in place of one of all.
    groups = b"".join(struct.pack(">III", c, c, glyphs[c]) for c in sorted(glyphs))
    tables[b"cmap"] = struct.pack(">HHHHI", 0, 1, 3, 10, 12) + \
        struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(groups) // 12) + groups

    out, body = bytearray(struct.pack(">IHHHH", 0x00010000, len(KEPT), 0, 0, 0)), bytearray()
    for tag in KEPT:
        table = tables[tag]
        out += struct.pack(">4sIII", tag, 0, 12 + 16 * len(KEPT) + len(body), len(table))
        body += table + b"\0" * (-len(table) % 4)
    Path(target).write_bytes(out + body)


main(*sys.argv[1:])
