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
