// Everything by keyboard. Single keys act unless somebody types, or has turned them off.

/** By subject: what each key does; `null` for those that depend on more than the key. */
const keyGroups = {
  Requests: [
    ["j", "next request", () => stepRow(1)],
    ["k", "previous request", () => stepRow(-1)],
    ["Enter", "its detail", null],
    ["/", "filter requests", () => byID("request-filter").focus()],
    ["m", "make a contract of the request", () => model.selectedRow && makeContract(model.selectedRow)],
    ["c", "make a case of the request", () => model.selectedRow?.entry.contract && makeCase(model.selectedRow)],
    ["r", "release the held request", releaseOne],
  ],
  Contracts: [
    ["n", "next contract", () => stepContract(1)],
    ["p", "previous contract", () => stepContract(-1)],
    ["1 … 9", "serve this case of the contract", null],
    ["0", "let the contract choose", () => withContract((id) => chooseCase(id, null))],
    ["h", "hold its responses, or hold no more", () => withContract(toggleHold)],
    ["s", "build a script", buildScript],
  ],
  Page: [
    ["Esc", "back", null],
    ["R", "reset", resetAll],
    ["?", "show this", () => byID("help").showModal()],
  ],
};
const keys = Object.values(keyGroups).flat();

const rowKeys = { ArrowDown: 1, ArrowUp: -1, End: rowCountMax, Home: -rowCountMax };

function withContract(work) {
  if (selectedContract()) work(model.selectedContract);
  else tell("Choose a contract first: n is the next one.");
}

function stepContract(by) {
  const ids = matchingContracts().map((one) => one.id);
  if (!ids.length) return;
  const index = ids.indexOf(model.selectedContract);
  const next = index < 0 ? (by > 0 ? 0 : ids.length - 1) : (index + by + ids.length) % ids.length;
  isContractSought = true;
  openContract(ids[next]);
}

function buildScript() {
  withContract((id) => {
    openContract(id);
    drawNow();
    byID("script-cases").firstChild?.focus();
  });
}

/** The selected request if it is held, else the one that has waited longest. */
function releaseOne() {
  const held = heldRows();
  const row = held.includes(model.selectedRow) ? model.selectedRow : held[0];
  if (row) release(row.entry, row === model.selectedRow ? byID("release-as")?.value || null : null);
  else tell("No response is held.");
}

/** The tour: what the signs mean, and what each key does. */
function makeHelp() {
  byID("kinds-help").append(...Object.entries(kinds).flatMap(([kind, [, meaning]]) => [
    element("dt", {}, chip(kind, kind)), element("dd", {}, meaning)]));
  byID("keys").append(...Object.entries(keyGroups).map(([name, keys]) =>
    element("section", {}, element("h3", {}, name), element("dl", { className: "facts" },
      keys.flatMap(([key, words]) => [
        element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)])))));
  document.addEventListener("keydown", takeKey);
}

function takeKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (event.key === "Escape") return goBack(target);
  if (target.matches("input:not([type=checkbox]), textarea, select")) return;
  if (target.closest("#rows") && rowKeys[event.key]) {
    event.preventDefault();
    return stepRow(rowKeys[event.key]);
  }
  const row = target.closest("#rows tr")?.row;
  if (event.key === "Enter" && row) {
    event.preventDefault();
    selectRow(row);
    drawNow();
    return byID("detail-title").focus();
  }
  if (!byID("keys-on").checked) return;
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    return withContract((id) => {
      const served = contractOf(id).cases[event.key - 1];
      if (served) chooseCase(id, served.name);
      else tell(`${id} has no case number ${event.key}.`);
    });
  }
  // With Caps Lock, a key that releases one response would reset everything.
  if (event.key === "R" && event.getModifierState("CapsLock")) return;
  const found = keys.find(([key, , work]) => work && key === event.key);
  if (!found || (event.repeat && !"npjk".includes(event.key))) return;
  event.preventDefault();
  found[2]();
}

function goBack(target) {
  tell("");
  if (target.matches("input[type=search]")) {
    target.value = "";
    target.dispatchEvent(new Event("input"));
    if (target.id === "contract-filter") return;
    // Else the request to go back to would not be there yet.
    drawRequests();
    focusRow();
  } else if (target.closest("#detail") || target.closest("#drawer")?.querySelector("#detail:not([hidden])")) {
    drawRequests();
    focusRow();
  } else {
    closeDrawer();
  }
}

/** Closes the drawer, and leaves the focus with what it was opened from. */
function closeDrawer() {
  const opener = model.drawer === "contract" ? contractViews.get(model.selectedContract)?.select : null;
  model.drawer = null;
  drawAtOnce("detail", "contracts", "requests");
  if (opener?.isConnected) opener.focus();
  else focusRow();
}

function focusRow() {
  if (lines.includes(model.selectedRow)) showRow(model.selectedRow);
  (model.selectedRow?.view?.button ?? byID("list")).focus({ preventScroll: true });
}
