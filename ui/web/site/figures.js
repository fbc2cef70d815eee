// The documents as pages: figures become views of the running simulator when they become visible, sliders change the
// nearest view, and an answer asks for a guess before it opens. Without this script, the figures stay pictures.
(() => {
  const windowAddress = new URL(document.currentScript.dataset.window, location.href).href;
  // The height of a view in CSS pixels, by its pane.
  const kHeights = { timeline: 430, laboratory: 620, decision: 560, costs: 470, system: 430, run_queue: 420 };
  const kRepeated = ['set', 'with'];
  const kShareOfFrame = 8;  // ms per frame for simulating the runs of sliders

  // The theme of the page: the reader's choice (theme.js), or that of the system.
  function theme() {
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    return document.documentElement.dataset.theme || (isDark ? 'dark' : 'light');
  }

  let loading;  // the only program of the page, after the first call of program()

  function program() {
    loading = loading || SwitchyardProgram.load({ locateFile: (name) => new URL(name, windowAddress).href });
    return loading;
  }

  // The link for the attributes of an element. `more`: values that replace or complement them.
  function linkOf(names, more = {}) {
    const parts = [];
    for (const [name, value] of Object.entries({ ...names, ...more }))
      for (const one of kRepeated.includes(name) ? value.split(' ') : [value])
        parts.push(one === '' ? name : `${name}=${encodeURIComponent(one).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%2C/g, ',')}`);
    return `#${parts.join('&')}`;
  }

  function attributesOf(element) {
    const own = [...element.attributes].filter((a) => !['class', 'label', 'id', 'value', 'beside'].includes(a.name));
    return Object.fromEntries(own.map((a) => [a.name, a.value]));
  }

  function create(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // --- views ---

  class ViewElement extends HTMLElement {
    connectedCallback() {
      if (this.stage) return;
      this.names = attributesOf(this);
      this.picture = this.querySelector('img');
      this.stage = create('div', { className: 'stage' });
      this.caption = create('p', { className: 'caption', textContent: this.picture.alt });
      this.append(this.stage, this.caption);
      if (this.hasAttribute('beside')) this.prepend(this.picture, this.caption);
      else this.stage.append(this.picture);
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.start().catch(() => {});  // the picture stays
      }, { rootMargin: '300px' });
      // The home page has a figure that needs no program: the others wait until the reader scrolls.
      if (document.querySelector('div.home')) addEventListener('scroll', () => observer.observe(this), { once: true });
      else observer.observe(this);
    }

    async start() {
      const loaded = await program();
      const canvas = create('canvas', { tabIndex: -1 });
      const what = `${this.names.panel.replace('_', ' ')} of ${this.names.scenario}`;
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', `The simulator: ${what}; its content follows as text`);
      canvas.style.height = `${kHeights[this.names.panel] || 430}px`;
      const typed = create('textarea', { className: 'typed', rows: 1, autocomplete: 'off', spellcheck: false });
      typed.setAttribute('aria-label', `Keys for the ${what}. Tab leaves it.`);
      this.stage.append(canvas, typed);
      this.classList.add('live');
      this.says = create('p', { className: 'says' });
      this.says.setAttribute('role', 'status');
      this.view = new SwitchyardView(loaded, canvas, typed, {
        address: `${windowAddress}index.html`, keys: typed, drops: this.stage, frame: this.stage, embedded: true,
        // The scale can be smaller than in page.js, because large buttons for frequent commands are below the figure.
        forFingers: this.clientWidth < 600 ? 1 : 1.2,
        framed: (rests) => { if (rests) this.updateText(); else this.updateTextSoon(); },
        stopped: (why) => this.showStopped(why),
      });
      // The content of the canvas, for screen readers.
      this.text = create('pre', { className: 'unseen' });
      const text = create('section', { className: 'unseen' }, this.text);
      text.setAttribute('aria-label', `What the ${what} shows`);
      const hint = create('p', { className: 'hint', textContent: 'This figure receives keys and the mouse wheel: Left and Right step, Tab leaves it.' });
      this.append(hint, this.createBar(what), this.says, text);
      this.view.open(this.link({ bare: '', theme: theme() }));
    }

    // The current position, as a link to the entire window.
    currentLink() { return this.view.call('place') || this.link(); }

    link(more = {}) { return linkOf(this.names, more); }

    disconnectedCallback() {
      if (this.view) this.view.close();
    }

    showStopped(why) {
      this.classList.remove('live');
      this.querySelector('.bar').remove();
      this.says.textContent = `The figure has stopped: ${why}`;
    }

    updateText() {
      // The laboratory shows no position.
      const said = this.names.panel === 'laboratory' ? ['message'] : ['position', 'message'];
      const runs = this.names.compare ? [`A is ${this.names.policy}, B ${this.names.compare}`] : [];
      const text = [...runs, ...said.map((name) => this.view.call(name))].filter(Boolean).join('. ');
      this.says.setAttribute('aria-live', 'polite');
      if (this.says.textContent !== text) this.says.textContent = text;
      const parts = this.view.call('parts');
      if (this.text.textContent !== parts) this.text.textContent = parts;
      if (this.play) this.showPlaying(false);
    }

    // While the view plays, the text changes twice a second; screen readers read it only when the view rests.
    updateTextSoon() {
      this.says.setAttribute('aria-live', 'off');
      if (this.play) this.showPlaying(this.view.call('is_playing') === 1);
      const now = performance.now();
      if (now - (this.updatedAt || 0) < 500) return;
      this.updatedAt = now;
      const position = this.view.call('position');
      if (this.names.panel !== 'laboratory') this.says.textContent = position;
    }

    showPlaying(plays) {
      const text = plays ? 'pause' : 'play';
      if (this.play.textContent !== text) this.play.textContent = text;
    }

    command(id) {
      if (!this.view.call('command', id)) console.error(`unknown command '${id}'`);
      this.view.wake();
    }

    createBar(what) {
      const bar = create('div', { className: 'bar' });
      bar.setAttribute('role', 'group');
      bar.setAttribute('aria-label', `Controls of the ${what}`);
      const button = (text, name, work) => {
        const element = create('button', { type: 'button', textContent: text, title: name, onclick: work });
        element.setAttribute('aria-label', name);
        bar.append(element);
        return element;
      };
      if (this.names.panel !== 'laboratory') {
        button('◀', 'Step back', () => this.command('step.back'));
        button('▶', 'Step forward', () => this.command('step.forward'));
        button('switch ▶', 'Go to the next switch', () => this.command('step.switch.forward'));
        if (this.names.panel === 'decision') {
          button('in', 'Go one level in: switch, then lines of schedule()', () => this.command('inside.in'));
          button('out', 'Go one level out', () => this.command('inside.out'));
        }
        this.play = button('play', 'Play, one switch per second, or pause', () => this.command('play'));
      }
      button('reset', 'Reset the figure and its sliders', () => {
        this.view.go(this.link({ bare: '', theme: theme() }));
        this.dispatchEvent(new Event('anew'));
      });
      button('embed', 'Show HTML to embed this figure', () => this.toggleEmbed());
      const link = create('a', { href: `${windowAddress}index.html${this.link({ theme: theme() })}`, textContent: 'open in the window' });
      for (const kind of ['pointerdown', 'focus', 'keydown'])
        link.addEventListener(kind, () => { link.href = `${windowAddress}index.html${this.currentLink()}`; });
      bar.append(link);
      return bar;
    }

    toggleEmbed() {
      const there = this.querySelector('.embed');
      if (there) return there.remove();
      const address = `${windowAddress}index.html${this.currentLink()}`.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
      const title = this.picture.alt.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
      const snippet = create('textarea', { readOnly: true, value:
        `<iframe src="${address}" title="${title}" width="100%" height="600" allow="fullscreen; clipboard-write"></iframe>` });
      snippet.setAttribute('aria-label', 'HTML for another page');
      const copy = create('button', { type: 'button', textContent: 'copy', onclick: () => {
        snippet.select();
        if (navigator.clipboard) navigator.clipboard.writeText(snippet.value).catch(() => document.execCommand('copy'));
        else document.execCommand('copy');
      } });
      this.append(create('div', { className: 'embed' }, snippet, copy));
      snippet.select();
    }
  }

  // --- sliders ---

  class SliderElement extends HTMLElement {
    connectedCallback() {
      if (this.input) return;
      this.near = this.nearestView();
      this.names = { ...(this.near ? this.near.names || attributesOf(this.near) : {}), ...attributesOf(this) };
      const [pointer] = this.names.vary.split('=', 1);
      this.pointer = pointer;
      this.input = create('input', { type: 'range', min: 0, step: 1, value: 0 });
      this.value = create('output', { className: 'value' });
      this.answers = create('ul', { className: 'answers' });
      this.answers.setAttribute('role', 'status');
      this.append(create('label', {}, create('span', { textContent: this.getAttribute('label') }), this.input, this.value), this.answers);
      new IntersectionObserver((entries, observer) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.start().catch(() => {});
      }, { rootMargin: '300px' }).observe(this.parentElement);
    }

    // The last view above this slider; if there is none, the first view below it.
    nearestView() {
      const all = [...document.querySelectorAll('switchyard-view')];
      const above = all.filter((v) => this.compareDocumentPosition(v) & Node.DOCUMENT_POSITION_PRECEDING);
      return above.pop() || all.shift();
    }

    async start() {
      this.program = await program();
      this.stops = this.program.callReading('values', this.names.vary.slice(this.pointer.length + 1)).split('\n');
      this.input.max = this.stops.length - 1;
      const own = this.stops.indexOf(this.getAttribute('value') || '');
      const begin = () => {
        this.input.value = Math.max(0, own);
        this.showValue();
      };
      if (this.near) this.near.addEventListener('anew', begin);
      this.input.addEventListener('input', () => this.move());
      this.laboratory = this.names.measure ? this.program.callReading('laboratory') : undefined;
      this.classList.add('live');
      begin();
    }

    selectedValue() { return this.stops[this.input.value]; }

    move() {
      const view = this.near && this.near.view;
      if (view) {
        view.call('set', this.pointer, this.selectedValue());
        view.wake();
      }
      this.showValue();
    }

    showValue() {
      this.value.textContent = this.selectedValue();
      this.input.setAttribute('aria-valuetext', this.selectedValue());
      if (this.laboratory === undefined) return;
      this.program.callReading('ask', this.laboratory, linkOf(this.names, { vary: `${this.pointer}=${this.selectedValue()}` }));
      this.answers.setAttribute('aria-busy', 'true');
      if (!this.works) this.simulate();
    }

    // Simulates the runs in chunks between frames, so that the page remains responsive.
    simulate() {
      this.works = true;
      requestAnimationFrame(() => {
        if (this.program.callReading('work', this.laboratory, kShareOfFrame)) return this.simulate();
        this.works = false;
        this.answers.removeAttribute('aria-busy');
        const [heading, ...lines] = this.program.callReading('answers', this.laboratory).split('\n');
        this.answers.replaceChildren(create('li', { textContent: heading }), ...lines.map((line) => {
          const [policy, number] = line.split('\t');
          return create('li', {}, `${policy}: `, create('b', { textContent: number }));
        }));
      });
    }
  }

  // --- predictions ---

  // If the user has typed a guess, the answer opens at the first click, otherwise at the second.
  function requireGuess(details) {
    const guess = create('input', { type: 'text', className: 'guess', placeholder: 'Your answer, before you look' });
    guess.setAttribute('aria-label', 'Your answer, before you look');
    const note = create('p', { className: 'note' });
    note.setAttribute('role', 'status');
    details.before(guess, note);
    let asked = false;
    details.querySelector('summary').addEventListener('click', (event) => {
      if (details.open || asked || guess.value.trim()) return;
      event.preventDefault();
      asked = true;
      note.textContent = 'Write down a guess first: guessing helps you to remember the answer. Click again to open it anyway.';
      guess.focus();
    });
    details.addEventListener('toggle', () => { if (details.open) note.textContent = ''; });
  }

  // Each question at the start of a lesson gets a box for a guess.
  function addGuessBoxes(heading) {
    for (let next = heading.nextElementSibling; next && !/^H[12]$/.test(next.tagName); next = next.nextElementSibling) {
      if (next.tagName !== 'OL') continue;
      for (const question of next.children) {
        const guess = create('input', { type: 'text', className: 'guess', placeholder: 'Your guess' });
        guess.setAttribute('aria-label', `Your guess: ${question.textContent.trim().slice(0, 80)}`);
        question.append(guess);
      }
    }
  }

  customElements.define('switchyard-view', ViewElement);
  customElements.define('switchyard-slider', SliderElement);
  document.querySelectorAll('main details').forEach(requireGuess);
  const before = document.getElementById('before-you-read-on') || document.getElementById('before-you-go-on');
  if (before) addGuessBoxes(before);

  // Opens all answers while the page is printed.
  const opened = [];
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details:not([open])')) {
      details.open = true;
      opened.push(details);
    }
  });
  addEventListener('afterprint', () => { for (const details of opened.splice(0)) details.open = false; });
})();
