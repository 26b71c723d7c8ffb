// The contracts: upstreams, their contracts, and of the selected one its cases and switches.

const kindSigns = { good: "✓", malformed: "≈", slow: "◷", broken: "✗" };
const modes = ["fake", "live", "off"];
const contractViews = new Map();
const upstreamViews = new Map();
/** Whether the selected contract is to be brought into view, as it was not chosen there. */
let isContractSought = false;

/** What is served now, and why. */
function inForce(contract) {
  if (contract.mode === "off") return { name: "off", why: "the mode: connections are reset" };
  if (contract.mode === "live") return { name: "live", why: "the mode: the live API responds" };
  const name = contract.case ?? "by request";
  const why = reasons[contract.reason] ?? "each request decides";
  const { script } = contract;
  if (!script || contract.reason !== "script") return { name, why };
  const step = Math.min(script.served + 1, script.cases.length);
  return { name, why: `${why}, step ${step} of ${script.cases.length}` };
}

const isContractShown = (one) =>
  `${one.id} ${one.method} ${one.path} ${one.summary ?? ""}`.toLowerCase()
    .includes(byID("contract-filter").value.toLowerCase());

function drawContracts() {
  const wanted = byID("contract-filter").value;
  const shown = [];
  for (const upstream of model.upstreams) {
    const contracts = model.contracts.filter((one) => one.id.startsWith(`${upstream.name}/`));
    const matching = contracts.filter(isContractShown);
    if (wanted && !matching.length) continue;
    shown.push(drawUpstream(upstream, contracts, matching));
  }
  reorder(byID("tree"), shown);
  for (const id of contractViews.keys()) if (!contractOf(id)) contractViews.delete(id);
  if (isContractSought) {
    isContractSought = false;
    contractViews.get(model.selectedContract)?.item.scrollIntoView({ block: "nearest" });
  }
}

/** Puts elements in this order, and moves none that is in its place: it may have the focus. */
function reorder(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

function drawUpstream(upstream, contracts, matching) {
  let view = upstreamViews.get(upstream.name);
  if (!view) {
    const [name, note] = [element("b"), element("span", { className: "note" })];
    const mode = element("select");
    onChoice(mode, () => setMode(`/upstreams/${encodeURIComponent(upstream.name)}/mode`, mode.value));
    mode.setAttribute("aria-label", `Mode of ${upstream.name}`);
    const list = element("ul");
    const box = element("details", { open: true }, element("summary", {}, name, " ", note),
      element("label", { className: "mode" }, "mode ", mode), list);
    view = { name, note, mode, list, box };
    upstreamViews.set(upstream.name, view);
  }
  const never = contracts.flatMap((one) => one.cases.filter((served) => !countOf(one, served.name)));
  setText(view.name, upstream.name);
  setText(view.note,
    `${counted(contracts.length, "contract")}, ${counted(never.length, "case")} not requested`);
  fillSelect(view.mode, [...modes.map((mode) => [mode, mode]), ["", "as the server"]], upstream.mode);
  reorder(view.list, matching.map(drawContract));
  return view.box;
}

function drawContract(contract) {
  let view = contractViews.get(contract.id);
  if (!view) {
    view = makeContractView(contract.id);
    contractViews.set(contract.id, view);
  }
  const isSelected = contract.id === model.selectedContract;
  const { name, why } = inForce(contract);
  const count = contract.cases.reduce((sum, served) => sum + countOf(contract, served.name), 0);
  setText(view.method, contract.method);
  setText(view.path, contract.path);
  setText(view.name, name);
  setText(view.why, why);
  setText(view.count, count ? `${counted(count, "request")}` : "not requested");
  setText(view.held, contract.held ? "‖ holds" : "");
  setText(view.stub, contract.isStub ? "made here" : "");
  view.select.setAttribute("aria-expanded", isSelected);
  view.item.classList.toggle("selected", isSelected);
  view.panel.hidden = !isSelected;
  if (isSelected) drawCases(view, contract);
  return view.item;
}

function makeContractView(id) {
  const view = {};
  for (const name of ["method", "path", "name", "why", "count", "held", "stub"]) {
    view[name] = element("span", { className: name });
  }
  view.name.className = "name";
  view.select = button("", () => selectContract(view.panel.hidden ? id : null),
    { className: "contract" });
  view.select.append(
    element("span", { className: "request" }, view.method, " ", view.path),
    element("span", { className: "force" }, view.name, " ", view.why, " "),
    element("span", { className: "marks" }, view.count, view.held, view.stub));
  view.cases = element("ol", { className: "cases" });
  view.hold = button("", () => toggleHold(id), { className: "hold" });
  view.mode = element("select");
  onChoice(view.mode, () => setMode(contractPath(id, "/mode"), view.mode.value));
  view.mode.setAttribute("aria-label", `Mode of ${id}`);
  view.asDefault = button("Let the contract choose", () => chooseCase(id, null));
  view.asDefault.append(element("kbd", {}, "0"));
  view.summary = element("p", { className: "note" });
  view.save = button("Save to a file", () => act(() => saveContract(id)), { className: "save" });
  view.made = element("div", { className: "buttons" }, "Made here: ",
    button("Edit", () => editContract(id), { className: "edit" }), view.save,
    button("Remove", () => act(() => ask("DELETE", contractPath(id))), { className: "remove" }));
  view.panel = element("div", { className: "panel", hidden: true }, view.summary,
    element("div", { className: "buttons" }, view.asDefault, view.hold,
      element("label", {}, "mode ", view.mode)), view.made, view.cases);
  view.item = element("li", {}, view.select, view.panel);
  return view;
}

function drawCases(view, contract) {
  setText(view.summary, `${contract.id}${contract.summary ? `: ${contract.summary}` : ""}`);
  const names = JSON.stringify(contract.cases);
  if (view.names !== names) {
    view.names = names;
    view.buttons = contract.cases.map((served, index) => {
      const count = element("span", { className: "count" });
      const node = button("", () => chooseCase(contract.id, served.name), { title: served.summary ?? "" });
      node.append(
        index < 9 ? element("kbd", {}, `${index + 1}`) : element("span"),
        element("span", { className: "name" }, served.name),
        element("span", { className: `kind ${served.kind}` },
          `${kindSigns[served.kind]} ${served.kind} ${served.status ?? ""}`), count);
      return { node, count, name: served.name };
    });
    view.cases.replaceChildren(...view.buttons.map((one) => element("li", {}, one.node)));
  }
  for (const { node, count, name } of view.buttons) {
    const times = countOf(contract, name);
    node.setAttribute("aria-pressed", name === contract.case && contract.mode === "fake");
    setText(count, times ? `${times}×` : "never");
  }
  setText(view.hold, contract.held ? "▶ Release all and hold no more" : "‖ Hold responses");
  view.hold.setAttribute("aria-pressed", contract.held);
  view.made.hidden = !contract.isStub;
  view.save.hidden = !model.saves;
  fillSelect(view.mode, [...modes.map((mode) => [mode, mode]), ["", "as the upstream"]],
    contract.mode);
}

function selectContract(id) {
  model.selectedContract = id;
  drawAtOnce("contracts", "script");
  saveLink();
}

// MARK: Steering

const chooseCase = (id, name) => act(async () => {
  const path = contractPath(id, "/case");
  takeContract(await (name === null ? ask("DELETE", path) : ask("PUT", path, { case: name })));
});

const toggleHold = (id) => act(async () => {
  takeContract(await ask(contractOf(id)?.held ? "DELETE" : "PUT", contractPath(id, "/hold")));
});

/** An empty mode clears it. */
const setMode = (path, mode) => act(async () => {
  try {
    await (mode ? ask("PUT", path, { mode }) : ask("DELETE", path));
  } finally {
    await refreshContracts();
  }
});
