// Draws what has changed, at most 20 times a second, and starts everything.

const drawers = {
  header: drawHeader, contracts: drawContracts, requests: drawRequests, detail: drawDrawer,
};
const drawingInterval = 50;

function drawDrawer() {
  const contract = selectedContract();
  if (model.drawer === "contract" && !contract) model.drawer = null;
  byID("drawer").hidden = !model.drawer;
  byID("detail").hidden = model.drawer !== "request";
  byID("contract").hidden = model.drawer !== "contract";
  if (model.drawer === "contract") drawContractDrawer();
  else void drawRequestDrawer();
}

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
    drawers[part]();
    dueAt[part] = now + drawingInterval;
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
  if (kindsShown.size) link.set("kinds", [...kindsShown].join());
  if (byID("grouping").value !== "time") link.set("group", byID("grouping").value);
  const text = link.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname);
}

function followLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const number = Number(link.get("request"));
  const row = number ? model.rows.findLast((row) => row.entry.sequence === number) : null;
  byID("request-filter").value = link.get("filter") ?? "";
  kindsShown.clear();
  for (const kind of (link.get("kinds") ?? "").split(",")) if (kinds[kind]) kindsShown.add(kind);
  byID("grouping").value = link.get("group") === "contract" ? "contract" : "time";
  model.selectedRow = row ?? null;
  model.selectedContract = link.get("contract") ?? row?.entry.contract ?? null;
  model.drawer = row ? "request" : model.selectedContract ? "contract" : null;
  isContractSought = true;
  drawRequests();
  if (row && lines.includes(row)) showRow(row);
  draw("detail", "contracts");
}

// MARK: Start

function start() {
  makeHelp();
  byID("contract-filter").oninput = () => draw("contracts");
  for (const id of ["request-filter", "grouping"]) {
    byID(id).addEventListener("input", () => {
      draw("requests");
      saveLink();
    });
  }
  byID("list").addEventListener("scroll", () => requestAnimationFrame(drawScrolled), { passive: true });
  new ResizeObserver(() => draw("requests")).observe(byID("list"));
  new IntersectionObserver(([seen]) => seen.isIntersecting && drawMoreContracts())
    .observe(byID("more-contracts"));
  byID("more-contracts").onclick = drawMoreContracts;
  byID("drawer-close").onclick = closeDrawer;
  document.querySelector(".skip").onclick = (event) => {
    event.preventDefault();
    byID("requests").focus();
  };
  byID("reset").onclick = resetAll;
  byID("recording").onclick = openRecorder;
  byID("recorder-start").onclick = startRecording;
  byID("recorder-now").onclick = takeSnapshot;
  for (const id of ["recorder-upstream", "recorder-url"]) onEnter(byID(id), startRecording);
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
  byID("editor").oncancel = (event) => mayLoseText() || event.preventDefault();
  byID("editor-text").onpointerdown = hideCompletions;
  byID("editor-text").onkeydown = takeEditorKey;
  byID("editor-text").oninput = takeEditorInput;
  byID("editor-text").onblur = hideCompletions;
  byID("editor-upstream").oninput = byID("editor-name").oninput = () => {
    drawEditorNote();
    checkSoon(400);
  };
  onChoice(byID("server-mode"), () => setMode("/mode", byID("server-mode").value));
  onChoice(byID("session"), () => {
    const name = byID("session").value;
    location.assign(`${sessionPath(name)}/__understudy/`);
  }, true);
  for (const node of document.querySelectorAll("dialog .close")) {
    const dialog = node.closest("dialog");
    node.onclick = () => (dialog.id !== "editor" || mayLoseText()) && dialog.close();
  }
  window.addEventListener("hashchange", followLink);
  setInterval(drawChart, 1000);
  draw("header", "contracts", "requests", "detail");
  let isFirst = true;
  listen(takeEvent, (isFollowing, isNew) => {
    setConnection(isFollowing);
    if (!isFollowing || (isSynchronized && !isNew)) return;
    synchronize().then(() => {
      if (isFirst && location.hash) followLink();
      isFirst = false;
    }, (error) => tell(error.message));
  });
}

start();
