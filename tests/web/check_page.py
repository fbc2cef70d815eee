#!/usr/bin/env python3
"""Tests the page in Chromium: check_page.py PAGE-DIRECTORY SWITCHYARD-UI [--thorough] [--only MODULE]...

Its pictures are those of the program, byte for byte; it makes no requests to others; it opens from disk; and the features
of a page work: links, files, clipboard, downloads, touch, small pixels, kept data, and text for screen readers.
Prints times and sizes. --thorough takes 15 minutes longer: many more links and files, and a long time of playing.
--only runs the checks of one module: pictures, inputs, keeping, reading, speed, disk.
"""
import argparse
import gzip
import sys
import tempfile
from pathlib import Path

import checking
import inputs
import keeping
import pictures
import reading
import speed
from browser import Browser, Page
from checking import check, program_at
from serving import serve


def check_from_server(browser, url, temporary, thorough, wanted):
    page = Page(browser)
    for name, run in {
        "pictures": lambda: pictures.check_all(page, url, temporary),
        "inputs": lambda: inputs.check_all(page, url, temporary, thorough),
        "keeping": lambda: keeping.check_all(page, url, temporary),
        "reading": lambda: reading.check_all(page, url),
        "speed": lambda: speed.check_all(page, url, thorough),
    }.items():
        if wanted(name):
            run()
    page.look()
    check("no request leaves the page", all(r.startswith((url, "about:", "blob:")) for r in page.requests), str(set(page.requests)))
    check("the browser reports no problem", not page.problems, str(page.problems))
    page.close()


def check_from_disk(browser, one, temporary):
    page = Page(browser)
    page.open(one + "#switch=37")
    page.rest()
    check("the single-file page shows the same from disk", page.shows(program_at({"switch": "37"}, (1280, 720), [], temporary)))
    speed.check_speed(page, one, "from disk")
    keeping.check_place_and_files(page, one, temporary)
    page.look()
    check("the single-file page makes no requests", all(r.startswith((one, "about:", "data:")) for r in page.requests), str(set(page.requests)))
    check("and the browser reports no problem", not page.problems, str(page.problems))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="page-directory", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--only", action="append", choices=["pictures", "inputs", "keeping", "reading", "speed", "disk"])
    words = parser.parse_args()
    folder, checking.program = words.folder.resolve(), words.program.resolve()
    wanted = lambda name: words.only is None or name in words.only
    url = serve(folder)
    for name in ("switchyard.wasm", "switchyard.js", "switchyard.html"):
        data = (folder / name).read_bytes()
        print(f"{name}: {len(data)} bytes, {len(gzip.compress(data, 9))} compressed")
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            check_from_server(browser, url, temporary, words.thorough, wanted)
            if wanted("disk"):
                check_from_disk(browser, (folder / "switchyard.html").as_uri(), temporary)
    finally:
        browser.close()
    print(f"page: {checking.passed} passed, {checking.failed} failed")
    sys.exit(1 if checking.failed else 0)


main()
