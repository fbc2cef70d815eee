// The page "Write a scheduler": a policy script in an editor, and the commands that run, trace and grade it (ui/web/commands).
(() => {
  const at = (id) => document.getElementById(id);
  const own = document.currentScript.dataset;
  const root = new URL(own.root, location.href);
  const kName = 'mine.lua';
  const kLongestLink = 20000;
  const kDraft = 'switchyard-script';  // in local storage: the edited script, for the next visit
  const runner = window.switchyardRunner;
  let editor;
  let trace = [];      // the executed lines: { line, text, variables, call }
  let position = -1;   // in `trace`
  let working = null;  // the button of the running command

  function say(text) { at('script-status').textContent = text; }

  // Errors in the script, from messages such as "mine.lua:5:17: message".
  function problemsOf(text) {
    return [...text.matchAll(/^(?:switchyard[^:\n]*: )?mine\.lua:(\d+)(?::(\d+))?: (.*)$/gm)]
      .map(([, line, column, message]) => ({ line: Number(line), column: Number(column || 1), message }));
  }

  // Runs a command with the script. Returns its result, or null if it was stopped.
  async function execute(button, command) {
    if (working) {
      runner.stop('stopped');
      return null;
    }
    working = button;
    const label = button.textContent;
    button.textContent = 'Stop';
    say('Running ...');
    editor.showProblems([]);
    editor.mark(null);
    try {
      const result = await runner.ask({ run: command, files: { [kName]: editor.text } }, (line) => { if (line.trim()) say(line.trim()); });
      const problems = problemsOf(result.stderr + result.stdout);
      editor.showProblems(problems);
      say(problems.length > 0 ? `Line ${problems[0].line}: ${problems[0].message}` : `Done: ${command.split('\n')[0]}`);
      return result;
    } catch (problem) {
      say(`No output: ${problem.message}.`);
      return null;
    } finally {
      working = null;
      button.textContent = label;
    }
  }

  function show(result) {
    if (!result) return;
    at('output').textContent = result.stdout || result.stderr;
    at('output').classList.toggle('failed', result.exitCode !== 0);
    at('output').hidden = false;
  }

  async function run() {
    const view = at('view').value ? ` --view ${at('view').value}` : '';
    show(await execute(at('run'), `switchyard run ${at('scenario').value} --policy ${kName} --quiet${view}`));
  }

  async function grade() {
    const [kind, name] = at('tests').value.split(':');
    const result = await execute(at('grade'), kind === 'grade' ? `switchyard grade ${kName} --tests ${name} --quiet`
                                                              : `switchyard verify --policy ${kName} tests/decisions/${name}.jsonl`);
    show(result);
    if (result && problemsOf(result.stderr).length === 0) say(result.stdout.trimEnd().split('\n').at(-1));
  }

  // --- line by line ---

  function traceOf(text) {
    const lines = [];
    let call = '';
    for (const line of text.split('\n')) {
      const named = /^ {2}(\w+\(\))$/.exec(line), executed = /^ {1,6}(\d+) {2}(.*)$/.exec(line), event = /^> (.*)$/.exec(line);
      if (event) call = '';
      if (named) call = named[1];
      if (!executed) continue;
      const [code, variables = ''] = executed[2].split(/ {2,}(?=[\w.]+ = )/, 2);
      lines.push({ line: Number(executed[1]), variables: variables || (executed[2].match(/ {2,}([\w.]+ = .*)$/) || [])[1] || '', code, call });
    }
    return lines;
  }

  async function startTrace() {
    const events = at('events').value.replace(/'/g, '').split('\n').map((line) => line.trim()).filter(Boolean);
    const result = await execute(at('trace'), `printf '%s\\n' ${events.map((line) => `'${line}'`).join(' ')} | switchyard step --policy ${kName} --trace-script`);
    if (!result) return;
    show(result);
    trace = result.exitCode === 0 ? traceOf(result.stdout) : [];
    position = -1;
    move(1);
  }

  function move(by) {
    position = Math.max(0, Math.min(trace.length - 1, position + by));
    const now = trace[position];
    at('back').disabled = position <= 0;
    at('forward').disabled = position >= trace.length - 1;
    if (!now) {
      at('line').textContent = 'No line of the script was executed.';
      return;
    }
    editor.mark(now.line, false);
    at('line').textContent = `${position + 1} of ${trace.length}: ${now.call} line ${now.line}${now.variables ? `, ${now.variables.trim()}` : ''}`;
  }

  // --- links: the script is in the address, compressed ---

  async function pipe(bytes, stream) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  }

  async function share() {
    if (!window.CompressionStream) return say('This browser cannot make links to scripts.');
    const packed = await pipe(new TextEncoder().encode(editor.text), new CompressionStream('deflate-raw'));
    const text = btoa(String.fromCharCode(...packed)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
    const link = `${location.href.split('#')[0]}#script=${text}`;
    if (link.length > kLongestLink) return say('The script is too long for a link.');
    history.replaceState(null, '', link);
    try {
      await navigator.clipboard.writeText(link);
      say('The link is copied; it is also in the address bar.');
    } catch (problem) {
      say('The link is in the address bar.');
    }
  }

  // The script in the address; undefined if there is none, or if it is damaged.
  async function sharedScript() {
    if (!location.hash.startsWith('#script=')) return undefined;
    try {
      const [, text] = /^#script=([\w-]+)$/.exec(location.hash);
      if (text.length > kLongestLink) throw new Error('too long');
      const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
      const script = new TextDecoder().decode(await pipe(bytes, new DecompressionStream('deflate-raw')));
      if (script.length > 65536) throw new Error('too long');
      return script;
    } catch (problem) {
      say('The script in the address is damaged.');
      return undefined;
    }
  }

  // --- the script of the last visit ---

  function stored() {
    try {
      return localStorage.getItem(kDraft) ?? undefined;
    } catch (problem) {
      return undefined;  // storage is not allowed
    }
  }

  function store() {
    try {
      localStorage.setItem(kDraft, editor.text);
    } catch (problem) {}
  }

  // --- the lists ---

  function fill(select, options) {
    select.replaceChildren(...options.map(([value, label]) => Object.assign(document.createElement('option'), { value, textContent: label })));
  }

  async function load(path) { return (await fetch(new URL(path, root))).text(); }

  async function choose() {
    const name = at('template').value;
    editor.text = await load(name ? `files/scenarios/policies/${name}.lua` : own.template);
    editor.showProblems([]);
  }

  async function begin() {
    const lists = JSON.parse(await load(own.lists));
    fill(at('template'), [['', 'first come, first served'], ...lists.policies.map((name) => [name, name.replace(/_/g, ' ')])]);
    fill(at('scenario'), lists.scenarios.map(([name, title]) => [name, `${name}: ${title}`]));
    at('scenario').value = 'two-hogs';
    fill(at('tests'), [...lists.grades.map((name) => [`grade:${name}`, name]),
                       ...lists.decisions.map((name) => [`verify:${name}`, `recorded decisions of ${name}`])]);
    const shared = await sharedScript(), draft = stored();
    editor = new window.SwitchyardEditor(at('editor'), shared ?? draft ?? await load(own.template), 'The script mine.lua', () => {
      at('line').textContent = '';
      editor.showProblems([]);
      store();
    });
    if (shared === undefined && draft !== undefined && !at('script-status').textContent)
      say('This is the script of your last visit. "Start from" replaces it; Ctrl+Z in the editor brings it back.');
    for (const [id, work] of [['run', run], ['grade', grade], ['trace', startTrace], ['share', share], ['back', () => move(-1)], ['forward', () => move(1)]])
      at(id).addEventListener('click', work);
    at('template').addEventListener('change', choose);
    window.switchyardScheduler = { editor, run, grade, startTrace, share, state: () => ({ trace, position, isWorking: working !== null }) };
  }

  begin().catch((problem) => say(`The page cannot start: ${problem.message}.`));
})();
