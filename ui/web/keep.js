// The data that the page keeps in this browser between visits. Texts (the settings and the last position of the window) are in
// localStorage, which is written immediately, also by a page that is being closed. Opened files are in IndexedDB, which has
// enough space. Two tabs write to the same entries, each entry atomically: the later one wins.

const kDatabase = 'switchyard', kFilesKept = 'files', kPrefix = 'switchyard/';
const kMostFiles = 20, kMostBytes = 16 << 20;  // limits of the kept files; the newest files are kept
const kPatience = 1000;                        // ms after which the page opens without the data of the database
const kLongestWord = 1 << 16;                  // largest length of a kept text, in characters
const kFilesFolder = '/files', kSettingsFolder = '/home/settings';

// Checks a record of the database, because other pages and other versions of this page can write to the database, too.
const isFile = (record) => record && /^[\w. -]{1,100}$/.test(record.name) && !/^\.+$/.test(record.name) &&
  record.bytes instanceof Uint8Array && record.bytes.length <= kMostBytes;

const resultOf = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

class SwitchyardKeep {
  // `say(words)` shows a message to the user.
  constructor(say) {
    Object.assign(this, { say, keeps: true, hasComplained: false });
    this.database = this.openDatabase();
    this.database.catch(() => {});  // callers that await the database get the error
    try {
      // When the user erases the data in one tab, the other tabs stop storing data.
      this.tabs = new BroadcastChannel(kDatabase);
      this.tabs.onmessage = () => { this.keeps = false; };
    } catch (problem) { /* other tabs are not notified */ }
  }

  async openDatabase() {
    const request = indexedDB.open(kDatabase, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(kFilesKept, { keyPath: 'name' });
    const database = await resultOf(request);
    database.onversionchange = () => database.close();
    return database;
  }

  // Writes the settings and the files of earlier visits into the window's file system. If the database does not answer in
  // time, the page opens without the files and stores nothing in this visit. Otherwise it would overwrite the settings with
  // settings that do not list these files.
  async restore(files) {
    const late = new Promise((done) => setTimeout(done, kPatience));
    const there = await Promise.race([this.readFiles(), late]);
    files.mkdirTree(kFilesFolder);
    for (const { name, bytes } of there || []) files.writeFile(`${kFilesFolder}/${name}`, bytes);
    files.mkdirTree(kSettingsFolder);
    const is_there = (path) => files.analyzePath(path).exists;
    for (const name of ['keys', 'window']) {
      const text = this.keptText(name).replace(/^recent = (.*)\n/gm, (line, path) => (is_there(path) ? line : ''));
      if (text) files.writeFile(`${kSettingsFolder}/${name}`, text);
    }
    this.isLate = there === undefined;
    if (this.isLate) this.keeps = false;
  }

  async readFiles() {
    try {
      const database = await this.database;
      const all = await resultOf(database.transaction(kFilesKept).objectStore(kFilesKept).getAll());
      return all.filter(isFile);
    } catch (problem) {
      return [];
    }
  }

  // The stored text with this name; empty if there is none.
  keptText(name) {
    try {
      const text = localStorage.getItem(kPrefix + name) || '';
      return text.length <= kLongestWord ? text : '';
    } catch (problem) {
      return '';
    }
  }

  keepText(name, text) {
    if (!this.keeps) return;
    try {
      localStorage.setItem(kPrefix + name, text);
    } catch (problem) {
      this.reportProblem();
    }
  }

  keepSettings(files) {
    for (const name of files.readdir(kSettingsFolder).filter((n) => !n.startsWith('.')))
      this.keepText(name, files.readFile(`${kSettingsFolder}/${name}`, { encoding: 'utf8' }));
  }

  async keepFile(name, bytes) {
    if (!this.keeps) return;
    try {
      const database = await this.database;
      const store = database.transaction(kFilesKept, 'readwrite').objectStore(kFilesKept);
      await resultOf(store.put({ name, bytes, when: Date.now() }));
      const all = (await resultOf(store.getAll())).sort((a, b) => b.when - a.when);
      let sum = 0;
      for (const [i, file] of all.entries()) {
        sum += isFile(file) ? file.bytes.length : 0;
        if (!isFile(file) || i >= kMostFiles || sum > kMostBytes) store.delete(file.name);
      }
    } catch (problem) {
      this.reportProblem();
    }
  }

  reportProblem() {
    if (this.hasComplained) return;
    this.hasComplained = true;
    this.say('This browser does not let the page keep anything: files and settings are lost when the page is closed.');
  }

  // Erases all stored data, and stores nothing more in this visit. Returns sentences that list the erased data.
  async forget() {
    this.keeps = false;
    if (this.tabs) this.tabs.postMessage('forget');
    const erased = [];
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(kPrefix));
      for (const name of names) localStorage.removeItem(name);
      if (names.includes(`${kPrefix}place`)) erased.push('your last position');
      if (names.includes(`${kPrefix}window`)) erased.push('folded parts of the window and recently opened files');
      if (names.includes(`${kPrefix}keys`)) erased.push('your own keys');
    } catch (problem) { /* without localStorage, nothing is stored in it */ }
    try {
      const store = (await this.database).transaction(kFilesKept, 'readwrite').objectStore(kFilesKept);
      const count = await resultOf(store.count());
      await resultOf(store.clear());
      if (count > 0) erased.push(count === 1 ? 'one file' : `${count} files`);
    } catch (problem) { /* without the database, nothing is stored in it */ }
    const what = erased.length > 0 ? `Forgotten: ${erased.join('; ')}.` : 'There was nothing to forget.';
    return `${what} Until the page is loaded again, it keeps nothing more.`;
  }
}
