// What clients such as axios are made of: Node's own http and https.
const http = require("node:http");
const https = require("node:https");
const zlib = require("node:zlib");
const { check } = require("./steps.cjs");

const send = (method, url, document) =>
  new Promise((resolve, reject) => {
    const body = document && JSON.stringify(document);
    const headers = { "Accept-Encoding": "gzip" };
    if (body) Object.assign(headers, { "Content-Type": "application/json", "Content-Length": body.length });
    const request = (url.startsWith("https:") ? https : http).request(url, { method, headers }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const { location, "content-encoding": encoding } = response.headers;
        const sent = Buffer.concat(parts);
        const bytes = encoding === "gzip" ? zlib.gunzipSync(sent) : sent;
        if (response.statusCode === 302) return resolve(send("GET", new URL(location, url).href));
        resolve({ status: response.statusCode, text: bytes.toString() });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
check(send);
