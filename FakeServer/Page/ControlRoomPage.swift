// swift-format-ignore-file
// Written by ci/generate. To change it, edit FakeServer/Page and run that again.

enum ControlRoomPage {
  static let styleHash = "sha256-eLEHCPLlDUTu4KwS1JCZYAf41tSthyrcmWyTQt2J8h0="
  static let scriptHash = "sha256-JhhScJnhFznRJvFwSW/Uob6nNdLvks+DV3Bv1phlkHE="

  static let html = #"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Control room · Understudy</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='6' cy='8' r='5' fill='%231c6537'/%3E%3Ccircle cx='11' cy='8' r='4' fill='none' stroke='%234b3c91' stroke-width='2'/%3E%3C/svg%3E">
<style>:root{color-scheme:light dark;--ground:#f7f6f3;--card:#fff;--line:#dedbd4;--text:#1f2328;--soft:#565d66;--code:#f2f1ed;--focus:#0a58ca;--well:#1c6537;--well-bg:#e4f3e9;--changed:#744900;--changed-bg:#fcf0d6;--drifting:#a8231b;--drifting-bg:#fcebe9;--out:#4b3c91;--out-bg:#ece9f8;--unasked:#555c65;--unasked-bg:#ecebe7}@media (prefers-color-scheme:dark){:root{--ground:#14161a;--card:#1b1e24;--line:#343942;--text:#e6e8eb;--soft:#a6aeb8;--code:#14161a;--focus:#8ab4ff;--well:#8fdba8;--well-bg:#16301f;--changed:#f3cf87;--changed-bg:#352a13;--drifting:#ffb4ab;--drifting-bg:#3d1e1b;--out:#cbc0ff;--out-bg:#282243;--unasked:#b3bbc5;--unasked-bg:#292d34}}*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}h1,h2,h3{font-weight:600;margin:0}p{margin:.25rem 0}code,pre,kbd{font:.8125rem/1.6 ui-monospace,"DejaVu Sans Mono",monospace}pre{background:var(--code);border:1px solid var(--line);border-radius:.5rem;overflow:auto}.note{color:var(--soft)}i{font-style:normal;font-weight:700}summary{cursor:pointer}:focus-visible{outline:3px solid var(--focus);outline-offset:1px}body{min-height:100vh;display:flex;flex-direction:column;font-size:.9375rem}h1{font-size:1.1rem}h1 span,.note{color:var(--soft);font-weight:400;font-size:.8125rem}h2{font-size:1rem}h3{font-size:.875rem;margin:.9rem 0 .2rem}ul,ol{margin:0;padding:0;list-style:none}dialog textarea,.request,.target,.played,td.time,.ms,#editor input{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.8125rem}pre{margin:.25rem 0;padding:.5rem .7rem;white-space:pre-wrap;max-height:22rem}a{color:var(--focus)}button,input,select,textarea{font-family:inherit;font-size:.875rem;line-height:1.4;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.4rem;padding:.2rem .55rem;min-height:1.75rem;max-width:100%}:root{--edge:#85898f}@media (prefers-color-scheme:dark){:root{--edge:#727985}}button{cursor:pointer}button:hover:enabled,tr:hover>*{background:var(--code)}button:disabled{opacity:.55;cursor:default}button[aria-pressed=true]{background:var(--text);border-color:var(--text);color:var(--ground)}button[aria-pressed=true] *,.cases button[aria-pressed=true] *{color:inherit}.scroll:focus-visible,tr button:focus-visible{outline-offset:-3px}[hidden]{display:none!important}kbd{border:1px solid var(--line);border-radius:.25rem;padding:0 .3rem;color:var(--soft)}button>kbd:last-child{margin-left:.35rem}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.skip{position:absolute;left:-999rem}.skip:focus{left:.5rem;top:.5rem;background:var(--card);padding:.5rem;z-index:2}header,#strip{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1rem;padding:.5rem 1rem}header .buttons{margin-left:auto}header label,.mode{font-size:.8125rem;color:var(--soft)}#connection{margin:0;font-size:.8125rem}.live i{color:var(--well)}.lost{color:var(--drifting)}#strip{padding:0 1rem .5rem;font-size:.8125rem;color:var(--soft);font-variant-numeric:tabular-nums}#strip p{margin:0;min-width:23rem}#strip svg{flex:1 1 10rem;height:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:.4rem}svg path{stroke:var(--out);stroke-width:2.4;opacity:.55}svg polyline{fill:none;stroke:var(--changed);stroke-width:1.5;vector-effect:non-scaling-stroke}#notice,#done{position:sticky;top:.25rem;z-index:1;margin:0 1rem .5rem;padding:.35rem .75rem;border-radius:.4rem;background:var(--drifting-bg);color:var(--drifting);white-space:pre-line}#notice:empty,#done:empty{display:none}#done{background:var(--well-bg);color:var(--well)}.problem{color:var(--drifting);white-space:pre-line}main{flex:1;min-height:0;display:grid;gap:.75rem;padding:0 1rem 1rem;grid-template:minmax(14rem,1fr) auto / minmax(16rem,20rem) minmax(24rem,1fr) minmax(18rem,25rem);grid-template-areas:"contracts requests detail" "script state detail"}#contracts{grid-area:contracts}#requests{grid-area:requests}#detail{grid-area:detail}#script{grid-area:script}#state{grid-area:state}main>section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;min-width:0;min-height:0;display:flex;flex-direction:column;overflow:hidden}#detail,#script,#state{display:block;padding:.6rem .9rem;overflow:auto}.scroll{overflow:auto;flex:1;min-height:0}.bar{display:flex;flex-wrap:wrap;gap:.3rem .75rem;align-items:center;padding:.5rem .9rem;border-bottom:1px solid var(--line)}.bar input[type=search]{flex:1 1 6rem;min-width:0;width:6rem}.check{display:inline-flex;gap:.3rem;align-items:center;font-size:.8125rem;min-height:1.5rem}.check input{min-height:0;width:1.1rem;height:1.1rem;margin:0;accent-color:var(--focus)}.buttons{display:flex;flex-wrap:wrap;gap:.35rem;align-items:center;margin:.35rem 0}header .buttons{margin-block:0}#tree details{border-bottom:1px solid var(--line)}summary{padding:.4rem .9rem}.mode{display:block;padding:0 .9rem .4rem 1.9rem}.mode select,.panel select{font-size:.8125rem;min-height:1.5rem;padding-block:0}.contract{display:block;width:100%;text-align:left;border:0;border-top:1px solid var(--line);border-radius:0;padding:.4rem .9rem}.contract .request{display:block}.marks::before{content:"· "}.force,.marks{font-size:.8125rem;color:var(--soft)}.force .name{color:var(--text);font-weight:600}.marks span:not(:empty)~span:not(:empty)::before{content:" · "}.marks .held{color:var(--changed)}.selected>.contract{box-shadow:inset 3px 0 var(--focus);background:var(--code)}.panel{padding:.3rem .9rem .6rem;background:var(--code)}.cases button{display:grid;grid-template-columns:1.6rem 1fr auto 3rem;gap:.5rem;width:100%;align-items:baseline;text-align:left;margin:.2rem 0}.cases .count{text-align:right;font-size:.8125rem;color:var(--soft)}.kind{font-size:.8125rem;color:var(--soft)}.kind.malformed,.kind.slow{color:var(--changed)}.kind.broken{color:var(--drifting)}.kind.good{color:var(--well)}table{width:100%;border-collapse:collapse;table-layout:fixed}thead th{position:sticky;top:0;background:var(--card);text-align:left;font-size:.75rem;color:var(--soft);font-weight:500;padding:.25rem .5rem;box-shadow:0 1px var(--line)}tbody th,td{padding:.1rem .5rem;font-weight:400;text-align:left;vertical-align:top;border-top:1px solid var(--line);font-size:.8125rem;line-height:1.5rem}th.time{width:5.2rem}th.status{width:7.2rem}th.played{width:34%}th.ms,.ms{width:3.6rem;text-align:right}@container (max-width:46rem){th.played,td.played{display:none}}td.time,.played,.ms{color:var(--soft)}td.status{white-space:nowrap}.target{border:0;background:none;padding:0;text-align:left;width:100%;min-height:1.5rem;line-height:1.3}tr:hover .target{background:none}.miss .status{color:var(--changed)}.held .status{color:var(--out)}.broken .status{color:var(--drifting)}.miss>*{background:var(--changed-bg)}.held>*{background:var(--out-bg)}tr[aria-current]>*{background:var(--code)}tr[aria-current]>:first-child{box-shadow:inset 3px 0 var(--focus)}tr[aria-current] .target{font-weight:700}#empty,#addresses{padding:.5rem .9rem 0}.facts,#keys{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;margin:.4rem 0}dt{color:var(--soft)}dd{margin:0}.held-controls{background:var(--out-bg);padding:.4rem .6rem;border-radius:.5rem}.steps{display:flex;flex-wrap:wrap;gap:.3rem;counter-reset:step;margin:.3rem 0}.steps li{counter-increment:step}.steps li::before{content:counter(step) ". ";color:var(--soft)}.steps [aria-current]{font-weight:700;text-decoration:underline}#state-values li{margin:.2rem 0}#script,#state{max-height:14rem}#list{container-type:inline-size}#state .buttons input{width:7rem}#state .buttons select{max-width:9rem}dialog{width:min(46rem,calc(100vw - 2rem));color:var(--text);background:var(--card);border:1px solid var(--edge);border-radius:.75rem;padding:1rem 1.25rem}#help,#token{width:min(30rem,calc(100vw - 2rem))}dialog::backdrop{background:#0008}dialog label{display:block;margin:.4rem 0}dialog .check{display:flex}dialog input:not([type=checkbox]),textarea{width:100%}@media (min-width:70rem){body{height:100vh}}@media (max-width:69.99rem){main{grid-template:auto / 1fr 1.4fr;grid-template-areas:"contracts requests" "contracts detail" "script state"}#list,#tree{max-height:28rem}#tree{max-height:none}}@media (max-width:48rem){main{grid-template:auto / 1fr;padding:0 .5rem .5rem;grid-template-areas:"requests" "detail" "contracts" "script" "state"}header,#strip{padding-inline:.75rem}#strip p{min-width:0}header .buttons{margin-left:0}th.time,td.time{display:none}th.status{width:6.5rem}th.ms,.ms{width:3.5rem}#script,#state{max-height:none}}@media (prefers-reduced-motion:no-preference){button,summary{transition:background .12s}}@media (forced-colors:active){button[aria-pressed=true]{outline:2px solid}}</style>
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
<p id="done" role="status"></p>
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
<div id="detail-body"></div>
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
<div id="script-scenarios" class="buttons" role="group" aria-label="Scenarios of the upstream"></div>
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
<p id="editor-note" class="note" role="status"></p>
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
<script type="module">
const am=(id)=>document.getElementById(id);
function ba(name,properties={},...children){const made=document.createElement(name);for(const[key,value]of Object.entries(properties)){if(key.includes("-")||key==="role"||key==="for")made.setAttribute(key,value);else made[key]=value}made.append(...children.flat().filter((child)=>child!==null&&child!==undefined));return made}
const button=(text,onclick,properties={})=>ba("button",{type:"button",onclick,...properties},text);
function bQ(input,work){input.addEventListener("keydown",(event)=>{if(event.key==="Enter")work()})}
function cx(node,text){if(node.textContent!==text)node.textContent=text}
function be(select,options,value){const wanted=JSON.stringify(options);if(select.dataset.options!==wanted){select.dataset.options=wanted;select.replaceChildren(...options.map(([value,text])=>ba("option",{value},text)))}if(select.value!==value&&!select.isWaiting)select.value=value}
function bP(select,work,leavesPage=false){const commit=()=>{if(select.isWaiting)work();select.isWaiting=false};let isByKey=false;select.onpointerdown=()=>isByKey=false;select.onkeydown=({key})=>{isByKey=true;if(key==="Enter")commit()};select.onchange=()=>{select.isWaiting=true;if(!isByKey)commit()};select.onblur=()=>{if(!leavesPage)commit()}}
let standingProblem="";
function cT(text){done("");cx(am("notice"),[standingProblem,text].filter(Boolean).join("\n"))}
function done(text){cx(am("done"),text)}
async function ab(work){cT("");try{return await work()}catch(error){cT(error.message)}}
const av=(text)=>ab(async()=>{try{await navigator.clipboard.writeText(text);done("Copied.")}catch{am("copy-text").value=text;am("copy").showModal();am("copy-text").select()}});
let ad=[];function ac(text){ad.push(text);if(ad.length>1)return;setTimeout(()=>{const rest=ad.length-1;am("announcer").textContent=ad[0]+(rest>0?`, and ${rest} more`:"");ad=[]},1000)}
function az(text){try{return decodeURIComponent(text)}catch{return text}}
const ax=(count,noun)=>`${count} ${noun}${count===1?"":"s"}`;
const ak=location.pathname.replace(/\/+$/,"");const cs=ak.slice(0,ak.lastIndexOf("/"));const session=az(cs.replace(/^\/~/,""));let cY=null;
class aa extends Error{constructor(status,problem){const findings=(problem.diagnostics??[]).map((one)=>`${one.line?`line ${one.line}: `:""}${one.message}${one.fix?`; fix: ${one.fix}`:""}`);const fix=problem.fix&&!findings.length?`; fix: ${problem.fix}`:"";super(findings.join("\n")||(problem.detail??`the server answered ${status}`)+fix);this.status=status}}
async function bd(path,options={}){for(;;){const sent=cY;const headers={...options.headers,...(sent&&{Authorization:`Bearer ${sent}`})};const response=await fetch(ak+path,{cache:"no-store",...options,headers});if(response.status!==401)return response;if(cY===sent)await aj(sent!==null)}}
let cZ=null;
function aj(wasWrong){if(cZ)return cZ.promise;cZ=Promise.withResolvers();am("token-text").textContent=wasWrong?"The server does not know this token.":"The server asks for the token it was started with. It is kept until this page is closed.";am("token").showModal();return cZ.promise}
function dd(){const input=am("token-input");if(!input.value)return;cY=input.value;input.value="";am("token").close();cZ.resolve();cZ=null}
function ah(){if(cZ&&!am("token").open)am("token").showModal()}
async function ai(method,path,body){const text=typeof body==="string"?body:body&&JSON.stringify(body);const response=await bd(path,{method,body:text});const answer=await response.text();if(!response.ok)throw new aa(response.status,answer?JSON.parse(answer):{});return answer}
async function ag(method,path,body){const answer=await ai(method,path,body);return answer?JSON.parse(answer):null}
const as=(id,rest="")=>`/contracts/${id.split("/").map(encodeURIComponent).join("/")}${rest}`;
async function bz(take,setStatus){const silenceMax=40_000;let lastID=null;let pause=250;for(;;){const abort=new AbortController();let watchdog;try{const response=await bd("/events",{headers:lastID?{"Last-Event-ID":lastID}:{},signal:abort.signal,});if(!response.ok)throw new aa(response.status,{});setStatus(true,lastID===null);const reader=response.body.pipeThrough(new TextDecoderStream()).getReader();let rest="";for(;;){clearTimeout(watchdog);watchdog=setTimeout(()=>abort.abort(),silenceMax);const{value,done}=await reader.read();if(done)break;pause=250;const blocks=(rest+value).split("\n\n");rest=blocks.pop();for(const block of blocks){const event=bX(block);if(!event)continue;lastID=event.id;take(event.name,event.data)}}}catch{}clearTimeout(watchdog);setStatus(false);await new Promise((resolve)=>setTimeout(resolve,pause));pause=Math.min(pause*2,4000)}}
function bX(block){const fields={};for(const line of block.split("\n")){const colon=line.indexOf(": ");if(colon>0)fields[line.slice(0,colon)]=line.slice(colon+2)}return fields.event?{id:fields.id,name:fields.event,data:JSON.parse(fields.data)}:null}
const ci=1000;
const bL={rows:[],rowsByKey:new Map(),upstreams:[],contracts:[],scenarios:[],mode:"fake",records:false,saves:false,sessions:[],state:{},counts:new Map(),countedUntil:0,selectedRow:null,selectedContract:null,};
const ar=(id)=>bL.contracts.find((contract)=>contract.id===id)??null;const selectedContract=()=>ar(bL.selectedContract);const aw=(contract,name)=>bL.counts.get(`${contract.id}#${name}`)??0;const bq=(entry)=>entry.outcome==="underWay"||entry.outcome==="held";
const bw=(entry)=>`${entry.time} ${entry.sequence}`;
function cN(entry,isSnapshot=false){const key=bw(entry);let row=bL.rowsByKey.get(key);if(row){if(isSnapshot&&!bq(row.entry))return row;row.entry=entry;row.isChanged=true}else{row={key,entry,isChanged:true,view:null};let index=bL.rows.length;while(index>0&&bo(bL.rows[index-1].entry,entry))index-=1;bL.rows.splice(index,0,row);bL.rowsByKey.set(key,row);if(bL.rows.length>ci){const removed=bL.rows.shift();bL.rowsByKey.delete(removed.key)}}aC("requests");if(row===bL.selectedRow)aC("detail");return row}
const bo=(one,other)=>one.time===other.time?one.sequence>other.sequence:one.time>other.time;
function aq(ofSession){bL.rows=bL.rows.filter((row)=>{const stays=ofSession!==undefined&&row.entry.session!==ofSession;if(!stays)bL.rowsByKey.delete(row.key);return stays});if(bL.selectedRow&&!bL.rowsByKey.has(bL.selectedRow.key))bL.selectedRow=null;aC("requests","detail")}
function bl(){return bL.rows.filter((row)=>row.entry.outcome==="held")}
let isSyncing=false;
let bt=false;let de=[];const cI=1000;let syncTimer=null;let cJ=-cI;
function cL(){syncTimer??=setTimeout(()=>{syncTimer=null;if(isSyncing)cL();else cK().catch(()=>{})},Math.max(0,cJ+cI-performance.now()))}
async function cK(){if(isSyncing)return;isSyncing=true;bt=false;try{const[{state},journal,held,played,sessions]=await Promise.all([ag("GET","/state"),ag("GET",`/journal?limit=${ci}`),ag("GET","/held"),ag("GET","/journal/played"),ag("GET","/sessions"),ca(),]);cQ(state);const waiting=new Set(held.held.map((answer)=>bw(answer.request)));for(const row of bl()){if(!waiting.has(row.key))cN({...row.entry,outcome:"lost"})}for(const entry of journal.requests)cN(entry,true);bL.sessions=sessions.sessions;bL.countedUntil=played.sequence;bL.counts.clear();for(const one of played.cases)bL.counts.set(`${one.contract}#${one.case}`,one.count);bt=true;aC("contracts","header")}finally{isSyncing=false;cJ=performance.now();const events=de;de=[];for(const[name,data]of events)cO(name,data)}}
async function ca(){const answer=await ag("GET","/contracts");bL.upstreams=answer.upstreams;bL.contracts=answer.contracts;bL.scenarios=answer.scenarios;bL.mode=answer.mode;bL.records=answer.records;bL.saves=answer.saves;aC("contracts","script","state","header","requests")}
function cQ(state){bL.state=state;aC("state")}
function cM(contract){if(!contract?.id)return;const index=bL.contracts.findIndex((other)=>other.id===contract.id);if(index>=0)bL.contracts[index]=contract;aD("contracts","script")}
let cc=null;let refreshDue=Infinity;function cb(milliseconds){const due=performance.now()+milliseconds;if(due>=refreshDue)return;refreshDue=due;clearTimeout(cc);cc=setTimeout(()=>{refreshDue=Infinity;ca().catch(()=>{})},milliseconds)}
const cR={request(entry){cN(entry);bJ(entry);if(entry.contract&&entry.sequence>bL.countedUntil){const name=`${entry.contract}#${entry.case}`;bL.counts.set(name,(bL.counts.get(name)??0)+1);aC("contracts")}if(entry.session&&!bL.sessions.includes(entry.session)){bL.sessions.push(entry.session);aC("header")}if(entry.unmatched)ac(`miss: ${entry.method} ${entry.path}`);if(entry.contract)cb(entry.reason==="default"?1000:100)},held(answer){cN(answer.request);ac(`held: ${answer.request.method} ${answer.request.path}`)},released(cd){ac(`released ${cd.contract}`)},state(data){if((data.session??"")!==session)return;const state=data.upstream===null?{}:{...bL.state};if(data.upstream!==null){const values=Object.entries({...state[data.upstream],...data.state});state[data.upstream]=Object.fromEntries(values.filter(([,value])=>value!==null))}cQ(state);cb(100)},reset(data){aq(data.session);cL()},skipped:cL,rejected({message,diagnostics:[first]}){const place=first?`\n${first.file}:${first.line}: ${first.message}`:"";standingProblem=`The contracts were not reloaded: ${message}${place}`;cx(am("notice"),standingProblem)},reloaded(){standingProblem="";cx(am("notice"),"");cb(50)},};
function cO(name,data){if(isSyncing){if(name==="reset")aq(data.session);return de.push([name,data])}
(cR[name]??(()=>cb(50)))(data)}
const bx={good:"✓",malformed:"≈",slow:"◷",broken:"✗"};const bM=["fake","live","off"];const au=new Map();const dc=new Map();
let isContractSought=false;
function bn(contract){if(contract.mode==="off")return{name:"off",why:"the mode: connections are reset"};if(contract.mode==="live")return{name:"live",why:"the mode: the live API answers"};const name=contract.case??"by request";const why=bY[contract.reason]??"each request decides";const{script}=contract;if(!script||contract.reason!=="script")return{name,why};const step=Math.min(script.played+1,script.cases.length);return{name,why:`${why}, step ${step} of ${script.cases.length}`}}
const bp=(one)=>`${one.id} ${one.method} ${one.path} ${one.summary??""}`.toLowerCase().includes(am("contract-filter").value.toLowerCase());
function aG(){const wanted=am("contract-filter").value;const shown=[];for(const upstream of bL.upstreams){const contracts=bL.contracts.filter((one)=>one.id.startsWith(`${upstream.name}/`));const matching=contracts.filter(bp);if(wanted&&!matching.length)continue;shown.push(aT(upstream,contracts,matching))}cf(am("tree"),shown);for(const id of au.keys())if(!ar(id))au.delete(id);if(isContractSought){isContractSought=false;au.get(bL.selectedContract)?.item.scrollIntoView({block:"nearest"})}}
function cf(parent,children){const wanted=new Set(children);for(const child of[...parent.children])if(!wanted.has(child))child.remove();children.forEach((child,index)=>{if(parent.children[index]!==child)parent.insertBefore(child,parent.children[index]??null)})}
function aT(upstream,contracts,matching){let view=dc.get(upstream.name);if(!view){const[name,note]=[ba("b"),ba("span",{className:"note"})];const mode=ba("select");bP(mode,()=>cu(`/upstreams/${encodeURIComponent(upstream.name)}/mode`,mode.value));mode.setAttribute("aria-label",`Mode of ${upstream.name}`);const list=ba("ul");const box=ba("details",{open:true},ba("summary",{},name," ",note),ba("label",{className:"mode"},"mode ",mode),list);view={name,note,mode,list,box};dc.set(upstream.name,view)}const never=contracts.flatMap((one)=>one.cases.filter((played)=>!aw(one,played.name)));cx(view.name,upstream.name);cx(view.note,`${ax(contracts.length,"contract")}, ${ax(never.length,"case")} never asked`);be(view.mode,[...bM.map((mode)=>[mode,mode]),["","as the server"]],upstream.mode);cf(view.list,matching.map(aF));return view.box}
function aF(contract){let view=au.get(contract.id);if(!view){view=bD(contract.id);au.set(contract.id,view)}const isSelected=contract.id===bL.selectedContract;const{name,why}=bn(contract);const count=contract.cases.reduce((sum,played)=>sum+aw(contract,played.name),0);cx(view.method,contract.method);cx(view.path,contract.path);cx(view.name,name);cx(view.why,why);cx(view.count,count?`asked ${count}×`:"never asked");cx(view.held,contract.held?"‖ holds":"");cx(view.stub,contract.isStub?"made here":"");view.select.setAttribute("aria-expanded",isSelected);view.item.classList.toggle("selected",isSelected);view.panel.hidden=!isSelected;if(isSelected)aE(view,contract);return view.item}
function bD(id){const view={};for(const name of["method","path","name","why","count","held","stub"]){view[name]=ba("span",{className:name})}view.name.className="name";view.select=button("",()=>cq(view.panel.hidden?id:null),{className:"contract"});view.select.append(ba("span",{className:"request"},view.method," ",view.path),ba("span",{className:"force"},view.name," ",view.why," "),ba("span",{className:"marks"},view.count,view.held,view.stub));view.cases=ba("ol",{className:"cases"});view.hold=button("",()=>cX(id),{className:"hold"});view.mode=ba("select");bP(view.mode,()=>cu(as(id,"/mode"),view.mode.value));view.mode.setAttribute("aria-label",`Mode of ${id}`);view.asDefault=button("Let the contract choose",()=>ap(id,null));view.asDefault.append(ba("kbd",{},"0"));view.summary=ba("p",{className:"note"});view.save=button("Save to a file",()=>ab(()=>cl(id)),{className:"save"});view.made=ba("div",{className:"buttons"},"Made here: ",button("Edit",()=>aY(id),{className:"edit"}),view.save,button("Remove",()=>ab(()=>ag("DELETE",as(id))),{className:"remove"}));view.panel=ba("div",{className:"panel",hidden:true},view.summary,ba("div",{className:"buttons"},view.asDefault,view.hold,ba("label",{},"mode ",view.mode)),view.made,view.cases);view.item=ba("li",{},view.select,view.panel);return view}
function aE(view,contract){cx(view.summary,`${contract.id}${contract.summary?`: ${contract.summary}`:""}`);const names=JSON.stringify(contract.cases);if(view.names!==names){view.names=names;view.buttons=contract.cases.map((played,index)=>{const count=ba("span",{className:"count"});const node=button("",()=>ap(contract.id,played.name),{title:played.summary??""});node.append(index<9?ba("kbd",{},`${index+1}`):ba("span"),ba("span",{className:"name"},played.name),ba("span",{className:`kind ${played.kind}`},`${bx[played.kind]} ${played.kind} ${played.status??""}`),count);return{node,count,name:played.name}});view.cases.replaceChildren(...view.buttons.map((one)=>ba("li",{},one.node)))}for(const{node,count,name}of view.buttons){const times=aw(contract,name);node.setAttribute("aria-pressed",name===contract.case&&contract.mode==="fake");cx(count,times?`${times}×`:"never")}cx(view.hold,contract.held?"▶ Release all and hold no more":"‖ Hold answers");view.hold.setAttribute("aria-pressed",contract.held);view.made.hidden=!contract.isStub;view.save.hidden=!bL.saves;be(view.mode,[...bM.map((mode)=>[mode,mode]),["","as the upstream"]],contract.mode)}
function cq(id){bL.selectedContract=id;aD("contracts","script");cm()}
const ap=(id,name)=>ab(async()=>{const path=as(id,"/case");cM(await(name===null?ag("DELETE",path):ag("PUT",path,{case:name})))});
const cX=(id)=>ab(async()=>{cM(await ag(ar(id)?.held?"DELETE":"PUT",as(id,"/hold")))});
const cu=(path,mode)=>ab(async()=>{try{await(mode?ag("PUT",path,{mode}):ag("DELETE",path))}finally{await ca()}});
function bI(row){const entry=row.entry;if(am("only-misses").checked&&!entry.unmatched)return false;if(am("only-held").checked&&entry.outcome!=="held")return false;const wanted=am("request-filter").value.toLowerCase().trim();return!wanted||wanted.split(/\s+/).every((di)=>cU(entry).includes(di))}
const cU=(entry)=>[entry.method,cS(entry),entry.status,entry.contract,entry.case,entry.session,entry.outcome,entry.unmatched?"miss":""].join(" ").toLowerCase();
const cS=(entry)=>entry.path+(entry.query===null?"":`?${entry.query}`);
function bb(entry){switch(entry.outcome){case"held":return{sign:"‖",words:"held",kind:"held"};case"underWay":return{sign:"…",words:"under way",kind:"open"};case"reset":return{sign:"✗",words:"reset",kind:"broken"};case"cutOff":return{sign:"✗",words:`${entry.status??""} cut off`,kind:"broken"};case"stalled":return{sign:"✗",words:`${entry.status??""} stalled`,kind:"broken"};case"clientLeft":return{sign:"–",words:"client left",kind:"broken"};case"cancelled":return{sign:"–",words:"cancelled",kind:"broken"};case"lost":return{sign:"?",words:"unknown",kind:"broken"}}if(entry.unmatched)return{sign:"∅",words:`${entry.status} miss`,kind:"miss"};return{sign:entry.status<400?"✓":"!",words:`${entry.status}`,kind:"answered"}}
function aM(){const list=am("list");const isAtEnd=list.scrollTop+list.clientHeight>=list.scrollHeight-40;const shown=bL.rows.filter(bI);const body=am("rows");const wanted=new Set(shown);const focused=document.activeElement?.closest?.("#rows tr")?.row;for(const node of[...body.children])if(!wanted.has(node.row))node.remove();let[next,newRowCount]=[null,0];for(let index=shown.length-1;index>=0;index-=1){const row=shown[index];if(!row.view){row.view=bF(row);newRowCount+=1}if(row.isChanged)aN(row);if(row.view.node.nextSibling!==next||!row.view.node.parentNode){body.insertBefore(row.view.node,next)}next=row.view.node}if(focused&&!wanted.has(focused))(shown[0]?.view.button??list).focus({preventScroll:true});bH(shown);const misses=bL.rows.filter((row)=>row.entry.unmatched).length;const held=bl().length;cx(am("shown"),`${shown.length} of ${bL.rows.length}`
+(misses?`, ∅ ${misses} missed`:"")
+(held?`, ‖ ${held} held`:""));am("empty").hidden=am("addresses").hidden=bL.rows.length>0;if(!bL.rows.length){am("addresses").replaceChildren(...bL.upstreams.map((one)=>ba("li",{},ba("code",{},one.baseURL))))}if(isAtEnd&&!focused)list.scrollTop=list.scrollHeight;return newRowCount}
function bF(row){const view={};view.button=button("",()=>cr(row),{className:"target"});view.time=ba("td",{className:"time"});view.status=ba("td",{className:"status"});view.played=ba("td",{className:"played"});view.delay=ba("td",{className:"ms"});view.node=ba("tr",{row,onclick:(event)=>event.target.closest("button")||cr(row)},view.time,ba("th",{scope:"row"},view.button),view.status,view.played,view.delay);return view}
function aN(row){const{entry,view}=row;const end=bb(entry);row.isChanged=false;view.node.className=end.kind;cx(view.time,cV(entry));const inSession=!session&&entry.session?`~${entry.session} `:"";cx(view.button,`${inSession}${entry.method} ${cS(entry)}`);view.status.replaceChildren(ba("i",{"aria-hidden":"true"},end.sign),` ${end.words}`);cx(view.played,entry.contract?`${entry.contract}#${entry.case??""}`:"");cx(view.delay,bq(entry)?"":entry.delayGivenMs.toFixed(entry.delayGivenMs<10?1:0))}
const cV=(entry)=>new Date(entry.time).toTimeString().slice(0,8);
function bH(shown){const current=shown.includes(bL.selectedRow)?bL.selectedRow:shown.at(-1);for(const row of shown){row.view.button.tabIndex=row===current?0:-1;if(row===bL.selectedRow)row.view.node.setAttribute("aria-current","true");else row.view.node.removeAttribute("aria-current")}}
function cr(row){bL.selectedRow=row;if(row?.entry.contract&&row.entry.contract!==bL.selectedContract){bL.selectedContract=row.entry.contract;isContractSought=true}aD("requests","detail","contracts","script");cm()}
function cE(by){const shown=bL.rows.filter(bI);if(!shown.length)return;const index=shown.indexOf(bL.selectedRow);const next=index<0?shown.length-1:Math.max(0,Math.min(shown.length-1,index+by));cr(shown[next]);aM();shown[next].view.button.focus()}
let aB=null;
async function aH(){const row=bL.selectedRow;const mark=row?`${row.key} ${row.entry.outcome}`:"";if(mark===aB)return;aB=mark;cx(am("detail-title"),row?`${row.entry.method} ${cS(row.entry)}`:"Detail");const body=am("detail-body");if(!row){return body.replaceChildren(ba("p",{className:"note"},"Choose a request to see what came, what it got, and why."))}const{entry}=row;const hadFocus=body.contains(document.activeElement);const nearest=ba("div");const answer=ba("div",{},ba("p",{className:"note"},"…"));body.replaceChildren(...(entry.outcome==="held"?[bk(entry)]:[]),bc(entry),nearest,aA(row),ba("h3",{},"Request"),...bA(cg(entry)),ba("h3",{},"Answer"),answer);if(hadFocus)am("detail-title").focus();try{if(entry.unmatched)aK(nearest,await bN(entry));row.answer??=await ae(entry);answer.replaceChildren(...af(entry,row.answer))}catch(error){answer.replaceChildren(ba("p",{className:"problem"},error.message))}}
const bY={preference:"the request prefers it",script:"the script",hand:"chosen by hand",trigger:"its “when” holds",live:"the request is its live one",default:"the default",mode:"the mode",};
function bc(entry){const facts=[["Outcome",`${bb(entry).sign} ${bb(entry).words}`],["Played",entry.contract&&`${entry.contract}#${entry.case}`],["Why",bY[entry.reason]],["Delay",`asked ${entry.delayAskedMs} ms, given ${entry.delayGivenMs} ms`],["Sent",`${entry.sentBytes} bytes`],["At",`${cV(entry)}, number ${entry.sequence}`],];const shown=facts.filter(([,value])=>value);if(entry.session&&!session){const link=ba("a",{href:`/~${encodeURIComponent(entry.session)}/__understudy/`},`~${entry.session}`);shown.push(["Session",link])}return ba("dl",{className:"facts"},shown.flatMap(([name,value])=>[ba("dt",{},name),ba("dd",{},value)]))}
function bk(entry){const cases=ar(entry.contract)?.cases??[];const choice=ba("select",{id:"release-as"});choice.setAttribute("aria-label","Release as");be(choice,[["",`${entry.case}, as chosen`],...cases.map((played)=>[played.name,played.name])],"");return ba("div",{className:"buttons held-controls"},ba("b",{},"‖ Held. "),ba("label",{},"Release as ",choice),button("Release",()=>cd(entry,choice.value||null),{id:"release"}),button("Reset the connection",()=>ab(()=>ag("DELETE",`/held/${entry.sequence}`))))}
const cd=(entry,name)=>ab(()=>ag("POST",`/held/${entry.sequence}/release`,name?{case:name}:undefined));
async function bN(entry){const path=`/journal/unmatched?sequence=${entry.sequence}`;const found=(await ag("GET",path)).requests.find((one)=>bw(one)===bw(entry));return found??null}
function aK(place,found){if(!found){return place.replaceChildren(ba("p",{className:"note"},"The journal no longer has it."))}const lines=[found.message];for(const near of found.nearest){lines.push(`  nearest: ${near.contract}  ${near.request}`);for(const difference of near.differences)lines.push(`    ${difference}`)}place.replaceChildren(ba("h3",{},"Why nothing answered"),ba("pre",{className:"why",tabIndex:0},lines.join("\n")))}
const cy=100_000;
function bA(text){const shown=ba("pre",{tabIndex:0},text.slice(0,cy));if(text.length<=cy)return[shown];const more=button(`Show all ${text.length} characters`,()=>{cx(shown,text);more.remove();shown.focus()});return[shown,more]}
function cg(entry){const lines=[`${entry.method} ${cS(entry)}`,...entry.headers.map((field)=>`${field.name}: ${field.value}`)];const body=entry.body??`${entry.bodyBase64} (Base64)`;return lines.join("\n")+(entry.bodyBytes?`\n\n${body}\n(${entry.bodyBytes} bytes)`:"")}
async function ae(entry){if(bq(entry))return null;const archive=await ag("GET",`/journal.har?sequence=${entry.sequence}`);return archive.log.entries[0]?.response??null}
function af(entry,answer){const note=(text)=>[ba("p",{className:"note"},text)];if(bq(entry))return note("It has not been sent yet.");if(!answer)return note("The journal no longer has it.");if(entry.status===null)return note(`No answer: ${bb(entry).words}.`);const{content}=answer;const lines=[`${answer.status} ${answer.statusText}`,...answer.headers.map((field)=>`${field.name}: ${field.value}`)];const text=content.encoding?`${content.text} (Base64)`:content.text;const parts=bA(lines.join("\n")+(text?`\n\n${text}`:""));if(content.comment){parts.push(...note(entry.unmatched?"The body is a problem document that says the above.":"Its body depends on the request, so the journal does not keep it."))}return parts}
function aA(row){const{entry}=row;const made=[button("Make a contract",()=>bC(row),{id:"make"}),button("Make a case",()=>bB(row),{id:"make-case"}),button("Record this",(event)=>bZ(entry,event.currentTarget),{id:"record"}),button("Copy as curl",()=>av(ay(entry)),{id:"copy-curl"}),button("Copy as case",()=>ab(async()=>{const{text}=await bO(row);return av(text)}),{id:"copy-case"}),button("Copy as when",()=>av(JSON.stringify({when:df(entry)},null,2))),];made[1].hidden=!entry.contract;made[2].hidden=!bL.records;return ba("div",{className:"buttons"},made)}
const bm=(entry)=>entry.headers.find((field)=>field.name.toLowerCase()==="host")?.value??location.host;
const bU=(host)=>/:(\d+)$/.exec(host)?.[1]??"";
const br=(host)=>[location.host,...bL.upstreams.map((one)=>new URL(one.baseURL).host)].some((own)=>own===host||(bU(host)&&bU(own)===bU(host)));
function bS(entry){const host=bm(entry).toLowerCase();const places=[...bL.upstreams.map((one)=>{const{port,pathname}=new URL(one.baseURL);const ak=pathname.slice(cs.length).replace(/\/$/,"");return[one,ak,port===bU(host)||`${ak}/`.startsWith(`/${one.name}/`)]}),...bL.upstreams.map((one)=>[one,one.basePath,one.hosts.some((own)=>own===host||own===host.replace(/:\d+$/,""))]),];const[upstream,ak]=places.find(([one,ak,isMeant])=>isMeant&&`${entry.path}/`.startsWith(`${ak}/`)&&(entry.contract??`${one.name}/`).startsWith(`${one.name}/`))??[null,""];return{upstream:upstream?.name,path:entry.path.slice(ak.length)||"/"}}
const bW=(text)=>`'${text.replaceAll("'","'\\''")}'`;const di=(text)=>(/^[\w-]+$/.test(text)?text:bW(text));const db=["host","content-length","connection","accept-encoding","transfer-encoding"];
function ay(entry){const host=bm(entry);const isHead=entry.method==="HEAD";const words=[isHead?"curl -I":"curl -i"];if(!isHead&&(entry.method!=="GET"||entry.bodyBytes))words.push(`-X ${di(entry.method)}`);if(!br(host))words.push(`-H ${bW(`Host: ${host}`)}`);for(const{name,value}of entry.headers){if(!db.includes(name.toLowerCase()))words.push(`-H ${bW(`${name}: ${value}`)}`)}const body=isHead?null:entry.body;const isWhole=!entry.bodyBytes||(body&&(bs(body)||new TextEncoder().encode(body).length===entry.bodyBytes));if(body&&isWhole)words.push(`--data-raw ${bW(body)}`);const prefix=entry.session?`/~${encodeURIComponent(entry.session)}`:"";words.push(bW(`http://${br(host)?host:location.host}${prefix}${cS(entry)}`));return(isWhole?"":"# The body is left out: it is not text, or the journal has only a part.\n")
+words.join(" ")}
const bs=(text)=>text.includes("[redacted]");
function bu(text){try{return text?JSON.parse(text,(key,value)=>{if(typeof value==="string"&&bs(value))return undefined;const end=Array.isArray(value)?value.findIndex((one)=>one===undefined):-1;return end<0?value:value.slice(0,end)}):undefined}catch{return undefined}}
const df=(entry)=>({request:{...bR(entry),...bV(entry),...al(entry)}});
function al(entry){const body=bu(entry.body);return body===undefined?{}:{body:{[bs(entry.body)?"contains":"equals"]:body}}}
function bV(entry){const fields=new URLSearchParams(entry.query??"");const conditions={};for(const name of fields.keys()){const values=fields.getAll(name);conditions[`query.${name}`]=values.some(bs)?{absent:false}:values.length>1?values:values[0]}return conditions}
function bR(entry){const values=bS(entry).path.split("/");const conditions={};ar(entry.contract)?.path.split("/").forEach((segment,index)=>{const name=/^\{([^.{}]+)\}$/.exec(segment)?.[1];const value=az(values[index]??"");if(name&&value&&!bs(value))conditions[`path.${name}`]=value});return conditions}
function an(entry,answer){if(entry.unmatched)return{status:200,body:{}};if(entry.outcome==="reset")return{fault:"CONNECTION_RESET_BY_PEER"};if(entry.outcome!=="answered"||!answer?.status||answer.content.comment){throw new Error("The journal does not have its answer, so there is nothing to make of it.")}const made={status:answer.status};const type=answer.headers.find((field)=>field.name.toLowerCase()==="content-type")?.value;const json=bu(answer.content.text);if(json!==undefined)made.body=json;else if(answer.content.text){if(type)made.headers={"Content-Type":type};made[answer.content.encoding?"base64":"text"]=answer.content.text}return made}
function bi(name,taken){let[free,number]=[name,1];while(taken.includes(free))free=`${name}-${number+=1}`;return free}
async function bO(row){const{entry}=row;row.answer??=await ae(entry);const when=df(entry);const hasWhen=Object.keys(when.request).length>0;const made={...(hasWhen&&{when}),...an(entry,row.answer)};const taken=ar(entry.contract)?.cases.map((one)=>one.name)??[];const name=bi("new-case",taken);return{name,text:`"${name}": ${JSON.stringify(made,null,2)}`}}
const bC=(row)=>ab(async()=>{const{entry}=row;const nearest=entry.unmatched?(await bN(entry))?.nearest[0]?.contract:null;const place=bS(entry);const upstream=(entry.contract??place.upstream??nearest??entry.path.slice(1)).split("/")[0];row.answer??=await ae(entry);const path=place.path.split("/").map((one,index)=>bs(one)?`{part-${index}}`:one).join("/");const conditions=bV(entry);const contract={summary:`${entry.method} ${path}`,request:{method:entry.method,path,...(Object.keys(conditions).length&&{parameters:conditions}),...al(entry),},cases:{ok:an(entry,row.answer)},};const name=path.toLowerCase().replace(/[^a-z0-9]+/g,"-").slice(0,60).replace(/^-|-$/g,"");const id=bi(`${upstream}/${name||"root"}`,bL.contracts.map((one)=>one.id));aX(id,JSON.stringify(contract,null,2),null)});
const cz=(id)=>ai("GET",as(id,"/source"));
const aY=(id)=>ab(async()=>aX(id,await cz(id),id));
const bB=(row)=>ab(async()=>{const id=row.entry.contract;const source=await cz(id);const{name,text}=await bO(row);const made=dg(source,text);if(!made)return cT(`The text of ${id} has no cases.`);aX(id,made.text,id,source);const field=am("editor-text");field.focus();field.setSelectionRange(made.start+1,made.start+1+name.length);const lines=(text)=>text.split("\n").length;field.scrollTop=field.scrollHeight*lines(made.text.slice(0,made.start))/lines(made.text)-60});
function dg(text,made){let[depth,key,isInCases]=[0,"",false];for(const{0:cY,index}of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)){if(cY[0]==='"'){if(depth===1)key=cY}else if(cY==="{"||cY==="["){depth+=1;if(depth===2)isInCases=key==='"cases"'}else{depth-=1;if(depth===1&&isInCases){const before=`${text.slice(0,index).trimEnd()},\n    `;return{text:`${before}${made.replaceAll("\n","\n    ")}\n  ${text.slice(index)}`,start:before.length,}}}}return null}
let opened={id:null,source:"",text:""};
const aZ=()=>`${am("editor-upstream").value}/${am("editor-name").value}`;
function aX(id,text,openedID,source=text){opened={id:openedID,source,text};[am("editor-upstream").value,am("editor-name").value]=id.split("/");am("editor-text").value=text;am("editor-save").hidden=!bL.saves;cx(am("editor-problem"),"");aI();am("editor").showModal()}
function bv(event){const isChanged=am("editor-text").value!==opened.text;if(isChanged&&!confirm("Close and lose your changes?"))event.preventDefault()}
function aI(){const id=aZ();const other=id===opened.id?null:ar(id);cx(am("editor-note"),other?`Replaces ${id}, ${ax(other.cases.length,"case")}.`:"Answers before the contracts in files, until a reset.")}
async function bT(isSaved){const id=aZ();const source=am("editor-text").value;const isOpened=id===opened.id;cx(am("editor-problem"),"");const pressed=am(isSaved?"editor-save":"editor-play");pressed.disabled=true;try{if(isOpened&&await cz(id)!==opened.source){throw new Error(`${id} has changed since it was opened here. Copy your text, and open it again.`)}const known=ar(id)?.cases.map((one)=>one.name);const{cases}=await ag("PUT",as(id),source);opened={id,source,text:source};const added=isOpened&&cases.find((one)=>!known.includes(one.name));if(added)await ag("PUT",as(id,"/case"),{case:added.name});await ca();cq(id);if(isSaved)await cl(id);else done(`${id} is played.`);am("editor").close()}catch(error){cx(am("editor-problem"),error.message)}finally{pressed.disabled=false}}
async function cl(id){try{const{file}=await ag("POST",as(id,"/save"));done(`Saved ${file}.`)}catch(error){throw new Error(`${id} is played, but not saved: ${error.message}`)}}
const bZ=(entry,pressed)=>ab(async()=>{const isSafe=["GET","HEAD"].includes(entry.method);if(!isSafe&&!confirm(`Send ${entry.method} ${cS(entry)} to the live API again?`))return;pressed.disabled=true;try{const{upstream,status}=await ag("POST",`/journal/${entry.sequence}/record`);(status<500?done:cT)(`${upstream} answered ${status}.`)}finally{pressed.disabled=false;pressed.focus()}});
function aJ(){cx(am("place"),location.host+(session?`, session ${session}`:""));const names=[...new Set([...bL.sessions,session])].filter(Boolean).sort();be(am("session"),[["",session?"all clients":"all"],...names.map((name)=>[name,name])],session);be(am("server-mode"),[...bM.map((mode)=>[mode,mode]),["","default"]],bL.mode)}
function ct(isLive){const status=am("connection");status.className=isLive?"live":"lost";cx(status.querySelector("i"),isLive?"●":"○");cx(status.querySelector("span"),isLive?"live":"connection lost, trying again")}
const ch=()=>ab(async()=>{const made=bL.contracts.filter((one)=>one.isStub).length;if(made&&!confirm(`A reset removes ${ax(made,"contract")} made here. Reset?`))return;await ag("POST","/reset");done("Reset.")});
let cF=[];let cn=null;let ao="";let cG="";
function aP(){const contract=selectedContract();if(cn!==bL.selectedContract)[cn,cF]=[bL.selectedContract,[]];am("script-none").hidden=contract!==null;am("script-parts").hidden=contract===null;if(!contract)return;cx(am("script-contract"),contract.id);aO(contract.script);aR();const upstream=contract.id.split("/")[0];const scenarios=bL.scenarios.filter((one)=>one.upstream===upstream);const cases=JSON.stringify([contract.id,contract.cases,contract.scripts,scenarios]);if(cases===ao)return;ao=cases;am("script-cases").replaceChildren(...contract.cases.map((played,index)=>button(`+ ${played.name}`,()=>{cF.push(played.name);aR()},{id:`add-${index}`})));am("script-named").replaceChildren(...contract.scripts.map((name)=>button(`▶ ${name}`,()=>cB({script:name}))));am("script-scenarios").replaceChildren(...scenarios.map(({name,summary})=>button(`▶ scenario ${name}`,()=>cA(upstream,name),{title:summary??""})))}
function aO(script){am("script-running").hidden=!script;if(!script)return;const current=Math.min(script.played,script.cases.length-1);am("script-played").replaceChildren(...script.cases.map((name,index)=>ba("li",index===current?{"aria-current":"step"}:{},name)));cx(am("script-progress"),`running, step ${current+1} of ${script.cases.length}; the last one repeats`)}
function aR(){am("script-start").disabled=!cF.length;const names=JSON.stringify(cF);if(names===cG)return;cG=names;const list=am("script-steps");const hadFocus=list.contains(document.activeElement);list.replaceChildren(...cF.map((name,index)=>ba("li",{},button(`${name} ×`,()=>{cF.splice(index,1);aR()},{id:`step-${index}`,"aria-label":`Remove step ${index+1}, ${name}`}))));if(hadFocus)(list.querySelector("button")??am("script-cases").firstChild).focus()}
const cB=(body)=>ab(async()=>{cM(await ag("POST",as(bL.selectedContract,"/script"),body));cF=[];aP();am("script-stop").focus()});
const cA=(upstream,name)=>ab(async()=>{await ag("POST",`/scenarios/${encodeURIComponent(upstream)}/${encodeURIComponent(name)}`);await cK();done(`${upstream} plays the scenario ${name}.`)});
function cH(){ap(bL.selectedContract,null);am("script-cases").firstChild.focus()}
const cC=new Map();
function aQ(){be(am("state-upstream"),bL.upstreams.map((one)=>[one.name,one.name]),am("state-upstream").value||bL.upstreams[0]?.name);const shown=new Map();for(const[upstream,values]of Object.entries(bL.state).sort()){for(const[name,value]of Object.entries(values).sort()){const key=JSON.stringify([upstream,name]);const row=cC.get(key)??bG(upstream,name);const{input}=row;if(input!==document.activeElement||input.value===row.value)input.value=value;row.value=value;cC.set(key,row);shown.set(row.item,row)}}for(const[key,{item,input}]of cC){if(shown.has(item))continue;input.onchange=null;cC.delete(key)}cf(am("state-values"),[...shown.keys()])}
function bG(upstream,name){const input=ba("input",{autocomplete:"off"});input.onchange=()=>cw(upstream,name,input.value);const forget=()=>{am("state-name").focus();cw(upstream,name,null)};const item=ba("li",{},ba("label",{},`${upstream}.${name} = `,input)," ",button("Forget",forget,{"aria-label":`Forget ${upstream}.${name}`}));return{item,input,value:""}}
function cv(){if(am("state-name").value){cw(am("state-upstream").value,am("state-name").value,am("state-value").value)}}
const cw=(upstream,name,value)=>ab(()=>ag("PUT","/state",{state:{[upstream]:{[name]:value}}}));
const co=60;const ck=200;
const cp=Array.from({length:co},()=>({count:0,times:[]}));
function bJ(entry){const second=cp[co-1];second.count+=1;if(second.times.length<ck)second.times.push(entry.delayGivenMs)}
function bK(values){const sorted=values.toSorted((one,other)=>one-other);return sorted[Math.floor(sorted.length/2)]}
function aS(){const last=cp[co-1];const countMax=Math.max(1,...cp.map((second)=>second.count));const medians=cp.map((second)=>bK(second.times));const timeMax=Math.max(1,...medians.filter((time)=>time!==undefined));const bars=cp.map((second,index)=>second.count?`M${index*4+1.5} 24V${(24-22*second.count/countMax).toFixed(1)}`:"");am("strip-bars").setAttribute("d",bars.join(""));const points=medians.flatMap((time,index)=>time===undefined?[]:[`${index*4+1.5},${(23-21*time/timeMax).toFixed(1)}`]);am("strip-line").setAttribute("points",points.join(" "));const time=bK(last.times);cx(am("strip-words"),`▮ ${last.count} a second, at most ${countMax}`
+`  ╱ ${time===undefined?"–":time.toFixed(1)} ms to answer, at most ${timeMax.toFixed(1)}`);cp.shift();cp.push({count:0,times:[]})}
const keys=[["n","next contract",()=>cD(1)],["p","previous contract",()=>cD(-1)],["1 … 9","play this case of the contract",null],["0","let the contract choose",()=>dh((id)=>ap(id,null))],["h","hold its answers, or hold no more",()=>dh(cX)],["r","release the held request",ce],["s","build a script",()=>dh(()=>am("script-cases").firstChild?.focus())],["j","next request",()=>cE(1)],["k","previous request",()=>cE(-1)],["Enter","its detail",null],["m","make a contract of the request",()=>bL.selectedRow&&bC(bL.selectedRow)],["c","make a case of the request",()=>bL.selectedRow?.entry.contract&&bB(bL.selectedRow)],["/","filter requests",()=>am("request-filter").focus()],["Esc","back",null],["R","reset",ch],["?","show the keys",()=>am("help").showModal()],];
const cj={ArrowDown:1,ArrowUp:-1,End:ci,Home:-ci};
function dh(work){if(selectedContract())work(bL.selectedContract);else cT("Choose a contract first: n is the next one.")}
function cD(by){const ids=bL.contracts.filter(bp).map((one)=>one.id);if(!ids.length)return;const index=ids.indexOf(bL.selectedContract);const next=index<0?(by>0?0:ids.length-1):(index+by+ids.length)%ids.length;cq(ids[next]);isContractSought=true}
function ce(){const held=bl();const row=held.includes(bL.selectedRow)?bL.selectedRow:held[0];if(row)cd(row.entry,row===bL.selectedRow?am("release-as")?.value||null:null);else cT("No answer is held.")}
function bE(){am("keys").append(...keys.flatMap(([key,words])=>[ba("dt",{},ba("kbd",{},key)),ba("dd",{},words)]));document.addEventListener("keydown",cP)}
function cP(event){if(event.ctrlKey||event.metaKey||event.altKey||event.defaultPrevented)return;if(document.querySelector("dialog[open]"))return;const target=event.target;if(event.key==="Escape")return bj(target);if(target.matches("input:not([type=checkbox]), textarea, select"))return;if(target.closest("#rows")&&cj[event.key]){event.preventDefault();return cE(cj[event.key])}if(event.key==="Enter"&&target.closest("#rows")){event.preventDefault();cr(target.closest("tr").row);return am("detail-title").focus()}if(!am("keys-on").checked)return;if(/^[1-9]$/.test(event.key)){event.preventDefault();return dh((id)=>{const played=ar(id).cases[event.key-1];if(played)ap(id,played.name);else cT(`${id} has no case number ${event.key}.`)})}const found=keys.find(([key,,work])=>work&&key===event.key);if(!found||(event.repeat&&!"npjk".includes(event.key)))return;event.preventDefault();found[2]()}
function bj(target){cT("");if(target.matches("input[type=search]")){target.value="";target.dispatchEvent(new Event("input"));aM()}
(bL.selectedRow?.view?.button??am("list")).focus()}
const aU={header:aJ,contracts:aG,requests:aM,script:aP,state:aQ,detail:()=>void aH(),};
const bg=20;const bf=250;const aV=50;
const da=new Set();
const aW={};let cW=null;let timerDue=Infinity;
function aC(...parts){for(const part of parts)da.add(part);const due=Math.min(...[...da].map((part)=>aW[part]??0));if(timerDue<=due)return;clearTimeout(cW);timerDue=due;cW=setTimeout(()=>requestAnimationFrame(aL),Math.max(0,due-performance.now()))}
function aD(...parts){for(const part of parts)aW[part]=0;aC(...parts)}
function aL(){timerDue=Infinity;const now=performance.now();for(const part of[...da]){if((aW[part]??0)>now)continue;da.delete(part);const newRowCount=aU[part]()??0;aW[part]=now+(newRowCount>bg?bf:aV)}if(da.size)aC()}
function cm(){const link=new URLSearchParams();if(bL.selectedContract)link.set("contract",bL.selectedContract);if(bL.selectedRow)link.set("request",bL.selectedRow.entry.sequence);if(am("request-filter").value)link.set("filter",am("request-filter").value);if(am("only-misses").checked)link.set("misses","1");if(am("only-held").checked)link.set("held","1");const text=link.toString();history.replaceState(null,"",text?`#${text}`:location.pathname)}
function bh(){const link=new URLSearchParams(location.hash.slice(1));const number=Number(link.get("request"));const row=number?bL.rows.findLast((row)=>row.entry.sequence===number):null;am("request-filter").value=link.get("filter")??"";am("only-misses").checked=link.has("misses");am("only-held").checked=link.has("held");bL.selectedRow=row??null;bL.selectedContract=link.get("contract")??row?.entry.contract??null;isContractSought=true;aC("requests","detail","contracts","script")}
function start(){bE();am("contract-filter").oninput=()=>aC("contracts");for(const id of["request-filter","only-misses","only-held"]){am(id).addEventListener("input",()=>{aC("requests");cm()})}am("reset").onclick=ch;am("help-button").onclick=()=>am("help").showModal();am("script-start").onclick=()=>cB({cases:cF});am("script-stop").onclick=cH;am("state-set").onclick=cv;bQ(am("state-value"),cv);am("state-clear").onclick=()=>ab(()=>ag("DELETE","/state"));am("editor-play").onclick=()=>bT(false);am("editor-save").onclick=()=>bT(true);am("token-use").onclick=dd;bQ(am("token-input"),dd);am("token").onclose=ah;am("editor").oncancel=bv;am("editor-upstream").oninput=am("editor-name").oninput=aI;bP(am("server-mode"),()=>cu("/mode",am("server-mode").value));bP(am("session"),()=>{const name=am("session").value;location.assign(`${name?`/~${encodeURIComponent(name)}`:""}/__understudy/`)},true);for(const node of document.querySelectorAll("dialog .close")){node.onclick=()=>node.closest("dialog").close()}window.addEventListener("hashchange",bh);setInterval(aS,1000);aS();aC("header","contracts","script","state","detail");let isFirst=true;bz(cO,(isLive,isNew)=>{ct(isLive);if(!isLive||(bt&&!isNew))return;cK().then(()=>{if(isFirst&&location.hash)bh();isFirst=false},(error)=>cT(error.message))})}
start();</script>
</body>
</html>

"""#
}
