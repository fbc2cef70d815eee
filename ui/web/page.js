// The page that shows only the window: one view (ui/web/view.js), which receives all keys, and the storage of the settings.
(() => {
  const typed = document.getElementById('typed');
  const message = document.getElementById('message');
  const canvas = document.getElementById('window');

  // The WebAssembly program that is embedded in this page; undefined if there is none.
  async function embeddedProgram() {
    const text = document.getElementById('carried');
    if (!text) return undefined;
    if (!window.DecompressionStream) throw new Error('this browser is too old to unpack the single-file page');
    const bytes = Uint8Array.from(atob(text.textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  }

  // The link in the address: after '#', or names and values after '?', such as ?scenario=two-hogs&policy=linux-6.6&at=20ms.
  function addressLink() {
    if (location.hash.length > 1) return location.hash;
    return location.search.length > 1 ? `#${location.search.slice(1)}` : '';
  }

  // The address of the page describes what the window shows. Another scenario is a new entry of the history; all else changes the
  // entry, at most twice a second, since browsers limit such calls.
  class AddressBar {
    constructor(view) {
      this.view = view;
      this.shown = view.call('place');  // until the reader does something, the address stays as it is
      addEventListener('popstate', () => this.follow());
    }

    scenarioOf(place) { return (/(?:^#|&)scenario=([^&]*)/.exec(place) || ['', ''])[1]; }

    // The reader has gone back or forward, or has changed the address.
    follow() {
      const link = addressLink();
      if (link !== this.shown) this.view.go(link);
      this.shown = link;
    }

    onFrame(rests) {
      const now = performance.now();
      if (!rests && now - (this.updatedAt || 0) < 500) return;
      const place = this.view.call('place');
      if (!place || place === this.shown) return;
      this.updatedAt = now;
      const isOther = this.scenarioOf(place) !== this.scenarioOf(this.shown);
      this.shown = place;
      try {
        history[isOther ? 'pushState' : 'replaceState'](null, '', location.pathname + place);
      } catch (problem) {}  // too many calls, or a page from disk
    }
  }

  async function begin() {
    let view, bar;
    const say = (words) => {
      view.call('say', words);
      view.wake();
    };
    const kept = new SwitchyardKeep(say);
    const wasm = await embeddedProgram();
    const program = await SwitchyardProgram.load(wasm ? { wasmBinary: wasm } : {});
    await kept.restore(program.files);
    view = new SwitchyardView(program, canvas, typed, {
      address: location.href.split(/[?#]/)[0],
      keys: window,
      drops: window,
      file: document.getElementById('file'),
      frame: document.documentElement,
      forFingers: 1.25,  // with the margin for fingers, a button is 36 CSS pixels high
      embedded: false,
      framed: (rests) => {
        aloud.onFrame(rests);
        if (bar) bar.onFrame(rests);
      },
      setTitle: (title) => { document.title = title; },
      keepSettings: () => kept.keepSettings(program.files),
      keepFile: (path) => kept.keepFile(path.split('/').pop(), program.files.readFile(path)),
      forget: () => kept.forget().then(say),
      stopped: (why) => {
        message.textContent = `Switchyard has stopped: ${why}\n\nReload the page to start again.`;
      },
    });
    const aloud = new SwitchyardAloud(view);
    // Every key is for the window. This listener runs before the view's, so that typed text goes to the text box.
    addEventListener('keydown', () => { if (!view.hasFocus()) view.focus(); });
    const before = addressLink() || kept.isLate ? '' : kept.keptText('place');
    view.open(addressLink() || before);
    if (!view.isOpen) return;
    if (kept.isLate) say('The data in this browser could not be read in time, so this visit keeps nothing. Reload the page.');
    else if (before) view.call('report_resumed_visit');
    message.textContent = '';
    canvas.dataset.first = performance.now().toFixed(0);
    view.focus();
    aloud.begin();
    bar = new AddressBar(view);
    // Stores the position for the next visit, if it has changed during this visit.
    let noted = view.call('place');
    const keepPlace = () => {
      const place = view.call('place');
      // If another page embeds this one in a frame, the other page determines the position.
      if (place && place !== noted && window.top === window) kept.keepText('place', place);
      noted = place;
    };
    addEventListener('pagehide', keepPlace);
    document.addEventListener('visibilitychange', () => { if (document.hidden) keepPlace(); });
    // Returns the text of the window. For tests, and for users in the browser's console.
    window.switchyardSays = () => (view.isOpen ? view.call('print') : message.textContent);
  }

  begin().catch((problem) => {
    message.textContent = location.protocol === 'file:' && !document.getElementById('carried')
      ? 'Browsers do not load the program of this page from disk. Open switchyard.html, which contains it, or serve this directory: python3 -m http.server'
      : typeof WebAssembly === 'undefined'
      ? 'Switchyard needs WebAssembly, which this browser lacks or does not allow.'
      : `Switchyard could not be started: ${problem.message || problem}`;
  });
})();
