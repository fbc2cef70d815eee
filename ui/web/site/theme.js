// Sets the theme that the reader has chosen, before the page is drawn. Without a choice, the style sheet follows the system.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('switchyard-theme');
  } catch (problem) {}  // storage is not allowed
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
