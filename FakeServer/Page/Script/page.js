// The elements of the page. Every text goes through `textContent`: what contracts and clients send
// is never markup.

const byID = (id) => document.getElementById(id);

/** An element with properties, listeners (`onclick`) and attributes (`aria-…`), and children. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const button = (text, onclick, properties = {}) =>
  element("button", { type: "button", onclick, ...properties }, text);

/** Does something when Enter is pressed in a field. */
function onEnter(input, work) {
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") work();
  });
}

/** Changes a text only if it differs, so that nothing is drawn or read out again. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A `select` with these options, as pairs of value and text. */
function fillSelect(select, options, value) {
  const wanted = JSON.stringify(options);
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(
      ...options.map(([value, text]) => element("option", { value }, text)));
  }
  if (select.value !== value && !select.isWaiting) select.value = value;
}

/**
 * Does what a choice says: at once where it was made by mouse, else with Enter or, unless it leaves
 * the page, when the focus moves on.
 */
function onChoice(select, work, leavesPage = false) {
  const commit = () => {
    if (select.isWaiting) work();
    select.isWaiting = false;
  };
  const forget = () => {
    select.isWaiting = false;
    draw("header", "contracts", "detail");
  };
  let isByKey = false;
  select.onpointerdown = () => isByKey = false;
  select.onkeydown = ({ key }) => {
    isByKey = true;
    if (key === "Enter") commit();
    if (key === "Escape") forget();
  };
  select.onchange = () => {
    select.isWaiting = true;
    if (!isByKey) commit();
  };
  select.onblur = () => leavesPage ? forget() : commit();
}

/** What stays wrong until the server says otherwise. */
let standingProblem = "";

function clearProblem() {
  if (!standingProblem) return;
  standingProblem = "";
  setText(byID("notice"), "");
}

/** Tells of something that went wrong, until the next action. */
function tell(text) {
  done("");
  setText(byID("notice"), [standingProblem, text].filter(Boolean).join("\n"));
}

/** Says what was done, until the next action. */
function done(text) {
  setText(byID("done"), text);
}

/** Does what a person asked for, and says why if it fails. */
async function act(work) {
  tell("");
  try {
    return await work();
  } catch (error) {
    tell(error.message);
  }
}

const copyText = (text) => act(async () => {
  try {
    await navigator.clipboard.writeText(text);
    done("Copied.");
  } catch {
    // Without HTTPS, a browser lets pages copy on this machine alone.
    byID("copy-text").value = text;
    byID("copy").showModal();
    byID("copy-text").select();
  }
});

// At most one announcement a second, or a flood of unmatched requests would never end being read out.
let announcements = [];
function announce(text) {
  announcements.push(text);
  if (announcements.length > 1) return;
  setTimeout(() => {
    const rest = announcements.length - 1;
    byID("announcer").textContent = announcements[0] + (rest > 0 ? `, and ${rest} more` : "");
    announcements = [];
  }, 1000);
}

/** A text that has parts that cannot be decoded stays as it is. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
