#!/usr/bin/env python3
"""Assembles the pages: pack.py GLUE WASM OUTPUT-DIRECTORY

GLUE is the script that Emscripten made, WASM the program. OUTPUT-DIRECTORY gets index.html with its script, style and
program next to it, and switchyard.html, which contains all of them, with the program compressed.
"""
import base64
import gzip
import hashlib
import shutil
import sys
from pathlib import Path

here = Path(__file__).parent
glue, wasm, output = (Path(word) for word in sys.argv[1:])

ICON = base64.b64encode((here.parent / "desktop/switchyard-48.png").read_bytes()).decode()


def page(policy, style, script):
    """The page with its variable parts; inline scripts and styles are allowed by their hashes."""
    text = (here / "index.html").read_text()
    for name, value in {
        "@POLICY@": "; ".join(f"{kind} {what}" for kind, what in policy.items()),
        "@ICON@": f'<link rel="icon" type="image/png" href="data:image/png;base64,{ICON}">',
        "@STYLE@": style,
        "@SCRIPT@": script,
    }.items():
        text = text.replace(name, value)
    return text


def hash_source(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


script = "".join(part.read_text() for part in (glue, *(here / name for name in ("view.js", "keep.js", "aloud.js", "page.js"))))
style = (here / "page.css").read_text()
# The common part of both content security policies: nothing from other servers. WebAssembly is allowed below.
nothing = {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}

output.mkdir(parents=True, exist_ok=True)
(output / "switchyard.js").write_text(script)
(output / "switchyard.css").write_text(style)
shutil.copyfile(wasm, output / "switchyard.wasm")
(output / "index.html").write_text(page(
    nothing | {"script-src": "'self' 'wasm-unsafe-eval'", "style-src": "'self'", "connect-src": "'self'"},
    '<link rel="stylesheet" href="switchyard.css">', '<script src="switchyard.js" defer></script>'))

assert "</script" not in script
carried = base64.b64encode(gzip.compress(wasm.read_bytes(), 9, mtime=0)).decode()
(output / "switchyard.html").write_text(page(
    nothing | {"script-src": hash_source(script) + " 'wasm-unsafe-eval'", "style-src": hash_source(style)},
    f"<style>{style}</style>",
    f'<script type="application/gzip" id="carried">{carried}</script>\n<script>{script}</script>'))
