// The steps of the suites for Node. Each brings ask(method, url, document), which follows redirects and gives
// the status and the body as text.
const assert = require("node:assert");

const api = "https://api.shop.test/v1";

const item = (id, name, amount, tags) => ({ id, name, price: { amount, currency: "EUR" }, tags });
const kettle = item(16, "kettle", "39.90", ["kitchen"]);
const lamp = item(17, "lamp", "24.00", ["light", "desk"]);
const rug = item(18, "rug", "120.50", []);

exports.check = async (ask) => {
  const expect = async (method, url, expectedStatus, expected, document) => {
    const { status, text } = await ask(method, url, document);
    const found = text ? JSON.parse(text) : null;
    assert.deepStrictEqual({ status, found }, { status: expectedStatus, found: expected }, `${method} ${url}`);
  };
  await expect("GET", `${api}/items?limit=1`, 200, { items: [kettle], total: 3 });
  await expect("GET", `${api}/items?limit=3`, 200, { items: [kettle, lamp, rug], total: 3 });
  await expect("GET", `${api}/items/17`, 200, lamp);
  await expect("GET", `${api}/items/99`, 404, { error: "no such item" });
  await expect("POST", `${api}/items`, 201, { id: 19, name: "clock" }, { name: "clock" });
  await expect("GET", `${api}/newest`, 200, rug);
  await expect("GET", `${api}/report`, 200, { sold: Array(200).fill(7) });
  await expect("DELETE", `${api}/items/17`, 204, null);
  await expect("GET", "http://status.shop.test/up", 200, { up: true });
};
