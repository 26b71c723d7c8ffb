// What the page knows: requests, contracts, state. Only this part changes it, and then says what
// must be drawn again.

const rowCountMax = 1000;

const model = {
  /** Requests by arrival; at most `rowCountMax`. */
  rows: [],
  rowsByKey: new Map(),
  upstreams: [],
  contracts: [],
  scenarios: [],
  mode: "fake",
  /** Whether the server asks live APIs and writes contracts. */
  records: false,
  /** Whether the server writes contracts that are made here. */
  saves: false,
  sessions: [],
  state: {},
  /** How many requests each case has served, by `contract#case`. */
  counts: new Map(),
  /** Requests up to this number were in the counts that the server gave. */
  countedUntil: 0,
  selectedRow: null,
  selectedContract: null,
};

const contractOf = (id) => model.contracts.find((contract) => contract.id === id) ?? null;
const selectedContract = () => contractOf(model.selectedContract);
const countOf = (contract, name) => model.counts.get(`${contract.id}#${name}`) ?? 0;
const isOpen = (entry) => entry.outcome === "underWay" || entry.outcome === "held";

// MARK: Requests

/** A restarted server counts from one again, so the time is part of a request's identity. */
const keyOf = (entry) => `${entry.time} ${entry.sequence}`;

/**
 * Adds a request, or what is new about one.
 * A snapshot of the request log may be older than an event that has come before it.
 */
function takeEntry(entry, isSnapshot = false) {
  const key = keyOf(entry);
  let row = model.rowsByKey.get(key);
  if (row) {
    if (isSnapshot && !isOpen(row.entry)) return row;
    row.entry = entry;
    row.isChanged = true;
  } else {
    row = { key, entry, isChanged: true, view: null };
    let index = model.rows.length;
    while (index > 0 && isAfter(model.rows[index - 1].entry, entry)) index -= 1;
    model.rows.splice(index, 0, row);
    model.rowsByKey.set(key, row);
    if (model.rows.length > rowCountMax) {
      const removed = model.rows.shift();
      model.rowsByKey.delete(removed.key);
    }
  }
  draw("requests");
  if (row === model.selectedRow) draw("detail");
  return row;
}

const isAfter = (one, other) =>
  one.time === other.time ? one.sequence > other.sequence : one.time > other.time;

function clearRows(ofSession) {
  model.rows = model.rows.filter((row) => {
    const stays = ofSession !== undefined && row.entry.session !== ofSession;
    if (!stays) model.rowsByKey.delete(row.key);
    return stays;
  });
  if (model.selectedRow && !model.rowsByKey.has(model.selectedRow.key)) model.selectedRow = null;
  draw("requests", "detail");
}

function heldRows() {
  return model.rows.filter((row) => row.entry.outcome === "held");
}

// MARK: Following the server

let isSyncing = false;
/** Whether everything was fetched, and followed since. */
let isSynchronized = false;
let waitingEvents = [];
const syncInterval = 1000;
let syncTimer = null;
let syncedAt = -syncInterval;

/** Resets come in floods; everything is fetched at most once a second. */
function synchronizeSoon() {
  syncTimer ??= setTimeout(() => {
    syncTimer = null;
    if (isSyncing) synchronizeSoon();
    else synchronize().catch(() => {});
  }, Math.max(0, syncedAt + syncInterval - performance.now()));
}

/** Fetches everything. Events that come meanwhile are taken afterwards. */
async function synchronize() {
  if (isSyncing) return;
  isSyncing = true;
  isSynchronized = false;
  try {
    const [{ state }, journal, held, served, sessions] = await Promise.all([
      ask("GET", "/state"), ask("GET", `/journal?limit=${rowCountMax}`),
      ask("GET", "/held"), ask("GET", "/journal/served"), ask("GET", "/sessions"),
      refreshContracts(),
    ]);
    takeState(state);
    const waiting = new Set(held.held.map((response) => keyOf(response.request)));
    for (const row of heldRows()) {
      if (!waiting.has(row.key)) takeEntry({ ...row.entry, outcome: "lost" });
    }
    for (const entry of journal.requests) takeEntry(entry, true);
    model.sessions = sessions.sessions;
    model.countedUntil = served.sequence;
    model.counts.clear();
    for (const one of served.cases) model.counts.set(`${one.contract}#${one.case}`, one.count);
    isSynchronized = true;
    draw("contracts", "header");
  } finally {
    isSyncing = false;
    syncedAt = performance.now();
    const events = waitingEvents;
    waitingEvents = [];
    for (const [name, data] of events) takeEvent(name, data);
  }
}

async function refreshContracts() {
  const response = await ask("GET", "/contracts");
  model.upstreams = response.upstreams;
  model.contracts = response.contracts;
  model.scenarios = response.scenarios;
  model.mode = response.mode;
  model.records = response.records;
  model.saves = response.saves;
  draw("contracts", "script", "state", "header", "requests");
}

function takeState(state) {
  model.state = state;
  draw("state");
}

/** Shows what the server says of one contract after a change. */
function takeContract(contract) {
  if (!contract?.id) return;
  const index = model.contracts.findIndex((other) => other.id === contract.id);
  if (index >= 0) model.contracts[index] = contract;
  drawAtOnce("contracts", "script");
}

// Scripts and conditions move on with requests: which case is in force is asked at most once a second.
let refreshTimer = null;
let refreshDue = Infinity;
function refreshSoon(milliseconds) {
  const due = performance.now() + milliseconds;
  if (due >= refreshDue) return;
  refreshDue = due;
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(() => {
    refreshDue = Infinity;
    refreshContracts().catch(() => {});
  }, milliseconds);
}

const takers = {
  request(entry) {
    takeEntry(entry);
    measure(entry);
    if (entry.contract && entry.sequence > model.countedUntil) {
      const name = `${entry.contract}#${entry.case}`;
      model.counts.set(name, (model.counts.get(name) ?? 0) + 1);
      draw("contracts");
    }
    if (entry.session && !model.sessions.includes(entry.session)) {
      model.sessions.push(entry.session);
      draw("header");
    }
    if (entry.unmatched) announce(`unmatched: ${entry.method} ${entry.path}`);
    if (entry.contract) refreshSoon(entry.reason === "default" ? 1000 : 100);
  },
  held(response) {
    takeEntry(response.request);
    announce(`held: ${response.request.method} ${response.request.path}`);
  },
  released(release) {
    announce(`released ${release.contract}`);
  },
  /** Without an upstream, all is forgotten; `null` forgets a name. */
  state(data) {
    if ((data.session ?? "") !== session) return;
    const state = data.upstream === null ? {} : { ...model.state };
    if (data.upstream !== null) {
      const values = Object.entries({ ...state[data.upstream], ...data.state });
      state[data.upstream] = Object.fromEntries(values.filter(([, value]) => value !== null));
    }
    takeState(state);
    refreshSoon(100);
  },
  reset(data) {
    clearRows(data.session);
    synchronizeSoon();
  },
  skipped: synchronizeSoon,
  rejected({ message, diagnostics: [first] }) {
    const place = first ? `\n${first.file}:${first.line}: ${first.message}` : "";
    standingProblem = `The contracts were not reloaded: ${message}${place}`;
    setText(byID("notice"), standingProblem);
  },
  reloaded() {
    standingProblem = "";
    setText(byID("notice"), "");
    refreshSoon(50);
  },
};

function takeEvent(name, data) {
  if (isSyncing) {
    if (name === "reset") clearRows(data.session);
    return waitingEvents.push([name, data]);
  }
  // All others say that something else may be served now.
  (takers[name] ?? (() => refreshSoon(50)))(data);
}
