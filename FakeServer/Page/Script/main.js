// Draws what has changed, at most 20 times a second, and starts everything.

const drawers = {
  header: drawHeader, contracts: drawContracts, requests: drawRequests, detail: drawDetail,
  script: drawScript, state: drawState,
};
const undrawn = new Set();
const drawingInterval = 50;
let isDrawing = false;
let drawnAt = 0;

/** Draws these parts with the next picture. */
function draw(...parts) {
  for (const part of parts) undrawn.add(part);
  if (isDrawing) return;
  isDrawing = true;
  const rest = drawnAt + drawingInterval - performance.now();
  setTimeout(() => requestAnimationFrame(drawNow), Math.max(0, rest));
}

function drawNow() {
  isDrawing = false;
  const parts = [...undrawn];
  undrawn.clear();
  for (const part of parts) drawers[part]();
  drawnAt = performance.now();
}

// MARK: Links

/** The address shows what is selected, so that it can be passed on. */
function saveLink() {
  const link = new URLSearchParams();
  if (model.selectedContract) link.set("contract", model.selectedContract);
  if (model.selectedRow) link.set("request", model.selectedRow.entry.sequence);
  if (byID("request-filter").value) link.set("filter", byID("request-filter").value);
  if (byID("only-misses").checked) link.set("misses", "1");
  if (byID("only-held").checked) link.set("held", "1");
  const text = link.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname);
}

function followLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const number = Number(link.get("request"));
  const row = number ? model.rows.findLast((row) => row.entry.sequence === number) : null;
  byID("request-filter").value = link.get("filter") ?? "";
  byID("only-misses").checked = link.has("misses");
  byID("only-held").checked = link.has("held");
  model.selectedRow = row ?? null;
  model.selectedContract = link.get("contract") ?? row?.entry.contract ?? null;
  isContractSought = true;
  draw("requests", "detail", "contracts", "script");
}

// MARK: Start

function start() {
  makeStrip();
  makeKeys();
  byID("contract-filter").oninput = () => draw("contracts");
  for (const id of ["request-filter", "only-misses", "only-held"]) {
    byID(id).addEventListener("input", () => {
      draw("requests");
      saveLink();
    });
  }
  byID("reset").onclick = resetAll;
  byID("help-button").onclick = () => byID("help").showModal();
  byID("script-start").onclick = () => startScript({ cases: steps });
  byID("script-stop").onclick = () => chooseCase(model.selectedContract, null);
  byID("state-set").onclick = setNewState;
  onEnter(byID("state-value"), setNewState);
  byID("state-clear").onclick = () => act(() => ask("DELETE", "/state"));
  byID("editor-play").onclick = () => playEdited(false);
  byID("editor-save").onclick = () => playEdited(true);
  byID("token-use").onclick = useToken;
  onEnter(byID("token-input"), useToken);
  byID("token").oncancel = (event) => event.preventDefault();
  byID("server-mode").onchange = () => setMode("/mode", byID("server-mode").value);
  byID("session").onchange = () => {
    const name = byID("session").value;
    location.assign(`${name ? `/~${encodeURIComponent(name)}` : ""}/__understudy/`);
  };
  for (const node of document.querySelectorAll("dialog .close")) {
    node.onclick = () => node.closest("dialog").close();
  }
  window.addEventListener("hashchange", followLink);
  setInterval(drawStrip, 1000);
  drawStrip();
  draw("header", "contracts", "script", "state");
  let isFirst = true;
  listen(takeEvent, (isLive, isNew) => {
    setConnection(isLive);
    if (!isLive || !isNew) return;
    synchronize().then(() => {
      if (isFirst && location.hash) followLink();
      isFirst = false;
    }, (error) => tell(error.message));
  });
}

start();
