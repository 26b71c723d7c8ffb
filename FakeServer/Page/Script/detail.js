// One request: what came, what it got and why, and what to make of it.

let detailOf = null;

async function drawDetail() {
  const row = model.selectedRow;
  // Events repeat what is known; then what somebody reads or has in focus stays.
  const mark = row ? `${row.key} ${row.entry.outcome}` : "";
  if (mark === detailOf) return;
  detailOf = mark;
  setText(byID("detail-title"), row ? `${row.entry.method} ${targetOf(row.entry)}` : "Detail");
  const body = byID("detail-body");
  if (!row) {
    return body.replaceChildren(element("p", { className: "note" },
      "Choose a request to see what came, what it got, and why."));
  }
  const { entry } = row;
  const hadFocus = body.contains(document.activeElement);
  const nearest = element("div");
  const response = element("div", {}, element("p", { className: "note" }, "…"));
  body.replaceChildren(
    ...(entry.outcome === "held" ? [heldControls(entry)] : []), factsOf(entry),
    nearest, detailButtons(row),
    element("h3", {}, "Request"), ...longText(requestText(entry)),
    element("h3", {}, "Response"), response);
  if (hadFocus) byID("detail-title").focus();
  try {
    if (entry.unmatched) drawNearest(nearest, await nearestOf(entry));
    row.response ??= await responseOf(entry);
    response.replaceChildren(...responseParts(entry, row.response));
  } catch (error) {
    response.replaceChildren(element("p", { className: "problem" }, error.message));
  }
}

const reasons = {
  preference: "the request prefers it", script: "the script", hand: "chosen by hand",
  when: "its “when” holds", live: "the request is its live one", default: "the default",
  mode: "the mode",
};

function factsOf(entry) {
  const facts = [
    ["Outcome", `${endOf(entry).sign} ${endOf(entry).words}`],
    ["Served", entry.contract && `${entry.contract}#${entry.case}`],
    ["Why", reasons[entry.reason]],
    ["Delay", `configured ${entry.delayConfiguredMilliseconds} ms, actual ${entry.delayActualMilliseconds} ms`],
    ["Sent", `${entry.sentBytes} bytes`],
    ["At", `${timeOf(entry)}, number ${entry.sequence}`],
  ];
  const shown = facts.filter(([, value]) => value);
  if (entry.session && !session) {
    const link = element("a", { href: `/~${encodeURIComponent(entry.session)}/__understudy/` },
      `~${entry.session}`);
    shown.push(["Session", link]);
  }
  return element("dl", { className: "facts" },
    shown.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
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

const shownMax = 100_000;

/** A text of megabytes would stop the page for seconds. */
function longText(text) {
  const shown = element("pre", { tabIndex: 0 }, text.slice(0, shownMax));
  if (text.length <= shownMax) return [shown];
  const more = button(`Show all ${text.length} characters`, () => {
    setText(shown, text);
    more.remove();
    shown.focus();
  });
  return [shown, more];
}

function requestText(entry) {
  const lines = [`${entry.method} ${targetOf(entry)}`,
    ...entry.headers.map((field) => `${field.name}: ${field.value}`)];
  const body = entry.body ?? `${entry.bodyBase64} (Base64)`;
  return lines.join("\n") + (entry.bodyBytes ? `\n\n${body}\n(${entry.bodyBytes} bytes)` : "");
}

/** The response of a request as the archive has it; `null` where it is unknown. */
async function responseOf(entry) {
  if (isOpen(entry)) return null;
  const archive = await ask("GET", `/journal.har?sequence=${entry.sequence}`);
  return archive.log.entries[0]?.response ?? null;
}

function responseParts(entry, response) {
  const note = (text) => [element("p", { className: "note" }, text)];
  if (isOpen(entry)) return note("It has not been sent yet.");
  if (!response) return note("The request log no longer has it.");
  if (entry.status === null) return note(`No response: ${endOf(entry).words}.`);
  const { content } = response;
  const lines = [`${response.status} ${response.statusText}`,
    ...response.headers.map((field) => `${field.name}: ${field.value}`)];
  const text = content.encoding ? `${content.text} (Base64)` : content.text;
  const parts = longText(lines.join("\n") + (text ? `\n\n${text}` : ""));
  if (content.comment) {
    parts.push(...note(entry.unmatched ? "The body is a problem document that says the above."
      : "Its body depends on the request, so the request log does not keep it."));
  }
  return parts;
}
