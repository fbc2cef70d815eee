// Replaces node:zlib, which browsers lack: the shell's gzip reports that it is not available.
function missing() { throw new Error('not available in a browser'); }

export const gzipSync = missing, gunzipSync = missing, constants = {};
