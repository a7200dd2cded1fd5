// Copies the page's address, which carries the settings and nothing of files or runs.
export default function ({ data, parentElement }) {
  let button = parentElement.querySelector("button.copy-link");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "copy-link";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        button.textContent = button.dataset.copied;
      } catch {
        button.textContent = button.dataset.failed;
      }
      setTimeout(() => (button.textContent = button.dataset.label), 2000);
    });
    parentElement.append(button);
  }
  Object.assign(button.dataset, data);
  button.textContent = data.label;
  button.title = data.help;
}
