
(function () {
  'use strict';
  document.documentElement.classList.add('js');
  // What is folded up opens when a link leads into it, and for the printer.
  function reveal() {
    var id = decodeURIComponent(location.hash.slice(1));
    var target = id && document.getElementById(id);
    for (var at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (target) target.scrollIntoView({ block: target.classList.contains('line') ? 'center' : 'start' });
  }
  window.addEventListener('hashchange', reveal);
  if (location.hash) reveal();
  var opened = [];
  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('main details:not([open])').forEach(function (d) {
      if (d.closest('.students')) return;
      d.open = true;
      opened.push(d);
    });
  });
  window.addEventListener('afterprint', function () {
    opened.forEach(function (d) { d.open = false; });
    opened = [];
  });
})();
