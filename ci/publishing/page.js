// A session is copied without its prompts and what it prints, so that it can be typed at once.
const commands = (session) => {
  const found = [];
  let goesOn = false;
  for (const line of session.split("\n")) {
    if (goesOn || line.startsWith("$ ")) {
      found.push(goesOn ? line : line.slice(2));
      goesOn = line.endsWith("\\");
    }
  }
  return found.join("\n");
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-clipboard-target]");
  const text = button && document.querySelector(button.dataset.clipboardTarget)?.textContent;
  if (text?.startsWith("$ ")) button.dataset.clipboardText = commands(text);
}, true);

// Blocks that are wider than the page can be scrolled with the keyboard. Their buttons are not landmarks.
const prepare = () => {
  for (const code of document.querySelectorAll("pre > code")) {
    code.tabIndex = code.scrollWidth > code.clientWidth ? 0 : -1;
  }
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.role = "none";
};
new MutationObserver(prepare).observe(document, { childList: true, subtree: true });
addEventListener("resize", prepare);
