// SPDX-License-Identifier: MIT
// Zoom of a picture. The wheel and two fingers change the length of the range, and a finger moves
// it. A drag of the mouse chooses a part of it.
const SCROLLED_MS = 300, LEAST_DRAG = 5;
let lastScroll = -SCROLLED_MS;
addEventListener("scroll", () => { lastScroll = performance.now(); }, { passive: true });

// The range in which each finger touches the same time as when it came.
function heldBy(fingers, x) {
  const [one, two] = fingers, width = x.right - x.left;
  const isPinch = two && two.x !== one.x;
  const span = isPinch ? Math.abs((two.time - one.time) / (two.x - one.x)) * width
    : x.range.to - x.range.from;
  const from = one.time - ((one.x - x.left) / width) * span;
  return { from, to: from + span };
}

// `see` shows a range and returns whether it differs from the range before; `reset` shows the
// range of a double click.
function zoomable(box, scaleOf, see, reset) {
  const xOf = (event) => event.clientX - box.getBoundingClientRect().left;
  wheel(box, xOf, scaleOf, see);
  touch(box, xOf, scaleOf, see);
  drag(box, xOf, scaleOf, see);
  box.addEventListener("dblclick", reset);
}

// A wheel that scrolls the page goes on to do so when the picture comes below the pointer. It also
// scrolls when the picture cannot zoom out further.
function wheel(box, xOf, scaleOf, see) {
  box.addEventListener("wheel", (event) => {
    if (performance.now() - lastScroll < SCROLLED_MS && !event.ctrlKey) return;
    const x = scaleOf(), lines = event.deltaMode === 1 ? 16 : 1;
    const along = (event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX) * lines;
    const isAlong = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const range = isAlong
      ? moved(x.range, (along / (x.right - x.left)) * (x.range.to - x.range.from))
      : zoomed(x.range, 2 ** ((event.deltaY * lines) / 250), x.back(xOf(event)));
    if (see(range)) event.preventDefault();
  }, { passive: false });
}

function touch(box, xOf, scaleOf, see) {
  const fingers = new Map();
  const hold = () => {
    const x = scaleOf();
    for (const finger of fingers.values()) finger.time = x.back(finger.x);
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, { x: xOf(event) });
    hold();
  });
  box.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    finger.x = xOf(event);
    see(heldBy([...fingers.values()], scaleOf()));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, (event) => { if (fingers.delete(event.pointerId)) hold(); });
  }
}

function drag(box, xOf, scaleOf, see) {
  const mark = overlay(box, "range");
  let from = null;
  const ends = (event) => {
    const { left, right } = scaleOf();
    return [from, xOf(event)].map((x) => Math.min(Math.max(x, left), right)).sort((a, b) => a - b);
  };
  const draw = (event) => {
    const [left, right] = ends(event);
    mark.hidden = right - left <= LEAST_DRAG;
    mark.style.left = `${left}px`;
    mark.style.width = `${right - left}px`;
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" && event.button === 0) from = xOf(event);
  });
  addEventListener("pointermove", (event) => { if (from !== null) draw(event); });
  addEventListener("pointerup", (event) => {
    if (from === null) return;
    const [left, right] = ends(event), x = scaleOf();
    from = null;
    mark.hidden = true;
    if (right - left > LEAST_DRAG) see({ from: x.back(left), to: x.back(right) });
  });
}

// A mark over a whole picture, which drawing the picture again leaves in place.
function overlay(box, name) {
  const mark = document.createElement("div");
  mark.className = name;
  mark.hidden = true;
  box.append(mark);
  return mark;
}
