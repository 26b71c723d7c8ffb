// The header, the script of the selected contract, and the state.

function drawHeader() {
  setText(byID("place"), location.host + (session ? `, session ${session}` : ""));
  const names = [...new Set([...model.sessions, session])].filter(Boolean).sort();
  fillSelect(byID("session"),
    [["", session ? "all clients" : "all"], ...names.map((name) => [name, name])], session);
  fillSelect(byID("server-mode"), [...modes.map((mode) => [mode, mode]), ["", "default"]], model.mode);
}

function setConnection(isLive) {
  const status = byID("connection");
  status.className = isLive ? "live" : "lost";
  setText(status.querySelector("i"), isLive ? "●" : "○");
  setText(status.querySelector("span"), isLive ? "live" : "connection lost, trying again");
}

const resetAll = () => act(async () => {
  const made = model.contracts.filter((one) => one.isStub).length;
  if (made && !confirm(`A reset removes ${counted(made, "contract")} made here. Reset?`)) return;
  await ask("POST", "/reset");
  done("Reset.");
});

// MARK: Script

// The parts are made once: a button that is replaced while it is pressed is never clicked.
let steps = [];
let scriptOf = null;
let casesShown = "";
let stepsShown = "";

function drawScript() {
  const contract = selectedContract();
  if (scriptOf !== model.selectedContract) [scriptOf, steps] = [model.selectedContract, []];
  byID("script-none").hidden = contract !== null;
  byID("script-parts").hidden = contract === null;
  if (!contract) return;
  setText(byID("script-contract"), contract.id);
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
  drawScript();
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

function drawState() {
  fillSelect(byID("state-upstream"), model.upstreams.map((one) => [one.name, one.name]),
    byID("state-upstream").value || model.upstreams[0]?.name);
  const shown = new Map();
  for (const [upstream, values] of Object.entries(model.state).sort()) {
    for (const [name, value] of Object.entries(values).sort()) {
      const key = JSON.stringify([upstream, name]);
      const row = stateRows.get(key) ?? makeStateRow(upstream, name);
      const { input } = row;
      if (input !== document.activeElement || input.value === row.value) input.value = value;
      row.value = value;
      stateRows.set(key, row);
      shown.set(row.item, row);
    }
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
  const item = element("li", {}, element("label", {}, `${upstream}.${name} = `, input), " ",
    button("Forget", forget, { "aria-label": `Forget ${upstream}.${name}` }));
  return { item, input, value: "" };
}

function setNewState() {
  if (byID("state-name").value) {
    setState(byID("state-upstream").value, byID("state-name").value, byID("state-value").value);
  }
}

const setState = (upstream, name, value) =>
  act(() => ask("PUT", "/state", { state: { [upstream]: { [name]: value } } }));
