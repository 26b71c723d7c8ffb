// The drawer of a contract: all its cases, its script, and the state of its upstream.

let contractView = null;

function drawContractDrawer() {
  const contract = selectedContract();
  if (!contract) return;
  if (contractView?.key !== `${contract.id} ${contract.isStub}`) contractView = makeContractDrawer(contract);
  const view = contractView;
  const { name, why } = inForce(contract);
  setText(view.title, contract.id);
  setText(view.request, `${contract.method} ${contract.path}`);
  setText(view.summary, contract.summary ?? "");
  setText(view.force, `${name}: ${why}`);
  view.asDefault.hidden = contract.reason !== "hand" && contract.reason !== "script";
  setText(view.hold, contract.held ? "▶ Release all and hold no more" : "‖ Hold responses");
  fillSelect(view.mode, [...modes.map((mode) => [mode, `${mode}: ${modeWords[mode]}`]),
    ["", "as the upstream"]], contract.mode);
  for (const node of [view.remove, view.save]) node.hidden = !contract.isStub;
  if (!model.saves) view.save.hidden = true;
  setText(view.made, contract.isStub ? "Made here: it responds before the contracts in files, until a reset."
    : "");
  drawCases(view, contract);
  drawScript(contract);
  drawState(contract.id.split("/")[0]);
}

function makeContractDrawer({ id, isStub }) {
  const view = { key: `${id} ${isStub}` };
  view.title = element("h2", { id: "contract-title", tabIndex: -1 });
  for (const name of ["request", "summary", "force", "made"]) view[name] = element("span");
  view.hold = button("", () => toggleHold(id), { className: "hold" });
  view.mode = element("select");
  onChoice(view.mode, () => setMode(contractPath(id, "/mode"), view.mode.value));
  view.asDefault = button("Let the contract choose ", () => chooseCase(id, null));
  view.asDefault.append(element("kbd", {}, "0"));
  view.edit = button("Edit", () => editContract(id), { className: "edit" });
  view.save = button("Save to a file", () => act(() => saveContract(id)), { className: "save" });
  view.remove = button("Remove", () => removeContract(id), { className: "remove" });
  view.cases = element("ol", { className: "cases" });
  caseRefusal(id).then((refusal) => {
    view.edit.disabled = Boolean(refusal);
    view.edit.title = refusal ?? "";
  });
  byID("contract-head").replaceChildren(
    view.title,
    element("p", {}, element("code", {}, view.request)), element("p", { className: "note" }, view.summary),
    element("p", {}, "Serves ", element("b", {}, view.force)),
    element("div", { className: "buttons" }, view.asDefault, view.hold,
      element("label", {}, "Mode ", view.mode)),
    element("div", { className: "buttons" }, view.edit, view.save, view.remove,
      button("Copy name", () => copyText(id)), view.made),
    element("h3", {}, "Cases"), view.cases);
  view.made.className = "note";
  return view;
}

const removeContract = (id) => act(async () => {
  await ask("DELETE", contractPath(id));
  await refreshContracts();
  if (!contractOf(id)) openContract(null);
  done(`Removed ${id}.`);
});

function drawCases(view, contract) {
  const names = JSON.stringify(contract.cases);
  if (view.names !== names) {
    view.names = names;
    view.buttons = contract.cases.map((served, index) => {
      const count = element("span", { className: "count" });
      const node = button("", () => toggleCase(contract.id, served.name));
      node.append(
        index < 9 ? element("kbd", {}, `${index + 1}`) : element("span"),
        chip(kindOfCase(served), served.name),
        element("span", { className: "about" }, served.summary ?? ""),
        element("span", { className: "count" }, served.status ? `${served.status}` : ""), count);
      return { node, count, name: served.name };
    });
    view.cases.replaceChildren(...view.buttons.map((one) => element("li", {}, one.node)));
  }
  for (const { node, count, name } of view.buttons) {
    const times = countOf(contract.id, name);
    node.setAttribute("aria-pressed", isServed(contract, name));
    setText(count, times ? `${times}×` : "never");
  }
}

// MARK: Script

// The parts are made once: a button that is replaced while it is pressed is never clicked.
let steps = [];
let scriptOf = null;
let casesShown = "";
let stepsShown = "";

function drawScript(contract) {
  if (scriptOf !== contract.id) [scriptOf, steps] = [contract.id, []];
  drawRunning(contract.script);
  drawSteps();
  const upstream = contract.id.split("/")[0];
  const scenarios = model.scenarios.filter((one) => one.upstream === upstream);
  const cases = JSON.stringify([contract.id, contract.cases, contract.scripts, scenarios]);
  if (cases === casesShown) return;
  casesShown = cases;
  byID("script-cases").replaceChildren(...contract.cases.map((served, index) =>
    button(`+ ${served.name}`, () => {
      steps.push(served.name);
      drawSteps();
    }, { id: `add-${index}` })));
  byID("script-named").replaceChildren(...contract.scripts.map((name) =>
    button(`▶ ${name}`, () => startScript({ script: name }))));
  byID("script-scenarios").replaceChildren(...scenarios.map(({ name, summary }) =>
    button(`▶ scenario ${name}`, () => startScenario(upstream, name), { title: summary ?? "" })));
}

function drawRunning(script) {
  byID("script-running").hidden = !script;
  if (!script) return;
  const current = Math.min(script.served, script.cases.length - 1);
  byID("script-served").replaceChildren(...script.cases.map((name, index) =>
    element("li", index === current ? { "aria-current": "step" } : {}, name)));
  setText(byID("script-progress"),
    `running, step ${current + 1} of ${script.cases.length}; the last one repeats`);
}

function drawSteps() {
  byID("script-start").disabled = !steps.length;
  const names = JSON.stringify(steps);
  if (names === stepsShown) return;
  stepsShown = names;
  const list = byID("script-steps");
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...steps.map((name, index) => element("li", {}, button(`${name} ×`, () => {
    steps.splice(index, 1);
    drawSteps();
  }, { id: `step-${index}`, "aria-label": `Remove step ${index + 1}, ${name}` }))));
  if (hadFocus) (list.querySelector("button") ?? byID("script-cases").firstChild).focus();
}

const startScript = (body) => act(async () => {
  takeContract(await ask("POST", contractPath(model.selectedContract, "/script"), body));
  steps = [];
  drawScript(selectedContract());
  byID("script-stop").focus();
});

/** Scripts, a state and modes of several contracts at once. */
const startScenario = (upstream, name) => act(async () => {
  await ask("POST", `/scenarios/${encodeURIComponent(upstream)}/${encodeURIComponent(name)}`);
  await synchronize();
  done(`${upstream} serves the scenario ${name}.`);
});

function stopScript() {
  chooseCase(model.selectedContract, null);
  byID("script-cases").firstChild.focus();
}

// MARK: State

// By upstream and name; a row that stays keeps what somebody types into it.
const stateRows = new Map();

function drawState(upstream) {
  setText(byID("state-title"), `State of ${upstream}`);
  const shown = new Map();
  for (const [name, value] of Object.entries(model.state[upstream] ?? {}).sort()) {
    const key = JSON.stringify([upstream, name]);
    const row = stateRows.get(key) ?? makeStateRow(upstream, name);
    const { input } = row;
    if (input !== document.activeElement || input.value === row.value) input.value = value;
    row.value = value;
    stateRows.set(key, row);
    shown.set(row.item, row);
  }
  for (const [key, { item, input }] of stateRows) {
    if (shown.has(item)) continue;
    // A field that is removed while somebody types would still be set.
    input.onchange = null;
    stateRows.delete(key);
  }
  reorder(byID("state-values"), [...shown.keys()]);
}

function makeStateRow(upstream, name) {
  const input = element("input", { autocomplete: "off" });
  input.onchange = () => setState(upstream, name, input.value);
  const forget = () => {
    byID("state-name").focus();
    setState(upstream, name, null);
  };
  const item = element("li", {}, element("label", {}, `${name} = `, input), " ",
    button("Forget", forget, { "aria-label": `Forget ${upstream}.${name}` }));
  return { item, input, value: "" };
}

function setNewState() {
  if (byID("state-name").value) {
    setState(model.selectedContract.split("/")[0], byID("state-name").value, byID("state-value").value);
  }
}

const setState = (upstream, name, value) =>
  act(() => ask("PUT", "/state", { state: { [upstream]: { [name]: value } } }));
