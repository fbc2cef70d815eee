"""Common functions of the page's checks: they count results, run statements of input scripts on the page, and draw the
picture for comparison with the program."""
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
program = None  # switchyard-ui
passed, failed = 0, 0

KEYS = {"Right": ("ArrowRight", 39), "Left": ("ArrowLeft", 37), "Enter": ("Enter", 13), "PageDown": ("PageDown", 34),
        "F1": ("F1", 112), "End": ("End", 35), "Home": ("Home", 36), "F7": ("F7", 118), "F12": ("F12", 123), "Esc": ("Escape", 27)}


def check(what, good, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}{': ' if why else ''}{why}", flush=True)


def link_of(options):
    return "#" + "&".join(f"{name}={value}".rstrip("=") for name, value in options.items())


# Names of a link whose options have another name.
OPTIONS = {"panel": "pane", "present": "presenter"}


def words_of(options):
    named = ((f"--{OPTIONS.get(name, name)}", value) for name, value in options.items())
    return [word for option, value in named for word in ([option, value] if value else [option])]


def do(page, statement, seconds=30):
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
    page.rest(seconds)


def program_at(options, size, statements, temporary):
    """The program's picture after these statements, as the bytes of a PNG file. The program plays at the speed at which a page starts."""
    shot, script = Path(temporary, "shot.png"), Path(temporary, "case.script")
    script.write_text("".join(f"{s}\nsettle\n" for s in ["command speed.switch", *statements]) + f"shot {shot}\n")
    subprocess.run([program, "--headless", "--size", "{}x{}".format(*size), *words_of(options), "--script", script],
                   check=True, cwd=temporary)
    return shot.read_bytes()
