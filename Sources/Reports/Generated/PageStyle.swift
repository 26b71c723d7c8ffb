// swift-format-ignore-file
// Written by ci/generate. To change it, edit Sources/Reports/Page and run that again.

enum PageStyle {
  /// The hash of `css`; a browser applies no other style.
  static let hash = "sha256-IL59oVFNgys+j0nxE8dPbVRGSsWr9tGfAto5SBTt0MU="

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
  --size-headline: 1.5rem;
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
body{margin:0 auto;max-width:66rem;padding:2rem 1.25rem 3rem}
h1{font-size:1.5rem;line-height:1.3}
h2{font-size:1.1rem;margin:2.25rem 0 .1rem}
h3{font:600 .95rem/1.4 ui-monospace,"DejaVu Sans Mono",monospace;padding:.75rem 1rem}
h4{font-size:.95rem;font-weight:500;margin:0}
header p,.owner,footer{color:var(--soft)}
.owner,.note,.reader,.fix,footer{font-size:.875rem}
.broken{margin-top:1.25rem;padding:.75rem 1rem;border-left:4px solid var(--drifting);
border-radius:.5rem;background:var(--drifting-bg)}
.broken h2{margin:0;color:var(--drifting)}
.broken ul{margin:.25rem 0 0;padding-left:1.25rem}
footer{margin-top:2.5rem}
.sign{display:inline-block;width:1.6em;height:1.6em;line-height:1.6em;border-radius:50%;
text-align:center;font-size:.9em;margin-right:.2em}
.sign.pass,.state.passing{background:var(--passing-bg);color:var(--passing)}
.sign.fail,.state.drifting{background:var(--drifting-bg);color:var(--drifting)}
.sign.couldNotCheck,.state.unreachable{background:var(--unreachable-bg);color:var(--unreachable)}
.sign.notExercised,.state.not-run{background:var(--not-run-bg);color:var(--not-run)}
.state.changed{background:var(--changed-bg);color:var(--changed)}
.filter{border:0;margin:1.25rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}
.filter legend{float:left;padding:.3rem .5rem .3rem 0;color:var(--soft);font-size:.875rem}
.choice{position:relative;font-size:.875rem}
.choice input{position:absolute;inset:0;margin:0;opacity:0;width:100%;height:100%;
cursor:pointer}
.choice span{display:block;padding:.3rem .8rem;border:1px solid var(--line);
border-radius:2rem;background:var(--card)}
.choice b{font-weight:600;color:var(--soft);margin-left:.2em}
.choice input:checked+span{background:var(--text);border-color:var(--text);
color:var(--ground)}
.choice input:checked+span b{color:var(--ground)}
.choice input:focus-visible+span{outline:3px solid var(--focus);outline-offset:2px}
.endpoint,.run .finding{background:var(--card);border:1px solid var(--line);
border-radius:.75rem;margin:.75rem 0;overflow:hidden}
.run .finding{padding:.75rem 1rem}
.case{border-top:1px solid var(--line)}
summary{display:grid;grid-template-columns:7rem minmax(8rem,1fr) 8.5rem 17rem 6rem 4.5rem;
gap:.75rem;align-items:center;padding:.55rem 1rem;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--sunken)}
summary:focus-visible{outline-offset:-3px;border-radius:.5rem}
.state{border-radius:2rem;padding:.1rem .65rem;font-size:.8125rem;white-space:nowrap;
justify-self:start}
.name::before{content:"▸ ";color:var(--soft)}
[open]>summary .name::before{content:"▾ "}
.since,.time,.name small{color:var(--soft);font-size:.8125rem}
.name small{display:block}
.time{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
svg{display:block;width:100%;height:auto}
svg .passing{fill:var(--passing);opacity:.55}
svg .changed{fill:var(--changed)}
svg .drifting{fill:var(--drifting)}
svg .unreachable{fill:none;stroke:var(--unreachable)}
svg .not-run,svg .none{fill:var(--line)}
svg polyline{fill:none;stroke:var(--soft);stroke-width:1.3;stroke-linejoin:round}
svg circle{fill:var(--text)}
.told{padding:.1rem 1rem 1rem;margin:0}
ul.told{padding-left:2rem;font-size:.875rem}
.finding{margin:.6rem 0 1rem}
.told .finding{border-left:3px solid var(--line);padding-left:.9rem}
.told .finding.error{border-color:var(--drifting)}
.told .finding.warning{border-color:var(--changed)}
.label{font:600 .75rem/1 ui-monospace,"DejaVu Sans Mono",monospace;color:var(--soft)}
.error .label{color:var(--drifting)}
.warning .label{color:var(--changed)}
pre{margin:.5rem 0;padding:.6rem 0;overflow-wrap:normal}
pre>span{display:block;padding:0 .8rem;white-space:pre;min-width:max-content}
.number{display:inline-block;width:3.5rem;padding-right:.9rem;text-align:right;
color:var(--soft);user-select:none}
.here{background:var(--changed-bg);font-weight:600}
.here .number{color:var(--changed)}
.less{background:var(--drifting-bg);color:var(--drifting)}
.more{background:var(--passing-bg);color:var(--passing)}
.same{color:var(--soft)}
@media (max-width:56rem){summary{grid-template-columns:7rem 1fr auto;row-gap:.35rem}
svg.runs,span.runs{grid-column:1/3}svg.latency,span.latency{grid-column:3}
.time{display:none}span.runs,span.latency{display:none}}
@media (max-width:34rem){body{padding:1.25rem .75rem 2rem}summary{grid-template-columns:7rem 1fr}
.since{grid-column:1/3}.since:empty{display:none}
svg.runs,svg.latency{grid-column:1/3}svg.latency{max-width:6rem}}
body:has(#show-drifting:checked) [data-has]:not([data-has~=drifting]){display:none}
body:has(#show-unreachable:checked) [data-has]:not([data-has~=unreachable]){display:none}
body:has(#show-changed:checked) [data-has]:not([data-has~=changed]){display:none}
body:has(#show-passing:checked) [data-has]:not([data-has~=passing]){display:none}
body:has(#show-not-run:checked) [data-has]:not([data-has~=not-run]){display:none}

"""#
}
