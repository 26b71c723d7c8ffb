// The list of requests, newest last. Rows come in batches, and each has one stop for Tab.

function matchesFilter(row) {
  const entry = row.entry;
  if (byID("only-unmatched").checked && !entry.unmatched) return false;
  if (byID("only-held").checked && entry.outcome !== "held") return false;
  const wanted = byID("request-filter").value.toLowerCase().trim();
  return !wanted || wanted.split(/\s+/).every((word) => textOf(entry).includes(word));
}

const textOf = (entry) =>
  [entry.method, targetOf(entry), entry.status, entry.contract, entry.case, entry.session,
    entry.outcome, entry.unmatched ? "unmatched" : ""].join(" ").toLowerCase();

const targetOf = (entry) => entry.path + (entry.query === null ? "" : `?${entry.query}`);

/** How a request ended, as a sign and words. */
function endOf(entry) {
  switch (entry.outcome) {
    case "held": return { sign: "‖", words: "held", kind: "held" };
    case "underWay": return { sign: "…", words: "under way", kind: "open" };
    case "reset": return { sign: "✗", words: "reset", kind: "broken" };
    case "cutOff": return { sign: "✗", words: `${entry.status ?? ""} cut off`, kind: "broken" };
    case "stalled": return { sign: "✗", words: `${entry.status ?? ""} stalled`, kind: "broken" };
    case "clientLeft": return { sign: "–", words: "client left", kind: "broken" };
    case "cancelled": return { sign: "–", words: "cancelled", kind: "broken" };
    case "lost": return { sign: "?", words: "unknown", kind: "broken" };
  }
  if (entry.unmatched) return { sign: "∅", words: `${entry.status} unmatched`, kind: "unmatched" };
  return { sign: entry.status < 400 ? "✓" : "!", words: `${entry.status}`, kind: "responded" };
}

/** Returns how many rows are new. */
function drawRequests() {
  const list = byID("list");
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
  const shown = model.rows.filter(matchesFilter);
  const body = byID("rows");
  const wanted = new Set(shown);
  const focused = document.activeElement?.closest?.("#rows tr")?.row;
  for (const node of [...body.children]) if (!wanted.has(node.row)) node.remove();
  let [next, newRowCount] = [null, 0];
  for (let index = shown.length - 1; index >= 0; index -= 1) {
    const row = shown[index];
    if (!row.view) {
      row.view = makeRow(row);
      newRowCount += 1;
    }
    if (row.isChanged) drawRow(row);
    if (row.view.node.nextSibling !== next || !row.view.node.parentNode) {
      body.insertBefore(row.view.node, next);
    }
    next = row.view.node;
  }
  // The focus goes to the oldest row that is left, never to the top of the page.
  if (focused && !wanted.has(focused)) (shown[0]?.view.button ?? list).focus({ preventScroll: true });
  markCurrent(shown);
  const unmatched = model.rows.filter((row) => row.entry.unmatched).length;
  const held = heldRows().length;
  setText(byID("shown"), `${shown.length} of ${model.rows.length}`
    + (unmatched ? `, ∅ ${unmatched} unmatched` : "")
    + (held ? `, ‖ ${held} held` : ""));
  byID("empty").hidden = byID("addresses").hidden = model.rows.length > 0;
  if (!model.rows.length) {
    byID("addresses").replaceChildren(
      ...model.upstreams.map((one) => element("li", {}, element("code", {}, one.baseURL))));
  }
  if (isAtEnd && !focused) list.scrollTop = list.scrollHeight;
  return newRowCount;
}

function makeRow(row) {
  const view = {};
  view.button = button("", () => selectRow(row), { className: "target" });
  view.time = element("td", { className: "time" });
  view.status = element("td", { className: "status" });
  view.served = element("td", { className: "served" });
  view.delay = element("td", { className: "ms" });
  view.node = element("tr", { row, onclick: (event) => event.target.closest("button") || selectRow(row) },
    view.time, element("th", { scope: "row" }, view.button), view.status, view.served, view.delay);
  return view;
}

function drawRow(row) {
  const { entry, view } = row;
  const end = endOf(entry);
  row.isChanged = false;
  view.node.className = end.kind;
  setText(view.time, timeOf(entry));
  const inSession = !session && entry.session ? `~${entry.session} ` : "";
  setText(view.button, `${inSession}${entry.method} ${targetOf(entry)}`);
  view.status.replaceChildren(
    element("i", { "aria-hidden": "true" }, end.sign), ` ${end.words}`);
  setText(view.served, entry.contract ? `${entry.contract}#${entry.case ?? ""}` : "");
  setText(view.delay, isOpen(entry) ? "" : entry.delayActualMilliseconds.toFixed(entry.delayActualMilliseconds < 10 ? 1 : 0));
}

/** On the clock of whoever looks. */
const timeOf = (entry) => new Date(entry.time).toTimeString().slice(0, 8);

function markCurrent(shown) {
  const current = shown.includes(model.selectedRow) ? model.selectedRow : shown.at(-1);
  for (const row of shown) {
    row.view.button.tabIndex = row === current ? 0 : -1;
    if (row === model.selectedRow) row.view.node.setAttribute("aria-current", "true");
    else row.view.node.removeAttribute("aria-current");
  }
}

function selectRow(row) {
  model.selectedRow = row;
  if (row?.entry.contract && row.entry.contract !== model.selectedContract) {
    model.selectedContract = row.entry.contract;
    isContractSought = true;
  }
  drawAtOnce("requests", "detail", "contracts", "script");
  saveLink();
}

/** Selects the next or previous row and moves the focus to it. */
function stepRow(by) {
  const shown = model.rows.filter(matchesFilter);
  if (!shown.length) return;
  const index = shown.indexOf(model.selectedRow);
  const next = index < 0 ? shown.length - 1
    : Math.max(0, Math.min(shown.length - 1, index + by));
  selectRow(shown[next]);
  // It may have come since the last picture.
  drawRequests();
  shown[next].view.button.focus();
}
