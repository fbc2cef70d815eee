// The page: hands events to the window (ui/web/main.cpp), shows its frames on the canvas, and does for it what only a
// page can: clipboard, downloads, files, settings.
'use strict';
(() => {
  const canvas = document.getElementById('window');
  const typed = document.getElementById('typed');
  const file = document.getElementById('file');
  const message = document.getElementById('message');
  const pixels = canvas.getContext('2d', { alpha: false });
  const kLargestFile = 16 << 20;  // bytes
  const kSettings = '/home/settings';

  let program;  // what Emscripten made of the window, once it is there
  let call;     // its functions of ui/web/main.cpp: call.frame(seconds)

  // --- frames ---

  let asked = false;
  let before = 0;  // when the last frame was, in ms; 0 after a rest

  function frame(seconds) {
    if (call) return call.frame(seconds);
    return 0;
  }

  function wake() {
    if (asked || !call) return;
    asked = true;
    requestAnimationFrame((now) => {
      asked = false;
      const begin = performance.now();
      const more = frame(before ? (now - before) / 1000 : 1 / 60);
      canvas.dataset.frames = Number(canvas.dataset.frames || 0) + 1;
      canvas.dataset.work = (performance.now() - begin).toFixed(2);
      canvas.dataset.rests = more ? '' : 'yes';
      before = more ? now : 0;
      if (more) wake();
    });
  }

  // Whether this is a finger's device: there a button is 35 of CSS's pixels high, more than 9 of its millimetres.
  const fingers = matchMedia('(pointer: coarse)');
  const ratio = () => window.devicePixelRatio || 1;
  let size = [1, 1];  // in the screen's pixels

  function measure(exact) {
    const box = exact && exact.devicePixelContentBoxSize && exact.devicePixelContentBoxSize[0];
    const about = [canvas.clientWidth * ratio(), canvas.clientHeight * ratio()];
    // The exact size differs by a rounding; where it differs by more, the screen is one that is only played.
    const is_near = box && Math.abs(box.inlineSize - about[0]) < 2 && Math.abs(box.blockSize - about[1]) < 2;
    const now = is_near ? [box.inlineSize, box.blockSize] : about.map(Math.round);
    size = now.map((length) => Math.max(64, length));
    if (!call) return;
    call.resized();
    wake();
  }

  // --- what the window calls ---

  let clip = '';        // what was copied last, here or by a paste elsewhere
  let copying = false;  // a copy event is being answered

  function writeClipboard(text) {
    const by_command = () => {
      const box = document.createElement('textarea');
      box.value = text;
      document.body.append(box);
      box.select();
      document.execCommand('copy');
      box.remove();
      typed.focus({ preventScroll: true });
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(by_command);
    else by_command();
  }

  const page = {
    width: () => size[0],
    height: () => size[1],
    density: () => ratio() * (fingers.matches ? 1.7 : 1),
    show(bytes, width, height) {
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      pixels.putImageData(new ImageData(bytes, width, height), 0, 0);
    },
    showCursor(name) { canvas.style.cursor = name; },
    setTitle(title) { document.title = title; },
    setFullscreen(full) {
      const root = document.documentElement;
      const done = full ? root.requestFullscreen && root.requestFullscreen({ navigationUI: 'hide' })
                        : document.fullscreenElement && document.exitFullscreen();
      if (done) done.catch(() => call.say('The browser does not let this page fill the screen.'));
      else if (full) call.say('This browser does not let a page fill the screen.');
    },
    isFullscreen: () => document.fullscreenElement !== null,
    clipboard: () => clip,
    setClipboard(text) {
      clip = text;
      if (!copying) writeClipboard(text);
    },
    chooseFile() { file.click(); },
    placeCaret(x, y) {
      typed.style.left = `${Math.max(0, Math.min(x / ratio(), innerWidth - 300))}px`;
      typed.style.top = `${Math.max(0, Math.min(y / ratio(), innerHeight - 40))}px`;
    },
    download(name) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([program.FS.readFile(`/files/${name}`)]));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    keepSettings() {
      try {
        for (const name of program.FS.readdir(kSettings).filter((n) => !n.startsWith('.'))) {
          const text = program.FS.readFile(`${kSettings}/${name}`, { encoding: 'utf8' });
          // The files that were opened were files of this visit.
          localStorage.setItem(`switchyard/${name}`, text.replace(/^recent = .*\n/gm, ''));
        }
      } catch (problem) { /* a browser that keeps nothing: the next visit begins as the first one did */ }
    },
    stop(why) {
      call = undefined;
      message.textContent = `Switchyard has stopped: ${why}\n\nLoad the page again to start anew.`;
    },
  };

  function readSettings(fs) {
    fs.mkdirTree(kSettings);
    for (const name of ['keys', 'window']) {
      try {
        const text = localStorage.getItem(`switchyard/${name}`);
        if (text) fs.writeFile(`${kSettings}/${name}`, text);
      } catch (problem) { return; }
    }
  }

  // --- the mouse ---

  const at = (event) =>
    [event.clientX * size[0] / canvas.clientWidth, event.clientY * size[1] / canvas.clientHeight];
  const point = (event) => call.move(...at(event));

  function press(event, down) {
    call.button(event.button, down ? 1 : 0, ...at(event));
    wake();
  }

  canvas.addEventListener('pointermove', (event) => {
    if (!call) return;
    if (event.pointerType === 'touch') return touchMove(event);
    // A second button that goes down or up while one is held is told as a move.
    if (event.button >= 0) return press(event, (event.buttons & [1, 4, 2, 8, 16][event.button]) !== 0);
    point(event);
    wake();
  });
  canvas.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    if (!call) return;
    canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') return touchDown(event);
    typed.focus({ preventScroll: true });
    press(event, true);
  });
  for (const kind of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(kind, (event) => {
      if (!call) return;
      if (event.pointerType === 'touch') return touchUp(event, kind === 'pointercancel');
      press(event, false);
    });
  }
  canvas.addEventListener('pointerleave', (event) => {
    if (!call || event.pointerType === 'touch') return;
    call.left(0);
    wake();
  });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (!call) return;
    const notch = [100, 3, 1][event.deltaMode];  // pixels, lines, pages
    point(event);
    call.wheel(event.deltaX / notch, -event.deltaY / notch);
    wake();
  }, { passive: false });

  // --- fingers ---
  //
  // A tap is a click. One finger moves what it is on: the timeline, a list, a slider. Two fingers move, and zoom the
  // timeline. While a finger rests, the mouse is under it, so that what there is to say is said.

  const kSlop = 8;         // CSS pixels that a tap may move
  const kPixels = 60;      // CSS pixels of a list that go with a notch of the wheel
  const fingersDown = new Map();
  let gesture = null;      // what goes on; null when nothing does

  const middle = () => {
    const all = [...fingersDown.values()];
    const sum = all.reduce(([x, y], p) => [x + p[0], y + p[1]], [0, 0]);
    return [sum[0] / all.length, sum[1] / all.length];
  };
  const spread = () => {
    const [a, b] = [...fingersDown.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };

  // Lets the window see where the finger is, before it is asked what is there.
  function settle() {
    for (let i = 0; i < 2; ++i) frame(1 / 60);
    wake();
  }

  function endDrag() {
    if (gesture && gesture.button !== undefined) call.button(gesture.button, 0, ...middle());
  }

  function touchDown(event) {
    if (fingersDown.size > 0) endDrag();
    fingersDown.set(event.pointerId, at(event));
    const here = middle();
    call.move(...here);
    settle();
    gesture = { from: here, last: here, under: call.under_finger(), moved: fingersDown.size > 1,
                spread: fingersDown.size === 2 ? spread() : 0 };
    if (fingersDown.size > 1) beginMove(0, 1);
  }

  function beginMove(dx, dy) {
    gesture.moved = true;
    const scrolls = gesture.under === 1 && Math.abs(dy) > Math.abs(dx);
    if (scrolls) return;
    gesture.button = gesture.under === 2 ? 2 : 0;
    if (fingersDown.size > 1 && gesture.under !== 2) gesture.button = undefined;
    if (gesture.button !== undefined) call.button(gesture.button, 1, ...gesture.from);
  }

  function touchMove(event) {
    if (!gesture || !fingersDown.has(event.pointerId)) return;
    fingersDown.set(event.pointerId, at(event));
    const here = middle();
    const [dx, dy] = [here[0] - gesture.last[0], here[1] - gesture.last[1]];
    if (!gesture.moved) {
      if (Math.hypot(dx, dy) < kSlop * ratio()) return;
      beginMove(dx, dy);
    }
    if (gesture.button !== undefined) call.move(...here);
    else call.wheel(dx / (kPixels * ratio()), dy / (kPixels * ratio()));
    if (fingersDown.size === 2 && gesture.under === 2) {
      const now = spread();
      const notches = Math.log(now / gesture.spread) / Math.log(1.3);
      if (Math.abs(notches) > 0.05) {
        call.wheel(0, notches);
        gesture.spread = now;
      }
    }
    gesture.last = here;
    wake();
  }

  function touchUp(event, cancelled) {
    if (!fingersDown.has(event.pointerId)) return;
    endDrag();
    const tap = gesture && !gesture.moved && !cancelled && fingersDown.size === 1;
    if (tap) {
      call.button(0, 1, ...gesture.from);
      call.button(0, 0, ...gesture.from);
      // At once: only now may a telephone's keyboard be called for.
      for (let i = 0; i < 4; ++i) frame(1 / 60);
      if (call && call.wants_text()) typed.focus({ preventScroll: true });
      else typed.blur();
    }
    fingersDown.delete(event.pointerId);
    gesture = null;  // a finger that stays does nothing until all have gone
    if (!tap && fingersDown.size === 0 && call) call.left(0);
    wake();
  }

  // --- the keyboard ---

  const modifiers = (event) =>
    (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);

  // What people expect of a browser, whatever page it shows.
  function isBrowsers(event) {
    if (event.metaKey) return true;
    if (event.code === 'F5' && !event.shiftKey) return true;
    if (event.code === 'KeyL' && event.shiftKey) return false;
    return event.ctrlKey && !event.altKey && ['KeyW', 'KeyT', 'KeyN', 'KeyR', 'KeyL', 'Tab'].includes(event.code);
  }

  // Copying and pasting come as events of their own, which alone may touch the clipboard.
  const isClipboards = (event) =>
    event.ctrlKey && !event.altKey && !event.shiftKey && ['KeyC', 'KeyX', 'KeyV'].includes(event.code);

  function key(event, down) {
    if (!call || event.isComposing || event.keyCode === 229) return;
    if (isBrowsers(event)) return;
    if (isClipboards(event)) return;
    call.key(event.code, event.key, modifiers(event), down ? 1 : 0, event.repeat ? 1 : 0);
    const graph = event.getModifierState('AltGraph');
    const types = event.key.length === 1 && (graph || !(event.ctrlKey || event.altKey));
    if (!types) event.preventDefault();
    wake();
  }
  addEventListener('keydown', (event) => {
    if (document.activeElement !== typed) typed.focus({ preventScroll: true });
    key(event, true);
  });
  addEventListener('keyup', (event) => key(event, false));

  function ctrlAnd(code, letter) {
    call.key(code, letter, 1, 1, 0);
    call.key(code, letter, 1, 0, 0);
    for (let i = 0; i < 6; ++i) frame(1 / 60);
    wake();
  }
  for (const [kind, code, letter] of [['copy', 'KeyC', 'c'], ['cut', 'KeyX', 'x']]) {
    addEventListener(kind, (event) => {
      if (!call) return;
      event.preventDefault();
      copying = true;
      ctrlAnd(code, letter);
      copying = false;
      event.clipboardData.setData('text/plain', clip);
    });
  }
  addEventListener('paste', (event) => {
    if (!call) return;
    event.preventDefault();
    const files = event.clipboardData.files;
    if (files.length > 0) return open(files[0]);
    clip = event.clipboardData.getData('text/plain');
    ctrlAnd('KeyV', 'v');
  });

  function takeTyped() {
    const text = typed.value.replace(/[\r\n]/g, '');
    typed.value = '';
    if (text && call) call.text(text);
    wake();
  }
  typed.addEventListener('input', (event) => { if (!event.isComposing) takeTyped(); });
  typed.addEventListener('compositionstart', () => typed.classList.add('composing'));
  typed.addEventListener('compositionend', () => {
    typed.classList.remove('composing');
    takeTyped();
  });

  // --- files ---

  async function open(chosen) {
    if (!call) return;
    if (chosen.size > kLargestFile) return call.say('That file is too large for a scenario.');
    const name = chosen.name.replace(/[^\w. -]/g, '_').slice(-100) || 'scenario.json';
    try {
      program.FS.writeFile(`/files/${name}`, new Uint8Array(await chosen.arrayBuffer()));
      call.drop(`/files/${name}`);
    } catch (problem) {
      call.say('That file cannot be read.');
    }
    wake();
  }
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) open(event.dataTransfer.files[0]);
  });
  file.addEventListener('change', () => {
    if (file.files.length > 0) open(file.files[0]);
    file.value = '';
  });

  // --- beginning ---

  // The program that this page carries in itself, if it does.
  async function carried() {
    const text = document.getElementById('carried');
    if (!text) return undefined;
    if (!window.DecompressionStream) throw new Error('this browser is too old to unpack a page that is one file');
    const bytes = Uint8Array.from(atob(text.textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  }

  async function begin() {
    measure();
    const options = { page, noExitRuntime: true, print: () => {}, printErr: (text) => console.warn(text) };
    const wasm = await carried();
    if (wasm) options.wasmBinary = wasm;
    program = await Switchyard(options);
    readSettings(program.FS);
    const kinds = {
      open: ['string', 'string', 'number'], go: ['string'], frame: ['number'], resized: [], left: ['number'],
      move: ['number', 'number'], button: ['number', 'number', 'number', 'number'], wheel: ['number', 'number'],
      key: ['string', 'string', 'number', 'number', 'number'], text: ['string'], drop: ['string'], say: ['string'],
      wants_text: [], under_finger: [],
    };
    const functions = {};
    for (const [name, types] of Object.entries(kinds))
      functions[name] = (...values) => program.ccall(`switchyard_${name}`, 'number', types, values);
    functions.print = () => program.ccall('switchyard_print', 'string', [], []);
    call = functions;
    call.open(location.href.split('#')[0], location.hash, matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 0);
    if (!call) return;
    message.textContent = '';
    frame(1 / 60);
    canvas.dataset.first = performance.now().toFixed(0);
    typed.focus({ preventScroll: true });

    const observer = new ResizeObserver((entries) => measure(entries[0]));
    try {
      observer.observe(canvas, { box: 'device-pixel-content-box' });
    } catch (problem) {
      observer.observe(canvas);
    }
    fingers.addEventListener('change', () => measure());
    addEventListener('hashchange', () => {
      call.go(location.hash);
      wake();
    });
    addEventListener('blur', () => {
      if (!call) return;
      call.left(1);
      wake();
    });
    document.addEventListener('fullscreenchange', () => measure());
    document.addEventListener('visibilitychange', wake);
    // For tests, and for who wants to read rather than look.
    window.switchyardSays = () => (call ? call.print() : message.textContent);
    wake();
  }

  begin().catch((problem) => {
    message.textContent = typeof WebAssembly === 'undefined'
      ? 'Switchyard needs WebAssembly, which this browser lacks or does not allow.'
      : `Switchyard could not be started: ${problem.message || problem}`;
  });
})();
