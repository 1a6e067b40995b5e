// SPDX-License-Identifier: MIT
// The reader's place as a fragment of the URL: the task and its activation, the range of time, the
// hidden rows and the open parts. All are numbers, except the names of parts.
const LIST = ".";

function fragmentOf({ task, chosen, view, hidden, open }) {
  const words = new URLSearchParams({ task });
  if (chosen !== null) words.set("activation", chosen);
  words.set("from", Math.round(view.from));
  words.set("to", Math.round(view.to));
  if (hidden.size) words.set("hide", [...hidden].join(LIST));
  if (open.length) words.set("open", open.join(LIST));
  return `#${words}`;
}

// Another page or a person may have written the fragment, so only known values count.
function placeOf(fragment, tasks, rows, whole) {
  const words = new URLSearchParams(fragment.slice(1));
  const number = (name) => /^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : null;
  const list = (name) => (words.get(name) ?? "").split(LIST).filter((word) => word);
  const isRow = (row) => Number.isInteger(row) && row >= 0 && row < rows;
  const task = number("task"), from = number("from"), to = number("to");
  if (!tasks.includes(task)) return null;
  return {
    task,
    chosen: number("activation"),
    view: from !== null && to !== null && from < to ? limited({ from, to }, whole) : null,
    hidden: new Set(list("hide").map(Number).filter(isRow)),
    open: list("open"),
  };
}
