// The worker of a page: runs command lines in a shell. The program is loaded with the first request.
import { Program } from './program.mjs';
import { Shell } from './shell.mjs';

// make.py writes the addresses of the script and the program of WebAssembly, relative to this file, and the names of the project's files.
const kScript = '@switchyard-commands.js@', kWasm = '@switchyard-commands.wasm@';

let shell;     // a promise of the Shell, after the first request
let current;   // the number of the request that runs

async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${new URL(url).pathname}: ${response.status}`);
  return response;
}

async function createShell() {
  const here = self.location.href;
  self.importScripts(new URL(kScript, here).href);
  const bytes = await (await load(new URL(kWasm, here))).arrayBuffer();
  const program = new Program(self.SwitchyardCommands, await WebAssembly.compile(bytes));
  const names = await (await load(new URL('../files/list.json', here))).json();
  const files = new Map(names.map((name) => [name, async () =>
    new Uint8Array(await (await load(new URL(`../files/${name}`, here))).arrayBuffer())]));
  return new Shell(program, files, (line) => self.postMessage({ id: current, progress: line }));
}

async function answer({ id, run, complete, files }) {
  current = id;
  const here = await (shell = shell || createShell());
  for (const [name, text] of Object.entries(files || {})) await here.writeFile(name, text);
  if (complete) {
    const lines = await here.program.run(['complete', '--', ...complete], { directory: '/switchyard' });
    return new TextDecoder().decode(lines.output).split('\n').filter(Boolean).map((line) => {
      const [text, help] = line.split('\t');
      return { text, help };
    });
  }
  const { stdout, stderr, exitCode } = await here.exec(run);
  return { stdout, stderr, exitCode };
}

let queue = Promise.resolve();
self.onmessage = ({ data }) => {
  queue = queue.then(() => answer(data)).then(
    (result) => self.postMessage({ id: data.id, result }),
    (problem) => {
      shell = undefined;
      self.postMessage({ id: data.id, problem: problem.message || String(problem) });
    });
};
