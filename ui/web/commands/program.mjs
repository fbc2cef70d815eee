// The program `switchyard` as a function: each call of run() is one command in a new instance of the WebAssembly module.

// Returns the files below `directory` of an Emscripten file system, except devices, as a map from path to bytes.
function filesBelow(system, directory) {
  const found = new Map();
  for (const name of system.readdir(directory)) {
    const path = `${directory === '/' ? '' : directory}/${name}`;
    if (['.', '..'].includes(name) || ['/dev', '/proc'].includes(path)) continue;
    const mode = system.lstat(path).mode;
    if (system.isDir(mode)) for (const [file, bytes] of filesBelow(system, path)) found.set(file, bytes);
    else if (system.isFile(mode)) found.set(path, system.readFile(path));
  }
  return found;
}

function areEqual(a, b) { return a.length === b.length && a.every((byte, i) => byte === b[i]); }

// Collects bytes; `onLine` receives each complete line as text.
class Output {
  constructor(onLine) { Object.assign(this, { onLine, bytes: new Uint8Array(4096), size: 0, lineStart: 0 }); }

  add(byte) {
    if (byte === null) return;  // Emscripten flushes
    if (this.size === this.bytes.length) {
      const larger = new Uint8Array(this.size * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.size++] = byte;
    if (byte !== 10 && byte !== 13) return;
    if (this.onLine) this.onLine(new TextDecoder().decode(this.bytes.subarray(this.lineStart, this.size - 1)));
    this.lineStart = this.size;
  }

  all() { return this.bytes.subarray(0, this.size); }
}

export class Program {
  // `create`: the function that Emscripten's script defines. `module`: the compiled WebAssembly.Module.
  constructor(create, module) { Object.assign(this, { create, module }); }

  // Runs `switchyard` with these arguments. `input`: bytes of standard input. `directory`: the current directory. `files`: a map from
  // path to bytes, the files that the command can read; `directories`: those that exist without files. `onProgress` receives lines of standard error while the command runs.
  // Returns { output, errors, exitCode, changed }: bytes, bytes, a number, and a map of the files that the command wrote.
  async run(args, { input = new Uint8Array(), directory = '/', files = new Map(), directories = [], onProgress } = {}) {
    const output = new Output(), errors = new Output(onProgress);
    let read = 0;
    const prepare = (instance) => {
      const system = instance.FS;
      system.init(() => (read < input.length ? input[read++] : null), (byte) => output.add(byte), (byte) => errors.add(byte));
      for (const [path, bytes] of files) {
        system.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
        system.writeFile(path, bytes);
      }
      for (const path of [...directories, directory]) system.mkdirTree(path);
      system.chdir(directory);
    };
    const instance = await this.create({
      preRun: [prepare],
      thisProgram: 'switchyard',
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(this.module, imports).then((made) => done(made, this.module));
        return {};
      },
    });
    let exitCode = 2;
    try {
      exitCode = instance.callMain(args);
    } catch (problem) {
      for (const byte of new TextEncoder().encode(`switchyard: ${describe(problem)}\n`)) errors.add(byte);
    }
    const changed = new Map();
    for (const [path, bytes] of filesBelow(instance.FS, '/')) {
      const before = files.get(path);
      if (!before || !areEqual(before, bytes)) changed.set(path, bytes);
    }
    return { output: output.all(), errors: errors.all(), exitCode, changed };
  }
}

function describe(problem) {
  if (problem instanceof RangeError || /memory/i.test(problem.message || '')) return 'not enough memory';
  return `stopped: ${problem.message || problem}`;
}
