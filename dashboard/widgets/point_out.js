// Once for each request, also when the page is drawn again.
let done = 0;

export default function ({ data }) {
  if (data.n === done) return;
  done = data.n;
  seek(data.control, 50);
}

// The sidebar may be closed, and the control may come later than this.
function seek(control, tries) {
  const opener = document.querySelector('[data-testid="stExpandSidebarButton"]');
  const found = document.querySelector(`.st-key-${control}`);
  if (opener && opener.offsetParent) opener.querySelector("button")?.click() ?? opener.click();
  if (found && found.offsetParent) return show(found);
  if (tries > 0) setTimeout(() => seek(control, tries - 1), 100);
}

function show(found) {
  found.scrollIntoView({ block: "center" });
  const control = found.querySelector("input, select") ?? found.querySelector("button"); // The label has a button too.
  control?.focus({ preventScroll: true });
  found.classList.add("pointed-out");
  setTimeout(() => found.classList.remove("pointed-out"), 6000);
}
