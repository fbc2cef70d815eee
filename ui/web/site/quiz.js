// The page "Quiz": questions that the program makes and marks (`switchyard quiz`, in ui/web/commands). The address names the question:
// quiz.html?topic=vmstat&level=hard&seed=7&number=2.
(() => {
  const at = (id) => document.getElementById(id);
  const own = document.currentScript.dataset;
  const root = new URL(own.root, location.href);
  const runner = window.switchyardRunner;
  const kSeeds = 1e9;      // a seed is less
  const kNumbers = 1000000;
  const answers = {};      // the user's answers: from the question's id to the key of the choice
  let question = null;     // the question that is shown; null while it is loaded
  let number = 1;          // of the question in its sequence

  function anySeed() { return 1 + Math.floor(Math.random() * 9999); }

  function say(text) { at('quiz-status').textContent = text; }

  async function output(command) {
    const { stdout, stderr, exitCode } = await runner.ask({ run: command });
    if (exitCode === 2) throw new Error(stderr.trim());
    return stdout;
  }

  // The options of `switchyard quiz` that select the question.
  function selection() {
    return [at('topic').value, at('level').value && `--level ${at('level').value}`, `--seed ${at('seed').value}`, `--first ${number}`, '--count 1']
      .filter(Boolean).join(' ');
  }

  function address() {
    const names = { topic: at('topic').value, level: at('level').value, seed: at('seed').value, number };
    return `?${Object.entries(names).filter(([, value]) => value).map(([name, value]) => `${name}=${value}`).join('&')}`;
  }

  // Reads the question from the address. A value that is no choice is left out, and the status says so.
  function readAddress() {
    const values = new URLSearchParams(location.search);
    const refused = [];
    for (const name of ['topic', 'level']) {
      const value = values.get(name) || '';
      at(name).value = value;
      if (at(name).selectedIndex >= 0) continue;
      at(name).value = '';
      refused.push(`there is no ${name} "${value}"`);
    }
    const count = (name, most, usual) => {
      const text = values.get(name);
      if (text === null) return usual;
      if (/^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
      refused.push(`the ${name} must be a number from 1 to ${most}`);
      return usual;
    };
    at('seed').value = count('seed', kSeeds - 1, anySeed());
    number = count('number', kNumbers, 1);
    return refused.length > 0 ? `In the address, ${refused.join(', and ')}.` : '';
  }

  function showChoices() {
    at('choices').replaceChildren(...question.choices.map(({ key, text }) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `${key}) ${text}` });
      button.addEventListener('click', () => answer(key));
      return button;
    }));
  }

  // Shows the selected question. `remark`: a text about the address.
  async function show(remark = '') {
    question = null;
    at('verdict').hidden = true;
    at('next').textContent = 'Skip';
    at('choices').replaceChildren();
    say(remark || 'Loading the question ...');
    const command = selection();
    const [loaded] = JSON.parse(await output(`switchyard quiz ${command} --format json`));
    if (command !== selection()) return;  // another question has been selected meanwhile
    question = loaded;
    at('heading').textContent = `Question ${number}: ${question.topic}, ${question.level}`;
    at('situation').textContent = question.situation.trimEnd();
    at('question').textContent = question.text;
    showChoices();
    say(remark);
  }

  // Marks the answer with this key.
  async function answer(key) {
    const asked = question;
    if (!asked || at('verdict').hidden === false) return;
    for (const button of at('choices').children) button.disabled = true;
    const text = await output(`printf '${key}\\n' | switchyard quiz ${selection()}`);
    if (question !== asked) return;
    // The verdict is between the answer and the score.
    const verdict = text.slice(text.lastIndexOf('\n> ')).split('\n').slice(2).join('\n').replace(/\n\n[01] of 1 right\.[^]*$/, '');
    const [, rightKey] = /^Answer: (\w)\)/m.exec(verdict) || [null, key];
    [...at('choices').children].forEach((button, i) => {
      const ofChoice = asked.choices[i].key;
      button.className = ofChoice === rightKey ? 'right' : ofChoice === key ? 'wrong' : '';
    });
    at('verdict').textContent = verdict;
    at('verdict').classList.toggle('failed', rightKey !== key);
    at('verdict').hidden = false;
    say(rightKey === key ? 'Right.' : 'Wrong.');
    if (!(asked.id in answers)) answers[asked.id] = key;
    at('next').textContent = 'Next question';
    at('next').focus();
    await showScore();
  }

  async function showScore() {
    const report = await output(`printf '%s' '${JSON.stringify(answers)}' | switchyard quiz --grade -`);
    const [score, ...mistakes] = report.slice(report.lastIndexOf('\n\n') + 2).trimEnd().split('\n');
    at('score').textContent = `So far: ${score}`;
    at('mistakes').textContent = ['Your mistakes:', ...mistakes].join('\n');
    at('mistakes').hidden = mistakes.length === 0;
  }

  function guarded(work) { return work.catch((problem) => say(`No question: ${problem.message}`)); }

  function go(to) {
    number = to;
    history.pushState(null, '', address());
    at('heading').focus();
    return guarded(show());
  }

  async function begin() {
    const lists = await (await fetch(new URL(own.lists, root))).json();
    const fill = (select, first, names) =>
      select.replaceChildren(...['', ...names].map((name) => Object.assign(document.createElement('option'), { value: name, textContent: name || first })));
    fill(at('topic'), 'the first seven in turn', lists.quiz_topics);
    fill(at('level'), 'varies', lists.quiz_levels);
    const remark = readAddress();
    history.replaceState(null, '', address());
    at('selection').addEventListener('submit', (event) => {
      event.preventDefault();
      if (address() === location.search.replace(/number=\d+$/, `number=${number}`)) at('seed').value = anySeed();
      go(1);
    });
    for (const id of ['topic', 'level']) at(id).addEventListener('change', () => go(1));
    at('next').addEventListener('click', () => go(number % kNumbers + 1));
    addEventListener('popstate', () => guarded(show(readAddress())));
    window.switchyardQuiz = { state: () => ({ question, number, answers }) };
    await show(remark);
  }

  guarded(begin());
})();
