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
