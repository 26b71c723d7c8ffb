// A client of the joke API, as any program for node might have one.

export class JokeError extends Error {}

export async function randomJoke(baseURL, token = "none") {
  const headers = { Authorization: `Bearer ${token}` };
  let answer;
  try {
    answer = await fetch(`${baseURL}/random_joke`, { headers });
    if (answer.ok) return (await answer.json()).punchline;
  } catch (error) {
    throw new JokeError("no joke", { cause: error });
  }
  throw new JokeError(`unexpected status ${answer.status}`);
}
