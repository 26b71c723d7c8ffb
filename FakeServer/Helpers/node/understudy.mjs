// A fake of the APIs that a folder of contracts describes, for `node --test`, with a session per test.
//
//   import { understudy } from "understudy";
//
//   test("gone", async (t) => {
//     const fake = await understudy(t);
//     await fake.use("jokes/random", "not-found");
//     const client = new JokeClient(fake.url("jokes"));
//     …
//   });
//
// A test fails if it sends an unmatched request, and the failure shows the nearest
// contract. It also fails if no request gets the case that it serves.
//
// With { proxy: true }, clients keep the URLs of the live APIs: https://api.example.com is the fake.
//
// The server is started once per process, which is once per test file. If UNDERSTUDY_URL is set, as by
// `understudy run`, the server there is used. Install this, or copy the file. It needs Node 18 and no
// packages.

import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";

// For everything that takes no time; far longer than it takes.
const patienceMilliseconds = 30_000;
// The server waits for a request at most this long.
const waitMaxMilliseconds = 60_000;
// How many requests a failure shows.
const listedCountMax = 20;
// Where programs look for a proxy.
const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/** What is wrong, and how to fix it. */
export class UnderstudyError extends Error {
  name = "UnderstudyError";

  constructor(message, fix) {
    super(fix ? `${message}\n  fix: ${fix}` : message);
  }
}

const servers = new Map();
/** Of tests: the fake to which their clients' requests go, once it has begun. */
const tests = new AsyncLocalStorage();

/**
 * A fake for this test alone.
 *
 * @param t The context of the test, which fails if it sends an unmatched request, or
 *   if no request gets a case that it serves.
 * @param options
 *   - `contracts`: the folder of contracts. Default: the nearest folder `Contracts`.
 *   - `arguments`: more arguments of `understudy serve`, such as `["--time-scale", "0.1"]`.
 *   - `proxy`: whether clients of the live APIs meet the fake, which is their proxy while the test
 *     runs: those of this process (http, https and fetch), and those of programs that it starts.
 */
export function understudy(t, options = {}) {
  const test = {};
  // At once: what the caller awaits next belongs to the test, too.
  if (options.proxy) tests.enterWith(test);
  return begin(t, options, test);
}

async function begin(t, options, test) {
  const url = process.env.UNDERSTUDY_URL;
  const own = options.proxy ? ["--proxy", "--temporary-authority"] : [];
  const more = [...own, ...(options.arguments ?? [])];
  const key = url || JSON.stringify([options.contracts, more]);
  if (!servers.has(key)) {
    servers.set(key, url ? connect(url) : start(folder(options.contracts), more));
  }
  const server = await servers.get(key);
  const fake = new Fake(server);
  await fake.begin();
  t.after(() => fake.end());
  if (options.proxy) {
    proxies.add(fake, server);
    test.fake = fake;
  }
  return fake;
}

/** A test's own session on the server: nobody else sees its cases, scripts and requests. */
class Fake {
  session = `node-${randomUUID()}`;
  #server;
  #upstreams = [];
  /** By contract: the case that a request has to get, undefined where any will do. */
  #served = new Map();

  constructor(server) {
    this.#server = server;
  }

  /** The proxy by which the clients of this test meet the fake. */
  get proxyURL() {
    return this.#server.proxyURL(this.session);
  }

  /** The variables by which programs that this test starts do. */
  get environment() {
    return this.#server.environment(this.session);
  }

  async begin() {
    this.#upstreams = (await this.#ask("GET", "/contracts")).upstreams;
  }

  /** The address that replaces the upstream's live base URL. */
  url(upstream) {
    const known = this.#upstreams.find(({ name }) => name === upstream);
    if (known) return known.baseURL;
    const names = this.#upstreams.map(({ name }) => name).join(", ");
    throw new UnderstudyError(`no upstream "${upstream}"`, `known: ${names}`);
  }

  /**
   * Serves this case of the contract from now on; the test fails if no request gets it.
   *
   * Requests that another case takes because of its `when` keep that one.
   */
  async use(contract, name) {
    await this.#ask("PUT", `${path(contract)}/case`, { case: name });
    this.#served.set(contract, name);
  }

  /**
   * Serves a script of the contract by its name, or an array of cases in turn; the last repeats.
   *
   * The test fails if it sends no request to the contract.
   */
  async script(contract, script) {
    const body = typeof script === "string" ? { script } : { cases: script };
    await this.#ask("POST", `${path(contract)}/script`, body);
    this.#served.set(contract, undefined);
  }

  /**
   * The requests of this test, oldest first: all of them, or those to a contract.
   *
   * The options narrow them: `case`, `method`, `path`, `status`, `outcome`, `unmatched`, `since`,
   * `limit`. With `wait`, such as "5s", it waits for the first. With `unmasked`, secrets are as they
   * were sent.
   */
  async requests(contract, options = {}) {
    if (contract !== null && typeof contract === "object") {
      throw new UnderstudyError(
        "found an object, expected the name of a contract",
        "write requests(undefined, { … }) for those to all contracts",
      );
    }
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ contract, ...options })) {
      if (value !== undefined) query.set(name, value);
    }
    const patience = patienceMilliseconds + ("wait" in options ? waitMaxMilliseconds : 0);
    const { requests } = await this.#ask("GET", `/journal?${query}`, undefined, patience);
    return requests.map((entry) => new ReceivedRequest(entry));
  }

  /**
   * Deletes the session; throws if there was an unmatched request, or none that got a
   * case that was served. If the test has failed already, node ignores this.
   */
  async end() {
    proxies.delete(this);
    const { requests } = await this.#ask("GET", "/journal/unmatched");
    const complaints = requests.length > 0 ? [words(requests)] : [];
    complaints.push(...(await this.#unmet()));
    const { sessions } = await this.#server.ask("GET", "/__understudy/sessions");
    if (sessions.includes(this.session)) {
      await this.#server.ask("DELETE", `/__understudy/sessions/${this.session}`);
    }
    if (complaints.length > 0) throw new UnderstudyError(complaints.join("\n"));
  }

  /** A line for each served case that no request got, and the requests that came. */
  async #unmet() {
    const lines = [];
    for (const [contract, name] of this.#served) {
      if ((await this.requests(contract, { case: name, limit: 1 })).length > 0) continue;
      const responded = name === undefined ? "" : ` served "${name}"`;
      lines.push(`no request to ${contract}${responded}, expected one or more`);
    }
    if (lines.length === 0) return lines;
    const received = await this.requests(undefined, { limit: listedCountMax });
    lines.push(received.length > 0 ? "received:" : "received nothing");
    for (const { method, path, query, contract, case: name } of received) {
      const target = query === null ? path : `${path}?${query}`;
      lines.push(`  ${method} ${target}  ${contract ? `${contract}#${name}` : "no contract"}`);
    }
    return [...lines, "  fix: send such a request, or serve nothing"];
  }

  #ask(method, path, body, patience) {
    return this.#server.ask(method, `/~${this.session}/__understudy${path}`, body, patience);
  }
}

/** The fakes that are the proxy of clients now, and what that takes. */
const proxies = {
  /** With the server of each. */
  fakes: new Map(),
  /** By name: variables as they were without any. */
  before: {},

  add(fake, server) {
    server.useProxy(() => this.ofCaller());
    this.fakes.set(fake, server);
    this.setVariables();
  },

  delete(fake) {
    if (this.fakes.delete(fake)) this.setVariables();
  },

  /** The proxy of whoever sends a request now. */
  ofCaller() {
    const [only] = this.fakes.size === 1 ? this.fakes.keys() : [];
    const fake = tests.getStore()?.fake ?? only;
    if (fake || this.fakes.size === 0) return fake?.proxyURL;
    throw new UnderstudyError(
      "no test is known to send this request, and several have a proxy now",
      "send it from within a test, or let the tests run one after the other",
    );
  },

  /** Programs that are started meet the session of the only test, or where there are more, none. */
  setVariables() {
    setVariables(this.before);
    this.before = {};
    const [[fake, server] = []] = this.fakes;
    if (fake === undefined) return;
    const variables = this.fakes.size === 1 ? fake.environment : server.environment();
    for (const name of Object.keys(variables)) this.before[name] = process.env[name];
    setVariables(variables);
  },
};

/** A request as the request log shows it, with the server's keys: method, path, headers, body, … */
class ReceivedRequest {
  constructor(entry) {
    Object.assign(this, entry);
  }

  /** The first value of a header, in whatever case its name is written. */
  header(name) {
    const wanted = name.toLowerCase();
    return this.headers.find((field) => field.name.toLowerCase() === wanted)?.value;
  }

  /** The body as JSON. */
  json() {
    return JSON.parse(this.body);
  }
}

function setVariables(variables) {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function words(unmatched) {
  const noun = unmatched.length === 1 ? "request" : "requests";
  const lines = [`found ${unmatched.length} unmatched ${noun}, expected none`];
  for (const { message, nearest } of unmatched) {
    lines.push(`  ${message}`);
    for (const { contract, request, differences } of nearest) {
      lines.push(`    nearest: ${contract}  ${request}`);
      lines.push(...differences.map((difference) => `      ${difference}`));
    }
  }
  return lines.join("\n");
}

/** The server reports a name without a slash. */
function path(contract) {
  const [upstream, ...name] = contract.split("/");
  return `/contracts/${encodeURIComponent(upstream)}/${encodeURIComponent(name.join("/"))}`;
}

/** A running `understudy serve`: one that this process started, or the one at UNDERSTUDY_URL. */
class Server {
  #url;
  #whyUnreachable;
  #send;
  // Without one, it trusts what NODE_EXTRA_CA_CERTS names, as `understudy run --tls` sets it.
  #certificate;
  // The addresses and variables of its proxy; without them, those of `understudy run`.
  #proxy;
  #environment;

  constructor(url, whyUnreachable, { certificate, proxy, environment } = {}) {
    this.#url = url;
    this.#proxy = proxy ?? `http://${new URL(url).host}`;
    this.#environment = environment;
    this.#whyUnreachable = whyUnreachable;
    this.#send = new URL(url).protocol === "https:" ? secureRequest : request;
    this.#certificate = certificate ? readFileSync(certificate) : undefined;
  }

  /** The proxy by which clients meet a session. */
  proxyURL(session) {
    if (!session) return this.#proxy;
    // Some clients send no name without a password, which other machines need as well.
    const password = encodeURIComponent(process.env.UNDERSTUDY_ADMIN_TOKEN || "-");
    return this.#proxy.replace("//", `//${session}:${password}@`);
  }

  /** The variables by which programs meet a session. */
  environment(session) {
    const variables = this.#environment
      ? Object.entries(this.#environment)
      : proxyVariables.map((name) => [name, process.env[name]]).filter(([, value]) => value);
    const host = new URL(this.#proxy).host;
    // It has a session already where another test runs beside this one.
    const ours = (value) => value === this.#proxy || value.endsWith(`@${host}`);
    if (!variables.some(([, value]) => ours(value))) {
      throw new UnderstudyError(
        `the server at ${this.#url} is not the proxy of these tests`,
        "start them by understudy run, without --no-proxy and --hermetic, or unset UNDERSTUDY_URL",
      );
    }
    const proxy = this.proxyURL(session);
    return Object.fromEntries(
      variables.map(([name, value]) => [name, ours(value) ? proxy : value]),
    );
  }

  /** Makes the clients of this process use its proxy, with the URL that the function returns. */
  useProxy(proxy) {
    this.environment();
    const path = (this.#environment ?? process.env).UNDERSTUDY_NODE_PROXY;
    createRequire(import.meta.url)(path).use({ proxy, certificate: this.#certificate });
  }

  /** Sends a request to the admin API; throws the error that the server reports. */
  async ask(method, path, body, patience = patienceMilliseconds) {
    const { status, text } = await this.#exchange(method, path, body, patience);
    if (status === 204) return undefined;
    let response;
    try {
      response = JSON.parse(text);
    } catch {}
    if (response && status >= 200 && status < 300) return response;
    if (response?.detail) throw new UnderstudyError(response.detail, response.fix);
    throw new UnderstudyError(
      `no Understudy server at ${this.#url}: it responded with status ${status}`,
    );
  }

  async #exchange(method, path, body, patience) {
    const headers = {};
    if (process.env.UNDERSTUDY_ADMIN_TOKEN) {
      headers["Understudy-Token"] = process.env.UNDERSTUDY_ADMIN_TOKEN;
    }
    const signal = AbortSignal.timeout(patience);
    const options = { method, headers, agent: false, signal, ca: this.#certificate };
    try {
      const sent = this.#send(this.#url + path, options);
      sent.end(body && JSON.stringify(body));
      const [response] = await once(sent, "response");
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      return { status: response.statusCode, text };
    } catch (error) {
      throw await this.#whyUnreachable(error);
    }
  }
}

function connect(url) {
  if (!isAddress(url)) {
    throw new UnderstudyError(
      `found UNDERSTUDY_URL "${url}", expected an address such as http://127.0.0.1:8080`,
    );
  }
  return new Server(
    url.replace(/\/+$/, ""),
    (error) =>
      new UnderstudyError(
        `no server at ${url}: ${error.message}`,
        "start it with understudy serve, or unset UNDERSTUDY_URL",
      ),
  );
}

function isAddress(url) {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** Starts a server of these contracts on a free port. It ends with this process. */
async function start(contracts, more = []) {
  const binary = program();
  const options = ["serve", "--port", "0", "--format", "json", ...more, contracts];
  // In a process group of its own, since Ctrl-C is for node.
  const child = spawn(binary, options, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const ended = once(child, "close").then(
    ([code, signal]) => {
      const lines = errors.trim().split("\n").filter(Boolean);
      const reason = signal ? `by ${signal}` : `with code ${code}`;
      const printed = lines.length ? `:${lines.map((line) => `\n  ${line}`).join("")}` : "";
      return new UnderstudyError(`the server was ended ${reason}${printed}`);
    },
    (error) => new UnderstudyError(`cannot run ${binary}: ${error.message}`),
  );
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended]);
  if (first instanceof UnderstudyError) throw first;
  let started = {};
  try {
    started = JSON.parse(first[0]) ?? {};
  } catch {}
  const { url } = started;
  if (!url) {
    child.kill("SIGKILL");
    throw new UnderstudyError(
      `found another program at ${binary}, expected understudy`,
      "set UNDERSTUDY_BIN to the path of the program understudy",
    );
  }
  // Ends the server when this process is gone, however it went: its end of the pipe is closed.
  const guard = spawn("sh", ["-c", 'read -r _; kill "$0"', `${child.pid}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // None of them keeps this process running.
  for (const one of [child, child.stdout, child.stderr, guard, guard.stdin]) one.unref();
  const whyUnreachable = async (error) => {
    const silent = new UnderstudyError(`the server at ${url} did not respond: ${error.message}`);
    // A server that is ending closes its connections first.
    return await Promise.race([ended, after(1_000, silent)]);
  };
  return new Server(url, whyUnreachable, started);
}

function folder(given) {
  if (given !== undefined) {
    if (existsSync(given)) return given;
    throw new UnderstudyError(
      `no ${resolve(given)}, expected a folder of contracts`,
      "change the option contracts of understudy(t, { contracts })",
    );
  }
  for (let place = process.cwd(); ; place = dirname(place)) {
    const found = join(place, "Contracts");
    if (existsSync(found) && statSync(found).isDirectory()) return found;
    if (place === dirname(place)) break;
  }
  throw new UnderstudyError(
    `no folder Contracts in ${process.cwd()} or above`,
    "create one, or name another: understudy(t, { contracts: PATH })",
  );
}

function program() {
  const given = process.env.UNDERSTUDY_BIN;
  if (given) {
    if (isProgram(given)) return resolve(given);
    throw new UnderstudyError(
      `found UNDERSTUDY_BIN "${given}", expected the path of a program`,
      "set it to the path of the program understudy",
    );
  }
  const places = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = places.map((place) => join(place, "understudy")).find(isProgram);
  if (found) return resolve(found);
  throw new UnderstudyError(
    "understudy is not on the PATH",
    "install it, or set UNDERSTUDY_BIN to its path",
  );
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
