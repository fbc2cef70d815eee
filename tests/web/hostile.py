"""Hostile strings in a scenario on the page: 2,000 of them, as titles, captions and names of tasks."""
import json
import re
from pathlib import Path

from checking import ROOT, check

UNSEEN = [0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2064, 0x206A, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0,
          0xFFF9, 0xFFFB, 0xE0041]
TURNING = [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
CONTROL = [*range(1, 32), *range(0x7F, 0xA0), 0x2028, 0x2029]
MARKUP = ["<img src=x onerror=alert(1)>", "<script>hostile()</script>", "</title><b>x</b>", "&#x1b;[31m", "\"><b>", "'", "a##b", "###x",
          "%s%n%d", "{}", "{:99999}", "]]>", "<!--", "\\u001b", "$(x)", "../..", "=1+1", "e\u0301" * 8, "\u05d0\u05d1", "\u4e2d\u6587",
          "\U0001f600", "javascript:alert(1)", "<svg onload=alert(1)>", "<style>*{display:none}</style>", "title", "<b>bold</b>"]
FORBIDDEN = re.compile("[" + "".join(f"\\U{c:08x}" for c in [*UNSEEN, *TURNING, *(c for c in CONTROL if c not in (9, 10))]) + "]")


def texts():
    """(those that may be shown, those that may not), 2,000 together."""
    shown, refused = [], []
    for n in range(60):
        for piece in MARKUP:
            shown.append(f"{piece} {n}" if n % 2 else f"{n}{piece}")
    for n in range(11):
        for c in UNSEEN + TURNING + CONTROL:
            if chr(c) not in "\n":
                refused.append(f"a{n}{chr(c)}b" if n % 2 else f"{chr(c)}{MARKUP[n]}")
    return shown[:1000], refused[:1000]


def scenario_with(said):
    scenario = {"format": "switchyard-scenario/1", "title": said[0], "question": said[1], "hint": said[2], "machine": "pentium-mmx-200",
                "until": "20ms", "tasks": [], "tour": [{"at": "1ms", "title": s[:80], "caption": s} for s in said]}
    names = {re.sub(r"\s", "", s)[:20] for s in said if not FORBIDDEN.search(s)}
    for name in sorted(names | {"A"})[:20]:
        if name and name.isprintable():
            scenario["tasks"].append({"name": name, "program": [{"run": "1ms"}, "yield"]})
    return scenario


def clean(page, what):
    """Neither the window's text nor the document contains invisible characters, and no text became an element."""
    says = page.says()
    dom = page.run("document.documentElement.textContent + document.title")
    check(f"{what}: the text has no invisible or control characters", not FORBIDDEN.search(says), repr(FORBIDDEN.findall(says)[:9]))
    check(f"{what}: nor is it in the document", not FORBIDDEN.search(dom.replace("\ufeff", "")), repr(FORBIDDEN.findall(dom)[:9]))
    check(f"{what}: no text became markup",
          page.run("document.querySelectorAll('img,b,svg,[onerror],[onload]').length") == page.plain_elements)
    return says


def check_hostile_text(page, url, temporary):
    page.open(url)
    page.rest()
    page.plain_elements = page.run("document.querySelectorAll('img,b,svg,[onerror],[onload]').length")
    shown, refused = texts()
    check("there are two thousand texts", len(set(shown)) + len(set(refused)) >= 1990, f"{len(set(shown))} {len(set(refused))}")
    file = Path(temporary, "hostile.json")
    for begin in range(0, len(shown), 200):
        file.write_text(json.dumps(scenario_with(shown[begin:begin + 200])))
        page.choose(file)
        page.rest()
        says = clean(page, f"texts from {begin}")
        check(f"texts from {begin} are taken", says.startswith("hostile "), says[:200])
        for _ in range(4):
            page.key("PageDown", "PageDown", 34)
            page.rest()
            clean(page, f"a stop of the texts from {begin}")
    for begin in range(0, len(refused), 200):
        file.write_text(json.dumps(scenario_with(refused[begin:begin + 200])))
        page.choose(file)
        page.rest()
        says = clean(page, f"refused texts from {begin}")
        check(f"refused texts from {begin} are refused", "hostile.json:1:" in says, says[-300:])
    file.write_bytes((ROOT / "scenarios/two-hogs.json").read_bytes().replace(b'"until"', b'// \xe2\x80\xae\n"until"', 1))
    page.choose(file)
    page.rest()
    check("a comment with a bidirectional control character is refused", "U+202E" in clean(page, "a comment"), page.says()[-300:])
