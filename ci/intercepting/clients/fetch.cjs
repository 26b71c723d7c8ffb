const { check } = require("./steps.cjs");

check(async (method, url, document) => {
  const headers = document ? { "Content-Type": "application/json" } : {};
  const response = await fetch(url, { method, headers, body: document && JSON.stringify(document) });
  return { status: response.status, text: await response.text() };
});
