// Before the page is drawn: sets the theme that the reader has chosen (without a choice, the style sheet follows the system), and the class
// that shows what needs scripts.
(() => {
  document.documentElement.classList.add('scripted');
  let chosen = null;
  try {
    chosen = localStorage.getItem('switchyard-theme');
  } catch (problem) {}  // storage is not allowed
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
