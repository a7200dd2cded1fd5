const SPEEDS = [1, 2, 5, 10, 20, 50, 200];
const NEWEST = -1;
// Drawn, since not every machine has a font with these signs: replay, pause, to the end.
const ICONS = Object.fromEntries(
  Object.entries({
    replay: "M8 3V1L4 4l4 3V5a4 4 0 1 1-4 4H2a6 6 0 1 0 6-6z",
    pause: "M4 3h3v10H4zM9 3h3v10H9z",
    newest: "M2 3l6 5-6 5zM8 3l4 4V3h2v10h-2V9l-4 4z",
  }).map(([name, path]) => [name, `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`]),
);
const parts = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let part = parts.get(parentElement);
  if (!part) parts.set(parentElement, (part = mount(parentElement)));
  part.send = (step) => setTriggerValue("step", step);
  update(part, data);
  return () => setTimeout(() => parentElement.isConnected || unmount(part, parentElement));
}

function mount(parent) {
  const root = document.createElement("div");
  root.className = "timeline";
  root.innerHTML =
    '<button type="button" class="replay"></button><select></select><span></span>' +
    `<input type="range" min="0" step="1"><output></output><button type="button">${ICONS.newest}</button>`;
  const [replay, speed, label, range, output, newest] = root.children;
  const part = { root, replay, speed, label, range, output, newest, touched: 0, timer: 0, playing: 0 };
  speed.append(...SPEEDS.map((rate) => new Option(`${rate}/s`, rate, rate === 10, rate === 10)));
  replay.addEventListener("click", () => toggle(part));
  range.addEventListener("input", () => (halt(part), move(part, Number(range.value))));
  newest.addEventListener("click", () => (halt(part), move(part, part.last)));
  part.key = (event) => onKey(part, event);
  document.addEventListener("keydown", part.key, true); // Before the Play button's own shortcut.
  parent.append(root);
  return part;
}

function unmount(part, parent) {
  document.removeEventListener("keydown", part.key, true);
  halt(part);
  parts.delete(parent);
}

function update(part, { shown, last, ms, labels }) {
  part.root.dataset.tickMs = ms;
  Object.assign(part, { last, labels, arrived: shown });
  name(part);
  part.speed.setAttribute("aria-label", labels.speed);
  part.speed.title = labels.speed;
  part.replay.disabled = last === 0;
  part.label.textContent = labels.history;
  part.range.setAttribute("aria-label", labels.history);
  part.newest.title = labels.newest;
  part.newest.setAttribute("aria-label", labels.newest);
  part.range.max = last;
  part.range.disabled = last === 0;
  part.newest.disabled = shown >= last;
  // The server lags behind the hand that moves the slider.
  if (performance.now() - part.touched > 1500 || part.asked === shown) show(part, shown);
}

function show(part, step) {
  part.range.value = step;
  part.range.style.setProperty("--share", `${part.last ? (100 * step) / part.last : 100}%`);
  part.output.textContent = part.labels.step.replace("{step}", step).replace("{last}", part.last);
  part.range.setAttribute("aria-valuetext", part.output.textContent);
}

// At most one request in 120 ms, and always the last one. Where a run is at work the last step known here is already
// past there: the right end means the newest step, whichever that is.
function move(part, step) {
  part.touched = performance.now();
  part.asked = step;
  part.wanted = step >= part.last ? NEWEST : step;
  show(part, step);
  part.timer ||= setTimeout(() => {
    part.timer = 0;
    part.send(part.wanted);
  }, 120);
}

// Plays the history at so many steps a second. The page cannot show more than a few steps a second, so that fast
// replays skip some: the next one is asked for when the last one has arrived.
function toggle(part) {
  if (part.playing) return halt(part);
  const from = Number(part.range.value) >= part.last ? 0 : Number(part.range.value);
  Object.assign(part, { since: performance.now(), from, arrived: from, asked: from });
  if (from !== Number(part.range.value)) move(part, from);
  part.playing = setInterval(() => tick(part), 60);
  name(part);
}

function tick(part) {
  const rate = Number(part.speed.value);
  const due = Math.min(part.last, part.from + Math.floor(((performance.now() - part.since) / 1000) * rate));
  const waited = performance.now() - part.touched;
  if (due === part.asked || (part.arrived !== part.asked && waited < 3000)) return;
  move(part, due);
  if (part.wanted === NEWEST) halt(part);
}

function halt(part) {
  clearInterval(part.playing);
  part.playing = 0;
  if (part.labels) name(part);
}

function name(part) {
  const label = part.playing ? part.labels.halt : part.labels.replay;
  part.replay.innerHTML = part.playing ? ICONS.pause : ICONS.replay;
  part.replay.setAttribute("aria-label", label);
  part.replay.title = label;
}

function onKey(part, event) {
  const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity, " ": 0 }[event.key];
  const own = event.target.closest?.("input,textarea,select,[role=slider],[role=tab],[role=radio],[role=grid],[contenteditable],canvas");
  if (way === undefined || own || event.ctrlKey || event.metaKey || event.altKey || !part.last) return;
  if (way === 0) {
    if (!part.playing) return; // Plays or pauses the solver.
    event.preventDefault();
    event.stopPropagation();
    return halt(part);
  }
  event.preventDefault();
  halt(part);
  const step = Number(part.range.value) + way * (event.shiftKey ? 10 : 1);
  move(part, Math.min(part.last, Math.max(0, step)));
}
