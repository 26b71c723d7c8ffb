// swift-format-ignore-file
// Written by ci/generate. To change it, edit FakeServer/Helpers/node/proxy.cjs and run that again.

/// A module by which clients in Node use a proxy.
enum NodeProxy {
  static let text = #"""
// Lets clients in Node use the proxy that HTTPS_PROXY and HTTP_PROXY name: http, https and fetch. Node 22.21 and
// 24.5 do so themselves with NODE_USE_ENV_PROXY=1 from their start; then loading this file does nothing.
"use strict";

const http = require("http");
const https = require("https");
const net = require("net");
const tls = require("tls");

// Where undici keeps what `fetch` sends its requests by.
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");
const proxyKey = Symbol("understudy.proxy");

let proxyOfCaller = () => undefined;
let certificate;
let isUsed = false;

/**
 * Makes clients use the proxy from now on.
 *
 * @param options
 *   - `proxy`: a function that returns the URL of the proxy for whoever sends a request now; undefined for the one
 *     that the environment names.
 *   - `certificate`: the text of certificates to trust besides Node's, for whoever is reached by the proxy.
 */
function use(options = {}) {
  if (options.proxy) proxyOfCaller = options.proxy;
  if (options.certificate) certificate = options.certificate;
  if (isUsed) return;
  isUsed = true;
  forgetProxies();
  wrap(http.Agent, "http", 80);
  wrap(https.Agent, "https", 443);
  const getName = http.Agent.prototype.getName;
  // Connections to different proxies are kept apart. The options of a request keep what they were first.
  http.Agent.prototype.getName = function (options = {}) {
    const scheme = this instanceof https.Agent ? "https" : "http";
    if (!(proxyKey in options)) options[proxyKey] = proxyFor(scheme, options.host || options.hostname);
    return `${getName.call(this, options)}:${options[proxyKey] || ""}`;
  };
  wrapFetch();
}

/** Agents that Node has made for the proxy of its start would ask that one. */
function forgetProxies() {
  for (const module of [http, https]) {
    const { options } = module.globalAgent;
    if (options && options.proxyEnv) {
      module.globalAgent = new module.Agent({ ...options, proxyEnv: undefined });
    }
  }
}

/** The URL of the proxy, empty for none. */
function proxyFor(scheme, host) {
  if (!host || isDirect(host.replace(/^\[|\]$/g, ""))) return "";
  return proxyOfCaller() || variable(`${scheme}_proxy`) || "";
}

function variable(name) {
  return process.env[name] || process.env[name.toUpperCase()];
}

function isDirect(host) {
  return (variable("no_proxy") || "")
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const name = entry.replace(/^\*?\.(?=.)/, "");
      return entry === "*" || host === name || host.endsWith(`.${name}`);
    });
}

/** Gives the callback a connection to a host by the proxy; an encrypted one with `secure`, the options of TLS. */
function connect(proxy, host, port, secure, callback) {
  const { hostname, port: proxyPort, username, password } = new URL(proxy);
  const authority = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const headers = { Host: authority };
  if (username) {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers["Proxy-Authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  const request = http.request({
    method: "CONNECT",
    path: authority,
    headers,
    createConnection: () => net.connect(Number(proxyPort) || 80, hostname.replace(/^\[|\]$/g, "")),
  });
  request.once("error", callback);
  request.once("connect", ({ statusCode, statusMessage }, socket) => {
    if (statusCode !== 200) {
      socket.destroy();
      const reason = `the proxy responded to CONNECT ${authority} with ${statusCode} ${statusMessage}`;
      callback(Object.assign(new Error(reason), { code: "ERR_PROXY_TUNNEL" }));
    } else if (secure) {
      const servername = secure.servername || (net.isIP(host) ? "" : host);
      const encrypted = tls.connect({ ...trusting(secure), host, servername, socket }, () =>
        callback(null, encrypted),
      );
      encrypted.once("error", callback);
    } else {
      callback(null, socket);
    }
  });
  request.end();
}

function trusting(options) {
  if (!certificate || options.ca || options.secureContext) return options;
  return { ...options, ca: [...tls.rootCertificates, certificate] };
}

function wrap(Agent, scheme, defaultPort) {
  const createConnection = Agent.prototype.createConnection;
  Agent.prototype.createConnection = function (options, callback) {
    const host = options.host || options.hostname;
    const isWrapped = !options.socketPath && typeof callback === "function";
    let proxy;
    try {
      proxy = isWrapped && (options[proxyKey] === undefined ? proxyFor(scheme, host) : options[proxyKey]);
    } catch (error) {
      return callback(error);
    }
    if (!proxy) return createConnection.call(this, options, callback);
    connect(proxy, host, options.port || defaultPort, scheme === "https" && options, callback);
  };
}

/** `fetch` is loaded by its first call; until then, a program may still bring an undici of its own. */
function wrapFetch() {
  if (global[dispatcherKey]) return replaceDispatcher();
  const original = global.fetch;
  if (typeof original !== "function") return;
  let isLoaded = false;
  global.fetch = function fetch(...words) {
    if (!isLoaded) {
      isLoaded = true;
      original("data:,").catch(() => {});
      replaceDispatcher();
    }
    return original.apply(this, words);
  };
}

function replaceDispatcher() {
  const direct = global[dispatcherKey];
  const Agent = agentClass(direct);
  if (!Agent) return;
  const agents = new Map();
  const agentFor = (proxy) => {
    if (!agents.has(proxy)) {
      agents.set(
        proxy,
        new Agent({
          connect({ protocol, hostname, port, servername }, callback) {
            const secure = protocol === "https:" && { servername, ALPNProtocols: ["http/1.1"] };
            connect(proxy, hostname.replace(/^\[|\]$/g, ""), port || (secure ? 443 : 80), secure, callback);
          },
        }),
      );
    }
    return agents.get(proxy);
  };
  const dispatch = (options, handler) => {
    const { protocol, hostname } = new URL(options.origin);
    const proxy = proxyFor(protocol.slice(0, -1), hostname);
    return (proxy ? agentFor(proxy) : withoutProxy(direct, Agent)).dispatch(options, handler);
  };
  global[dispatcherKey] = new Proxy(direct, {
    get(target, name) {
      if (name === "dispatch") return dispatch;
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The class of undici's agents; undefined where a program has chosen another dispatcher, which stays. */
function agentClass(dispatcher) {
  const name = dispatcher && dispatcher.constructor.name;
  if (name === "Agent") return dispatcher.constructor;
  const direct = name === "EnvHttpProxyAgent" && ownAgent(dispatcher);
  return direct ? direct.constructor : undefined;
}

/** Who asks directly; one that reads proxies from the environment has such an agent inside. */
function withoutProxy(dispatcher, Agent) {
  return dispatcher.constructor === Agent ? dispatcher : ownAgent(dispatcher);
}

function ownAgent(dispatcher) {
  return Object.getOwnPropertySymbols(dispatcher)
    .map((symbol) => dispatcher[symbol])
    .find((value) => value && value.constructor && value.constructor.name === "Agent");
}

const [major, minor] = process.versions.node.split(".").map(Number);
const isAble = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
if (!isAble || process.env.NODE_USE_ENV_PROXY !== "1") use();

module.exports = { use };

"""#
}
