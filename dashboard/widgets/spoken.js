// Streamlit names a control by its label as it was written, in which an icon is a piece of code.
const ICON = /\s*:material\/(\w+):/g;
const watched = new WeakSet();

export default function ({ data, parentElement }) {
  const place = parentElement.closest('[data-testid="stSidebar"]') ?? document.body;
  rename(place, data);
  if (watched.has(place)) return;
  watched.add(place);
  const more = { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label", "title"] };
  new MutationObserver(() => rename(place, data)).observe(place, more);
}

function rename(place, words) {
  for (const node of place.querySelectorAll('[aria-label*=":material/"]')) {
    const name = node.getAttribute("aria-label").replace(ICON, (_, icon) => (words[icon] ? `, ${words[icon]}` : ""));
    node.setAttribute("aria-label", name);
  }
  for (const [icon, word] of Object.entries(words)) {
    for (const node of place.querySelectorAll(`[title$=" ${icon}"]`)) {
      node.title = `${node.title.slice(0, -icon.length - 1)}, ${word}`;
    }
  }
}
