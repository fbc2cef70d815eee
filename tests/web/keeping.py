"""Tests the data that the page keeps between visits, if the browser allows it, and how to erase the data."""
from pathlib import Path

from browser import Page
from checking import ROOT, check, do, program_at

GOING_ON = "Continuing where you left off"
KEPT_FILES = """new Promise((done) => {
    const request = indexedDB.open('switchyard');
    request.onsuccess = () => {
        const names = request.result.transaction('files').objectStore('files').getAllKeys();
        names.onsuccess = () => { request.result.close(); done(names.result); };
    };
})"""


def write_scenario(path, seed=7):
    path.write_text((ROOT / "scenarios/two-hogs.json").read_text().replace('"until"', f'"seed": {seed}, "until"', 1))
    return path


def come_back(page, url):
    """Leaves the page, and opens it again."""
    page.open(url, anew=False)
    page.rest()


def opened_lately(page):
    do(page, "key Ctrl+O")
    lines = [line for line in page.says().splitlines() if "opened recently" in line]
    do(page, "key Esc")
    return lines


def check_settings(page, url, temporary):
    page.open(url)
    page.rest()
    come_back(page, url)
    check("a page without actions opens as before", GOING_ON not in page.says())
    do(page, "key F7")
    come_back(page, url)
    check("folded parts stay folded", page.shows(program_at({}, (1280, 720), ["key F7"], temporary)))


def check_place_and_files(page, url, temporary):
    page.open(url)
    page.choose(write_scenario(Path(temporary, "of mine.json")))
    page.rest()
    for _ in range(3):
        do(page, "key Shift+Right")
    page.choose(Path(__file__))
    page.rest()
    do(page, "key Esc")
    there = page.says().splitlines()[0]
    page.run("window.before = true")
    page.send("Page.reload")
    page.wait("!window.before && window.switchyardSays")
    page.rest()
    check("a reload returns to the position, in the file", page.says().splitlines()[0] == there, page.says()[:80])
    come_back(page, url)
    check("so does the next visit", page.says().splitlines()[0] == there, page.says()[:80])
    check("it reports this, and how to forget it", f"{GOING_ON}. To start over: Menu, Window, Clear saved data" in page.says())
    check("the file is among those opened recently", opened_lately(page) == ["/files/of mine.json: opened recently"],
          str(opened_lately(page)))
    check("a file that could not be opened is not kept", page.run(KEPT_FILES) == ["of mine.json"], str(page.run(KEPT_FILES)))
    come_back(page, url + "#scenario=web-server")
    check("a link has priority over the kept position", page.says().startswith("web-server ") and GOING_ON not in page.says(), page.says()[:80])
    page.run("localStorage.setItem('switchyard/place', '#scenario=/files/gone.json&at=1ms')")
    page.run("history.replaceState(null, '', location.pathname)")
    come_back(page, url)
    check("a position in a missing file is ignored", "no longer exists" in page.says() and page.says().startswith("yield-processes "),
          page.says()[:80])


def forget(page):
    do(page, "key Ctrl+P")
    do(page, 'text "forget"')
    do(page, "key Enter")
    page.wait("/keeps nothing more/.test(switchyardSays())")


def check_forgetting(page, url, temporary):
    page.open(url)
    page.choose(write_scenario(Path(temporary, "of mine.json")))
    page.rest()
    do(page, "key Shift+Right")
    come_back(page, url)
    other = Page(page.browser)
    other.open(url, anew=False)
    other.rest()
    page.show()
    forget(page)
    check("the page lists what it has forgotten", "Forgotten: your last position; folded parts of the window and recently opened files; "
          "one file." in page.says(), page.says()[-300:])
    check("nothing of it is stored any more", page.run("localStorage.length") == 0 and page.run(KEPT_FILES) == [])
    for one in (page, other):
        one.show()
        one.choose(write_scenario(Path(temporary, "after.json")))
        one.rest()
        do(one, "key F7")
    other.close()
    page.show()
    come_back(page, url)
    check("and no tab keeps anything more in that visit", page.says().startswith("yield-processes ")
          and GOING_ON not in page.says() and page.run("localStorage.length") == 0 and page.run(KEPT_FILES) == [])


def check_garbage(page, url):
    """Data of another page of the same origin does no harm."""
    for record in ("{ name: 'a/b/c', bytes: new Uint8Array(3), when: 1 }", "{ name: '../../home/settings/keys', bytes: new Uint8Array(3), when: 1 }",
                   "{ name: '', bytes: new Uint8Array(3) }", "{ name: 'x.json' }", "{ name: 'y.json', bytes: { a: 1 }, when: 'x' }"):
        page.open(url)
        page.rest()
        page.run("""new Promise((done) => {
            const request = indexedDB.open('switchyard');
            request.onsuccess = () => {
                const transaction = request.result.transaction('files', 'readwrite');
                transaction.objectStore('files').put(%s);
                transaction.oncomplete = () => { request.result.close(); done(); };
            };
        })""" % record)
        come_back(page, url)
        check(f"the page opens with {record} in its storage", page.says().startswith("yield-processes "), page.says()[:80])
    page.run("localStorage.setItem('switchyard/place', '#' + 'x'.repeat(3000000))")
    come_back(page, url)
    check("and with a position of 3 MB", page.says().startswith("yield-processes "), page.says()[:80])


def check_limits(page, url, temporary):
    page.open(url)
    for number in range(22):
        page.choose(write_scenario(Path(temporary, f"file-{number:02}.json"), number))
    page.rest()
    kept = page.run(KEPT_FILES)
    check("the newest 20 files are kept", kept == [f"file-{number:02}.json" for number in range(2, 22)], str(kept))


def check_two_tabs(page, url, temporary):
    page.open(url)
    page.rest()
    other = Page(page.browser)
    other.open(url, anew=False)
    other.rest()
    for tab, name in ((page, "first"), (other, "second")):
        tab.show()
        tab.choose(write_scenario(Path(temporary, f"{name}.json")))
        tab.rest()
    page.send("Page.navigate", url="about:blank")
    other.send("Page.navigate", url="about:blank")
    other.close()
    page.show()
    come_back(page, url)
    check("of two tabs, the next visit continues with the one that was left last", page.says().startswith("second "), page.says()[:80])
    check("the files of both tabs are kept", page.run(KEPT_FILES) == ["first.json", "second.json"], str(page.run(KEPT_FILES)))


def check_blocked(page, url, temporary):
    page.open(url + "sandboxed")
    page.rest()
    check("the page works where nothing can be kept", page.says().startswith("yield-processes "), page.says()[:80])
    page.choose(write_scenario(Path(temporary, "of mine.json")))
    page.rest()
    check("a file opens there, and a message reports that nothing is kept",
          page.says().startswith("of mine ") and "does not let the page keep anything" in page.says(), page.says()[-300:])
    do(page, "key Right")
    do(page, "key F7")
    check("the message is printed once", "does not let the page keep anything" not in page.says(), page.says()[-300:])
    forget(page)
    check("and there is nothing to forget", "There was nothing to forget." in page.says(), page.says()[-300:])


def check_all(page, url, temporary):
    check_settings(page, url, temporary)
    check_place_and_files(page, url, temporary)
    check_forgetting(page, url, temporary)
    check_garbage(page, url)
    check_limits(page, url, temporary)
    check_two_tabs(page, url, temporary)
    check_blocked(page, url, temporary)
