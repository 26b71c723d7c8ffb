// A client of the joke API, as any program for node might have one.

export class JokeError extends Error {}

export async function randomJoke(baseURL, token = "none") {
  const headers = { Authorization: `Bearer ${token}` };
  let response;
  try {
    response = await fetch(`${baseURL}/random_joke`, { headers });
    if (response.ok) return (await response.json()).punchline;
  } catch (error) {
    throw new JokeError("no joke", { cause: error });
  }
  throw new JokeError(`unexpected status ${response.status}`);
}
