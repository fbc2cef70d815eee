// The WebAssembly program and its views. A view is a canvas with its own window (ui/web/main.cpp). It passes events to the
// window, shows the window's frames, and does the work that only a page can do: clipboard, downloads, files.
'use strict';

// The functions of ui/web/main.cpp and the types of their parameters. Those in kTextFunctions return text, all others a number.
const kProgramFunctions = {
  open: ['string', 'string', 'number', 'number'], close: [], go: ['string'], frame: ['number'], resized: [], finger_margin: ['number'], left: ['number'],
  move: ['number', 'number'], button: ['number', 'number', 'number', 'number'], wheel: ['number', 'number'],
  key: ['string', 'string', 'number', 'number', 'number'], text: ['string'], drop: ['string'], say: ['string'],
  command: ['string'], set: ['string', 'string'], wants_text: [], under_finger: [], print: [], message: [], position: [],
  is_playing: [], parts: [], screen_reader_lines: [], place: [], file: [], report_resumed_visit: [],
  takes_tab: ['number'], reduce_motion: ['number'],
};
const kTextFunctions = ['print', 'parts', 'screen_reader_lines', 'message', 'position', 'place', 'file', 'values', 'answers'];
// The functions of ui/web/reading.cpp, which need no window.
const kReadingFunctions = {
  values: ['string'], laboratory: [], ask: ['number', 'string'], work: ['number', 'number'], answers: ['number'],
};

class SwitchyardProgram {
  // `options`: settings of Emscripten's module.
  static async load(options) {
    const program = new SwitchyardProgram();
    program.module = await Switchyard({ noExitRuntime: true, print: () => {}, printErr: (text) => console.warn(text), ...options });
    program.files = program.module.FS;
    return program;
  }

  // Calls a function of ui/web/main.cpp for the window of this view.
  call(view, name, ...values) {
    if (this.module.page !== view) {
      this.module.page = view;
      this.module.ccall('switchyard_select', null, ['number'], [view.id]);
    }
    return this.module.ccall(`switchyard_${name}`, kTextFunctions.includes(name) ? 'string' : 'number', kProgramFunctions[name], values);
  }

  // Calls a function of ui/web/reading.cpp.
  callReading(name, ...values) {
    return this.module.ccall(`switchyard_${name}`, kTextFunctions.includes(name) ? 'string' : 'number', kReadingFunctions[name], values);
  }
}

class SwitchyardView {
  // `canvas` shows the window; `typed` is a text box next to it for input methods. `own` contains the settings that differ
  // between pages:
  //   address     the address with which links begin
  //   keys        the element that receives key events
  //   drops       the element on which the user can drop files
  //   file        an input element for files, optional
  //   frame       the element that fills the screen in full-screen mode
  //   forFingers  the factor by which everything is larger on a touch screen
  //   embedded    true: the page contains more than this view. The view then leaves to the page: Tab, the browser's keys,
  //               vertical swipes, and, while the view does not have the focus, the mouse wheel
  //   stopped(why), framed(rests)  called when the program has stopped, and after each frame
  //   setTitle(title), keepSettings(), keepFile(path), forget()  optional, called by the window
  constructor(program, canvas, typed, own) {
    Object.assign(this, { program, canvas, typed, own, id: -1, isOpen: false });
    this.pixels = canvas.getContext('2d', { alpha: false });
    this.size = [1, 1];       // of the canvas, in pixels of the screen
    this.clip = '';           // the text that was copied or pasted last in this view
    this.isCopying = false;   // a copy event is being handled
    this.isAsked = false;     // the next frame has been requested
    this.before = 0;          // time of the previous frame in ms; 0 if the window needed no frame after it
    this.fingersDown = new Map();
    this.gesture = null;      // the current gesture, or null
    // Matches on devices with a touch screen.
    this.fingers = matchMedia('(pointer: coarse)');
    this.reduced = matchMedia('(prefers-reduced-motion: reduce)');
  }

  // Opens the window with the scenario and the position that the link specifies.
  open(link) {
    this.measure();
    this.isOpen = true;
    this.id = -1;
    const id = this.call('open', this.own.address, link.slice(0, kLongestText), this.reduced.matches ? 1 : 0, this.own.embedded ? 1 : 0);
    if (!this.isOpen) return;
    this.id = id;
    this.frame(1 / 60);
    this.listenToSizes();
    this.listenToMouse();
    this.listenToKeys();
    this.listenToClipboard();
    this.listenToFiles();
    this.wake();
  }

  // Goes to another position. A link that is cut to kLongestText is still too long for the program, which refuses it.
  go(link) {
    this.call('go', link.slice(0, kLongestText));
    this.wake();
  }

  call(name, ...values) {
    if (!this.isOpen) return 0;
    try {
      return this.program.call(this, name, ...values);
    } catch (problem) {  // an error of WebAssembly; the program shows messages for its own errors
      this.stop(problem.message || problem);
      return 0;
    }
  }

  close() {
    this.call('close');
    this.isOpen = false;
  }

  // --- frames ---

  frame(seconds) { return this.call('frame', seconds); }

  wake() {
    if (this.isAsked || !this.isOpen) return;
    this.isAsked = true;
    requestAnimationFrame((now) => {
      this.isAsked = false;
      const begin = performance.now();
      const more = this.frame(this.before ? (now - this.before) / 1000 : 1 / 60);
      const data = this.canvas.dataset;
      data.frames = Number(data.frames || 0) + 1;
      data.work = (performance.now() - begin).toFixed(2);
      data.rests = more ? '' : 'yes';
      this.before = more ? now : 0;
      this.own.framed(!more);
      if (more) this.wake();
    });
  }

  pixelRatio() { return window.devicePixelRatio || 1; }

  measure(exact) {
    const box = exact && exact.devicePixelContentBoxSize && exact.devicePixelContentBoxSize[0];
    const about = [this.canvas.clientWidth * this.pixelRatio(), this.canvas.clientHeight * this.pixelRatio()];
    // The exact size differs from the computed size only by rounding. If the difference is larger, the browser emulates
    // another screen, and the computed size is right.
    const is_near = box && Math.abs(box.inlineSize - about[0]) < 2 && Math.abs(box.blockSize - about[1]) < 2;
    const now = is_near ? [box.inlineSize, box.blockSize] : about.map(Math.round);
    this.size = now.map((length) => Math.max(64, length));
    this.call('resized');
    this.call('finger_margin', this.fingers.matches ? kFingerMargin * this.pixelRatio() : 0);
    this.wake();
  }

  listenToSizes() {
    const observer = new ResizeObserver((entries) => this.measure(entries[0]));
    try {
      observer.observe(this.canvas, { box: 'device-pixel-content-box' });
    } catch (problem) {
      observer.observe(this.canvas);
    }
    this.fingers.addEventListener('change', () => this.measure());
    this.reduced.addEventListener('change', () => {
      this.call('reduce_motion', this.reduced.matches ? 1 : 0);
      this.wake();
    });
    document.addEventListener('fullscreenchange', () => this.measure());
    document.addEventListener('visibilitychange', () => this.wake());
  }

  // --- the methods that the window calls (ui/web/screen.cpp, ui/web/main.cpp) ---

  width() { return this.size[0]; }
  height() { return this.size[1]; }
  density() { return this.pixelRatio() * (this.fingers.matches ? this.own.forFingers : 1); }

  show(bytes, width, height) {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.pixels.putImageData(new ImageData(bytes, width, height), 0, 0);
  }

  showCursor(name) { this.canvas.style.cursor = name; }
  setTitle(title) { if (this.own.setTitle) this.own.setTitle(title); }
  keepSettings() { if (this.own.keepSettings) this.own.keepSettings(); }
  keepFile(path) { if (this.own.keepFile) this.own.keepFile(path); }
  forget() { if (this.own.forget) this.own.forget(); }

  setFullscreen(full) {
    const frame = this.own.frame;
    const done = full ? frame.requestFullscreen && frame.requestFullscreen({ navigationUI: 'hide' })
                      : document.fullscreenElement && document.exitFullscreen();
    if (done) done.catch(() => this.call('say', 'The browser does not let this page fill the screen.'));
    else if (full) this.call('say', 'This browser does not let a page fill the screen.');
  }

  isFullscreen() { return document.fullscreenElement !== null; }
  clipboard() { return this.clip; }

  setClipboard(text) {
    this.clip = text;
    if (!this.isCopying) this.writeClipboard(text);
  }

  chooseFile() {
    if (this.own.file) this.own.file.click();
    else this.call('say', 'Open files in the window itself, or drop them here.');
  }

  placeCaret(x, y) {
    const each = this.canvas.clientWidth / this.canvas.width;  // CSS pixels per pixel of the canvas
    this.typed.style.left = `${Math.max(0, Math.min(x * each, this.canvas.clientWidth - 300))}px`;
    this.typed.style.top = `${Math.max(0, Math.min(y * each, this.canvas.clientHeight - 40))}px`;
  }

  download(name) {
    const link = document.createElement('a'), path = `/files/${name}`;
    if (this.call('file') === path) this.keepFile(path);  // the window has saved its scenario
    link.href = URL.createObjectURL(new Blob([this.program.files.readFile(path)]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  stop(why) {
    this.isOpen = false;
    this.own.stopped(why);
  }

  // --- the mouse ---

  canvasPosition(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * this.size[0] / this.canvas.clientWidth,
            (event.clientY - box.top) * this.size[1] / this.canvas.clientHeight];
  }

  focus() { this.typed.focus({ preventScroll: true }); }
  hasFocus() { return document.activeElement === this.typed; }

  press(event, down) {
    this.call('button', event.button, down ? 1 : 0, ...this.canvasPosition(event));
    this.wake();
  }

  listenToMouse() {
    const canvas = this.canvas;
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'touch') return this.touchMove(event);
      // If one button is held, the browser reports a second button as a move.
      if (event.button >= 0) return this.press(event, (event.buttons & [1, 4, 2, 8, 16][event.button]) !== 0);
      this.call('move', ...this.canvasPosition(event));
      this.wake();
    });
    canvas.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      canvas.setPointerCapture(event.pointerId);
      if (event.pointerType === 'touch') return this.touchDown(event);
      this.focus();
      this.press(event, true);
    });
    for (const kind of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(kind, (event) => {
        if (event.pointerType === 'touch') return this.touchUp(event, kind === 'pointercancel');
        this.press(event, false);
      });
    }
    canvas.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'touch') return;
      this.call('left', 0);
      this.wake();
    });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      if (this.own.embedded && !this.hasFocus()) return;  // without the focus, the wheel scrolls the page
      event.preventDefault();
      const notch = [100, 3, 1][event.deltaMode];  // pixels, lines, pages
      this.call('move', ...this.canvasPosition(event));
      this.call('wheel', event.deltaX / notch, -event.deltaY / notch);
      this.wake();
    }, { passive: false });
  }

  // --- fingers ---
  //
  // A tap is a click. One finger drags the item under it: the timeline, a list, a slider. Two fingers scroll, and zoom the
  // timeline. The mouse position is that of the finger, so that tooltips appear while a finger rests. A long press is no click:
  // it leaves the tooltip on the screen until the next touch.

  touchCentre() {
    const all = [...this.fingersDown.values()];
    const sum = all.reduce(([x, y], p) => [x + p[0], y + p[1]], [0, 0]);
    return [sum[0] / all.length, sum[1] / all.length];
  }

  touchDistance() {
    const [a, b] = [...this.fingersDown.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  // Draws frames with the new position of the finger, so that under_finger() is up to date.
  drawFrames() {
    for (let i = 0; i < 2; ++i) this.frame(1 / 60);
    this.wake();
  }

  endDrag() {
    if (this.gesture && this.gesture.button !== undefined) this.call('button', this.gesture.button, 0, ...this.touchCentre());
  }

  touchDown(event) {
    if (this.fingersDown.size > 0) this.endDrag();
    this.fingersDown.set(event.pointerId, this.canvasPosition(event));
    const here = this.touchCentre(), several = this.fingersDown.size > 1;
    this.call('move', ...here);
    this.drawFrames();
    this.gesture = { from: here, last: here, at: performance.now(), under: this.call('under_finger'), moved: several,
                     spread: this.fingersDown.size === 2 ? this.touchDistance() : 0 };
    if (several) this.beginMove(0, 1);
  }

  beginMove(dx, dy) {
    const gesture = this.gesture;
    gesture.moved = true;
    const scrolls = gesture.under === 1 && Math.abs(dy) > Math.abs(dx);
    if (scrolls) return;
    gesture.button = gesture.under === 2 ? 2 : 0;
    if (this.fingersDown.size > 1 && gesture.under !== 2) gesture.button = undefined;
    if (gesture.button !== undefined) this.call('button', gesture.button, 1, ...gesture.from);
  }

  touchMove(event) {
    const gesture = this.gesture;
    if (!gesture || !this.fingersDown.has(event.pointerId)) return;
    this.fingersDown.set(event.pointerId, this.canvasPosition(event));
    const here = this.touchCentre();
    const [dx, dy] = [here[0] - gesture.last[0], here[1] - gesture.last[1]];
    if (!gesture.moved) {
      if (Math.hypot(dx, dy) < kSlop * this.pixelRatio()) return;
      if (this.own.embedded && Math.abs(dy) > Math.abs(dx)) {  // the page is scrolled
        this.gesture = null;
        return;
      }
      this.beginMove(dx, dy);
    }
    if (gesture.button !== undefined) this.call('move', ...here);
    else this.call('wheel', dx / (kPixelsOfNotch * this.pixelRatio()), dy / (kPixelsOfNotch * this.pixelRatio()));
    if (this.fingersDown.size === 2 && gesture.under === 2) {
      const now = this.touchDistance();
      const notches = Math.log(now / gesture.spread) / Math.log(1.3);
      if (Math.abs(notches) > 0.05) {
        this.call('wheel', 0, notches);
        gesture.spread = now;
      }
    }
    gesture.last = here;
    this.wake();
  }

  touchUp(event, cancelled) {
    if (!this.fingersDown.has(event.pointerId)) return;
    this.endDrag();
    const rested = this.gesture && !this.gesture.moved && !cancelled && this.fingersDown.size === 1;
    const held = rested && performance.now() - this.gesture.at > kLongPress;
    if (rested && !held) {
      this.call('button', 0, 1, ...this.gesture.from);
      this.call('button', 0, 0, ...this.gesture.from);
      // Draws frames immediately, because a phone opens its keyboard only during the touch event.
      for (let i = 0; i < 4; ++i) this.frame(1 / 60);
      if (this.call('wants_text')) this.focus();
      else this.typed.blur();
    }
    this.fingersDown.delete(event.pointerId);
    this.gesture = null;  // other fingers have no effect until all have left the screen
    if (!rested && this.fingersDown.size === 0) this.call('left', 0);
    this.wake();
  }

  // --- the keyboard ---

  key(event, down) {
    if (!this.isOpen || event.isComposing || event.keyCode === 229) return;
    if (isBrowserKey(event, this.own.embedded) || isClipboardKey(event)) return;
    if (event.code === 'Tab' && !this.call('takes_tab', event.shiftKey ? 1 : 0)) return;  // the browser moves the focus to the next element
    const modifiers =
      (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);
    this.call('key', event.code, event.key, modifiers, down ? 1 : 0, event.repeat ? 1 : 0);
    const graph = event.getModifierState('AltGraph');
    const types = event.key.length === 1 && (graph || !(event.ctrlKey || event.altKey));
    if (!types) event.preventDefault();
    this.wake();
  }

  sendTypedText() {
    const text = this.typed.value.replace(/[\r\n]/g, '');
    this.typed.value = '';
    if (text) this.call('text', text.slice(0, kLongestText));
    this.wake();
  }

  listenToKeys() {
    const typed = this.typed;
    this.own.keys.addEventListener('keydown', (event) => this.key(event, true));
    this.own.keys.addEventListener('keyup', (event) => this.key(event, false));
    typed.addEventListener('input', (event) => { if (!event.isComposing) this.sendTypedText(); });
    typed.addEventListener('compositionstart', () => typed.classList.add('composing'));
    typed.addEventListener('compositionend', () => {
      typed.classList.remove('composing');
      this.sendTypedText();
    });
    this.own.keys.addEventListener('blur', () => {
      this.call('left', 1);
      this.wake();
    });
  }

  // --- the clipboard ---

  pressCtrlAnd(code, letter) {
    this.call('key', code, letter, 1, 1, 0);
    this.call('key', code, letter, 1, 0, 0);
    for (let i = 0; i < 6; ++i) this.frame(1 / 60);
    this.wake();
  }

  listenToClipboard() {
    for (const [kind, code, letter] of [['copy', 'KeyC', 'c'], ['cut', 'KeyX', 'x']]) {
      this.own.keys.addEventListener(kind, (event) => {
        event.preventDefault();
        this.isCopying = true;
        this.pressCtrlAnd(code, letter);
        this.isCopying = false;
        event.clipboardData.setData('text/plain', this.clip);
      });
    }
    this.own.keys.addEventListener('paste', (event) => {
      event.preventDefault();
      const files = event.clipboardData.files;
      if (files.length > 0) return this.openFile(files[0]);
      this.clip = event.clipboardData.getData('text/plain');
      this.pressCtrlAnd('KeyV', 'v');
    });
  }

  writeClipboard(text) {
    const by_command = () => {
      const box = document.createElement('textarea');
      box.value = text;
      document.body.append(box);
      box.select();
      document.execCommand('copy');
      box.remove();
      this.focus();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(by_command);
    else by_command();
  }

  // --- files ---

  async openFile(chosen) {
    if (chosen.size > kLargestFile) return this.call('say', 'That file is too large for a scenario.');
    const path = `/files/${chosen.name.replace(/[^\w. -]/g, '_').slice(-100) || 'scenario.json'}`;
    try {
      this.program.files.writeFile(path, new Uint8Array(await chosen.arrayBuffer()));
      this.call('drop', path);
      this.frame(1 / 60);
      if (this.call('file') === path) this.keepFile(path);
    } catch (problem) {
      this.call('say', 'That file cannot be read.');
    }
    this.wake();
  }

  listenToFiles() {
    const file = this.own.file;
    if (file) {
      file.addEventListener('change', () => {
        if (file.files.length > 0) this.openFile(file.files[0]);
        file.value = '';
      });
    }
    this.own.drops.addEventListener('dragover', (event) => event.preventDefault());
    this.own.drops.addEventListener('drop', (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length > 0) this.openFile(event.dataTransfer.files[0]);
    });
  }
}

const kLongestText = 70000;     // largest length of a text that is passed to the program; valid links are shorter
const kSlop = 8;                // largest movement of a tap, in CSS pixels
const kLongPress = 500;         // shortest duration of a long press, in ms
const kFingerMargin = 5;        // distance at which a finger still touches a control, in CSS pixels
const kPixelsOfNotch = 60;      // movement of a finger that scrolls as far as a notch of the wheel, in CSS pixels
const kLargestFile = 16 << 20;  // largest size of an opened file, in bytes

// True for keys that are left to the browser. On a page that contains more than the window, these are also the keys with
// which the browser searches, zooms, saves and prints, and Tab.
function isBrowserKey(event, embedded) {
  if (event.metaKey) return true;
  if (event.code === 'F5' && !event.shiftKey) return true;
  if (event.code === 'KeyL' && event.shiftKey) return false;
  if (!event.ctrlKey || event.altKey) return embedded && event.code === 'Tab';
  if (embedded) return !['KeyA', 'KeyC', 'KeyV', 'KeyX', 'KeyY', 'KeyZ', 'ArrowLeft', 'ArrowRight'].includes(event.code);
  return ['KeyF', 'KeyL', 'KeyN', 'KeyR', 'KeyT', 'KeyW', 'Tab', 'Equal', 'Minus', 'Digit0', 'NumpadAdd', 'NumpadSubtract', 'Numpad0'].includes(event.code);
}

// True for the keys of the clipboard. They are not passed to the window, because the browser also sends copy and paste
// events, and only the handlers of these events may use the clipboard.
function isClipboardKey(event) {
  return event.ctrlKey && !event.altKey && !event.shiftKey && ['KeyC', 'KeyX', 'KeyV'].includes(event.code);
}
