// Session storage belongs to one tab and survives its reloads; a link opened elsewhere does not carry it.
const NAME = "gwl-run";

export default function ({ data, setStateValue }) {
  const kept = sessionStorage.getItem(NAME);
  if (!kept) sessionStorage.setItem(NAME, data);
  else if (kept !== data) setStateValue("token", kept);
}
