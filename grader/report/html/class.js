
(function () {
  'use strict';
  var table = document.getElementById('table');
  if (!table) return;
  var find = document.getElementById('find'), lab = document.getElementById('lab');
  var how = document.getElementById('how'), look = document.getElementById('look');
  var shown = document.getElementById('shown'), none = document.getElementById('none');
  var headers = Array.prototype.slice.call(table.tHead.rows[0].cells);
  var labs = Array.prototype.slice.call(lab.options, 1).map(function (o) { return o.value; });
  var collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  function plain(text) {
    return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
  }
  var students = Array.prototype.map.call(table.tBodies, function (body, place) {
    var cells = body.rows[0].cells;
    var name = cells[0].querySelector('bdi').textContent;
    return {
      body: body, place: place, name: name, text: plain(name + ' ' + body.dataset.id),
      look: body.dataset.look === '1',
      values: Array.prototype.map.call(cells, function (c) {
        return c.dataset.v === undefined || c.dataset.v === '' ? null : Number(c.dataset.v);
      }),
      kinds: Array.prototype.map.call(cells, function (c) {
        if (!c.dataset.k) return [];
        return ['k:' + c.dataset.k, 'v:' + c.dataset.verdict].concat(
          c.dataset.causes ? c.dataset.causes.split(' ').map(function (id) { return 'c:' + id; }) : []);
      })
    };
  });
  var order = null; // {column, down}

  function sort() {
    var list = students.slice();
    if (order) list.sort(function (a, b) {
      var by;
      if (order.column === 0) by = collator.compare(a.name, b.name);
      else {
        var x = a.values[order.column], y = b.values[order.column];
        // What is blank stands last either way: it is not less than 0.
        if (x === null || y === null) return (x === null) - (y === null) || a.place - b.place;
        by = x - y;
      }
      return (order.down ? -by : by) || a.place - b.place;
    });
    var all = document.createDocumentFragment();
    list.forEach(function (s) { all.appendChild(s.body); });
    table.appendChild(all);
    headers.forEach(function (th, i) {
      var on = order && order.column === i;
      th.setAttribute('aria-sort', on ? (order.down ? 'descending' : 'ascending') : 'none');
    });
  }

  function filter() {
    var words = plain(find.value).split(/\s+/).filter(Boolean);
    var column = lab.value ? labs.indexOf(lab.value) + 1 : 0, count = 0;
    students.forEach(function (s) {
      var fits = words.every(function (w) { return s.text.indexOf(w) >= 0; });
      if (fits && look.checked) fits = s.look;
      if (fits && how.value)
        fits = column ? s.kinds[column].indexOf(how.value) >= 0
                      : s.kinds.some(function (k) { return k.indexOf(how.value) >= 0; });
      s.body.hidden = !fits;
      if (fits) count++;
    });
    shown.textContent = count === students.length
      ? count + (count === 1 ? ' student' : ' students') : count + ' of ' + students.length;
    none.hidden = count > 0;
  }

  function remember() {
    try {
      history.replaceState({ order: order, find: find.value, lab: lab.value, how: how.value,
                             look: look.checked }, '');
    } catch (e) { /* a browser that forbids it for files: the page only forgets */ }
  }
  function restore() {
    var was = history.state;
    if (!was || typeof was !== 'object') return;
    order = was.order || null;
    find.value = was.find || '';
    lab.value = was.lab || '';
    how.value = was.how || '';
    look.checked = !!was.look;
  }
  function changed() { filter(); remember(); }

  headers.forEach(function (th, column) {
    th.querySelector('button').addEventListener('click', function () {
      // Numbers are first looked at from the top; a third click gives the order of the list back.
      var first = column !== 0;
      if (!order || order.column !== column) order = { column: column, down: first };
      else if (order.down === first) order = { column: column, down: !first };
      else order = null;
      sort();
      remember();
    });
  });
  find.addEventListener('input', changed);
  [lab, how, look].forEach(function (c) { c.addEventListener('change', changed); });
  document.getElementById('clear').addEventListener('click', function () {
    find.value = lab.value = how.value = '';
    look.checked = false;
    changed();
    find.focus();
  });
  document.querySelectorAll('button.show').forEach(function (b) {
    b.addEventListener('click', function () {
      find.value = '';
      look.checked = false;
      lab.value = b.dataset.lab;
      how.value = b.dataset.how;
      changed();
      document.getElementById('students').scrollIntoView();
      how.focus({ preventScroll: true });
    });
  });

  // What a button copied stays to be seen, and to be copied by hand where a browser refuses.
  var copied = document.getElementById('copied'), kit = document.querySelector('main').dataset.kit;
  function copy(text, words) {
    var field = copied.querySelector('input');
    copied.querySelector('span').textContent = words;
    copied.hidden = false;
    field.value = text;
    field.focus({ preventScroll: true });
    field.select();
    try { document.execCommand('copy'); } catch (e) { /* it is selected */ }
  }
  function word(text) { // for the shell
    return /^[\w.@%+=:,\/-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
  }
  // The page lies in the class's folder.
  var folder = location.protocol === 'file:'
    ? word(decodeURIComponent(new URL('.', location.href).pathname).replace(/(.)\/$/, '$1')) : 'DIR';
  document.addEventListener('click', function (event) {
    var b = event.target.closest('button.copy');
    if (!b) return;
    var line = b.dataset.line;
    if (b.dataset.lab)
      line = 'class set {DIR} ' + word(b.closest('tbody').dataset.id) + ' ' + b.dataset.lab +
        ' --points N --reason "..."';
    copy(kit + ' ' + line.replace('{DIR}', function () { return folder; }), 'Copied; edit it in the terminal');
  });
  document.getElementById('mail').addEventListener('click', function () {
    var rows = students.filter(function (s) { return !s.body.hidden; });
    var mails = rows.map(function (s) { return s.body.dataset.mail; }).filter(Boolean);
    var without = rows.length - mails.length;
    copy(mails.join(', '), 'Copied: ' + mails.length + (mails.length === 1 ? ' address' : ' addresses') +
         (without ? '; ' + without + ' shown without one' : ''));
  });

  restore();
  if (order) sort();
  filter();
})();
