
/* Plays the film of a launch: its steps stand in the rows of a table (explain_view.h), which is there without this too. */
const film = (function () {
  'use strict';
  const all = pictures.all, id = pictures.id, svg = pictures.svg, label = pictures.label, say = pictures.say;
  const kPause = 800, kMostRows = 34;
  const box = id('film');
  let launch = null, steps = [], warps = [], at = -1, timer = 0, shown = null;

  function number(text) { return Number(text); }
  function read(row) {
    const data = row.dataset, access = launch.accesses.find(function (a) { return a.key === data.key; });
    let one = null;
    return {
      what: data.what, block: Number(data.block), warp: Number(data.warp), line: Number(data.line),
      lanes: parseInt(data.lanes, 16) >>> 0, access: access || null, race: parseInt(data.race || '0', 16) >>> 0,
      filled: data.filled ? data.filled.split(' ').map(function (r) { return r.split('-').map(number); }) : [],
      text: row.querySelector('td').textContent,
      one: function () { return one || (one = pictures.decode(data.sample)); }
    };
  }
  function load(of) {
    stop();
    launch = of;
    const table = all('details.film').find(function (d) { return Number(d.dataset.launch) === of.index; });
    steps = table ? all('tr', table).map(read) : [];
    warps = table ? table.dataset.warps.split(' ').map(function (w) { return w.split('-').map(number); }) : [];
    at = -1;
    id('film-order').textContent = table ? table.querySelector('.order').textContent : '';
    box.hidden = !steps.length;
    id('film-slider').max = steps.length;
  }

  // ---- the state at a step follows from the steps before it
  function last_of(warp) {
    let released = null;
    for (let i = at; i >= 0; --i) {
      if (steps[i].block !== warp[0]) continue;
      if (steps[i].what === 'release') released = released || steps[i];
      else if (steps[i].warp === warp[1]) return steps[i].what === 'wait' && released || steps[i];
    }
    return null;
  }
  /* The lanes of a warp that go on after a step at which some exit. */
  function left_of(warp, step) {
    let seen = 0, gone = 0, is_later = false;
    steps.forEach(function (one) {
      if (one.block === warp[0] && one.warp === warp[1]) {
        seen |= one.lanes;
        if (one.what === 'exit' && !is_later) gone |= one.lanes;
      }
      is_later = is_later || one === step;
    });
    return (seen & ~gone) >>> 0;
  }
  function deed_of(warp, step, now) {
    if (step.what === 'exit' && left_of(warp, step)) return say('some_exit', {});
    if (step.what !== 'access') return say(step.what, {});
    const access = step.access;
    let deed = access ? say('access', { space: say(access.space, {}), kind: say(access.kind, {}) }) : say('memory', {});
    if (!now) deed = say('done', { state: deed });
    return step.race ? say('race', { state: deed }) : deed;
  }
  function state_of(warp, step, now) {
    const several = warps.some(function (w) { return w[0] !== warps[0][0]; });
    const name = say(several ? 'warp_of_block' : 'warp', { block: warp[0], warp: warp[1] });
    if (!step) return say('state', { warp: name, state: say('not_started', {}) });
    return say(step.line ? 'state_at_line' : 'state', { warp: name, line: String(step.line), state: deed_of(warp, step, now) });
  }
  /* Words of shared memory of the block: true once stored. */
  function stored_words(block) {
    const words = new Set();
    for (let i = 0; i <= at; ++i) {
      const step = steps[i];
      if (step.block !== block) continue;
      step.filled.forEach(function (r) { for (let b = r[0]; b < r[1]; b += 4) words.add(b / 4); });
      if (i < at && step.access && step.access.space === 'shared' && step.access.kind !== 'load')
        words_of(step).forEach(function (w) { words.add(w); });
    }
    return words;
  }
  function words_of(step) {
    const words = new Set();
    if (!step.access || step.access.space !== 'shared') return words;
    const one = step.one();
    one.lanes.forEach(function (l) {
      for (let b = 0; b < one.bytes; b += 4) words.add(Math.floor((l.at + b) / 4));
    });
    return words;
  }

  function raced_words(step) {
    const words = new Set();
    if (!step.race || !step.access || step.access.space !== 'shared') return words;
    step.one().lanes.forEach(function (l) {
      if ((step.race >>> l.lane) & 1) words.add(Math.floor(l.at / 4));
    });
    return words;
  }

  // ---- pictures
  function draw_warps(width) {
    const row = 44, cell = width / 32;
    const current = steps[at];
    const states = warps.map(function (warp) {
      const now = current.block === warp[0] && (current.warp === warp[1] || current.what === 'release');
      return { step: last_of(warp), now: now, text: state_of(warp, last_of(warp), now) };
    });
    const picture = pictures.canvas(width, warps.length * row, states.map(function (s) { return s.text; }).join('; '));
    states.forEach(function (state, i) {
      const step = state.step, now = state.now, y = i * row;
      const left = step && step.what === 'exit' ? left_of(warps[i], step) : 0;
      const text = label(picture, 0, y + 11, 'start', state.text, now ? 'title now' : 'title');
      if (step && (step.race || step.what === 'stop')) text.setAttribute('class', 'title raced');
      for (let lane = 0; lane < 32; ++lane) {
        const runs = step && step.what === 'exit' ? left : step ? step.lanes : 0;
        const on = step && step.what !== 'release' && ((runs >>> lane) & 1);
        const kind = !on ? 'lane off' : step.what === 'exit' ? 'lane past' : step.what === 'wait' ? 'lane waits'
          : step.what === 'stop' || (step.race >>> lane) & 1 ? 'lane fault' : now ? 'lane' : 'lane past';
        svg('rect', { 'class': kind, x: lane * cell + 0.75, y: y + 17, width: cell - 1.5, height: 18, rx: 2 }, picture);
        if (cell >= 14 || lane % 4 === 0)
          label(picture, (lane + 0.5) * cell, y + 30, 'middle', lane, kind === 'lane' || kind === 'lane fault' ? 'in-lane' : 'in-lane off');
      }
    });
    return picture;
  }
  function draw_shared(width) {
    const arrays = launch.ranges.filter(function (r) { return r.space === 'shared' && r.bytes > 0; });
    const current = steps[at];
    if (!arrays.length || !steps.some(function (s) { return s.access && s.access.space === 'shared'; })) return null;
    const stored = stored_words(current.block), touched = words_of(current);
    const reads = current.access && current.access.kind === 'load';
    const left = 38, cell = (width - left) / 32;
    // All of the block's window, as rows of 32 banks; of a long one the rows around what is touched.
    const end = Math.max.apply(null, arrays.map(function (r) { return r.begin + r.bytes; }));
    const rows = Math.ceil(end / 128);
    let first = 0;
    const lowest = Math.floor(Math.min.apply(null, Array.from(touched).concat([Infinity])) / 32);
    if (rows > kMostRows) first = Math.max(0, Math.min(rows - kMostRows, (isFinite(lowest) ? lowest : 0) - 2));
    const last = Math.min(rows, first + kMostRows), tall = last - first > 16 ? 8 : 12, top = 30;
    const height = top + (last - first) * tall;
    const picture = pictures.canvas(width, height + 38,
      say('shared_label', { stored: stored.size, touched: touched.size }));
    label(picture, 0, 10, 'start', say(last - first < rows ? 'shared_rows' : 'shared_title', {
      names: arrays.map(function (r) { return r.name; }).join(', '), first: first, last: last - 1, rows: rows
    }), 'title');
    for (let bank = 0; bank < 32; bank += 4) label(picture, left + (bank + 0.5) * cell, top - 5, 'middle', bank);
    const kinds = { 'cell none': '', 'cell stored': '', 'cell reads': '', 'cell writes': '', 'cell hole': '' };
    const held = function (word) {
      return arrays.some(function (r) { return 4 * word >= r.begin && 4 * word < r.begin + r.bytes; });
    };
    for (let row = first; row < last; ++row) {
      const y = top + (row - first) * tall;
      if ((row - first) % 4 === 0) label(picture, left - 5, y + tall - 1, 'end', 32 * row);
      for (let bank = 0; bank < 32; ++bank) {
        const word = 32 * row + bank;
        if (!held(word)) continue;
        const kind = touched.has(word) ? (!reads ? 'cell writes' : stored.has(word) ? 'cell reads' : 'cell hole')
          : stored.has(word) ? 'cell stored' : 'cell none';
        kinds[kind] += 'M' + (left + bank * cell + 0.5).toFixed(1) + ' ' + (y + 0.5) + 'h' + (cell - 1).toFixed(1) +
          'v' + (tall - 1) + 'h-' + (cell - 1).toFixed(1) + 'z';
      }
    }
    raced_words(current).forEach(function (word) {
      const row = Math.floor(word / 32);
      if (row >= first && row < last)
        svg('rect', { 'class': 'cell raced', x: left + word % 32 * cell, y: top + (row - first) * tall, width: cell, height: tall }, picture);
    });
    let x = 0, y = height + 8;
    [['cell none', 'empty'], ['cell stored', 'stored'], ['cell writes', 'stored_now'], ['cell reads', 'read_now'],
     ['cell hole', 'read_empty']].forEach(function (kind) {
      if (kinds[kind[0]]) svg('path', { 'class': kind[0], d: kinds[kind[0]] }, picture);
      if (!kinds[kind[0]] && kind[0] === 'cell hole') return;
      const words = say(kind[1], {}), wide = 26 + pictures.width_of(words);
      if (x + wide > width) { x = 0; y += 15; }
      svg('rect', { 'class': kind[0], x: x + 1, y: y, width: 10, height: 10 }, picture);
      label(picture, x + 16, y + 9, 'start', words);
      x += wide;
    });
    return picture;
  }
  function put(box, picture) {
    while (box.firstChild) box.removeChild(box.firstChild);
    if (picture) box.appendChild(picture);
  }
  function width_of(box) { return Math.max(260, Math.min(760, Math.floor(box.clientWidth) || 560)); }
  function draw() {
    if (at < 0) return;
    const warps_box = id('film-warps'), shared_box = id('film-shared');
    put(warps_box, draw_warps(width_of(warps_box)));
    put(shared_box, draw_shared(width_of(warps_box)));
  }

  // ---- from step to step
  function go(step) {
    if (!steps.length) return;
    at = Math.max(0, Math.min(steps.length - 1, step));
    const slider = id('film-slider'), place = { step: at + 1, steps: steps.length };
    slider.value = at + 1;
    slider.setAttribute('aria-valuetext', say('place', place));
    id('film-place').textContent = say('step', place);
    id('film-text').textContent = steps[at].text;
    id('film-text').className = steps[at].race || steps[at].what === 'stop' ? 'raced' : '';
    id('film-back').setAttribute('aria-disabled', String(at === 0));
    id('film-on').setAttribute('aria-disabled', String(at === steps.length - 1));
    if (shown) shown(steps[at]);
    draw();
  }
  function stop() {
    if (timer) clearInterval(timer);
    timer = 0;
    if (!box) return;
    id('film-play').textContent = '\u25b6';
    id('film-play').setAttribute('aria-label', say('play', {}));
    id('film-text').setAttribute('aria-live', 'polite');
  }
  function play() {
    if (timer) return stop();
    if (at === steps.length - 1 || at < 0) go(0);
    // What changes each second would only be read in scraps.
    id('film-text').setAttribute('aria-live', 'off');
    id('film-play').textContent = '\u2016';
    id('film-play').setAttribute('aria-label', say('pause', {}));
    timer = setInterval(function () {
      if (at === steps.length - 1) stop();
      else go(at + 1);
    }, kPause);
  }
  function by_hand(step) {
    stop();
    go(step);
  }
  const keys = {
    ' ': play,
    ArrowLeft: function () { by_hand(at - 1); }, ArrowRight: function () { by_hand(at + 1); },
    Home: function () { by_hand(0); }, End: function () { by_hand(steps.length - 1); }
  };
  if (box) {
    id('film-back').addEventListener('click', keys.ArrowLeft);
    id('film-on').addEventListener('click', keys.ArrowRight);
    id('film-play').addEventListener('click', play);
    id('film-slider').addEventListener('input', function () { by_hand(Number(id('film-slider').value) - 1); });
    all('details.film').forEach(function (d) { d.open = false; });
  }
  return {
    load: load, go: by_hand, draw: draw,
    /* A key that was pressed in the panel; true if it was for the film. */
    press: function (key, target) {
      if (!steps.length || !keys[key] || (key === ' ' && target.tagName === 'BUTTON')) return false;
      keys[key]();
      return true;
    },
    on_step: function (call) { shown = call; },
    steps: function () { return steps; },
    /* For an access that is no step of it. */
    leave: function () {
      stop();
      at = -1;
      id('film-text').textContent = say('no_step', {});
      id('film-text').className = '';
      id('film-place').textContent = '';
      put(id('film-warps'), null);
      put(id('film-shared'), null);
    }
  };
})();
