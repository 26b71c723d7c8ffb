// What the page knows: requests, contracts, state. Only this part changes it, and then says what
// must be drawn again.

const rowCountMax = 5000;
/** How many requests are fetched when the page opens. */
const fetchedCountMax = 1000;

const model = {
  /** Requests by arrival; at most `rowCountMax`. */
  rows: [],
  rowsByKey: new Map(),
  upstreams: [],
  contracts: [],
  contractsByID: new Map(),
  scenarios: [],
  mode: "fake",
  /** Whether the server asks live APIs and writes contracts. */
  records: false,
  /** Whether the server writes contracts that are made here. */
  saves: false,
  /** Whether it is recording for clients, and whether they may start it. */
  recording: { status: "neverStarted", mayStart: false },
  sessions: [],
  state: {},
  /** How many requests each case has served, by contract and case. */
  counts: new Map(),
  /** Requests up to this number were in the counts that the server gave. */
  countedUntil: 0,
  selectedRow: null,
  selectedContract: null,
  /** What the drawer shows: "request", "contract" or nothing. */
  drawer: null,
};

const contractOf = (id) => model.contractsByID.get(id) ?? null;
const selectedContract = () => contractOf(model.selectedContract);
const countOf = (id, name) => model.counts.get(id)?.get(name) ?? 0;
const totalOf = (id) => [...(model.counts.get(id)?.values() ?? [])].reduce((sum, one) => sum + one, 0);

function count(id, name, times) {
  if (!model.counts.has(id)) model.counts.set(id, new Map());
  model.counts.get(id).set(name, countOf(id, name) + times);
}

/** Whether a contract serves a case where nothing else decides. */
const isServed = (contract, name) => name === contract.case && contract.mode === "fake";
/** Whether somebody has chosen its case. */
const isForced = (contract) => contract.reason === "hand" && contract.mode === "fake";
const forcedContracts = () => model.contracts.filter(isForced);
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
    row.text = row.kind = null;
  } else {
    row = { key, entry, isChanged: true, view: null, text: null, kind: null };
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
  if (model.selectedRow && !model.rowsByKey.has(model.selectedRow.key)) {
    model.selectedRow = null;
    if (model.drawer === "request") model.drawer = null;
  }
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

let synchronization = null;

/** Fetches everything, once at a time. Events that come meanwhile are taken afterwards. */
function synchronize() {
  synchronization ??= fetchAll().finally(() => synchronization = null);
  return synchronization;
}

async function fetchAll() {
  isSyncing = true;
  isSynchronized = false;
  try {
    const [{ state }, journal, held, served, sessions] = await Promise.all([
      ask("GET", "/state"), ask("GET", `/journal?limit=${fetchedCountMax}`),
      ask("GET", "/held"), ask("GET", "/journal/served"), ask("GET", "/sessions"),
      refreshContracts(),
    ]);
    takeState(state);
    const waiting = new Set(held.held.map((response) => keyOf(response.request)));
    for (const entry of journal.requests) {
      takeEntry(entry, true);
      waiting.add(keyOf(entry));
    }
    // How those ended that the server does not know is not known to anybody.
    for (const row of model.rows) {
      if (isOpen(row.entry) && !waiting.has(row.key)) takeEntry({ ...row.entry, outcome: "lost" });
    }
    model.rows.forEach(measure);
    clearProblem();
    model.sessions = sessions.sessions;
    model.countedUntil = served.sequence;
    model.counts.clear();
    for (const one of served.cases) count(one.contract, one.case, one.count);
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

let fetchDuration = 0;
/** Which fetch of the contracts was the last: an earlier one may come later. */
let fetchNumber = 0;
let fetchedNumber = 0;

async function refreshContracts() {
  const number = fetchNumber += 1;
  const start = performance.now();
  const response = await ask("GET", "/contracts");
  fetchDuration = performance.now() - start;
  if (number < fetchedNumber) return;
  fetchedNumber = number;
  model.upstreams = response.upstreams;
  model.contracts = response.contracts;
  model.contractsByID = new Map(response.contracts.map((one) => [one.id, one]));
  for (const row of model.rows) {
    row.isChanged = true;
    row.text = row.kind = null;
  }
  areUndrawnStale = false;
  model.scenarios = response.scenarios;
  model.mode = response.mode;
  model.records = response.records;
  model.saves = response.saves;
  model.recording = response.recording;
  draw("contracts", "detail", "header", "requests");
}

function takeState(state) {
  model.state = state;
  draw("detail");
}

/** Shows what the server says of one contract after a change. */
function takeContract(contract) {
  if (!model.contractsByID.has(contract?.id)) return;
  // A list that is on its way may be older.
  if (fetchNumber > fetchedNumber) refreshSoon(50);
  model.contractsByID.set(contract.id, contract);
  model.contracts = [...model.contractsByID.values()];
  drawAtOnce("contracts", "detail", "header");
}

/** Does something a while from now, and no more than once, however often it is wanted before. */
function laterOnce(work) {
  let [timer, due] = [null, Infinity];
  return (milliseconds) => {
    const wanted = performance.now() + milliseconds;
    if (wanted >= due) return;
    due = wanted;
    clearTimeout(timer);
    timer = setTimeout(() => {
      due = Infinity;
      work();
    }, milliseconds);
  };
}

const refresh = laterOnce(() => refreshContracts().catch(() => {}));
/** Fetching many contracts takes time, which is at most a tenth of all. */
const refreshSoon = (milliseconds) => refresh(Math.max(milliseconds, 10 * fetchDuration));

// Scripts and conditions move on with requests: which case is in force is asked of the contracts that are
// drawn or open, a few at once, and of the others when they are drawn.
const dueContracts = new Set();
const askedAtOnceMax = 20;
let areUndrawnStale = false;

const refreshDueContracts = laterOnce(async () => {
  const ids = [...dueContracts].slice(0, askedAtOnceMax);
  for (const id of ids) dueContracts.delete(id);
  if (dueContracts.size) refreshDueContracts(1000);
  for (const id of ids) {
    try {
      takeContract(await ask("GET", contractPath(id)));
    } catch {
      refreshSoon(50);
    }
  }
});

function refreshContractSoon(id, milliseconds) {
  if (contractViews.has(id) || id === model.selectedContract) {
    dueContracts.add(id);
    refreshDueContracts(milliseconds);
  } else {
    areUndrawnStale = true;
  }
}

/** Somebody has chosen what a contract serves, which is said even of one that is not drawn. */
function takeSteering({ contract }) {
  if (contractViews.has(contract)) refreshContractSoon(contract, 20);
  else refreshSoon(50);
}

const takers = {
  request(entry) {
    measure(takeEntry(entry));
    if (entry.contract && entry.sequence > model.countedUntil) {
      count(entry.contract, entry.case, 1);
      draw("contracts", "detail");
    }
    if (entry.session && !model.sessions.includes(entry.session)) {
      model.sessions.push(entry.session);
      draw("header");
    }
    if (entry.unmatched) announce(`unmatched: ${entry.method} ${entry.path}`);
    if (entry.contract) refreshContractSoon(entry.contract, entry.reason === "default" ? 1000 : 100);
  },
  held(response) {
    takeEntry(response.request);
    announce(`held: ${response.request.method} ${response.request.path}`);
  },
  callback({ session: ofSession, sequence, place, callback }) {
    const row = model.rows.findLast(({ entry }) =>
      entry.sequence === sequence && entry.session === ofSession);
    if (!row?.entry.callbacks) return;
    const callbacks = row.entry.callbacks.with(place, callback);
    takeEntry({ ...row.entry, callbacks });
    announce(`callback ${callback.name}: ${endOfCallback(callback)}`);
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
  choice: takeSteering,
  hold: takeSteering,
  script: takeSteering,
  rejected({ message, diagnostics: [first] }) {
    const place = first ? `\n${first.file}:${first.line}: ${first.message}` : "";
    standingProblem = `The contracts were not reloaded: ${message}${place}`;
    setText(byID("notice"), standingProblem);
  },
  reloaded() {
    clearProblem();
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
