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
