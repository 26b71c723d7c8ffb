import assert from "node:assert/strict";
import { test } from "node:test";
import { understudy } from "understudy";
import { JokeError, randomJoke } from "./jokes.mjs";

test("no joke", async (t) => {
  const fake = await understudy(t);
  await fake.use("jokes/random", "not-found");
  await assert.rejects(randomJoke(fake.url("jokes")), new JokeError("unexpected status 404"));
});

test("a reset", async (t) => {
  const fake = await understudy(t);
  await fake.script("jokes/random", ["reset", "ok"]);
  await assert.rejects(randomJoke(fake.url("jokes")), JokeError);
  assert.equal(await randomJoke(fake.url("jokes")), "Because.");
  assert.equal((await fake.requests("jokes/random")).length, 2);
});
