// One request: what came, what it got and why, and what to make of it.

let detailOf = "";

async function drawDetail() {
  const row = model.selectedRow;
  // Events repeat what is known; then what somebody reads or has in focus stays.
  const mark = row ? `${row.key} ${row.entry.outcome}` : "";
  if (mark === detailOf) return;
  detailOf = mark;
  setText(byID("detail-title"), row ? `${row.entry.method} ${targetOf(row.entry)}` : "Detail");
  if (!row) return;
  const { entry } = row;
  const body = byID("detail-body");
  const hadFocus = body.contains(document.activeElement);
  const answer = element("div", {}, element("p", { className: "note" }, "…"));
  body.replaceChildren(
    ...(entry.outcome === "held" ? [heldControls(entry)] : []), factsOf(entry),
    ...(entry.unmatched ? [element("div", { id: "nearest" })] : []),
    detailButtons(row),
    element("h3", {}, "Request"), element("pre", { tabIndex: 0 }, requestText(entry)),
    element("h3", {}, "Answer"), answer);
  if (hadFocus) byID("detail-title").focus();
  try {
    if (entry.unmatched) drawNearest(await nearestOf(entry));
    row.answer ??= await answerOf(entry);
    answer.replaceChildren(...answerParts(entry, row.answer));
  } catch (error) {
    answer.replaceChildren(element("p", { className: "problem" }, error.message));
  }
}

const reasons = {
  preference: "the request prefers it", script: "the script", hand: "chosen by hand",
  trigger: "its “when” holds", live: "the request is its live one", default: "the default",
  mode: "the mode",
};

function factsOf(entry) {
  const facts = [
    ["Outcome", `${endOf(entry).sign} ${endOf(entry).words}`],
    ["Played", entry.contract && `${entry.contract}#${entry.case}`],
    ["Why", reasons[entry.reason]],
    ["Delay", `asked ${entry.delayAskedMs} ms, given ${entry.delayGivenMs} ms`],
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
    ...cases.map((played) => [played.name, played.name])], "");
  return element("div", { className: "buttons held-controls" },
    element("b", {}, "‖ Held. "), element("label", {}, "Release as ", choice),
    button("Release", () => release(entry, choice.value || null), { id: "release" }),
    button("Reset the connection", () => act(() => ask("DELETE", `/held/${entry.sequence}`))));
}

const release = (entry, name) =>
  act(() => ask("POST", `/held/${entry.sequence}/release`, name ? { case: name } : undefined));

// MARK: Misses

async function nearestOf(entry) {
  const path = `/journal/unmatched?sequence=${entry.sequence}`;
  const found = (await ask("GET", path)).requests.find((one) => keyOf(one) === keyOf(entry));
  return found ?? null;
}

function drawNearest(found) {
  const place = byID("nearest");
  if (!place) return;
  if (!found) {
    return place.replaceChildren(element("p", { className: "note" }, "The journal no longer has it."));
  }
  const lines = [found.message];
  for (const near of found.nearest) {
    lines.push(`  nearest: ${near.contract}  ${near.request}`);
    for (const difference of near.differences) lines.push(`    ${difference}`);
  }
  place.replaceChildren(
    element("h3", {}, "Why nothing answered"),
    element("pre", { className: "why", tabIndex: 0 }, lines.join("\n")));
}

// MARK: What was sent

function requestText(entry) {
  const lines = [`${entry.method} ${targetOf(entry)}`,
    ...entry.headers.map((field) => `${field.name}: ${field.value}`)];
  const body = entry.body ?? `${entry.bodyBase64} (Base64)`;
  return lines.join("\n") + (entry.bodyBytes ? `\n\n${body}\n(${entry.bodyBytes} bytes)` : "");
}

/** The answer of a request as the archive has it; `null` where it is unknown. */
async function answerOf(entry) {
  if (isOpen(entry)) return null;
  const archive = await ask("GET", `/journal.har?sequence=${entry.sequence}`);
  return archive.log.entries[0]?.response ?? null;
}

function answerParts(entry, answer) {
  const note = (text) => [element("p", { className: "note" }, text)];
  if (isOpen(entry)) return note("It has not been sent yet.");
  if (!answer) return note("The journal no longer has it.");
  if (entry.status === null) return note(`No answer: ${endOf(entry).words}.`);
  const { content } = answer;
  const lines = [`${answer.status} ${answer.statusText}`,
    ...answer.headers.map((field) => `${field.name}: ${field.value}`)];
  const text = content.encoding ? `${content.text} (Base64)` : content.text;
  const parts = [element("pre", { tabIndex: 0 }, lines.join("\n") + (text ? `\n\n${text}` : ""))];
  if (content.comment) {
    parts.push(...note(entry.unmatched ? "The body is a problem document that says the above."
      : "Its body depends on the request, so the journal does not keep it."));
  }
  return parts;
}

// MARK: What to make of it

function detailButtons(row) {
  const { entry } = row;
  return element("div", { className: "buttons" },
    button("Make a contract", () => makeContract(row), { id: "make" }),
    ...(entry.contract ? [button("Make a case", () => makeCase(row), { id: "make-case" })] : []),
    ...(model.records ? [button("Record this", () => record(entry), { id: "record" })] : []),
    button("Copy as curl", () => copyText(curlOf(entry))),
    button("Copy as case", async () => copyText(caseText(entry, await act(() => answerOf(entry))))),
    button("Copy as when", () => copyText(JSON.stringify({ when: whenOf(entry) }, null, 2))));
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const unsent = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"];

function curlOf(entry) {
  const prefix = entry.session ? `/~${encodeURIComponent(entry.session)}` : "";
  const words = ["curl -i", entry.method === "GET" ? "" : `-X ${entry.method}`];
  for (const { name, value } of entry.headers) {
    if (!unsent.includes(name.toLowerCase())) words.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (entry.body) words.push(`--data-binary ${quoted(entry.body)}`);
  words.push(quoted(`http://${hostOf(entry)}${prefix}${targetOf(entry)}`));
  return words.filter(Boolean).join(" ");
}

/** What sets this request apart from others to the same contract, as the conditions of a case. */
function whenOf(entry) {
  const conditions = { ...pathConditions(entry), ...queryConditions(entry) };
  const body = jsonOf(entry.body);
  if (body !== undefined) conditions.body = { equals: body };
  return { request: conditions };
}

function queryConditions(entry) {
  const conditions = {};
  for (const [name, value] of new URLSearchParams(entry.query ?? "")) {
    conditions[`query.${name}`] = condition(value);
  }
  return conditions;
}

// A secret that the journal does not show is only expected to be there.
const condition = (value) => value.includes("[redacted]") ? { absent: false } : value;

function pathConditions(entry) {
  const contract = contractOf(entry.contract);
  if (!contract) return {};
  const values = pathIn(entry, contract.id.split("/")[0]).split("/");
  const conditions = {};
  contract.path.split("/").forEach((segment, index) => {
    const name = /^\{([^.{}]+)\}$/.exec(segment)?.[1];
    if (name && values[index]) conditions[`path.${name}`] = decodeURIComponent(values[index]);
  });
  return conditions;
}

/** The path of an upstream's base URL, without the session: `/dog-ceo/api`, or empty. */
const basePathOf = (upstream) =>
  new URL(upstream.baseURL).pathname.slice(sessionPrefix.length).replace(/\/$/, "");

const hostOf = (entry) =>
  entry.headers.find((field) => field.name.toLowerCase() === "host")?.value ?? location.host;

/** The upstream whose base URL a request begins with: on its own port, or by its name in the path. */
function upstreamOf(entry) {
  const port = hostOf(entry).split(":")[1] ?? "";
  return model.upstreams.find((one) => new URL(one.baseURL).port === port
    && `${entry.path}/`.startsWith(`${basePathOf(one)}/`))?.name;
}

/** The path below an upstream's base URL, which is that of contracts. */
function pathIn(entry, upstreamName) {
  const upstream = model.upstreams.find((one) => one.name === upstreamName);
  const prefix = upstream ? basePathOf(upstream) : `/${upstreamName}`;
  return entry.path.startsWith(`${prefix}/`) ? entry.path.slice(prefix.length) : entry.path;
}

function jsonOf(text) {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function caseOf(entry, answer) {
  if (entry.unmatched || !answer?.status) return { status: 200, body: {} };
  const made = { status: answer.status };
  const type = answer.headers.find((field) => field.name.toLowerCase() === "content-type")?.value;
  const json = jsonOf(answer.content.text);
  if (json !== undefined) made.body = json;
  else if (answer.content.text) {
    if (type) made.headers = { "Content-Type": type };
    made[answer.content.encoding ? "base64" : "text"] = answer.content.text;
  }
  return made;
}

function caseText(entry, answer) {
  const when = whenOf(entry);
  const hasWhen = Object.keys(when.request).length > 0;
  const made = { ...(hasWhen && { when }), ...caseOf(entry, answer) };
  return `"new-case": ${JSON.stringify(made, null, 2)}`;
}


/** Opens the editor with a contract that answers this request as it was answered. */
const makeContract = (row) => act(async () => {
  const { entry } = row;
  const nearest = entry.unmatched ? (await nearestOf(entry))?.nearest[0]?.contract : null;
  const upstream = (entry.contract ?? upstreamOf(entry) ?? nearest ?? entry.path.slice(1)).split("/")[0];
  row.answer ??= await answerOf(entry);
  const path = pathIn(entry, upstream);
  const conditions = queryConditions(entry);
  const body = jsonOf(entry.body);
  const contract = {
    summary: `${entry.method} ${path}`,
    request: {
      method: entry.method, path,
      ...(Object.keys(conditions).length && { parameters: conditions }),
      ...(body !== undefined && { body: { equals: body } }),
    },
    cases: { ok: caseOf(entry, row.answer) },
  };
  const name = path.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "root";
  edit(upstream, name, JSON.stringify(contract, null, 2));
});

/** Opens the editor with the contract that answered and a case for such requests. */
const makeCase = (row) => act(async () => {
  const { entry } = row;
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

/** A contract with one more case at the end, and the rest of its text as it is; `null` if it has none. */
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
        const before = text.slice(0, index).trimEnd();
        return `${before},\n    ${made.replaceAll("\n", "\n    ")}\n  ${text.slice(index)}`;
      }
    }
  }
  return null;
}

function edit(upstream, name, text) {
  byID("editor-upstream").value = upstream;
  byID("editor-name").value = name;
  byID("editor-text").value = text;
  setText(byID("editor-problem"), "");
  byID("editor").showModal();
}

const record = (entry) => act(async () => {
  const { upstream, status } = await ask("POST", `/journal/${entry.sequence}/record`);
  announce(`${upstream} answered ${status}`);
});

/** Plays what the editor has, and writes it to a file where the server may. */
async function playEdited(isSaved) {
  const id = `${byID("editor-upstream").value}/${byID("editor-name").value}`;
  setText(byID("editor-problem"), "");
  try {
    const made = await ask("PUT", contractPath(id), byID("editor-text").value);
    const saved = isSaved ? await ask("POST", contractPath(id, "/save")) : null;
    await refreshContracts();
    selectContract(made.id);
    byID("editor").close();
    announce(saved ? `saved ${saved.file}` : `${made.id} is played`);
  } catch (error) {
    setText(byID("editor-problem"), error.message);
  }
}
