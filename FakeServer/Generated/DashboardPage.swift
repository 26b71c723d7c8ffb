// swift-format-ignore-file
// Written by ci/generate. To change it, edit FakeServer/Page and run that again.

enum DashboardPage {
  static let styleHash = "sha256-z2I/CBZemdX7Y7ywCZazLDCD+XwzUgndpXFuI4v9QQw="
  static let scriptHash = "sha256-FcLU3BkOsquHNF6EHbDMqDh1rq0NTeZS7zirmcxT4dg="

  static let html = #"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Dashboard · Understudy</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='6' cy='8' r='5' fill='%231c6537'/%3E%3Ccircle cx='11' cy='8' r='4' fill='none' stroke='%234b3c91' stroke-width='2'/%3E%3C/svg%3E">
<style>/* What the dashboard and the reports share: colours, sizes and the look of plain text. */

:root {
  color-scheme: light dark;

  /* Grounds and text */
  --ground: #f7f6f3;
  --card: #fff;
  --sunken: #f1f0ec;
  --line: #dedbd4;
  --edge: #85898f;
  --text: #1f2328;
  --soft: #565d66;
  --focus: #0a58ca;

  /* What a response is: text, and the ground below it */
  --good: #1c6537;
  --good-bg: #e2f3e8;
  --error: #7d4700;
  --error-bg: #fcf0d6;
  --slow: #1d4f91;
  --slow-bg: #e4edfa;
  --malformed: #87296a;
  --malformed-bg: #f9e7f3;
  --broken: #a8231b;
  --broken-bg: #fcebe9;
  --unmatched: #0b5460;
  --unmatched-bg: #dcf0f3;
  --held: #4b3c91;
  --held-bg: #ece9f8;
  --neutral: #555c65;
  --neutral-bg: #ecebe7;

  /* What a check says */
  --passing: var(--good);
  --passing-bg: var(--good-bg);
  --changed: var(--error);
  --changed-bg: var(--error-bg);
  --drifting: var(--broken);
  --drifting-bg: var(--broken-bg);
  --unreachable: var(--held);
  --unreachable-bg: var(--held-bg);
  --not-run: var(--neutral);
  --not-run-bg: var(--neutral-bg);

  /* Sizes */
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  --size-small: .8125rem;
  --size-text: .9375rem;
  --size-title: 1.125rem;
  --gap-1: .25rem;
  --gap-2: .5rem;
  --gap-3: .75rem;
  --gap-4: 1rem;
  --gap-5: 1.5rem;
  --round: .5rem;
  --round-card: .75rem;
  --round-chip: 2rem;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14161a;
    --card: #1b1e24;
    --sunken: #15181d;
    --line: #343942;
    --edge: #727985;
    --text: #e6e8eb;
    --soft: #a6aeb8;
    --focus: #8ab4ff;
    --good: #8fdba8;
    --good-bg: #16301f;
    --error: #f3cf87;
    --error-bg: #352a13;
    --slow: #a3c9ff;
    --slow-bg: #162a47;
    --malformed: #f4b0de;
    --malformed-bg: #3a1a32;
    --broken: #ffb4ab;
    --broken-bg: #3d1e1b;
    --unmatched: #8fd8e6;
    --unmatched-bg: #10323a;
    --held: #cbc0ff;
    --held-bg: #282243;
    --neutral: #b3bbc5;
    --neutral-bg: #292d34;
  }
}

* { box-sizing: border-box; }

body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 var(--sans);
  overflow-wrap: anywhere;
}

h1, h2, h3 { font-weight: 600; margin: 0; }
p { margin: var(--gap-1) 0; }
a { color: var(--focus); }
i { font-style: normal; font-weight: 700; }
code, pre, kbd { font: var(--size-small)/1.6 var(--mono); }

pre {
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: var(--round);
  overflow: auto;
}

summary { cursor: pointer; }
.note { color: var(--soft); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
/* The dashboard: a header, contracts on the left, requests on the right, and a drawer beside them. */

/* Parts that are everywhere */

body {
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  font-size: var(--size-text);
}

h1 { font-size: var(--size-title); }
h2 { font-size: 1rem; }
h3 { font-size: .875rem; margin: var(--gap-4) 0 var(--gap-1); }
ul, ol { margin: 0; padding: 0; list-style: none; }
dd { margin: 0; }
dt { color: var(--soft); }
.note, h1 span { font-weight: 400; font-size: var(--size-small); color: var(--soft); }
.problem { color: var(--broken); white-space: pre-line; }

pre {
  margin: var(--gap-1) 0;
  padding: var(--gap-2) var(--gap-3);
  white-space: pre-wrap;
  max-height: 24rem;
}

kbd {
  border: 1px solid var(--line);
  border-radius: var(--gap-1);
  padding: 0 .3rem;
  color: var(--soft);
}

button, input, select, textarea {
  font-family: inherit;
  font-size: .875rem;
  line-height: 1.4;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  padding: .2rem .6rem;
  min-height: 1.75rem;
  max-width: 100%;
}

button { cursor: pointer; }
button:hover:enabled { background: var(--sunken); }
button:disabled { opacity: .55; cursor: default; }
button.first { background: var(--text); border-color: var(--text); color: var(--ground); }
button.first:hover:enabled { background: var(--soft); }
#recording.on { color: var(--broken); }
button > kbd:last-child { margin-left: .35rem; }
button[aria-pressed=true] { background: var(--text); border-color: var(--text); color: var(--ground); }
button[aria-pressed=true] kbd { color: inherit; }
[hidden] { display: none !important; }

.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.skip { position: absolute; left: -999rem; }
.skip:focus { left: .5rem; top: .5rem; background: var(--card); padding: var(--gap-2); z-index: 3; }
.scroll { overflow: auto; min-height: 0; }
.scroll:focus-visible { outline-offset: -3px; }
tr button:focus-visible { outline-width: 2px; outline-offset: -2px; border-radius: var(--gap-1); }

.bar, .buttons, .chips {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--gap-1) var(--gap-2);
}

.buttons { margin: var(--gap-2) 0; }
.small, .check { font-size: var(--size-small); color: var(--soft); }
.check { display: flex; gap: var(--gap-2); align-items: center; }
.check input { min-height: 0; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--focus); }

.facts {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: var(--gap-1) var(--gap-4);
  margin: var(--gap-2) 0;
}

.command {
  display: flex;
  align-items: center;
  gap: var(--gap-2);
  padding: var(--gap-1) var(--gap-1) var(--gap-1) var(--gap-3);
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: var(--round);
}

.command + .command { margin-top: var(--gap-1); }
.command code { flex: 1; }
.open { border: 0; background: none; padding: 0; text-align: left; border-radius: 0; }

/* A case in the colour of its kind. Solid: somebody forced it. */

.good { --kind: var(--good); --kind-bg: var(--good-bg); }
.error { --kind: var(--error); --kind-bg: var(--error-bg); }
.slow { --kind: var(--slow); --kind-bg: var(--slow-bg); }
.malformed { --kind: var(--malformed); --kind-bg: var(--malformed-bg); }
.broken { --kind: var(--broken); --kind-bg: var(--broken-bg); }
.unmatched { --kind: var(--unmatched); --kind-bg: var(--unmatched-bg); }
.held { --kind: var(--held); --kind-bg: var(--held-bg); }
.other { --kind: var(--neutral); --kind-bg: var(--neutral-bg); }

.chip {
  display: inline-flex;
  align-items: center;
  gap: .3em;
  max-width: 100%;
  min-height: 1.5rem;
  padding: 0 .6rem;
  border: 1px solid transparent;
  border-radius: var(--round-chip);
  background: var(--kind-bg);
  color: var(--kind);
  font-size: var(--size-small);
  line-height: 1.4;
}

button.chip:hover:enabled { background: var(--kind-bg); border-color: var(--kind); }
button.chip[aria-pressed=true] { background: var(--kind-bg); color: var(--kind); border-color: var(--kind); font-weight: 600; }
.forced button.chip[aria-pressed=true], #kinds .chip[aria-pressed=true] { background: var(--kind); color: var(--card); }
.chip.unmatched { border: 1px dashed var(--kind); }
.chip .of, .chip b { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chip .of { flex: 0 100 auto; min-width: 1.5rem; }
.chip b { flex: none; max-width: 100%; font-weight: 600; }
.chip .of + b { margin-left: -.3em; }

/* The header and what is said below it */

header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--gap-1) var(--gap-4);
  padding: var(--gap-2) var(--gap-4);
}

header .buttons { margin: 0 0 0 auto; }
header label { font-size: var(--size-small); color: var(--soft); }
h1 { display: flex; align-items: center; gap: var(--gap-2); }
.mark { width: 1.4rem; height: 1.4rem; }
.mark .first { fill: var(--good); }
.mark .second { fill: none; stroke: var(--held); stroke-width: 2; }
#connection { margin: 0; font-size: var(--size-small); }
#connection.following i { color: var(--good); }
#connection.lost { color: var(--broken); }

#forced, #notice, #done {
  margin: 0 var(--gap-4) var(--gap-2);
  padding: var(--gap-2) var(--gap-3);
  border-radius: var(--round);
}

#forced {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--gap-2);
  background: var(--card);
  border: 1px solid var(--edge);
  border-left: 5px solid var(--focus);
}

#forced > :last-child { margin-left: auto; }
#notice, #done { position: sticky; top: var(--gap-1); z-index: 3; white-space: pre-line; }
#notice { background: var(--broken-bg); color: var(--broken); }
#done { background: var(--good-bg); color: var(--good); }
/* Still there while it is empty: else nobody would be read what comes into it. */
#notice:empty, #done:empty { margin: 0; padding: 0; }

main {
  flex: 1;
  min-height: 0;
  display: grid;
  gap: var(--gap-3);
  padding: 0 var(--gap-4) var(--gap-4);
  grid-template: minmax(0, 1fr) / minmax(16rem, 19rem) minmax(0, 1fr);
}

main > section {
  display: flex;
  flex-direction: column;
  min-width: 0;
  min-height: 0;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: var(--round-card);
  overflow: hidden;
}

.bar { padding: var(--gap-2) var(--gap-3); border-bottom: 1px solid var(--line); }
.bar input[type=search] { flex: 0 1 12rem; min-width: 5rem; }
#shown { margin-left: auto; }
#kinds-bar { flex-basis: 100%; }

/* Contracts */

#contracts .bar input { flex: 1; }
#contracts .scroll { flex: 1; }

.upstream-head {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  justify-content: space-between;
  align-items: center;
  padding: var(--gap-1) var(--gap-3);
  background: var(--sunken);
  border-bottom: 1px solid var(--line);
}

.upstream-head h3 { margin: 0; }
.upstream-head select { font-size: var(--size-small); min-height: 1.5rem; padding-block: 0; }
.contract { padding: var(--gap-2) var(--gap-3); border-bottom: 1px solid var(--line); }
.contract .open { display: block; width: 100%; min-height: 1.5rem; }
.contract .request { display: block; font: 600 var(--size-small)/1.5 var(--mono); }
.contract .method { color: var(--soft); font-weight: 400; }
.contract .id { font-size: var(--size-small); color: var(--soft); }
.contract .force { margin: 0 0 var(--gap-1); font-size: var(--size-small); color: var(--soft); }
.contract .force::before { content: "→ " / ""; }
.contract .name { color: var(--text); font-weight: 600; }
.contract.selected { box-shadow: inset 3px 0 var(--focus); background: var(--sunken); }
.contract.forced { box-shadow: inset 3px 0 var(--text); }
.marks span:not(:empty)::before { content: "· "; }
.marks .held { color: var(--held); }
.contract .chips { gap: var(--gap-1); }
.more { min-height: 1.5rem; padding: 0 var(--gap-2); border-color: transparent; color: var(--soft); font-size: var(--size-small); }
#more-contracts { margin: var(--gap-3); }
#no-contracts, #no-rows { padding: var(--gap-2) var(--gap-3); }

/* The chart */

#chart {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: var(--gap-4);
  padding: var(--gap-2) var(--gap-3);
  border-bottom: 1px solid var(--line);
}

figure { margin: 0; min-width: 0; font-size: var(--size-small); }

.plot {
  display: grid;
  grid-template: auto 1fr auto auto / 3.25rem 1fr 1fr;
  grid-template-areas: "high plot plot" ". plot plot" "low plot plot" ". from to";
  column-gap: var(--gap-2);
  color: var(--soft);
  font-size: .75rem;
  line-height: 1;
  font-variant-numeric: tabular-nums;
  margin-top: var(--gap-1);
}

.plot svg {
  grid-area: plot;
  width: 100%;
  height: 3.5rem;
  border-left: 1px solid var(--edge);
  border-bottom: 1px solid var(--edge);
}

.high { grid-area: high; text-align: right; }
.low { grid-area: low; text-align: right; }
.from { grid-area: from; padding-top: .2rem; }
.to { grid-area: to; text-align: right; padding-top: .2rem; }
#count-bars path { fill: var(--kind); }
#delay-longest { stroke: var(--edge); stroke-width: 2; vector-effect: non-scaling-stroke; }
#delay-median { stroke: var(--slow); stroke-width: 5; stroke-linecap: round; vector-effect: non-scaling-stroke; }
figure ul { display: flex; flex-wrap: wrap; gap: 0 var(--gap-3); padding-left: 3.75rem; }
#legend li { color: var(--kind); }
.delays .median i { color: var(--slow); }
.delays .longest i { color: var(--edge); }

/* The list of requests */

#split { flex: 1; min-height: 0; display: flex; }
/* Rows come and go while it is scrolled: the browser must not scroll by itself as well. */
#list {
  flex: 1 1 0;
  min-width: 0;
  position: relative;
  container-type: inline-size;
  overflow-anchor: none;
  --row: 2.1rem;
}

#row-probe { position: absolute; visibility: hidden; width: 1px; height: var(--row); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }

thead th {
  position: sticky;
  top: 0;
  z-index: 1;
  padding: var(--gap-1) var(--gap-2);
  background: var(--card);
  box-shadow: 0 1px var(--line);
  color: var(--soft);
  font-size: .75rem;
  font-weight: 500;
  text-align: left;
}

#rows tr { height: var(--row); }
#rows tr:hover > * { background: var(--sunken); }

#rows th, #rows td {
  padding: 0 var(--gap-2);
  font-size: var(--size-small);
  font-weight: 400;
  text-align: left;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
  box-shadow: inset 0 -1px var(--line);
}

th.time { width: 4.9rem; }
th.served { width: 13rem; }
th.status { width: 5rem; }
th.delay { width: 8.5rem; }
th.size { width: 4.25rem; }
th.client { width: 5rem; }
#rows .time, #rows .size { color: var(--soft); font-variant-numeric: tabular-nums; }
#rows .client { color: var(--soft); }
#rows .status { font-weight: 600; color: var(--kind); }

.target {
  display: block;
  width: 100%;
  min-height: 1.5rem;
  border: 0;
  background: none;
  padding: 0;
  text-align: left;
  font: var(--size-small)/1.5 var(--mono);
  overflow: hidden;
  text-overflow: ellipsis;
}

.target .method { color: var(--soft); }

.target .start {
  display: inline-block;
  max-width: 40%;
  overflow: hidden;
  text-overflow: ellipsis;
  vertical-align: bottom;
}

tr:hover .target { background: none; }
.below { display: none; }

/* What was configured, and inside it what it was. */
.line {
  position: relative;
  height: .4rem;
  padding: 0;
  border: 0;
  border-radius: 1rem;
  background: linear-gradient(var(--line), var(--line)) no-repeat 0 / calc(100% * var(--configured, 0)) 100%;
}

.line::after {
  content: "";
  position: absolute;
  inset: 0 auto 0 0;
  width: calc(100% * var(--actual, 0));
  border-radius: inherit;
  background: var(--kind);
}

#rows .delay > span:last-child {
  display: grid;
  grid-template-columns: 3.1rem 1fr;
  gap: var(--gap-2);
  align-items: center;
  font-variant-numeric: tabular-nums;
}
#rows .unmatched > *, #rows .held > * { background: var(--kind-bg); }
#rows tr[aria-current] > * { background: var(--sunken); }
#rows tr[aria-current] > :first-child { box-shadow: inset 3px 0 var(--focus), inset 0 -1px var(--line); }
#rows tr[aria-current] .target { font-weight: 700; }
#rows .group > * { background: var(--sunken); }
.group .open { font-weight: 600; min-height: 1.5rem; margin-right: var(--gap-2); }

@container (max-width: 52rem) {
  .client { display: none; }
}

@container (max-width: 44rem) {
  .time, .size { display: none; }
}

@container (max-width: 36rem) {
  #row-probe, #rows tr { height: 3.6rem; }
  th.served, td.served { display: none; }
  th.status { width: 5.5rem; }
  th.delay { width: 6rem; }
  .below { display: block; max-width: 100%; }
}

@container (max-width: 24rem) {
  .delay { display: none; }
}

#empty { flex: 1; padding: var(--gap-4) var(--gap-5) var(--gap-5); overflow: auto; max-width: 52rem; }
#empty h3:first-child { font-size: var(--size-title); }

/* The drawer */

#drawer {
  flex: 0 0 min(38rem, 62%);
  position: relative;
  padding: var(--gap-3) var(--gap-4) var(--gap-5);
  border-left: 1px solid var(--line);
  background: var(--card);
}

#drawer-close { position: absolute; top: var(--gap-3); right: var(--gap-4); }
#drawer h2 { margin: .15rem 6rem var(--gap-1) 0; font-size: 1rem; }
#detail h2 { font-family: var(--mono); font-size: .875rem; line-height: 1.6; }
.outcome { display: flex; align-items: center; gap: var(--gap-2); }
.outcome .open { min-height: 1.5rem; max-width: 75%; }
.held-controls { background: var(--held-bg); padding: var(--gap-2) var(--gap-3); border-radius: var(--round); }
.forms { display: flex; gap: var(--gap-1); margin: var(--gap-2) 0 var(--gap-1); }
.forms button { min-height: 1.5rem; padding: 0 var(--gap-2); font-size: var(--size-small); }
.hex { white-space: pre; }
.tree { padding: var(--gap-2) var(--gap-3); background: var(--sunken); border: 1px solid var(--line); border-radius: var(--round); font: var(--size-small)/1.6 var(--mono); }
.tree ul { padding-left: 1.1rem; }
.tree .key { font-weight: 600; }
.tree .index { color: var(--soft); }
.tree .string { color: var(--good); }
.tree .number { color: var(--slow); }

.cases li { margin: var(--gap-1) 0; }

.cases button {
  display: grid;
  grid-template-columns: 1.4rem minmax(6rem, max-content) 1fr 2.25rem 3.25rem;
  gap: var(--gap-2);
  align-items: center;
  width: 100%;
  text-align: left;
  border-color: var(--line);
}

.cases .about { font-size: var(--size-small); color: var(--soft); }
.cases .count { font-size: var(--size-small); color: var(--soft); text-align: right; }
.cases button[aria-pressed=true] { background: var(--sunken); color: inherit; border-color: var(--text); outline: 1px solid var(--text); }
.steps { display: flex; flex-wrap: wrap; gap: var(--gap-1) var(--gap-2); counter-reset: step; margin: var(--gap-2) 0; }
.steps li { counter-increment: step; }
.steps li::before { content: counter(step) ". "; color: var(--soft); }
.steps [aria-current] { font-weight: 700; text-decoration: underline; }
#state-values li { margin: var(--gap-1) 0; }
#state .buttons input { width: 8rem; }

/* Dialogs */

dialog {
  width: min(50rem, calc(100vw - 2rem));
  color: var(--text);
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: var(--round-card);
  padding: var(--gap-4) var(--gap-5);
}

dialog::backdrop { background: #0008; }
dialog label { display: block; margin: var(--gap-2) 0; }
#token { width: min(30rem, calc(100vw - 2rem)); }
dialog textarea, #token input, #recorder label input:not([type]) { width: 100%; }
dialog textarea, #editor input { font-family: var(--mono); font-size: var(--size-small); }
dialog .check { display: flex; }
dialog textarea[aria-invalid=true] { border-color: var(--broken); }
#completions { max-height: 11rem; overflow: auto; border: 1px solid var(--edge); border-radius: var(--round); }
#completions li { padding: var(--gap-1) var(--gap-2); cursor: pointer; }
#completions [aria-selected=true] { background: var(--sunken); outline: 1px solid var(--text); outline-offset: -1px; }
#editor-findings .open { color: inherit; text-decoration: underline; min-height: 1.5rem; }
#keys { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0 var(--gap-5); }

/* Windows of other sizes */

@media (min-width: 56.01rem) {
  body { height: 100vh; }
}

@media (max-width: 56rem) {
  main { display: flex; flex-direction: column; padding-inline: var(--gap-2); }
  #requests { order: -1; }
  #split { flex-direction: column; }
  #list { flex: none; height: 28rem; }
  #drawer { position: fixed; inset: var(--gap-5) 0 0; z-index: 2; border: 1px solid var(--edge); border-radius: var(--round-card) var(--round-card) 0 0; }
  #contracts .scroll { max-height: none; }
  #forced, #notice, #done { margin-inline: var(--gap-2); }
  header { padding-inline: var(--gap-3); }
}

@media (max-width: 40rem) {
  #chart { grid-template-columns: 1fr; }
  header .buttons { margin-left: 0; }
  .cases button { grid-template-columns: 1.4rem 1fr 2.25rem 3.25rem; }
  .cases .about { grid-column: 2 / -1; grid-row: 2; }
  .facts { grid-template-columns: 1fr; gap: 0; }
}

@media (prefers-reduced-motion: no-preference) {
  button { transition: background .12s; }
}

@media (forced-colors: active) {
  button[aria-pressed=true] { outline: 2px solid; }
}</style>
</head>
<body>
<a class="skip" href="#requests">Skip to the requests</a>

<header>
  <h1>
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><circle class="first" cx="6" cy="8" r="5"/><circle class="second" cx="11" cy="8" r="4"/></svg>
    Understudy <span id="place"></span>
  </h1>
  <p id="connection" role="status"><i aria-hidden="true">○</i> <span>connecting</span></p>
  <label>All upstreams <select id="server-mode"></select></label>
  <label hidden>Session <select id="session"></select></label>
  <div class="buttons">
    <button type="button" id="recording" hidden>Record…</button>
    <button type="button" id="reset" title="Forgets the requests, chosen cases, scripts and state of all sessions, and contracts made here">Reset all</button>
    <button type="button" id="help-button">Help <kbd>?</kbd></button>
  </div>
</header>

<section id="forced" aria-label="Forced cases" hidden></section>
<p id="notice" role="alert"></p>
<p id="done" role="status"></p>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>

<main>
  <section id="contracts" aria-labelledby="contracts-title">
    <div class="bar">
      <h2 id="contracts-title">Contracts <span id="contract-count" class="note"></span></h2>
      <input type="search" id="contract-filter" aria-label="Filter contracts" placeholder="filter">
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="List of contracts">
      <div id="tree"></div>
      <p id="no-contracts" class="note" hidden>No contract matches this filter.</p>
      <button type="button" id="more-contracts" hidden>Show more</button>
    </div>
  </section>

  <section id="requests" aria-labelledby="requests-title" tabindex="-1">
    <div class="bar">
      <h2 id="requests-title">Requests</h2>
      <input type="search" id="request-filter" aria-label="Filter requests" placeholder="filter (key /)">
      <label class="small">Group by
        <select id="grouping"><option value="time">time</option><option value="contract">contract</option></select>
      </label>
      <span id="shown" class="note"></span>
      <div id="kinds-bar" class="chips small"><span id="kinds-label">Show only</span>
        <div id="kinds" class="chips" role="group" aria-labelledby="kinds-label"></div></div>
    </div>
    <div id="chart" hidden>
      <figure>
        <figcaption><b>Requests a second</b> <span id="count-words" class="note"></span></figcaption>
        <div class="plot">
          <span class="high" id="count-end">1</span><span class="low">0</span>
          <svg viewBox="0 0 240 60" preserveAspectRatio="none" aria-hidden="true"><g id="count-bars"></g></svg>
          <span class="from">60 s ago</span><span class="to">now</span>
        </div>
        <ul id="legend" aria-label="Kinds of responses"></ul>
      </figure>
      <figure>
        <figcaption><b>Delay of responses</b> <span id="delay-words" class="note"></span></figcaption>
        <div class="plot">
          <span class="high" id="delay-end">1 ms</span><span class="low">0</span>
          <svg viewBox="0 0 240 60" preserveAspectRatio="none" aria-hidden="true"><path id="delay-longest"/><path id="delay-median"/></svg>
          <span class="from">60 s ago</span><span class="to">now</span>
        </div>
        <ul class="delays"><li class="median"><i aria-hidden="true">●</i> median in a second</li><li class="longest"><i aria-hidden="true">┃</i> longest</li></ul>
      </figure>
    </div>
    <div id="split">
      <div id="empty"></div>
      <div id="list" class="scroll" role="region" aria-label="List of requests" tabindex="0" hidden>
        <div id="row-probe"></div>
        <table id="requests-table">
          <caption class="unseen">Requests, newest last</caption>
          <thead>
            <tr>
              <th scope="col" class="time">Time</th>
              <th scope="col">Request</th>
              <th scope="col" class="served">Contract and case</th>
              <th scope="col" class="status">Status</th>
              <th scope="col" class="delay">Delay <span id="delay-axis" class="note"></span></th>
              <th scope="col" class="size">Size</th>
              <th scope="col" class="client">Client</th>
            </tr>
          </thead>
          <tbody id="rows-before" aria-hidden="true"><tr></tr></tbody>
          <tbody id="rows"></tbody>
          <tbody id="rows-after" aria-hidden="true"><tr></tr></tbody>
        </table>
        <p id="no-rows" class="note" hidden>No request matches this filter.</p>
      </div>

      <div id="drawer" class="scroll" role="region" aria-label="Detail" tabindex="0" hidden>
        <button type="button" id="drawer-close" aria-label="Close the detail">Close <kbd>Esc</kbd></button>
        <section id="detail" aria-labelledby="detail-title" hidden>
          <h2 id="detail-title" tabindex="-1"></h2>
          <div id="detail-body"></div>
        </section>
        <section id="contract" aria-labelledby="contract-title" hidden>
          <div id="contract-head"></div>
          <section id="script" aria-labelledby="script-title">
            <h3 id="script-title">Script</h3>
            <p class="note">Cases that are served in turn; the last one repeats.</p>
            <div id="script-running" hidden>
              <ol id="script-served" class="steps"></ol>
              <p class="buttons"><span id="script-progress" class="note"></span>
                <button type="button" id="script-stop">Stop</button></p>
            </div>
            <div id="script-cases" class="buttons" role="group" aria-label="Add a step"></div>
            <ol id="script-steps" class="steps" aria-label="Steps of the new script"></ol>
            <div class="buttons">
              <button type="button" id="script-start" disabled>Start</button>
              <span id="script-named" class="buttons"></span>
              <span id="script-scenarios" class="buttons"></span>
            </div>
          </section>
          <section id="state" aria-labelledby="state-title">
            <h3 id="state-title">State</h3>
            <p class="note">Values that requests leave behind, and that cases can depend on.</p>
            <ul id="state-values"></ul>
            <div class="buttons">
              <input id="state-name" placeholder="name" aria-label="Name" autocomplete="off">
              <input id="state-value" placeholder="value" aria-label="Value" autocomplete="off">
              <button type="button" id="state-set">Set</button>
              <button type="button" id="state-clear">Clear all</button>
            </div>
          </section>
        </section>
      </div>
    </div>
  </section>
</main>

<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Signs and keys</h2>
  <p>On the left, the contracts: one click on a case, and it is served in place of the default case. On the right, the requests
    as they arrive: choose one to see what came, what it got, and why.</p>
  <dl id="kinds-help" class="facts"></dl>
  <div id="keys"></div>
  <label class="check"><input type="checkbox" id="keys-on" checked> Single keys do this without Ctrl</label>
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
  <p id="editor-note" class="note" role="status"></p>
  <div class="buttons">
    <label>Upstream <input id="editor-upstream" autocomplete="off" spellcheck="false"></label>
    <label>Name <input id="editor-name" autocomplete="off" spellcheck="false"></label>
  </div>
  <label for="editor-text">Contract</label>
  <textarea id="editor-text" rows="18" spellcheck="false" aria-autocomplete="list" aria-haspopup="listbox" aria-controls="completions" aria-describedby="editor-hint"></textarea>
  <ul id="completions" role="listbox" aria-label="What may stand here" hidden></ul>
  <p id="editor-hint" class="note">Ctrl+Space shows what may stand at the cursor.</p>
  <ul id="editor-findings" class="problem" aria-label="What is wrong with the text"></ul>
  <p id="editor-problem" class="problem" role="alert"></p>
  <div class="buttons">
    <button type="button" id="editor-serve">Serve it</button>
    <button type="button" id="editor-save">Serve and save to a file</button>
    <button type="button" class="close">Close</button>
  </div>
</dialog>

<dialog id="recorder" aria-labelledby="recorder-title">
  <h2 id="recorder-title">Record contracts</h2>
  <p>Requests that no contract matches go to the live API, and your client gets its response. When you stop,
    contracts are written from all of them.</p>
  <label>Upstream <input id="recorder-upstream" list="recorder-names" placeholder="all with a live API" autocomplete="off" spellcheck="false"></label>
  <datalist id="recorder-names"></datalist>
  <label>Live API of a new upstream <input id="recorder-url" placeholder="https://api.example.com/v1" autocomplete="off" spellcheck="false"></label>
  <label class="check"><input type="checkbox" id="recorder-all"> Requests that a contract matches, too</label>
  <p id="recorder-problem" class="problem" role="alert"></p>
  <div class="buttons">
    <button type="button" id="recorder-start" class="first">Start</button>
    <button type="button" id="recorder-now">Write what was passed on</button>
    <button type="button" class="close">Close</button>
  </div>
</dialog>

<dialog id="copy" aria-labelledby="copy-title">
  <h2 id="copy-title">Copy this</h2>
  <textarea id="copy-text" rows="10" readonly aria-labelledby="copy-title"></textarea>
  <div class="buttons"><button type="button" class="close">Close</button></div>
</dialog>
<script type="module">// The elements of the page. Every text goes through `textContent`: what contracts and clients send
// is never markup.

const byID = (id) => document.getElementById(id);

/** An element with properties, listeners (`onclick`) and attributes (`aria-…`), and children. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const button = (text, onclick, properties = {}) =>
  element("button", { type: "button", onclick, ...properties }, text);

/** Does something when Enter is pressed in a field. */
function onEnter(input, work) {
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") work();
  });
}

/** Changes a text only if it differs, so that nothing is drawn or read out again. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A `select` with these options, as pairs of value and text. */
function fillSelect(select, options, value) {
  const wanted = JSON.stringify(options);
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(
      ...options.map(([value, text]) => element("option", { value }, text)));
  }
  if (select.value !== value && !select.isWaiting) select.value = value;
}

/**
 * Does what a choice says: at once where it was made by mouse, else with Enter or, unless it leaves
 * the page, when the focus moves on.
 */
function onChoice(select, work, leavesPage = false) {
  const commit = () => {
    if (select.isWaiting) work();
    select.isWaiting = false;
  };
  const forget = () => {
    select.isWaiting = false;
    draw("header", "contracts", "detail");
  };
  let isByKey = false;
  select.onpointerdown = () => isByKey = false;
  select.onkeydown = ({ key }) => {
    isByKey = true;
    if (key === "Enter") commit();
    if (key === "Escape") forget();
  };
  select.onchange = () => {
    select.isWaiting = true;
    if (!isByKey) commit();
  };
  select.onblur = () => leavesPage ? forget() : commit();
}

/** What stays wrong until the server says otherwise. */
let standingProblem = "";

function clearProblem() {
  if (!standingProblem) return;
  standingProblem = "";
  setText(byID("notice"), "");
}

/** Tells of something that went wrong, until the next action. */
function tell(text) {
  done("");
  setText(byID("notice"), [standingProblem, text].filter(Boolean).join("\n"));
}

/** Says what was done, until the next action. */
function done(text) {
  setText(byID("done"), text);
}

/** Does what a person asked for, and says why if it fails. */
async function act(work) {
  tell("");
  try {
    return await work();
  } catch (error) {
    tell(error.message);
  }
}

const copyText = (text) => act(async () => {
  try {
    await navigator.clipboard.writeText(text);
    done("Copied.");
  } catch {
    // Without HTTPS, a browser lets pages copy on this machine alone.
    byID("copy-text").value = text;
    byID("copy").showModal();
    byID("copy-text").select();
  }
});

// At most one announcement a second, or a flood of unmatched requests would never end being read out.
let announcements = [];
function announce(text) {
  announcements.push(text);
  if (announcements.length > 1) return;
  setTimeout(() => {
    const rest = announcements.length - 1;
    byID("announcer").textContent = announcements[0] + (rest > 0 ? `, and ${rest} more` : "");
    announcements = [];
  }, 1000);
}

/** A text that has parts that cannot be decoded stays as it is. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
// What kind of response a case or a request stands for: a sign, a word and a colour, everywhere the same.

/** By kind: its sign, and what it means. */
const kinds = {
  good: ["✓", "a response with a status below 400"],
  error: ["!", "a status of 400 or more, as the API may respond"],
  slow: ["◷", "late on purpose"],
  malformed: ["≈", "not as the API says, on purpose"],
  broken: ["✗", "a connection that breaks on purpose"],
  unmatched: ["∅", "no contract matched"],
  held: ["‖", "waits until somebody releases it"],
  other: ["·", "the live API or another host responded, or the request is under way"],
};

const kindOfCase = (served) =>
  served.kind === "good" && served.status >= 400 ? "error" : served.kind;

function kindOf(entry) {
  if (entry.outcome === "held") return "held";
  if (entry.unmatched) return "unmatched";
  if (!entry.case || entry.outcome === "underWay") return "other";
  const served = contractOf(entry.contract)?.cases.find((one) => one.name === entry.case);
  if (served) return kindOfCase(served);
  return entry.status === null ? "broken" : entry.status < 400 ? "good" : "error";
}

/** How a request ended, in words. */
function endOf(entry) {
  const status = entry.status ?? "";
  switch (entry.outcome) {
    case "held": return "held";
    case "underWay": return "under way";
    case "reset": return "reset";
    case "cutOff": return `${status} cut off`.trim();
    case "stalled": return `${status} stalled`.trim();
    case "clientLeft": return "client left";
    case "passedThrough": return `${status} passed through`.trim();
    case "cancelled": return "cancelled";
    case "lost": return "unknown";
    default: return `${status}`;
  }
}

const sign = (kind) => element("i", { "aria-hidden": "true" }, kinds[kind][0]);

/** A case as a label in its colour. The kind is a word for those who do not see the colour. */
function chip(kind, ...content) {
  return element("span", { className: `chip ${kind}`, title: `${kind}: ${kinds[kind][1]}` },
    sign(kind), " ", ...content);
}

/** A chip that does something. */
function chipButton(kind, work, title, ...content) {
  const node = button("", work, { className: `chip ${kind}`, title });
  node.append(sign(kind), " ", ...content);
  return node;
}

// MARK: Units

function durationOf(milliseconds) {
  if (milliseconds < 1) return "<1 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The next of 1, 2 or 5 times a power of ten: where an axis ends. */
function axisEnd(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((one) => one * power >= value * 0.999_999) * power;
}
// The admin API: requests, and the stream of events. The token is in memory only.

const base = location.pathname.replace(/\/+$/, "");
const sessionPrefix = base.slice(0, base.lastIndexOf("/"));
const session = decoded(sessionPrefix.replace(/^\/~/, ""));
let token = null;

/** What the path of a session's requests begins with. */
const sessionPath = (name) => name ? `/~${encodeURIComponent(name)}` : "";

class Problem extends Error {
  constructor(status, problem) {
    const findings = (problem.diagnostics ?? []).map((one) =>
      `${one.line ? `line ${one.line}: ` : ""}${one.message}${one.fix ? `; fix: ${one.fix}` : ""}`);
    const fix = problem.fix && !findings.length ? `; fix: ${problem.fix}` : "";
    super(findings.join("\n") || (problem.detail ?? `the server responded ${status}`) + fix);
    this.status = status;
  }
}

/** Fetches with the token, and asks for one as long as the server wants another. */
async function fetchWithToken(path, options = {}) {
  for (;;) {
    const sent = token;
    const headers = { ...options.headers, ...(sent && { Authorization: `Bearer ${sent}` }) };
    const response = await fetch(base + path, { cache: "no-store", ...options, headers });
    if (response.status !== 401) return response;
    if (token === sent) await askForToken(sent !== null);
  }
}

/** The question that is open, and what its response continues. */
let tokenQuestion = null;

function askForToken(wasWrong) {
  if (tokenQuestion) return tokenQuestion.promise;
  tokenQuestion = Promise.withResolvers();
  byID("token-text").textContent = wasWrong
    ? "The server does not know this token."
    : "The server asks for the token it was started with. It is kept until this page is closed.";
  byID("token").showModal();
  return tokenQuestion.promise;
}

function useToken() {
  const input = byID("token-input");
  if (!input.value) return;
  if (!/^[\x21-\x7e]+$/.test(input.value)) {
    setText(byID("token-text"), "A token has letters, digits and signs of ASCII, without spaces. Copy it again.");
    return;
  }
  token = input.value;
  input.value = "";
  byID("token").close();
  tokenQuestion.resolve();
  tokenQuestion = null;
}

/** A browser closes the dialog with Escape whatever the page says. */
function askAgain() {
  if (tokenQuestion && !byID("token").open) byID("token").showModal();
}

async function askForText(method, path, body) {
  const text = typeof body === "string" ? body : body && JSON.stringify(body);
  const response = await fetchWithToken(path, { method, body: text });
  const received = await response.text();
  if (!response.ok) throw new Problem(response.status, received ? JSON.parse(received) : {});
  return received;
}

/** The JSON of a response; `null` where it has none. */
async function ask(method, path, body) {
  const response = await askForText(method, path, body);
  return response ? JSON.parse(response) : null;
}

const contractPath = (id, rest = "") =>
  `/contracts/${id.split("/").map(encodeURIComponent).join("/")}${rest}`;

/** Calls `take` with each event, and reconnects for ever after the last one that came. */
async function listen(take, setStatus) {
  const silenceMax = 40_000;
  let lastID = null;
  let pause = 250;
  for (;;) {
    const abort = new AbortController();
    let watchdog;
    try {
      const response = await fetchWithToken("/events", {
        headers: lastID ? { "Last-Event-ID": lastID } : {}, signal: abort.signal,
      });
      if (!response.ok) throw new Problem(response.status, {});
      setStatus(true, lastID === null);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => abort.abort(), silenceMax);
        const { value, done } = await reader.read();
        if (done) break;
        pause = 250;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) {
          const event = readEvent(block);
          if (!event) continue;
          lastID = event.id;
          take(event.name, event.data);
        }
      }
    } catch {
      // The server is away.
    }
    abort.abort();
    clearTimeout(watchdog);
    setStatus(false);
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 4000);
  }
}

/** `null` for a comment. */
function readEvent(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return fields.event
    ? { id: fields.id, name: fields.event, data: JSON.parse(fields.data) } : null;
}
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
// The header: where this is, what is forced, and how to begin.

const modes = ["fake", "live", "off"];
const modeWords = {
  fake: "the contracts respond", live: "the live APIs respond", off: "connections are reset",
};

function drawHeader() {
  setText(byID("place"), location.host + (session ? `, session ${session}` : ""));
  const names = [...new Set([...model.sessions, session])].filter(Boolean).sort();
  byID("session").parentNode.hidden = !names.length;
  fillSelect(byID("session"),
    [["", session ? "all clients" : "all"], ...names.map((name) => [name, name])], session);
  fillSelect(byID("server-mode"),
    [...modes.map((mode) => [mode, `${mode}: ${modeWords[mode]}`]), ["", "default"]], model.mode);
  drawForced();
  drawRecording();
}

function setConnection(isFollowing) {
  const status = byID("connection");
  status.className = isFollowing ? "following" : "lost";
  setText(status.querySelector("i"), isFollowing ? "●" : "○");
  setText(status.querySelector("span"), isFollowing ? "connected" : "connection lost, trying again");
}

const shownForcedMax = 4;
let forcedShown = "";

/** Cases that stay until somebody clears them are easily forgotten. */
function drawForced() {
  const forced = forcedContracts();
  const ids = JSON.stringify(forced.map((one) => [one.id, one.case]));
  if (ids === forcedShown) return;
  forcedShown = ids;
  const banner = byID("forced");
  const hadFocus = banner.contains(document.activeElement);
  banner.hidden = !forced.length;
  if (forced.length) fillForced(banner, forced);
  else banner.replaceChildren();
  if (hadFocus) (byID("clear-forced") ?? byID("requests")).focus();
}

function fillForced(banner, forced) {
  const rest = forced.length - shownForcedMax;
  banner.replaceChildren(
    element("b", {}, `${forced.length} forced`),
    ...forced.slice(0, shownForcedMax).map((contract) => {
      const served = contract.cases.find((one) => one.name === contract.case);
      return chipButton(kindOfCase(served), () => chooseCase(contract.id, null),
        `Let ${contract.id} choose again`, `${contract.id}#${contract.case} ×`);
    }),
    ...(rest > 0 ? [element("span", { className: "note" }, `and ${rest} more`)] : []),
    element("span", { className: "note" }, "in place of the default case"),
    button(forced.length > 1 ? "Clear all" : "Clear", clearForced, { id: "clear-forced" }));
}

const clearForced = () => act(async () => {
  for (const { id } of forcedContracts()) await ask("DELETE", contractPath(id, "/case"));
  await refreshContracts();
});

const resetAll = () => act(async () => {
  const made = model.contracts.filter((one) => one.isStub).length;
  if (made && !confirm(`A reset removes ${counted(made, "contract")} made here. Reset?`)) return;
  await ask("POST", "/reset");
  done("Reset.");
});

// MARK: Before the first request

let emptyShown = "";

function drawEmpty() {
  const place = byID("empty");
  place.hidden = model.rows.length > 0 || !model.upstreams.length;
  const wanted = JSON.stringify([model.upstreams, model.records]);
  if (place.hidden || wanted === emptyShown) return;
  emptyShown = wanted;
  const tries = model.upstreams.flatMap((one) => one.exampleURL ? [one.exampleURL] : []).slice(0, 3);
  place.replaceChildren(
    element("h3", {}, "Nothing has arrived yet"),
    ...(tries.length ? [
      element("p", {}, "Try it: paste one of these into a terminal, and it appears here."),
      ...tries.map((url) => command(`curl -i ${quoted(url)}`)),
    ] : []),
    element("h3", {}, "Point your client here"),
    element("p", {}, "Give it the base URL on the right in place of the one on the left."),
    element("dl", { className: "facts", id: "addresses" }, model.upstreams.flatMap((one) => [
      element("dt", {}, one.hosts[0] ? one.hosts[0] + one.basePath : one.name),
      element("dd", {}, command(one.baseURL)),
    ])),
    element("h3", {}, "No contract yet for what it sends?"),
    element("p", {}, "A request that nothing matches appears all the same: choose it, and make a "
      + "contract of it. To write contracts from what the live APIs respond, start the server with"),
    command("understudy serve --record"));
}

/** A line for a terminal, with a button that copies it. */
const command = (text) => element("div", { className: "command" }, element("code", {}, text),
  button("Copy", () => copyText(text), { "aria-label": `Copy ${text}` }));
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
// The list of requests, newest last. Only the rows in view are in the page: there may be thousands.

/** The kinds that are shown; all if it is empty. */
const kindsShown = new Set();

function shownRows() {
  const words = byID("request-filter").value.toLowerCase().trim().split(/\s+/).filter(Boolean);
  if (!words.length && !kindsShown.size) return model.rows;
  return model.rows.filter((row) => (!kindsShown.size || kindsShown.has(kindOfRow(row)))
    && words.every((word) => textOf(row).includes(word)));
}

const kindOfRow = (row) => (row.kind ??= kindOf(row.entry));

function textOf(row) {
  const { entry } = row;
  row.text ??= [entry.method, targetOf(entry), entry.status, entry.contract, entry.case, entry.session,
    endOf(entry), kindOfRow(row), clientOf(entry)].join(" ").toLowerCase();
  return row.text;
}

const targetOf = (entry) => entry.path + (entry.query === null ? "" : `?${entry.query}`);

const headerOf = (entry, name) =>
  entry.headers.find((field) => field.name.toLowerCase() === name)?.value;

/** The program that sent a request, as its User-Agent says. */
function clientOf(entry) {
  const agent = headerOf(entry, "user-agent") ?? "";
  const browser = agent.startsWith("Mozilla/") && /\b(Edg|Firefox|Chrome|Safari)\b/.exec(agent)?.[1];
  return (browser || agent.split(/[/ (]/)[0]).replace(/^Edg$/, "Edge");
}

/** On the clock of whoever looks. */
const timeOf = (entry) => new Date(entry.time).toTimeString().slice(0, 8);

/** Rows, and where they are grouped the heading of each contract before its rows. */
let lines = [];
let delayEnd = 1;

function drawRequests() {
  const list = byID("list");
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
  const shown = shownRows();
  lines = byID("grouping").value === "contract" ? grouped(shown) : [...shown];
  const delays = shown.slice(-500).map(({ entry }) =>
    Math.max(entry.delayConfiguredMilliseconds, isOpen(entry) ? 0 : entry.delayActualMilliseconds));
  delayEnd = axisEnd(Math.max(1, ...delays));
  setText(byID("delay-axis"), `to ${durationOf(delayEnd)}`);
  drawKindFilters();
  drawEmpty();
  list.hidden = byID("kinds-bar").hidden = !model.rows.length;
  setText(byID("shown"), shown.length === model.rows.length ? counted(shown.length, "request")
    : `${shown.length} of ${counted(model.rows.length, "request")}`);
  byID("no-rows").hidden = shown.length > 0 || !model.rows.length;
  byID("requests-table").setAttribute("aria-rowcount", lines.length + 1);
  drawWindow();
  if (isAtEnd && !byID("rows").contains(document.activeElement)) {
    list.scrollTop = list.scrollHeight;
    drawWindow();
  }
}

function grouped(rows) {
  const groups = Map.groupBy(rows, (row) => row.entry.contract ?? "");
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([id, rows]) =>
    [{ key: `group ${id}`, id, rows, view: groupViews.get(id) ?? null, isChanged: true }, ...rows]);
}

const groupViews = new Map();
/** Rows beyond the window on each side, so that scrolling shows no gap. */
const spareCount = 6;

/** Where the window begins and how many lines it has. */
let [windowStart, windowLength] = [0, 0];

function measureWindow() {
  const list = byID("list");
  const height = byID("row-probe").offsetHeight || 36;
  const first = Math.max(0, Math.floor(list.scrollTop / height) - spareCount);
  windowLength = Math.ceil(list.clientHeight / height) + 2 * spareCount;
  windowStart = Math.max(0, Math.min(first, lines.length - windowLength));
  return height;
}

function drawScrolled() {
  const [oldStart, oldLength] = [windowStart, windowLength];
  measureWindow();
  if (windowStart !== oldStart || windowLength !== oldLength) drawWindow();
}

/** Puts the rows in view into the page, and takes out the others. */
function drawWindow() {
  const height = measureWindow();
  const list = byID("list");
  const drawn = lines.slice(windowStart, windowStart + windowLength);
  byID("rows-before").firstElementChild.style.height = `${windowStart * height}px`;
  byID("rows-after").firstElementChild.style.height =
    `${(lines.length - windowStart - drawn.length) * height}px`;
  const hadFocus = byID("rows").contains(document.activeElement);
  const current = drawn.includes(model.selectedRow) ? model.selectedRow
    : drawn.findLast((line) => line.entry);
  const body = byID("rows");
  const nodes = new Set(drawn.map((line) => line.view?.node));
  for (const node of [...body.children]) if (!nodes.has(node)) node.remove();
  drawn.forEach((line, index) => {
    line.view ??= line.entry ? makeRow(line) : makeGroup(line);
    if (line.isChanged) (line.entry ? drawRow : drawGroup)(line);
    const { node } = line.view;
    node.setAttribute("aria-rowindex", windowStart + index + 2);
    if (body.children[index] !== node) body.insertBefore(node, body.children[index] ?? null);
    if (!line.entry) return;
    node.style.setProperty("--configured", part(line.entry.delayConfiguredMilliseconds));
    node.style.setProperty("--actual", isOpen(line.entry) ? "0" : part(line.entry.delayActualMilliseconds));
    line.view.button.tabIndex = line === current ? 0 : -1;
    if (line === model.selectedRow) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
  });
  // The focus stays in the list when its row is no longer there.
  if (hadFocus && !body.contains(document.activeElement)) list.focus({ preventScroll: true });
}

const part = (milliseconds) => `${Math.min(1, milliseconds / delayEnd)}`;

function makeRow(row) {
  const view = { button: button("", () => selectRow(row), { className: "target" }) };
  for (const name of ["time", "served", "status", "delay", "size", "client"]) {
    view[name] = element("td", { className: name });
  }
  view.below = element("span", { className: "below" });
  view.words = element("span");
  view.delay.append(element("span", {}, view.words, element("span", { className: "line", "aria-hidden": "true" })));
  view.node = element("tr", { row, onclick: (event) => event.target.closest("button") || selectRow(row) },
    view.time, element("th", { scope: "row" }, view.button, view.below), view.served, view.status,
    view.delay, view.size, view.client);
  return view;
}

function drawRow(row) {
  const { entry, view } = row;
  const kind = kindOfRow(row);
  row.isChanged = false;
  view.node.className = kind;
  setText(view.time, timeOf(entry));
  const inSession = !session && entry.session ? `~${entry.session} ` : "";
  // The last part of a path says most: where there is no room, the parts before it are cut.
  const [, start, end] = /^([^?]*)(\/[^/]*(?:\?.*)?)$/s.exec(targetOf(entry)) ?? ["", "", targetOf(entry)];
  view.button.replaceChildren(inSession, element("span", { className: "method" }, entry.method), " ",
    element("span", { className: "start" }, start), end);
  view.button.title = targetOf(entry);
  for (const place of [view.served, view.below]) place.replaceChildren(entryChip(entry));
  setText(view.status, endOf(entry));
  setText(view.words, isOpen(entry) ? "" : durationOf(entry.delayActualMilliseconds));
  view.delay.title = `configured ${entry.delayConfiguredMilliseconds} ms, actual ${entry.delayActualMilliseconds} ms`;
  setText(view.size, isOpen(entry) ? "" : sizeOf(entry.sentBytes));
  setText(view.client, clientOf(entry));
  view.client.title = headerOf(entry, "user-agent") ?? "";
}

/** Which case of which contract a request got; the path says the upstream as well. */
function entryChip(entry, isWhole = false) {
  const kind = kindOf(entry);
  if (!entry.case) return chip(kind, kind === "unmatched" ? "unmatched" : entry.reason === "mode" ? "live API" : endOf(entry));
  const name = isWhole ? entry.contract : entry.contract.split("/")[1];
  const made = chip(kind, element("span", { className: "of" }, name),
    element("b", {}, `#${entry.case}`));
  made.title = `${entry.contract}#${entry.case}, ${made.title}`;
  return made;
}

function makeGroup(line) {
  const view = { words: element("span", { className: "note" }) };
  view.button = button(line.id || "Without a contract", () => line.id && openContract(line.id),
    { className: "open" });
  view.node = element("tr", { className: "group" },
    element("th", { scope: "rowgroup", colSpan: 7 }, view.button, " ", view.words));
  groupViews.set(line.id, view);
  return view;
}

function drawGroup(line) {
  const counts = Map.groupBy(line.rows, kindOfRow);
  setText(line.view.words, Object.keys(kinds).filter((kind) => counts.has(kind))
    .map((kind) => `${kinds[kind][0]} ${counts.get(kind).length} ${kind}`).join("  "));
}

// MARK: Filters

let filtersShown = "";

/** A button for each kind that there is, or that is chosen. */
function drawKindFilters() {
  const counts = {};
  for (const row of model.rows) {
    const kind = kindOfRow(row);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const shown = Object.keys(kinds).filter((kind) => counts[kind] || kindsShown.has(kind));
  const wanted = JSON.stringify([shown, shown.map((kind) => counts[kind]), [...kindsShown]]);
  if (wanted === filtersShown) return;
  filtersShown = wanted;
  const place = byID("kinds");
  for (const node of [...place.children]) if (!shown.includes(node.dataset.kind)) node.remove();
  shown.forEach((kind, index) => {
    let node = [...place.children].find((one) => one.dataset.kind === kind);
    if (!node) {
      node = chipButton(kind, () => toggleKind(kind), kinds[kind][1], `${kind} `, element("b"));
      node.dataset.kind = kind;
      place.insertBefore(node, place.children[index] ?? null);
    }
    setText(node.querySelector("b"), `${counts[kind] ?? 0}`);
    node.setAttribute("aria-pressed", kindsShown.has(kind));
  });
}

function toggleKind(kind) {
  if (!kindsShown.delete(kind)) kindsShown.add(kind);
  drawAtOnce("requests");
  saveLink();
}

// MARK: Choosing

function selectRow(row) {
  [model.selectedRow, model.drawer] = [row, row ? "request" : null];
  if (row?.entry.contract && row.entry.contract !== model.selectedContract) {
    model.selectedContract = row.entry.contract;
    isContractSought = true;
  }
  drawAtOnce("requests", "detail", "contracts");
  saveLink();
  // In a small window the drawer covers the list.
  if (row && matchMedia("(max-width: 56rem)").matches) {
    drawNow();
    byID("detail-title").focus();
  }
}

/** Brings a row into view, and its button into the page. */
function showRow(row) {
  const list = byID("list");
  const height = byID("row-probe").offsetHeight;
  const top = lines.indexOf(row) * height;
  const head = list.querySelector("thead").offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight - head) {
    list.scrollTop = top + height - list.clientHeight + head;
  }
  drawWindow();
}

/** Selects the next or previous row and moves the focus to it. */
function stepRow(by) {
  // Some may have come since the last picture.
  drawRequests();
  const shown = lines.filter((line) => line.entry);
  if (!shown.length) return;
  const index = shown.indexOf(model.selectedRow);
  const next = index < 0 ? shown.length - 1
    : Math.max(0, Math.min(shown.length - 1, index + by));
  selectRow(shown[next]);
  showRow(shown[next]);
  shown[next].view.button.focus({ preventScroll: true });
}
// Bodies as a tree, as text and as bytes. What is long is shown in parts, so that it never stops the page.

const shownTextMax = 100_000;
const shownBytesMax = 4096;
const shownMembersMax = 100;
/** JSON that is longer becomes a tree only when somebody asks for it. */
const parsedMax = 500_000;

/**
 * A body in the forms that it has, with a choice between them.
 * @param text the body, or its Base64 where `isBase64` says so
 */
function bodyParts(text, isBase64, label) {
  const bytes = () => isBase64
    ? Uint8Array.from(atob(text), (one) => one.charCodeAt(0)) : new TextEncoder().encode(text);
  const forms = isBase64 ? [] : [["text", () => longText(text)]];
  if (!isBase64 && /^\s*[[{]/.test(text)) forms.unshift(["tree", () => treeOf(text)]);
  forms.push(["bytes", () => hexOf(bytes())]);
  const place = element("div", { className: "body" });
  const choice = element("div", { className: "forms", role: "group", "aria-label": `Form of ${label}` });
  const show = ([name, make]) => {
    for (const node of choice.children) node.setAttribute("aria-pressed", node.textContent === name);
    place.replaceChildren(...make());
  };
  choice.append(...forms.map((form) => button(form[0], () => show(form))));
  show(forms[0][0] === "tree" && text.length > parsedMax ? forms[1] : forms[0]);
  return [choice, place];
}

/** A text of megabytes would stop the page for seconds. */
function longText(text) {
  const shown = element("pre", { tabIndex: 0 }, text.slice(0, shownTextMax));
  if (text.length <= shownTextMax) return [shown];
  const more = button(`Show all ${text.length} characters`, () => {
    setText(shown, text);
    more.remove();
    shown.focus();
  }, { className: "all" });
  return [shown, more];
}

// MARK: Bytes

function hexOf(bytes) {
  const lines = (start) => {
    const made = [];
    for (let index = start; index < Math.min(bytes.length, start + shownBytesMax); index += 16) {
      const line = [...bytes.subarray(index, index + 16)];
      made.push(index.toString(16).padStart(8, "0") + "  "
        + line.map((one) => one.toString(16).padStart(2, "0")).join(" ").padEnd(49)
        + line.map((one) => (one > 31 && one < 127 ? String.fromCharCode(one) : ".")).join(""));
    }
    return made.join("\n");
  };
  const shown = element("pre", { tabIndex: 0, className: "hex" }, lines(0));
  const more = button("", () => {
    shown.append(`\n${lines(shownTo)}`);
    shownTo += shownBytesMax;
    label();
  });
  let shownTo = shownBytesMax;
  const label = () => {
    more.hidden = shownTo >= bytes.length;
    setText(more, `Show more of ${sizeOf(bytes.length)}`);
  };
  label();
  return [shown, more];
}

// MARK: JSON

/** A number that JavaScript would change, as it was written. */
class Digits {
  constructor(text) {
    this.text = text;
  }
}

const isInexact = (value, context) => typeof value === "number" && context?.source !== undefined
  && !Number.isSafeInteger(value) && String(value) !== context.source;

function treeOf(text) {
  let value;
  try {
    // Looking at each value takes time, which only long numbers are worth.
    value = /\d{16}/.test(text) ? JSON.parse(text, (key, value, context) =>
      isInexact(value, context) ? new Digits(context.source) : value) : JSON.parse(text);
  } catch (error) {
    return [element("p", { className: "problem" }, `Not valid JSON: ${error.message}`), ...longText(text)];
  }
  const top = element("ul", { className: "tree" });
  fill(top, value);
  return [top];
}

/** Deeper ones open by hand: a body may be nested without end. */
const openDepthMax = 4;

/** Adds the members of an object or array; those of long ones in parts. */
function fill(list, value, depth = 0, start = 0) {
  const isArray = Array.isArray(value);
  const keys = Object.keys(value);
  for (const key of keys.slice(start, start + shownMembersMax)) {
    list.append(memberOf(isArray ? null : key, key, value[key], depth));
  }
  const end = start + shownMembersMax;
  if (keys.length <= end) return;
  const more = element("li", {}, button(`${keys.length - end} more`, () => {
    more.remove();
    fill(list, value, depth, end);
  }));
  list.append(more);
}

function memberOf(name, key, value, depth) {
  const label = element("span", { className: name === null ? "index" : "key" }, key);
  if (value === null || typeof value !== "object" || value instanceof Digits) {
    return element("li", {}, label, " ", scalarOf(value));
  }
  const count = Object.keys(value).length;
  const words = Array.isArray(value) ? `[${count}]` : `{${count}}`;
  if (!count) return element("li", {}, label, " ", element("span", { className: "note" }, words));
  const list = element("ul");
  const box = element("details", {}, element("summary", {}, label, " ",
    element("span", { className: "note" }, words)), list);
  box.addEventListener("toggle", () => list.childElementCount || fill(list, value, depth + 1));
  // Small ones are read at a glance.
  if (count <= 5 && depth < openDepthMax) {
    fill(list, value, depth + 1);
    box.open = true;
  }
  return element("li", {}, box);
}

function scalarOf(value) {
  const text = value instanceof Digits ? value.text : JSON.stringify(value);
  return element("span", { className: typeof value === "string" ? "string" : "number" },
    text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text);
}
// Requests and delays of the last minute, second by second.

const secondCount = 60;
const sampleCountMax = 200;
const emptySecond = () => ({ kinds: {}, total: 0, delays: [], longest: undefined });
/** The newest last: how many requests of each kind, some of their delays, and the longest. */
const seconds = Array.from({ length: secondCount }, emptySecond);
let shiftedAt = Date.now();

/** Counts a request that has ended, once; those from before the page was opened, too. */
function measure(row) {
  const { entry } = row;
  if (isOpen(entry) || row.isMeasured) return;
  row.isMeasured = true;
  const age = Math.max(0, Math.floor((Date.now() - new Date(entry.time) - entry.delayActualMilliseconds) / 1000));
  const second = seconds[secondCount - 1 - age];
  if (!second) return;
  const kind = kindOf(entry);
  second.kinds[kind] = (second.kinds[kind] ?? 0) + 1;
  second.total += 1;
  second.longest = Math.max(second.longest ?? 0, entry.delayActualMilliseconds);
  if (second.delays.length < sampleCountMax) second.delays.push(entry.delayActualMilliseconds);
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Moves on by the seconds that have passed; a browser may call it seldom. */
function drawChart() {
  while (Date.now() - shiftedAt >= 1000) {
    shiftedAt = Math.max(shiftedAt + 1000, Date.now() - secondCount * 1000);
    seconds.shift();
    seconds.push(emptySecond());
  }
  const chart = byID("chart");
  const total = seconds.reduce((sum, second) => sum + second.total, 0);
  chart.hidden = !model.rows.length && !total;
  if (!chart.hidden) {
    drawCounts(total);
    drawDelays();
  }
}

const plotHeight = 60;
const plotLeft = (index) => index * 4;

function drawCounts(total) {
  const highest = Math.max(...seconds.map((second) => second.total));
  const end = axisEnd(Math.max(1, highest));
  const shown = Object.keys(kinds).filter((kind) => seconds.some((second) => second.kinds[kind]));
  const tops = seconds.map(() => plotHeight);
  byID("count-bars").replaceChildren(...shown.map((kind) => {
    const bars = seconds.map((second, index) => {
      const length = plotHeight * (second.kinds[kind] ?? 0) / end;
      if (!length) return "";
      tops[index] -= length;
      return `M${plotLeft(index) + 0.5} ${tops[index].toFixed(2)}h3v${length.toFixed(2)}h-3z`;
    });
    return shape("path", { class: kind, d: bars.join("") });
  }));
  setText(byID("count-end"), `${end}`);
  setText(byID("count-words"), `${total} in the last minute`
    + (highest ? `, peak ${highest}` : ""));
  byID("legend").replaceChildren(
    ...shown.map((kind) => element("li", { className: kind }, sign(kind), ` ${kind}`)));
}

function drawDelays() {
  const medians = seconds.map((second) => median(second.delays));
  const longest = seconds.map((second) => second.longest);
  const known = longest.filter((delay) => delay !== undefined);
  const end = axisEnd(Math.max(1, ...known));
  const dots = (delays) => delays.map((delay, index) => delay === undefined ? ""
    : `M${plotLeft(index) + 2} ${(plotHeight - 2 - (plotHeight - 4) * delay / end).toFixed(1)}h0`).join("");
  byID("delay-longest").setAttribute("d", longest.map((delay, index) => delay === undefined ? ""
    : `M${plotLeft(index) + 2} ${plotHeight}V${(plotHeight - 2 - (plotHeight - 4) * delay / end).toFixed(1)}`).join(""));
  byID("delay-median").setAttribute("d", dots(medians));
  setText(byID("delay-end"), durationOf(end));
  const all = seconds.flatMap((second) => second.delays);
  setText(byID("delay-words"), all.length
    ? `Median ${durationOf(median(all))}, longest ${durationOf(Math.max(...known))}` : "No response in the last minute");
}

function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
// The drawer of a request: what came, what it got and why, and what to make of it.

let requestShown = null;

async function drawRequestDrawer() {
  const row = model.selectedRow;
  // Events repeat what is known; then what somebody reads or has in focus stays.
  const ends = row?.entry.callbacks?.map(({ outcome }) => outcome) ?? [];
  const mark = row ? [row.key, row.entry.outcome, ...ends].join(" ") : "";
  if (mark === requestShown) return;
  requestShown = mark;
  const body = byID("detail-body");
  if (!row) return body.replaceChildren();
  const { entry } = row;
  const hadFocus = byID("detail").contains(document.activeElement);
  const nearest = element("div");
  const response = element("div", { id: "response" }, element("p", { className: "note" }, "…"));
  setText(byID("detail-title"), `${entry.method} ${targetOf(entry)}`);
  body.replaceChildren(
    ...(entry.outcome === "held" ? [heldControls(entry)] : []), outcomeOf(entry),
    nearest, factsOf(entry), detailButtons(row),
    element("h3", {}, "Request"), ...requestParts(entry),
    element("h3", {}, "Response"), response, ...callbackParts(entry));
  if (hadFocus) byID("detail-title").focus();
  try {
    if (entry.unmatched) drawNearest(nearest, await nearestOf(entry));
    row.response ??= await responseOf(entry);
    response.replaceChildren(...responseParts(entry, row.response));
  } catch (error) {
    response.replaceChildren(element("p", { className: "problem" }, error.message));
  }
}

function factsOf(entry) {
  const facts = [
    ["Chosen by", reasons[entry.reason]],
    ["Delay", `configured ${entry.delayConfiguredMilliseconds} ms, actual ${entry.delayActualMilliseconds} ms`],
    ["Size", `${sizeOf(entry.sentBytes)} sent`],
    ["At", `${timeOf(entry)}, request ${entry.sequence} of this server`],
    ["Client", headerOf(entry, "user-agent")],
  ];
  const shown = facts.filter(([, value]) => value);
  if (entry.session && !session) {
    const link = element("a", { href: `${sessionPath(entry.session)}/__understudy/` },
      `~${entry.session}`);
    shown.push(["Session", link]);
  }
  return element("dl", { className: "facts" },
    shown.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

const endOfCallback = ({ status, outcome, message }) => status ?? (message ? `${outcome}: ${message}` : outcome);

/** What followed the response: the request that was sent, and what came of it. */
function callbackParts(entry) {
  return (entry.callbacks ?? []).flatMap((one) => {
    const expected = one.expectedStatus === null ? "" : `, expected ${one.expectedStatus}`;
    const isText = one.body !== undefined;
    const content = isText ? one.body : one.bodyBase64;
    return [
      element("h3", {}, `Callback ${one.name}`),
      element("p", { className: "outcome callback" }, element("b", {}, `${endOfCallback(one)}`), expected,
        one.fix ? `. Fix: ${one.fix}` : ""),
      headOf(`${one.method} ${one.url}`, one.headers),
      ...(content ? bodyParts(content, !isText, "the callback's body") : []),
    ];
  });
}

function outcomeOf(entry) {
  const served = entry.contract
    ? button("", () => openContract(entry.contract), { className: "open", title: "Open the contract" })
    : element("span");
  served.append(entryChip(entry, true));
  return element("p", { className: "outcome" }, served, " ", element("b", {}, endOf(entry)));
}

function heldControls(entry) {
  const cases = contractOf(entry.contract)?.cases ?? [];
  const choice = element("select", { id: "release-as" });
  choice.setAttribute("aria-label", "Release as");
  fillSelect(choice, [["", `${entry.case}, as chosen`],
    ...cases.map((served) => [served.name, served.name])], "");
  return element("div", { className: "buttons held-controls" },
    element("b", {}, "‖ Held. "), element("label", {}, "Release as ", choice),
    button("Release", () => release(entry, choice.value || null), { id: "release" }),
    button("Reset the connection", () => act(() => ask("DELETE", `/held/${entry.sequence}`))));
}

const release = (entry, name) =>
  act(() => ask("POST", `/held/${entry.sequence}/release`, name ? { case: name } : undefined));

// MARK: Unmatched requests

async function nearestOf(entry) {
  const path = `/journal/unmatched?sequence=${entry.sequence}`;
  const found = (await ask("GET", path)).requests.find((one) => keyOf(one) === keyOf(entry));
  return found ?? null;
}

function drawNearest(place, found) {
  if (!found) {
    return place.replaceChildren(element("p", { className: "note" }, "The request log no longer has it."));
  }
  const lines = [found.message];
  for (const near of found.nearest) {
    lines.push(`  nearest: ${near.contract}  ${near.request}`);
    for (const difference of near.differences) lines.push(`    ${difference}`);
  }
  place.replaceChildren(
    element("h3", {}, "Why nothing matched"),
    element("pre", { className: "why", tabIndex: 0 }, lines.join("\n")));
}

// MARK: What was sent

const headOf = (line, fields) => element("pre", { className: "head", tabIndex: 0 },
  [line, ...fields.map((field) => `${field.name}: ${field.value}`)].join("\n"));

function requestParts(entry) {
  const parts = [headOf(`${entry.method} ${targetOf(entry)}`, entry.headers)];
  if (!entry.bodyBytes) return parts;
  const isText = entry.body !== undefined;
  return [...parts, ...bodyParts(isText ? entry.body : entry.bodyBase64, !isText, "the request's body"),
    element("p", { className: "note" }, sizeOf(entry.bodyBytes))];
}

/** The response of a request as the archive has it; `null` where it is unknown. */
async function responseOf(entry) {
  return isOpen(entry) ? null : (await archived(entry))?.response ?? null;
}

/** A request as the server has it; `null` where it is gone, or the number means one of a later server. */
async function archived(entry) {
  const archive = await ask("GET", `/journal.har?sequence=${entry.sequence}`);
  return archive.log.entries.find((one) => one.startedDateTime === entry.time) ?? null;
}

function responseParts(entry, response) {
  const note = (text) => [element("p", { className: "note" }, text)];
  if (isOpen(entry)) return note("It has not been sent yet.");
  if (!response) return note("The request log no longer has it.");
  if (entry.status === null) return note(`No response: ${endOf(entry)}.`);
  const { content } = response;
  const parts = [headOf(`${response.status} ${response.statusText}`, response.headers)];
  if (content.text) parts.push(...bodyParts(content.text, Boolean(content.encoding), "the response's body"));
  if (content.comment) {
    parts.push(...note(entry.unmatched ? "The body says the same as JSON."
      : "Its body depends on the request, so the request log does not keep it."));
  }
  return parts;
}

// MARK: Replay

/** Headers that a browser sets itself, or lets no page set. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|cookie|origin|referer|date|te|trailer|upgrade|via|expect|keep-alive|dnt|sec-.*|proxy-.*)$/i;

/** Where a page of this server can send the request again, as it was; `null` where it cannot. */
function replayURL(entry) {
  const { path, upstream: name } = placeOf(entry);
  const upstream = model.upstreams.find((one) => one.name === name);
  const isKnown = isWhole(entry) && !entry.bodyBase64 && !isSecret(targetOf(entry)) && !isSecret(entry.body ?? "")
    && !entry.headers.some((field) => isSecret(field.value));
  if (!isKnown || ["TRACE", "CONNECT", "TRACK"].includes(entry.method) || !/^[\w-]+$/.test(entry.method)) return null;
  const query = entry.query === null ? "" : `?${entry.query}`;
  if (!upstream) return hostOf(entry) === location.host ? entry.path + query : null;
  if (new URL(upstream.baseURL).host !== location.host) return null;
  return sessionPath(entry.session) + ownBasePath(upstream) + (path === "/" ? "" : path) + query;
}

// A browser opens few connections to one server, and a held response keeps its own.
const replaysMax = 2;
let replayCount = 0;

/** Sends a request again; it arrives as any other. */
const replay = (row) => act(async () => {
  const { entry } = row;
  if (replayCount === replaysMax) throw new Error("Two requests that were sent from here still wait for their responses.");
  const headers = entry.headers.filter((field) => !ownHeaders.test(field.name))
    .map((field) => [field.name, field.value]);
  const body = ["GET", "HEAD"].includes(entry.method) || !entry.bodyBytes ? undefined : entry.body;
  replayCount += 1;
  // A case may break the connection, or never respond.
  fetch(replayURL(entry), { method: entry.method, headers, body, redirect: "manual", cache: "no-store" })
    .then((response) => response.body?.cancel(), () => {}).finally(() => replayCount -= 1);
  done(`Sent ${entry.method} ${targetOf(entry)} again.`);
});
// What to make of a request: a command, a case, a contract.

function detailButtons(row) {
  const { entry } = row;
  const url = replayURL(entry);
  const made = [
    button("Make a contract", () => makeContract(row),
      { id: "make", className: entry.unmatched ? "first" : "" }),
    button("Make a case", () => makeCase(row), { id: "make-case", hidden: !entry.contract }),
    button("Send again", () => replay(row), {
      id: "replay", disabled: url === null,
      title: url ? `To this server: ${url}` : "A page cannot send this: copy it as curl",
    }),
    button("Record this", (event) => record(entry, event.currentTarget),
      { id: "record", hidden: !model.records, title: "Sends it to the live API" }),
  ];
  const copies = element("div", { className: "buttons small", role: "group", "aria-label": "Copy as" },
    "Copy as",
    button("curl", () => copyText(curlOf(entry)), { id: "copy-curl" }),
    button("case", () => act(async () => {
      const { text } = await newCase(row);
      return copyText(text);
    }), { id: "copy-case" }),
    button("condition (when)", () => copyText(JSON.stringify({ when: whenOf(entry) }, null, 2))));
  const note = element("p", { className: "note" });
  const makesCase = made[1];
  if (entry.contract) {
    caseRefusal(entry.contract).then((refusal) => {
      makesCase.disabled = Boolean(refusal);
      setText(note, refusal ? `No case can be made: ${refusal}` : "");
    });
  }
  return element("div", {}, element("div", { className: "buttons" }, made), note, copies);
}

/** Why the text of a contract cannot take another case; `null` where it can. */
async function caseRefusal(id) {
  const path = contractPath(id, "/source");
  // The text may be long.
  if ((await fetchWithToken(path, { method: "HEAD" })).ok) return null;
  return ask("GET", path).then(() => null, (error) => `${error.message}. Make a contract instead.`);
}

// MARK: Where a request leads

const hostOf = (entry) => headerOf(entry, "host") ?? location.host;

const portOf = (host) => /:(\d+)$/.exec(host)?.[1] ?? "";

/** The path of an upstream's base URL here, without the session's. */
const ownBasePath = (upstream) =>
  new URL(upstream.baseURL).pathname.slice(sessionPrefix.length).replace(/\/$/, "");

/** Whether a `Host` means this server, not the live API that it stands for. */
const isOwn = (host) =>
  [location.host, ...model.upstreams.map((one) => new URL(one.baseURL).host)]
    .some((own) => own === host || (portOf(host) && portOf(own) === portOf(host)));

/**
 * The upstream of a request, and the path below its base URL, which is that of contracts. The base URL
 * is here, by port or name, or that of the live API, by `Host`.
 */
function placeOf(entry) {
  const host = hostOf(entry).toLowerCase();
  const places = [
    ...model.upstreams.map((one) => {
      const base = ownBasePath(one);
      return [one, base, new URL(one.baseURL).port === portOf(host) || `${base}/`.startsWith(`/${one.name}/`)];
    }),
    ...model.upstreams.map((one) =>
      [one, one.basePath, one.hosts.some((own) => own === host || own === host.replace(/:\d+$/, ""))]),
  ];
  const [upstream, base] = places.find(([one, base, isMeant]) =>
    isMeant && `${entry.path}/`.startsWith(`${base}/`)
      && (entry.contract ?? `${one.name}/`).startsWith(`${one.name}/`)) ?? [null, ""];
  return { upstream: upstream?.name, path: entry.path.slice(base.length) || "/" };
}

// MARK: Commands

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const word = (text) => (/^[\w-]+$/.test(text) ? text : quoted(text));
const unsent = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"];

/** Whether the request log has all of the body. */
const isWhole = (entry) => !entry.bodyBytes || Boolean(entry.body && (isSecret(entry.body)
  || new TextEncoder().encode(entry.body).length === entry.bodyBytes));

function curlOf(entry) {
  const host = hostOf(entry);
  const isHead = entry.method === "HEAD";
  const words = [isHead ? "curl -I" : "curl -i"];
  if (!isHead && (entry.method !== "GET" || entry.bodyBytes)) words.push(`-X ${word(entry.method)}`);
  if (!isOwn(host)) words.push(`-H ${quoted(`Host: ${host}`)}`);
  for (const { name, value } of entry.headers) {
    if (!unsent.includes(name.toLowerCase())) words.push(`-H ${quoted(value ? `${name}: ${value}` : `${name};`)}`);
  }
  const body = isHead ? null : entry.body;
  if (body && isWhole(entry)) {
    // Else curl would say that it is a form.
    if (headerOf(entry, "content-type") === undefined) words.push("-H 'Content-Type:'");
    words.push(`--data-raw ${quoted(body)}`);
  }
  const url = `http://${isOwn(host) ? host : location.host}${sessionPath(entry.session)}${targetOf(entry)}`;
  // These mean many URLs to curl.
  if (/[[\]{}]/.test(url)) words.push("-g");
  words.push(quoted(url));
  return (isHead || isWhole(entry) ? "" : "# The body is left out: it is not text, or the request log has only a part.\n")
    + words.join(" ");
}

// MARK: Conditions

const isSecret = (text) => text.includes("[redacted]");

/** JSON without what the request log does not show: members, and elements from the first on. */
function jsonOf(text) {
  try {
    return text ? JSON.parse(text, (key, value, context) => {
      // What a number of JavaScript cannot say stays as it was written.
      if (isInexact(value, context) && JSON.rawJSON) return JSON.rawJSON(context.source);
      if (typeof value === "string" && isSecret(value)) return undefined;
      const end = Array.isArray(value) ? value.findIndex((one) => one === undefined) : -1;
      return end < 0 ? value : value.slice(0, end);
    }) : undefined;
  } catch {
    return undefined;
  }
}

/** What sets this request apart from others to the same contract, as the conditions of a case. */
const whenOf = (entry) =>
  ({ request: { ...pathConditions(entry), ...queryConditions(entry), ...bodyCondition(entry) } });

function bodyCondition(entry) {
  const body = jsonOf(entry.body);
  return body === undefined ? {} : { body: { [isSecret(entry.body) ? "contains" : "equals"]: body } };
}

function queryConditions(entry) {
  const fields = new URLSearchParams(entry.query ?? "");
  const conditions = {};
  for (const name of fields.keys()) {
    const values = fields.getAll(name);
    // A secret is only expected to be there.
    conditions[`query.${name}`] = values.some(isSecret) ? { absent: false }
      : values.length > 1 ? values : values[0];
  }
  return conditions;
}

function pathConditions(entry) {
  const values = placeOf(entry).path.split("/");
  const conditions = {};
  contractOf(entry.contract)?.path.split("/").forEach((segment, index) => {
    const name = /^\{([^.{}]+)\}$/.exec(segment)?.[1];
    const value = decoded(values[index] ?? "");
    if (name && value && !isSecret(value)) conditions[`path.${name}`] = value;
  });
  return conditions;
}

// MARK: Cases and contracts

function caseOf(entry, response) {
  if (entry.unmatched) return { status: 200, body: {} };
  if (entry.outcome === "reset") return { fault: "CONNECTION_RESET_BY_PEER" };
  if (entry.outcome !== "responded" || !response?.status || response.content.comment) {
    throw new Error("The request log does not have its response, so there is nothing to make of it.");
  }
  const made = { status: response.status };
  const type = response.headers.find((field) => field.name.toLowerCase() === "content-type")?.value;
  const json = jsonOf(response.content.text);
  if (json !== undefined) made.body = json;
  else if (response.content.text) {
    if (type) made.headers = { "Content-Type": type };
    made[response.content.encoding ? "base64" : "text"] = response.content.text;
  }
  return made;
}

/** The name with the first number that is not taken. */
function freeName(name, taken) {
  let [free, number] = [name, 1];
  while (taken.includes(free)) free = `${name}-${number += 1}`;
  return free;
}

/** A case that responds such requests as this one, as the text of a member. */
async function newCase(row) {
  const { entry } = row;
  row.response ??= await responseOf(entry);
  const when = whenOf(entry);
  const hasWhen = Object.keys(when.request).length > 0;
  const made = { ...(hasWhen && { when }), ...caseOf(entry, row.response) };
  const taken = contractOf(entry.contract)?.cases.map((one) => one.name) ?? [];
  const name = freeName("new-case", taken);
  return { name, text: `"${name}": ${JSON.stringify(made, null, 2)}` };
}

/** Opens the editor with a contract that responds to this request as it was served. */
const makeContract = (row) => act(async () => {
  const { entry } = row;
  const nearest = entry.unmatched ? (await nearestOf(entry))?.nearest[0]?.contract : null;
  const place = placeOf(entry);
  const upstream = (entry.contract ?? place.upstream ?? nearest ?? entry.path.slice(1)).split("/")[0];
  row.response ??= await responseOf(entry);
  const path = place.path.split("/").map((one, index) => isSecret(one) ? `{part-${index}}` : one).join("/");
  const conditions = queryConditions(entry);
  const contract = {
    summary: `${entry.method} ${path}`,
    request: {
      method: entry.method, path,
      ...(Object.keys(conditions).length && { parameters: conditions }),
      ...bodyCondition(entry),
    },
    cases: { ok: caseOf(entry, row.response) },
  };
  const name = path.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60).replace(/^-|-$/g, "");
  const id = freeName(`${upstream}/${name || "root"}`, model.contracts.map((one) => one.id));
  edit(id, JSON.stringify(contract, null, 2), null);
});

const sourceOf = (id) => askForText("GET", contractPath(id, "/source"));

const editContract = (id) => act(async () => edit(id, await sourceOf(id), id));

/** Opens the editor with the contract that responded and a case for such requests. */
const makeCase = (row) => act(async () => {
  const id = row.entry.contract;
  const source = await sourceOf(id);
  const { name, text } = await newCase(row);
  const made = withCase(source, text);
  if (!made) return tell(`The text of ${id} has no cases.`);
  edit(id, made.text, id, source);
  const field = byID("editor-text");
  field.focus();
  field.setSelectionRange(made.start + 1, made.start + 1 + name.length);
  const lines = (text) => text.split("\n").length;
  field.scrollTop = field.scrollHeight * lines(made.text.slice(0, made.start)) / lines(made.text) - 60;
});

/**
 * A contract with one more case at the end, which begins at `start`, and the rest of its text as it is;
 * `null` if it has none.
 */
function withCase(text, made) {
  let [depth, key, isInCases] = [0, "", false];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token[0] === '"') {
      if (depth === 1) key = token;
    } else if (token === "{" || token === "[") {
      depth += 1;
      if (depth === 2) isInCases = key === '"cases"';
    } else {
      depth -= 1;
      if (depth === 1 && isInCases) {
        const before = `${text.slice(0, index).trimEnd()},\n    `;
        return {
          text: `${before}${made.replaceAll("\n", "\n    ")}\n  ${text.slice(index)}`,
          start: before.length,
        };
      }
    }
  }
  return null;
}

// MARK: Recording

const record = (entry, pressed) => act(async () => {
  const isSafe = ["GET", "HEAD"].includes(entry.method);
  if (!isSafe && !confirm(`Send ${entry.method} ${targetOf(entry)} to the live API again?`)) return;
  pressed.disabled = true;
  try {
    if (!await archived(entry)) throw new Error("The request log no longer has it.");
    const { upstream, status } = await ask("POST", `/journal/${entry.sequence}/record`);
    (status < 500 ? done : tell)(`${upstream} responded ${status}.`);
  } finally {
    pressed.disabled = false;
    if (document.activeElement === document.body) pressed.focus();
  }
});
// Recording: what clients ask live APIs, as contracts.

function drawRecording() {
  const { status, mayStart } = model.recording;
  const isOn = status === "recording";
  const pressed = byID("recording");
  pressed.hidden = !mayStart;
  pressed.classList.toggle("on", isOn);
  setText(pressed, isOn ? "● Stop recording" : "Record…");
  pressed.title = isOn
    ? "Writes contracts of what was passed on" : "Passes requests on to live APIs, and writes contracts";
}

function openRecorder() {
  if (model.recording.status === "recording") return stopRecording();
  setText(byID("recorder-problem"), "");
  const known = model.upstreams.map((one) => one.name);
  byID("recorder-names").replaceChildren(...known.map((value) => element("option", { value })));
  byID("recorder").showModal();
}

/** Says in the dialog what is wrong, since it covers the page. */
async function actInRecorder(work) {
  setText(byID("recorder-problem"), "");
  try {
    await work();
    byID("recorder").close();
  } catch (error) {
    setText(byID("recorder-problem"), error.message);
  }
}

const startRecording = () => actInRecorder(async () => {
  const name = byID("recorder-upstream").value.trim();
  const url = byID("recorder-url").value.trim();
  if (url && !name) throw new Error("The live API has no name: say which upstream it is.");
  const { upstreams } = await ask("POST", "/recording/start", {
    ...(name && { upstreams: { [name]: url || null } }), all: byID("recorder-all").checked,
  });
  done(`Recording ${Object.keys(upstreams).join(", ")}. Requests below its name are passed on.`);
  await refreshContracts();
});

const stopRecording = () => act(async () => {
  tellRecorded(await ask("POST", "/recording/stop"));
  await refreshContracts();
});

const takeSnapshot = () => actInRecorder(async () => tellRecorded(await ask("POST", "/recording/snapshot")));

function tellRecorded({ requests, files, unrecorded }) {
  const written = files.length ? `wrote ${files.join(", ")}` : "nothing new to write";
  if (unrecorded.length) tell(unrecorded.map((one) => `Not recorded: ${one.message}`).join("\n"));
  done(`${counted(requests, "request")} passed on; ${written}.`);
}
// The editor of a contract: what it replaces, what is wrong with it, and serving it.

/** The contract that was opened, its text as the server had it then, and what the editor began with. */
let opened = { id: null, source: "", text: "" };

const editedID = () => `${byID("editor-upstream").value}/${byID("editor-name").value}`;

function edit(id, text, openedID, source = text) {
  opened = { id: openedID, source, text };
  [byID("editor-upstream").value, byID("editor-name").value] = id.split("/");
  byID("editor-text").value = text;
  byID("editor-save").hidden = !model.saves;
  setText(byID("editor-problem"), "");
  checkNumber += 1;
  drawDiagnostics([]);
  drawEditorNote();
  byID("editor").showModal();
}

/** Whether the editor may be closed. */
const mayLoseText = () =>
  byID("editor-text").value === opened.text || confirm("Close and lose your changes?");

function drawEditorNote() {
  const id = editedID();
  const other = id === opened.id ? null : contractOf(id);
  setText(byID("editor-note"), other ? `Replaces ${id}, ${counted(other.cases.length, "case")}.`
    : "Responds before the contracts in files, until a reset.");
}

/** Serves what the editor has, with the case that is new in it, and writes it to a file if asked to. */
async function serveEdited(isSaved) {
  const id = editedID();
  const source = byID("editor-text").value;
  const isOpened = id === opened.id;
  setText(byID("editor-problem"), "");
  const pressed = byID(isSaved ? "editor-save" : "editor-serve");
  pressed.disabled = true;
  try {
    if (isOpened && await sourceOf(id) !== opened.source) {
      throw new Error(`${id} has changed since it was opened here. Copy your text, and open it again.`);
    }
    const known = contractOf(id)?.cases.map((one) => one.name);
    const { cases } = await ask("PUT", contractPath(id), source);
    opened = { id, source, text: source };
    const added = isOpened && cases.find((one) => !known.includes(one.name));
    if (added) await ask("PUT", contractPath(id, "/case"), { case: added.name });
    await refreshContracts();
    openContract(id);
    if (isSaved) await saveContract(id);
    else done(`${id} is served.`);
    byID("editor").close();
  } catch (error) {
    setText(byID("editor-problem"), error.message);
  } finally {
    pressed.disabled = false;
    if (document.activeElement === document.body) pressed.focus();
  }
}

async function saveContract(id) {
  try {
    const { file } = await ask("POST", contractPath(id, "/save"));
    done(`Saved ${file}.`);
  } catch (error) {
    throw new Error(`${id} is served, but not saved: ${error.message}`);
  }
}

// What may stand where somebody types in the editor, by the schema of contracts, and what is wrong so far.

let schemaRoot = null;
const schema = async () => (schemaRoot ??= await ask("GET", "/contract.schema.json"));

// MARK: Where the cursor is

/**
 * The way from the top of a text to a place in it: the keys and `"[]"` for arrays, whether a key stands
 * there, what is typed of it from `start`, and the keys that its object has.
 */
function placeAt(text, end) {
  const open = [];
  let isAfterColon = false;
  let start = end;
  let typed = "";
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[\w.+-]+/g)) {
    if (index >= end) break;
    const top = open.at(-1);
    const [isSign, isClosed] = [/^[{}[\]:,]$/.test(token), /^"(?:[^"\\]|\\.)*"$/.test(token)];
    const isTyped = !isSign && index + token.length >= (isClosed ? end + 1 : end);
    if (isTyped) {
      [start, typed] = [index, text.slice(index, end)];
    } else if (token === "{" || token === "[") {
      open.push({ isObject: token === "{", key: null, keys: [] });
      isAfterColon = false;
    } else if (token === "}" || token === "]") {
      open.pop();
      isAfterColon = false;
    } else if (token === ":") {
      isAfterColon = true;
    } else if (token === ",") {
      isAfterColon = false;
      if (top) top.key = null;
    } else if (top?.isObject && !isAfterColon && token[0] === '"') {
      top.key = token.slice(1, -1);
      top.keys.push(top.key);
    }
  }
  const top = open.at(-1);
  return {
    path: open.slice(0, -1).map((one) => one.isObject ? one.key : "[]"),
    isKey: Boolean(top?.isObject) && !isAfterColon,
    last: top?.isObject ? top.key : "[]", isInside: Boolean(top), keys: top?.keys ?? [], start, typed,
  };
}

// MARK: What the schema says

/** A schema and all that it is made of. */
function partsOf(node, root, found = new Set()) {
  if (!node || typeof node !== "object" || found.has(node)) return found;
  found.add(node);
  if (node.$ref) partsOf(root.$defs[node.$ref.split("/").at(-1)], root, found);
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    for (const part of node[key] ?? []) partsOf(part, root, found);
  }
  for (const key of ["then", "else"]) partsOf(node[key], root, found);
  return found;
}

function below(parts, key, root) {
  const found = new Set();
  for (const part of parts) {
    if (key === "[]") {
      partsOf(part.items, root, found);
    } else if (part.properties?.[key]) {
      partsOf(part.properties[key], root, found);
    } else {
      const patterns = Object.entries(part.patternProperties ?? {})
        .filter(([pattern]) => new RegExp(pattern, "u").test(key));
      for (const [, schema] of patterns) partsOf(schema, root, found);
      if (!patterns.length) partsOf(part.additionalProperties, root, found);
    }
  }
  return found;
}

/** What may be typed at a place, as pairs of text and meaning. */
function completionsAt(place, root) {
  const choices = new Map();
  let parts = partsOf(root, root);
  for (const key of place.path) parts = below(parts, key, root);
  if (place.isKey) {
    for (const part of parts) {
      for (const [key, schema] of Object.entries(part.properties ?? {})) {
        const about = [...partsOf(schema, root)].find((one) => one.description)?.description;
        const text = JSON.stringify(key);
        if (!place.keys.includes(key)) choices.set(text, about ?? choices.get(text) ?? "");
      }
      for (const key of part.propertyNames?.examples ?? []) choices.set(JSON.stringify(key), "");
    }
  } else if (place.isInside) {
    for (const part of below(parts, place.last, root)) {
      const values = [...(part.enum ?? []), ...("const" in part ? [part.const] : []),
        ...(part.type === "boolean" ? [true, false] : []), ...(part.examples ?? [])];
      for (const value of values) choices.set(JSON.stringify(value), part.description ?? "");
    }
  }
  const wanted = place.typed.replace(/^"/, "").toLowerCase();
  return [...choices].filter(([text]) => text.toLowerCase().includes(wanted));
}

// MARK: The list

let completions = [];
let chosen = 0;
let completed = null;

async function showCompletions() {
  const field = byID("editor-text");
  completed = placeAt(field.value, field.selectionStart);
  completions = completionsAt(completed, await schema()).slice(0, 50);
  chosen = 0;
  drawCompletions();
}

function drawCompletions() {
  const list = byID("completions");
  list.hidden = !completions.length;
  list.replaceChildren(...completions.map(([text, about], index) => element("li", {
    id: `completion-${index}`, role: "option", "aria-selected": `${index === chosen}`,
    onpointerdown: (event) => {
      event.preventDefault();
      complete(index);
    },
  }, element("code", {}, text), " ", element("span", { className: "note" }, about))));
  const field = byID("editor-text");
  if (list.hidden) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", `completion-${chosen}`);
  byID(`completion-${chosen}`).scrollIntoView({ block: "nearest" });
}

function hideCompletions() {
  completions = [];
  drawCompletions();
}

function complete(index) {
  const field = byID("editor-text");
  const text = completions[index][0];
  const rest = field.value.slice(field.selectionStart);
  const colon = completed.isKey && !/^"?\s*:/.test(rest) ? ": " : "";
  // The quotation mark that closed what was typed is in the new text.
  const end = field.selectionStart + (completed.typed.startsWith('"') && rest.startsWith('"') ? 1 : 0);
  field.setRangeText(text + colon, completed.start, end, "end");
  hideCompletions();
  field.dispatchEvent(new Event("input"));
}

function takeEditorKey(event) {
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    return act(showCompletions);
  }
  if (!completions.length) return undefined;
  if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(event.key)) hideCompletions();
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (steps[event.key]) {
    event.preventDefault();
    chosen = (chosen + steps[event.key] + completions.length) % completions.length;
    drawCompletions();
  } else if (event.key === "Enter" || event.key === "Tab") {
    event.preventDefault();
    complete(chosen);
  } else if (event.key === "Escape") {
    // The dialog stays.
    event.preventDefault();
    event.stopPropagation();
    hideCompletions();
  }
  return undefined;
}

function takeEditorInput(event) {
  const { value, selectionStart } = byID("editor-text");
  const { isKey, typed } = placeAt(value, selectionStart);
  if (typed && event.inputType && (completions.length || (event.data === '"' && isKey))) act(showCompletions);
  else hideCompletions();
  checkSoon(400);
}

// MARK: What is wrong

/** Which check was asked for last: an earlier one may respond later. */
let checkNumber = 0;

const checkSoon = laterOnce(async () => {
  const number = checkNumber += 1;
  try {
    const { diagnostics } = await ask("POST", contractPath(editedID(), "/check"), byID("editor-text").value || " ");
    if (number === checkNumber) drawDiagnostics(diagnostics);
  } catch (error) {
    if (number === checkNumber) drawDiagnostics([{ message: error.message }]);
  }
});

function drawDiagnostics(diagnostics) {
  const field = byID("editor-text");
  field.setAttribute("aria-invalid", diagnostics.length > 0);
  byID("editor-findings").replaceChildren(...diagnostics.map(({ line, column, message, fix }) =>
    element("li", {}, button(`line ${line ?? 1}`, () => goToLine(line ?? 1, column ?? 1), { className: "open" }),
      ` ${message}${fix ? `; fix: ${fix}` : ""}`)));
}

function goToLine(line, column) {
  const field = byID("editor-text");
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0) - column + 1);
  field.scrollTop = field.scrollHeight * (line - 1) / lines.length - 60;
}
// Everything by keyboard. Single keys act unless somebody types, or has turned them off.

/** By subject: what each key does; `null` for those that depend on more than the key. */
const keyGroups = {
  Requests: [
    ["j", "next request", () => stepRow(1)],
    ["k", "previous request", () => stepRow(-1)],
    ["Enter", "its detail", null],
    ["/", "filter requests", () => byID("request-filter").focus()],
    ["m", "make a contract of the request", () => model.selectedRow && makeContract(model.selectedRow)],
    ["c", "make a case of the request", () => model.selectedRow?.entry.contract && makeCase(model.selectedRow)],
    ["r", "release the held request", releaseOne],
  ],
  Contracts: [
    ["n", "next contract", () => stepContract(1)],
    ["p", "previous contract", () => stepContract(-1)],
    ["1 … 9", "serve this case of the contract", null],
    ["0", "let the contract choose", () => withContract((id) => chooseCase(id, null))],
    ["h", "hold its responses, or hold no more", () => withContract(toggleHold)],
    ["s", "build a script", buildScript],
  ],
  Page: [
    ["Esc", "back", null],
    ["R", "reset", resetAll],
    ["?", "show this", () => byID("help").showModal()],
  ],
};
const keys = Object.values(keyGroups).flat();

const rowKeys = { ArrowDown: 1, ArrowUp: -1, End: rowCountMax, Home: -rowCountMax };

function withContract(work) {
  if (selectedContract()) work(model.selectedContract);
  else tell("Choose a contract first: n is the next one.");
}

function stepContract(by) {
  const ids = matchingContracts().map((one) => one.id);
  if (!ids.length) return;
  const index = ids.indexOf(model.selectedContract);
  const next = index < 0 ? (by > 0 ? 0 : ids.length - 1) : (index + by + ids.length) % ids.length;
  isContractSought = true;
  openContract(ids[next]);
}

function buildScript() {
  withContract((id) => {
    openContract(id);
    drawNow();
    byID("script-cases").firstChild?.focus();
  });
}

/** The selected request if it is held, else the one that has waited longest. */
function releaseOne() {
  const held = heldRows();
  const row = held.includes(model.selectedRow) ? model.selectedRow : held[0];
  if (row) release(row.entry, row === model.selectedRow ? byID("release-as")?.value || null : null);
  else tell("No response is held.");
}

/** The tour: what the signs mean, and what each key does. */
function makeHelp() {
  byID("kinds-help").append(...Object.entries(kinds).flatMap(([kind, [, meaning]]) => [
    element("dt", {}, chip(kind, kind)), element("dd", {}, meaning)]));
  byID("keys").append(...Object.entries(keyGroups).map(([name, keys]) =>
    element("section", {}, element("h3", {}, name), element("dl", { className: "facts" },
      keys.flatMap(([key, words]) => [
        element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)])))));
  document.addEventListener("keydown", takeKey);
}

function takeKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (event.key === "Escape") return goBack(target);
  if (target.matches("input:not([type=checkbox]), textarea, select")) return;
  if (target.closest("#rows") && rowKeys[event.key]) {
    event.preventDefault();
    return stepRow(rowKeys[event.key]);
  }
  const row = target.closest("#rows tr")?.row;
  if (event.key === "Enter" && row) {
    event.preventDefault();
    selectRow(row);
    drawNow();
    return byID("detail-title").focus();
  }
  if (!byID("keys-on").checked) return;
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    return withContract((id) => {
      const served = contractOf(id).cases[event.key - 1];
      if (served) chooseCase(id, served.name);
      else tell(`${id} has no case number ${event.key}.`);
    });
  }
  // With Caps Lock, a key that releases one response would reset everything.
  if (event.key === "R" && event.getModifierState("CapsLock")) return;
  const found = keys.find(([key, , work]) => work && key === event.key);
  if (!found || (event.repeat && !"npjk".includes(event.key))) return;
  event.preventDefault();
  found[2]();
}

function goBack(target) {
  tell("");
  if (target.matches("input[type=search]")) {
    target.value = "";
    target.dispatchEvent(new Event("input"));
    if (target.id === "contract-filter") return;
    // Else the request to go back to would not be there yet.
    drawRequests();
    focusRow();
  } else if (target.closest("#detail") || target.closest("#drawer")?.querySelector("#detail:not([hidden])")) {
    drawRequests();
    focusRow();
  } else {
    closeDrawer();
  }
}

/** Closes the drawer, and leaves the focus with what it was opened from. */
function closeDrawer() {
  const opener = model.drawer === "contract" ? contractViews.get(model.selectedContract)?.select : null;
  model.drawer = null;
  drawAtOnce("detail", "contracts", "requests");
  if (opener?.isConnected) opener.focus();
  else focusRow();
}

function focusRow() {
  if (lines.includes(model.selectedRow)) showRow(model.selectedRow);
  (model.selectedRow?.view?.button ?? byID("list")).focus({ preventScroll: true });
}
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

start();</script>
</body>
</html>

"""#
}
