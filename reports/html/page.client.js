'use strict';
(() => {
  const form = document.getElementById('filter');
  const status = document.getElementById('shown');
  const rows = [...document.querySelectorAll('table.rules tbody tr')].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
  }));
  const areas = [...document.querySelectorAll('details.area')];

  function apply() {
    const wanted = new FormData(form);
    const words = String(wanted.get('text')).toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      const fits =
        ['verdict', 'level', 'area'].every(
          (key) => !wanted.get(key) || wanted.get(key) === row.dataset[key],
        ) && words.every((word) => text.includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const area of areas) area.hidden = !area.querySelector('tbody tr:not([hidden])');
    status.textContent = `${shown} of ${rows.length} rules shown`;
  }

  function named() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      // Not every address is well encoded, and no anchor of this page needs it.
      return '';
    }
  }

  function reveal() {
    const target = document.getElementById(named());
    if (!target) return;
    // A link to a rule must work whatever the filter hides.
    if (target.hidden || target.closest('[hidden]')) {
      form.reset();
      apply();
    }
    for (let parent = target; parent; parent = parent.parentElement) {
      if (parent.tagName === 'DETAILS') parent.open = true;
    }
    target.scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  addEventListener('hashchange', reveal);
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  apply();
  reveal();
})();
