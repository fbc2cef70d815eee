"""Checks that the page's pictures are the program's, pixel by pixel."""
import shutil
import subprocess
from pathlib import Path

import checking
from checking import check, do, link_of, program_at, words_of

# Name, options of switchyard-ui as in a link, and the statements to run, as in input scripts.
# Not "invariants": see check_invariants().
PANES = ["timeline", "decision", "run_queue", "context_switch", "tasks", "costs", "system", "caches", "waits",
         "laboratory", "what_if"]
WIDE, TALL, LARGE = (1280, 720), (600, 900), (1920, 1080)
CASES = [(f"pane {pane}, {theme}, {size[0]} wide", {"scenario": "yield-processes", "switch": "37", "panel": pane, "theme": theme}, size, [])
         for size in (WIDE, TALL, LARGE) for theme in ("dark", "light", "projector") for pane in PANES]
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
    ("all commands", {"scenario": "two-hogs", "theme": "light"}, WIDE, ["key Ctrl+P", 'text "next"']),
    ("a tour", {"scenario": "recalc-storm"}, WIDE, ["key PageDown"] * 3),
    ("presenting", {"scenario": "recalc-storm", "present": ""}, WIDE, ["key PageDown"]),
    ("predicting", {"scenario": "two-hogs", "switch": "3"}, WIDE, ["key P", "key 1"]),
]


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


# A recalculation, EEVDF's times, the exchange of two arrays, a tree, and the queues of a script; the row of the slider.
ANIMATIONS = [({"scenario": "yield-processes", "switch": "3"}, 160), ({"scenario": "interactive-vs-hog", "policy": "linux-6.6", "switch": "3"}, 186),
              ({"scenario": "lesson-9-two-arrays", "switch": "5"}, 186),
              ({"scenario": "lesson-10-fair-shares", "policy": "linux-2.6.24", "switch": "40"}, 186),
              ({"scenario": "lesson-11-gaming", "policy": "mlfq", "switch": "19"}, 186),
              ({"scenario": "recalc-storm", "present": "", "switch": "3"}, 240)]
PLAYED = "key Shift+M"


def check_animations(page, url, temporary):
    """An animation that was played to its end and dragged back is the program's, byte for byte, however it got there."""
    for options, y in ANIMATIONS:
        halfway, nearly = f"click 600 {y}", f"click 1000 {y}"
        name = f"{options['scenario']}{', presented' if 'present' in options else ''}"
        page.open(url + link_of(options))
        page.rest()
        wanted = [program_at(options, WIDE, [PLAYED, click], temporary) for click in (halfway, nearly)]
        check(f"the animation of '{name}' has two different positions", wanted[0] != wanted[1])
        do(page, PLAYED)
        for where, click, picture in (("halfway", halfway, wanted[0]), ("later", nearly, wanted[1]), ("back", halfway, wanted[0])):
            do(page, click)
            check(f"the animation of '{name}', {where}, is the program's", page.shows(picture))


def check_small_pixels(page, url, temporary):
    page.resize(640, 360, ratio=2)
    page.open(url + "#switch=37")
    page.rest()
    check("with pixels of half the size, letters have twice as many pixels",
          page.shows(program_at({"switch": "37", "scale": "200"}, (1280, 720), [], temporary)))
    page.resize(1280, 720)


def check_invariants(page, url, temporary):
    """This pane shows the memory of the keyframes, which is smaller with 32-bit addresses."""
    options = {"scenario": "yield-processes", "switch": "37", "panel": "invariants"}
    said = subprocess.run([checking.program, "--headless", "--dump-text", *words_of(options)], capture_output=True, text=True,
                          check=True, cwd=temporary).stdout
    page.open(url + link_of(options))
    page.rest()
    lines = [[line for line in words.splitlines() if not line.endswith((" KiB", " MiB"))] for words in (page.says(), said)]
    lines = [[line.split("   speed ")[0] for line in part] for part in lines]  # a page starts at another speed
    check("the pane of invariants has the text of the program's, except for the memory", lines[0] == lines[1] and len(lines[0]) > 20,
          str(set(lines[0]) ^ set(lines[1])))


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


def check_all(page, url, temporary):
    check_pictures(page, url, temporary)
    check_animations(page, url, temporary)
    check_small_pixels(page, url, temporary)
    check_invariants(page, url, temporary)
    check_frame(page, url)
    check_firefox(page, url, temporary)
