// swift-format-ignore-file
// Written by ci/generate. To change it, edit Sources/Reports/Page and run that again.

enum PageStyle {
  /// The hash of `css`; a browser applies no other style.
  static let hash = "sha256-SBBfa0UOncgRKO4wV9IHYmj7cLkfXqz7LD542hu8cQ0="

  static let css = #"""
:root{color-scheme:light dark;--ground:#f7f6f3;--card:#fff;--line:#dedbd4;--text:#1f2328;
--soft:#565d66;--code:#f2f1ed;--focus:#0a58ca;
--passing:#1c6537;--passing-bg:#e4f3e9;--changed:#744900;--changed-bg:#fcf0d6;
--drifting:#a8231b;--drifting-bg:#fcebe9;--unreachable:#4b3c91;--unreachable-bg:#ece9f8;
--not-run:#555c65;--not-run-bg:#ecebe7}
@media (prefers-color-scheme:dark){:root{--ground:#14161a;--card:#1b1e24;--line:#343942;
--text:#e6e8eb;--soft:#a6aeb8;--code:#14161a;--focus:#8ab4ff;
--passing:#8fdba8;--passing-bg:#16301f;--changed:#f3cf87;--changed-bg:#352a13;
--drifting:#ffb4ab;--drifting-bg:#3d1e1b;--unreachable:#cbc0ff;--unreachable-bg:#282243;
--not-run:#b3bbc5;--not-run-bg:#292d34}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,
"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
h1,h2,h3{font-weight:600;margin:0}
p{margin:.25rem 0}
code,pre,kbd{font:.8125rem/1.6 ui-monospace,"DejaVu Sans Mono",monospace}
pre{background:var(--code);border:1px solid var(--line);border-radius:.5rem;overflow:auto}
.note{color:var(--soft)}
i{font-style:normal;font-weight:700}
summary{cursor:pointer}
:focus-visible{outline:3px solid var(--focus);outline-offset:1px}
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
summary:hover{background:var(--code)}
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
