"""Web servers of directories: a plain one, and one for the page that sends the policy of a strict host."""
import functools
import http.server
import threading
import time
from pathlib import Path

# The page within another one. The second one finishes loading late, so that a screenshot at that time shows the window.
FRAMED = b"""<!DOCTYPE html><link rel="icon" href="data:,"><style>body { margin: 0 } iframe { border: 0; display: block }</style>
<iframe src="/#switch=37" width="1280" height="720"></iframe><script>switchyardSays = () => 0</script>"""
LATE = FRAMED + b'<img src="/late.png" hidden>'


class Plain(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Strict(Plain):
    def do_GET(self):
        if self.path == "/late.png":
            time.sleep(6)
        if self.path == "/sandboxed":
            return self.send_page(Path(self.directory, "switchyard.html").read_bytes(), "sandbox allow-scripts allow-downloads")
        if self.path not in ("/framed", "/late"):
            return super().do_GET()
        self.send_page(FRAMED if self.path == "/framed" else LATE)

    def send_page(self, page, policy=None):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        if policy:
            self.send_header("Content-Security-Policy", policy)
        http.server.BaseHTTPRequestHandler.end_headers(self)
        self.wfile.write(page)

    def end_headers(self):
        self.send_header("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
                         "style-src 'self'; connect-src 'self'; img-src data:")
        super().end_headers()


def serve(folder, handler=Strict):
    """Starts a server, and returns its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"
