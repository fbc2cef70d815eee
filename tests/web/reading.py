"""Tests the page for users of screen readers and users without a mouse: names, text, news and keyboard navigation."""
import time

from checking import check, do

BUTTONS = ["Play or pause", "Step back", "Step forward", "Look inside schedule()", "Step out", "Previous stop of the tour",
           "Next stop of the tour", "All commands", "Copy as text", "Back to the window"]
FOCUSED = "document.activeElement.textContent || document.activeElement.id"
QUIET = 0.5  # seconds after which the text of the window is up to date


def tree(page):
    """Chromium's accessibility tree: (role, name, description, properties) of all that is not ignored."""
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    return [(node["role"]["value"], node.get("name", {}).get("value", ""), node.get("description", {}).get("value", ""),
             {p["name"]: p["value"].get("value") for p in node.get("properties", [])})
            for node in nodes if not node["ignored"]]


def news(page):
    page.rest()
    time.sleep(QUIET)
    return page.run("document.getElementById('news').textContent")


def tab(page, back=False):
    page.key("Tab", "Tab", 9, 8 if back else 0)
    return page.run(FOCUSED)


def leave(page):
    page.key("F6", "F6", 117, 8)
    return page.run(FOCUSED)


def check_names(page, url):
    page.open(url + "#scenario=two-hogs&switch=2")
    page.rest()
    time.sleep(QUIET)
    nodes = tree(page)
    named = {(role, name) for role, name, _, _ in nodes}
    check("the page has the scenario's name and its language",
          ("RootWebArea", "two-hogs - Switchyard") in named and page.run("document.documentElement.lang") == "en")
    for what in [("heading", "Switchyard: a CPU scheduler, step by step"), ("image", "The window of Switchyard"),
                 ("textbox", "Keys for the window of Switchyard"), ("toolbar", "Switchyard"), ("main", "What the window shows")]:
        check(f"there is a {what[0]} named '{what[1]}'", what in named, str(sorted(named))[:1000])
    keys = next(node for node in nodes if node[:2] == ("textbox", "Keys for the window of Switchyard"))
    check("the description of the text box explains how to leave it", keys[3].get("focused") and "Shift+F6" in keys[2], str(keys))
    check("the buttons have names, in their order", [n for role, n, _, _ in nodes if role == "button"] == BUTTONS,
          str([n for role, n, _, _ in nodes if role == "button"]))
    headings = [name for role, name, _, _ in nodes if role == "heading"][1:]
    check("the panes have headings", headings == ["The run", "Timeline", "Run queue", "Decision", "The question and the key hints"], str(headings))
    said = "\n".join(name for role, name, _, _ in nodes if role == "StaticText")
    check("and the texts of the panes below them", "Where is the time" in said or "hog.1" in said, said[:300])
    check("there is a polite live region for news", any(role == "status" and p.get("live") == "polite" for role, _, _, p in nodes))


def check_keyboard(page, url):
    page.open(url + "#scenario=two-hogs&switch=2")
    page.rest()
    order = [tab(page) for _ in BUTTONS]
    check("Tab goes from the window through the buttons", order == BUTTONS, str(order))
    page.key("Enter", "Enter", 13, text="\r")
    check("the last button returns to the window", page.run(FOCUSED) == "typed", page.run(FOCUSED))
    check("Shift+F6 leaves the window", leave(page) == BUTTONS[0])
    box = page.run("(({ width, height }) => [width, height])(document.activeElement.getBoundingClientRect())")
    check("a button with the focus is visible", box[0] > 40 and box[1] > 20, str(box))
    check("Shift+F6 comes back", leave(page) == "typed")
    check("then the buttons are not visible", page.run("document.getElementById('controls').getBoundingClientRect().width") <= 1)
    tab(page), tab(page), tab(page)
    page.key(" ", "Space", 32, text=" ")
    page.rest()
    check("a button does its work and keeps the focus",
          page.run(FOCUSED) == "Step forward" and "paused" in page.says().splitlines()[0], page.says()[:100])
    check("Shift+Tab goes back through them", [tab(page, True) for _ in range(3)] == ["Step back", "Play or pause", "typed"])
    do(page, "key Ctrl+P")
    check("in a box Tab stays", tab(page) == "typed")
    check("and Shift+F6 leaves it", leave(page) == BUTTONS[0])
    page.key("Escape", "Escape", 27)
    check("Esc on a button comes back", page.run(FOCUSED) == "typed")
    do(page, "key Esc")
    leave(page)
    for _ in range(7):
        tab(page)
    page.key("Enter", "Enter", 13, text="\r")
    page.rest()
    check("All commands opens, and has the focus", "== All commands" in page.says() and page.run(FOCUSED) == "typed")


def check_news(page, url):
    page.open(url + "#scenario=two-hogs&switch=2")
    page.rest()
    do(page, "key Shift+Right")
    said = news(page)
    check("news of a step: the position, and the decision", "switch 3 / " in said and "hog.1 runs: every runnable" in said
          and len(said.splitlines()) < 6, said)
    do(page, "key I")
    do(page, "key I")
    said = news(page)
    check("news inside schedule(): the effect of a line", "line to line of schedule()" in said, said)
    do(page, "key Right")
    check("and only that", len(news(page).splitlines()) == 1, news(page))
    do(page, "key Ctrl+P")
    do(page, 'text "tick"')
    check("news of all commands: the selected one", "All commands, 1 of " in news(page), news(page))
    do(page, "key Esc")
    page.open(url + "#scenario=recalc-storm")
    page.rest()
    do(page, "key PageDown")
    check("news of a stop of the tour: its caption", "2/" in news(page) and len(news(page)) > 100, news(page))
    page.run("""window.told = 0; for (const id of ['news', 'says'])
        new MutationObserver(() => ++told).observe(document.getElementById(id), { subtree: true, childList: true, characterData: true })""")
    page.letter(" ")
    time.sleep(1)
    check("neither news nor text changes while the window plays", page.run("told") == 0, str(page.run("told")))
    page.letter(" ")
    check("but they change when it stops", news(page) != "" and page.run("told") > 0, news(page))


def check_motion(page, url):
    page.open(url)
    page.rest()
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.rest()
    do(page, "key Ctrl+P")
    do(page, 'text "reduced motion"')
    do(page, "key Enter")
    check("a request for less motion takes effect while the page is open", "Reduced motion is off: task cards move" in page.says(), page.says()[-400:])
    page.send("Emulation.setEmulatedMedia", features=[])


def check_all(page, url):
    page.send("Accessibility.enable")
    check_names(page, url)
    page.send("Accessibility.disable")
    check_keyboard(page, url)
    check_news(page, url)
    check_motion(page, url)
