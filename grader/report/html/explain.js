
/* The page that explains: its lines lead to steps of the film, or to the worst access of a launch without one. */
(function () {
  'use strict';
  const all = pictures.all, id = pictures.id, launches = pictures.launches, say = pictures.say;
  // ---- the panel
  const panel = id('lanes'), listing = id('source');
  const state = { launch: 0, access: null, one: null, drawn: null };
  function launch_of(index) { return launches.find(function (l) { return l.index === index; }); }
  function line_element(line) { return line ? id('source-L' + line) : null; }
  function clear(e) { while (e.firstChild) e.removeChild(e.firstChild); }
  function add(parent, tag, words, kind) {
    const e = document.createElement(tag);
    if (words !== undefined) e.textContent = words;
    if (kind) e.className = kind;
    parent.appendChild(e);
    return e;
  }

  /* The access that is shown, or of a step without one nothing. */
  function draw() {
    const access = state.access, one = state.one, box = id('lane-picture');
    ['lane-headline', 'lane-words', 'lane-each', 'lane-worst'].forEach(function (name) {
      id(name).hidden = !access;
    });
    clear(box);
    if (!access) {  // the keyboard may be in this box, so it stays
      add(box, 'p', say(state.is_stop ? 'stopped' : 'no_access', {}), 'dim');
      return;
    }
    const width = Math.max(260, Math.min(760, Math.floor(box.clientWidth) || 560));
    state.drawn = access.space === 'shared' ? pictures.draw_banks(access, one, width)
      : pictures.draw_sectors(access, one, width);
    box.appendChild(state.drawn.picture);
    const headline = id('lane-headline'), words = id('lane-words');
    headline.textContent = one.said[0];
    headline.className = one.cost > one.ideal ? 'headline excess' : 'headline fine';
    clear(words);
    add(words, 'p', one.said.slice(1).join(' '));
    add(words, 'p', pictures.who(access, one), 'dim');
    id('lane-worst').setAttribute('aria-pressed', String(one === access.worst));
    if (id('lane-each').open) each_lane();
  }

  function each_lane() {
    const access = state.access, one = state.one, shared = access.space === 'shared';
    const box = id('lane-table');
    clear(box);
    const table = add(box, 'table', undefined, 'plain'), head = add(add(table, 'thead'), 'tr');
    ['lane', 'where', shared ? 'bank' : 'sector', 'address'].forEach(function (h) {
      add(head, 'th', say(h, {})).scope = 'col';
    });
    const body = add(table, 'tbody');
    const order = shared ? null : new Map(state.drawn.sectors.map(function (s, i) { return [s.key, i + 1]; }));
    one.lanes.forEach(function (l) {
      const row = add(body, 'tr');
      add(row, 'th', l.lane).scope = 'row';
      add(add(row, 'td'), 'code', pictures.place(access, l.at));
      add(row, 'td', shared ? Math.floor(l.at / 4) % 32 : order.get(Math.floor(l.at / 32)));
      add(add(row, 'td'), 'code', '0x' + l.at.toString(16));
    });
  }

  /* What was found stands where the lanes do, until somebody asks for those. */
  const found = id('found');
  function show_found(yes) {
    if (!found) return;
    found.hidden = !yes;
    panel.hidden = yes;
    if (!yes) return;
    film.leave();
    all('.line.chosen').forEach(function (l) { l.classList.remove('chosen'); l.setAttribute('aria-pressed', 'false'); });
  }

  function show_place(number) {
    all('.line.chosen').forEach(function (l) { l.classList.remove('chosen'); l.setAttribute('aria-pressed', 'false'); });
    const line = line_element(number), link = id('lane-line'), code = line && line.querySelector('code');
    if (line) {
      line.classList.add('chosen');
      if (line.hasAttribute('role')) line.setAttribute('aria-pressed', 'true');
    }
    link.textContent = say(number ? 'line' : 'no_line', { line: String(number) });
    link.setAttribute('href', line ? '#source-L' + number : '#source');
    id('lane-code').textContent = code ? code.textContent.trim().slice(0, 120) : '';
  }
  function show(access, one, line) {
    show_found(false);
    state.access = access;
    state.one = one;
    show_place(line);
    const ops = id('lane-ops');
    clear(ops);
    (access ? groups_of(access) : []).forEach(function (group) {
      const button = add(ops, 'button', undefined, 'op'), mine = group.indexOf(access) >= 0;
      button.type = 'button';
      add(button, 'span', say('access', { space: say(group[0].space, {}), kind: say(group[0].kind, {}) }));
      add(button, 'code', group[0].op);
      button.setAttribute('aria-pressed', String(mine));
      button.addEventListener('click', function () {
        if (!mine) choose(group);
        const again = all('#lane-ops [aria-pressed=true]')[0];
        if (again) again.focus();
      });
    });
    draw();
  }
  function excess(one) { return one.cost - one.ideal; }
  /* The costliest step of these accesses; where the film has none, the worst access of the launch as a still. */
  function choose(accesses) {
    let best = -1;
    film.steps().forEach(function (step, i) {
      if (accesses.indexOf(step.access) < 0) return;
      if (best < 0 || excess(step.one()) > excess(film.steps()[best].one())) best = i;
    });
    if (best >= 0) return film.go(best);
    choose_worst(accesses.slice().sort(function (a, b) { return excess(b.worst) - excess(a.worst); })[0]);
  }
  function choose_worst(access) {
    if (!access) return;
    film.leave();
    show(access, access.worst, access.line);
  }
  /* The line's instructions; those that look alike (the compiler unrolls loops) together. */
  function groups_of(access) {
    const groups = [];
    access.launch.accesses.forEach(function (a) {
      if (a.line !== access.line) return;
      const group = groups.find(function (g) {
        return g[0].op === a.op && g[0].space === a.space && g[0].kind === a.kind;
      });
      if (group) group.push(a);
      else groups.push([a]);
    });
    return groups;
  }
  function accesses_of(line) {
    const launch = launch_of(state.launch);
    if (!launch) return [];
    const keys = (line.dataset.key || '').split(' ');
    return launch.accesses.filter(function (a) { return keys.indexOf(a.key) >= 0; });
  }
  function pick(line) {
    const accesses = accesses_of(line);
    if (!accesses.length) return;
    choose(accesses);
    const at = panel.getBoundingClientRect();
    if (at.bottom < 80 || at.top > window.innerHeight - 80) panel.scrollIntoView({ block: 'start' });
  }

  // ---- which launch
  function show_launch(index) {
    state.launch = index;
    all('[data-launch]').forEach(function (e) { e.hidden = Number(e.dataset.launch) !== index; });
    all('main > section').forEach(function (section) {
      const parts = all('.per-launch', section);
      section.hidden = parts.length > 0 && parts.every(function (p) { return p.hidden; });
    });
    const launch = launch_of(index);
    all('.line.has').forEach(function (line) {
      const able = accesses_of(line).length > 0;
      line.classList.toggle('able', able);
      if (!able) {
        ['role', 'tabindex', 'aria-pressed', 'aria-description'].forEach(function (a) { line.removeAttribute(a); });
        return;
      }
      line.setAttribute('role', 'button');
      line.setAttribute('tabindex', '0');
      line.setAttribute('aria-pressed', 'false');
      line.setAttribute('aria-description', say('shows_lanes', {}));
    });
    if (!panel) return;
    if (launch) film.load(launch);
    panel.hidden = !launch || !(launch.accesses.length || film.steps().length);
    if (panel.hidden) return;
    if (document.querySelector('main.film-alone') && film.steps().length) return film.go(0);
    const last = film.steps().length - 1;
    if (last >= 0 && film.steps()[last].what === 'stop') return film.go(last);
    choose([launch.accesses.find(function (a) { return a.key === launch.first; }) || launch.accesses[0]]);
  }

  if (listing && panel) {
    listing.addEventListener('click', function (event) {
      const line = event.target.closest('.line.able');
      if (line && !String(window.getSelection())) pick(line);
    });
    listing.addEventListener('keydown', function (event) {
      const line = event.target.closest('.line.able');
      if (!line || event.target !== line || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter' || event.key === ' ') pick(line);
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const lines = all('.line.able'), to = lines.indexOf(line) + (event.key === 'ArrowDown' ? 1 : -1);
        if (lines[to]) lines[to].focus();
      } else if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      else if (!film.press(event.key, event.target)) return;
      event.preventDefault();
    });
    film.on_step(function (step) {
      state.is_stop = step.what === 'stop';
      show(step.access, step.access ? step.one() : null, step.line);
      const line = line_element(step.line);
      if (line) keep_in_view(line);
    });
    // In a page of its own a film needs no click first. A link to a line would lead out of an <iframe srcdoc>.
    const is_alone = document.querySelector('main.film-alone');
    if (is_alone) id('lane-line').addEventListener('click', function (event) { event.preventDefault(); });
    (is_alone ? document : panel).addEventListener('keydown', function (event) {
      if (event.defaultPrevented || ['INPUT', 'SUMMARY'].indexOf(event.target.tagName) >= 0 && event.key === ' ') return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('#lane-each')) return;
      if (event.key === 'w' || event.key === 'W') choose_worst(state.access);
      else if (!film.press(event.key, event.target)) return;
      event.preventDefault();
    });
    id('lane-worst').addEventListener('click', function () { choose_worst(state.access); });
    if (found) id('lane-found').addEventListener('click', function () {
      show_found(true);
      found.focus();
    });
    id('lane-each').addEventListener('toggle', function () { if (id('lane-each').open) each_lane(); });
    let width = 0;
    new ResizeObserver(function () {
      const now = panel.clientWidth;
      if (now && now !== width) {
        draw();
        film.draw();
      }
      width = now;
    }).observe(panel);
  }
  all('input[name=launch]').forEach(function (choice) {
    choice.addEventListener('change', function () { show_launch(Number(choice.value)); });
  });
  const chosen = document.querySelector('input[name=launch]:checked');
  show_launch(chosen ? Number(chosen.value) : launches.length ? launches[0].index : 0);
  if (found && panel) {
    const race = film.steps().findIndex(function (step) { return step.race; });
    const stop = film.steps().findIndex(function (step) { return step.what === 'stop'; });
    if (race >= 0 || stop >= 0) {
      const watch = add(found, 'button', say(race >= 0 ? 'watch_race' : 'watch_stop', {}));
      watch.type = 'button';
      watch.id = 'found-film';
      watch.addEventListener('click', function () {
        film.go(race >= 0 ? race : stop);
        id('film-play').focus();
      });
    }
    show_found(true);
  }
  // A long source is a pane of its own: it opens on the line at fault, and the page stays where it begins.
  function keep_in_view(line) {
    const pane = listing.getBoundingClientRect(), at = line.getBoundingClientRect();
    if (listing.scrollHeight <= listing.clientHeight + 1 || (at.top >= pane.top && at.bottom <= pane.bottom)) return;
    listing.scrollTop += at.top - pane.top - listing.clientHeight / 3;
  }
  const opened = found ? Number(found.dataset.line) : state.access ? state.access.line : 0;
  const fault = opened && line_element(opened);
  if (fault) keep_in_view(fault);
})();
