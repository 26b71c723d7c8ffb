// The tests of a client against Contracts/@NAME@: run them with `node --test`.
import assert from "node:assert/strict";
import test from "node:test";
import { understudy } from "./understudy.mjs";

// Your client in place of this function; it gets its base URL from the test.
async function greeting(baseURL) {
  const response = await fetch(`${baseURL}/greeting`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).text;
}

test("the greeting", async (t) => {
  const fake = await understudy(t);
  assert.equal(await greeting(fake.url("@NAME@")), "Hello");
});

test("no greeting", async (t) => {
  const fake = await understudy(t);
  await fake.use("@NAME@/greeting", "not-found");
  await assert.rejects(greeting(fake.url("@NAME@")), /status 404/);
});
