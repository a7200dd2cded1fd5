// Draws one figure and keeps its DOM node for as long as the component is mounted, so that zoom, pan and legend
// state survive a stream of updates. Called again by Streamlit whenever the data, the theme or the fragment change.
const SCRIPT = "app/static/plotly.min.js";
// palette.INK
const INK = "#010203";
const CONFIG = {
  displaylogo: false, responsive: false, scrollZoom: false, doubleClick: "reset",
  modeBarButtons: [["zoom2d", "pan2d", "resetScale2d"]],
};
const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array };
// A line of no length and round caps is a dot.
const SYMBOLS = {
  "circle": (x, y) => `M${x},${y}h0`,
  "square": (x, y) => `M${x},${y}h0`,
  "diamond": (x, y, r) => `M${x},${y}m0,${-r * 1.3}l${r * 1.3},${r * 1.3}l${-r * 1.3},${r * 1.3}l${-r * 1.3},${-r * 1.3}z`,
  "x": (x, y, r) => `M${x},${y}m${-r},${-r}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`,
  "circle-open": (x, y, r) => `M${x},${y}m${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
};
const charts = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let chart = charts.get(parentElement);
  if (!chart) charts.set(parentElement, (chart = mount(parentElement)));
  chart.send = (click) => setTriggerValue("click", click);
  update(chart, data);
  // Streamlit also calls this for a call that a newer one has overtaken: only a detached node is done with.
  return () => setTimeout(() => parentElement.isConnected || unmount(chart));
}

function mount(parent) {
  const root = document.createElement("div");
  root.className = "live-plot";
  root.innerHTML =
    '<p class="live-plot-heading" style="margin:0;font-size:12px;line-height:1.35">' +
    '<strong style="font-size:13px;font-weight:600;margin-right:8px"></strong><span style="opacity:0.75"></span></p>' +
    '<div class="live-plot-figure" role="figure"></div>' +
    '<p class="live-plot-alt" style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);margin:0"></p>' +
    '<p class="live-plot-error" role="alert" hidden style="margin:0"></p>';
  root.style.cssText = "position:relative;width:100%;overflow:hidden";
  const [heading, node, alt, error] = root.children;
  const chart = { parent, root, heading, node, alt, error, turn: 0, clicks: 0, arrays: [] };
  chart.observer = new ResizeObserver(() => requestAnimationFrame(() => resize(chart)));
  chart.observer.observe(root);
  // It wraps, and fonts arrive late.
  chart.observer.observe(heading);
  parent.append(root);
  return chart;
}

function unmount(chart) {
  chart.turn += 1;
  chart.observer.disconnect();
  window.Plotly?.purge(chart.node);
  charts.delete(chart.parent);
}

function resize(chart) {
  const drawn = chart.node._fullLayout;
  const size = room(chart);
  if (!drawn || !size.width || (drawn.width === size.width && drawn.height === size.height)) return;
  window.Plotly.relayout(chart.node, size);
}

// What the heading leaves for the figure.
function room({ root, heading }) {
  return { width: root.clientWidth, height: Math.max(80, root.clientHeight - heading.offsetHeight) };
}

async function update(chart, bytes) {
  const turn = ++chart.turn;
  const theme = readTheme(chart.parent);
  if (sameBytes(bytes, chart.bytes) && theme.key === chart.theme?.key) return;
  try {
    const [Plotly, block] = await Promise.all([loadPlotly(), inflate(bytes)]);
    while (chart.node._dragging) await new Promise((done) => setTimeout(done, 50));
    if (turn !== chart.turn) return;
    const start = performance.now();
    const figure = decode(block, chart, theme);
    Object.assign(chart, { bytes, theme });
    const drawn = draw(Plotly, chart, figure);
    // Until here the script held the page; waiting does not count.
    const ms = performance.now() - start;
    await drawn;
    chart.error.hidden = true;
    record(chart, ms);
  } catch (problem) {
    chart.error.textContent = problem.message;
    chart.error.hidden = false;
  }
}

async function draw(Plotly, chart, { data, layout, height, alt }) {
  const { node, root } = chart;
  root.style.height = `${height}px`;
  node.setAttribute("aria-label", alt);
  chart.alt.textContent = alt;
  head(chart, layout);
  Object.assign(layout, room(chart));
  // Hidden for now; the observer tells when it is shown.
  layout.width ||= 300;
  layout.template = template(chart.theme);
  // One finger must scroll the page, not draw a zoom box.
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false;
  const first = !node._fullLayout;
  chart.data = data;
  // The place in data of each trace Plotly has.
  chart.traces = data.map((_, i) => i).filter((i) => !skipped(data[i]));
  await Plotly.react(node, chart.traces.map((i) => forPlotly(data[i], i)), layout, CONFIG);
  if (!first) return;
  paint(chart);
  node.on("plotly_click", (event) => click(chart, event.points[0]));
  node.on("plotly_afterplot", () => paint(chart));
}

// The title as text of the page: it wraps where the screen is narrow.
function head({ heading, theme }, layout) {
  const { text = "", subtitle } = layout.title ?? {};
  delete layout.title;
  layout.margin = { ...layout.margin, t: 8 };
  heading.children[0].textContent = text;
  heading.children[1].textContent = subtitle?.text ?? "";
  heading.style.color = theme.ink;
}

// Plotly styles every point of a trace on its own: some 40 ms for 1200 nodes, and a path element for each edge.
// Traces with meta "paint" are drawn here instead, a path for each style; Plotly keeps an invisible line through the
// nodes, for hover and clicks. A trace's place in the figure is its name for Plotly: what the user hid stays hidden
// when another trace comes or goes.
function forPlotly(trace, i) {
  const painted = trace.meta === "paint" && { mode: "lines", line: { width: 0 } };
  return { ...trace, ...painted, uid: `${i}` };
}

// Plotly takes 2 to 4 ms for a trace of whatever size: it need not know of edges, and of what draws nothing.
function skipped({ type, meta, mode, x, showlegend }) {
  return type === "scatter" && showlegend === false && ((meta === "paint" && mode === "lines") || x?.length === 0);
}

function paint({ node, data, traces }) {
  const plot = node._fullLayout?._plots?.xy;
  if (!plot) return;
  const layer = plot.plot.node();
  let group = layer.querySelector(":scope > .live-plot-paint");
  if (!group) layer.prepend((group = svg("g", { class: "live-plot-paint", "pointer-events": "none" })));
  const hidden = new Set(traces.filter((_, k) => node._fullData[k]?.visible !== true));
  group.replaceChildren(...data.flatMap((trace, i) =>
    trace.meta === "paint" && !hidden.has(i) ? painted(trace, plot.xaxis, plot.yaxis) : []));
}

function painted(trace, xaxis, yaxis) {
  const pixels = (values, axis) => Array.from(values, (value) => Math.round(axis.c2p(value) * 10) / 10);
  const [x, y] = [pixels(trace.x, xaxis), pixels(trace.y, yaxis)];
  if (trace.mode === "lines") {
    let d = "";
    for (let i = 0; i + 1 < x.length; i += 3) d += `M${x[i]},${y[i]}L${x[i + 1]},${y[i + 1]}`;
    const { color, width } = trace.line;
    return [svg("path", { d, fill: "none", stroke: color, "stroke-width": width, opacity: trace.opacity ?? 1 })];
  }
  const { color, symbol, opacity, size } = trace.marker;
  const at = (value, i) => (typeof value === "object" ? value[i] : value);
  const styles = new Map();
  for (let i = 0; i < x.length; i++) {
    const style = [at(color, i), at(symbol, i), at(opacity, i), at(size, i)];
    const key = style.join();
    if (!styles.has(key)) styles.set(key, { style, d: "" });
    styles.get(key).d += SYMBOLS[style[1]](x[i], y[i], style[3] / 2);
  }
  return Array.from(styles.values(), ({ style: [paint, shape, opacity, size], d }) => {
    const line = { "circle": size, "square": size * 0.9, "diamond": 0, "x": size / 3.5, "circle-open": 1.3 }[shape];
    return svg("path", {
      d, opacity, fill: shape === "diamond" ? paint : "none", stroke: paint, "stroke-width": line,
      "stroke-linecap": shape === "circle" ? "round" : shape === "square" ? "square" : "butt",
    });
  });
}

function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function click(chart, point) {
  if (!point) return;
  chart.clicks += 1;
  chart.send({
    curve: chart.traces[point.curveNumber], point: point.pointNumber, x: point.x, y: point.y,
    customdata: point.customdata ?? null, n: chart.clicks,
  });
}

// The times of the last updates, for measuring.
function record({ root, node }, ms) {
  const times = (window.__livePlotMs ??= []);
  times.push({ chart: node.getAttribute("aria-label"), ms });
  if (times.length > 500) times.shift();
  root.dataset.updates = Number(root.dataset.updates ?? 0) + 1;
}

function loadPlotly() {
  return (window.__livePlotly ??= new Promise((resolve, reject) => {
    // Streamlit's own script tells where the app lives, whatever page or base path is shown.
    const own = document.querySelector('script[src*="static/js/"]');
    const script = document.createElement("script");
    script.src = new URL(SCRIPT, own ? own.src.split("static/js/")[0] : document.baseURI);
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      script.remove();
      window.__livePlotly = undefined;
      reject(new Error("This chart cannot be drawn because plotly.min.js is missing: " +
        "run `python -m dashboard.live_plot.setup` on the server, then reload the page."));
    };
    document.head.append(script);
  }));
}

async function inflate(bytes) {
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// See wire.py for the layout. An array equal to the last one keeps its identity: Plotly then leaves it alone.
function decode(block, chart, theme) {
  const length = new DataView(block).getUint32(0, true);
  const start = Math.ceil((4 + length) / 8) * 8;
  const before = chart.arrays;
  const now = (chart.arrays = []);
  const array = ([type, offset, shape, step]) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const flat = new TYPES[type](block, start + offset, size);
    const old = before[now.length];
    const kept = old && old.step === step && String(old.shape) === String(shape) && sameValues(flat, old.flat);
    const entry = kept ? old : { flat, step, shape, value: shaped(flat, shape, step) };
    now.push(entry);
    return entry.value;
  };
  const text = new TextDecoder().decode(new Uint8Array(block, 4, length));
  return filled(JSON.parse(text.replaceAll(`"${INK}"`, () => JSON.stringify(theme.ink))), array);
}

// Arrays put where the header names them. A list begins with an object or holds none: names and colours of a thousand
// nodes are passed over.
function filled(value, array) {
  if (!value || typeof value !== "object") return value;
  if (Array.isArray(value.$)) return array(value.$);
  if (Array.isArray(value) && typeof (value[0] ?? 0) !== "object") return value;
  for (const key in value) value[key] = filled(value[key], array);
  return value;
}

function shaped(flat, shape, step) {
  const values = step === 1 ? flat : new Float32Array(flat).map((level) => level * step);
  if (shape.length === 1) return values;
  return Array.from({ length: shape[0] }, (_, row) => values.subarray(row * shape[1], (row + 1) * shape[1]));
}

function sameValues(a, b) {
  if (a.constructor !== b.constructor || a.length !== b.length) return false;
  const view = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);
  return sameBytes(view(a), view(b));
}

function sameBytes(a, b) {
  return a?.length === b?.length && !a?.some((value, i) => value !== b[i]);
}

function readTheme(parent) {
  const style = getComputedStyle(parent);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const theme = {
    ink: read("text-color"), paper: read("background-color"), line: read("border-color-light") || read("border-color"),
    font: read("font"),
  };
  return { ...theme, key: JSON.stringify(theme) };
}

function template({ ink, paper, line, font }) {
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, tickcolor: line };
  return {
    layout: {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: ink, family: font },
      xaxis: axis, yaxis: axis, hoverlabel: { bgcolor: paper, bordercolor: line, font: { color: ink, family: font } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: "#8A8F98", activecolor: ink },
    },
  };
}
