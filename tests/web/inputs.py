"""Tests the inputs of the page: links, files, the clipboard, touch."""
import random
import time
from pathlib import Path

from checking import ROOT, check, do, link_of, program_at
from hostile import check_hostile_text


def check_links(page, url):
    page.open(url + "#switch=37")
    for link, says in {
        "#scenario=two-hogz": "two-hogz", "#senario=two-hogs": "did you mean 'scenario'", "#panel=<b>x</b>": "panel=<b>x</b>",
        "#switch=1&at=1ms": "two positions", "#switch=x": "expected a number", "#set=foo": "POINTER=VALUE",
        "#scale=5": "75 to 300", "#at=never": "never", "#policy=linux-9": "linux-9", "#%zz=%00%ff": "unknown parameter",
        "#" + "x" * 70000: "longer", "#scenario=../../etc/passwd": "passwd",
    }.items():
        page.run(f"location.hash = {link!r}")
        page.rest()
        check(f"the link {link[:40]} gets a message", says in page.says(), page.says()[-300:])
    page.run("location.hash = '#' + 'x'.repeat(1500000)")
    page.rest()
    check("a link of 1.5 MB gets a message", "longer" in page.says(), page.says()[-300:])
    check("the text of a link does not become markup", page.run("document.querySelectorAll('b').length") == 0)
    page.run("location.hash = '#scenario=two-hogs&switch=2'")
    page.rest()
    check("a good link opens after bad ones", page.says().startswith("two-hogs "), page.says()[:80])


def check_files(page, url, temporary):
    scenario = Path(temporary, "of mine.json")
    scenario.write_text((ROOT / "scenarios/two-hogs.json").read_text().replace('"until"', '"seed": 7, "until"', 1))
    page.open(url)
    page.choose(scenario)
    page.rest()
    check("a scenario file opens", page.says().startswith("of mine "), page.says()[:80])
    scenario.write_text("{nothing")
    page.choose(scenario)
    page.rest()
    check("a file that is not a scenario is refused, with the position of the error", ":1:" in page.says(), page.says()[-300:])


def check_wild_input(page, url, temporary, links, files):
    """Random links and files, the same ones each time, do not stop the page."""
    draw = random.Random(17)
    names = ["scenario", "set", "policy", "compare", "at", "switch", "panel", "tab", "theme", "scale", "present", "show", "vary",
             "with", "until", "measure", "text", "bare", "v", "x"]
    values = ["two-hogs", "web-server", "/machine/hz=1000", "/tasks/0/count=99999999", "/tasks/0/program=[]", "/cpus=1e9",
              "sorted-queue", "linux-2.4:yield=x", "17h", "-5s", "decision 3", "18446744073709551616", "costs", "light", "150", "",
              "%00", "%f0%9f%98%80", "<img src=x onerror=alert(1)>", "../../x", "{}", "A" * 3000,
              "0ms..1ms", "1ms..0ms", "/machine/hz=10..1000/10", "us-per-yield", "eNrtwTEBAAAAwqD1T20MH6AAAAAA"]
    alive = "switchyardSays().length > 0 && document.getElementById('message').textContent === ''"
    scenario = bytearray((ROOT / "scenarios/two-hogs.json").read_bytes())
    page.open(url)
    for _ in range(links):
        link = "#" + "&".join(draw.choice(names) + "=" + draw.choice(values) for _ in range(draw.randint(1, 5)))
        page.run(f"location.hash = {link!r}")
        page.frame()
        check(f"alive after {link[:200]!r}", page.run(alive))
    for number in range(files):
        broken = bytearray(scenario)
        for _ in range(draw.randint(1, 20)):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        file = Path(temporary, f"wild-{number}.json")
        file.write_bytes(broken[:draw.randrange(len(broken))] if draw.random() < 0.3 else broken)
        page.choose(file)
        page.frame()
        check(f"alive after the file {number}", page.run(alive))


def check_downloads(page, url, temporary):
    page.browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=temporary)
    for name, options, statements in [
        ("switchyard-001.png", {"switch": "37"}, ["key F12"]),
        ("two-hogs-mine.json", {"scenario": "two-hogs", "set": "/tasks/0/count=3"}, ["key Ctrl+S", "key Enter"]),
    ]:
        page.open(url + link_of(options))
        page.rest()
        for statement in statements:
            do(page, statement)
        there = Path(temporary, name)
        end = time.monotonic() + 10
        while not there.exists() and time.monotonic() < end:
            time.sleep(0.05)
        data = there.read_bytes() if there.exists() else b""
        there.unlink(missing_ok=True)
        program_at(options, (1280, 720), statements, temporary)
        check(f"{name}, a download, has the program's bytes", there.exists() and data == there.read_bytes())


def check_clipboard_and_typing(page, url):
    page.browser.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.open(url + "#panel=invariants")
    page.rest()
    page.key("c", "KeyC", 67, 2, commands=["copy"])
    page.rest()
    copied = page.run("navigator.clipboard.readText()")
    check("Ctrl+C copies the pane", "Time is conserved" in copied, copied[:80])
    page.run("navigator.clipboard.writeText('switch 7')")
    page.letter("g")
    page.rest()
    page.key("v", "KeyV", 86, 2, commands=["paste"])
    page.rest()
    page.key("Enter", "Enter", 13)
    page.rest()
    check("Ctrl+V pastes into a box", "switch 7 /" in page.says(), page.says()[:80])
    page.letter("g")
    page.rest()
    page.send("Input.imeSetComposition", text="switch", selectionStart=6, selectionEnd=6)
    page.send("Input.insertText", text="switch 9")
    page.rest()
    page.key("Enter", "Enter", 13)
    page.rest()
    check("an input method types into a box", "switch 9 /" in page.says(), page.says()[:80])


def check_dropped_file(page, url, temporary):
    """Drops a file like a mouse."""
    scenario = Path(temporary, "dropped.json")
    scenario.write_bytes((ROOT / "scenarios/two-hogs.json").read_bytes())
    page.open(url)
    page.rest()
    for kind in ("dragEnter", "dragOver", "drop"):
        page.send("Input.dispatchDragEvent", type=kind, x=400, y=300,
                  data={"items": [], "files": [str(scenario)], "dragOperationsMask": 1})
    page.wait("switchyardSays().startsWith('dropped ')")
    check("a file that is dropped opens", page.says().startswith("dropped "))


def check_full_screen(page, url):
    page.open(url)
    page.rest()
    for full in (True, False):
        page.key("Enter", "Enter", 13, 1)
        page.wait(f"(document.fullscreenElement !== null) === {str(full).lower()}")
        page.rest()
        check(f"Alt+Enter {'fills' if full else 'leaves'} the screen", page.run("document.fullscreenElement !== null") == full)


def check_keys(page, url):
    page.open(url)
    do(page, "key F1")
    check("the list of keys has the page's own command", "Clear saved data" in page.says())


def check_copied_link(page, url):
    page.open(url + "#scenario=two-hogs&set=/machine/hz%3D1000&compare=linux-2.2&switch=5&theme=light")
    page.rest()
    do(page, "key Ctrl+Shift+L")
    page.rest()
    link = page.run("navigator.clipboard.readText()")
    check("a link to this position starts with the page's address", link.startswith(url + "#v=1&scenario=two-hogs&"), link)
    page.open(link)
    page.rest()
    check("and the link opens this position", "switch 5 /" in page.says() and "linux-2.2" in page.says(), page.says()[:200])


def check_address(page, url):
    """The address describes what is shown, names after '?' are read, and going back shows the scenario before."""
    page.open(url + "?scenario=two-hogs&policy=linux-6.6&at=20ms")
    page.rest()
    check("names after '?' are read", page.says().startswith("two-hogs ") and "linux-6.6" in page.says()[:300], page.says()[:300])
    entries = page.run("history.length")
    for _ in range(10):
        do(page, "key Right")
    page.wait("location.hash.includes('scenario=two-hogs')")
    address = page.run("location.href")
    check("the address has the policy and the position", "policy=linux-6.6" in address and ("at=" in address or "switch=" in address), address)
    check("steps are no entries of the history", page.run("history.length") == entries, address)
    page.run("location.hash = '#scenario=web-server&switch=3'")
    page.wait("switchyardSays().startsWith('web-server ')")
    page.rest()
    page.run("history.back()")
    page.wait("switchyardSays().startsWith('two-hogs ')")
    page.rest()
    check("going back shows the scenario before", "linux-6.6" in page.says()[:300], page.says()[:300])
    page.open(page.run("location.href"))
    page.rest()
    check("the address opens the same again", page.says().startswith("two-hogs ") and "linux-6.6" in page.says()[:300], page.says()[:300])


def shown(page):
    return next(line for line in page.says().splitlines() if line.startswith("shown: "))


def check_fingers(page, url):
    page.resize(1180, 820, ratio=2, touch=True)  # a tablet
    page.open(url + "#switch=37")
    page.rest()
    before = shown(page)
    page.touch("touchStart", (500, 200))
    for x in range(490, 300, -10):
        page.touch("touchMove", (x, 200))
    page.touch("touchEnd")
    page.rest()
    moved = shown(page)
    check("a finger moves the timeline", moved != before, moved)
    page.touch("touchStart", (400, 200), (500, 200))
    for by in range(0, 100, 10):
        page.touch("touchMove", (400 - by, 200), (500 + by, 200))
    page.touch("touchEnd")
    page.rest()
    check("two fingers zoom it", shown(page) != moved, shown(page))
    page.picture("build/tablet.png")
    page.resize(390, 844, ratio=3, touch=True)  # a telephone
    page.open(url + "#switch=37")
    page.rest()
    page.picture("build/telephone.png")
    page.resize(1280, 720)


def check_all(page, url, temporary, thorough):
    check_links(page, url)
    check_files(page, url, temporary)
    check_wild_input(page, url, temporary, *((500, 500) if thorough else (150, 50)))
    check_hostile_text(page, url, temporary)
    check_dropped_file(page, url, temporary)
    check_full_screen(page, url)
    check_keys(page, url)
    check_downloads(page, url, temporary)
    check_clipboard_and_typing(page, url)
    check_copied_link(page, url)
    check_address(page, url)
    check_fingers(page, url)
