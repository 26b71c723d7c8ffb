// Draws what has changed, at most 20 times a second, and starts everything.

const drawers = {
  header: drawHeader, contracts: drawContracts, requests: drawRequests, script: drawScript,
  state: drawState, detail: () => void drawDetail(),
};
/** Rows that come faster than people read are drawn less often, which leaves time for keys. */
const floodRowCount = 20;
const floodInterval = 250;
const drawingInterval = 50;

const undrawn = new Set();
/** When each part may be drawn again. */
const dueAt = {};
let timer = null;
let timerDue = Infinity;

/** Draws these parts with the next picture after they are due. */
function draw(...parts) {
  for (const part of parts) undrawn.add(part);
  const due = Math.min(...[...undrawn].map((part) => dueAt[part] ?? 0));
  if (timerDue <= due) return;
  clearTimeout(timer);
  timerDue = due;
  timer = setTimeout(() => requestAnimationFrame(drawNow), Math.max(0, due - performance.now()));
}

/** For what a person has done. */
function drawAtOnce(...parts) {
  for (const part of parts) dueAt[part] = 0;
  draw(...parts);
}

function drawNow() {
  timerDue = Infinity;
  const now = performance.now();
  for (const part of [...undrawn]) {
    if ((dueAt[part] ?? 0) > now) continue;
    undrawn.delete(part);
    const newRowCount = drawers[part]() ?? 0;
    dueAt[part] = now + (newRowCount > floodRowCount ? floodInterval : drawingInterval);
  }
  if (undrawn.size) draw();
}

// MARK: Links

/** The address shows what is selected, so that it can be passed on. */
function saveLink() {
  const link = new URLSearchParams();
  if (model.selectedContract) link.set("contract", model.selectedContract);
  if (model.selectedRow) link.set("request", model.selectedRow.entry.sequence);
  if (byID("request-filter").value) link.set("filter", byID("request-filter").value);
  if (byID("only-unmatched").checked) link.set("unmatched", "1");
  if (byID("only-held").checked) link.set("held", "1");
  const text = link.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname);
}

function followLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const number = Number(link.get("request"));
  const row = number ? model.rows.findLast((row) => row.entry.sequence === number) : null;
  byID("request-filter").value = link.get("filter") ?? "";
  byID("only-unmatched").checked = link.has("unmatched");
  byID("only-held").checked = link.has("held");
  model.selectedRow = row ?? null;
  model.selectedContract = link.get("contract") ?? row?.entry.contract ?? null;
  isContractSought = true;
  draw("requests", "detail", "contracts", "script");
}

// MARK: Start

function start() {
  makeKeys();
  byID("contract-filter").oninput = () => draw("contracts");
  for (const id of ["request-filter", "only-unmatched", "only-held"]) {
    byID(id).addEventListener("input", () => {
      draw("requests");
      saveLink();
    });
  }
  byID("reset").onclick = resetAll;
  byID("help-button").onclick = () => byID("help").showModal();
  byID("script-start").onclick = () => startScript({ cases: steps });
  byID("script-stop").onclick = stopScript;
  byID("state-set").onclick = setNewState;
  onEnter(byID("state-value"), setNewState);
  byID("state-clear").onclick = () => act(() => ask("DELETE", "/state"));
  byID("editor-serve").onclick = () => serveEdited(false);
  byID("editor-save").onclick = () => serveEdited(true);
  byID("token-use").onclick = useToken;
  onEnter(byID("token-input"), useToken);
  byID("token").onclose = askAgain;
  byID("editor").oncancel = keepText;
  byID("editor-upstream").oninput = byID("editor-name").oninput = drawEditorNote;
  onChoice(byID("server-mode"), () => setMode("/mode", byID("server-mode").value));
  onChoice(byID("session"), () => {
    const name = byID("session").value;
    location.assign(`${name ? `/~${encodeURIComponent(name)}` : ""}/__understudy/`);
  }, true);
  for (const node of document.querySelectorAll("dialog .close")) {
    node.onclick = () => node.closest("dialog").close();
  }
  window.addEventListener("hashchange", followLink);
  setInterval(drawStrip, 1000);
  drawStrip();
  draw("header", "contracts", "script", "state", "detail");
  let isFirst = true;
  listen(takeEvent, (isLive, isNew) => {
    setConnection(isLive);
    if (!isLive || (isSynchronized && !isNew)) return;
    synchronize().then(() => {
      if (isFirst && location.hash) followLink();
      isFirst = false;
    }, (error) => tell(error.message));
  });
}

start();
