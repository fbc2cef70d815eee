"""Checks of the site's pages without figures of documents: the home page, console blocks, the editor of scripts, search, themes, and
sizes of screens."""
import base64
import json
import subprocess

from checking import check

SIZES = [(360, 640, 3, True), (768, 1024, 2, True), (1366, 768, 1, False)]
PAGES = ["", "docs/index.html", "docs/tutorials/index.html", "docs/tutorials/3-recalculation.html", "docs/reference/model.html", "scheduler.html", "quiz.html?seed=3&number=1", "404.html"]


def open_page(page, url):
    page.send("Page.navigate", url="about:blank")
    page.send("Page.navigate", url=url)
    page.wait(f"location.href === {url!r} && document.readyState === 'complete'")


def check_home(page, url, switchyard):
    """At each stop of the slider, with and without the patch, the mean is that of the command that the page prints."""
    page.resize(*SIZES[2])
    open_page(page, url)
    page.wait("document.getElementById('yield-figure').classList.contains('live')")
    stops = int(page.run("document.getElementById('processes').max")) + 1
    check("the slider of the home page has several stops", stops >= 4)
    seen = set()
    for patched in (False, True):
        if patched:
            page.run("document.getElementById('patch').click()")
        for stop in range(stops):
            page.run(f"document.getElementById('processes').value = {stop}; "
                     "document.getElementById('processes').dispatchEvent(new Event('input'))")
            mean, command = page.run("[document.getElementById('mean').textContent, document.getElementById('command').textContent]")
            printed = json.loads(subprocess.run([switchyard, *command.split()[1:], "--format", "json"], capture_output=True, text=True, check=True).stdout)
            expected = f"{printed['simulated_ns'] / printed['yields']['calls'] / 1000:.2f} us"
            check(f"the mean of `{command}` is {mean}", mean == expected, expected)
            seen.add(mean)
    check("the means differ", len(seen) == 2 * stops, str(seen))
    before = page.run("document.getElementById('clock').textContent")
    page.wait(f"document.getElementById('clock').textContent !== {before!r}")  # it plays by itself
    page.run("document.getElementById('play').click()")
    page.run("document.getElementById('step').click()")
    parts = page.run("[...document.querySelectorAll('#legend b')].map((b) => parseFloat(b.textContent)).reduce((a, b) => a + b, 0)")
    check("after a step the parts of a yield are shown", parts > 1, str(parts))
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    open_page(page, url)
    page.wait("document.getElementById('yield-figure').classList.contains('live')")
    first = page.run("document.getElementById('clock').textContent")
    page.run("new Promise((done) => setTimeout(done, 700))")
    check("with reduced motion the figure rests", page.run("document.getElementById('clock').textContent") == first != "0.00 us")
    page.send("Emulation.setEmulatedMedia", features=[])


def check_console(page, url):
    """A console block is run, edited and run again; an error, a completion and a link work; a file of the document is used."""
    open_page(page, url + "docs/tutorials/3-recalculation.html")
    block = "switchyardBlocks[0]"
    page.run(f"{block}.runButton.click()")
    page.wait(f"{block}.pre.dataset.verdict", 60)
    check("a block prints the same as the document", page.run(f"{block}.pre.dataset.verdict") == "same", page.run(f"{block}.output.textContent")[:200])
    page.run(f"{block}.box.value = 'switchyard run recalc-storm --until 100ms | grep ^yields'; {block}.run()")
    page.wait(f"!{block}.isRunning", 60)
    check("an edited command prints its output", page.run(f"{block}.output.textContent").startswith("yields "), page.run(f"{block}.status.textContent"))
    page.run(f"{block}.box.value = 'switchyard run recalc-storn'; {block}.run()")
    page.wait(f"!{block}.isRunning", 60)
    said = page.run(f"{block}.output.textContent")
    check("an error has a suggestion", "recalc-storm" in said and "did you mean" in said, said)
    page.run(f"{block}.box.value = 'switchyard run --help'; {block}.run()")
    page.wait(f"!{block}.isRunning", 60)
    check("--help prints the options", "--policy" in page.run(f"{block}.output.textContent"))
    page.run(f"{block}.edit(); {block}.box.value = 'switchyard run recalc-s'; {block}.box.setSelectionRange(99, 99)")
    page.key("Tab", "Tab", 9)
    page.wait(f"{block}.box.value === 'switchyard run recalc-storm '", 60)
    link = page.run(f"{block}.box.value = 'switchyard list policies | head -3'; {block}.link()")
    open_page(page, link)
    page.wait("switchyardBlocks[0].output && !switchyardBlocks[0].output.hidden", 60)
    check("a link runs its command", page.run("switchyardBlocks[0].output.textContent.split('\\n').length") == 4)
    open_page(page, url + "docs/tutorials/3-recalculation.html#run-99=ls")
    page.wait("window.switchyardBlocks && switchyardBlocks[0].output")
    check("a link to a command that does not exist says so", "damaged" in page.run("switchyardBlocks[0].status.textContent"))
    page.run("switchyardBlocks[0].box.value = 'switchyard run web-server --until 1000h'; switchyardBlocks[0].run(); void 0")
    page.wait("switchyardBlocks[0].runButton.textContent === 'Stop'")
    page.run("switchyardBlocks[0].runButton.click()")
    page.wait("switchyardBlocks[0].runButton.textContent === 'Run'")
    check("a long command can be stopped", "stopped" in page.run("switchyardBlocks[0].status.textContent"))
    open_page(page, url + "docs/tutorials/11-your-first-scheduler.html")
    number = page.run("switchyardBlocks.findIndex((b) => b.command.includes('mine.lua'))")
    page.run(f"switchyardBlocks[{number}].run(); void 0")
    page.wait(f"switchyardBlocks[{number}].pre.dataset.verdict", 120)
    check("a script of the lesson is used", page.run(f"switchyardBlocks[{number}].pre.dataset.verdict") == "same",
          page.run(f"switchyardBlocks[{number}].output.textContent")[:300])


def check_furniture(page, url):
    """Search, themes, neighbours, and going back."""
    open_page(page, url + "docs/index.html")
    page.run("document.getElementById('query').focus()")
    page.run("document.getElementById('query').value = 'recalculation'; document.getElementById('query').dispatchEvent(new Event('input'))")
    page.wait("document.querySelectorAll('#found [role=option]').length > 3")
    titles = page.run("[...document.querySelectorAll('#found [role=option]')].map((o) => o.textContent).join('; ')")
    check("the search finds a lesson", "The recalculation" in titles, titles)
    page.key("Enter", "Enter", 13)
    page.wait("location.href.includes('#') && document.readyState === 'complete'")
    found = page.run("location.href")
    page.run("history.back()")
    page.wait("location.href.endsWith('docs/index.html')")
    page.run("history.forward()")
    page.wait(f"location.href === {found!r}")
    open_page(page, url + "docs/tutorials/3-recalculation.html")
    check("a lesson leads to the next one", "4-sched-yield" in page.run("document.querySelector('.neighbours a[rel=next]').href"))
    check("a page has a table of contents", page.run("document.querySelectorAll('.contents a').length") > 5)
    light = page.run("getComputedStyle(document.body).backgroundColor")
    page.run("document.getElementById('theme').click(); document.getElementById('theme').click()")
    dark = page.run("getComputedStyle(document.body).backgroundColor")
    open_page(page, url + "docs/index.html")
    check("the dark theme stays on the next page", page.run("getComputedStyle(document.body).backgroundColor") == dark != light, f"{light} {dark}")
    page.run("localStorage.clear()")
    page.wait("navigator.serviceWorker.controller")
    open_page(page, url + "docs/how-to/quiz.html")
    page.wait("(caches.match(location.href).then((found) => { window.isKept = Boolean(found); }), window.isKept)")


def check_sizes(page, url, pictures):
    """No page is wider than the screen, and no text is smaller than 14 px."""
    for size in SIZES:
        page.resize(*size)
        for name in PAGES:
            open_page(page, url + name)
            where = f"{name or 'home'} at {size[0]} x {size[1]}"
            width = page.run("document.documentElement.scrollWidth")
            check(f"{where}: nothing is wider than the screen", width <= size[0], str(width))
            small = page.run("""[...document.querySelectorAll('body *')].filter((e) => e.clientHeight > 0 && [...e.childNodes].some((n) =>
                n.nodeType === 3 && n.textContent.trim()) && parseFloat(getComputedStyle(e).fontSize) < 13.9).map((e) => e.tagName + ' ' + e.textContent.slice(0, 30)).slice(0, 3)""")
            check(f"{where}: no text is smaller than 14 px", small == [], str(small))
            if pictures:
                data = page.send("Page.captureScreenshot", format="png")["data"]
                (pictures / f"{name.split('?')[0].replace('/', '-') or 'home'}-{size[0]}.png").write_bytes(base64.b64decode(data))


def check_scheduler(page, url):
    """The page "Write a scheduler": run, an error at its line, steps through the lines, grades, and a link with the script."""
    open_page(page, url + "scheduler.html")
    page.wait("window.switchyardScheduler")
    idle = "!switchyardScheduler.state().isWorking"
    page.run("switchyardScheduler.run(); void 0")
    page.wait(f"{idle} && !document.getElementById('output').hidden", 60)
    check("a script runs", "policy mine.lua" in page.run("document.getElementById('output').textContent"))
    page.run("switchyardScheduler.editor.text = 'function enqueue(p)\\n    ready:add_lst(p)\\nend\\n'; switchyardScheduler.run(); void 0")
    page.wait(f"{idle} && document.getElementById('script-status').textContent.startsWith('Line ')", 60)
    said = page.run("document.getElementById('script-status').textContent")
    check("an error shows its line", said.startswith("Line 2:") and "add_last" in said, said)
    marked = page.run("document.getElementById('editor').shadowRoot.querySelector('.cm-marked')?.textContent")
    check("the line of the error is marked", "add_lst" in (marked or ""), str(marked))
    page.run("switchyardScheduler.editor.text = 'function enqueue(p)\\n    ready:add_last(p)\\nend\\n'; switchyardScheduler.startTrace(); void 0")
    page.wait(f"{idle} && switchyardScheduler.state().trace.length > 2", 60)
    first = page.run("document.getElementById('line').textContent")
    page.run("document.getElementById('forward').click()")
    check("steps go through the lines", first.startswith("1 of ") and page.run("document.getElementById('line').textContent").startswith("2 of "), first)
    page.run("document.getElementById('tests').value = 'grade:first-scheduler'; switchyardScheduler.grade(); void 0")
    page.wait(f"{idle} && document.getElementById('output').textContent.includes('first come, first served')", 120)
    check("a grade is printed", "10 of  10" in page.run("document.getElementById('output').textContent"))
    page.run("document.getElementById('template').value = 'linux_2_0'; document.getElementById('template').dispatchEvent(new Event('change'))")
    page.wait("switchyardScheduler.editor.text.includes('goodness')")
    page.run("document.getElementById('tests').value = 'verify:linux-2.0'; switchyardScheduler.grade(); void 0")
    page.wait(f"{idle} && document.getElementById('output').textContent.includes('cases')", 120)
    check("the script of Linux 2.0 makes the recorded decisions", "none differs" in page.run("document.getElementById('output').textContent"),
          page.run("document.getElementById('output').textContent")[:300])
    page.run("switchyardScheduler.editor.text = '-- shared\\nfunction enqueue(p) ready:add_first(p) end\\n'; switchyardScheduler.share(); void 0")
    page.wait("location.hash.startsWith('#script=')")
    link = page.run("location.href")
    open_page(page, url + "scheduler.html#script=!!")
    page.wait("window.switchyardScheduler")
    check("a damaged script in a link is reported", "damaged" in page.run("document.getElementById('script-status').textContent"))
    open_page(page, link)
    page.wait("window.switchyardScheduler")
    check("a link contains the script", "-- shared" in page.run("switchyardScheduler.editor.text"))


def check_quiz(page, url, switchyard):
    """A question is answered, the next one asked; the address names the question; a wrong value in it is reported."""
    options = ["considered", "--seed", "4", "--first", "2", "--count", "1", "--level", "medium"]
    printed = subprocess.run([switchyard, "quiz", *options], input="b\n", capture_output=True, text=True, check=True).stdout
    open_page(page, url + "quiz.html?topic=considered&level=medium&seed=4&number=2")
    page.wait("window.switchyardQuiz && switchyardQuiz.state().question", 60)
    page.run("document.querySelectorAll('#choices button')[1].click()")
    page.wait("!document.getElementById('verdict').hidden", 60)
    verdict = page.run("document.getElementById('verdict').textContent")
    check("the quiz marks an answer as the program does", verdict in printed and verdict.startswith("Wrong. ") and "is the highest" in verdict, verdict)
    page.wait("!document.getElementById('mistakes').hidden", 60)
    check("the mistakes are listed", "1 x counted sleeping tasks" in page.run("document.getElementById('mistakes').textContent"))
    check("the right choice and the own one are marked", page.run("[...document.querySelectorAll('#choices button')].map((b) => b.className)") == ["right", "wrong", "", ""])
    page.key("Enter", "Enter", 13, text="\r")  # the button for the next question has the focus
    page.wait("switchyardQuiz.state().question && switchyardQuiz.state().number === 3", 60)
    check("the address names the question", page.run("location.search") == "?topic=considered&level=medium&seed=4&number=3", page.run("location.search"))
    page.run("history.back()")
    page.wait("switchyardQuiz.state().question && switchyardQuiz.state().number === 2", 60)
    page.send("Page.navigate", url="about:blank")
    page.send("Page.navigate", url=url + "quiz.html?topic=vmstatt&seed=0")  # the page corrects the address
    page.wait("location.pathname.endsWith('quiz.html') && window.switchyardQuiz && switchyardQuiz.state().question", 60)
    said = page.run("document.getElementById('quiz-status').textContent")
    check("a wrong address is reported", 'no topic "vmstatt"' in said and "seed" in said, said)


def check_lesson_by_keyboard(page, url):
    """A reader without a mouse reads lesson 3 to its end: Tab reaches every control, Enter and the arrow keys use it."""
    page.resize(*SIZES[2])
    open_page(page, url + "docs/tutorials/3-recalculation.html")
    done = dict.fromkeys(["skip link", "guess", "figure steps", "slider", "command", "answer", "next lesson"], False)
    seen = "[...document.querySelectorAll('switchyard-view')].map((v) => v.says && v.says.textContent).join()"
    for _ in range(600):
        page.key("Tab", "Tab", 9)
        here = page.run("""(() => {
            const e = document.activeElement;
            return [e.tagName, e.className, e.textContent.trim(), e.getAttribute('rel'), e.closest('main, header, footer, aside')?.tagName];
        })()""")
        tag, name, text, rel, part = here
        if name == "skip":
            page.key("Enter", "Enter", 13, text="\r")
            page.wait("location.hash === '#text'")
            done["skip link"] = True
        elif part == "MAIN" and name == "guess":
            for letter in "20":
                page.letter(letter)
            done["guess"] = page.run("document.activeElement.value") == "20"
        elif text == "switch ▶" and not done["figure steps"]:
            page.wait("document.activeElement.closest('switchyard-view').classList.contains('live')", 60)
            before = page.run(seen)
            page.key("Enter", "Enter", 13, text="\r")
            page.wait(f"{seen} !== {before!r}")
            done["figure steps"] = True
        elif tag == "INPUT" and page.run("document.activeElement.type") == "range" and not done["slider"]:
            page.wait("document.activeElement.parentElement.parentElement.classList.contains('live')", 60)
            value = page.run("document.activeElement.value")
            page.key("ArrowLeft", "ArrowLeft", 37)  # it starts at its end
            page.wait(f"document.activeElement.value !== {value!r}", 10)
            done["slider"] = True
        elif tag == "BUTTON" and text == "Run" and not done["command"]:
            page.key("Enter", "Enter", 13, text="\r")
            page.wait("switchyardBlocks[0].pre.dataset.verdict", 60)
            done["command"] = page.run("switchyardBlocks[0].pre.dataset.verdict") == "same"
        elif tag == "SUMMARY" and part == "MAIN":
            page.key("Enter", "Enter", 13, text="\r")
            done["answer"] = page.run("document.activeElement.parentElement.open") or done["answer"]
        elif rel == "next":
            page.key("Enter", "Enter", 13, text="\r")
            page.wait("location.href.includes('4-sched-yield') && document.readyState === 'complete'")
            done["next lesson"] = True
            break
    for what, good in done.items():
        check(f"a lesson by keyboard: {what}", good)


def check_access(page, url, axe):
    """axe finds no serious problem for people with disabilities, in both themes. `axe`: its script."""
    page.resize(*SIZES[2])
    for theme in ("light", "dark"):
        page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        for name in [*PAGES, "docs/how-to/quiz.html", "docs/tutorials/11-your-first-scheduler.html", "window/index.html"]:
            open_page(page, url + name)
            page.run("new Promise((done) => setTimeout(done, 500))")
            page.run(f"{axe}; void 0")
            found = page.run("""axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
                .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`))""")
            check(f"axe has no serious remark on {name or 'home'} ({theme})", found == [], str(found))
    page.send("Emulation.setEmulatedMedia", features=[])
