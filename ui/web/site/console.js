// The console blocks of a document can be run: the same command, in a worker (ui/web/commands/worker.mjs), with the output below the
// printed one. The command can be edited; Tab completes it; a link contains it.
(() => {
  const own = document.currentScript.dataset;
  const root = new URL(own.root || './', location.href);
  const blocks = [...document.querySelectorAll('pre.console')];
  const kLongestLink = 4000;
  let runner;  // the page's only worker, after its first use

  function create(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // --- the worker ---

  class Runner {
    constructor() {
      this.last = 0;
      this.waiting = new Map();
      this.start();
    }

    start() {
      this.worker = new Worker(new URL(own.worker, root));
      this.worker.onmessage = ({ data }) => {
        const request = this.waiting.get(data.id);
        if (!request) return;
        if (data.progress !== undefined) return request.onProgress && request.onProgress(data.progress);
        this.waiting.delete(data.id);
        if (data.problem !== undefined) request.fail(new Error(data.problem));
        else request.done(data.result);
      };
      this.worker.onerror = (event) => this.stop(event.message || 'the worker cannot be loaded');
    }

    // Sends a request to the worker. Returns a promise of its result.
    ask(message, onProgress) {
      const id = ++this.last;
      return new Promise((done, fail) => {
        this.waiting.set(id, { done, fail, onProgress });
        this.worker.postMessage({ id, ...message });
      });
    }

    // Ends the worker with everything that it runs; its files are lost.
    stop(why) {
      this.worker.terminate();
      const waiting = [...this.waiting.values()];
      this.waiting.clear();
      this.start();
      for (const request of waiting) request.fail(new Error(why));
    }
  }

  function theRunner() { return (runner = runner || new Runner()); }

  // For pages with other boxes for commands (scheduler.js).
  window.switchyardRunner = { ask: (message, onProgress) => theRunner().ask(message, onProgress), stop: (why) => theRunner().stop(why) };

  // --- the text of the blocks ---

  // A block is a line "$ COMMAND", which a trailing backslash continues, and the printed output.
  function split(text) {
    const lines = text.replace(/\n$/, '').split('\n');
    let end = 0;
    while (lines[end].endsWith('\\') && end + 1 < lines.length) ++end;
    return { command: lines.slice(0, end + 1).join('\n').replace(/^\$ /, ''), printed: lines.slice(end + 1).join('\n') };
  }

  // The files that the document defines above a block: code whose first line is a comment with a file name. The last definition counts.
  function filesAbove(block) {
    const files = {};
    for (const code of document.querySelectorAll('pre.lua, pre.json')) {
      if (!(code.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      const name = /^(?:--|\/\/) ([a-z0-9_-]+\.(?:lua|json))\b/.exec(code.textContent);
      if (name) files[name[1]] = code.textContent.endsWith('\n') ? code.textContent : `${code.textContent}\n`;
    }
    return files;
  }

  // --- a block ---

  class Block {
    constructor(pre, number) {
      Object.assign(this, { pre, number, ...split(pre.textContent) });
      this.runButton = create('button', { type: 'button', textContent: 'Run', onclick: () => this.run() });
      this.runButton.setAttribute('aria-label', `Run ${this.command.split('\n')[0]}`);
      this.editButton = create('button', { type: 'button', textContent: 'Edit', onclick: () => this.edit() });
      this.bar = create('div', { className: 'run' }, this.runButton, this.editButton);
      pre.after(this.bar);
    }

    // Adds the box with the command, the other buttons and the place for the output, at the first use.
    open() {
      if (this.box) return;
      this.box = create('textarea', { value: this.command, spellcheck: false, autocomplete: 'off', rows: this.command.split('\n').length });
      this.box.setAttribute('autocapitalize', 'off');
      this.box.setAttribute('aria-label', 'The command');
      this.box.addEventListener('keydown', (event) => this.key(event));
      this.box.addEventListener('input', () => this.hideCandidates());
      this.candidates = create('ul', { className: 'candidates', hidden: true });
      this.candidates.setAttribute('role', 'listbox');
      this.candidates.setAttribute('aria-label', 'Completions');
      this.status = create('p', { className: 'status' });
      this.status.setAttribute('role', 'status');
      this.output = create('pre', { className: 'output', tabIndex: 0 });
      this.output.setAttribute('aria-label', 'Output of the command');
      this.output.hidden = true;
      this.bar.before(this.box, this.candidates);
      this.resetButton = create('button', { type: 'button', textContent: 'Reset', onclick: () => this.reset() });
      this.linkButton = create('button', { type: 'button', textContent: 'Copy link', onclick: () => this.copyLink() });
      this.editButton.remove();
      this.bar.append(this.resetButton, this.linkButton);
      this.bar.after(this.status, this.output);
    }

    edit() {
      this.open();
      this.box.focus();
      this.box.setSelectionRange(this.box.value.length, this.box.value.length);
      this.status.textContent = 'Enter runs, Tab completes, Shift+Enter begins a line, Esc leaves the box. --help lists the options of a command.';
    }

    reset() {
      this.box.value = this.command;
      this.output.hidden = true;
      this.status.textContent = '';
      this.hideCandidates();
    }

    async run() {
      this.open();
      if (this.isRunning) return theRunner().stop('stopped');
      this.hideCandidates();
      this.isRunning = true;
      this.runButton.textContent = 'Stop';
      this.output.hidden = true;
      this.status.textContent = runner ? 'Running ...' : 'Loading the program ...';
      const begin = performance.now();
      try {
        const result = await theRunner().ask({ run: this.box.value, files: filesAbove(this.pre) }, (line) => {
          if (line.trim()) this.status.textContent = line.trim();
        });
        this.show(result, (performance.now() - begin) / 1000);
      } catch (problem) {
        this.status.textContent = `No output: ${problem.message}.`;
      }
      this.isRunning = false;
      this.runButton.textContent = 'Run';
    }

    show({ stdout, stderr, exitCode }, seconds) {
      const errors = stderr.replace(/^.*\r/gm, '');  // without overwritten progress lines
      this.output.replaceChildren(stdout, ...(exitCode !== 0 && errors ? [create('span', { className: 'errors', textContent: errors })] : []));
      this.output.hidden = this.output.textContent === '';
      const isOwn = this.box.value !== this.command;
      const isSame = stdout.trimEnd() === this.printed.trimEnd();
      const verdict = isOwn ? 'edited command' : isSame ? 'same output as printed above' : 'other output than printed above';
      this.pre.dataset.verdict = isOwn ? 'edited' : isSame ? 'same' : 'other';
      this.status.textContent = `${exitCode === 0 ? 'Done' : `Exit code ${exitCode}`} in ${seconds.toFixed(1)} s: ${verdict}.`;
    }

    // --- editing ---

    key(event) {
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault();
        this.run();
      } else if (event.key === 'Escape') {
        if (!this.candidates.hidden) this.hideCandidates();
        else this.runButton.focus();
      } else if (event.key === 'Tab' && !event.shiftKey && !event.ctrlKey) {
        event.preventDefault();
        this.complete();
      }
    }

    // Completes the word before the cursor.
    async complete() {
      const end = this.box.selectionStart;
      const line = this.box.value.slice(0, end).replace(/\\\n/g, ' ');
      const command = line.slice(Math.max(...['|', ';', '(', '&'].map((mark) => line.lastIndexOf(mark) + 1))).trimStart();
      const words = command.split(/\s+/);
      if (words.length < 2 || words[0] !== 'switchyard') {
        if ('switchyard'.startsWith(words[0]) && words.length === 1) this.insert('switchyard '.slice(words[0].length), end);
        return;
      }
      this.status.textContent = runner ? '' : 'Loading the program ...';
      let all;
      try {
        all = await theRunner().ask({ complete: words.slice(1), files: filesAbove(this.pre) });
      } catch (problem) {
        this.status.textContent = `No completion: ${problem.message}.`;
        return;
      }
      this.status.textContent = '';
      if (this.box.selectionStart !== end) return;  // the reader has gone on typing
      const word = words.at(-1);
      if (all.length === 0) {
        this.status.textContent = 'No completion here.';
      } else if (all.length === 1) {
        this.insert(all[0].text.slice(word.length) + (/[/=:,@]$/.test(all[0].text) ? '' : ' '), end);
      } else {
        let common = all[0].text;
        for (const { text } of all) while (!text.startsWith(common)) common = common.slice(0, -1);
        this.insert(common.slice(word.length), end);
        this.showCandidates(all, common.length);
      }
    }

    insert(text, at) {
      this.hideCandidates();
      this.box.setRangeText(text, at, at, 'end');
      this.box.focus();
    }

    showCandidates(all, typed) {
      this.candidates.replaceChildren(...all.slice(0, 60).map(({ text, help }) => {
        const choose = () => this.insert(text.slice(typed) + (/[/=:,@]$/.test(text) ? '' : ' '), this.box.selectionStart);
        const button = create('button', { type: 'button', textContent: text, onclick: choose });
        button.setAttribute('role', 'option');
        return create('li', {}, button, create('span', { textContent: help }));
      }));
      this.candidates.hidden = false;
    }

    hideCandidates() { this.candidates.hidden = true; }

    // --- links ---

    link() {
      const part = `run-${this.number}=${encodeURIComponent(this.box.value)}`;
      return `${location.href.split('#')[0]}#${part}`;
    }

    copyLink() {
      const link = this.link();
      if (link.length > kLongestLink) {
        this.status.textContent = 'The command is too long for a link.';
        return;
      }
      history.replaceState(null, '', link);
      const done = () => { this.status.textContent = 'The link is copied; it is also in the address bar.'; };
      const failed = () => { this.status.textContent = 'The link is in the address bar.'; };
      if (navigator.clipboard) navigator.clipboard.writeText(link).then(done, failed);
      else failed();
    }
  }

  if (location.protocol === 'file:') {
    for (const pre of blocks)
      pre.after(create('p', { className: 'here', textContent: 'Commands can be run when a web server shows this page.' }));
    return;
  }
  const all = blocks.filter((pre) => /^\$ /.test(pre.textContent)).map((pre, i) => new Block(pre, i + 1));

  // Opens the block that the address names, and runs its command: it can only read and write the worker's own files.
  function openLink() {
    const [, number, command] = /^#run-(\d{1,4})=(.*)$/.exec(location.hash) || [];
    if (!number || all.length === 0) return;
    const block = all[Number(number) - 1] || all[0];
    block.open();
    try {
      if (command.length > kLongestLink || block.number !== Number(number)) throw new Error('no such command');
      block.box.value = decodeURIComponent(command);
    } catch (problem) {
      block.status.textContent = 'The link is damaged: it names no command of this page.';
      block.pre.scrollIntoView({ block: 'start' });
      return;
    }
    block.box.rows = block.box.value.split('\n').length;
    block.pre.scrollIntoView({ block: 'start' });
    block.run();
  }
  addEventListener('hashchange', openLink);
  openLink();
  window.switchyardBlocks = all;  // for tests
})();
