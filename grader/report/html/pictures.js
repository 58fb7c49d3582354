
/* What the pictures of a page are drawn from, and how. Shared by film.js and explain.js. */
const pictures = (function () {
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
      block: Number(f[0]), warp: Number(f[1]), bytes: Number(f[4]),
      words: Number(f[5]), cost: Number(f[6]), ideal: Number(f[7]), lanes: lanes,
      said: said(f[10], f[11])
    };
  }
  const launches = all('#accesses .launch').map(function (e) {
    const launch = {
      grid: numbers(e.dataset.grid), block: numbers(e.dataset.block), first: e.dataset.first,
      index: Number(e.dataset.index)
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
        kind: a.dataset.kind, launch: launch, worst: decode(a.dataset.worst)
      };
    });
    return launch;
  });

  // ---- words: rows of the message catalogue, in the language of the page
  const rows = new Map(all('#accesses .script-words li').map(function (e) { return [e.dataset.name, e.textContent]; }));
  /* "{n} {n?word|words}" as words/render.h has it; numbers get their separators. */
  function say(name, values) {
    return (rows.get(name) || name).replace(/\{(\w+)(?:\?([^|}]*)\|([^}]*))?\}/g, function (_, key, one, many) {
      const value = values[key];
      if (many !== undefined) return value === 1 ? one : many;
      return typeof value === 'number' ? value.toLocaleString('en') : value;
    });
  }
  /* Of a label, in pixels, about: Chinese is twice as wide. */
  function width_of(words) {
    return 6.2 * Array.from(words).reduce(function (n, c) { return n + (c > '\u2e80' ? 2 : 1); }, 0);
  }
  function range_of(access, at) {
    return access.launch.ranges.find(function (r) {
      return r.space === access.space && at >= r.begin && at < r.begin + r.bytes;
    });
  }
  /* "out[8192]", "tile, word 33", "tile + 2 bytes", "byte 128" */
  function place(access, at) {
    const range = range_of(access, at);
    if (!range) return say('byte', { byte: at });
    const offset = at - range.begin;
    if (range.element > 0 && offset % range.element === 0)
      return range.name + '[' + offset / range.element + ']';
    if (access.space === 'shared' && offset % 4 === 0) return say('word_of', { array: range.name, word: String(offset / 4) });
    return say('bytes_past', { array: range.name, bytes: offset });
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
  const kDeeds = { load: 'who_loads', store: 'who_stores', atomic: 'who_updates' };
  function who(access, one) {
    const threads = access.launch.block.reduce(function (a, b) { return a * b; }, 1);
    const last = Math.min(32 * one.warp + 31, threads - 1);
    return say(kDeeds[access.kind], {
      warp: one.warp, first: String(32 * one.warp), last: String(last), lanes: one.lanes.length,
      block: coordinates(one.block, access.launch.grid), bytes: one.bytes * one.words, lane: one.lanes[0].lane,
      place: place(access, one.lanes[0].at)
    });
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
    const picture = canvas(width, low + deep + (wasteful ? 78 : 36),
      say('sectors_label', { sectors: sectors.length, lanes: one.lanes.length }));
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
    label(picture, 0, 10, 'start', say('lanes_of_warp', { warp: one.warp }), 'title');
    const by_key = new Map(sectors.map(function (s) { return [s.key, s]; }));
    const lines = svg('g', { 'class': 'wires' }, picture);
    const active = new Map(one.lanes.map(function (l) { return [l.lane, l]; }));
    for (let lane = 0; lane < 32; ++lane) {
      const l = active.get(lane), left = lane * cell;
      const box = svg('rect', {
        'class': l ? 'lane' : 'lane off', x: left + 0.75, y: top, width: cell - 1.5, height: tall, rx: 2
      }, picture);
      svg('title', {}, box, say(l ? 'lane_at' : 'lane_off', { lane: lane, place: l && place(access, l.at) }));
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
      svg('title', {}, group, say('sector_use', {
        place: place(access, s.key * 32), used: used, lanes: lane_list(Array.from(s.lanes))
      }));
    });
    const first = sectors[0], last = sectors[sectors.length - 1], below = low + deep + 13;
    label(picture, Math.max(0, first.x), below, 'start', place(access, first.key * 32), 'tick mono');
    if (last !== first)
      label(picture, Math.min(width, last.x + wide), below, 'end', place(access, Math.max.apply(null,
        one.lanes.map(function (l) { return l.at; }).filter(function (a) { return Math.floor(a / 32) <= last.key; })
          .concat([last.key * 32]))), 'tick mono');
    label(picture, width / 2, below + (last === first ? 16 : 0), 'middle',
      say('sectors', { sectors: sectors.length }), 'title');
    // The same bytes side by side, drawn to the same scale.
    if (wasteful) {
      const much = wide * one.ideal, from = (width - much) / 2, y = low + deep + 30;
      for (let i = 0; i < one.ideal; ++i) {
        svg('rect', { 'class': 'used', x: from + i * wide, y: y, width: wide, height: deep }, picture);
        svg('rect', { 'class': 'frame', x: from + i * wide, y: y, width: wide, height: deep }, picture);
      }
      label(picture, width / 2, y + deep + 14, 'middle',
        say('ideal', { ideal: one.ideal }), 'title');
    }
    picture.dataset.rows = sectors.length;
    return { picture: picture, sectors: sectors };
  }

  function draw_banks(access, one, width) {
    const rows = wavefronts_of(access, one), left = 22, cell = (width - left) / 32, top = 30;
    const tall = rows.length <= 8 ? 20 : rows.length <= 16 ? 15 : 12;
    const picture = canvas(width, top + rows.length * tall + 22,
      say('wavefronts_label', { wavefronts: rows.length, lanes: one.lanes.length }));
    label(picture, left, 10, 'start', say('banks', {}), 'title');
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
        svg('title', {}, box, say('bank_use', {
          wavefront: i + 1, bank: bank, place: place(access, 4 * c.word), lanes: lane_list(c.lanes)
        }));
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
    const below = say(one.cost > one.ideal ? 'wavefronts_excess' : 'wavefronts', { wavefronts: rows.length });
    label(picture, left, top + rows.length * tall + 15, 'start',
      cell >= 14 && width >= 480 ? say('numbers', { text: below }) : below, 'title');
    picture.dataset.rows = rows.length;
    return { picture: picture, rows: rows };
  }

  return {
    all: all, id: id, decode: decode, launches: launches, say: say, width_of: width_of, place: place, coordinates: coordinates, who: who,
    svg: svg, label: label, canvas: canvas, draw_sectors: draw_sectors, draw_banks: draw_banks
  };
})();
