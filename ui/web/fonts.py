#!/usr/bin/env python3
"""Removes all characters from a TrueType font that the window does not draw: fonts.py FROM TO

The removed characters take three times as many bytes as the program. The outlines, widths and codes of the kept characters
do not change. The list of characters to keep is read from ui/platform/fonts.cpp.
"""
import re
import struct
import sys
from pathlib import Path

KEPT = [b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"]  # the only tables that stb_truetype reads


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
    """The glyph number of each wanted character, from the font's cmap table of format 12."""
    for i in range(struct.unpack_from(">H", cmap, 2)[0]):
        offset = struct.unpack_from(">HHI", cmap, 4 + 8 * i)[2]
        if struct.unpack_from(">H", cmap, offset)[0] == 12:
            break
    else:
        raise SystemExit("fonts.py: the font has no cmap table of format 12 (all of Unicode)")
    groups = struct.unpack_from(">I", cmap, offset + 12)[0]
    glyphs = {}
    for i in range(groups):
        first, last, glyph = struct.unpack_from(">III", cmap, offset + 16 + 12 * i)
        for c in wanted:
            if first <= c <= last:
                glyphs[c] = glyph + c - first
    return glyphs


def without_instructions(outline):
    """The same outline without the hinting program, which stb_truetype ignores."""
    if len(outline) < 10:
        return outline
    contours = struct.unpack_from(">h", outline)[0]
    if contours < 0:  # a composite glyph: the hinting program follows the last part
        out, end = bytearray(outline), 10
        for _, at, end in parts_of(outline):
            struct.pack_into(">H", out, at, struct.unpack_from(">H", out, at)[0] & ~0x100)
        return bytes(out[:end])
    at = 10 + 2 * contours
    length = struct.unpack_from(">H", outline, at)[0]
    return outline[:at] + b"\0\0" + outline[at + 2 + length:]


def parts_of(outline):
    """The parts of a composite glyph: for each part, its glyph number, and the start and end of its entry."""
    if len(outline) < 10 or struct.unpack_from(">h", outline)[0] >= 0:
        return
    at = 10
    while True:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        begin = at
        at += 4 + (4 if flags & 1 else 2) + (2 if flags & 8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
        yield glyph, begin, at
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
            todo.extend(part for part, _, _ in parts_of(outlines[glyph]))

    data, new_places = bytearray(), [0]
    for glyph, outline in enumerate(outlines):
        if glyph in kept:
            outline = without_instructions(outline)
            data += outline + b"\0" * (-len(outline) % 4)
        new_places.append(len(data))
    tables[b"glyf"] = bytes(data)
    tables[b"loca"] = struct.pack(f">{count + 1}I", *new_places)
    head = bytearray(tables[b"head"])
    struct.pack_into(">h", head, 50, 1)
    tables[b"head"] = bytes(head)
    # Sets the widths of removed glyphs to 0, because zeros compress well.
    widths = bytearray(tables[b"hmtx"])
    full = struct.unpack_from(">H", tables[b"hhea"], 34)[0]
    for glyph in set(range(count)) - kept:
        at, size = (4 * glyph, 4) if glyph < full - 1 else (4 * full + 2 * (glyph - full), 2)
        if glyph != full - 1:  # its width applies to all glyphs after it
            widths[at:at + size] = bytes(size)
    tables[b"hmtx"] = bytes(widths)
    # Replaces the table of all characters by a table of the wanted characters.
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
