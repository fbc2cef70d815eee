export { Program } from './program.mjs';
export { Shell } from './shell.mjs';
