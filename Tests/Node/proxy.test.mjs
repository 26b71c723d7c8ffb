// Clients that keep the URL of the live API: understudy(t, { proxy: true }).

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { Agent, get } from "node:https";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { understudy } from "understudy";
import { JokeError, randomJoke } from "./jokes.mjs";

const live = "https://official-joke-api.appspot.com";
// As a client does that is made before any test begins.
const keptFetch = fetch;
const keptAgent = new Agent({ keepAlive: true });

const byHTTPS = (agent) =>
  new Promise((resolve, reject) => {
    get(`${live}/random_joke`, { agent }, async (response) => {
      try {
        resolve(JSON.parse((await response.setEncoding("utf8").toArray()).join("")).punchline);
      } catch (error) {
        reject(error);
      }
    }).on("error", reject);
  });

const clients = {
  fetch: () => randomJoke(live),
  "fetch, kept": async () => (await (await keptFetch(`${live}/random_joke`)).json()).punchline,
  https: () => byHTTPS(),
  "https, agent": () => byHTTPS(keptAgent),
};

describe("proxy", () => {
  for (const [name, ask] of Object.entries(clients)) {
    test(`clients: ${name}`, async (t) => {
      const fake = await understudy(t, { proxy: true });
      assert.equal(await ask(), "Because.");
      assert.equal(await ask(), "Because.");
      assert.equal((await fake.requests("jokes/random")).length, 2);
    });
  }

  describe("side by side", { concurrency: true }, () => {
    for (let number = 0; number < 24; number += 1) {
      const name = ["ok", "not-found", "cut-short"][number % 3];
      const [client, ask] = Object.entries(clients)[number % 4];
      test(`${number}: ${name}, ${client}`, async (t) => {
        const fake = await understudy(t, { proxy: true });
        await fake.use("jokes/random", name);
        for (let count = 0; count < 2; count += 1) {
          if (name === "ok") assert.equal(await ask(), "Because.");
          else if (client === "fetch") await assert.rejects(ask, JokeError);
          else await ask().catch(() => undefined);
        }
        const cases = (await fake.requests()).map((request) => request.case);
        assert.deepEqual(cases, [name, name]);
      });
    }
  });

  test("programs that the test starts", async (t) => {
    const fake = await understudy(t, { proxy: true });
    const { stdout } = await promisify(execFile)("curl", ["-sS", `${live}/random_joke`]);
    assert.equal(JSON.parse(stdout).punchline, "Because.");
    assert.equal((await fake.requests("jokes/random")).length, 1);
    assert.equal(fake.environment.HTTPS_PROXY, fake.proxyURL);
  });

  test("both addresses", async (t) => {
    const fake = await understudy(t, { proxy: true });
    assert.equal(await randomJoke(live), await randomJoke(fake.url("jokes")));
    assert.equal((await fake.requests("jokes/random")).length, 2);
  });

  // That is a finding of `understudy run`.
  test("other hosts are refused", { skip: Boolean(process.env.UNDERSTUDY_URL) }, async (t) => {
    await understudy(t, { proxy: true });
    const error = await fetch("https://other.example/").catch((error) => error);
    assert.match(`${error.cause}`, /CONNECT other\.example:443 with 502/);
  });

  test("the environment is as it was", async (t) => {
    const before = { ...process.env };
    await t.test("meanwhile", async (t) => {
      await understudy(t, { proxy: true });
      assert.notEqual(process.env.HTTPS_PROXY, before.HTTPS_PROXY);
    });
    assert.deepEqual({ ...process.env }, before);
  });
});
