// SPDX-License-Identifier: MIT
// The time line and the histograms, drawn from the data in the page. Two simple pictures need no
// plotting library: it would be many times as long as they are, and the page has to hold it.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data-of-run").textContent);
  const WIDTH = 960, LEFT = 130, RIGHT = 12, ROW = 20, STRIP = 42, BINS = 160, WORDS = 190, LETTERS = 18;
  const UNITS = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
  const find = (id) => document.getElementById(id);
  const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const unitOf = (ns) => UNITS.find(([, size]) => ns >= size) || UNITS[3];

  // At most four digits that matter, as everywhere in the report.
  function duration(ns) {
    const rounded = Number(ns.toPrecision(4));
    const [unit, size] = unitOf(Math.abs(rounded));
    return Number((rounded / size).toPrecision(4)) + unit;
  }

  // A place in a picture for each time from one to another.
  function scale(range, left, right) {
    const at = (ns) => left + ((ns - range.from) / (range.to - range.from)) * (right - left);
    const back = (x) => range.from + ((x - left) / (right - left)) * (range.to - range.from);
    return { at, back, left, right, range };
  }

  function axis(x, top, bottom) {
    const span = x.range.to - x.range.from, least = span / 8, power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find((factor) => factor * power >= least) * power;
    const [unit, size] = unitOf(span / 3);
    let out = "";
    for (let ns = Math.ceil(x.range.from / step) * step; ns <= x.range.to; ns += step) {
      out += `<path class="grid" d="M${x.at(ns)} ${top}V${bottom}"/><text x="${x.at(ns)}" y="${bottom + 14}"
        text-anchor="middle">${Number((ns / size).toPrecision(9))}</text>`;
    }
    const clock = data.clock ? `, ${data.clock}` : "";
    return `${out}<text x="${x.right}" y="${bottom + 28}" text-anchor="end">${unit}${clock}</text>`;
  }

  // A drag over a picture chooses a range of time, a double click asks for the whole one.
  function zoomable(box, scaleOf, choose, reset) {
    let from = null;
    const place = (event, svg) => {
      const bounds = svg.getBoundingClientRect();
      return ((event.clientX - bounds.left) / bounds.width) * WIDTH;
    };
    box.addEventListener("pointerdown", (event) => {
      const svg = event.target.closest("svg");
      if (!svg || event.pointerType === "touch") return;
      from = { svg, x: place(event, svg) };
      svg.insertAdjacentHTML("beforeend", '<rect class="range" y="0" width="0" height="100%"/>');
    });
    box.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = place(event, from.svg), mark = from.svg.querySelector(".range");
      mark.setAttribute("x", Math.min(x, from.x));
      mark.setAttribute("width", Math.abs(x - from.x));
    });
    window.addEventListener("pointerup", (event) => {
      if (!from) return;
      const ends = [from.x, place(event, from.svg)].sort((a, b) => a - b);
      from.svg.querySelector(".range").remove();
      from = null;
      if (ends[1] - ends[0] > 5) choose({ from: scaleOf().back(ends[0]), to: scaleOf().back(ends[1]) });
    });
    box.addEventListener("dblclick", reset);
  }

  const zoomed = (range, factor) => {
    const middle = (range.from + range.to) / 2, half = ((range.to - range.from) / 2) * factor;
    return { from: middle - half, to: middle + half };
  };

  // What was served of a task in a run: index, arrival, latency, blocking, response.
  function served(run, task) {
    const flat = run.tasks[task].served, all = [];
    for (let i = 0; i < flat.length; i += 5) {
      all.push({ index: flat[i], arrival: flat[i + 1], latency: flat[i + 2], blocking: flat[i + 3],
        response: flat[i + 4] });
    }
    return all;
  }

  function stretches(run, task) {
    const own = run.tasks[task];
    if (!own.decoded) {
      let time = 0;
      own.decoded = [];
      for (let i = 0; i < own.stretches.length; i += 3) {
        const begin = time + own.stretches[i], end = begin + own.stretches[i + 1];
        own.decoded.push({ begin, end, paint: own.stretches[i + 2] });
        time = end;
      }
    }
    return own.decoded;
  }

  // The time line.
  const whole = { from: 0, to: Math.max(1, ...data.runs.map((run) => run.end)) };
  let task = data.shown, chosen = null, view = whole;

  function styleOf(paint) {
    const count = data.resources.length + 1, resource = paint % count;
    const state = data.states[Math.floor(paint / count)];
    return { state, name: resource ? data.resources[resource - 1] : "",
      style: state === "running" && resource ? `running r${(resource - 1) % 5}` : state };
  }

  // What is too narrow to be seen belongs to the one before, as in the picture of the worst one:
  // an interrupt of some microseconds would cut a bar of milliseconds in two.
  function coarse(all, x) {
    const pieces = [];
    for (const { begin, end, paint } of all) {
      if (end < x.range.from || begin > x.range.to) continue;
      const last = pieces[pieces.length - 1], touches = last && last.end === begin;
      const least = styleOf(paint).state === "outside" ? 6 : 1;
      if (touches && (paint === last.paint || x.at(end) - x.at(begin) < least)) last.end = end;
      else if (!last || x.at(end) - x.at(last.end) > 0.3) pieces.push({ begin, end, paint });
    }
    return pieces;
  }

  function row(run, index, y, x) {
    return coarse(stretches(run, index), x).map(({ begin, end, paint }) => {
      const left = Math.max(x.at(begin), x.left), right = Math.min(x.at(end), x.right);
      const { state, style, name } = styleOf(paint), words = state === "blocked" ? `waits for ${name}` : name;
      const bar = `<rect class="${style}" x="${left}" y="${y}" width="${Math.max(right - left, 0.7)}" height="${ROW - 6}"/>`;
      if (!name || words.length * 7 >= right - left) return bar;
      const letters = state === "running" ? ' class="on-bar"' : "";
      return `${bar}<text${letters} x="${(left + right) / 2}" y="${y + 11}" text-anchor="middle">${escape(words)}</text>`;
    }).join("");
  }

  // The names of threads can be longer than there is room for.
  const short = (text) => text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text;

  const isSeen = (run, index) => index === task ||
    stretches(run, index).some(({ begin, end }) => end > view.from && begin < view.to);

  function panel(run, isLast) {
    const { cpus } = data.tasks[task], rank = (index) => cpus.indexOf(data.tasks[index].cpu);
    const label = ({ name, cpu }) => cpus.length > 1 ? `CPU ${cpu}: ${name}` : name;
    const rows = data.tasks.map((_, index) => index)
      .filter((index) => rank(index) >= 0)
      .sort((one, other) => rank(one) - rank(other))
      .filter((index) => data.runs.some((each) => isSeen(each, index)));
    const x = scale(view, LEFT, WIDTH - RIGHT), bottom = rows.length * ROW;
    const own = served(run, task).find((each) => each.index === chosen);
    let out = "";
    if (own) {
      const left = Math.max(x.at(own.arrival), LEFT), right = Math.min(x.at(own.arrival + own.response), x.right);
      if (right > left) out += `<rect class="chosen" x="${left}" y="0" width="${right - left}" height="${bottom}"/>`;
    }
    out += axis(x, 0, bottom);
    rows.forEach((index, place) => {
      out += `<text x="${LEFT - 8}" y="${place * ROW + 14}" text-anchor="end">${escape(short(label(data.tasks[index])))}<title>${escape(label(data.tasks[index]))}</title></text>`;
      out += row(run, index, place * ROW + 3, x);
    });
    if (own) {
      for (const time of [own.arrival, own.arrival + own.response]) {
        if (time >= view.from && time <= view.to) out += `<path class="mark" d="M${x.at(time)} 0V${bottom}"/>`;
      }
    }
    const height = bottom + (isLast ? 34 : 18);
    return `<h4>${escape(run.title)} <small>${words(run, own)}</small></h4><div class="picture">` +
      `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Time line under ${escape(run.title)}">${out}</svg></div>`;
  }

  function words(run, own) {
    if (chosen === null) return run.cut ? "cut short" : "";
    if (!own) return `activation ${chosen} of ${escape(data.tasks[task].name)} did not finish`;
    const { bound, stopped } = run.tasks[task], { deadline } = data.tasks[task];
    const limit = bound === null ? "" : ` of its bound of ${duration(bound)}`;
    return `activation ${own.index}: response ${duration(own.response)}${limit}, ` +
      `latency ${duration(own.latency)}, blocking ${duration(own.blocking)}` +
      (deadline !== null && own.response > deadline ? "; deadline MISSED" : "") +
      (stopped.includes(own.index) ? "; the machine stopped it" : "");
  }

  function drawTimeline() {
    find("timeline").innerHTML = data.runs.map((run, i) => panel(run, i === data.runs.length - 1)).join("");
  }

  function see(range) {
    view = range;
    drawTimeline();
  }

  // The same activation in all runs: it arrives at the same time in each.
  function choose(index) {
    const own = data.runs.flatMap((run) => served(run, task).filter((each) => each.index === index));
    chosen = index;
    find("activation").value = index;
    if (!own.length) return see(view);
    const from = Math.min(...own.map((each) => each.arrival));
    const to = Math.max(...own.map((each) => each.arrival + each.response));
    see({ from: from - (to - from) * 0.4, to: to + (to - from) * 0.1 });
  }

  function seeWhole() {
    chosen = null;
    see(whole);
  }

  // The next activation that finished in some run.
  function step(by) {
    const all = [...new Set(data.runs.flatMap((run) => served(run, task).map((each) => each.index)))]
      .sort((a, b) => a - b);
    const next = by > 0 ? all.find((index) => index > (chosen ?? -1))
      : all.findLast((index) => index < (chosen ?? Infinity));
    if (next !== undefined) choose(next);
  }

  function chooseTask(index) {
    task = index;
    const worst = data.runs.filter((run) => run.tasks[task].worst !== null);
    find("worst-of").innerHTML = '<option value="">the worst under …</option>' +
      worst.map((run) => `<option value="${run.tasks[task].worst}">${escape(run.title)}</option>`).join("");
    ranges.forEach((_, measure) => seeHistogram(measure, null));
    if (worst.length) choose(worst[0].tasks[task].worst);
    else seeWhole();
  }

  // The histograms.
  const ranges = data.tasks[task].measures.map(() => null);

  const wholeOf = (measure) => ({ from: 0, to: Math.max(1, data.tasks[task].measures[measure].end) });

  function strip(run, measure, top, x, most) {
    const name = data.tasks[task].measures[measure].name, values = served(run, task).map((each) => each[name]);
    const bins = binned(values, x.range), width = (x.right - x.left) / BINS, y = top + STRIP;
    const height = (count) => ((STRIP - 10) * Math.log10(1 + count)) / Math.log10(1 + most);
    let out = `<path class="axis" d="M${x.left} ${y}H${x.right}"/>
      <text x="${LEFT - 30}" y="${y - 4}" text-anchor="end">${escape(run.title)}${run.cut ? " (cut)" : ""}</text>`;
    for (let count = 1; count <= most; count *= 10) {
      out += `<path class="grid" d="M${x.left} ${y - height(count)}H${x.right}"/>
        <text class="small" x="${LEFT - 4}" y="${y - height(count) + 3}" text-anchor="end">${count}</text>`;
    }
    bins.forEach((count, bin) => {
      if (count) out += `<rect class="bar" data-count="${count}" x="${x.left + bin * width}"
        y="${y - height(count)}" width="${Math.max(width, 1)}" height="${height(count)}"/>`;
    });
    const beyond = values.filter((value) => value > x.range.to).length;
    const { bound } = run.tasks[task];
    if (name === "response" && bound !== null && bound <= x.range.to && bound >= x.range.from) {
      out += `<path class="bound" d="M${x.at(bound)} ${y}v${8 - STRIP}"><title>bound ${duration(bound)}</title></path>`;
    }
    const most_ns = values.reduce((a, b) => Math.max(a, b), 0);
    const text = values.length ? `${values.length} values, max ${duration(most_ns)}` : "no activation finished";
    return `${out}<text x="${x.right + 10}" y="${y - 14}">${text}</text>` +
      (beyond ? `<text data-beyond="${beyond}" x="${x.right + 10}" y="${y - 2}">${beyond} beyond →</text>` : "");
  }

  function binned(values, range) {
    const bins = new Array(BINS).fill(0);
    for (const value of values) {
      if (value < range.from || value > range.to) continue;
      bins[Math.min(Math.floor(((value - range.from) / (range.to - range.from)) * BINS), BINS - 1)]++;
    }
    return bins;
  }

  const histogramScale = (measure) => scale(ranges[measure] || wholeOf(measure), LEFT, WIDTH - WORDS);

  function seeHistogram(measure, range) {
    ranges[measure] = range;
    const x = histogramScale(measure), { name, words: beyond } = data.tasks[task].measures[measure];
    const most = Math.max(1, ...data.runs.flatMap((run) =>
      binned(served(run, task).map((each) => each[name]), x.range)));
    const bottom = data.runs.length * STRIP, { deadline } = data.tasks[task];
    let out = axis(x, 0, bottom) + data.runs.map((run, i) => strip(run, measure, i * STRIP, x, most)).join("");
    if (name === "response" && deadline !== null && deadline <= x.range.to && deadline >= x.range.from) {
      out += `<path class="deadline" d="M${x.at(deadline)} 0V${bottom}"><title>deadline ${duration(deadline)}</title></path>`;
    }
    find(`picture-${name}`).innerHTML =
      `<svg viewBox="0 0 ${WIDTH} ${bottom + 34}" role="img" aria-label="${name} of ${escape(data.tasks[task].name)}">${out}</svg>`;
    find(`clip-${name}`).textContent = beyond;
    document.querySelectorAll(".of-task").forEach((each) => { each.textContent = data.tasks[task].name; });
  }

  // The controls.
  const timelineScale = () => scale(view, LEFT, WIDTH - RIGHT);
  const shift = (by) => { const d = (view.to - view.from) * by; see({ from: view.from + d, to: view.to + d }); };
  const acts = { previous: () => step(-1), next: () => step(1), whole: seeWhole,
    in: () => see(zoomed(view, 0.5)), out: () => see(zoomed(view, 2)),
    earlier: () => shift(-0.5), later: () => shift(0.5) };
  document.querySelectorAll("[data-act]").forEach((button) => button.addEventListener("click", acts[button.dataset.act]));
  find("task").addEventListener("change", (event) => chooseTask(Number(event.target.value)));
  find("activation").addEventListener("change", (event) => choose(Number(event.target.value)));
  find("worst-of").addEventListener("change", (event) => event.target.value && choose(Number(event.target.value)));
  zoomable(find("timeline"), timelineScale, see, seeWhole);
  ranges.forEach((_, measure) => {
    const box = find(`picture-${data.tasks[task].measures[measure].name}`);
    const see = (range) => seeHistogram(measure, range);
    zoomable(box, () => histogramScale(measure), see, () => see(null));
    const widest = () => {
      const values = data.runs.flatMap((run) => served(run, task).map((each) => each[data.tasks[task].measures[measure].name]));
      see({ from: 0, to: values.reduce((a, b) => Math.max(a, b), 1) });
    };
    const buttons = { in: () => see(zoomedLeft(histogramScale(measure).range, 0.5)),
      out: () => see(zoomedLeft(histogramScale(measure).range, 2)), all: widest, usual: () => see(null) };
    box.closest("figure").querySelectorAll("[data-zoom]").forEach((button) =>
      button.addEventListener("click", buttons[button.dataset.zoom]));
  });
  function zoomedLeft(range, factor) {
    return { from: range.from, to: range.from + (range.to - range.from) * factor };
  }
  document.querySelectorAll("[hidden].needs-script").forEach((each) => { each.hidden = false; });
  chooseTask(task);
})();
