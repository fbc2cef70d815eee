"""Measures the speed and the memory of the page."""
import time

from checking import ROOT, check, do


def check_rest(page, url):
    page.open(url)
    page.rest()
    frames = page.frames()
    time.sleep(1)
    check("an idle page makes no frames", page.frames() == frames, f"{frames}, {page.frames()}")


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


# A browser reports work of more than 50 ms without a pause, during which it does not respond, as a long task.
WATCH = """window.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => Math.round(task.duration))))
        .observe({ type: 'longtask' })"""


def drag(page, x, y, by):
    page.mouse("mouseMoved", x, y)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    for step in range(1, 9):
        page.mouse("mouseMoved", x + by * step // 8, y, button="left", buttons=1)
        page.frame()
    page.mouse("mouseReleased", x + by, y, button="left", clickCount=1)


def play(page):
    page.letter(" ")
    time.sleep(2)
    page.letter(" ")


def go(page, link):
    page.run(f"location.hash = {link!r}")
    page.rest()


def check_long_tasks(page, url):
    """Prints the long tasks, and checks their lengths."""
    page.open(url)
    page.rest()
    page.run(WATCH)
    went = [(f"opening {file.stem}", lambda name=file.stem: go(page, f"#scenario={name}"))
            for file in sorted((ROOT / "scenarios").glob("*.json")) if file.stem != "schema"]
    went += [
        ("playing", lambda: play(page)),
        ("comparing", lambda: do(page, "key C")),
        ("playing both", lambda: play(page)),
        ("the laboratory", lambda: do(page, "key 8")),
        ("opening web-server", lambda: go(page, "#scenario=web-server&tab=costs")),
        ("dragging a slider of web-server", lambda: drag(page, 587, 530, 40)),
        ("that run to its end", lambda: page.rest(60)),
        ("the end of 17 hours", lambda: do(page, "key End", 60)),
        ("all of 17 hours", lambda: do(page, "key F")),
        ("comparing there", lambda: do(page, "key C", 60)),
        ("playing there from the beginning", lambda: (do(page, "key Home"), play(page))),
    ]
    longest = {}
    for name, act in went:
        page.run("tasks.length = 0")
        act()
        page.rest(60)
        time.sleep(0.05)
        longest[name] = max(page.run("tasks"), default=0)
    for name, took in longest.items():
        if took > 0:
            print(f"a task longer than 50 ms: {name}, {took} ms")
        check(f"{name} blocks the browser no longer than the limit for a key (kWait in ui/control/app_state.h) and a frame", took < 300,
              f"{took} ms")


# Stores the memory of the page's program in `held`.
HOLD_MEMORY = """for (const name of ['instantiate', 'instantiateStreaming']) {
    const made = WebAssembly[name];
    WebAssembly[name] = async (...values) => {
        const result = await made.apply(WebAssembly, values);
        window.held = Object.values(result.instance.exports).find((one) => one instanceof WebAssembly.Memory);
        return result;
    };
}"""


def memory(page):
    """In bytes: the memory of the program, and that of the page's JavaScript after a garbage collection."""
    page.send("HeapProfiler.collectGarbage")
    return page.run("held.buffer.byteLength"), page.send("Runtime.getHeapUsage")["usedSize"]


def play_for(page, seconds):
    """Plays at the highest speed, and restarts from the beginning when the run is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if "   paused   " in page.says().splitlines()[0]:
            page.key("Home", "Home", 36)
            page.frame()
            page.letter(" ")
        time.sleep(0.5)


def check_memory(page, url, seconds):
    held = page.send("Page.addScriptToEvaluateOnNewDocument", source=HOLD_MEMORY)
    page.open(url + "#scenario=web-server&compare=linux-2.0:yield%3Done_tick")
    page.rest(60)
    for _ in range(30):
        page.letter(".")
    play_for(page, 10)
    before = memory(page)
    play_for(page, seconds)
    after = memory(page)
    print("playing at the highest speed for {} s: the program has {:.0f} MiB, {:.0f} before; JavaScript {:.1f} MiB, {:.1f} before"
          .format(seconds, *(size / 2**20 for pair in zip(after, before) for size in pair)))
    check("playing takes no more memory after a while", after[0] <= before[0] and after[1] < before[1] + 4 * 2**20,
          f"{before}, {after}")
    page.send("Page.removeScriptToEvaluateOnNewDocument", identifier=held["identifier"])


def check_all(page, url, thorough):
    check_rest(page, url)
    check_speed(page, url, "from a server")
    check_long_tasks(page, url)
    check_memory(page, url, 600 if thorough else 20)
