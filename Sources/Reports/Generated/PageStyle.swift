// swift-format-ignore-file
// Written by ci/generate. To change it, edit Sources/Reports/Page and run that again.

enum PageStyle {
  /// The hash of `css`; a browser applies no other style.
  static let hash = "sha256-dBwx9mdYx0mKjDQXq8xbaR2220cWDoMrahfoe7k+69E="

  static let css = #"""
/* What the dashboard and the reports share: colours, sizes and the look of plain text. */

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
/* The report: a header that says what happened, then a part for each state. */

body {
  margin: 0 auto;
  max-width: 64rem;
  padding: var(--gap-5) var(--gap-4) 3rem;
  font-size: var(--size-text);
}

/* What happened */
.result { display: flex; flex-wrap: wrap; gap: var(--gap-2) var(--gap-3); align-items: center; color: var(--soft); }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.01em; margin: var(--gap-2) 0; }
.broken { margin: var(--gap-3) 0; padding: 0; list-style: none; }
.broken li {
  padding: var(--gap-1) var(--gap-3);
  border-left: 3px solid var(--drifting);
}
.broken a, h3, h4, .line b { font-family: var(--mono); font-size: var(--size-small); }
.facts {
  display: flex;
  flex-wrap: wrap;
  gap: var(--gap-1) var(--gap-2);
  margin: var(--gap-3) 0 0;
  color: var(--soft);
  font-size: var(--size-small);
}
.facts span + span::before { content: "· " / ""; }

.chip {
  display: inline-block;
  padding: 0 var(--gap-2);
  border-radius: var(--round-chip);
  font-size: var(--size-small);
  line-height: 1.6;
  white-space: nowrap;
}
.chip.pass, .chip.passing { background: var(--passing-bg); color: var(--passing); }
.chip.fail, .chip.drifting, .chip.error { background: var(--drifting-bg); color: var(--drifting); }
.chip.couldNotCheck, .chip.unreachable { background: var(--unreachable-bg); color: var(--unreachable); }
.chip.changed, .chip.warning { background: var(--changed-bg); color: var(--changed); }
.chip.notExercised, .chip.not-run, .chip.note { background: var(--not-run-bg); color: var(--not-run); }

/* Which of the parts are shown */
.filter {
  display: flex;
  flex-wrap: wrap;
  gap: var(--gap-2);
  border: 0;
  margin: var(--gap-5) 0 0;
  padding: 0;
  font-size: var(--size-small);
}
.filter legend { float: left; padding: var(--gap-1) var(--gap-2) var(--gap-1) 0; color: var(--soft); }
.choice { position: relative; }
.choice input, .one input {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  margin: 0;
  opacity: 0;
  cursor: pointer;
}
.choice span {
  display: block;
  padding: var(--gap-1) var(--gap-3);
  border: 1px solid var(--edge);
  border-radius: var(--round-chip);
  background: var(--card);
}
.choice b { font-weight: 600; color: var(--soft); margin-left: var(--gap-1); }
.choice input:checked + span { background: var(--text); border-color: var(--text); color: var(--ground); }
.choice input:checked + span b { color: inherit; }
.choice input:focus-visible + span, .one input:focus-visible + svg {
  outline: 3px solid var(--focus);
  outline-offset: 1px;
}
body:has(#show-drifting:checked) [data-has]:not([data-has~=drifting]),
body:has(#show-unreachable:checked) [data-has]:not([data-has~=unreachable]),
body:has(#show-changed:checked) [data-has]:not([data-has~=changed]),
body:has(#show-passing:checked) [data-has]:not([data-has~=passing]),
body:has(#show-not-run:checked) [data-has]:not([data-has~=not-run]) { display: none; }

/* Parts and their endpoints */
section { margin-top: var(--gap-5); }
h2 { display: inline-block; font-size: var(--size-title); }
.count { color: var(--soft); font-weight: 400; margin-left: var(--gap-1); }
section > details > summary { padding: var(--gap-1) 0; }
.card {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: var(--round-card);
  margin: var(--gap-3) 0;
  padding: var(--gap-4);
}
.endpoint { content-visibility: auto; contain-intrinsic-size: auto 12rem; }
h3 { font-size: var(--size-text); }
.owner, .note, .fix, .since, .place { color: var(--soft); font-size: var(--size-small); margin: 0; }
.case {
  display: grid;
  grid-template-columns: auto auto 1fr auto;
  gap: var(--gap-1) var(--gap-3);
  align-items: baseline;
  padding: var(--gap-2) 0;
}
.case p { margin: 0; }
h4 { margin: 0; font-weight: 600; }
.line {
  display: grid;
  grid-template-columns: 1rem minmax(8rem, 16rem) 1fr;
  gap: var(--gap-2);
  margin: var(--gap-1) 0;
  font-size: var(--size-small);
  color: var(--soft);
}
.line b { color: var(--text); }
:target { scroll-margin-top: var(--gap-4); }
.case:target, .line:target { background: var(--changed-bg); box-shadow: 0 0 0 .5rem var(--changed-bg); border-radius: 1px; }

/* What was found, below its line of the contract */
.site { border: 1px solid var(--line); border-radius: var(--round); margin: var(--gap-3) 0; overflow: hidden; }
.place { padding: var(--gap-1) var(--gap-3); border-bottom: 1px solid var(--line); }
.site pre { margin: 0; border: 0; border-radius: 0; padding: var(--gap-2) var(--gap-3); }
pre { background: var(--sunken); white-space: pre-wrap; }
.here { display: block; margin: 0 calc(-1 * var(--gap-3)); padding: 0 var(--gap-3); background: var(--changed-bg); }
.finding { padding: var(--gap-2) var(--gap-3) var(--gap-3); border-left: 3px solid var(--line); }
.finding.error { border-color: var(--drifting); }
.finding.warning { border-color: var(--changed); }
.what { margin: 0 0 var(--gap-1); }
.fix { color: var(--text); margin-top: var(--gap-2); }
.finding .diff { border-radius: var(--round); margin: var(--gap-2) 0 0; padding: var(--gap-1) 0; }
.diff span { display: block; padding: 0 var(--gap-3); }
.less { background: var(--drifting-bg); color: var(--drifting); }
.more { background: var(--passing-bg); color: var(--passing); }
.same { color: var(--soft); }

/* Past runs */
.history { margin-top: var(--gap-3); font-size: var(--size-small); }
.history > summary { padding: var(--gap-1) 0; color: var(--soft); }
.history ul { margin: var(--gap-2) 0 0; padding-left: 1.1rem; }
.chart {
  display: grid;
  grid-template: auto 4rem auto auto / auto minmax(0, max-content) 1fr;
  gap: 0 var(--gap-2);
  border: 0;
  margin: var(--gap-3) 0;
  padding: 0 0 3.5rem;
  min-width: 0;
  position: relative;
  max-width: 46rem;
}
.chart legend { padding: 0; color: var(--soft); margin-bottom: var(--gap-2); }
.axis { display: flex; justify-content: space-between; margin: 0; color: var(--soft); }
.axis.y { flex-direction: column; text-align: right; grid-area: 2 / 1; padding-top: 1.2rem; line-height: 1; }
.axis.x { grid-area: 3 / 2; }
.runs { grid-area: 2 / 2; display: flex; gap: 2px; border-bottom: 1px solid var(--edge); }
.one { display: grid; flex: 0 1 1.25rem; width: 1.25rem; min-width: 2px; }
.one > * { grid-area: 1 / 1; }
.one input { position: static; z-index: 1; }
.one svg { width: 100%; min-width: 0; height: 4rem; }
.one:hover svg, .one input:checked + svg { background: var(--sunken); }
svg .passing { fill: var(--passing); }
svg .changed { fill: var(--changed); }
svg .drifting { fill: var(--drifting); }
svg .unreachable { fill: var(--unreachable); }
svg .bar { opacity: .55; }
.tip {
  display: none;
  position: absolute;
  left: 0;
  right: 0;
  bottom: 0;
  height: 3rem;
  overflow: auto;
}
.one:has(input:checked) .tip, .one:hover .tip { display: block; }
.runs:has(.one:hover) .one:not(:hover) .tip { display: none; }
.legend { grid-area: 4 / 2 / 5 / 4; display: flex; flex-wrap: wrap; gap: var(--gap-1) var(--gap-4); margin: 0; color: var(--soft); }
.legend svg { width: .5rem; height: .75rem; margin-right: var(--gap-1); }

.patch pre { padding: var(--gap-3); }

@media (max-width: 40rem) {
  .case { grid-template-columns: auto 1fr; }
  .case p { grid-column: 1 / -1; }
  .since:empty { display: none; }
  .card { padding: var(--gap-3); }
  .chart { padding-bottom: 5.5rem; }
  .tip { height: 5rem; }
  .runs { gap: 1px; }
}

@media print {
  body { max-width: none; padding: 0; font-size: 10pt; background: none; }
  .filter { display: none; }
  .card { border-color: var(--edge); }
  .endpoint { content-visibility: visible; }
  .site, .finding, .chart { break-inside: avoid; }
  h2, h3, .case { break-after: avoid; }
  .chip, .here, .diff span, svg { print-color-adjust: exact; }
}

"""#
}
