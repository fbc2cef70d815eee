#!/usr/bin/env python3
"""Tests the documents as pages in Chromium: check_site.py --help

Reads every lesson from its first figure to its last, as wide as a laptop and as narrow as a phone. Checks that each figure
becomes live when it becomes visible, and shows the picture of the program; that each stop of each slider prints a number that
the lesson has next to the same value; that answers ask for a guess; that keys and steps affect one view; that figures are
pictures on paper and without the script; and that no request leaves the pages.
"""
import argparse
import base64
import html
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import checking
from browser import Browser, Page
from checking import check
from serving import Plain, serve
from site_pages import (check_access, check_console, check_furniture, check_home, check_lesson_by_keyboard, check_quiz, check_scheduler, check_sizes,
                        open_page)

LAPTOP, TELEPHONE = (1366, 768, 1, False), (390, 844, 3, True)


def bring(page, number):
    """Scrolls to a view, and waits until it is live and makes no more frames."""
    view = f"document.querySelectorAll('switchyard-view')[{number}]"
    page.run(f"{view}.scrollIntoView({{ block: 'center' }})")
    page.wait(f"{view}.classList.contains('live') && {view}.querySelector('canvas').dataset.rests", 60)
    page.wait(f"({view}.view.call('print') || '').includes('simulating') === false", 60)


def shows(page, number, png):
    return page.shows(png, f"document.querySelectorAll('switchyard-view')[{number}].querySelector('canvas')")


def programs_picture(page, number, temporary):
    link, width, height = page.run(f"""(() => {{
        const view = document.querySelectorAll('switchyard-view')[{number}], canvas = view.querySelector('canvas');
        return [view.link({{ bare: '', theme: 'light' }}), canvas.width, canvas.height];
    }})()""")
    shot = Path(temporary, "view.png")
    subprocess.run([checking.program, "--headless", "--link", link, "--size", f"{width}x{height}", "--screenshot", shot],
                   check=True, cwd=temporary)
    return shot.read_bytes()


def check_sliders(page, lesson):
    """For each stop of each measuring slider, the lesson has a line with its value and the numbers that it prints."""
    text = page.run("[...document.querySelectorAll('pre')].map((block) => block.textContent).join('\\n')")
    lines = [line.split() for line in text.splitlines()]
    for number in range(page.run("document.querySelectorAll('switchyard-slider').length")):
        slider = f"document.querySelectorAll('switchyard-slider')[{number}]"
        page.run(f"{slider}.scrollIntoView({{ block: 'center' }})")
        page.wait(f"{slider}.classList.contains('live')", 60)
        stops = page.run(f"{slider}.stops")
        check(f"{lesson}: a slider has several stops", len(stops) > 1, str(stops))
        for at, stop in enumerate(stops):
            page.run(f"{slider}.input.value = {at}; {slider}.input.dispatchEvent(new Event('input'))")
            page.frame()
            page.wait(f"!{slider}.works", 60)
            if not page.run(f"{slider}.names.measure"):
                continue
            said = page.run(f"[...{slider}.querySelectorAll('.answers b')].map((b) => b.textContent)")
            check(f"{lesson}: at {stop} the slider prints the numbers of the lesson",
                  len(said) > 0 and any(stop in line and all(one in line for one in said) for line in lines),
                  f"{said}: {page.run(f'{slider}.answers.textContent')}")


def check_answers(page, lesson):
    if page.run("document.querySelectorAll('main details').length") == 0:
        return
    first = "document.querySelector('main details')"
    page.run(f"{first}.querySelector('summary').click()")
    check(f"{lesson}: an answer asks for a guess", not page.run(f"{first}.open"))
    page.run(f"{first}.querySelector('summary').click()")
    check(f"{lesson}: a second click opens it", page.run(f"{first}.open"))


def whole_picture(page, path):
    data = page.send("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
    path.write_bytes(base64.b64decode(data))


def read_lesson(page, url, lesson, size, temporary, pictures):
    page.resize(*size)
    open_page(page, url)
    where = f"{lesson} at {size[0]} pixels"
    count = page.run("document.querySelectorAll('switchyard-view').length")
    check(f"{where}: it has figures", count > 0)
    check(f"{where}: the questions at its start have boxes for guesses", page.run("document.querySelectorAll('li .guess').length") >= 3)
    for number in range(count):
        bring(page, number)
        if size is LAPTOP:
            same = shows(page, number, programs_picture(page, number, temporary))
            check(f"{where}: figure {number + 1} shows the picture of the program", same)
        problem = page.run(f"document.querySelectorAll('switchyard-view')[{number}].says.textContent")
        check(f"{where}: figure {number + 1} reports no problem", not re.search("cannot|expected|unknown name|unknown parameter", problem), problem)
        if pictures:
            whole_picture(page, pictures / f"{lesson}-{size[0]}-{number + 1}.png")
    check(f"{where}: nothing is wider than the page",
          page.run("document.documentElement.scrollWidth") <= size[0], str(page.run("document.documentElement.scrollWidth")))
    if size is LAPTOP:
        check_sliders(page, lesson)
        check_answers(page, lesson)


def check_without_script(page, url):
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.send("Page.navigate", url="about:blank")
    page.send("Page.navigate", url=url)
    page.wait("document.readyState === 'complete'")
    seen = page.run("""[...document.querySelectorAll('switchyard-view img')].every((image) => image.complete && image.clientHeight > 50)""")
    page.send("Emulation.setScriptExecutionDisabled", value=False)
    check("without the script a figure is a picture", seen)


def check_paper(page, url, temporary):
    """On paper there are the pictures, and no canvas."""
    page.resize(*LAPTOP)
    open_page(page, url)
    bring(page, 0)
    page.send("Emulation.setEmulatedMedia", media="print")
    display = page.run("""[document.querySelector('switchyard-view img'), document.querySelector('canvas')]
        .map((element) => getComputedStyle(element).display)""")
    page.send("Emulation.setEmulatedMedia", media="")
    check("on paper a figure is a picture", display == ["block", "none"], str(display))


def check_keys(page, url):
    """Tab enters and leaves a view, also from a text box, and the browser keeps its own keys."""
    open_page(page, url)
    bring(page, 1)
    view = "document.querySelectorAll('switchyard-view')[1]"
    page.run(f"{view}.querySelector('.typed').focus()")
    page.run(f"{view}.view.call('move', 100, 65); {view}.view.call('button', 0, 1, 100, 65); {view}.view.call('button', 0, 0, 100, 65)")
    page.frame()
    page.key("Tab", "Tab", 9)
    check("Tab leaves a view", page.run("!document.activeElement.classList.contains('typed')"))
    page.run(f"{view}.querySelector('.typed').focus()")
    prevented = page.run("""['KeyF', 'KeyP', 'Equal', 'Digit0'].filter((code) => !document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { code, key: 'x', ctrlKey: true, bubbles: true, cancelable: true })))""")
    check("searching, printing and zooming are the browser's", prevented == [], str(prevented))


def check_several(page, url):
    """A step in one view does not move the others."""
    open_page(page, url)
    for number in (0, 1, 2):
        bring(page, number)
    places = "[...document.querySelectorAll('switchyard-view')].slice(0, 3).map((v) => v.view.call('place'))"
    before = page.run(places)
    page.run("document.querySelectorAll('switchyard-view')[0].view.call('command', 'step.forward')")
    page.run("document.querySelectorAll('switchyard-view')[0].view.wake()")
    page.frame()
    after = page.run(places)
    check("a step in one view moves only this view", before[0] != after[0] and before[1:] == after[1:], f"{before} {after}")


def check_bar(page, url):
    """The buttons below a figure step it, and the position is shown."""
    open_page(page, url)
    bring(page, 0)
    view = "document.querySelector('switchyard-view')"
    before = page.run(f"{view}.says.textContent")
    page.run(f"{view}.querySelector('button[title=\"Go to the next switch\"]').click()")
    page.wait(f"{view}.says.textContent !== {before!r}")
    page.run(f"[...{view}.querySelectorAll('button')].find((b) => b.textContent === 'embed').click()")
    snippet = page.run(f"{view}.querySelector('.embed textarea').value")
    source = html.unescape(re.search(r'src="([^"]*)"', snippet)[1])
    open_page(page, source)
    page.wait("window.switchyardSays && document.getElementById('window').dataset.rests")
    check("the snippet's address opens the same position in the window", page.says().startswith("interactive-vs-hog "), page.says()[:80])


def number_of(lesson):
    return int(lesson.split("-")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="site-directory", type=Path)
    parser.add_argument("window", metavar="switchyard-ui", type=Path)
    parser.add_argument("switchyard", type=Path)
    parser.add_argument("--axe", type=Path, help="axe.min.js: also checks whether people with disabilities can use the pages")
    parser.add_argument("--pictures", type=Path, help="saves pictures of the pages in this directory")
    parser.add_argument("--without-lessons", action="store_true", help="does not read the lessons figure by figure, which takes minutes")
    words = parser.parse_args()
    folder, checking.program, switchyard, pictures = words.folder.resolve(), words.window.resolve(), words.switchyard.resolve(), words.pictures
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    url = serve(folder, Plain)
    lessons = sorted((file.stem for file in (folder / "docs/tutorials").glob("[1-9]*.html") if not file.stem.endswith("-teacher")),
                     key=number_of)
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            page = Page(browser)
            check("the lessons are numbered without a gap",
                  [number_of(lesson) for lesson in lessons] == list(range(1, len(lessons) + 1)) != [], str(lessons))
            for lesson in [] if words.without_lessons else lessons:
                for size in (LAPTOP, TELEPHONE):
                    read_lesson(page, f"{url}docs/tutorials/{lesson}.html", lesson, size, temporary, pictures)
            check_paper(page, f"{url}docs/tutorials/{lessons[0]}.html", temporary)
            check_without_script(page, f"{url}docs/tutorials/{lessons[0]}.html")
            check_keys(page, f"{url}docs/tutorials/{lessons[0]}.html")
            check_several(page, f"{url}docs/tutorials/{lessons[2]}.html")
            check_bar(page, f"{url}docs/tutorials/{lessons[0]}.html")
            check_home(page, url, switchyard)
            check_console(page, url)
            check_furniture(page, url)
            check_scheduler(page, url)
            check_quiz(page, url, switchyard)
            check_lesson_by_keyboard(page, url)
            check_sizes(page, url, pictures)
            if words.axe:
                check_access(page, url, words.axe.read_text())
            page.look()
            check("no request leaves the pages", all(r.startswith((url, "about:", "blob:", "data:")) for r in page.requests),
                  str({r for r in page.requests if not r.startswith(url)}))
            check("the browser reports no problem", not page.problems, str(page.problems[:5]))
    finally:
        browser.close()
    print(f"site: {checking.passed} passed, {checking.failed} failed")
    sys.exit(1 if checking.failed else 0)


main()
