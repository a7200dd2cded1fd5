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
  root.innerHTML = '<span></span><input type="range" min="0" step="1"><output></output><button type="button">⏭</button>';
  const [label, range, output, newest] = root.children;
  const part = { root, label, range, output, newest, touched: 0, timer: 0 };
  range.addEventListener("input", () => move(part, Number(range.value)));
  newest.addEventListener("click", () => move(part, part.last));
  part.key = (event) => onKey(part, event);
  document.addEventListener("keydown", part.key);
  parent.append(root);
  return part;
}

function unmount(part, parent) {
  document.removeEventListener("keydown", part.key);
  parts.delete(parent);
}

function update(part, { shown, last, ms, labels }) {
  part.root.dataset.tickMs = ms;
  Object.assign(part, { last, labels });
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

// At most one request in 120 ms, and always the last one.
function move(part, step) {
  part.touched = performance.now();
  part.asked = step;
  show(part, step);
  part.timer ||= setTimeout(() => {
    part.timer = 0;
    part.send(part.asked);
  }, 120);
}

function onKey(part, event) {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const own = event.target.closest?.("input,textarea,select,[role=slider],[role=tab],[role=radio],[role=grid],[contenteditable],canvas");
  if (!way || own || event.ctrlKey || event.metaKey || event.altKey || !part.last) return;
  event.preventDefault();
  const step = Number(part.range.value) + way * (event.shiftKey ? 10 : 1);
  move(part, Math.min(part.last, Math.max(0, step)));
}
