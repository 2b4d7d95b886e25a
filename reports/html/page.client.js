'use strict';
(() => {
  // ------------------------------------------------------------------------------------------- filters, and the address
  const filters = [...document.querySelectorAll('form.filter')].map((form) => {
    const section = document.querySelector(form.dataset.filters);
    const items = [...section.querySelectorAll('tbody tr, [data-filter-item]')].map((item) => ({
      item,
      text: item.textContent.toLowerCase(),
    }));
    const areas = [...section.querySelectorAll('details.area')];
    const status = form.querySelector('[role=status]');
    const noun = form.id === 'filter' ? 'rules' : 'defects';
    const apply = () => {
      const wanted = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value)]));
      const words = (wanted.text ?? wanted.defect ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const { item, text } of items) {
        const fits =
          Object.entries(wanted).every(([key, value]) => {
            const known = item.dataset[key.replace(/^defect-/, '')];
            return value === '' || known === undefined || known === value;
          }) && words.every((word) => text.includes(word));
        item.hidden = !fits;
        if (fits) shown += 1;
      }
      const isNarrowed = Object.values(wanted).some((value) => value !== '');
      for (const area of areas) {
        area.hidden = !area.querySelector('tbody tr:not([hidden])');
        if (isNarrowed) area.open = true;
      }
      status.textContent =
        noun === 'defects' && shown === items.length ? '' : `${shown} of ${items.length} ${noun} shown`;
    };
    return { form, apply };
  });

  /** `#rules?verdict=violated`: a part of the page, and what its filters say. */
  function address() {
    const [name, query = ''] = location.hash.slice(1).split('?');
    try {
      return { name: decodeURIComponent(name), query: new URLSearchParams(query) };
    } catch {
      // Not every address is well encoded, and no anchor of this page needs it.
      return { name: '', query: new URLSearchParams() };
    }
  }

  function noteInAddress({ form }) {
    const query = new URLSearchParams();
    for (const { form: each } of filters)
      for (const [key, value] of new FormData(each)) if (value !== '') query.set(key, value);
    const text = query.toString();
    try {
      history.replaceState(null, '', `${form.dataset.filters}${text === '' ? '' : `?${text}`}`);
    } catch {
      // Some viewers show a page that has no address.
    }
  }

  function readAddress() {
    const { query } = address();
    for (const { form, apply } of filters) {
      for (const field of form.elements)
        if (field.name && query.has(field.name)) field.value = query.get(field.name);
      apply();
    }
  }

  function reveal() {
    const target = document.getElementById(address().name);
    if (!target) return;
    // A link to a rule must work whatever the filter hides.
    if (target.hidden || target.closest('[hidden]'))
      for (const { form, apply } of filters) {
        for (const field of form.elements) if (field.name) field.value = '';
        apply();
      }
    for (let parent = target; parent; parent = parent.parentElement)
      if (parent.tagName === 'DETAILS') parent.open = true;
    target.scrollIntoView();
  }

  for (const filter of filters) {
    filter.form.hidden = false;
    filter.form.addEventListener('input', () => {
      filter.apply();
      noteInAddress(filter);
    });
    filter.form.addEventListener('submit', (event) => event.preventDefault());
    filter.form.addEventListener('reset', () =>
      setTimeout(() => {
        filter.apply();
        noteInAddress(filter);
      }),
    );
  }

  // ----------------------------------------------------------------------------------------------------------- copying
  function selectText(element) {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  for (const box of document.querySelectorAll('.copyable')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const source = box.querySelector('pre');
      try {
        await navigator.clipboard.writeText(source.textContent.trim());
        button.textContent = 'Copied';
      } catch {
        // Without leave to write the clipboard, the text is marked for the reader to copy.
        selectText(source);
        button.textContent = 'Selected';
      }
      setTimeout(() => (button.textContent = 'Copy'), 1_500);
    });
    box.append(button);
  }

  // ---------------------------------------------------------------------------------------------------------- pictures
  function draw() {
    const { runs, latency } = JSON.parse(document.getElementById('chart-data').textContent);
    const usual = { chartPadding: { top: 10, right: 10, bottom: 0, left: 0 }, fullWidth: true };
    const sparse = (labels, most) => {
      const each = Math.ceil(labels.length / most);
      return (value, index) => (index % each === 0 ? value : null);
    };
    const most = innerWidth < 700 ? 4 : 10;
    const night = document.querySelector('[data-chart=runs]');
    if (night && runs.length > 1)
      new Chartist.BarChart(
        night,
        { labels: runs.map((run) => run.startedAt.slice(5, 10)), series: [runs.map((run) => run.defects)] },
        {
          ...usual,
          axisX: { showGrid: false, labelInterpolationFnc: sparse(runs, most) },
          axisY: { onlyInteger: true, labelInterpolationFnc: (value) => `${value}` },
          low: 0,
        },
      );
    const times = document.querySelector('[data-chart=latency]');
    if (times && latency)
      new Chartist.LineChart(
        times,
        { labels: latency.seconds, series: [latency.median, latency.p95] },
        {
          ...usual,
          showPoint: false,
          lineSmooth: false,
          low: 0,
          axisX: {
            showGrid: false,
            labelInterpolationFnc: (value, index) =>
              index % Math.ceil(latency.seconds.length / most) === 0 ? `${value} s` : null,
          },
        },
      );
  }

  addEventListener('hashchange', () => {
    readAddress();
    reveal();
  });
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details.defect')) details.open = true;
  });
  readAddress();
  reveal();
  try {
    draw();
  } catch {
    // The tables beside the pictures say the same.
  }
})();
