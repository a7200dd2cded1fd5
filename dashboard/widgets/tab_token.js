// Session storage belongs to one tab and survives its reloads; a link opened elsewhere does not carry it. A tab that the
// browser duplicates gets a copy of it, though: the original answers on the channel, and the copy takes a fresh token.
// The cookie is shared by all tabs of a browser and goes with it: its number only says which runs are one visitor's.
const TOKEN = "gwl-run", VISITOR = "gwl-visitor", PATIENCE = 1000;

function announce(tab) {
  tab.channel = new BroadcastChannel(TOKEN);
  tab.channel.onmessage = ({ data: said }) => {
    if (said.ask && said.ask === tab.token) tab.channel.postMessage({ taken: said.ask });
    if (said.taken && said.taken === tab.asking) tab.copied = true;
  };
}

function settle(tab, data) {
  tab.token = tab.copied ? data.token : tab.asking;
  tab.asking = null;
  sessionStorage.setItem(TOKEN, tab.token);
  if (tab.copied) tab.tell("copied", true);
  else answer(tab, data);
}

// What the page does not know yet; that there is nothing only where it waits for it, since every answer draws it anew.
function answer(tab, data) {
  if (tab.token !== data.token) tab.tell("token", tab.token);
  else if (data.awaited) tab.tell("settled", true);
}

// Streamlit marks the start and end of every run of its script and never clears the marks (1.67): a page that ticks for
// hours would keep them all, some kilobytes each.
function clearMarks() {
  const clear = () => {
    ["running", "notRunning"].forEach((name) => performance.clearMarks(name));
    performance.clearMeasures("script-run-cycle");
  };
  new PerformanceObserver(clear).observe({ type: "measure" });
}

export default function ({ data, setStateValue }) {
  const tab = (window.gwlTab ??= {});
  tab.tell = setStateValue;
  if (!tab.channel) {
    announce(tab);
    clearMarks();
    const kept = sessionStorage.getItem(TOKEN);
    if (kept) {
      tab.asking = kept;
      tab.channel.postMessage({ ask: kept });
      setTimeout(() => settle(tab, data), PATIENCE);
    } else {
      tab.token = data.token;
      sessionStorage.setItem(TOKEN, tab.token);
      answer(tab, data);
    }
    if (!document.cookie.includes(VISITOR + "=")) {
      document.cookie = `${VISITOR}=${data.visitor}; path=/; SameSite=Strict`;
      setStateValue("visitor", data.visitor);
    }
  } else if (tab.token) answer(tab, data);
}
