// SPDX-License-Identifier: MIT
// The reader's place in the page, the controls that change it, and the URL that keeps it.
const find = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
const place = { task: data.shown, chosen: null, view: whole, hidden: new Set() };
const parts = all("details[id]");

// A browser refuses many changes of the URL at once, so a zoom writes the URL when it ends.
const WRITTEN_MS = 200;
let writing = null;
function keepPlace() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const open = parts.filter((part) => part.open).map((part) => part.id);
    history.replaceState(null, "", fragmentOf({ ...place, open }));
  }, WRITTEN_MS);
}

// The time line.
const box = find("timeline"), panels = document.createElement("div");
box.append(panels);
const moveCursor = cursorOver(box, () => place);

function drawTimeline() {
  if (!box.clientWidth) return;
  panels.innerHTML = timeline(place, box.clientWidth);
  all(".legend [data-style]").forEach((entry) => {
    entry.hidden = !panels.querySelector(`[class="${entry.dataset.style}"]`);
  });
}

function draw() {
  drawTimeline();
  moveCursor();
  keepPlace();
}

function see(range) {
  const { from, to } = place.view;
  place.view = limited(range, whole);
  draw();
  return place.view.from !== from || place.view.to !== to;
}

function choose(index) {
  const own = data.runs.map((run) => activationOf(run, place.task, index)).filter((each) => each);
  place.chosen = index;
  find("activation").value = index;
  if (!own.length) return see(place.view);
  const from = Math.min(...own.map((each) => each.arrival));
  const to = Math.max(...own.map((each) => each.arrival + each.response));
  return see({ from: from - (to - from) * 0.4, to: to + (to - from) * 0.1 });
}

function seeWhole() {
  place.chosen = null;
  see(whole);
}

// The next activation that finished in some run.
function step(by) {
  const found = [...new Set(data.runs.flatMap((run) => served(run, place.task).map((each) => each.index)))]
    .sort((a, b) => a - b);
  const next = by > 0 ? found.find((index) => index > (place.chosen ?? -1))
    : found.findLast((index) => index < (place.chosen ?? Infinity));
  if (next !== undefined) choose(next);
}

// Rows that the reader hides.
function showRows() {
  find("rows").innerHTML = rowsOf(place.task).map((row) =>
    `<label><input type="checkbox" value="${row}"${place.hidden.has(row) ? "" : " checked"}>` +
    `${escape(labelOf(row, place.task))}</label>`).join("");
  const count = place.hidden.size;
  find("hidden").hidden = !count;
  find("hidden").textContent = `show ${count} hidden row${count === 1 ? "" : "s"}`;
  draw();
}

function hide(row, isHidden) {
  if (isHidden) place.hidden.add(row);
  else place.hidden.delete(row);
  showRows();
}

function showAll() {
  place.hidden.clear();
  showRows();
}

// The histograms; `ranges` has null for a measure that shows its usual range.
const measures = data.tasks[data.shown].measures.map(({ name }) => name);
const ranges = measures.map(() => null);
const boxes = measures.map((name) => find(`picture-${name}`));
const pictures = boxes.map((each) => each.appendChild(document.createElement("div")));

function histogramScale(number) {
  const usual = { from: 0, to: Math.max(1, data.tasks[place.task].measures[number].end) };
  return scale(ranges[number] || usual, AXIS_LEFT, boxes[number].clientWidth - RIGHT);
}

function drawHistogram(number) {
  find(`clip-${measures[number]}`).textContent = data.tasks[place.task].measures[number].words;
  if (boxes[number].clientWidth) {
    pictures[number].innerHTML = histogram(place.task, measures[number], histogramScale(number));
  }
}

function seeHistogram(number, range) {
  const before = histogramScale(number).range;
  const longest = { from: 0, to: longestOf(place.task, measures[number]) };
  const most = { from: 0, to: Math.max(longest.to, before.to) };
  ranges[number] = range && limited(range, most);
  drawHistogram(number);
  const { range: now } = histogramScale(number);
  return now.from !== before.from || now.to !== before.to;
}

// The task.
function setTask(task) {
  place.task = task;
  find("task").value = task;
  const worst = data.runs.filter((run) => run.tasks[task].worst !== null);
  find("worst-of").innerHTML = '<option value="">the worst under …</option>' +
    worst.map((run) => `<option value="${run.tasks[task].worst}">${escape(run.title)}</option>`).join("");
  measures.forEach((_, number) => {
    ranges[number] = null;
    drawHistogram(number);
  });
  all(".of-task").forEach((each) => { each.textContent = data.tasks[task].name; });
  showRows();
  return worst;
}

function chooseTask(task) {
  const worst = setTask(task);
  if (worst.length) choose(worst[0].tasks[task].worst);
  else seeWhole();
}

// The controls.
const shift = (by) => see(moved(place.view, (place.view.to - place.view.from) * by));
const acts = { previous: () => step(-1), next: () => step(1), whole: seeWhole,
  in: () => see(zoomed(place.view, 0.5)), out: () => see(zoomed(place.view, 2)),
  earlier: () => shift(-0.5), later: () => shift(0.5), rows: showAll };

function listen() {
  all("[data-act]").forEach((button) => button.addEventListener("click", acts[button.dataset.act]));
  const changed = (id, act) => find(id).addEventListener("change", ({ target }) => {
    if (target.value !== "") act(Number(target.value), !target.checked);
  });
  changed("task", chooseTask);
  changed("activation", choose);
  changed("worst-of", choose);
  changed("rows", hide);
  box.addEventListener("click", ({ target }) => {
    if (target.closest(".label")) hide(Number(target.closest("[data-row]").dataset.row), true);
  });
  zoomable(box, () => timelineScale(place, box.clientWidth), see, seeWhole);
  boxes.forEach(listenToHistogram);
  parts.forEach((part) => part.addEventListener("toggle", keepPlace));
  addEventListener("hashchange", goToFragment);
  const sizes = new ResizeObserver(() => {
    drawTimeline();
    measures.forEach((_, number) => drawHistogram(number));
  });
  [box, ...boxes].forEach((each) => sizes.observe(each));
}

function listenToHistogram(own, number) {
  const range = () => histogramScale(number).range;
  const reset = () => seeHistogram(number, null);
  const buttons = { in: () => seeHistogram(number, zoomed(range(), 0.5, range().from)),
    out: () => seeHistogram(number, zoomed(range(), 2, range().from)),
    all: () => seeHistogram(number, { from: 0, to: longestOf(place.task, measures[number]) }),
    usual: reset };
  zoomable(own, () => histogramScale(number), (to) => seeHistogram(number, to), reset);
  own.closest("figure").querySelectorAll("[data-zoom]").forEach((button) =>
    button.addEventListener("click", buttons[button.dataset.zoom]));
}

// A fragment is a place, or the anchor of a part.
function goToFragment() {
  const part = parts.find((each) => `#${each.id}` === location.hash);
  if (part) {
    part.open = true;
    part.scrollIntoView();
    return true;
  }
  const tasks = all("#task option").map((option) => Number(option.value));
  const found = placeOf(location.hash, tasks, data.tasks.length, whole);
  if (!found) return false;
  place.hidden = found.hidden;
  setTask(found.task);
  if (found.chosen === null) place.chosen = null;
  else choose(found.chosen);
  see(found.view || place.view);
  parts.forEach((each) => { each.open ||= found.open.includes(each.id); });
  return true;
}

all("[hidden].needs-script").forEach((each) => { each.hidden = false; });
listen();
chooseTask(place.task);
goToFragment();
