// SPDX-License-Identifier: MIT
// Times in words, ranges of time, and the places of times in a picture. All files of this folder
// share the module of the page, so they make no global names.
const UNITS = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
const unitOf = (ns) => UNITS.find(([, size]) => ns >= size) || UNITS[3];
const escape = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

// At most four digits, as everywhere in the report.
function duration(ns) {
  const rounded = Number(ns.toPrecision(4));
  const [unit, size] = unitOf(Math.abs(rounded));
  return Number((rounded / size).toPrecision(4)) + unit;
}

// As many digits as show a thousandth of `span`.
function precise(ns, span) {
  const [unit, size] = unitOf(Math.abs(ns));
  const decimals = Math.ceil(Math.log10(size / (span / 1000)));
  return Number((ns / size).toFixed(Math.min(Math.max(decimals, 0), 9))) + unit;
}

// The place in a picture of each time of a range, in pixels.
function scale(range, left, right) {
  const at = (ns) => left + ((ns - range.from) / (range.to - range.from)) * (right - left);
  const back = (x) => range.from + ((x - left) / (right - left)) * (range.to - range.from);
  return { at, back, left, right, range };
}

const moved = (range, ns) => ({ from: range.from + ns, to: range.to + ns });

// The range becomes `factor` times as long; `fixed` is a time that stays at its place.
function zoomed(range, factor, fixed = (range.from + range.to) / 2) {
  return { from: fixed - (fixed - range.from) * factor, to: fixed + (range.to - fixed) * factor };
}

// The range inside `whole`, and at least some nanoseconds long.
const LEAST_NS = 20;
function limited(range, whole) {
  const longest = whole.to - whole.from;
  const span = Math.min(Math.max(range.to - range.from, Math.min(LEAST_NS, longest)), longest);
  const from = Math.min(Math.max(range.from, whole.from), whole.to - span);
  return { from, to: from + span };
}

// Lines at round times; their numbers count from `zero`.
function axis(x, bottom, zero, words) {
  const span = x.range.to - x.range.from, least = span / Math.max(2, (x.right - x.left) / 100);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least) * power;
  const [unit, size] = unitOf(span / 3);
  let out = "";
  for (let ns = Math.ceil((x.range.from - zero) / step) * step; ns <= x.range.to - zero; ns += step) {
    const place = x.at(ns + zero);
    out += `<path class="grid" d="M${place} 0V${bottom}"/>`;
    if (words) out += `<text x="${place}" y="${bottom + 14}" text-anchor="middle">` +
      `${Number((ns / size).toPrecision(9))}</text>`;
  }
  return words ? `${out}<text x="${x.right}" y="${bottom + 28}" text-anchor="end">${escape(unit + words)}</text>` : out;
}
