// What every page has: the choice of the theme, the search, and the copy for reading without a network.
(() => {
  const kThemes = ['system', 'light', 'dark'];
  const own = document.currentScript.dataset;
  const root = new URL(own.root || './', location.href);

  // --- the theme ---

  const themeButton = document.getElementById('theme');

  function showTheme() {
    const theme = document.documentElement.dataset.theme || 'system';
    themeButton.textContent = `Theme: ${theme}`;
    return theme;
  }

  themeButton.addEventListener('click', () => {
    const next = kThemes[(kThemes.indexOf(showTheme()) + 1) % kThemes.length];
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === 'system') localStorage.removeItem('switchyard-theme');
      else localStorage.setItem('switchyard-theme', next);
    } catch (problem) {}  // the choice then ends with the page
    showTheme();
  });
  showTheme();

  // On wide screens the table of contents is next to the text, and open.
  const contents = document.querySelector('.contents details');
  if (contents) contents.open = matchMedia('(min-width: 90rem)').matches;

  // Blocks and tables that are wider than the page can be scrolled by keyboard: they receive the focus.
  const scrollers = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  for (const block of document.querySelectorAll('main pre:not([tabindex]), main .wide')) scrollers.observe(block);

  // --- the search ---

  const query = document.getElementById('query'), found = document.getElementById('found');
  let searching;  // resolves to the function of search.js
  let selected = -1;

  // Loads search.js, which contains the index: most visits need none.
  function loadSearch() {
    searching = searching || new Promise((done, fail) => {
      const script = document.createElement('script');
      script.src = own.search;
      script.onload = () => done(window.switchyardSearch);
      script.onerror = () => fail(new Error('the index cannot be loaded'));
      document.head.append(script);
    });
    return searching;
  }

  function showResults(results, words) {
    const items = results.map((result, i) => {
      const link = document.createElement('a');
      link.href = new URL(result.address, root).href;
      link.tabIndex = -1;
      const where = document.createElement('span');
      where.textContent = result.page === result.title ? '' : result.page;
      link.append(result.title, where);
      const item = document.createElement('li');
      item.id = `found-${i}`;
      item.setAttribute('role', 'option');
      item.append(link);
      return item;
    });
    if (items.length === 0 && words) {
      const item = document.createElement('li');
      item.textContent = `Nothing found for "${words}".`;
      items.push(item);
    }
    found.replaceChildren(...items);
    found.hidden = items.length === 0;
    query.setAttribute('aria-expanded', String(!found.hidden));
    select(results.length > 0 ? 0 : -1);
  }

  function select(index) {
    const items = [...found.querySelectorAll('[role=option]')];
    selected = items.length === 0 ? -1 : (index + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute('aria-selected', String(i === selected)));
    if (selected >= 0) {
      query.setAttribute('aria-activedescendant', items[selected].id);
      items[selected].scrollIntoView({ block: 'nearest' });
    } else {
      query.removeAttribute('aria-activedescendant');
    }
  }

  async function search() {
    const words = query.value.trim();
    if (!words) return showResults([], '');
    try {
      const find = await loadSearch();
      if (query.value.trim() === words) showResults(find(words), words);
    } catch (problem) {
      const item = document.createElement('li');
      item.textContent = `Search is not available: ${problem.message}.`;
      found.replaceChildren(item);
      found.hidden = false;
    }
  }

  query.addEventListener('focus', () => loadSearch().catch(() => {}), { once: true });
  query.addEventListener('input', search);
  query.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      select(selected + (event.key === 'ArrowDown' ? 1 : -1));
      event.preventDefault();
    } else if (event.key === 'Enter' && selected >= 0) {
      found.querySelectorAll('[role=option] a')[selected].click();
    } else if (event.key === 'Escape') {
      query.value = '';
      showResults([], '');
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('search')) showResults([], '');
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, [contenteditable]')) return;
    query.focus();
    event.preventDefault();
  });

  // --- without a network ---

  if ('serviceWorker' in navigator && location.protocol.startsWith('http')) {
    // The first page was loaded before there was a service worker: it is requested once more, so that it is kept.
    navigator.serviceWorker.addEventListener('controllerchange', () => fetch(location.href).catch(() => {}));
    addEventListener('load', () => navigator.serviceWorker.register(own.service).catch(() => {}));
  }
})();
