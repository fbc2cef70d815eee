"""Converts a document (Markdown) to the HTML of its page: pandoc converts the text; this module adds live figures and adapts links.

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
import subprocess
from pathlib import Path

root = Path(__file__).parents[3]
PAGES = ["README.md", "scenarios/README.md"] + sorted(
    str(file.relative_to(root)) for pattern in ("docs/*.md", "docs/*/*.md") for file in root.glob(pattern))
REPEATED = ("set", "with")
# A page's body and its table of contents, which make.py puts into page.html.
TEMPLATE = "$toc$\n<!-- body -->\n$body$"


class DocumentError(Exception):
    """A document has an error."""


def address(file):
    """The path of a document's page in the output directory. The home page takes the place of the README's."""
    return "readme.html" if file == "README.md" else re.sub(r"(?:/README)?\.md$", lambda m: "/index.html" if "README" in m[0] else ".html", file)


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


def with_window_links(text, file):
    """Adds a link to each command that opens a scenario in the window; the link opens it in the browser."""
    up = posixpath.relpath(".", posixpath.dirname(address(file)))
    text = re.sub(r"^```sh\nswitchyard-ui ([\w-]+)\n```$",
                  rf'\g<0>\n\n<p class="here"><a href="{up}/window/index.html#v=1&amp;scenario=\1&amp;theme=light">Open \1 here, with its tour</a></p>',
                  text, flags=re.M)
    if "<switchyard-view" in text:
        text = re.sub(r"^# .*$", '\\g<0>\n\n<p class="here">No installation is needed: the simulator runs in the figures, or below them, '
                      "and commands after a $ have a button Run.</p>", text, count=1, flags=re.M)
    return text


class Document:
    """A converted document: `title`, `summary` (plain text), `body` and `contents` (HTML), and the `files` that its links need."""

    def __init__(self, file, template):
        self.file = file
        text = outside_of_code((root / file).read_text(), lambda part: with_live_figures(part, file))
        if file.startswith("docs/tutorials/"):
            text = with_window_links(text, file)
        self.title = re.search(r"^# (.*)$", text, re.M)[1].replace("`", "")
        converted = subprocess.run(
            ["pandoc", "--from", "gfm", "--to", "html5", "--wrap", "preserve", "--toc", "--toc-depth", "3", "--template", template,
             "--metadata", f"title={self.title}"], input=text, text=True, capture_output=True, check=True).stdout
        contents, body = converted.split("<!-- body -->\n", 1)
        self.contents = self._without_title(contents)
        # The content security policy of the pages forbids style attributes.
        body = re.sub(r' style="text-align: (\w+);?"', r' class="\1"', body)
        body = re.sub(r"<colgroup>.*?</colgroup>\n?", "", body, flags=re.S)
        body = re.sub(r"<table>.*?</table>", lambda match: f'<div class="wide">{match[0]}</div>', body, flags=re.S)
        # Pandoc gives each line of highlighted code a number and a link.
        body = re.sub(r'<span id="cb[\d-]+"><a href="#cb[\d-]+"[^>]*></a>(.*?)</span>(?=\n|</code>)', r"\1", body)
        body = re.sub(r'<div class="sourceCode" id="cb\d+"(?: data-[\w-]+="[^"]*")*>', '<div class="sourceCode">', body)
        self.files = set()
        self.body = self._with_site_links(body)
        first = re.search(r"<p>(.*?)</p>", body, re.S)
        words = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", first[1]))) if first else self.title
        self.summary = words if len(words) <= 160 else words[:157].rsplit(" ", 1)[0] + " ..."

    @staticmethod
    def _without_title(contents):
        """The table of contents without its first level, which is the title of the page."""
        inner = re.search(r"<ul>\s*<li><a [^>]*>.*?</a>\s*(<ul>.*</ul>)\s*</li>\s*</ul>", contents, re.S)
        return re.sub(r' id="toc-[^"]*"', "", inner[1]) if inner else ""

    def _with_site_links(self, body):
        """The body with links adapted to the site; adds the other files that they lead to to `files`."""
        folder = posixpath.dirname(self.file)

        def without_folder(match):
            there = root / folder / html.unescape(match[1])
            return match[2] if "://" not in match[1] and there.is_dir() else match[0]

        def link(match):
            target, mark, part = html.unescape(match[2]).partition("#")
            if not target or "://" in target or target.endswith("window/index.html"):
                return match[0]
            there = posixpath.normpath(posixpath.join(folder, target))
            if there not in PAGES and not (root / there).is_file():
                raise DocumentError(f"{self.file}: {target} is not a file")
            if there not in PAGES:
                self.files.add(there)
            here_is = posixpath.dirname(address(self.file)) or "."
            return f'{match[1]}="{html.escape(posixpath.relpath(address(there) if there in PAGES else there, here_is) + mark + part)}"'

        body = re.sub(r'<a href="([^"#]*)"[^>]*>(.*?)</a>', without_folder, body, flags=re.S)
        return re.sub(r'\b(href|src)="([^"]*)"', link, body)


def reading_order():
    """The documents in the order of previous and next: the lessons by number, their teacher's pages, then the index's order."""
    def number(file):
        return int(re.search(r"/(\d+)-", file)[1])

    numbered = [file for file in PAGES if re.match(r"docs/tutorials/\d", file)]
    lessons = sorted((file for file in numbered if not file.endswith("-teacher.md")), key=number)
    teachers = sorted((file for file in numbered if file.endswith("-teacher.md")), key=number)
    others = []
    for target in re.findall(r"\]\(([^)#]*\.md)", (root / "docs/index.md").read_text()):
        file = posixpath.normpath(posixpath.join("docs", target))
        if file not in others and file != "docs/tutorials/README.md":
            others.append(file)
    return ["docs/tutorials/README.md", *lessons], teachers, ["docs/index.md", *others]
