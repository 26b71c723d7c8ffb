// Prints a joke. Ends with 3 if there is none, with 4 if the response is not a joke.
const base = process.env.UNDERSTUDY_URL_JOKE ?? "http://127.0.0.1:8090/api";
const fail = (code, words) => {
  console.error(words);
  process.exit(code);
};

let body;
try {
  const response = await fetch(`${base}/random_joke`, { signal: AbortSignal.timeout(5000) });
  if (!response.ok) {
    console.log("no joke");
    process.exit(3);
  }
  body = await response.text();
} catch (error) {
  fail(3, error.message);
}
try {
  const { setup, punchline } = JSON.parse(body);
  if (typeof setup !== "string" || typeof punchline !== "string") throw new Error();
  console.log(`${setup}\n${punchline}`);
} catch {
  fail(4, "not a joke");
}
