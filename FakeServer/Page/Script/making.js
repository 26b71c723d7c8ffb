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
