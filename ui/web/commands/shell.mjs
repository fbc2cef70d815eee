// A shell for the pages: just-bash with the program `switchyard` as a command. Its files are in memory; those of the project that the
// documents mention are loaded when a command reads them.
import { Bash, defineCommand } from 'just-bash/browser';
import { structuredPatch } from 'diff';
import { grep } from './grep.mjs';

export const kHome = '/switchyard';

// The shell passes bytes as a string with one character per byte.
function bytesOf(latin1) { return Uint8Array.from(latin1, (c) => c.charCodeAt(0)); }

function textOf(latin1) { return new TextDecoder().decode(bytesOf(latin1)); }

function latin1Of(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

export class Shell {
  // `program`: a Program. `projectFiles`: a map from a path in the project to a function that returns its bytes. `onProgress` receives
  // lines that a command prints to standard error while it runs.
  constructor(program, projectFiles, onProgress) {
    this.program = program;
    this.onProgress = onProgress;
    this.projectPaths = new Set([...projectFiles.keys()].map((path) => `${kHome}/${path}`));
    const files = Object.fromEntries([...projectFiles].map(([path, load]) => [`${kHome}/${path}`, load]));
    this.temporary = 0;
    this.bash = new Bash({
      cwd: kHome, files,
      env: { HOME: kHome },
      executionLimits: { maxLoopIterations: 100000, maxCommandCount: 100000 },
      customCommands: [
        defineCommand('switchyard', (args, context) => this.runProgram(args, context)),
        defineCommand('grep', (args, context) => grep(args, textOf(context.stdin),
                                                      (path) => context.fs.readFile(context.fs.resolvePath(context.cwd, path)))),
        defineCommand('diff', (args, context) => this.diff(args, context)),
        defineCommand('mktemp', (args, context) => this.makeTemporary(args, context)),
        defineCommand('uniq', (args, context) => this.uniq(args, context)),
      ],
    });
  }

  writeFile(name, text) { return this.bash.fs.writeFile(`${kHome}/${name}`, text); }

  readFile(name) { return this.bash.fs.readFile(`${kHome}/${name}`); }

  // Returns { stdout, stderr, exitCode }.
  exec(command) { return this.bash.exec(command); }

  async makeTemporary(args, context) {
    const path = `/tmp/tmp.${String(++this.temporary).padStart(6, '0')}`;
    await context.fs.mkdir('/tmp', { recursive: true });
    if (args.includes('-d')) await context.fs.mkdir(path);
    else if (!args.includes('-u')) await context.fs.writeFile(path, '');
    return { stdout: `${path}\n`, stderr: '', exitCode: 0 };
  }

  // diff in its usual format; the shell's own prints another one.
  async diff(args, context) {
    const read = (file) => (file === '-' ? textOf(context.stdin) : context.fs.readFile(context.fs.resolvePath(context.cwd, file)));
    const files = args.filter((word) => word === '-' || !word.startsWith('-'));
    if (files.length !== 2) return { stdout: '', stderr: 'diff: expected two files\n', exitCode: 2 };
    let before, after;
    try {
      [before, after] = await Promise.all(files.map(read));
    } catch (problem) {
      return { stdout: '', stderr: `diff: ${problem.message}\n`, exitCode: 2 };
    }
    const range = (start, count) => (count > 1 ? `${start},${start + count - 1}` : `${count === 0 ? start - 1 : start}`);
    let text = '';
    for (const { oldStart, oldLines, newStart, newLines, lines } of structuredPatch('', '', before, after, '', '', { context: 0 }).hunks) {
      const [old, now] = [lines.filter((line) => line[0] === '-'), lines.filter((line) => line[0] === '+')];
      const kind = oldLines === 0 ? 'a' : newLines === 0 ? 'd' : 'c';
      text += `${range(oldLines === 0 ? oldStart + 1 : oldStart, oldLines)}${kind}${range(newLines === 0 ? newStart + 1 : newStart, newLines)}\n`;
      text += old.map((line) => `< ${line.slice(1)}\n`).join('') + (kind === 'c' ? '---\n' : '') + now.map((line) => `> ${line.slice(1)}\n`).join('');
    }
    return { stdout: text, stderr: '', exitCode: text ? 1 : 0 };
  }

  // uniq with the column width of GNU's -c.
  async uniq(args, context) {
    if (args.some((word) => word !== '-c')) return { stdout: '', stderr: 'uniq: here uniq has only -c, and reads standard input\n', exitCode: 2 };
    const lines = textOf(context.stdin).replace(/\n$/, '').split('\n');
    const groups = [];
    for (const line of lines) {
      if (groups.length > 0 && groups.at(-1)[0] === line) ++groups.at(-1)[1];
      else groups.push([line, 1]);
    }
    const text = groups.map(([line, count]) => (args.includes('-c') ? `${String(count).padStart(7)} ${line}\n` : `${line}\n`));
    return { stdout: text.join(''), stderr: '', exitCode: 0 };
  }

  // The files that a command may read, and the user's directories: the files are those that the user made, and those of the project that the arguments name.
  async filesFor(args, context) {
    const named = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]).map((arg) => context.fs.resolvePath(context.cwd, arg));
    const files = new Map(), directories = [];
    for (const path of context.fs.getAllPaths()) {
      const isUsers = (path.startsWith(`${kHome}/`) || path.startsWith('/tmp/')) && !this.projectPaths.has(path);
      const isNamed = named.some((name) => path === name || path.startsWith(`${name}/`));
      if (!isUsers && !(isNamed && this.projectPaths.has(path))) continue;
      if (!(await context.fs.stat(path)).isFile) directories.push(path);
      else files.set(path, await context.fs.readFileBuffer(path));
    }
    return { files, directories };
  }

  async runProgram(args, context) {
    const { files, directories } = await this.filesFor(args, context);
    const done = await this.program.run(args, {
      input: bytesOf(context.stdin), directory: context.cwd, files, directories, onProgress: this.onProgress });
    for (const [path, bytes] of done.changed) {
      await context.fs.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
      await context.fs.writeFile(path, bytes);
    }
    return { stdout: latin1Of(done.output), stdoutEncoding: 'binary', stderr: new TextDecoder().decode(done.errors), exitCode: done.exitCode };
  }
}
