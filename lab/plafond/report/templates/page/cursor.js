// SPDX-License-Identifier: MIT
// The cursor through all panels of the time line, and the states at its time.
// Returns a function that moves the cursor again after the time line was drawn.
function cursorOver(box, placeNow) {
  const line = overlay(box, "cursor"), tip = overlay(box, "tip");
  let last = null;
  const leave = () => {
    last = null;
    line.hidden = tip.hidden = true;
  };
  const show = () => {
    if (!last) return;
    const bounds = box.getBoundingClientRect(), place = placeNow();
    const x = timelineScale(place, bounds.width), at = last.clientX - bounds.left;
    if (at < x.left || at > x.right) return leave();
    line.hidden = tip.hidden = false;
    line.style.left = `${at}px`;
    tip.textContent = statesAt(x.back(at), last.row, place);
    const isLeft = at < bounds.width / 2;
    tip.style.left = isLeft ? `${at + 12}px` : "";
    tip.style.right = isLeft ? "" : `${bounds.width - at + 12}px`;
    tip.style.top = `${last.clientY - bounds.top + 16}px`;
  };
  const move = ({ clientX, clientY, target }) => {
    const row = target.closest("[data-row]");
    last = { clientX, clientY, row: row && Number(row.dataset.row) };
    show();
  };
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerdown", move);
  box.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") leave(); });
  return show;
}

// The time, and the state of a row under each protocol.
function statesAt(time, row, place) {
  const zero = zeroOf(place), span = place.view.to - place.view.from;
  const since = place.chosen === null ? "" : " after the arrival";
  const at = `${precise(time - zero, span)}${since}`;
  if (row === null) return at;
  const states = data.runs.map((run) => {
    const found = stretchAt(run, row, time);
    if (!found) return `${run.title}: not active`;
    const { begin, end, paint } = found, digits = Math.min(span, 100 * (end - begin));
    return `${run.title}: ${stateOf(paint).words}, ${precise(begin - zero, digits)} to ` +
      `${precise(end - zero, digits)} (${duration(end - begin)})`;
  });
  return [`${labelOf(row, place.task)}, ${at}`, ...states].join("\n");
}
