// grep as the console blocks of the documents use it: several patterns (-e), -o, -v, -c, -i, -E, -F, -A, -B. The shell's own grep accepts
// only one pattern.

// A basic regular expression of POSIX as one of JavaScript: there, ( ) { } + ? | are special without a backslash.
function fromBasic(pattern) {
  let result = '', inSet = false;
  for (let i = 0; i < pattern.length; ++i) {
    const c = pattern[i];
    if (inSet) {
      if (c === ']' && !/\[\^?$/.test(result)) inSet = false;
      if (c === '[' && pattern[i + 1] === ':') {
        const end = pattern.indexOf(':]', i);
        if (end > 0) {
          result += { digit: '0-9', alpha: 'A-Za-z', alnum: 'A-Za-z0-9', space: '\\s', upper: 'A-Z', lower: 'a-z' }[pattern.slice(i + 2, end)] || '';
          i = end + 1;
          continue;
        }
      }
      result += c === '\\' ? '\\\\' : c;
    } else if (c === '\\' && i + 1 < pattern.length) {
      const next = pattern[++i];
      result += '(){}+?|'.includes(next) ? next : `\\${next}`;
    } else if ('(){}+?|'.includes(c) || (c === '*' && (result === '' || result === '^'))) {
      result += `\\${c}`;
    } else {
      if (c === '[') inSet = true;
      result += c;
    }
  }
  return result;
}

function escapeAll(pattern) { return pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'); }

// The options, patterns and files of a command line. Throws an Error with a message for the user.
function parse(args) {
  const options = { patterns: [], files: [], after: 0, before: 0 };
  const rest = [];
  for (let i = 0; i < args.length; ++i) {
    const word = args[i];
    if (word === '--') {
      rest.push(...args.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      rest.push(word);
      continue;
    }
    for (let k = 1; k < word.length; ++k) {
      const letter = word[k];
      if ('eABm'.includes(letter)) {
        const value = k + 1 < word.length ? word.slice(k + 1) : args[++i];
        if (value === undefined) throw new Error(`option -${letter} needs a value`);
        if (letter === 'e') options.patterns.push(value);
        else options[{ A: 'after', B: 'before', m: 'most' }[letter]] = Number(value);
        break;
      }
      if (!'ovciEFqnhs'.includes(letter)) throw new Error(`unknown option -${letter}; here grep has -e -o -v -c -i -E -F -q -n -A -B -m`);
      options[letter] = true;
    }
  }
  if (options.patterns.length === 0) {
    if (rest.length === 0) throw new Error('a pattern is missing');
    options.patterns.push(rest.shift());
  }
  options.files = rest;
  return options;
}

// Returns the lines that grep prints for `text`, and whether any line matched.
function search(text, options) {
  const one = (p) => (options.F ? escapeAll(p) : options.E ? p : fromBasic(p));
  const pattern = new RegExp(options.patterns.map((p) => `(?:${one(p)})`).join('|'), options.i ? 'gi' : 'g');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const wanted = new Set(), printed = [];
  let count = 0;
  lines.forEach((line, at) => {
    pattern.lastIndex = 0;
    if (pattern.test(line) === Boolean(options.v) || (options.most !== undefined && count >= options.most)) return;
    ++count;
    if (options.o && !options.v) {
      pattern.lastIndex = 0;
      for (const [match] of line.matchAll(pattern)) if (match) printed.push(match);
      return;
    }
    for (let i = Math.max(0, at - options.before); i <= Math.min(lines.length - 1, at + options.after); ++i) wanted.add(i);
  });
  if (options.c) return { count, printed: [String(count)] };
  let last;
  for (const at of [...wanted].sort((a, b) => a - b)) {
    if (last !== undefined && at > last + 1 && options.after + options.before > 0) printed.push('--');
    printed.push(options.n ? `${at + 1}:${lines[at]}` : lines[at]);
    last = at;
  }
  return { count, printed };
}

// `read(path)` returns the text of a file; `input` is standard input. Returns { stdout, stderr, exitCode }.
export async function grep(args, input, read) {
  let options;
  try {
    options = parse(args);
  } catch (problem) {
    return { stdout: '', stderr: `grep: ${problem.message}\n`, exitCode: 2 };
  }
  let stdout = '', stderr = '', found = false;
  for (const file of options.files.length > 0 ? options.files : ['-']) {
    let text;
    try {
      text = file === '-' ? input : await read(file);
    } catch (problem) {
      stderr += `grep: ${file}: no such file\n`;
      continue;
    }
    const { count, printed } = search(text, options);
    const name = options.files.length > 1 && !options.h ? `${file}:` : '';
    found = found || count > 0;
    if (!options.q) stdout += printed.map((line) => `${name}${line}\n`).join('');
  }
  return { stdout, stderr, exitCode: stderr ? 2 : found ? 0 : 1 };
}
