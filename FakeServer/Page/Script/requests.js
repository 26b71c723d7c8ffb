// The list of requests, newest last. Only the rows in view are in the page: there may be thousands.

/** The kinds that are shown; all if it is empty. */
const kindsShown = new Set();

function shownRows() {
  const words = byID("request-filter").value.toLowerCase().trim().split(/\s+/).filter(Boolean);
  if (!words.length && !kindsShown.size) return model.rows;
  return model.rows.filter((row) => (!kindsShown.size || kindsShown.has(kindOfRow(row)))
    && words.every((word) => textOf(row).includes(word)));
}

const kindOfRow = (row) => (row.kind ??= kindOf(row.entry));

function textOf(row) {
  const { entry } = row;
  row.text ??= [entry.method, targetOf(entry), entry.status, entry.contract, entry.case, entry.session,
    endOf(entry), kindOfRow(row), clientOf(entry)].join(" ").toLowerCase();
  return row.text;
}

const targetOf = (entry) => entry.path + (entry.query === null ? "" : `?${entry.query}`);

const headerOf = (entry, name) =>
  entry.headers.find((field) => field.name.toLowerCase() === name)?.value;

/** The program that sent a request, as its User-Agent says. */
function clientOf(entry) {
  const agent = headerOf(entry, "user-agent") ?? "";
  const browser = agent.startsWith("Mozilla/") && /\b(Edg|Firefox|Chrome|Safari)\b/.exec(agent)?.[1];
  return (browser || agent.split(/[/ (]/)[0]).replace(/^Edg$/, "Edge");
}

/** On the clock of whoever looks. */
const timeOf = (entry) => new Date(entry.time).toTimeString().slice(0, 8);

/** Rows, and where they are grouped the heading of each contract before its rows. */
let lines = [];
let delayEnd = 1;

function drawRequests() {
  const list = byID("list");
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
  const shown = shownRows();
  lines = byID("grouping").value === "contract" ? grouped(shown) : [...shown];
  const delays = shown.slice(-500).map(({ entry }) =>
    Math.max(entry.delayConfiguredMilliseconds, isOpen(entry) ? 0 : entry.delayActualMilliseconds));
  delayEnd = axisEnd(Math.max(1, ...delays));
  setText(byID("delay-axis"), `to ${durationOf(delayEnd)}`);
  drawKindFilters();
  drawEmpty();
  list.hidden = byID("kinds-bar").hidden = !model.rows.length;
  setText(byID("shown"), shown.length === model.rows.length ? counted(shown.length, "request")
    : `${shown.length} of ${counted(model.rows.length, "request")}`);
  byID("no-rows").hidden = shown.length > 0 || !model.rows.length;
  byID("requests-table").setAttribute("aria-rowcount", lines.length + 1);
  drawWindow();
  if (isAtEnd && !byID("rows").contains(document.activeElement)) {
    list.scrollTop = list.scrollHeight;
    drawWindow();
  }
}

function grouped(rows) {
  const groups = Map.groupBy(rows, (row) => row.entry.contract ?? "");
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([id, rows]) =>
    [{ key: `group ${id}`, id, rows, view: groupViews.get(id) ?? null, isChanged: true }, ...rows]);
}

const groupViews = new Map();
/** Rows beyond the window on each side, so that scrolling shows no gap. */
const spareCount = 6;

/** Where the window begins and how many lines it has. */
let [windowStart, windowLength] = [0, 0];

function measureWindow() {
  const list = byID("list");
  const height = byID("row-probe").offsetHeight || 36;
  const first = Math.max(0, Math.floor(list.scrollTop / height) - spareCount);
  windowLength = Math.ceil(list.clientHeight / height) + 2 * spareCount;
  windowStart = Math.max(0, Math.min(first, lines.length - windowLength));
  return height;
}

function drawScrolled() {
  const [oldStart, oldLength] = [windowStart, windowLength];
  measureWindow();
  if (windowStart !== oldStart || windowLength !== oldLength) drawWindow();
}

/** Puts the rows in view into the page, and takes out the others. */
function drawWindow() {
  const height = measureWindow();
  const list = byID("list");
  const drawn = lines.slice(windowStart, windowStart + windowLength);
  byID("rows-before").firstElementChild.style.height = `${windowStart * height}px`;
  byID("rows-after").firstElementChild.style.height =
    `${(lines.length - windowStart - drawn.length) * height}px`;
  const hadFocus = byID("rows").contains(document.activeElement);
  const current = drawn.includes(model.selectedRow) ? model.selectedRow
    : drawn.findLast((line) => line.entry);
  const body = byID("rows");
  const nodes = new Set(drawn.map((line) => line.view?.node));
  for (const node of [...body.children]) if (!nodes.has(node)) node.remove();
  drawn.forEach((line, index) => {
    line.view ??= line.entry ? makeRow(line) : makeGroup(line);
    if (line.isChanged) (line.entry ? drawRow : drawGroup)(line);
    const { node } = line.view;
    node.setAttribute("aria-rowindex", windowStart + index + 2);
    if (body.children[index] !== node) body.insertBefore(node, body.children[index] ?? null);
    if (!line.entry) return;
    node.style.setProperty("--configured", part(line.entry.delayConfiguredMilliseconds));
    node.style.setProperty("--actual", isOpen(line.entry) ? "0" : part(line.entry.delayActualMilliseconds));
    line.view.button.tabIndex = line === current ? 0 : -1;
    if (line === model.selectedRow) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
  });
  // The focus stays in the list when its row is no longer there.
  if (hadFocus && !body.contains(document.activeElement)) list.focus({ preventScroll: true });
}

const part = (milliseconds) => `${Math.min(1, milliseconds / delayEnd)}`;

function makeRow(row) {
  const view = { button: button("", () => selectRow(row), { className: "target" }) };
  for (const name of ["time", "served", "status", "delay", "size", "client"]) {
    view[name] = element("td", { className: name });
  }
  view.below = element("span", { className: "below" });
  view.words = element("span");
  view.delay.append(element("span", {}, view.words, element("span", { className: "line", "aria-hidden": "true" })));
  view.node = element("tr", { row, onclick: (event) => event.target.closest("button") || selectRow(row) },
    view.time, element("th", { scope: "row" }, view.button, view.below), view.served, view.status,
    view.delay, view.size, view.client);
  return view;
}

function drawRow(row) {
  const { entry, view } = row;
  const kind = kindOfRow(row);
  row.isChanged = false;
  view.node.className = kind;
  setText(view.time, timeOf(entry));
  const inSession = !session && entry.session ? `~${entry.session} ` : "";
  // The last part of a path says most: where there is no room, the parts before it are cut.
  const [, start, end] = /^([^?]*)(\/[^/]*(?:\?.*)?)$/s.exec(targetOf(entry)) ?? ["", "", targetOf(entry)];
  view.button.replaceChildren(inSession, element("span", { className: "method" }, entry.method), " ",
    element("span", { className: "start" }, start), end);
  view.button.title = targetOf(entry);
  for (const place of [view.served, view.below]) place.replaceChildren(entryChip(entry));
  setText(view.status, endOf(entry));
  setText(view.words, isOpen(entry) ? "" : durationOf(entry.delayActualMilliseconds));
  view.delay.title = `configured ${entry.delayConfiguredMilliseconds} ms, actual ${entry.delayActualMilliseconds} ms`;
  setText(view.size, isOpen(entry) ? "" : sizeOf(entry.sentBytes));
  setText(view.client, clientOf(entry));
  view.client.title = headerOf(entry, "user-agent") ?? "";
}

/** Which case of which contract a request got; the path says the upstream as well. */
function entryChip(entry, isWhole = false) {
  const kind = kindOf(entry);
  if (!entry.case) return chip(kind, kind === "unmatched" ? "unmatched" : entry.reason === "mode" ? "live API" : endOf(entry));
  const name = isWhole ? entry.contract : entry.contract.split("/")[1];
  const made = chip(kind, element("span", { className: "of" }, name),
    element("b", {}, `#${entry.case}`));
  made.title = `${entry.contract}#${entry.case}, ${made.title}`;
  return made;
}

function makeGroup(line) {
  const view = { words: element("span", { className: "note" }) };
  view.button = button(line.id || "Without a contract", () => line.id && openContract(line.id),
    { className: "open" });
  view.node = element("tr", { className: "group" },
    element("th", { scope: "rowgroup", colSpan: 7 }, view.button, " ", view.words));
  groupViews.set(line.id, view);
  return view;
}

function drawGroup(line) {
  const counts = Map.groupBy(line.rows, kindOfRow);
  setText(line.view.words, Object.keys(kinds).filter((kind) => counts.has(kind))
    .map((kind) => `${kinds[kind][0]} ${counts.get(kind).length} ${kind}`).join("  "));
}

// MARK: Filters

let filtersShown = "";

/** A button for each kind that there is, or that is chosen. */
function drawKindFilters() {
  const counts = {};
  for (const row of model.rows) {
    const kind = kindOfRow(row);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const shown = Object.keys(kinds).filter((kind) => counts[kind] || kindsShown.has(kind));
  const wanted = JSON.stringify([shown, shown.map((kind) => counts[kind]), [...kindsShown]]);
  if (wanted === filtersShown) return;
  filtersShown = wanted;
  const place = byID("kinds");
  for (const node of [...place.children]) if (!shown.includes(node.dataset.kind)) node.remove();
  shown.forEach((kind, index) => {
    let node = [...place.children].find((one) => one.dataset.kind === kind);
    if (!node) {
      node = chipButton(kind, () => toggleKind(kind), kinds[kind][1], `${kind} `, element("b"));
      node.dataset.kind = kind;
      place.insertBefore(node, place.children[index] ?? null);
    }
    setText(node.querySelector("b"), `${counts[kind] ?? 0}`);
    node.setAttribute("aria-pressed", kindsShown.has(kind));
  });
}

function toggleKind(kind) {
  if (!kindsShown.delete(kind)) kindsShown.add(kind);
  drawAtOnce("requests");
  saveLink();
}

// MARK: Choosing

function selectRow(row) {
  [model.selectedRow, model.drawer] = [row, row ? "request" : null];
  if (row?.entry.contract && row.entry.contract !== model.selectedContract) {
    model.selectedContract = row.entry.contract;
    isContractSought = true;
  }
  drawAtOnce("requests", "detail", "contracts");
  saveLink();
  // In a small window the drawer covers the list.
  if (row && matchMedia("(max-width: 56rem)").matches) {
    drawNow();
    byID("detail-title").focus();
  }
}

/** Brings a row into view, and its button into the page. */
function showRow(row) {
  const list = byID("list");
  const height = byID("row-probe").offsetHeight;
  const top = lines.indexOf(row) * height;
  const head = list.querySelector("thead").offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight - head) {
    list.scrollTop = top + height - list.clientHeight + head;
  }
  drawWindow();
}

/** Selects the next or previous row and moves the focus to it. */
function stepRow(by) {
  // Some may have come since the last picture.
  drawRequests();
  const shown = lines.filter((line) => line.entry);
  if (!shown.length) return;
  const index = shown.indexOf(model.selectedRow);
  const next = index < 0 ? shown.length - 1
    : Math.max(0, Math.min(shown.length - 1, index + by));
  selectRow(shown[next]);
  showRow(shown[next]);
  shown[next].view.button.focus({ preventScroll: true });
}
