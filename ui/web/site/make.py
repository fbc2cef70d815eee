#!/usr/bin/env python3
"""Converts the documents to pages with live figures: make.py PAGE-DIRECTORY GLUE OUTPUT-DIRECTORY [API-DIRECTORY]

PAGE-DIRECTORY is the output of `./run web`, GLUE the script that Emscripten made. OUTPUT-DIRECTORY gets README.md as index.html,
the documents and lessons with their figures, and the window in window/; any web server can serve it.
API-DIRECTORY is the output of `./run api`: it becomes api/, and each page links to it.

In a document, a comment in the line below a figure makes it live, and a slider replaces its comment:

    <!-- view: scenario=recalc-storm panel=timeline switch=2 show=0ms..1.1ms -->
    <!-- slider: sleepers vary=/tasks/1/count=0..1000/200 with=linux-2.0 until=200ms measure=us-per-yield -->

The words are names and values of a link (docs/how-to/browser.md), without spaces; `set` and `with` may appear several times.
`beside` keeps the picture next to the view, if the view does not show the same. A slider's `value` is the initial value of
its view. A slider changes the nearest view above it (otherwise below), which also supplies the names that the slider lacks.

`<!-- claims: DOCUMENT -->` becomes the table of that document's claims (docs/claims.json).
"""
import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

here = Path(__file__).parent
root = here.parents[2]
page, glue, output, *api = (Path(word) for word in sys.argv[1:])

PAGES = ["README.md", "scenarios/README.md"] + sorted(
    str(file.relative_to(root)) for pattern in ("docs/*.md", "docs/*/*.md") for file in root.glob(pattern))
REPEATED = ("set", "with")


class DocumentError(Exception):
    """A document has an error."""


def address(file):
    """The path of a document's page in the output directory."""
    return "index.html" if file == "README.md" else re.sub(r"(?:/README)?\.md$", lambda m: "/index.html" if "README" in m[0] else ".html", file)


def attributes(words, where):
    """The words in the comment of a view or a slider, as attributes of its HTML element."""
    values = {}
    for word in words.split():
        name, equals, value = word.partition("=")
        if not equals and name != "beside":
            raise DocumentError(f"{where}: '{word}' is not NAME=VALUE")
        if name in values and name not in REPEATED:
            raise DocumentError(f"{where}: '{name}' appears twice")
        values[name] = f"{values[name]} {value}" if name in values else value
    if "compare" in values and "policy" not in values:
        raise DocumentError(f"{where}: '{words}' has 'compare' but no 'policy': add 'policy'")
    if "show" in values and not {"at", "switch"} & values.keys():
        raise DocumentError(f"{where}: '{words}' has a range (show), but no position: add 'at' or 'switch'")
    return "".join(f' {name}="{html.escape(value)}"' for name, value in values.items())


def with_live_figures(text, file):
    """Figures with a comment below become views, and comments about sliders become sliders; other comments are removed."""
    def view(match):
        return (f'<switchyard-view{attributes(match["words"], file)}>\n<img src="{html.escape(match["src"])}" '
                f'alt="{html.escape(match["alt"])}">\n</switchyard-view>')

    def slider(match):
        label, _, words = re.fullmatch(r"([^=]+?)( (\S+=.*)|)", match["words"], re.S).group(1, 2, 3)
        return f'<switchyard-slider label="{html.escape(label)}"{attributes(words or "", file)}></switchyard-slider>'

    text = re.sub(r"!\[(?P<alt>[^\]]*)\]\((?P<src>[^)]*)\)\n<!-- view: (?P<words>.*?) -->", view, text, flags=re.S)
    text = re.sub(r"<!-- claims: (.*?) -->", lambda match: claims(match[1]), text)
    text = re.sub(r"<!-- slider: (?P<words>.*?) -->", slider, text, flags=re.S)
    if "<!-- view:" in text:
        raise DocumentError(f"{file}: a view has no figure in the line above it")
    return re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)


def claims(document):
    """The claims of a document (docs/claims.json) as a table."""
    rows = [claim for claim in json.loads((root / "docs/claims.json").read_text()) if claim["document"] == document]
    if not rows:
        raise DocumentError(f"docs/claims.json has no claims of '{document}'")
    table = "| id | what the document says | status | how to see it here |\n|---|---|---|---|\n"
    return table + "".join(f'| {row["id"]} | {row["says"]} | {row["status"]} | {row["how"]} |\n' for row in rows)


def outside_of_code(text, work):
    """`text` with everything outside fenced code changed by `work`."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else work(part) for part in parts)


def page_of(file):
    text = outside_of_code((root / file).read_text(), lambda part: with_live_figures(part, file))
    body = subprocess.run(["pandoc", "--from", "gfm", "--to", "html5", "--no-highlight", "--wrap", "preserve"],
                          input=text, text=True, capture_output=True, check=True).stdout
    # The content security policy of the pages forbids style attributes.
    body = re.sub(r' style="text-align: (\w+);?"', r' class="\1"', body)
    body = re.sub(r"<colgroup>.*?</colgroup>\n?", "", body, flags=re.S)
    body = re.sub(r"<table>.*?</table>", lambda match: f'<div class="wide">{match[0]}</div>', body, flags=re.S)
    if file.startswith("docs/tutorials/"):
        body = with_window_links(body, file)
    body, files = with_site_links(body, file)
    title = re.search(r"^# (.*)$", text, re.M)[1]
    up = "../" * address(file).count("/")
    place = (here / "page.html").read_text()
    reference = f' <a href="{up}api/index.html">API</a>' if api else ""
    for name, value in {"@API@": reference, "@TITLE@": html.escape(title.replace("`", "")), "@UP@": up, "@BODY@": body}.items():
        place = place.replace(name, value)
    return place, files


def with_window_links(body, file):
    """Adds a link to each command that opens a scenario in the window; the link opens it in the browser."""
    up = posixpath.relpath(".", posixpath.dirname(address(file)))
    body = re.sub(r'(<pre class="sh"><code>switchyard-ui ([\w-]+)\s*</code></pre>)',
                  rf'\1\n<p class="here"><a href="{up}/window/index.html#v=1&amp;scenario=\2&amp;theme=light">Open \2 here, with its tour</a></p>', body)
    if "<switchyard-view" in body:
        body = body.replace("</h1>", '</h1>\n<p class="here">This page needs no installation: the simulator runs in its figures, '
                            'or below them. The commands are for readers who have installed the programs.</p>', 1)
    return body


def with_site_links(body, file):
    """The body of the page with links adapted to the site, and the set of other files that the page needs."""
    folder, files = posixpath.dirname(file), set()

    def without_folder(match):
        there = root / folder / html.unescape(match[1])
        return match[2] if "://" not in match[1] and there.is_dir() else match[0]

    def link(match):
        target, mark, part = html.unescape(match[2]).partition("#")
        if not target or "://" in target or target.endswith("window/index.html"):
            return match[0]
        there = posixpath.normpath(posixpath.join(folder, target))
        if there not in PAGES and not (root / there).is_file():
            raise DocumentError(f"{file}: {target} is not a file")
        if there not in PAGES:
            files.add(there)
        here_is = posixpath.dirname(address(file)) or "."
        return f'{match[1]}="{html.escape(posixpath.relpath(address(there) if there in PAGES else there, here_is) + mark + part)}"'

    body = re.sub(r'<a href="([^"#]*)"[^>]*>(.*?)</a>', without_folder, body, flags=re.S)
    return re.sub(r'\b(href|src)="([^"]*)"', link, body), files


def main():
    if output.exists():
        shutil.rmtree(output)
    needed = set()
    with ThreadPoolExecutor() as pool:  # runs pandoc for several pages at the same time
        for file, (text, files) in zip(PAGES, pool.map(page_of, PAGES)):
            target = output / address(file)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            needed |= files
    for file in sorted(needed):
        target = output / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, target)
    window = output / "window"
    window.mkdir()
    for name in ("index.html", "switchyard.js", "switchyard.css", "switchyard.wasm"):
        shutil.copyfile(page / name, window / name)
    if api:
        shutil.copytree(api[0], output / "api")
    (output / "site.js").write_text("".join(part.read_text() for part in (glue, here.parent / "view.js", here / "site.js")))
    shutil.copyfile(here / "site.css", output / "site.css")
    print(f"{output}: {len(PAGES)} pages, {len(needed)} figures and other files, and the window")


try:
    main()
except DocumentError as problem:
    sys.exit(f"make.py: {problem}")
