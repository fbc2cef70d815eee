"""Controls a headless Chromium by the DevTools protocol over a pipe, for check_page.py. Only the browser must be installed."""
import base64
import json
import os
import subprocess
import tempfile
import threading
import time
from queue import Empty, Queue

# Options against requests that Chromium makes by itself: they would count as requests of the page.
OPTIONS = ["--headless=new", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
           "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
           "--remote-debugging-pipe", "--hide-scrollbars", "--force-color-profile=srgb"]


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        options = OPTIONS + [f"--user-data-dir={self.profile.name}"]
        if os.getuid() == 0:
            options.append("--no-sandbox")  # root cannot use the sandbox
        def three_and_four():
            # First move both to numbers that neither of them has.
            low, high = os.dup2(to_read, 103), os.dup2(to_write, 104)
            os.dup2(low, 3)
            os.dup2(high, 4)
        self.process = subprocess.Popen(
            ["chromium", *options, "about:blank"], close_fds=False, preexec_fn=three_and_four,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.last = 0
        self.answers, self.events = {}, Queue()
        self.arrived = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with os.fdopen(self.read_end, "rb") as pipe:
            rest = b""
            while chunk := pipe.read1(1 << 20):
                *messages, rest = (rest + chunk).split(b"\0")
                for message in map(json.loads, messages):
                    if "id" not in message:
                        self.events.put(message)
                        continue
                    with self.arrived:
                        self.answers[message["id"]] = message
                        self.arrived.notify_all()

    def send(self, method, session=None, **parameters):
        self.last += 1
        number = self.last
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, 60):
                raise SystemExit(f"the browser did not answer {method}")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def close(self):
        try:
            self.send("Browser.close")
        except (OSError, SystemExit):
            pass
        self.process.wait(20)
        self.profile.cleanup()


class Page:
    """A tab. Positions are in CSS pixels."""

    def __init__(self, browser, width=1280, height=720, ratio=1, touch=False):
        self.browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.requests, self.problems = [], []
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        self.resize(width, height, ratio, touch)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def resize(self, width, height, ratio=1, touch=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=touch)
        self.send("Emulation.setTouchEmulationEnabled", enabled=touch)

    def look(self):
        """Records new events: requests, errors and violations of the page's policy."""
        while True:
            try:
                event = self.browser.events.get_nowait()
            except Empty:
                return
            what = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                self.requests.append(what["request"]["url"])
            elif event["method"] == "Runtime.exceptionThrown":
                self.problems.append(what["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif event["method"] == "Log.entryAdded" and what["entry"]["level"] == "error":
                self.problems.append(what["entry"]["text"])

    def show(self):
        """Brings this tab to the front: background tabs make no frames."""
        self.send("Page.bringToFront")

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def run(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", expression))
        return answer["result"].get("value")

    def open(self, url, anew=True):
        """`anew`: first erases all data that the page has kept."""
        self.send("Page.navigate", url="about:blank")
        if anew:
            origin = "file://" if url.startswith("file:") else "/".join(url.split("/")[:3])
            self.send("Storage.clearDataForOrigin", origin=origin, storageTypes="local_storage,indexeddb")
        self.send("Page.navigate", url=url)
        self.wait("window.switchyardSays")

    def wait(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > end:
                self.look()
                message = self.run("(document.getElementById('message') || {}).textContent")
                raise SystemExit(f"waited {seconds} s for {condition}: {message!r} {self.problems}")
            time.sleep(0.02)

    def frame(self):
        """Waits for two frames."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def rest(self, seconds=30):
        """Waits until the page makes no more frames."""
        self.frame()
        self.wait("document.getElementById('window').dataset.rests", seconds)

    # The names of those keys of a US keyboard that the checks press.
    def key(self, key, code, number, modifiers=0, text=None, commands=()):
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        more = {"text": text} if text else {}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", commands=list(commands), **common, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def letter(self, letter, modifiers=0):
        code = f"Digit{letter}" if letter.isdigit() else f"Key{letter.upper()}" if letter.isalpha() else \
            {" ": "Space", "-": "Minus", ".": "Period"}[letter]
        number = {"-": 189, ".": 190}.get(letter, ord(letter.upper()))
        self.key(letter, code, number, modifiers, None if modifiers & 6 else letter)

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def touch(self, kind, *points):
        self.send("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def shows(self, png, canvas="document.getElementById('window')"):
        """Whether the canvas has the pixels of this picture, all of them."""
        return self.run("""(async (text) => {
            const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
            const other = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), { colorSpaceConversion: 'none' });
            const canvas = %s;
            const [width, height] = [canvas.width, canvas.height];
            if (width !== other.width || height !== other.height) return false;
            const drawn = new OffscreenCanvas(width, height).getContext('2d', { alpha: false });
            drawn.drawImage(other, 0, 0);
            const [a, b] = [canvas.getContext('2d'), drawn].map((c) => c.getImageData(0, 0, width, height).data);
            return a.every((byte, i) => byte === b[i]);
        })('%s')""" % (canvas, base64.b64encode(png).decode()))

    def says(self):
        """The text of the entire window, as printed by switchyard-ui --dump-text."""
        return self.run("switchyardSays()")

    def frames(self):
        return int(self.run("document.getElementById('window').dataset.frames"))

    def choose(self, path):
        """Chooses a file, as if by the file dialog."""
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        before = self.frames()
        self.send("DOM.setFileInputFiles", files=[str(path)], nodeId=node)
        self.wait(f"Number(document.getElementById('window').dataset.frames) > {before}")

    def picture(self, path):
        data = self.run("document.getElementById('window').toDataURL('image/png').split(',')[1]")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
