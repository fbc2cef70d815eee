// The parts of the page for users of screen readers and users without a mouse: the window as text under headings, changes
// in a live region, and buttons for the most frequent commands. The elements are those of ui/web/index.html.

const kQuiet = 250;  // ms from the last frame until the text of the window is read out

class SwitchyardAloud {
  constructor(view) {
    this.view = view;
    this.controls = document.getElementById('controls');
    this.says = document.getElementById('says');
    this.news = document.getElementById('news');
    this.previousLines = [];    // the lines of the window's text at the previous read()
    this.sections = new Map();  // the elements with the parts of this text, by title
    this.timer = 0;
    this.listen();
  }

  listen() {
    // A key that is pressed while a button has the focus is not passed to the window.
    for (const kind of ['keydown', 'keyup', 'copy', 'cut', 'paste'])
      this.controls.addEventListener(kind, (event) => event.stopPropagation());
    this.controls.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.view.focus(); });
    this.controls.addEventListener('click', (event) => {
      const { command } = event.target.dataset;
      if (command === undefined) return;
      if (command) this.view.call('command', command);
      if (!command || 'types' in event.target.dataset) this.view.focus();
      this.view.wake();
    });
    // Shift+F6 moves the focus between the window and the buttons. Tab cannot do so while a text box has the focus.
    addEventListener('keydown', (event) => {
      if (event.code !== 'F6' || !event.shiftKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (this.controls.contains(document.activeElement)) this.view.focus();
      else this.controls.querySelector('button').focus();
    }, true);
  }

  // Called after the window has opened. Only the window's message is read out.
  begin() {
    this.previousLines = this.lines();
    this.announce([this.view.call('message')]);
  }

  lines() { return this.view.call('screen_reader_lines').split('\n').filter((line) => line); }

  // Called after each frame. `rests`: the window draws no more frames until the next event.
  onFrame(rests) {
    clearTimeout(this.timer);
    this.timer = rests ? setTimeout(() => this.read(), kQuiet) : 0;
  }

  read() {
    if (!this.view.isOpen) return;
    const lines = this.lines();
    this.announce(lines.filter((line) => !this.previousLines.includes(line)));
    this.previousLines = lines;
    this.writeSections(this.view.call('parts'));
  }

  announce(lines) {
    const words = lines.join('\n');
    if (words) this.news.textContent = words;
  }

  // Shows the window's text on the page. Each part of the text begins with a line "== Title" and becomes a section.
  writeSections(text) {
    const parts = new Map(`\n${text}`.split('\n== ').slice(1).map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1)];
    }));
    for (const [title, section] of this.sections) {
      if (parts.has(title)) continue;
      section.parentElement.remove();
      this.sections.delete(title);
    }
    let before = null;
    for (const [title, words] of parts) {
      if (!this.sections.has(title)) this.addSection(title);
      const section = this.sections.get(title), element = section.parentElement;
      if (section.textContent !== words) section.textContent = words;
      const place = before ? before.nextSibling : this.says.firstChild;
      if (place !== element) this.says.insertBefore(element, place);
      before = element;
    }
  }

  addSection(title) {
    const section = document.createElement('section'), heading = document.createElement('h2');
    const words = document.createElement('pre');
    heading.textContent = title;
    section.append(heading, words);
    this.says.append(section);
    this.sections.set(title, words);
  }
}
