// What a test shows that fails by the helper: each runs node on a test of its own.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { understudy } from "understudy";

const helper = pathToFileURL(createRequire(import.meta.url).resolve("understudy"));
const contracts = fileURLToPath(new URL("Contracts", import.meta.url));

/** Runs a test with this body in an empty folder; what it prints, and its exit code. */
async function run(t, body, { environment = {}, options = { contracts } } = {}) {
  const place = await mkdtemp(join(tmpdir(), "understudy-"));
  t.after(() => rm(place, { recursive: true }));
  await mkdir(join(place, "Broken/jokes"), { recursive: true });
  await writeFile(join(place, "Broken/jokes/upstream.json"), "{");
  await writeFile(
    join(place, "one.test.mjs"),
    `import assert from "node:assert/strict";
    import { writeFileSync } from "node:fs";
    import { test } from "node:test";
    import { understudy } from "${helper}";
    const ask = (fake, path) => fetch(fake.url("jokes") + path).then((response) => response.text());
    test("it", async (t) => {
      const fake = await understudy(t, ${JSON.stringify(options)});
      ${body}
    });`,
  );
  // The runner runs no tests in its own tests' processes.
  const { NODE_TEST_CONTEXT, UNDERSTUDY_URL, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: place,
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  // The report indents messages.
  return { code, output: output.replaceAll(/^ +/gm, ""), place };
}

function assertFails({ code, output }, ...lines) {
  assert.equal(code, 1, output);
  assert.ok(output.includes(lines.join("\n")), `${lines.join("\n")}\nis not in\n${output}`);
}

describe("failures", { concurrency: 4 }, () => {
  test("a miss", async (t) => {
    assertFails(
      await run(t, 'await ask(fake, "/randm");'),
      "found 1 unmatched request, expected none",
      "no contract for GET /jokes/randm",
      "nearest: jokes/random  GET /random_joke",
      'path segment 1: found "randm", expected "random_joke"',
    );
  });

  for (const [body, ...lines] of [
    [
      'await fake.use("jokes/random", "slow");',
      'no request to jokes/random served "slow", expected one or more',
      "received nothing",
      "fix: send such a request, or serve nothing",
    ],
    [
      `await fake.use("jokes/random", "ok");
      await ask(fake, "/random_joke?a=1");
      await fake.use("jokes/random", "not-found");`,
      'no request to jokes/random served "not-found", expected one or more',
      "received:",
      "GET /jokes/random_joke?a=1  jokes/random#ok",
    ],
    [
      'await fake.script("jokes/random", ["reset", "ok"]);',
      "no request to jokes/random, expected one or more",
      "received nothing",
    ],
    [
      'await fake.use("jokes/random", "slow"); await ask(fake, "/randm");',
      'path segment 1: found "randm", expected "random_joke"',
      'no request to jokes/random served "slow", expected one or more',
      "received:",
      "GET /jokes/randm  no contract",
    ],
  ]) {
    test(`no request gets what is served: ${body}`, async (t) => {
      assertFails(await run(t, body), ...lines);
    });
  }

  test("a test that has failed already", async (t) => {
    const body = 'await fake.use("jokes/random", "slow"); assert.fail("early");';
    const { output } = await run(t, body);
    assert.match(output, /early/);
    assert.doesNotMatch(output, /no request/);
  });

  for (const [body, ...lines] of [
    [
      'await fake.use("jokes/randm", "ok");',
      'no contract "jokes/randm"',
      'fix: did you mean "jokes/random"?',
    ],
    [
      'await fake.use("jokes/random", "not-fond");',
      'no case "jokes/random#not-fond"',
      'fix: did you mean "jokes/random#not-found"?',
    ],
    ['await fake.use("jokes", "ok");', 'no contract "jokes/"', 'fix: did you mean "jokes/random"?'],
    ['fake.url("joke");', 'no upstream "joke"', "fix: known: jokes"],
    [
      'await fake.requests("jokes/randm");',
      'no contract "jokes/randm"',
      'fix: did you mean "jokes/random"?',
    ],
    [
      'await fake.requests("jokes/random", { case: "not-fond" });',
      'no case "jokes/random#not-fond"',
      'fix: did you mean "jokes/random#not-found"?',
    ],
    [
      'await fake.requests("jokes/random", { stats: 200 });',
      'unknown parameter "stats"',
      'fix: did you mean "status"?',
    ],
    [
      'await fake.requests({ status: 200 });',
      "found an object, expected the name of a contract",
      "fix: write requests(undefined, { … }) for those to all contracts",
    ],
    [
      "await fake.requests(undefined, { wait: 5 });",
      'found wait "5", expected a time from 0s to 60s, such as 500ms or 5s',
      "fix: write a number and a unit: 5s",
    ],
  ]) {
    test(`a wrong call: ${body}`, async (t) => assertFails(await run(t, body), ...lines));
  }

  for (const [UNDERSTUDY_BIN, ...lines] of [
    [
      "",
      "understudy is not on the PATH",
      "fix: install it, or set UNDERSTUDY_BIN to its path",
    ],
    [
      "./nothing",
      'found UNDERSTUDY_BIN "./nothing", expected the path of a program',
      "fix: set it to the path of the program understudy",
    ],
    [
      "/bin/echo",
      "found another program at /bin/echo, expected understudy",
      "fix: set UNDERSTUDY_BIN to the path of the program understudy",
    ],
  ]) {
    test(`a wrong program: ${UNDERSTUDY_BIN}`, async (t) => {
      const environment = { UNDERSTUDY_BIN, PATH: "/usr/bin:/bin" };
      assertFails(await run(t, "", { environment }), ...lines);
    });
  }

  test("no contracts", async (t) => {
    const outcome = await run(t, "", { options: {} });
    assertFails(outcome, `no folder Contracts in ${outcome.place} or above`, "fix: create one");
  });

  test("no contracts where they should be", async (t) => {
    const outcome = await run(t, "", { options: { contracts: "none" } });
    assertFails(
      outcome,
      `no ${outcome.place}/none, expected a folder of contracts`,
      "fix: change the option contracts of understudy(t, { contracts })",
    );
  });

  test("broken contracts", async (t) => {
    const outcome = await run(t, "", { options: { contracts: "Broken" } });
    assertFails(outcome, "the server was ended with code 2:", "Broken/jokes/upstream.json:1:2: error: ");
  });

  test("a server that ends too early", async (t) => {
    const stop = `await fetch(new URL("/__understudy/shutdown", fake.url("jokes")), { method: "POST" });
      await fake.requests();`;
    assertFails(await run(t, stop), "the server was ended with code 0");
  });

  test("no server there", async (t) => {
    // Nobody listens on the port of discarded data, which no user may.
    const environment = { UNDERSTUDY_URL: "http://127.0.0.1:9" };
    const { output } = await run(t, "", { environment });
    assert.match(output, /no server at http:\/\/127.0.0.1:9: .*\n.*start it with understudy serve/);
  });

  test("a running server", async (t) => {
    const { origin } = new URL((await understudy(t)).url("jokes"));
    const environment = { UNDERSTUDY_URL: origin, UNDERSTUDY_BIN: "none" };
    const { code, output } = await run(t, 'await ask(fake, "/random_joke");', { environment });
    assert.equal(code, 0, output);
  });

  test("no server is left", { timeout: 60_000 }, async (t) => {
    const { code, output } = await run(t, 't.diagnostic(`at ${fake.url("jokes")}.`);');
    assert.equal(code, 0, output);
    const [, url] = output.match(/at (http.*)\./);
    await assert.rejects(async () => {
      for (;;) await fetch(url).then((response) => response.text());
    });
  });

  for (const url of ["127.0.0.1:8080", "ftp://127.0.0.1:8080", "http://x:y"]) {
    test(`an address that is none: ${url}`, async (t) => {
      assertFails(
        await run(t, "", { environment: { UNDERSTUDY_URL: url } }),
        `found UNDERSTUDY_URL "${url}", expected an address such as http://127.0.0.1:8080`,
      );
    });
  }
});
