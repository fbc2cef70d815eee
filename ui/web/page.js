// The page that is all window: one view (ui/web/view.js), which gets every key, and settings that stay for the next visit.
(() => {
  const typed = document.getElementById('typed');
  const message = document.getElementById('message');
  const canvas = document.getElementById('window');
  const kSettings = '/home/settings';

  // The program that this page carries in itself, if it does.
  async function carried() {
    const text = document.getElementById('carried');
    if (!text) return undefined;
    if (!window.DecompressionStream) throw new Error('this browser is too old to unpack a page that is one file');
    const bytes = Uint8Array.from(atob(text.textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  }

  function readSettings(files) {
    files.mkdirTree(kSettings);
    for (const name of ['keys', 'window']) {
      try {
        const text = localStorage.getItem(`switchyard/${name}`);
        if (text) files.writeFile(`${kSettings}/${name}`, text);
      } catch (problem) { return; }
    }
  }

  function keepSettings(files) {
    try {
      for (const name of files.readdir(kSettings).filter((n) => !n.startsWith('.'))) {
        const text = files.readFile(`${kSettings}/${name}`, { encoding: 'utf8' });
        // The files that were opened were files of this visit.
        localStorage.setItem(`switchyard/${name}`, text.replace(/^recent = .*\n/gm, ''));
      }
    } catch (problem) { /* a browser that keeps nothing: the next visit begins as the first one did */ }
  }

  async function begin() {
    const wasm = await carried();
    const program = await SwitchyardProgram.load(wasm ? { wasmBinary: wasm } : {});
    readSettings(program.files);
    const view = new SwitchyardView(program, canvas, typed, {
      address: location.href.split('#')[0],
      keys: window,
      drops: window,
      file: document.getElementById('file'),
      frame: document.documentElement,
      forFingers: 1.7,  // a button is 35 of CSS's pixels high, more than 9 of its millimetres
      embedded: false,
      framed: () => {},
      setTitle: (title) => { document.title = title; },
      keepSettings: () => keepSettings(program.files),
      stopped: (why) => {
        message.textContent = `Switchyard has stopped: ${why}\n\nLoad the page again to start anew.`;
      },
    });
    // Whatever is pressed is for the window; before the view hears of it, so that what it types has a box to go to.
    addEventListener('keydown', () => { if (!view.hasFocus()) view.focus(); });
    view.open(location.hash);
    if (!view.isOpen) return;
    message.textContent = '';
    canvas.dataset.first = performance.now().toFixed(0);
    view.focus();
    addEventListener('hashchange', () => {
      view.call('go', location.hash);
      view.wake();
    });
    // For tests, and for who wants to read rather than look.
    window.switchyardSays = () => (view.isOpen ? view.call('print') : message.textContent);
  }

  begin().catch((problem) => {
    message.textContent = typeof WebAssembly === 'undefined'
      ? 'Switchyard needs WebAssembly, which this browser lacks or does not allow.'
      : `Switchyard could not be started: ${problem.message || problem}`;
  });
})();
