// swift-format-ignore-file
// Written by ci/generate. To change it, edit FakeServer/Page and run that again.

enum ControlRoomPage {
  static let styleHash = "sha256-ShrL2sY0ZMw+S09k3j68dTNQFw5elJcyrwJnL6VBupE="
  static let scriptHash = "sha256-tmEZ4pMt6gbLR2YlOFToDhQy4ig+gp5n1ZepSQ6BEDw="

  static let html = #"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Control room · Understudy</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='6' cy='8' r='5' fill='%231c6537'/%3E%3Ccircle cx='11' cy='8' r='4' fill='none' stroke='%234b3c91' stroke-width='2'/%3E%3C/svg%3E">
<style>:root{color-scheme:light dark;--ground:#f7f6f3;--card:#fff;--line:#dedbd4;--text:#1f2328;--soft:#565d66;--code:#f2f1ed;--focus:#0a58ca;--well:#1c6537;--well-bg:#e4f3e9;--changed:#744900;--changed-bg:#fcf0d6;--drifting:#a8231b;--drifting-bg:#fcebe9;--out:#4b3c91;--out-bg:#ece9f8;--unasked:#555c65;--unasked-bg:#ecebe7}@media (prefers-color-scheme:dark){:root{--ground:#14161a;--card:#1b1e24;--line:#343942;--text:#e6e8eb;--soft:#a6aeb8;--code:#14161a;--focus:#8ab4ff;--well:#8fdba8;--well-bg:#16301f;--changed:#f3cf87;--changed-bg:#352a13;--drifting:#ffb4ab;--drifting-bg:#3d1e1b;--out:#cbc0ff;--out-bg:#282243;--unasked:#b3bbc5;--unasked-bg:#292d34}}*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}h1,h2,h3{font-weight:600;margin:0}p{margin:.25rem 0}code,pre,kbd{font:.8125rem/1.6 ui-monospace,"DejaVu Sans Mono",monospace}pre{background:var(--code);border:1px solid var(--line);border-radius:.5rem;overflow:auto}.note{color:var(--soft)}i{font-style:normal;font-weight:700}summary{cursor:pointer}:focus-visible{outline:3px solid var(--focus);outline-offset:1px}body{min-height:100vh;display:flex;flex-direction:column;font-size:.9375rem}h1{font-size:1.1rem}h1 span,.note{color:var(--soft);font-weight:400;font-size:.8125rem}h2{font-size:1rem}h3{font-size:.875rem;margin:.9rem 0 .2rem}ul,ol{margin:0;padding:0;list-style:none}dialog textarea,.request,.target,.played,td.time,.ms,#editor input{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.8125rem}pre{margin:.25rem 0;padding:.5rem .7rem;white-space:pre-wrap;max-height:22rem}a{color:var(--focus)}button,input,select,textarea{font-family:inherit;font-size:.875rem;line-height:1.4;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.4rem;padding:.2rem .55rem;min-height:1.75rem;max-width:100%}:root{--edge:#85898f}@media (prefers-color-scheme:dark){:root{--edge:#727985}}button{cursor:pointer}button:hover:enabled,tr:hover>*{background:var(--code)}button:disabled{opacity:.55;cursor:default}button[aria-pressed=true]{background:var(--text);border-color:var(--text);color:var(--ground)}button[aria-pressed=true] *,.cases button[aria-pressed=true] *{color:inherit}.scroll:focus-visible,tr button:focus-visible{outline-offset:-3px}[hidden]{display:none!important}kbd{border:1px solid var(--line);border-radius:.25rem;padding:0 .3rem;color:var(--soft)}button>kbd:last-child{margin-left:.35rem}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.skip{position:absolute;left:-999rem}.skip:focus{left:.5rem;top:.5rem;background:var(--card);padding:.5rem;z-index:2}header,#strip{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1rem;padding:.5rem 1rem}header .buttons{margin-left:auto}header label,.mode{font-size:.8125rem;color:var(--soft)}#connection{margin:0;font-size:.8125rem}.live i{color:var(--well)}.lost{color:var(--drifting)}#strip{padding:0 1rem .5rem;font-size:.8125rem;color:var(--soft);font-variant-numeric:tabular-nums}#strip p{margin:0;min-width:23rem}#strip svg{flex:1 1 10rem;height:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:.4rem}svg path{stroke:var(--out);stroke-width:2.4;opacity:.55}svg polyline{fill:none;stroke:var(--changed);stroke-width:1.5;vector-effect:non-scaling-stroke}#notice{margin:0 1rem .5rem;padding:.35rem .75rem;border-radius:.4rem;background:var(--drifting-bg);color:var(--drifting)}#notice:empty{display:none}.problem{color:var(--drifting);white-space:pre-line}main{flex:1;min-height:0;display:grid;gap:.75rem;padding:0 1rem 1rem;grid-template:minmax(14rem,1fr) auto / minmax(16rem,20rem) minmax(24rem,1fr) minmax(18rem,25rem);grid-template-areas:"contracts requests detail" "script state detail"}#contracts{grid-area:contracts}#requests{grid-area:requests}#detail{grid-area:detail}#script{grid-area:script}#state{grid-area:state}main>section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;min-width:0;min-height:0;display:flex;flex-direction:column;overflow:hidden}#detail,#script,#state{display:block;padding:.6rem .9rem;overflow:auto}.scroll{overflow:auto;flex:1;min-height:0}.bar{display:flex;flex-wrap:wrap;gap:.3rem .75rem;align-items:center;padding:.5rem .9rem;border-bottom:1px solid var(--line)}.bar input[type=search]{flex:1 1 6rem;min-width:0;width:6rem}.check{display:inline-flex;gap:.3rem;align-items:center;font-size:.8125rem;min-height:1.5rem}.check input{min-height:0;width:1.1rem;height:1.1rem;margin:0;accent-color:var(--focus)}.buttons{display:flex;flex-wrap:wrap;gap:.35rem;align-items:center;margin:.35rem 0}header .buttons{margin-block:0}#tree details{border-bottom:1px solid var(--line)}summary{padding:.4rem .9rem}.mode{display:block;padding:0 .9rem .4rem 1.9rem}.mode select,.panel select{font-size:.8125rem;min-height:1.5rem;padding-block:0}.contract{display:block;width:100%;text-align:left;border:0;border-top:1px solid var(--line);border-radius:0;padding:.4rem .9rem}.contract .request{display:block}.marks::before{content:"· "}.force,.marks{font-size:.8125rem;color:var(--soft)}.force .name{color:var(--text);font-weight:600}.marks span:not(:empty)+span:not(:empty)::before{content:" · "}.marks .held{color:var(--changed)}.selected>.contract{box-shadow:inset 3px 0 var(--focus);background:var(--code)}.panel{padding:.3rem .9rem .6rem;background:var(--code)}.cases button{display:grid;grid-template-columns:1.6rem 1fr auto 3rem;gap:.5rem;width:100%;align-items:baseline;text-align:left;margin:.2rem 0}.cases .count{text-align:right;font-size:.8125rem;color:var(--soft)}.kind{font-size:.8125rem;color:var(--soft)}.kind.malformed,.kind.slow{color:var(--changed)}.kind.broken{color:var(--drifting)}.kind.good{color:var(--well)}table{width:100%;border-collapse:collapse;table-layout:fixed}thead th{position:sticky;top:0;background:var(--card);text-align:left;font-size:.75rem;color:var(--soft);font-weight:500;padding:.25rem .5rem;box-shadow:0 1px var(--line)}tbody th,td{padding:.1rem .5rem;font-weight:400;text-align:left;vertical-align:top;border-top:1px solid var(--line);font-size:.8125rem;line-height:1.5rem}th.time{width:5.2rem}th.status{width:7.2rem}th.played{width:34%}th.ms,.ms{width:3.6rem;text-align:right}@container (max-width:46rem){th.played,td.played{display:none}}td.time,.played,.ms{color:var(--soft)}td.status{white-space:nowrap}.target{border:0;background:none;padding:0;text-align:left;width:100%;min-height:1.5rem;line-height:1.3}tr:hover .target{background:none}.miss .status{color:var(--changed)}.held .status{color:var(--out)}.broken .status{color:var(--drifting)}.miss>*{background:var(--changed-bg)}.held>*{background:var(--out-bg)}tr[aria-current]>*{background:var(--code)}tr[aria-current]>:first-child{box-shadow:inset 3px 0 var(--focus)}tr[aria-current] .target{font-weight:700}#empty,#addresses{padding:.5rem .9rem 0}.facts,#keys{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;margin:.4rem 0}dt{color:var(--soft)}dd{margin:0}.held-controls{background:var(--out-bg);padding:.4rem .6rem;border-radius:.5rem}.steps{display:flex;flex-wrap:wrap;gap:.3rem;counter-reset:step;margin:.3rem 0}.steps li{counter-increment:step}.steps li::before{content:counter(step) ". ";color:var(--soft)}.steps [aria-current]{font-weight:700;text-decoration:underline}#state-values li{margin:.2rem 0}#script,#state{max-height:14rem}#list{container-type:inline-size}#state .buttons input{width:7rem}#state .buttons select{max-width:9rem}dialog{width:min(46rem,calc(100vw - 2rem));color:var(--text);background:var(--card);border:1px solid var(--edge);border-radius:.75rem;padding:1rem 1.25rem}#help,#token{width:min(30rem,calc(100vw - 2rem))}dialog::backdrop{background:#0008}dialog label{display:block;margin:.4rem 0}dialog .check{display:flex}dialog input:not([type=checkbox]),textarea{width:100%}@media (min-width:70rem){body{height:100vh}}@media (max-width:69.99rem){main{grid-template:auto / 1fr 1.4fr;grid-template-areas:"contracts requests" "contracts detail" "script state"}#list,#tree{max-height:28rem}#tree{max-height:none}}@media (max-width:48rem){main{grid-template:auto / 1fr;padding:0 .5rem .5rem;grid-template-areas:"requests" "detail" "contracts" "script" "state"}header,#strip{padding-inline:.75rem}#strip p{min-width:0}header .buttons{margin-left:0}th.time,td.time{display:none}th.status{width:6.5rem}th.ms,.ms{width:3.5rem}#script,#state{max-height:none}}@media (prefers-reduced-motion:no-preference){button,summary{transition:background .12s}}@media (forced-colors:active){button[aria-pressed=true]{outline:2px solid}}</style>
</head>
<body>
<a class="skip" href="#requests">Skip to the requests</a>
<header>
<h1>Understudy <span id="place"></span></h1>
<p id="connection" role="status"><i aria-hidden="true">○</i> <span>connecting</span></p>
<label>Session <select id="session"></select></label>
<label>Server mode <select id="server-mode"></select></label>
<div class="buttons">
<button type="button" id="reset">Reset</button>
<button type="button" id="help-button">Keys <kbd>?</kbd></button>
</div>
</header>
<section id="strip" aria-label="Requests per second and time to answer">
<p id="strip-words"></p>
<svg viewBox="0 0 240 24" preserveAspectRatio="none" aria-hidden="true">
<path id="strip-bars"/><polyline id="strip-line"/></svg>
</section>
<p id="notice" role="alert"></p>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>
<main>
<section id="contracts" aria-labelledby="contracts-title">
<div class="bar">
<h2 id="contracts-title">Contracts</h2>
<input type="search" id="contract-filter" aria-label="Filter contracts" placeholder="filter">
</div>
<div id="tree" class="scroll" tabindex="-1"></div>
</section>
<section id="requests" aria-labelledby="requests-title" tabindex="-1">
<div class="bar">
<h2 id="requests-title">Requests</h2>
<input type="search" id="request-filter" aria-label="Filter requests" placeholder="filter  /">
<label class="check"><input type="checkbox" id="only-misses"> misses</label>
<label class="check"><input type="checkbox" id="only-held"> held</label>
<span id="shown" class="note"></span>
</div>
<div id="list" class="scroll" role="region" aria-label="List of requests" tabindex="0">
<table>
<caption class="unseen">Requests, newest last</caption>
<thead><tr><th scope="col" class="time">Time</th><th scope="col">Request</th>
<th scope="col" class="status">Answer</th><th scope="col" class="played">Case</th>
<th scope="col" class="ms">ms</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<p id="empty" class="note">No requests yet. Give your app one of these base URLs:</p>
<ul id="addresses" class="note"></ul>
</div>
</section>
<section id="detail" aria-labelledby="detail-title" class="scroll" tabindex="0">
<h2 id="detail-title" tabindex="-1">Detail</h2>
<div id="detail-body"><p class="note">Choose a request to see what came, what it got, and why.</p></div>
</section>
<section id="script" aria-labelledby="script-title">
<h2 id="script-title">Script</h2>
<p id="script-none" class="note">Choose a contract to play its cases in turn.</p>
<div id="script-parts" hidden>
<p><code id="script-contract"></code></p>
<div id="script-running" hidden>
<ol id="script-played" class="steps"></ol>
<p class="buttons"><span id="script-progress" class="note"></span>
<button type="button" id="script-stop">Stop</button></p>
</div>
<ol id="script-steps" class="steps" aria-label="Steps of the new script"></ol>
<div class="buttons"><button type="button" id="script-start" disabled>Start</button>
<span id="script-named" class="buttons"></span></div>
<div id="script-cases" class="buttons" role="group" aria-label="Add a step"></div>
</div>
</section>
<section id="state" aria-labelledby="state-title">
<h2 id="state-title">State</h2>
<ul id="state-values"></ul>
<div class="buttons">
<select id="state-upstream" aria-label="Upstream"></select>
<input id="state-name" placeholder="name" aria-label="Name" autocomplete="off">
<input id="state-value" placeholder="value" aria-label="Value" autocomplete="off">
<button type="button" id="state-set">Set</button>
<button type="button" id="state-clear">Clear all</button>
</div>
</section>
</main>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl id="keys"></dl>
<label class="check"><input type="checkbox" id="keys-on" checked> single keys act</label>
<div class="buttons"><button type="button" class="close">Close</button></div>
</dialog>
<dialog id="token" aria-labelledby="token-title">
<h2 id="token-title">Admin token</h2>
<p id="token-text"></p>
<label>Token <input type="password" id="token-input" autocomplete="off" spellcheck="false"></label>
<div class="buttons"><button type="button" id="token-use">Use it</button></div>
</dialog>
<dialog id="editor" aria-labelledby="editor-title">
<h2 id="editor-title">Contract</h2>
<p class="note">It answers in this session until a reset, before those of files.</p>
<label>Upstream <input id="editor-upstream" autocomplete="off" spellcheck="false"></label>
<label>Name <input id="editor-name" autocomplete="off" spellcheck="false"></label>
<label>Contract <textarea id="editor-text" rows="16" spellcheck="false"></textarea></label>
<p id="editor-problem" class="problem" role="alert"></p>
<div class="buttons">
<button type="button" id="editor-play">Play it</button>
<button type="button" id="editor-save">Play and save to a file</button>
<button type="button" class="close">Close</button>
</div>
</dialog>
<dialog id="copy" aria-labelledby="copy-title">
<h2 id="copy-title">Copy this</h2>
<textarea id="copy-text" rows="10" readonly aria-labelledby="copy-title"></textarea>
<div class="buttons"><button type="button" class="close">Close</button></div>
</dialog>
<script type="module">const byID = (id) => document.getElementById(id);
function element(name, properties = {}, ...children) {const made = document.createElement(name);
for (const [key, value] of Object.entries(properties)) {if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
else made[key] = value;
}
made.append(...children.flat().filter((child) => child !== null && child !== undefined));
return made;
}
const button = (text, onclick, properties = {}) =>
element("button", { type: "button", onclick, ...properties }, text);
function onEnter(input, work) {input.addEventListener("keydown", (event) => {if (event.key === "Enter") work();
});
}
function setText(node, text) {if (node.textContent !== text) node.textContent = text;
}
function fillSelect(select, options, value) {const wanted = JSON.stringify(options);
if (select.dataset.options !== wanted) {select.dataset.options = wanted;
select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
}
if (select.value !== value) select.value = value;
}
function tell(text) {setText(byID("notice"), text);
}
async function act(work) {tell("");
try {return await work();
} catch (error) {tell(error.message);
}
}
const copyText = (text) => act(async () => {try {await navigator.clipboard.writeText(text);
announce("copied");
} catch {byID("copy-text").value = text;
byID("copy").showModal();
byID("copy-text").select();
}
});
let announcements = [];
function announce(text) {announcements.push(text);
if (announcements.length > 1) return;
setTimeout(() => {const rest = announcements.length - 1;
byID("announcer").textContent = announcements[0] + (rest > 0 ? `, and ${rest} more` : "");
announcements = [];
}, 1000);
}
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const base = location.pathname.replace(/\/+$/, "");
const sessionPrefix = base.slice(0, base.lastIndexOf("/"));
const session = decodeURIComponent(sessionPrefix.replace(/^\/~/, ""));
let token = null;
class Problem extends Error {constructor(status, problem) {const findings = (problem.diagnostics ?? []).map((one) =>
`${one.line ? `line ${one.line}: ` : ""}${one.message}${one.fix ? `; fix: ${one.fix}` : ""}`);
const fix = problem.fix && !findings.length ? `; fix: ${problem.fix}` : "";
super(findings.join("\n") || (problem.detail ?? `the server answered ${status}`) + fix);
this.status = status;
}
}
async function fetchWithToken(path, options = {}) {for (;;) {const sent = token;
const headers = { ...options.headers, ...(sent && { Authorization: `Bearer ${sent}` }) };
const response = await fetch(base + path, { cache: "no-store", ...options, headers });
if (response.status !== 401) return response;
if (token === sent) await askForToken(sent !== null);
}
}
let tokenQuestion = null;
function askForToken(wasWrong) {if (tokenQuestion) return tokenQuestion.promise;
tokenQuestion = Promise.withResolvers();
byID("token-text").textContent = wasWrong
? "The server does not know this token."
: "The server asks for the token it was started with. It is kept until this page is closed.";
byID("token").showModal();
return tokenQuestion.promise;
}
function useToken() {const input = byID("token-input");
if (!input.value) return;
token = input.value;
input.value = "";
byID("token").close();
tokenQuestion.resolve();
tokenQuestion = null;
}
async function askForText(method, path, body) {const text = typeof body === "string" ? body : body && JSON.stringify(body);
const response = await fetchWithToken(path, { method, body: text });
const answer = await response.text();
if (!response.ok) throw new Problem(response.status, answer ? JSON.parse(answer) : {});
return answer;
}
async function ask(method, path, body) {const answer = await askForText(method, path, body);
return answer ? JSON.parse(answer) : null;
}
const contractPath = (id, rest = "") =>
`/contracts/${id.split("/").map(encodeURIComponent).join("/")}${rest}`;
async function listen(take, setStatus) {const silenceMax = 40_000;
let lastID = null;
let pause = 250;
for (;;) {const abort = new AbortController();
let watchdog;
try {const response = await fetchWithToken("/events", {headers: lastID ? { "Last-Event-ID": lastID } : {}, signal: abort.signal,});
if (!response.ok) throw new Problem(response.status, {});
setStatus(true, lastID === null);
const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
let rest = "";
for (;;) {clearTimeout(watchdog);
watchdog = setTimeout(() => abort.abort(), silenceMax);
const { value, done } = await reader.read();
if (done) break;
pause = 250;
const blocks = (rest + value).split("\n\n");
rest = blocks.pop();
for (const block of blocks) {const event = readEvent(block);
if (!event) continue;
lastID = event.id;
take(event.name, event.data);
}
}
} catch {}
clearTimeout(watchdog);
setStatus(false);
await new Promise((resolve) => setTimeout(resolve, pause));
pause = Math.min(pause * 2, 4000);
}
}
function readEvent(block) {const fields = {};
for (const line of block.split("\n")) {const colon = line.indexOf(": ");
if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
}
return fields.event
? { id: fields.id, name: fields.event, data: JSON.parse(fields.data) } : null;
}
const rowCountMax = 1000;
const model = {rows: [],rowsByKey: new Map(),upstreams: [],contracts: [],mode: "fake",records: false,sessions: [],state: {},counts: new Map(),countedUntil: 0,selectedRow: null,selectedContract: null,};
const contractOf = (id) => model.contracts.find((contract) => contract.id === id) ?? null;
const selectedContract = () => contractOf(model.selectedContract);
const countOf = (contract, name) => model.counts.get(`${contract.id}#${name}`) ?? 0;
const isOpen = (entry) => entry.outcome === "underWay" || entry.outcome === "held";
const keyOf = (entry) => `${entry.time} ${entry.sequence}`;
function takeEntry(entry, isSnapshot = false) {const key = keyOf(entry);
let row = model.rowsByKey.get(key);
if (row) {if (isSnapshot && !isOpen(row.entry)) return row;
row.entry = entry;
row.isChanged = true;
} else {row = { key, entry, isChanged: true, view: null };
let index = model.rows.length;
while (index > 0 && isAfter(model.rows[index - 1].entry, entry)) index -= 1;
model.rows.splice(index, 0, row);
model.rowsByKey.set(key, row);
if (model.rows.length > rowCountMax) {const removed = model.rows.shift();
model.rowsByKey.delete(removed.key);
}
}
draw("requests");
if (row === model.selectedRow) draw("detail");
return row;
}
const isAfter = (one, other) =>
one.time === other.time ? one.sequence > other.sequence : one.time > other.time;
function clearRows(ofSession) {model.rows = model.rows.filter((row) => {const stays = ofSession !== undefined && row.entry.session !== ofSession;
if (!stays) model.rowsByKey.delete(row.key);
return stays;
});
draw("requests");
}
function heldRows() {return model.rows.filter((row) => row.entry.outcome === "held");
}
let isSyncing = false;
let isSynchronized = false;
let waitingEvents = [];
async function synchronize() {if (isSyncing) return;
isSyncing = true;
isSynchronized = false;
try {const [, , journal, held, played, sessions] = await Promise.all([
refreshContracts(), refreshState(), ask("GET", `/journal?limit=${rowCountMax}`),ask("GET", "/held"), ask("GET", "/journal/played"), ask("GET", "/sessions"),]);
const waiting = new Set(held.held.map((answer) => keyOf(answer.request)));
for (const row of heldRows()) {if (!waiting.has(row.key)) takeEntry({ ...row.entry, outcome: "lost" });
}
for (const entry of journal.requests) takeEntry(entry, true);
model.sessions = sessions.sessions;
model.countedUntil = played.sequence;
model.counts.clear();
for (const one of played.cases) model.counts.set(`${one.contract}#${one.case}`, one.count);
isSynchronized = true;
draw("contracts", "header");
} finally {isSyncing = false;
const events = waitingEvents;
waitingEvents = [];
for (const [name, data] of events) takeEvent(name, data);
}
}
async function refreshContracts() {const answer = await ask("GET", "/contracts");
model.upstreams = answer.upstreams;
model.contracts = answer.contracts;
model.mode = answer.mode;
model.records = answer.records;
draw("contracts", "script", "state", "header", "requests");
}
async function refreshState() {model.state = (await ask("GET", "/state")).state;
draw("state");
}
function takeContract(contract) {if (!contract?.id) return;
const index = model.contracts.findIndex((other) => other.id === contract.id);
if (index >= 0) model.contracts[index] = contract;
drawAtOnce("contracts", "script");
}
let refreshTimer = null;
function refreshSoon(milliseconds) {refreshTimer ??= setTimeout(() => {refreshTimer = null;
refreshContracts().catch(() => {});
}, milliseconds);
}
const takers = {request(entry) {takeEntry(entry);
measure(entry);
if (entry.contract && entry.sequence > model.countedUntil) {const name = `${entry.contract}#${entry.case}`;
model.counts.set(name, (model.counts.get(name) ?? 0) + 1);
draw("contracts");
}
if (entry.session && !model.sessions.includes(entry.session)) {model.sessions.push(entry.session);
draw("header");
}
if (entry.unmatched) announce(`miss: ${entry.method} ${entry.path}`);
if (entry.contract) refreshSoon(entry.reason === "default" ? 1000 : 100);
},held(answer) {takeEntry(answer.request);
announce(`held: ${answer.request.method} ${answer.request.path}`);
},released(release) {announce(`released ${release.contract}`);
},state() {refreshState().catch(() => {});
refreshSoon(100);
},reset(data) {clearRows(data.session);
synchronize().catch(() => {});
},skipped() {synchronize().catch(() => {});
},rejected(data) {tell(`not reloaded: ${data.message}`);
},reloaded() {tell("");
refreshSoon(50);
},};
function takeEvent(name, data) {if (isSyncing) return waitingEvents.push([name, data]);
(takers[name] ?? (() => refreshSoon(50)))(data);
}
const kindSigns = { good: "✓", malformed: "≈", slow: "◷", broken: "✗" };
const modes = ["fake", "live", "off"];
const contractViews = new Map();
const upstreamViews = new Map();
let isContractSought = false;
function inForce(contract) {if (contract.mode === "off") return { name: "off", why: "the mode: connections are reset" };
if (contract.mode === "live") return { name: "live", why: "the mode: the live API answers" };
const name = contract.case ?? "by request";
const why = reasons[contract.reason] ?? "each request decides";
const { script } = contract;
if (!script || contract.reason !== "script") return { name, why };
const step = Math.min(script.played + 1, script.cases.length);
return { name, why: `${why}, step ${step} of ${script.cases.length}` };
}
function drawContracts() {const wanted = byID("contract-filter").value.toLowerCase();
const shown = [];
for (const upstream of model.upstreams) {const contracts = model.contracts.filter((one) => one.id.startsWith(`${upstream.name}/`));
const matching = contracts.filter((one) =>
`${one.id} ${one.method} ${one.path} ${one.summary ?? ""}`.toLowerCase().includes(wanted));
if (wanted && !matching.length) continue;
shown.push(drawUpstream(upstream, contracts, matching));
}
reorder(byID("tree"), shown);
for (const id of contractViews.keys()) if (!contractOf(id)) contractViews.delete(id);
if (isContractSought) {isContractSought = false;
contractViews.get(model.selectedContract)?.item.scrollIntoView({ block: "nearest" });
}
}
function reorder(parent, children) {const wanted = new Set(children);
for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
children.forEach((child, index) => {if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
});
}
function drawUpstream(upstream, contracts, matching) {let view = upstreamViews.get(upstream.name);
if (!view) {const [name, note] = [element("b"), element("span", { className: "note" })];
const mode = element("select", {onchange: () => setMode(`/upstreams/${encodeURIComponent(upstream.name)}/mode`, mode.value),});
mode.setAttribute("aria-label", `Mode of ${upstream.name}`);
const list = element("ul");
const box = element("details", { open: true }, element("summary", {}, name, " ", note),element("label", { className: "mode" }, "mode ", mode), list);
view = { name, note, mode, list, box };
upstreamViews.set(upstream.name, view);
}
const never = contracts.flatMap((one) => one.cases.filter((played) => !countOf(one, played.name)));
setText(view.name, upstream.name);
setText(view.note,`${counted(contracts.length, "contract")}, ${counted(never.length, "case")} never asked`);
fillSelect(view.mode, [...modes.map((mode) => [mode, mode]), ["", "as the server"]], upstream.mode);
reorder(view.list, matching.map(drawContract));
return view.box;
}
function drawContract(contract) {let view = contractViews.get(contract.id);
if (!view) {view = makeContractView(contract.id);
contractViews.set(contract.id, view);
}
const isSelected = contract.id === model.selectedContract;
const { name, why } = inForce(contract);
const count = contract.cases.reduce((sum, played) => sum + countOf(contract, played.name), 0);
setText(view.method, contract.method);
setText(view.path, contract.path);
setText(view.name, name);
setText(view.why, why);
setText(view.count, count ? `asked ${count}×` : "never asked");
setText(view.held, contract.held ? "‖ holds" : "");
setText(view.stub, contract.isStub ? "made here" : "");
view.select.setAttribute("aria-expanded", isSelected);
view.item.classList.toggle("selected", isSelected);
view.panel.hidden = !isSelected;
if (isSelected) drawCases(view, contract);
return view.item;
}
function makeContractView(id) {const view = {};
for (const name of ["method", "path", "name", "why", "count", "held", "stub"]) {view[name] = element("span", { className: name });
}
view.name.className = "name";
view.select = button("", () => selectContract(view.panel.hidden ? id : null),{ className: "contract" });
view.select.append(element("span", { className: "request" }, view.method, " ", view.path),element("span", { className: "force" }, view.name, " ", view.why, " "),element("span", { className: "marks" }, view.count, view.held, view.stub));
view.cases = element("ol", { className: "cases" });
view.hold = button("", () => toggleHold(id), { className: "hold" });
view.mode = element("select", { onchange: () => setMode(contractPath(id, "/mode"), view.mode.value) });
view.mode.setAttribute("aria-label", `Mode of ${id}`);
view.asDefault = button("By itself", () => chooseCase(id, null));
view.asDefault.append(element("kbd", {}, "0"));
view.summary = element("p", { className: "note" });
view.panel = element("div", { className: "panel", hidden: true }, view.summary,element("div", { className: "buttons" }, view.asDefault, view.hold,element("label", {}, "mode ", view.mode)), view.cases);
view.item = element("li", {}, view.select, view.panel);
return view;
}
function drawCases(view, contract) {setText(view.summary, `${contract.id}${contract.summary ? `: ${contract.summary}` : ""}`);
const names = JSON.stringify(contract.cases);
if (view.names !== names) {view.names = names;
view.buttons = contract.cases.map((played, index) => {const count = element("span", { className: "count" });
const node = button("", () => chooseCase(contract.id, played.name), { title: played.summary ?? "" });
node.append(index < 9 ? element("kbd", {}, `${index + 1}`) : element("span"),element("span", { className: "name" }, played.name),element("span", { className: `kind ${played.kind}` },`${kindSigns[played.kind]} ${played.kind} ${played.status ?? ""}`), count);
return { node, count, name: played.name };
});
view.cases.replaceChildren(...view.buttons.map((one) => element("li", {}, one.node)));
}
for (const { node, count, name } of view.buttons) {const times = countOf(contract, name);
node.setAttribute("aria-pressed", name === contract.case && contract.mode === "fake");
setText(count, times ? `${times}×` : "never");
}
setText(view.hold, contract.held ? "▶ Release all and hold no more" : "‖ Hold answers");
view.hold.setAttribute("aria-pressed", contract.held);
fillSelect(view.mode, [...modes.map((mode) => [mode, mode]), ["", "as the upstream"]],contract.mode);
}
function selectContract(id) {model.selectedContract = id;
drawAtOnce("contracts", "script");
saveLink();
}
const chooseCase = (id, name) => act(async () => {const path = contractPath(id, "/case");
takeContract(await (name === null ? ask("DELETE", path) : ask("PUT", path, { case: name })));
});
const toggleHold = (id) => act(async () => {takeContract(await ask(contractOf(id)?.held ? "DELETE" : "PUT", contractPath(id, "/hold")));
});
const setMode = (path, mode) => act(async () => {try {await (mode ? ask("PUT", path, { mode }) : ask("DELETE", path));
} finally {await refreshContracts();
}
});
function matchesFilter(row) {const entry = row.entry;
if (byID("only-misses").checked && !entry.unmatched) return false;
if (byID("only-held").checked && entry.outcome !== "held") return false;
const wanted = byID("request-filter").value.toLowerCase().trim();
return !wanted || wanted.split(/\s+/).every((word) => textOf(entry).includes(word));
}
const textOf = (entry) =>
[entry.method, targetOf(entry), entry.status, entry.contract, entry.case, entry.session,entry.outcome, entry.unmatched ? "miss" : ""].join(" ").toLowerCase();
const targetOf = (entry) => entry.path + (entry.query === null ? "" : `?${entry.query}`);
function endOf(entry) {switch (entry.outcome) {case "held": return { sign: "‖", words: "held", kind: "held" };
case "underWay": return { sign: "…", words: "under way", kind: "open" };
case "reset": return { sign: "✗", words: "reset", kind: "broken" };
case "cutOff": return { sign: "✗", words: `${entry.status ?? ""} cut off`, kind: "broken" };
case "stalled": return { sign: "✗", words: `${entry.status ?? ""} stalled`, kind: "broken" };
case "clientLeft": return { sign: "–", words: "client left", kind: "broken" };
case "cancelled": return { sign: "–", words: "cancelled", kind: "broken" };
case "lost": return { sign: "?", words: "unknown", kind: "broken" };
}
if (entry.unmatched) return { sign: "∅", words: `${entry.status} miss`, kind: "miss" };
return { sign: entry.status < 400 ? "✓" : "!", words: `${entry.status}`, kind: "answered" };
}
function drawRequests() {const list = byID("list");
const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
const shown = model.rows.filter(matchesFilter);
const body = byID("rows");
const wanted = new Set(shown);
const focused = document.activeElement?.closest?.("#rows tr")?.row;
for (const node of [...body.children]) if (!wanted.has(node.row)) node.remove();
let [next, newRowCount] = [null, 0];
for (let index = shown.length - 1; index >= 0; index -= 1) {const row = shown[index];
if (!row.view) {row.view = makeRow(row);
newRowCount += 1;
}
if (row.isChanged) drawRow(row);
if (row.view.node.nextSibling !== next || !row.view.node.parentNode) {body.insertBefore(row.view.node, next);
}
next = row.view.node;
}
if (focused && !wanted.has(focused)) (shown[0]?.view.button ?? list).focus({ preventScroll: true });
markCurrent(shown);
const misses = model.rows.filter((row) => row.entry.unmatched).length;
const held = heldRows().length;
setText(byID("shown"), `${shown.length} of ${model.rows.length}`
+ (misses ? `, ∅ ${misses} missed` : "")
+ (held ? `, ‖ ${held} held` : ""));
byID("empty").hidden = byID("addresses").hidden = model.rows.length > 0;
if (!model.rows.length) {byID("addresses").replaceChildren(...model.upstreams.map((one) => element("li", {}, element("code", {}, one.baseURL))));
}
if (isAtEnd && !focused) list.scrollTop = list.scrollHeight;
return newRowCount;
}
function makeRow(row) {const view = {};
view.button = button("", () => selectRow(row), { className: "target" });
view.time = element("td", { className: "time" });
view.status = element("td", { className: "status" });
view.played = element("td", { className: "played" });
view.delay = element("td", { className: "ms" });
view.node = element("tr", { row, onclick: (event) => event.target.closest("button") || selectRow(row) },view.time, element("th", { scope: "row" }, view.button), view.status, view.played, view.delay);
return view;
}
function drawRow(row) {const { entry, view } = row;
const end = endOf(entry);
row.isChanged = false;
view.node.className = end.kind;
setText(view.time, timeOf(entry));
const inSession = !session && entry.session ? `~${entry.session} ` : "";
setText(view.button, `${inSession}${entry.method} ${targetOf(entry)}`);
view.status.replaceChildren(element("i", { "aria-hidden": "true" }, end.sign), ` ${end.words}`);
setText(view.played, entry.contract ? `${entry.contract}#${entry.case ?? ""}` : "");
setText(view.delay, isOpen(entry) ? "" : entry.delayGivenMs.toFixed(entry.delayGivenMs < 10 ? 1 : 0));
}
const timeOf = (entry) => new Date(entry.time).toTimeString().slice(0, 8);
function markCurrent(shown) {const current = shown.includes(model.selectedRow) ? model.selectedRow : shown.at(-1);
for (const row of shown) {row.view.button.tabIndex = row === current ? 0 : -1;
if (row === model.selectedRow) row.view.node.setAttribute("aria-current", "true");
else row.view.node.removeAttribute("aria-current");
}
}
function selectRow(row) {model.selectedRow = row;
if (row?.entry.contract && row.entry.contract !== model.selectedContract) {model.selectedContract = row.entry.contract;
isContractSought = true;
}
drawAtOnce("requests", "detail", "contracts", "script");
saveLink();
}
function stepRow(by) {const shown = model.rows.filter(matchesFilter);
if (!shown.length) return;
const index = shown.indexOf(model.selectedRow);
const next = index < 0 ? shown.length - 1
: Math.max(0, Math.min(shown.length - 1, index + by));
selectRow(shown[next]);
drawRequests();
shown[next].view.button.focus();
}
let detailOf = "";
async function drawDetail() {const row = model.selectedRow;
const mark = row ? `${row.key} ${row.entry.outcome}` : "";
if (mark === detailOf) return;
detailOf = mark;
setText(byID("detail-title"), row ? `${row.entry.method} ${targetOf(row.entry)}` : "Detail");
if (!row) return;
const { entry } = row;
const body = byID("detail-body");
const hadFocus = body.contains(document.activeElement);
const answer = element("div", {}, element("p", { className: "note" }, "…"));
body.replaceChildren(...(entry.outcome === "held" ? [heldControls(entry)] : []), factsOf(entry),...(entry.unmatched ? [element("div", { id: "nearest" })] : []),detailButtons(row),element("h3", {}, "Request"), element("pre", { tabIndex: 0 }, requestText(entry)),element("h3", {}, "Answer"), answer);
if (hadFocus) byID("detail-title").focus();
try {if (entry.unmatched) drawNearest(await nearestOf(entry));
row.answer ??= await answerOf(entry);
answer.replaceChildren(...answerParts(entry, row.answer));
} catch (error) {answer.replaceChildren(element("p", { className: "problem" }, error.message));
}
}
const reasons = {preference: "the request prefers it", script: "the script", hand: "chosen by hand",trigger: "its “when” holds", live: "the request is its live one", default: "the default",mode: "the mode",};
function factsOf(entry) {const facts = [
["Outcome", `${endOf(entry).sign} ${endOf(entry).words}`],["Played", entry.contract && `${entry.contract}#${entry.case}`],["Why", reasons[entry.reason]],["Delay", `asked ${entry.delayAskedMs} ms, given ${entry.delayGivenMs} ms`],["Sent", `${entry.sentBytes} bytes`],["At", `${timeOf(entry)}, number ${entry.sequence}`],];
const shown = facts.filter(([, value]) => value);
if (entry.session && !session) {const link = element("a", { href: `/~${encodeURIComponent(entry.session)}/__understudy/` },`~${entry.session}`);
shown.push(["Session", link]);
}
return element("dl", { className: "facts" },shown.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}
function heldControls(entry) {const cases = contractOf(entry.contract)?.cases ?? [];
const choice = element("select", { id: "release-as" });
choice.setAttribute("aria-label", "Release as");
fillSelect(choice, [["", `${entry.case}, as chosen`],...cases.map((played) => [played.name, played.name])], "");
return element("div", { className: "buttons held-controls" },element("b", {}, "‖ Held. "), element("label", {}, "Release as ", choice),button("Release", () => release(entry, choice.value || null), { id: "release" }),button("Reset the connection", () => act(() => ask("DELETE", `/held/${entry.sequence}`))));
}
const release = (entry, name) =>
act(() => ask("POST", `/held/${entry.sequence}/release`, name ? { case: name } : undefined));
async function nearestOf(entry) {const path = `/journal/unmatched?sequence=${entry.sequence}`;
const found = (await ask("GET", path)).requests.find((one) => keyOf(one) === keyOf(entry));
return found ?? null;
}
function drawNearest(found) {const place = byID("nearest");
if (!place) return;
if (!found) {return place.replaceChildren(element("p", { className: "note" }, "The journal no longer has it."));
}
const lines = [found.message];
for (const near of found.nearest) {lines.push(`  nearest: ${near.contract}  ${near.request}`);
for (const difference of near.differences) lines.push(`    ${difference}`);
}
place.replaceChildren(element("h3", {}, "Why nothing answered"),element("pre", { className: "why", tabIndex: 0 }, lines.join("\n")));
}
function requestText(entry) {const lines = [`${entry.method} ${targetOf(entry)}`,...entry.headers.map((field) => `${field.name}: ${field.value}`)];
const body = entry.body ?? `${entry.bodyBase64} (Base64)`;
return lines.join("\n") + (entry.bodyBytes ? `\n\n${body}\n(${entry.bodyBytes} bytes)` : "");
}
async function answerOf(entry) {if (isOpen(entry)) return null;
const archive = await ask("GET", `/journal.har?sequence=${entry.sequence}`);
return archive.log.entries[0]?.response ?? null;
}
function answerParts(entry, answer) {const note = (text) => [element("p", { className: "note" }, text)];
if (isOpen(entry)) return note("It has not been sent yet.");
if (!answer) return note("The journal no longer has it.");
if (entry.status === null) return note(`No answer: ${endOf(entry).words}.`);
const { content } = answer;
const lines = [`${answer.status} ${answer.statusText}`,...answer.headers.map((field) => `${field.name}: ${field.value}`)];
const text = content.encoding ? `${content.text} (Base64)` : content.text;
const parts = [element("pre", { tabIndex: 0 }, lines.join("\n") + (text ? `\n\n${text}` : ""))];
if (content.comment) {parts.push(...note(entry.unmatched ? "The body is a problem document that says the above."
: "Its body depends on the request, so the journal does not keep it."));
}
return parts;
}
function detailButtons(row) {const { entry } = row;
return element("div", { className: "buttons" },button("Make a contract", () => makeContract(row), { id: "make" }),...(entry.contract ? [button("Make a case", () => makeCase(row), { id: "make-case" })] : []),...(model.records ? [button("Record this", () => record(entry), { id: "record" })] : []),button("Copy as curl", () => copyText(curlOf(entry))),button("Copy as case", async () => copyText(caseText(entry, await act(() => answerOf(entry))))),button("Copy as when", () => copyText(JSON.stringify({ when: whenOf(entry) }, null, 2))));
}
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const unsent = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"];
function curlOf(entry) {const prefix = entry.session ? `/~${encodeURIComponent(entry.session)}` : "";
const words = ["curl -i", entry.method === "GET" ? "" : `-X ${entry.method}`];
for (const { name, value } of entry.headers) {if (!unsent.includes(name.toLowerCase())) words.push(`-H ${quoted(`${name}: ${value}`)}`);
}
if (entry.body) words.push(`--data-binary ${quoted(entry.body)}`);
words.push(quoted(`http://${hostOf(entry)}${prefix}${targetOf(entry)}`));
return words.filter(Boolean).join(" ");
}
function whenOf(entry) {const conditions = { ...pathConditions(entry), ...queryConditions(entry) };
const body = jsonOf(entry.body);
if (body !== undefined) conditions.body = { equals: body };
return { request: conditions };
}
function queryConditions(entry) {const conditions = {};
for (const [name, value] of new URLSearchParams(entry.query ?? "")) {conditions[`query.${name}`] = condition(value);
}
return conditions;
}
const condition = (value) => value.includes("[redacted]") ? { absent: false } : value;
function pathConditions(entry) {const contract = contractOf(entry.contract);
if (!contract) return {};
const values = pathIn(entry, contract.id.split("/")[0]).split("/");
const conditions = {};
contract.path.split("/").forEach((segment, index) => {const name = /^\{([^.{}]+)\}$/.exec(segment)?.[1];
if (name && values[index]) conditions[`path.${name}`] = decodeURIComponent(values[index]);
});
return conditions;
}
const basePathOf = (upstream) =>
new URL(upstream.baseURL).pathname.slice(sessionPrefix.length).replace(/\/$/, "");
const hostOf = (entry) =>
entry.headers.find((field) => field.name.toLowerCase() === "host")?.value ?? location.host;
function upstreamOf(entry) {const port = hostOf(entry).split(":")[1] ?? "";
return model.upstreams.find((one) => new URL(one.baseURL).port === port
&& `${entry.path}/`.startsWith(`${basePathOf(one)}/`))?.name;
}
function pathIn(entry, upstreamName) {const upstream = model.upstreams.find((one) => one.name === upstreamName);
const prefix = upstream ? basePathOf(upstream) : `/${upstreamName}`;
return entry.path.startsWith(`${prefix}/`) ? entry.path.slice(prefix.length) : entry.path;
}
function jsonOf(text) {try {return text ? JSON.parse(text) : undefined;
} catch {return undefined;
}
}
function caseOf(entry, answer) {if (entry.unmatched || !answer?.status) return { status: 200, body: {} };
const made = { status: answer.status };
const type = answer.headers.find((field) => field.name.toLowerCase() === "content-type")?.value;
const json = jsonOf(answer.content.text);
if (json !== undefined) made.body = json;
else if (answer.content.text) {if (type) made.headers = { "Content-Type": type };
made[answer.content.encoding ? "base64" : "text"] = answer.content.text;
}
return made;
}
function caseText(entry, answer) {const when = whenOf(entry);
const hasWhen = Object.keys(when.request).length > 0;
const made = { ...(hasWhen && { when }), ...caseOf(entry, answer) };
return `"new-case": ${JSON.stringify(made, null, 2)}`;
}
const makeContract = (row) => act(async () => {const { entry } = row;
const nearest = entry.unmatched ? (await nearestOf(entry))?.nearest[0]?.contract : null;
const upstream = (entry.contract ?? upstreamOf(entry) ?? nearest ?? entry.path.slice(1)).split("/")[0];
row.answer ??= await answerOf(entry);
const path = pathIn(entry, upstream);
const conditions = queryConditions(entry);
const body = jsonOf(entry.body);
const contract = {summary: `${entry.method} ${path}`,request: {method: entry.method, path,...(Object.keys(conditions).length && { parameters: conditions }),...(body !== undefined && { body: { equals: body } }),},cases: { ok: caseOf(entry, row.answer) },};
const name = path.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "root";
edit(upstream, name, JSON.stringify(contract, null, 2));
});
const makeCase = (row) => act(async () => {const { entry } = row;
row.answer ??= await answerOf(entry);
const text = withCase(await askForText("GET", contractPath(entry.contract, "/source")), caseText(entry, row.answer));
if (!text) return tell(`The text of ${entry.contract} has no cases.`);
edit(...entry.contract.split("/"), text);
const start = text.lastIndexOf('"new-case"') + 1;
const field = byID("editor-text");
field.focus();
field.setSelectionRange(start, start + 8);
const lines = (text) => text.split("\n").length;
field.scrollTop = field.scrollHeight * lines(text.slice(0, start)) / lines(text) - 60;
});
function withCase(text, made) {let [depth, key, isInCases] = [0, "", false];
for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {if (token[0] === '"') {if (depth === 1) key = token;
} else if (token === "{" || token === "[") {depth += 1;
if (depth === 2) isInCases = key === '"cases"';
} else {depth -= 1;
if (depth === 1 && isInCases) {const before = text.slice(0, index).trimEnd();
return `${before},\n    ${made.replaceAll("\n", "\n    ")}\n  ${text.slice(index)}`;
}
}
}
return null;
}
function edit(upstream, name, text) {byID("editor-upstream").value = upstream;
byID("editor-name").value = name;
byID("editor-text").value = text;
setText(byID("editor-problem"), "");
byID("editor").showModal();
}
const record = (entry) => act(async () => {const { upstream, status } = await ask("POST", `/journal/${entry.sequence}/record`);
announce(`${upstream} answered ${status}`);
});
async function playEdited(isSaved) {const id = `${byID("editor-upstream").value}/${byID("editor-name").value}`;
setText(byID("editor-problem"), "");
try {const made = await ask("PUT", contractPath(id), byID("editor-text").value);
const saved = isSaved ? await ask("POST", contractPath(id, "/save")) : null;
await refreshContracts();
selectContract(made.id);
byID("editor").close();
announce(saved ? `saved ${saved.file}` : `${made.id} is played`);
} catch (error) {setText(byID("editor-problem"), error.message);
}
}
function drawHeader() {setText(byID("place"), location.host + (session ? `, session ${session}` : ""));
const names = [...new Set([...model.sessions, session])].filter(Boolean).sort();
fillSelect(byID("session"),[["", session ? "all clients" : "all"], ...names.map((name) => [name, name])], session);
fillSelect(byID("server-mode"), [...modes.map((mode) => [mode, mode]), ["", "default"]], model.mode);
}
function setConnection(isLive) {const status = byID("connection");
status.className = isLive ? "live" : "lost";
setText(status.querySelector("i"), isLive ? "●" : "○");
setText(status.querySelector("span"), isLive ? "live" : "connection lost, trying again");
}
const resetAll = () => act(async () => {await ask("POST", "/reset");
announce("reset");
});
let steps = [];
let scriptOf = null;
let casesShown = "";
let stepsShown = "";
function drawScript() {const contract = selectedContract();
if (scriptOf !== model.selectedContract) [scriptOf, steps] = [model.selectedContract, []];
byID("script-none").hidden = contract !== null;
byID("script-parts").hidden = contract === null;
if (!contract) return;
setText(byID("script-contract"), contract.id);
drawRunning(contract.script);
drawSteps();
const cases = JSON.stringify([contract.id, contract.cases, contract.scripts]);
if (cases === casesShown) return;
casesShown = cases;
byID("script-cases").replaceChildren(...contract.cases.map((played, index) =>
button(`+ ${played.name}`, () => {steps.push(played.name);
drawSteps();
}, { id: `add-${index}` })));
byID("script-named").replaceChildren(...contract.scripts.map((name) =>
button(`▶ ${name}`, () => startScript({ script: name }))));
}
function drawRunning(script) {byID("script-running").hidden = !script;
if (!script) return;
const current = Math.min(script.played, script.cases.length - 1);
byID("script-played").replaceChildren(...script.cases.map((name, index) =>
element("li", index === current ? { "aria-current": "step" } : {}, name)));
setText(byID("script-progress"),`running, step ${current + 1} of ${script.cases.length}; the last one repeats`);
}
function drawSteps() {byID("script-start").disabled = !steps.length;
const names = JSON.stringify(steps);
if (names === stepsShown) return;
stepsShown = names;
const list = byID("script-steps");
const hadFocus = list.contains(document.activeElement);
list.replaceChildren(...steps.map((name, index) => element("li", {}, button(`${name} ×`, () => {steps.splice(index, 1);
drawSteps();
}, { id: `step-${index}`, "aria-label": `Remove step ${index + 1}, ${name}` }))));
if (hadFocus) (list.querySelector("button") ?? byID("script-cases").firstChild).focus();
}
const startScript = (body) => act(async () => {takeContract(await ask("POST", contractPath(model.selectedContract, "/script"), body));
steps = [];
draw("script");
});
let stateShown = "";
function drawState() {fillSelect(byID("state-upstream"), model.upstreams.map((one) => [one.name, one.name]),byID("state-upstream").value || model.upstreams[0]?.name);
const text = JSON.stringify(model.state);
if (text === stateShown) return;
stateShown = text;
const focused = document.activeElement;
byID("state-values").replaceChildren(...Object.entries(model.state).flatMap(([upstream, values]) =>
Object.entries(values).map(([name, value]) => stateRow(upstream, name, value))));
const again = focused?.id && !focused.isConnected && byID(focused.id);
if (again) {again.value = focused.value;
again.focus();
}
}
function stateRow(upstream, name, value) {const id = `state-${upstream}-${name}`;
const input = element("input", { id, value, autocomplete: "off" });
input.onchange = () => setState(upstream, name, input.value);
return element("li", {}, element("label", { for: id }, `${upstream}.${name}`), " = ", input,button("Forget", () => setState(upstream, name, null), { "aria-label": `Forget ${upstream}.${name}` }));
}
function setNewState() {if (byID("state-name").value) {setState(byID("state-upstream").value, byID("state-name").value, byID("state-value").value);
}
}
const setState = (upstream, name, value) => act(async () => {model.state = (await ask("PUT", "/state", { state: { [upstream]: { [name]: value } } })).state;
draw("state");
});
const secondCount = 60;
const sampleCountMax = 200;
const seconds = Array.from({ length: secondCount }, () => ({ count: 0, times: [] }));
function measure(entry) {const second = seconds[secondCount - 1];
second.count += 1;
if (second.times.length < sampleCountMax) second.times.push(entry.delayGivenMs);
}
function median(values) {const sorted = values.toSorted((one, other) => one - other);
return sorted[Math.floor(sorted.length / 2)];
}
function drawStrip() {const last = seconds[secondCount - 1];
const countMax = Math.max(1, ...seconds.map((second) => second.count));
const medians = seconds.map((second) => median(second.times));
const timeMax = Math.max(1, ...medians.filter((time) => time !== undefined));
const bars = seconds.map((second, index) => second.count
? `M${index * 4 + 1.5} 24V${(24 - 22 * second.count / countMax).toFixed(1)}` : "");
byID("strip-bars").setAttribute("d", bars.join(""));
const points = medians.flatMap((time, index) => time === undefined
? [] : [`${index * 4 + 1.5},${(23 - 21 * time / timeMax).toFixed(1)}`]);
byID("strip-line").setAttribute("points", points.join(" "));
const time = median(last.times);
setText(byID("strip-words"), `▮ ${last.count} a second, at most ${countMax}`
+ `  ╱ ${time === undefined ? "–" : time.toFixed(1)} ms to answer, at most ${timeMax.toFixed(1)}`);
seconds.shift();
seconds.push({ count: 0, times: [] });
}
const keys = [
["n", "next contract", () => stepContract(1)],["p", "previous contract", () => stepContract(-1)],["1 … 9", "play this case of the contract", null],["0", "let the contract choose by itself", () => withContract((id) => chooseCase(id, null))],["h", "hold its answers, or hold no more", () => withContract(toggleHold)],["r", "release the held request", releaseOne],["s", "build a script", () => withContract(() => byID("script-cases").firstChild?.focus())],["j", "next request", () => stepRow(1)],["k", "previous request", () => stepRow(-1)],["Enter", "its detail", null],["m", "make a contract of the request", () => model.selectedRow && makeContract(model.selectedRow)],["c", "make a case of the request", () => model.selectedRow?.entry.contract && makeCase(model.selectedRow)],["/", "filter requests", () => byID("request-filter").focus()],["Esc", "back", null],["R", "reset", resetAll],["?", "show the keys", () => byID("help").showModal()],];
function withContract(work) {if (selectedContract()) work(model.selectedContract);
else tell("Choose a contract first: n is the next one.");
}
function stepContract(by) {const ids = model.contracts.map((one) => one.id);
if (!ids.length) return;
const index = ids.indexOf(model.selectedContract);
const next = index < 0 ? (by > 0 ? 0 : ids.length - 1) : (index + by + ids.length) % ids.length;
selectContract(ids[next]);
isContractSought = true;
}
function releaseOne() {const held = heldRows();
const row = held.includes(model.selectedRow) ? model.selectedRow : held[0];
if (row) release(row.entry, row === model.selectedRow ? byID("release-as")?.value || null : null);
else tell("No answer is held.");
}
function makeKeys() {byID("keys").append(...keys.flatMap(([key, words]) => [
element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)]));
document.addEventListener("keydown", takeKey);
}
function takeKey(event) {if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
if (document.querySelector("dialog[open]")) return;
const target = event.target;
if (event.key === "Escape") return goBack(target);
if (target.matches("input, textarea, select")) return;
if (event.key === "Enter" && target.closest("#rows")) {event.preventDefault();
selectRow(target.closest("tr").row);
return byID("detail-title").focus();
}
if (!byID("keys-on").checked) return;
if (/^[1-9]$/.test(event.key)) {event.preventDefault();
return withContract((id) => {const played = contractOf(id).cases[event.key - 1];
if (played) chooseCase(id, played.name);
else tell(`${id} has no case number ${event.key}.`);
});
}
const found = keys.find(([key, , work]) => work && key === event.key);
if (!found) return;
event.preventDefault();
found[2]();
}
function goBack(target) {tell("");
if (target.matches("input[type=search]")) {target.value = "";
target.dispatchEvent(new Event("input"));
drawRequests();
}
(model.selectedRow?.view?.button ?? byID("list")).focus();
}
const drawers = {header: drawHeader, contracts: drawContracts, requests: drawRequests, script: drawScript,state: drawState, detail: () => void drawDetail(),};
const floodRowCount = 20;
const floodInterval = 250;
const drawingInterval = 50;
const undrawn = new Set();
const dueAt = {};
let timer = null;
let timerDue = Infinity;
function draw(...parts) {for (const part of parts) undrawn.add(part);
const due = Math.min(...[...undrawn].map((part) => dueAt[part] ?? 0));
if (timerDue <= due) return;
clearTimeout(timer);
timerDue = due;
timer = setTimeout(() => requestAnimationFrame(drawNow), Math.max(0, due - performance.now()));
}
function drawAtOnce(...parts) {for (const part of parts) dueAt[part] = 0;
draw(...parts);
}
function drawNow() {timerDue = Infinity;
const now = performance.now();
for (const part of [...undrawn]) {if ((dueAt[part] ?? 0) > now) continue;
undrawn.delete(part);
const newRowCount = drawers[part]() ?? 0;
dueAt[part] = now + (newRowCount > floodRowCount ? floodInterval : drawingInterval);
}
if (undrawn.size) draw();
}
function saveLink() {const link = new URLSearchParams();
if (model.selectedContract) link.set("contract", model.selectedContract);
if (model.selectedRow) link.set("request", model.selectedRow.entry.sequence);
if (byID("request-filter").value) link.set("filter", byID("request-filter").value);
if (byID("only-misses").checked) link.set("misses", "1");
if (byID("only-held").checked) link.set("held", "1");
const text = link.toString();
history.replaceState(null, "", text ? `#${text}` : location.pathname);
}
function followLink() {const link = new URLSearchParams(location.hash.slice(1));
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
function start() {makeKeys();
byID("contract-filter").oninput = () => draw("contracts");
for (const id of ["request-filter", "only-misses", "only-held"]) {byID(id).addEventListener("input", () => {draw("requests");
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
byID("session").onchange = () => {const name = byID("session").value;
location.assign(`${name ? `/~${encodeURIComponent(name)}` : ""}/__understudy/`);
};
for (const node of document.querySelectorAll("dialog .close")) {node.onclick = () => node.closest("dialog").close();
}
window.addEventListener("hashchange", followLink);
setInterval(drawStrip, 1000);
drawStrip();
draw("header", "contracts", "script", "state");
let isFirst = true;
listen(takeEvent, (isLive, isNew) => {setConnection(isLive);
if (!isLive || (isSynchronized && !isNew)) return;
synchronize().then(() => {if (isFirst && location.hash) followLink();
isFirst = false;
}, (error) => tell(error.message));
});
}
start();</script>
</body>
</html>

"""#
}
