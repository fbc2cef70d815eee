#!/usr/bin/env python3
"""Makes the site: make.py --help

The documents become pages (documents.py) with a frame (page.html). Scripts, styles and programs have a hash of their content in their
names, so that browsers keep them for ever; pages have none.
"""
import argparse
import hashlib
import html
import json
import posixpath
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import home_data
from documents import PAGES, TEMPLATE, Document, DocumentError, address, reading_order, root

here = Path(__file__).parent
PICTURE = "docs/pictures/timeline-and-decision.png"  # of pages without a figure, where a link is shown with a picture
# Files of the project that console blocks read; words that are not files are no problem.
FILE_WORD = re.compile(r"(?:tests|scenarios|docs)/[\w./-]+\.(?:jsonl?|txt|csv|lua)")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path, help="the directory of the site; its content is replaced")
    parser.add_argument("--window", type=Path, required=True, help="the output of ./run web")
    parser.add_argument("--glue", type=Path, required=True, help="the script that Emscripten made for the window")
    parser.add_argument("--commands", type=Path, required=True, help="switchyard-commands.js, with the .wasm file next to it")
    parser.add_argument("--bundle", type=Path, required=True, help="worker.js and node_modules, made from package.json")
    parser.add_argument("--address", default="http://localhost:8000/", help="where the site will be, for links that must be absolute")
    parser.add_argument("--source", default="", help="the address of the source code")
    parser.add_argument("--api", type=Path, help="the output of ./run api")
    arguments = parser.parse_args()
    arguments.address = arguments.address.rstrip("/") + "/"
    return arguments


def picture_size(path):
    """The width and the height of an SVG or PNG file in pixels."""
    if path.suffix == ".png":
        return struct.unpack(">II", path.read_bytes()[16:24])
    width, height = re.search(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', path.read_text()).groups()
    return round(float(width)), round(float(height))


def with_picture_sizes(body, file):
    """`body` with the size of each picture, so that text does not move when pictures have been loaded. `file`: the page."""
    def sized(match):
        picture = root / posixpath.normpath(posixpath.join(posixpath.dirname(file), html.unescape(match[1])))
        if not picture.is_file():
            return match[0]
        width, height = picture_size(picture)
        return f'<img width="{width}" height="{height}" src="{match[1]}"'
    return re.sub(r'<img src="([^"]*\.(?:svg|png))"', sized, body)


class Assets:
    """Files whose names contain a hash of their content."""

    def __init__(self, output):
        self.output, self.names = output, {}

    def add(self, name, content, directory="assets"):
        data = content.encode() if isinstance(content, str) else content
        stem, dot, ending = name.rpartition(".")
        self.names[name] = f"{directory}/{stem}.{hashlib.sha256(data).hexdigest()[:10]}{dot}{ending}"
        target = self.output / self.names[name]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        return self.names[name]

    def put(self, text, relative_to=""):
        """`text` with each @name@ replaced by the path of that file."""
        return re.sub(r"@([\w.-]+\.(?:js|css|wasm|svg|json))@", lambda match: posixpath.relpath(self.names[match[1]], relative_to or "."), text)


def style():
    """The style sheet, with the colours that the window has for the costs."""
    themes = {theme["name"]: theme for theme in json.loads((root / "ui/platform/themes.json").read_text())["themes"]}
    costs = {"system": "system_call", "search": "select", "recalc": "recalc", "switch": "context_switch", "address-space": "address_space",
             "cache": "cache"}
    dark = ("--ink: #e8ebf0; --paper: #15181d; --dim: #a9b3c1; --line: #3a414d; --edge: #8b95a3; --focus: #ffd166; --soft: #1f242c; --shade: #59636f; "
            "--hover: #2c333d; --link: #7db9f5; --live: #4fc98a; --tint: #17251f; --bad: #ff8f80; --keyword: #7db9f5; --string: #e0b070; "
            "--number: #da96cf; --remark: #9aa4b2; color-scheme: dark;")
    text = (here / "site.css").read_text().replace("@DARK_PAPER@", dark)
    for theme in ("light", "dark"):
        colours = " ".join(f"--cost-{name}: {themes[theme][key]};" for name, key in costs.items())
        text = text.replace(f"@{theme.upper()}@", colours)
    return text


class Site:
    def __init__(self, arguments):
        self.arguments, self.output = arguments, arguments.output
        self.assets = Assets(self.output)
        self.addresses = []   # of all pages, for the site map
        self.sections = []    # [address, title, page, text] for the search
        self.frame = (here / "page.html").read_text()

    # --- programs, scripts, styles ---

    def switchyard(self, words, text=""):
        """Runs the command line in WebAssembly, as the pages do."""
        done = subprocess.run(["node", root / "ui/web/commands/node.mjs", self.arguments.commands, *words], input=text, text=True,
                              capture_output=True)
        if done.returncode != 0:
            raise DocumentError(f"switchyard {' '.join(words)}: {done.stderr}")
        return done.stdout

    def add_programs(self):
        window = self.arguments.window
        self.assets.add("switchyard.wasm", (window / "switchyard.wasm").read_bytes(), "window")
        wasm = posixpath.basename(self.assets.names["switchyard.wasm"])
        self.assets.add("switchyard.js", (window / "switchyard.js").read_text().replace("switchyard.wasm", wasm), "window")
        self.assets.add("switchyard.css", (window / "switchyard.css").read_text(), "window")
        page = (window / "index.html").read_text()
        for name in ("switchyard.js", "switchyard.css"):
            page = page.replace(f'"{name}"', f'"{posixpath.basename(self.assets.names[name])}"')
        (self.output / "window/index.html").write_text(page)
        commands = self.arguments.commands
        self.assets.add("switchyard-commands.wasm", commands.with_suffix(".wasm").read_bytes())
        self.assets.add("switchyard-commands.js", commands.read_text())
        self.assets.add("worker.js", self.assets.put((self.arguments.bundle / "worker.js").read_text(), "assets"))
        glue = self.arguments.glue.read_text().replace("switchyard.wasm", wasm)
        self.assets.add("figures.js", "".join([glue, (here.parent / "view.js").read_text(), (here / "figures.js").read_text()]))
        self.assets.add("site.js", (here / "menu.js").read_text() + (here / "console.js").read_text())
        for name in ("theme.js", "home.js", "scheduler.js", "quiz.js"):
            self.assets.add(name, (here / name).read_text())
        self.assets.add("editor.js", (self.arguments.bundle / "editor.js").read_text())
        self.assets.add("lists.json", json.dumps(self.lists()))
        self.assets.add("icon.svg", (root / "ui/desktop/switchyard.svg").read_bytes())
        self.assets.add("site.css", style())

    # --- pages ---

    def public_address(self, file): return self.arguments.address + re.sub(r"(^|/)index\.html$", r"\1", file)

    def page(self, file, **values):
        """Writes the page `file`. values: title, summary, body, and optionally contents, neighbours, image, scripts, layout, up."""
        up = values.get("up", "../" * file.count("/"))
        scripts = "".join(f'<script src="{up}{self.assets.names[name]}" defer data-root="{up or "./"}" data-window="{up}window/" '
                          f'data-lists="{self.assets.names["lists.json"]}" data-template="files/scenarios/templates/mine.lua"></script>\n'
                          for name in values.get("scripts", []))
        if "preload" in values:  # a script that the page needs first
            scripts = f'<link rel="preload" as="script" href="{up}{self.assets.names[values["preload"]]}">\n{scripts}'
        source = f' <a href="{html.escape(self.arguments.source)}">Source</a>' if self.arguments.source else ""
        text = self.frame
        for name, value in {
            "@API@": f' <a href="{up}api/index.html">API</a>' if self.arguments.api else "",
            "@SOURCE@": source, "@SCRIPTS@": scripts,
            "@IMAGE@": self.arguments.address + values.get("image", PICTURE),
            "@ADDRESS@": html.escape(self.public_address(file)),
            "@TITLE@": html.escape(values["title"] if values["title"] == "Switchyard" else f"{values['title']} - Switchyard"),
            "@SUMMARY@": html.escape(values["summary"]), "@LAYOUT@": values.get("layout", "plain"),
            "@CONTENTS@": values.get("contents", ""), "@NEIGHBOURS@": values.get("neighbours", ""),
        }.items():
            text = text.replace(name, value)
        # Names of assets only in the frame: a document may contain such words.
        text = self.assets.put(text).replace("@UP@", up).replace("@BODY@", with_picture_sizes(values["body"], file))
        target = self.output / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        self.addresses.append(file)

    def document_page(self, document, neighbours):
        file = address(document.file)
        up = "../" * file.count("/")
        contents = neighbours_text = ""
        if document.contents.count("<li>") > 2:
            contents = (f'<aside class="contents"><nav aria-label="On this page"><details><summary>On this page</summary>'
                        f"{document.contents}</details></nav></aside>\n")
        links = [f'<a rel="{rel}" href="{posixpath.relpath(address(other.file), posixpath.dirname(file) or ".")}">{label}: {html.escape(other.title)}</a>'
                 for rel, label, other in (("prev", "Previous", neighbours[0]), ("next", "Next", neighbours[1])) if other]
        if links:
            neighbours_text = f'<nav class="neighbours" aria-label="Neighbouring pages">{"".join(links)}</nav>\n'
        scripts = ["figures.js"] if "<switchyard-" in document.body or "<details" in document.body else []
        self.page(file, title=document.title, summary=document.summary, body=document.body, contents=contents,
                  neighbours=neighbours_text, image=self.image(document), scripts=scripts,
                  layout="with-contents" if contents else "plain")

    def image(self, document):
        """The path of the picture that is shown with links to a page: a lesson's first figure, as PNG."""
        figure = re.search(r'src="([^"]*\.svg)"', document.body)
        if not figure or not document.file.startswith("docs/tutorials/"):
            return PICTURE
        source = root / posixpath.normpath(posixpath.join(posixpath.dirname(address(document.file)), html.unescape(figure[1])))
        target = self.output / "assets" / f"{source.stem}.png"
        if not target.exists():
            subprocess.run(["rsvg-convert", "--width", "1160", "--height", "590", "--keep-aspect-ratio", "--page-width", "1200",
                            "--page-height", "630", "--left", "20", "--top", "20", "--background-color", "white", "--output", target, source], check=True)
        return f"assets/{target.name}"

    def add_sections(self, document, file):
        """Adds the sections of a page to the search."""
        parts = re.split(r'<h[1-3][^>]*id="([^"]*)"[^>]*>(.*?)</h[1-3]>', document.body, flags=re.S)
        for part, heading, body in zip(parts[1::3], parts[2::3], parts[3::3]):
            text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", body)))
            title = html.unescape(re.sub(r"<[^>]*>", "", heading))
            self.sections.append({"address": f"{file}#{part}", "title": title, "page": document.title, "text": text})

    def home_page(self):
        first, patched = (self.numbers["figures"][f"{kernel} {home_data.COUNTS[0]}"] for kernel in home_data.KERNELS)
        body = (here / "home.html").read_text()
        for name, value in {
            "@MEAN@": f"{first['mean'] / 1000:.2f} us",
            "@OTHER@": f"(with the patch: {patched['mean'] / 1000:.2f} us), one recalculation in {first['yields_per_recalculation']:.0f} yields",
            "@COMMAND@": first["command"],
            "@NUMBERS@": json.dumps(self.numbers, separators=(",", ":")),
        }.items():
            body = body.replace(name, value)
        if self.arguments.source:
            body = body.replace("@SOURCE_ADDRESS@", html.escape(self.arguments.source))
        else:
            body = re.sub(r'<li><a href="@SOURCE_ADDRESS@">.*?</li>\n', '<li><a href="docs/explanation/architecture.html">Architecture</a> <span>C++20, MIT licence</span></li>\n', body)
        self.page("index.html", title="Switchyard", summary="Step through the CPU schedulers of real kernels and textbooks in your browser, "
                  "and see why each task runs and what each decision costs.", body=self.assets.put(body), scripts=["figures.js"], preload="home.js", layout="home")

    def lists(self):
        """The names that the pages "Write a scheduler" and "Quiz" offer."""
        titles = {file.stem: re.search(r'"title": *"([^"]*)"', file.read_text()) for file in sorted((root / "scenarios").glob("*.json"))}
        return {"scenarios": [[name, title[1]] for name, title in titles.items() if title and name != "schema"],
                "policies": sorted(file.stem for file in (root / "scenarios/policies").glob("*.lua")),
                "grades": sorted(file.stem for file in (root / "scenarios/grades").glob("*.json")),
                "decisions": sorted(file.stem for file in (root / "tests/decisions").glob("*.jsonl")),
                "quiz_topics": self.switchyard(["complete", "--", "quiz", ""]).split(),
                "quiz_levels": self.switchyard(["complete", "--", "quiz", "--level", ""]).split()}

    def scheduler_page(self):
        self.page("scheduler.html", title="Write a scheduler", summary="Write a CPU scheduler in a few lines of Lua, run it, step through its lines, "
                  "and have it graded against recorded decisions of real kernels, in your browser.",
                  body=(here / "scheduler.html").read_text(), scripts=["editor.js", "scheduler.js"], layout="home")

    def quiz_page(self):
        self.page("quiz.html", title="Quiz", summary="Questions about the decisions of CPU schedulers, which a simulator makes and answers; "
                  "each wrong answer names the mistake behind it.",
                  body=(here / "quiz.html").read_text(), scripts=["quiz.js"], layout="home")

    def missing_page(self):
        """The page for addresses that do not exist; it can be shown at any depth, so its links are absolute."""
        path = re.sub(r"^\w+://[^/]*", "", self.arguments.address)
        self.page("404.html", title="Page not found", summary="This address does not exist.", up=path, body=(
            f'<h1>Page not found</h1>\n<p>This address does not exist. Search above, or start at the <a href="{path}index.html">home page</a>, '
            f'the <a href="{path}docs/tutorials/index.html">lessons</a> or the <a href="{path}docs/index.html">documentation</a>.</p>\n'))
        self.addresses.remove("404.html")

    # --- the rest ---

    def copy(self, file, target):
        """Copies a file of the project to `target` in the output directory."""
        path = self.output / target
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, path)

    def search_script(self):
        lunr = self.arguments.bundle / "node_modules/lunr"
        made = subprocess.run(["node", here / "search_index.cjs", lunr.resolve()], input=json.dumps(self.sections), text=True, capture_output=True, check=True)
        shown = [[section["address"], section["title"], section["page"]] for section in self.sections]
        self.assets.add("search.js", f"{(lunr / 'lunr.js').read_text()}\nconst switchyardSearchIndex = {{ index: {made.stdout}, "
                        f"sections: {json.dumps(shown)} }};\n{(here / 'search.js').read_text()}")

    def project_files(self):
        """Copies the files of the project that the console blocks read."""
        names = {name for file in PAGES for name in FILE_WORD.findall((root / file).read_text()) if (root / name).is_file()}
        names |= {str(file.relative_to(root)) for pattern in ("scenarios/*.json", "scenarios/policies/*.lua", "tests/decisions/*.jsonl") for file in root.glob(pattern)}
        for name in sorted(names):
            self.copy(name, f"files/{name}")
        (self.output / "files/list.json").write_text(json.dumps(sorted(names)))
        template = self.output / "files/scenarios/templates/mine.lua"
        template.parent.mkdir(parents=True)
        template.write_text((root / "scenarios/templates/policy.lua").read_text().replace("NAME", "mine"))

    def licences(self):
        """The licences of the libraries that the pages contain."""
        parts = []
        for package in sorted(self.arguments.bundle.glob("node_modules/*")):
            texts = sorted(package.glob("LICEN[CS]E*"))
            if texts:
                parts.append(f"{package.name}\n\n{texts[0].read_text()}")
        for package in ("libfmt-dev", "nlohmann-json3-dev", "libcli11-dev", "libstb-dev", "fonts-dejavu-core", "libimgui-dev", "liblua5.4-dev", "libsdl2-dev"):
            text = Path(f"/usr/share/doc/{package}/copyright")
            if text.is_file():
                parts.append(f"{package}\n\n{text.read_text()}")
        (self.output / "licences.txt").write_text(("\n" + "=" * 80 + "\n\n").join(parts))
        self.copy("LICENSE", "LICENSE")

    def map_for_search_engines(self):
        addresses = "".join(f"<url><loc>{html.escape(self.public_address(file))}</loc></url>\n" for file in sorted(self.addresses))
        (self.output / "sitemap.xml").write_text('<?xml version="1.0" encoding="UTF-8"?>\n'
                                                 f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{addresses}</urlset>\n')
        (self.output / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {self.arguments.address}sitemap.xml\n")

    def service_worker(self):
        """A copy of the scripts and styles, and of each page that the reader has opened, for use without a network."""
        kept = [self.assets.names[name] for name in ("site.css", "site.js", "theme.js", "figures.js", "home.js", "scheduler.js", "quiz.js", "editor.js", "lists.json", "icon.svg", "search.js")]
        version = hashlib.sha256("".join(sorted(self.assets.names.values())).encode()).hexdigest()[:10]
        text = (here / "service.js").read_text().replace("@VERSION@", version).replace("'@KEPT@'", ", ".join(f"'{name}'" for name in ["index.html", *kept]))
        (self.output / "service.js").write_text(text)

    def make(self):
        if self.output.exists():
            shutil.rmtree(self.output)
        with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor() as pool:
            template = Path(temporary, "body.html")
            template.write_text(TEMPLATE)
            documents = dict(zip(PAGES, pool.map(lambda file: Document(file, template), PAGES)))
        self.numbers = home_data.home_data(self.switchyard)
        self.add_programs()
        neighbours = {}
        for order in reading_order():
            for before, file, after in zip([None, *order], order, [*order[1:], None]):
                neighbours[file] = (documents.get(before), documents.get(after))
        # The search's script is an asset that all pages name, and it needs the sections of all pages.
        for file, document in documents.items():
            self.add_sections(document, address(file))
        self.search_script()
        for file, document in documents.items():
            self.document_page(document, neighbours.get(file, (None, None)))
        self.home_page()
        self.scheduler_page()
        self.quiz_page()
        self.missing_page()
        files = set().union(*(document.files for document in documents.values())) | {PICTURE, "docs/yield-table.svg"}
        for file in sorted(files):
            self.copy(file, file)
        self.project_files()
        self.licences()
        self.map_for_search_engines()
        self.service_worker()
        if self.arguments.api:
            shutil.copytree(self.arguments.api, self.output / "api")
        size = sum(file.stat().st_size for file in self.output.rglob("*") if file.is_file())
        print(f"{self.output}: {len(self.addresses) + 1} pages, {len(files)} figures and other files, the window and the command line; {size / 1e6:.1f} MB")


if __name__ == "__main__":
    try:
        Site(parse_arguments()).make()
    except DocumentError as problem:
        sys.exit(f"make.py: {problem}")
