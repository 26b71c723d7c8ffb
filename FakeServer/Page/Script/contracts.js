// The list of contracts: what each serves, and one click to another case.

const reasons = {
  preference: "the request’s Prefer header", script: "the script", hand: "chosen by hand",
  when: "its “when” holds", live: "the request is its live one", default: "the default",
  mode: "the mode", undeclared: "no upstream, as none declares the host",
};

/** What is served now, and why. */
function inForce(contract) {
  if (contract.mode !== "fake") return { name: contract.mode, why: modeWords[contract.mode] };
  const name = contract.case ?? "by request";
  const why = contract.case ? reasons[contract.reason] : "each request decides";
  const { script } = contract;
  if (!script || contract.reason !== "script") return { name, why };
  const step = Math.min(script.served + 1, script.cases.length);
  return { name, why: `${why}, step ${step} of ${script.cases.length}` };
}

function matchingContracts() {
  const wanted = byID("contract-filter").value.toLowerCase();
  if (!wanted) return model.contracts;
  return model.contracts.filter((one) =>
    (one.text ??= `${one.id} ${one.method} ${one.path} ${one.summary ?? ""}`.toLowerCase()).includes(wanted));
}

const contractViews = new Map();
const upstreamViews = new Map();
const shownCasesMax = 6;
/** Whether the selected contract is to be brought into view, as it was not chosen there. */
let isContractSought = false;
/** How many contracts are drawn: more when somebody scrolls down to them. */
const drawnStep = 50;
let drawnMax = drawnStep;

function drawContracts() {
  const matching = matchingContracts();
  const sought = matching.findIndex((one) => one.id === model.selectedContract);
  if (isContractSought && sought >= drawnMax) drawnMax = sought + drawnStep;
  const drawn = Map.groupBy(matching.slice(0, drawnMax), (one) => one.id.split("/")[0]);
  reorder(byID("tree"), model.upstreams.filter((one) => drawn.has(one.name))
    .map((one) => drawUpstream(one, drawn.get(one.name))));
  byID("more-contracts").hidden = matching.length <= drawnMax;
  setText(byID("contract-count"), matching.length === model.contracts.length
    ? `${matching.length}` : `${matching.length} of ${model.contracts.length}`);
  byID("no-contracts").hidden = matching.length > 0;
  for (const id of contractViews.keys()) if (!contractOf(id)) contractViews.delete(id);
  if (isContractSought) {
    isContractSought = false;
    contractViews.get(model.selectedContract)?.item.scrollIntoView({ block: "nearest" });
  }
}

function drawMoreContracts() {
  drawnMax += drawnStep;
  drawAtOnce("contracts");
}

/** Puts elements in this order, and moves none that is in its place: it may have the focus. */
function reorder(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

function drawUpstream(upstream, contracts) {
  let view = upstreamViews.get(upstream.name);
  if (!view) {
    const mode = element("select");
    onChoice(mode, () => setMode(`/upstreams/${encodeURIComponent(upstream.name)}/mode`, mode.value));
    mode.setAttribute("aria-label", `Mode of ${upstream.name}`);
    const list = element("ul");
    const box = element("section", { className: "upstream" },
      element("div", { className: "upstream-head" }, element("h3", {}, upstream.name), mode), list);
    view = { mode, list, box };
    upstreamViews.set(upstream.name, view);
  }
  view.box.title = upstream.summary ?? "";
  fillSelect(view.mode, [...modes.map((mode) => [mode, mode]), ["", "as the server"]], upstream.mode);
  reorder(view.list, contracts.map(drawContract));
  return view.box;
}

function drawContract(contract) {
  const { id } = contract;
  let view = contractViews.get(id);
  if (!view) {
    view = makeContractView(id);
    contractViews.set(id, view);
    if (areUndrawnStale) refreshSoon(1000);
  }
  const isSelected = id === model.selectedContract;
  const { name, why } = inForce(contract);
  const requests = totalOf(id);
  setText(view.method, contract.method);
  setText(view.path, contract.path);
  setText(view.name, name);
  setText(view.why, why);
  setText(view.count, requests ? counted(requests, "request") : "");
  setText(view.held, contract.held ? "‖ holds" : "");
  setText(view.stub, contract.isStub ? "made here" : "");
  view.item.classList.toggle("selected", isSelected);
  view.item.classList.toggle("forced", isForced(contract));
  view.select.setAttribute("aria-expanded", isSelected && model.drawer === "contract");
  drawChips(view, contract);
  return view.item;
}

function makeContractView(id) {
  const view = {};
  for (const name of ["method", "path", "name", "why", "count", "held", "stub"]) {
    view[name] = element("span", { className: name });
  }
  view.select = button("", () => toggleContract(id), { className: "open" });
  view.select.append(
    element("span", { className: "request" }, view.method, " ", view.path), " ",
    element("span", { className: "id" }, id));
  view.cases = element("div", { className: "chips", role: "group", "aria-label": `Cases of ${id}` });
  view.item = element("li", { className: "contract" }, view.select,
    element("p", { className: "force" }, view.name, " ", view.why, " ",
      element("span", { className: "marks" }, view.count, view.held, view.stub)), view.cases);
  return view;
}

function drawChips(view, contract) {
  const shown = contract.cases.slice(0, shownCasesMax);
  const current = contract.cases.find((one) => one.name === contract.case);
  if (current && !shown.includes(current)) shown.push(current);
  const names = JSON.stringify([contract.cases, shown]);
  if (view.names !== names) {
    view.names = names;
    view.chips = shown.map((served) => ({
      name: served.name, node: caseButton(contract.id, served),
    }));
    const rest = contract.cases.length - shown.length;
    view.more = rest > 0
      ? button(`+${rest}`, () => openContract(contract.id),
        { className: "more", "aria-label": `${counted(rest, "more case")} of ${contract.id}` }) : null;
    view.cases.replaceChildren(...view.chips.map((one) => one.node), ...(view.more ? [view.more] : []));
  }
  for (const { name, node } of view.chips) {
    node.setAttribute("aria-pressed", isServed(contract, name));
  }
}

function caseButton(id, served) {
  const kind = kindOfCase(served);
  const title = `${kind}${served.status ? ` ${served.status}` : ""}${served.summary ? `: ${served.summary}` : ""}`;
  return chipButton(kind, () => toggleCase(id, served.name), title, served.name);
}

function openContract(id) {
  [model.selectedContract, model.drawer] = [id, id ? "contract" : null];
  drawAtOnce("contracts", "detail", "requests");
  saveLink();
}

const toggleContract = (id) => openContract(
  id === model.selectedContract && model.drawer === "contract" ? null : id);

// MARK: Steering

const chooseCase = (id, name) => act(async () => {
  const path = contractPath(id, "/case");
  takeContract(await (name === null ? ask("DELETE", path) : ask("PUT", path, { case: name })));
  announce(name === null ? `${id} chooses again` : `${id} serves ${name}`);
});

/** Serves the case; once more, lets the contract choose. */
const toggleCase = (id, name) =>
  chooseCase(id, isForced(contractOf(id)) && isServed(contractOf(id), name) ? null : name);

const toggleHold = (id) => act(async () => {
  const isHeld = contractOf(id)?.held;
  takeContract(await ask(isHeld ? "DELETE" : "PUT", contractPath(id, "/hold")));
  announce(`${id} ${isHeld ? "holds no more" : "holds its responses"}`);
});

/** An empty mode clears it. */
const setMode = (path, mode) => act(async () => {
  try {
    await (mode ? ask("PUT", path, { mode }) : ask("DELETE", path));
  } finally {
    await refreshContracts();
  }
});
