#!/usr/bin/env python3
"""The page in Chromium: check_page.py PAGE-FOLDER SWITCHYARD-UI

Its pictures are the program's, byte for byte; nothing is asked of anybody; it opens from disk; and what only a page has
works: links, files, clipboard, downloads, fingers, small pixels. Prints what it took.
"""
import functools
import gzip
import http.server
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from browser import Browser, Page

folder, program = (Path(word).resolve() for word in sys.argv[1:3])
passed, failed = 0, 0

# name, options of switchyard-ui as a link has them, and what is done then, in the words of the window's scripts.
# Not "invariants": it says how much memory the keyframes take, which is less where addresses have 32 bits.
PANES = ["timeline", "decision", "run_queue", "context_switch", "tasks", "costs", "system", "caches", "waits",
         "laboratory"]
WIDE, TALL, LARGE = (1280, 720), (600, 900), (1920, 1080)
CASES = [(f"pane {pane}, {theme}", {"scenario": "yield-processes", "switch": "37", "panel": pane, "theme": theme}, WIDE, [])
         for theme in ("dark", "light") for pane in PANES]
CASES += [
    ("first picture", {}, WIDE, []),
    ("first picture, tall", {}, TALL, []),
    ("first picture, large", {}, LARGE, []),
    ("compared runs", {"scenario": "yield-processes", "compare": "linux-2.0:yield=one_tick", "switch": "5"}, WIDE, []),
    ("values set", {"scenario": "yield-processes", "set": "/machine/hz=1000", "at": "1ms", "theme": "projector"}, WIDE, []),
    ("stepping", {"scenario": "two-hogs"}, WIDE,
     ["key Right", "key Right", "key I", "key Right", "key Right", "key Shift+Right", "key 2"]),
    ("the mouse", {"scenario": "web-server", "theme": "light"}, WIDE,
     ["move 450 200", *["wheel 450 200 0 1"] * 3, "click 300 140", "click 900 302", "wheel 1000 450 0 -1"]),
    ("typing", {"scenario": "yield-processes"}, WIDE, ["key G", 'text "switch 120"', "key Enter"]),
    ("the keys", {"scenario": "two-hogs", "theme": "light"}, WIDE, ["key F1"]),
    ("a tour", {"scenario": "recalc-storm"}, WIDE, ["key PageDown"] * 3),
    ("presenting", {"scenario": "recalc-storm", "present": ""}, WIDE, ["key PageDown"]),
    ("predicting", {"scenario": "two-hogs", "switch": "3"}, WIDE, ["key P", "key 1"]),
]
KEYS = {"Right": ("ArrowRight", 39), "Left": ("ArrowLeft", 37), "Enter": ("Enter", 13), "PageDown": ("PageDown", 34),
        "F1": ("F1", 112), "F7": ("F7", 118), "F12": ("F12", 123), "Esc": ("Escape", 27)}


def check(what, good, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}{': ' if why else ''}{why}", flush=True)


def link_of(options):
    return "#" + "&".join(f"{name}={value}".rstrip("=") for name, value in options.items())


def words_of(options):
    return [word for name, value in options.items() for word in ([f"--{name}", value] if value else [f"--{name}"])]


def do(page, statement):
    verb, *words = statement.split(" ")
    if verb == "key":
        *modifiers, key = words[0].split("+")
        bits = (8 if "Shift" in modifiers else 0) + (2 if "Ctrl" in modifiers else 0)
        if key in KEYS:
            page.key(KEYS[key][0], *KEYS[key], bits)
        else:
            page.letter(key.lower(), bits)
    elif verb == "text":
        for letter in statement.split('"')[1]:
            page.letter(letter)
    else:
        x, y, *by = (int(word) for word in words)
        if verb == "click":
            page.click(x, y)
        elif verb == "move":
            page.mouse("mouseMoved", x, y)
        elif verb == "wheel":
            page.mouse("mouseMoved", x, y)
            page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-100 * by[1])
    page.rest()


def program_at(options, size, statements, temporary):
    """The program's picture after these statements, as the bytes of a PNG file."""
    shot, script = Path(temporary, "shot.png"), Path(temporary, "case.script")
    script.write_text("".join(f"{s}\nsettle\n" for s in statements) + f"shot {shot}\n")
    subprocess.run([program, "--headless", "--size", "{}x{}".format(*size), *words_of(options), "--script", script],
                   check=True, cwd=temporary)
    return shot.read_bytes()


def check_pictures(page, url, temporary):
    for name, options, size, statements in CASES:
        page.resize(*size)
        page.open(url + link_of(options))
        page.rest()
        for statement in statements:
            do(page, statement)
        same = page.shows(program_at(options, size, statements, temporary))
        check(f"the picture of '{name}' is the program's", same)
        if not same:
            page.picture(f"build/differs-{name.replace(' ', '-').replace(',', '')}.png")
    page.resize(1280, 720)


def check_small_pixels(page, url, temporary):
    page.resize(640, 360, ratio=2)
    page.open(url + "#switch=37")
    page.rest()
    check("where pixels are half as large, letters have twice as many",
          page.shows(program_at({"switch": "37", "scale": "200"}, (1280, 720), [], temporary)))
    page.resize(1280, 720)


def check_rest(page, url):
    page.open(url)
    page.rest()
    frames = page.frames()
    time.sleep(1)
    check("a page at which nothing happens makes no frames", page.frames() == frames, f"{frames}, {page.frames()}")


def check_links(page, url):
    page.open(url + "#switch=37")
    for link, says in {
        "#scenario=two-hogz": "two-hogz", "#senario=two-hogs": "did you mean 'scenario'", "#panel=<b>x</b>": "panel=<b>x</b>",
        "#switch=1&at=1ms": "two places", "#switch=x": "a number is expected", "#set=foo": "POINTER=VALUE",
        "#scale=5": "75 to 300", "#at=never": "never", "#policy=linux-9": "linux-9", "#%zz=%00%ff": "nothing is called",
        "#" + "x" * 70000: "longer", "#scenario=../../etc/passwd": "passwd",
    }.items():
        page.run(f"location.hash = {link!r}")
        page.rest()
        check(f"the link {link[:40]} is answered", says in page.says(), page.says()[-300:])
    check("what a link says does not become markup", page.run("document.querySelectorAll('b').length") == 0)
    page.run("location.hash = '#scenario=two-hogs&switch=2'")
    page.rest()
    check("a good link opens after bad ones", page.says().startswith("two-hogs "), page.says()[:80])


def check_files(page, url, temporary):
    scenario = Path(temporary, "of mine.json")
    scenario.write_text((Path(__file__).parents[2] / "scenarios/two-hogs.json").read_text().replace('"until"', '"seed": 7, "until"', 1))
    page.open(url)
    page.choose(scenario)
    page.rest()
    check("a scenario file opens", page.says().startswith("of mine "), page.says()[:80])
    scenario.write_text("{nothing")
    page.choose(scenario)
    page.rest()
    check("a file that is no scenario is refused with its place", ":1:" in page.says(), page.says()[-300:])


def check_wild_input(page, url, temporary):
    """Links and files that nobody meant, the same ones each time, leave the page alive."""
    draw = random.Random(17)
    names = ["scenario", "set", "policy", "compare", "at", "switch", "panel", "tab", "theme", "scale", "present", "x"]
    values = ["two-hogs", "web-server", "/machine/hz=1000", "/tasks/0/count=99999999", "/tasks/0/program=[]", "/cpus=1e9",
              "sorted-queue", "linux-2.4:yield=x", "17h", "-5s", "decision 3", "18446744073709551616", "costs", "light", "150", "",
              "%00", "%f0%9f%98%80", "<img src=x onerror=alert(1)>", "../../x", "{}", "A" * 3000]
    alive = "switchyardSays().length > 0 && document.getElementById('message').textContent === ''"
    scenario = bytearray((Path(__file__).parents[2] / "scenarios/two-hogs.json").read_bytes())
    page.open(url)
    for _ in range(150):
        link = "#" + "&".join(draw.choice(names) + "=" + draw.choice(values) for _ in range(draw.randint(1, 5)))
        page.run(f"location.hash = {link!r}")
        page.frame()
        check(f"alive after {link[:200]!r}", page.run(alive))
    for number in range(50):
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


def check_copied_link(page, url):
    page.open(url + "#scenario=two-hogs&set=/machine/hz%3D1000&compare=linux-2.2&switch=5&theme=light")
    page.rest()
    do(page, "key Ctrl+Shift+L")
    page.rest()
    link = page.run("navigator.clipboard.readText()")
    check("a link to this place is the page's address with it", link.startswith(url + "#scenario=two-hogs&"), link)
    page.open(link)
    page.rest()
    check("and leads to it", "switch 5 /" in page.says() and "linux-2.2" in page.says(), page.says()[:200])


def check_memory(page, url, temporary):
    page.open(url)
    page.rest()
    do(page, "key F7")
    page.run("window.before = true")
    page.send("Page.reload")
    page.wait("!window.before && window.switchyardSays")
    page.rest()
    check("what was folded away stays so after a reload", page.shows(program_at({}, (1280, 720), ["key F7"], temporary)))
    page.run("localStorage.clear()")


def check_frame(page, url):
    page.open(url + "framed")
    page.wait("frames[0].switchyardSays && frames[0].document.getElementById('window').dataset.rests")
    check("the page works inside another one", "switch 37 /" in page.run("frames[0].switchyardSays()"))


def check_firefox(page, url, temporary):
    if not shutil.which("firefox-esr"):
        return print("not checked: Firefox, which is not installed")
    picture = Path(temporary, "firefox.png")
    subprocess.run(["firefox-esr", "--headless", "--profile", temporary, "--window-size=1280,720", "--screenshot", picture, url + "late"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    page.open(url + "#switch=37")
    page.rest()
    check("Firefox shows the same", page.shows(picture.read_bytes()))


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


def check_speed(page, url, where):
    page.open(url + "#scenario=yield-processes")
    first = int(page.run("document.getElementById('window').dataset.first"))
    page.rest()
    page.letter(" ")
    time.sleep(0.5)
    work = page.run("""new Promise((done) => {
        const window = document.getElementById('window'), took = [];
        const begin = performance.now();
        (function look() {
            took.push(Number(window.dataset.work));
            if (performance.now() - begin < 3000) requestAnimationFrame(look);
            else done([took.length / 3, took.sort((a, b) => a - b)[took.length >> 1]]);
        })();
    })""")
    page.letter(" ")
    print(f"{where}: first picture {first} ms after opening; playing, {work[0]:.0f} frames a second, {work[1]:.1f} ms of work each")


# The page within another one. The second is complete late, so that who takes a picture of it then has the window.
FRAMED = b"""<!DOCTYPE html><link rel="icon" href="data:,"><style>body { margin: 0 } iframe { border: 0; display: block }</style>
<iframe src="/#switch=37" width="1280" height="720"></iframe><script>switchyardSays = () => 0</script>"""
LATE = FRAMED + b'<img src="/late.png" hidden>'


class Quiet(http.server.SimpleHTTPRequestHandler):
    """With a policy as a strict host sends it."""

    def do_GET(self):
        if self.path == "/late.png":
            time.sleep(6)
        if self.path not in ("/framed", "/late"):
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        http.server.BaseHTTPRequestHandler.end_headers(self)
        self.wfile.write(FRAMED if self.path == "/framed" else LATE)

    def end_headers(self):
        self.send_header("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
                         "style-src 'self'; connect-src 'self'; img-src data:")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    for name in ("switchyard.wasm", "switchyard.js", "switchyard.html"):
        data = (folder / name).read_bytes()
        print(f"{name}: {len(data)} bytes, {len(gzip.compress(data, 9))} compressed")
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            page = Page(browser)
            check_pictures(page, url, temporary)
            check_small_pixels(page, url, temporary)
            check_rest(page, url)
            check_links(page, url)
            check_files(page, url, temporary)
            check_wild_input(page, url, temporary)
            check_downloads(page, url, temporary)
            check_clipboard_and_typing(page, url)
            check_copied_link(page, url)
            check_memory(page, url, temporary)
            check_frame(page, url)
            check_firefox(page, url, temporary)
            check_fingers(page, url)
            check_speed(page, url, "from a server")
            page.look()
            check("no request leaves the page", all(r.startswith((url, "about:", "blob:")) for r in page.requests),
                  str(set(page.requests)))
            check("the browser has nothing to complain about", not page.problems, str(page.problems))

            page = Page(browser)
            one = (folder / "switchyard.html").as_uri()
            page.open(one + "#switch=37")
            page.rest()
            check("the one file shows the same from disk", page.shows(program_at({"switch": "37"}, (1280, 720), [], temporary)))
            check_speed(page, one, "from disk")
            page.look()
            check("the one file asks for nothing", all(r.startswith((one, "about:", "data:")) for r in page.requests),
                  str(set(page.requests)))
            check("and the browser has nothing to complain about", not page.problems, str(page.problems))
    finally:
        browser.close()
    print(f"page: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
