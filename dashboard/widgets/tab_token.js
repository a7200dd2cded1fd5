// Session storage belongs to one tab and survives its reloads; a link opened elsewhere does not carry it. A tab that the
// browser duplicates gets a copy of it, though: the original answers on the channel, and the copy takes a fresh token.
// The cookie is shared by all tabs of a browser and goes with it: its number only says which runs are one visitor's.
const TOKEN = "gwl-run", VISITOR = "gwl-visitor", PATIENCE = 250;

function announce(tab) {
  tab.channel = new BroadcastChannel(TOKEN);
  tab.channel.onmessage = ({ data: said }) => {
    if (said.ask && said.ask === tab.token) tab.channel.postMessage({ taken: said.ask });
    if (said.taken && said.taken === tab.asked && !tab.copied) {
      tab.copied = true;
      if (tab.token) settle(tab);  // the original was busy, and answers late
    }
  };
}

function settle(tab) {
  tab.token = tab.copied ? tab.fresh : tab.asked;
  sessionStorage.setItem(TOKEN, tab.token);
  tab.tell("token", tab.token);
  if (tab.copied) tab.tell("copied", true);
}

export default function ({ data, setStateValue }) {
  const tab = (window.gwlTab ??= {});
  tab.tell = setStateValue;
  if (!tab.channel) {
    announce(tab);
    const kept = sessionStorage.getItem(TOKEN);
    if (kept) {
      tab.asked = kept;
      tab.fresh = data.token;
      tab.channel.postMessage({ ask: kept });
      setTimeout(() => settle(tab), PATIENCE);
    } else {
      tab.token = data.token;
      sessionStorage.setItem(TOKEN, tab.token);
    }
    if (!document.cookie.includes(VISITOR + "=")) {
      document.cookie = `${VISITOR}=${data.visitor}; path=/; SameSite=Strict`;
      setStateValue("visitor", data.visitor);
    }
  } else if (tab.token && tab.token !== data.token) setStateValue("token", tab.token);
}
