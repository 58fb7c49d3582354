
(function () {
  'use strict';
  // ---- what there is: numbers and names from attributes (explain_lanes.h says which), never code
  function all(selector, inside) {
    return Array.prototype.slice.call((inside || document).querySelectorAll(selector));
  }
  function id(name) { return document.getElementById(name); }
  function numbers(text) { return text.split('x').map(Number); }

  /* What is to be said of an access is worded where the terminal's words are made: its headline, then sentences. */
  const phrases = all('#accesses .phrases li').map(function (e) { return e.textContent; });
  function said(places, element) {
    return (places || '').split(' ').map(function (p) {
      return element ? phrases[Number(p)].replace('{}', function () { return phrases[Number(element)]; })
        : phrases[Number(p)];
    });
  }
  /* One access: {block, warp, time, bytes, words, cost, ideal, lanes: [{lane, at}]} */
  function decode(text) {
    const f = text.split(',');
    const mask = parseInt(f[3], 16), steps = [];
    (f[9] || '').split(' ').forEach(function (s) {
      if (!s) return;
      const part = s.split('*');
      for (let i = Number(part[1] || 1); i > 0; --i) steps.push(Number(part[0]));
    });
    const lanes = [];
    let at = Number(f[8]);
    for (let lane = 0; lane < 32; ++lane) {
      if (!((mask >>> lane) & 1)) continue;
      if (lanes.length) at += steps[lanes.length - 1];
      lanes.push({ lane: lane, at: at });
    }
    return {
      block: Number(f[0]), warp: Number(f[1]), time: Number(f[2]), bytes: Number(f[4]),
      words: Number(f[5]), cost: Number(f[6]), ideal: Number(f[7]), lanes: lanes,
      said: said(f[10], f[11])
    };
  }
  const launches = all('#accesses .launch').map(function (e) {
    const launch = {
      grid: numbers(e.dataset.grid), block: numbers(e.dataset.block), shown: Number(e.dataset.shown),
      warps: Number(e.dataset.warps), first: e.dataset.first, index: Number(e.dataset.index)
    };
    launch.ranges = all('.range', e).map(function (r) {
      return {
        name: r.dataset.name, space: r.dataset.space, begin: Number(r.dataset.begin),
        bytes: Number(r.dataset.bytes), element: Number(r.dataset.element)
      };
    });
    launch.accesses = all('.access', e).map(function (a) {
      return {
        key: a.dataset.key, line: Number(a.dataset.line), op: a.dataset.op, space: a.dataset.space,
        kind: a.dataset.kind, executions: Number(a.dataset.executions), launch: launch,
        text: a.dataset.samples, samples: null
      };
    });
    return launch;
  });
  function samples_of(access) {
    if (!access.samples) access.samples = access.text.split(';').map(decode);
    return access.samples;
  }

  // ---- words
  function count(n, one, many) { return n.toLocaleString('en') + ' ' + (n === 1 ? one : many || one + 's'); }
  function range_of(access, at) {
    return access.launch.ranges.find(function (r) {
      return r.space === access.space && at >= r.begin && at < r.begin + r.bytes;
    });
  }
  /* "out[8192]", "tile, word 33", "tile + 2 bytes", "byte 128" */
  function place(access, at) {
    const range = range_of(access, at);
    if (!range) return 'byte ' + at.toLocaleString('en');
    const offset = at - range.begin;
    if (range.element > 0 && offset % range.element === 0)
      return range.name + '[' + offset / range.element + ']';
    if (access.space === 'shared' && offset % 4 === 0) return range.name + ', word ' + offset / 4;
    return range.name + ' + ' + offset.toLocaleString('en') + ' bytes';
  }
  function coordinates(index, size) {
    const at = [index % size[0], Math.floor(index / size[0]) % size[1],
                Math.floor(index / (size[0] * size[1]))];
    return size[2] > 1 ? '(' + at.join(', ') + ')'
      : size[1] > 1 ? '(' + at[0] + ', ' + at[1] + ')' : String(at[0]);
  }
  function lane_list(lanes) {
    const runs = [];
    lanes.forEach(function (lane) {
      const last = runs[runs.length - 1];
      if (last && last[1] + 1 === lane) last[1] = lane;
      else runs.push([lane, lane]);
    });
    const words = runs.slice(0, 6).map(function (r) { return r[0] === r[1] ? r[0] : r[0] + '\u2013' + r[1]; });
    return words.join(', ') + (runs.length > 6 ? ', ...' : '');
  }
  const kVerb = { load: 'load', store: 'store', atomic: 'update' };
  function who(access, one) {
    const threads = access.launch.block.reduce(function (a, b) { return a * b; }, 1);
    const last = Math.min(32 * one.warp + 31, threads - 1);
    return 'Warp ' + one.warp + ' (threads ' + 32 * one.warp + ' to ' + last + ') of block ' +
      coordinates(one.block, access.launch.grid) +
      (access.executions > 1 ? ', time ' + (one.time + 1) + ' at this instruction' : '') + ': ' +
      (one.lanes.length === 32 ? 'its 32 lanes ' : count(one.lanes.length, 'lane') + ' of 32 ') +
      kVerb[access.kind] + ' ' + one.bytes * one.words + ' bytes each, lane ' + one.lanes[0].lane + ' at ' +
      place(access, one.lanes[0].at) + '.';
  }
  // ---- what one access touches
  function sectors_of(one) {
    const by = new Map();
    one.lanes.forEach(function (lane) {
      for (let word = 0; word < one.words; ++word) {
        for (let b = 0; b < one.bytes; ++b) {
          const at = lane.at + 128 * word + b, key = Math.floor(at / 32);
          if (!by.has(key)) by.set(key, { key: key, used: new Array(32).fill(false), lanes: new Set() });
          by.get(key).used[at % 32] = true;
          by.get(key).lanes.add(lane.lane);
        }
      }
    });
    return Array.from(by.values()).sort(function (a, b) { return a.key - b.key; });
  }
  /* Rows of 32 banks, one a wavefront, by the rules of observe/rules.h; a cell is {bank, word, lanes}. */
  function wavefronts_of(access, one) {
    function agree(distance) {
      const at = new Array(32).fill(null);
      one.lanes.forEach(function (l) { at[l.lane] = l.at; });
      return one.lanes.every(function (l) {
        const other = at[l.lane ^ distance];
        return other === null || other === l.at;
      });
    }
    let passes = one.bytes <= 4 ? 1 : one.bytes / 4;
    if (access.kind === 'load' && passes > 1 && (agree(1) || agree(2))) passes /= 2;
    const rows = [], wide = 32 / passes;
    for (let pass = 0; pass < passes; ++pass) {
      const words = new Map();
      one.lanes.forEach(function (l) {
        if (Math.floor(l.lane / wide) !== pass) return;
        for (let w = Math.floor(l.at / 4); w <= Math.floor((l.at + one.bytes - 1) / 4); ++w) {
          if (!words.has(w)) words.set(w, []);
          words.get(w).push(l.lane);
        }
      });
      const height = new Array(32).fill(0), first = rows.length;
      words.forEach(function (lanes, word) {
        const bank = word % 32, row = first + height[bank]++;
        while (rows.length <= row) rows.push(new Array(32).fill(null));
        rows[row][bank] = { bank: bank, word: word, lanes: lanes };
      });
    }
    return rows;
  }

  // ---- pictures
  const kSvg = 'http://www.w3.org/2000/svg';
  function svg(tag, attributes, parent, text) {
    const e = document.createElementNS(kSvg, tag);
    Object.keys(attributes).forEach(function (name) { e.setAttribute(name, attributes[name]); });
    if (text !== undefined) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }
  function canvas(width, height, label) {
    const picture = svg('svg', {
      viewBox: '0 0 ' + width + ' ' + height, width: width, height: height, role: 'img', 'aria-label': label,
      'class': 'lanes-picture'
    });
    const hatch = svg('pattern', {
      id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'
    }, svg('defs', {}, picture));
    svg('rect', { 'class': 'hatch-back', width: 5, height: 5 }, hatch);
    svg('rect', { 'class': 'hatch-line', width: 1.6, height: 5 }, hatch);
    return picture;
  }
  function label(parent, x, y, anchor, words, kind) {
    return svg('text', { x: x, y: y, 'text-anchor': anchor, 'class': kind || 'tick' }, parent, words);
  }

  function draw_sectors(access, one, width) {
    const sectors = sectors_of(one), cell = width / 32, top = 16, tall = 20, low = 96, deep = 24;
    const wasteful = one.cost > one.ideal;
    const picture = canvas(width, low + deep + (wasteful ? 78 : 36), count(sectors.length, 'sector') + ' for ' + count(one.lanes.length, 'lane'));
    let breaks = 0;
    sectors.forEach(function (s, i) { if (i && s.key !== sectors[i - 1].key + 1) ++breaks; });
    const gap = breaks ? Math.min(8, width * 0.25 / breaks) : 0;
    const wide = Math.min(8 * cell, (width - gap * breaks) / sectors.length);
    let x = (width - wide * sectors.length - gap * breaks) / 2;
    sectors.forEach(function (s, i) {
      if (i && s.key !== sectors[i - 1].key + 1) x += gap;
      s.x = x;
      x += wide;
    });
    label(picture, 0, 10, 'start', 'lanes of warp ' + one.warp, 'title');
    const by_key = new Map(sectors.map(function (s) { return [s.key, s]; }));
    const lines = svg('g', { 'class': 'wires' }, picture);
    const active = new Map(one.lanes.map(function (l) { return [l.lane, l]; }));
    for (let lane = 0; lane < 32; ++lane) {
      const l = active.get(lane), left = lane * cell;
      const box = svg('rect', {
        'class': l ? 'lane' : 'lane off', x: left + 0.75, y: top, width: cell - 1.5, height: tall, rx: 2
      }, picture);
      svg('title', {}, box, l ? 'lane ' + lane + ': ' + place(access, l.at) : 'lane ' + lane + ' takes no part');
      if (cell >= 14 || lane % 4 === 0)
        label(picture, left + cell / 2, top + 14, 'middle', lane, l ? 'in-lane' : 'in-lane off');
      if (!l) continue;
      for (let word = 0; word < one.words; ++word) {
        const at = l.at + 128 * word, s = by_key.get(Math.floor(at / 32));
        const to = s.x + ((at % 32) + Math.min(one.bytes, 32) / 2) / 32 * wide;
        svg('line', { 'class': 'wire', x1: left + cell / 2, y1: top + tall + 1, x2: to, y2: low - 1 }, lines);
      }
    }
    sectors.forEach(function (s) {
      const group = svg('g', { 'class': 'sector' }, picture);
      svg('rect', { 'class': 'wasted', x: s.x, y: low, width: wide, height: deep }, group);
      let used = 0;
      for (let b = 0; b < 32;) {
        if (!s.used[b]) { ++b; continue; }
        let end = b;
        while (end < 32 && s.used[end]) ++end;
        svg('rect', {
          'class': 'used', x: s.x + b / 32 * wide, y: low, width: Math.max(1.5, (end - b) / 32 * wide), height: deep
        }, group);
        used += end - b;
        b = end;
      }
      svg('rect', { 'class': 'frame', x: s.x, y: low, width: wide, height: deep }, group);
      svg('title', {}, group, place(access, s.key * 32) + ': ' + used + ' of 32 bytes asked for, by lane ' +
        lane_list(Array.from(s.lanes)));
    });
    const first = sectors[0], last = sectors[sectors.length - 1], below = low + deep + 13;
    label(picture, Math.max(0, first.x), below, 'start', place(access, first.key * 32), 'tick mono');
    if (last !== first)
      label(picture, Math.min(width, last.x + wide), below, 'end', place(access, last.key * 32), 'tick mono');
    label(picture, width / 2, below + (last === first ? 16 : 0), 'middle',
      count(sectors.length, 'sector') + ' of 32 bytes', 'title');
    // The same bytes side by side, drawn to the same scale.
    if (wasteful) {
      const much = wide * one.ideal, from = (width - much) / 2, y = low + deep + 30;
      for (let i = 0; i < one.ideal; ++i) {
        svg('rect', { 'class': 'used', x: from + i * wide, y: y, width: wide, height: deep }, picture);
        svg('rect', { 'class': 'frame', x: from + i * wide, y: y, width: wide, height: deep }, picture);
      }
      label(picture, width / 2, y + deep + 14, 'middle',
        one.ideal + ' would hold what is asked for, side by side', 'title');
    }
    picture.dataset.rows = sectors.length;
    return { picture: picture, sectors: sectors };
  }

  function draw_banks(access, one, width) {
    const rows = wavefronts_of(access, one), left = 22, cell = (width - left) / 32, top = 30;
    const tall = rows.length <= 8 ? 20 : rows.length <= 16 ? 15 : 12;
    const picture = canvas(width, top + rows.length * tall + 22,
      count(rows.length, 'wavefront') + ' for ' + count(one.lanes.length, 'lane'));
    label(picture, left, 10, 'start', 'banks', 'title');
    for (let bank = 0; bank < 32; ++bank)
      if (cell >= 18 || bank % 4 === 0)
        label(picture, left + (bank + 0.5) * cell, top - 5, 'middle', bank);
    rows.forEach(function (row, i) {
      const y = top + i * tall;
      if (tall >= 15 || i % 4 === 0 || i === rows.length - 1)
        label(picture, left - 6, y + tall / 2 + 3.5, 'end', i + 1);
      row.forEach(function (c, bank) {
        const x = left + bank * cell;
        const box = svg('rect', {
          'class': !c ? 'bank idle' : i < one.ideal ? 'bank needed' : 'bank excess',
          x: x + 0.75, y: y + 0.75, width: cell - 1.5, height: tall - 1.5, rx: 1.5
        }, picture);
        if (!c) return;
        svg('title', {}, box, 'wavefront ' + (i + 1) + ', bank ' + bank + ': ' + place(access, 4 * c.word) +
          ' for lane ' + lane_list(c.lanes));
        if (cell >= 14 && tall >= 12)
          label(picture, x + cell / 2, y + tall / 2 + 3.5, 'middle',
            c.lanes.length === 1 ? c.lanes[0] : '\u00d7' + c.lanes.length,
            i < one.ideal ? 'in-bank' : 'in-bank excess');
      });
    });
    if (one.cost > one.ideal) {
      const y = top + one.ideal * tall;
      svg('line', { 'class': 'enough', x1: left, y1: y, x2: width, y2: y }, picture);
    }
    label(picture, left, top + rows.length * tall + 15, 'start',
      count(rows.length, 'wavefront') +
        (one.cost > one.ideal ? '; above the line is enough' : ', one below the other') +
        (cell >= 14 && width >= 480 ? '; numbers are lanes' : ''),
      'title');
    picture.dataset.rows = rows.length;
    return { picture: picture, rows: rows };
  }

  // ---- the panel
  const panel = id('lanes'), listing = id('source');
  const state = { launch: 0, access: null, at: 0, drawn: null };
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

  function draw() {
    const access = state.access, one = samples_of(access)[state.at], box = id('lane-picture');
    const width = Math.max(260, Math.min(760, Math.floor(box.clientWidth) || 560));
    state.drawn = access.space === 'shared' ? draw_banks(access, one, width) : draw_sectors(access, one, width);
    clear(box);
    box.appendChild(state.drawn.picture);
    const headline = id('lane-headline'), words = id('lane-words');
    headline.textContent = one.said[0];
    headline.className = one.cost > one.ideal ? 'headline excess' : 'headline fine';
    clear(words);
    add(words, 'p', one.said.slice(1).join(' '));
    add(words, 'p', who(access, one), 'dim');
    id('lane-warp').textContent = one.warp + ' of 0\u2013' + (access.launch.warps - 1);
    id('lane-time').parentElement.hidden = access.executions <= 1;
    id('lane-time').textContent = one.time + 1 + ' of ' + Math.max(access.executions, one.time + 1);
    [['warp-back', next_warp(-1)], ['warp-on', next_warp(1)], ['time-back', next_time(-1)],
     ['time-on', next_time(1)]].forEach(function (b) { id(b[0]).setAttribute('aria-disabled', String(b[1] < 0)); });
    id('lane-worst').setAttribute('aria-pressed', String(state.at === 0));
    if (id('lane-each').open) each_lane();
  }

  function each_lane() {
    const access = state.access, one = samples_of(access)[state.at], shared = access.space === 'shared';
    const box = id('lane-table');
    clear(box);
    const table = add(box, 'table', undefined, 'plain'), head = add(add(table, 'thead'), 'tr');
    ['Lane', 'Place', shared ? 'Bank' : 'Sector', 'Address'].forEach(function (h) {
      add(head, 'th', h).scope = 'col';
    });
    const body = add(table, 'tbody');
    const order = shared ? null : new Map(state.drawn.sectors.map(function (s, i) { return [s.key, i + 1]; }));
    one.lanes.forEach(function (l) {
      const row = add(body, 'tr');
      add(row, 'th', l.lane).scope = 'row';
      add(add(row, 'td'), 'code', place(access, l.at));
      add(row, 'td', shared ? Math.floor(l.at / 4) % 32 : order.get(Math.floor(l.at / 32)));
      add(add(row, 'td'), 'code', '0x' + l.at.toString(16));
    });
  }

  // The shown block's accesses are samples 1 and on, by warp and time; 0 is the worst, perhaps of another block.
  function shown(test) {
    const found = [];
    samples_of(state.access).forEach(function (s, i) { if (i > 0 && test(s)) found.push(i); });
    return found;
  }
  function next_warp(by) {
    const now = samples_of(state.access)[state.at];
    const here = shown(function (s) { return s.warp === now.warp + by; });
    // A neighbour may be the next warp that comes here at all.
    const beyond = here.length ? here : shown(function (s) { return by > 0 ? s.warp > now.warp : s.warp < now.warp; });
    if (!beyond.length) return -1;
    const list = samples_of(state.access);
    const warp = here.length ? now.warp + by : list[by > 0 ? beyond[0] : beyond[beyond.length - 1]].warp;
    const of_warp = beyond.filter(function (i) { return list[i].warp === warp; });
    const same = of_warp.find(function (i) { return list[i].time === now.time; });
    return same !== undefined ? same : of_warp[of_warp.length - 1];
  }
  function next_time(by) {
    const now = samples_of(state.access)[state.at];
    const found = shown(function (s) {
      return s.warp === now.warp && (by > 0 ? s.time > now.time : s.time < now.time);
    });
    return found.length ? (by > 0 ? found[0] : found[found.length - 1]) : -1;
  }
  function go(at) {
    if (at < 0) return;
    state.at = at;
    draw();
  }

  /* What was found stands where the lanes do, until somebody asks for those. */
  const found = id('found');
  function show_found(yes) {
    if (!found) return;
    found.hidden = !yes;
    panel.hidden = yes;
    if (!yes) return;
    all('.line.chosen').forEach(function (l) { l.classList.remove('chosen'); l.setAttribute('aria-pressed', 'false'); });
  }

  function choose(access) {
    state.access = access;
    show_found(false);
    state.at = 0;
    all('.line.chosen').forEach(function (l) { l.classList.remove('chosen'); l.setAttribute('aria-pressed', 'false'); });
    const line = line_element(access.line);
    if (line) {
      line.classList.add('chosen');
      if (line.hasAttribute('role')) line.setAttribute('aria-pressed', 'true');
    }
    const link = id('lane-line');
    link.textContent = access.line ? 'Line ' + access.line : 'No line of this file';
    link.setAttribute('href', line ? '#source-L' + access.line : '#source');
    const code = line && line.querySelector('code');
    id('lane-code').textContent = code ? code.textContent.trim().slice(0, 120) : '';
    const ops = id('lane-ops');
    clear(ops);
    groups_of(access).forEach(function (group) {
      const button = add(ops, 'button', undefined, 'op'), mine = group.indexOf(access) >= 0;
      button.type = 'button';
      add(button, 'span', group[0].space + ' ' + group[0].kind);
      add(button, 'code', group[0].op);
      button.setAttribute('aria-pressed', String(mine));
      button.addEventListener('click', function () {
        choose(mine ? access : costliest(group));
        const again = all('#lane-ops [aria-pressed=true]')[0];
        if (again) again.focus();
      });
    });
    const copies = copies_of(access), copy = copies.indexOf(access);
    id('lane-copy').parentElement.hidden = copies.length < 2;
    id('lane-copy').textContent = copy + 1 + ' of ' + copies.length;
    id('copy-back').setAttribute('aria-disabled', String(copy === 0));
    id('copy-on').setAttribute('aria-disabled', String(copy === copies.length - 1));
    draw();
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
  function copies_of(access) {
    return groups_of(access).find(function (g) { return g.indexOf(access) >= 0; });
  }
  function next_copy(by) {
    const copies = copies_of(state.access), to = copies[copies.indexOf(state.access) + by];
    if (to) choose(to);
  }
  function costliest(accesses) {
    return accesses.slice().sort(function (a, b) {
      const x = samples_of(a)[0], y = samples_of(b)[0];
      return (y.cost - y.ideal) - (x.cost - x.ideal);
    })[0];
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
    choose(costliest(accesses));
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
      line.setAttribute('aria-description', 'shows the lanes of this line');
    });
    if (!panel) return;
    panel.hidden = !launch || !launch.accesses.length;
    if (panel.hidden) return;
    choose(launch.accesses.find(function (a) { return a.key === launch.first; }) || launch.accesses[0]);
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
      } else return;
      event.preventDefault();
    });
    const steps = {
      ArrowLeft: function () { go(next_warp(-1)); }, ArrowRight: function () { go(next_warp(1)); },
      ArrowDown: function () { go(next_time(-1)); }, ArrowUp: function () { go(next_time(1)); },
      w: function () { go(0); }, W: function () { go(0); }
    };
    panel.addEventListener('keydown', function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || !steps[event.key]) return;
      if (event.target.closest('#lane-each')) return;
      steps[event.key]();
      event.preventDefault();
    });
    id('warp-back').addEventListener('click', steps.ArrowLeft);
    id('warp-on').addEventListener('click', steps.ArrowRight);
    id('time-back').addEventListener('click', steps.ArrowDown);
    id('time-on').addEventListener('click', steps.ArrowUp);
    id('copy-back').addEventListener('click', function () { next_copy(-1); });
    id('copy-on').addEventListener('click', function () { next_copy(1); });
    id('lane-worst').addEventListener('click', steps.w);
    if (found) id('lane-found').addEventListener('click', function () {
      show_found(true);
      found.focus();
    });
    id('lane-each').addEventListener('toggle', function () { if (id('lane-each').open) each_lane(); });
    let width = 0;
    new ResizeObserver(function () {
      const now = id('lane-picture').clientWidth;
      if (now && now !== width && state.access) draw();
      width = now;
    }).observe(panel);
  }
  all('input[name=launch]').forEach(function (choice) {
    choice.addEventListener('change', function () { show_launch(Number(choice.value)); });
  });
  const chosen = document.querySelector('input[name=launch]:checked');
  show_launch(chosen ? Number(chosen.value) : launches.length ? launches[0].index : 0);
  if (found && panel) show_found(true);
  // A long source is a pane of its own: it opens on the line at fault, and the page stays where it begins.
  const opened = found ? Number(found.dataset.line) : state.access ? state.access.line : 0;
  const fault = opened && line_element(opened);
  if (fault && listing.scrollHeight > listing.clientHeight + 1)
    listing.scrollTop += fault.getBoundingClientRect().top - listing.getBoundingClientRect().top -
      listing.clientHeight / 3;
})();
