// Runs the program for the pages with node: node node.mjs SWITCHYARD-COMMANDS.JS ARGUMENT... < INPUT
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Program } from './program.mjs';

const [script, ...args] = process.argv.slice(2);

// Reads all of standard input; none if it is a terminal.
function input() { return process.stdin.isTTY ? new Uint8Array() : new Uint8Array(readFileSync(0)); }

function write(descriptor, bytes) { for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at); }

const create = createRequire(import.meta.url)(resolve(script));
const program = new Program(create, await WebAssembly.compile(readFileSync(script.replace(/\.js$/, '.wasm'))));
const done = await program.run(args, { input: input() });
write(1, done.output);
write(2, done.errors);
process.exitCode = done.exitCode;
