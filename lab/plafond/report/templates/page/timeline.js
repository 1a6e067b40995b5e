// SPDX-License-Identifier: MIT
// The time line: a panel for each run, a row for each task, server and thread, on one scale.
const ROW = 20, RIGHT = 12, LETTER = 7, MOST_LETTERS = 18;
const shorter = (text, letters) => text.length > letters ? `${text.slice(0, letters - 1)}…` : text;

// The rows that do anything in the view, except the hidden rows.
function rowsIn({ task, view, hidden }) {
  const isSeen = (row) => row === task || data.runs.some((run) =>
    stretches(run, row).some(({ begin, end }) => end > view.from && begin < view.to));
  return rowsOf(task).filter((row) => !hidden.has(row) && isSeen(row));
}

// Labels take at most a third of the width.
function lettersOf(rows, task, width) {
  const longest = Math.max(4, ...rows.map((row) => labelOf(row, task).length));
  return Math.min(longest, MOST_LETTERS, Math.floor(width / 3 / LETTER));
}

const timelineScale = (place, width) =>
  scale(place.view, lettersOf(rowsIn(place), place.task, width) * LETTER + 12, width - RIGHT);

// A stretch that is too narrow to be seen belongs to the stretch before it. Otherwise an interrupt of
// some microseconds would cut a bar of milliseconds in two.
function coarse(all, x) {
  const pieces = [];
  for (const { begin, end, paint } of all) {
    if (end < x.range.from || begin > x.range.to) continue;
    const last = pieces[pieces.length - 1], touches = last && last.end === begin;
    const least = stateOf(paint).state === "outside" ? 6 : 1;
    if (touches && (paint === last.paint || x.at(end) - x.at(begin) < least)) last.end = end;
    else if (!last || x.at(end) - x.at(last.end) > 0.3) pieces.push({ begin, end, paint });
  }
  return pieces;
}

function bars(run, row, y, x) {
  return coarse(stretches(run, row), x).map(({ begin, end, paint }) => {
    const left = Math.max(x.at(begin), x.left), right = Math.min(x.at(end), x.right);
    const { state, style, name, words } = stateOf(paint), letters = state === "blocked" ? words : name;
    const bar = `<rect class="${style}" x="${left}" y="${y}" width="${Math.max(right - left, 0.7)}" height="${ROW - 6}"/>`;
    if (!name || letters.length * LETTER >= right - left) return bar;
    return `${bar}<text class="${state === "running" ? "on-bar" : ""}" x="${(left + right) / 2}" y="${y + 11}"
      text-anchor="middle">${escape(letters)}</text>`;
  }).join("");
}

// The row of a panel. Its label hides the row.
function rowOf(run, row, top, task, x) {
  const label = labelOf(row, task), letters = Math.floor((x.left - 12) / LETTER);
  return `<g data-row="${row}"><rect class="row" x="0" y="${top}" width="${x.right}" height="${ROW}"/>` +
    `<text class="label" x="${x.left - 8}" y="${top + 14}" text-anchor="end">${escape(shorter(label, letters))}` +
    `<title>${escape(label)}: hide this row</title></text>${bars(run, row, top + 3, x)}</g>`;
}

// The activation's arrival and end, its bound and its deadline.
function marks(run, task, own, bottom, x) {
  const { bound } = run.tasks[task], { deadline } = data.tasks[task];
  const lines = [["mark", "arrival", 0], ["mark", "end", own.response], ["bound", "bound", bound],
    ["deadline", "deadline", deadline]];
  return lines.filter(([, , after]) => after !== null).map(([style, words, after]) => {
    const time = own.arrival + after;
    return time < x.range.from || time > x.range.to ? ""
      : `<path class="${style}" d="M${x.at(time)} 0V${bottom}"><title>${words} ${duration(after)}</title></path>`;
  }).join("");
}

function span(own, bottom, x) {
  const left = Math.max(x.at(own.arrival), x.left);
  const right = Math.min(x.at(own.arrival + own.response), x.right);
  return right > left
    ? `<rect class="chosen" x="${left}" y="0" width="${right - left}" height="${bottom}"/>` : "";
}

function panel(run, place, rows, x, isLast) {
  const { task, chosen } = place, bottom = rows.length * ROW;
  const own = activationOf(run, task, chosen), zero = zeroOf(place);
  const clock = data.clock ? `, ${data.clock}` : "";
  const since = chosen === null ? "from the start of the run" : "from the arrival";
  const out = (own ? span(own, bottom, x) : "") +
    axis(x, bottom, zero, isLast ? `${clock}, ${since}` : "") +
    rows.map((row, number) => rowOf(run, row, number * ROW, task, x)).join("") +
    (own ? marks(run, task, own, bottom, x) : "");
  return `<h4>${escape(run.title)} <small>${outcome(run, task, chosen, own)}</small></h4>` +
    `<svg width="${x.right + RIGHT}" height="${bottom + (isLast ? 34 : 4)}" role="img" aria-label="Time line under ${escape(run.title)}">${out}</svg>`;
}

// The same activation arrives at the same time in all runs.
function zeroOf({ task, chosen }) {
  const all = data.runs.map((run) => activationOf(run, task, chosen)).filter((own) => own);
  return all.length ? all[0].arrival : 0;
}

function outcome(run, task, chosen, own) {
  if (chosen === null) return run.cut ? "cut short" : "";
  if (!own) return `activation ${chosen} of ${escape(data.tasks[task].name)} did not finish`;
  const { bound, stopped } = run.tasks[task], { deadline } = data.tasks[task];
  const limit = bound === null ? "" : ` of its bound of ${duration(bound)}`;
  return `activation ${own.index}: response ${duration(own.response)}${limit}` +
    (deadline !== null && own.response > deadline ? "; deadline MISSED" : "") +
    (stopped.includes(own.index) ? "; the machine stopped it" : "") +
    `<span class="more">, latency ${duration(own.latency)}, blocking ${duration(own.blocking)}</span>`;
}

function timeline(place, width) {
  const rows = rowsIn(place), x = timelineScale(place, width), last = data.runs.length - 1;
  return data.runs.map((run, i) => panel(run, place, rows, x, i === last)).join("");
}
