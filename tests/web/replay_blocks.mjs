// Replays the console blocks of the documents in the shell of the pages, and compares the output: node replay_blocks.mjs BUNDLE COMMANDS
// [DOCUMENT...]. BUNDLE: shell.js, made by esbuild from ui/web/commands/index.mjs. COMMANDS: switchyard-commands.js.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [bundle, script, ...chosen] = process.argv.slice(2).map((word) => resolve(word));
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { Program, Shell } = await import(pathToFileURL(bundle));

function filesBelow(directory, pattern) {
  return readdirSync(directory, { recursive: true }).map((name) => join(directory, name)).filter((path) => pattern.test(path) && statSync(path).isFile());
}

// The blocks of a document in order: { info, lines, at }, `at` being the number of the first line in it.
function blocksOf(text) {
  const lines = text.split('\n'), blocks = [];
  for (let i = 0; i < lines.length; ++i) {
    if (!/^```\w/.test(lines[i])) continue;
    const begin = i + 1;
    while (lines[++i] !== '```');
    blocks.push({ info: lines[begin - 1].slice(3), lines: lines.slice(begin, i), at: begin + 1 });
  }
  return blocks;
}

const program = new Program(createRequire(import.meta.url)(script), await WebAssembly.compile(readFileSync(script.replace(/\.js$/, '.wasm'))));
const projectFiles = new Map([...filesBelow(join(root, 'scenarios'), /\.(json|lua)$/), ...filesBelow(join(root, 'tests/recordings'), /\.txt$/),
                              ...filesBelow(join(root, 'tests/decisions'), /\.jsonl$/), ...filesBelow(join(root, 'tests/textbook'), /\.jsonl$/), ...filesBelow(join(root, 'tests/calibrate'), /\.json$/),
                              join(root, 'tests/bad/everything-at-once.json')].filter(existsSync)
  .map((path) => [relative(root, path), () => new Uint8Array(readFileSync(path))]));
const documents = chosen.length > 0 ? chosen : [join(root, 'README.md'), ...filesBelow(join(root, 'docs'), /\.md$/)].sort();

// Commands whose output differs from that of another shell, with the reason.
const kDifferent = new Map([
  ["switchyard run 'A 0 8; B 1 4; C 2 9; D 3 5' --policy RR", 'the shell puts standard error behind standard output'],
  ['cd "$(mktemp -d)"; for i in 1 2 3; do switchyard sweep', 'wc pads its numbers to another width'],
]);

process.setMaxListeners(0);  // each instance of the program adds two
let passed = 0, failed = 0, different = 0;
for (const document of documents) {
  const shell = new Shell(program, projectFiles);
  for (const { info, lines, at } of blocksOf(readFileSync(document, 'utf8'))) {
    const name = /^(?:--|\/\/) ([a-z0-9_-]+\.(?:lua|json))\b/.exec(lines[0]);
    if ((info === 'lua' || info === 'json') && name) await shell.writeFile(name[1], `${lines.join('\n')}\n`);
    if (info !== 'console') continue;
    let end = 0;
    while (lines[end].endsWith('\\')) ++end;
    const command = lines.slice(0, end + 1).join('\n').slice(2), printed = lines.slice(end + 1).join('\n');
    const { stdout, stderr } = await shell.exec(command);
    if ([...kDifferent.keys()].some((begin) => command.startsWith(begin)) && stdout.split('\n').length === lines.length - end) {
      ++different;
      continue;
    }
    if (stdout.trimEnd() === printed.trimEnd()) {
      ++passed;
      continue;
    }
    ++failed;
    const [got, want] = [stdout.split('\n'), printed.split('\n')];
    const first = want.findIndex((line, i) => line !== got[i]);
    console.log(`${relative(root, document)}:${at}: $ ${command}\n  the document: ${want[first]}\n  the page:     ${got[first]}\n  ${stderr.trim().split('\n').at(-1)}`);
  }
}
console.log(`console blocks in the pages' shell: ${passed} passed, ${failed} failed, ${different} with another order or width of columns`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
