// SPDX-License-Identifier: MIT
// The runs of the page: the activations and the states of each row under each protocol.
const data = JSON.parse(document.getElementById("data-of-run").textContent);
const whole = { from: 0, to: Math.max(1, ...data.runs.map((run) => run.end)) };

// The finished activations of a task: index, arrival, latency, blocking, response.
function served(run, task) {
  const flat = run.tasks[task].served, all = [];
  for (let i = 0; i < flat.length; i += 5) {
    all.push({ index: flat[i], arrival: flat[i + 1], latency: flat[i + 2], blocking: flat[i + 3],
      response: flat[i + 4] });
  }
  return all;
}

const activationOf = (run, task, index) => served(run, task).find((each) => each.index === index);

// The times in a single state of a row; the page keeps them as differences.
function stretches(run, row) {
  const own = run.tasks[row];
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

const stretchAt = (run, row, time) =>
  stretches(run, row).find(({ begin, end }) => begin <= time && time < end);

// The state of a paint, its words, its resource, and its style in report.css.
function stateOf(paint) {
  const count = data.resources.length + 1, resource = paint % count;
  const state = data.states[Math.floor(paint / count)];
  const name = resource ? data.resources[resource - 1] : "";
  const style = state === "running" && resource ? `running r${(resource - 1) % 5}` : state;
  const words = { running: `runs in ${name}`, blocked: `waits for ${name}` }[state];
  return { state, name, style, words: name && words ? words : data.words[state] };
}

// The rows of the CPUs that share a resource with a task, in the order of these CPUs.
function rowsOf(task) {
  const { cpus } = data.tasks[task], rank = (row) => cpus.indexOf(data.tasks[row].cpu);
  return data.tasks.map((_, row) => row).filter((row) => rank(row) >= 0)
    .sort((one, other) => rank(one) - rank(other));
}

function labelOf(row, task) {
  const { name, cpu } = data.tasks[row];
  return data.tasks[task].cpus.length > 1 ? `CPU ${cpu}: ${name}` : name;
}
