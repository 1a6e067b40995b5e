// SPDX-License-Identifier: MIT
// The histograms of all activations: a strip for each run, its height logarithmic.
const STRIP = 42, HEAD = 18, MOST_BINS = 160, AXIS_LEFT = 40;

const valuesOf = (run, task, measure) => served(run, task).map((each) => each[measure]);

const longestOf = (task, measure) =>
  data.runs.flatMap((run) => valuesOf(run, task, measure)).reduce((a, b) => Math.max(a, b), 1);

function binned(values, range, count) {
  const bins = new Array(count).fill(0);
  for (const value of values) {
    if (value < range.from || value > range.to) continue;
    bins[Math.min(Math.floor(((value - range.from) / (range.to - range.from)) * count), count - 1)]++;
  }
  return bins;
}

const binsFor = (x) => Math.min(MOST_BINS, Math.floor((x.right - x.left) / 3));

function limit(style, words, time, from, to, x) {
  return time === null || time > x.range.to || time < x.range.from ? ""
    : `<path class="${style}" d="M${x.at(time)} ${from}V${to}"><title>${words} ${duration(time)}</title></path>`;
}

function strip(run, task, measure, top, x, most) {
  const values = valuesOf(run, task, measure), bins = binned(values, x.range, binsFor(x));
  const width = (x.right - x.left) / bins.length, y = top + HEAD + STRIP;
  const height = (count) => ((STRIP - 4) * Math.log10(1 + count)) / Math.log10(1 + most);
  const beyond = values.filter((value) => value > x.range.to).length;
  const longest = values.reduce((a, b) => Math.max(a, b), 0);
  const text = values.length ? `${values.length} values, max ${duration(longest)}` : "no activation finished";
  let out = `<path class="axis" d="M${x.left} ${y}H${x.right}"/><text x="0" y="${top + 13}">` +
    `<tspan class="name">${escape(run.title)}</tspan>${run.cut ? " (cut)" : ""}: ${text}` +
    `${beyond ? `<tspan data-beyond="${beyond}">, ${beyond} beyond →</tspan>` : ""}</text>`;
  for (let count = 1; count <= most; count *= 10) {
    out += `<path class="grid" d="M${x.left} ${y - height(count)}H${x.right}"/>
      <text class="small" x="${x.left - 4}" y="${y - height(count) + 3}" text-anchor="end">${count}</text>`;
  }
  bins.forEach((count, bin) => {
    if (count) out += `<rect class="bar" data-count="${count}" x="${x.left + bin * width}" y="${y - height(count)}"
      width="${Math.max(width, 1)}" height="${height(count)}"><title>${count} from ${duration(x.range.from + (bin * (x.range.to - x.range.from)) / bins.length)}</title></rect>`;
  });
  const bound = measure === "response" ? run.tasks[task].bound : null;
  return out + limit("bound", "bound", bound, top + HEAD, y, x);
}

function histogram(task, measure, x) {
  const most = Math.max(1, ...data.runs.flatMap((run) =>
    binned(valuesOf(run, task, measure), x.range, binsFor(x))));
  const bottom = data.runs.length * (STRIP + HEAD), { name, deadline } = data.tasks[task];
  const words = data.clock ? `, ${data.clock}` : " ";
  const out = axis(x, bottom, 0, words) +
    data.runs.map((run, i) => strip(run, task, measure, i * (STRIP + HEAD), x, most)).join("") +
    limit("deadline", "deadline", measure === "response" ? deadline : null, 0, bottom, x);
  return `<svg width="${x.right + RIGHT}" height="${bottom + 34}" role="img" aria-label="${measure} of ${escape(name)}">${out}</svg>`;
}
