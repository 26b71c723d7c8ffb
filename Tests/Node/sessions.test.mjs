// Tests that run side by side share nothing, however many processes and servers there are.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { understudy } from "understudy";
import { JokeError, randomJoke } from "./jokes.mjs";

describe("sessions", { concurrency: true }, () => {
  for (let number = 0; number < 40; number += 1) {
    const name = ["ok", "not-found", "cut-short", "reset"][number % 4];
    test(`${number}: ${name}`, async (t) => {
      const fake = await understudy(t);
      await fake.use("jokes/random", name);
      for (let count = 0; count < 3; count += 1) {
        const joke = randomJoke(fake.url("jokes"));
        if (name === "ok") assert.equal(await joke, "Because.");
        else await assert.rejects(joke, JokeError);
      }
      const cases = (await fake.requests()).map((request) => request.case);
      assert.deepEqual(cases, Array(3).fill(name));
    });
  }

  test("in the background", async (t) => {
    const fake = await understudy(t);
    const joke = randomJoke(fake.url("jokes"), "abc");
    const [request] = await fake.requests("jokes/random", { wait: "5s", unmasked: true });
    assert.equal(request.header("authorization"), "Bearer abc");
    assert.equal(await joke, "Because.");
  });

  test("secrets are masked unless asked for", async (t) => {
    const fake = await understudy(t);
    await randomJoke(fake.url("jokes"), "abc");
    const [masked] = await fake.requests();
    assert.equal(masked.header("Authorization"), "[redacted]");
  });

  test("nothing comes", async (t) => {
    const fake = await understudy(t);
    assert.deepEqual(await fake.requests(undefined, { wait: "1ms" }), []);
  });
});
