// What kind of response a case or a request stands for: a sign, a word and a colour, everywhere the same.

/** By kind: its sign, and what it means. */
const kinds = {
  good: ["✓", "a response with a status below 400"],
  error: ["!", "a status of 400 or more, as the API may respond"],
  slow: ["◷", "late on purpose"],
  malformed: ["≈", "not as the API says, on purpose"],
  broken: ["✗", "a connection that breaks on purpose"],
  unmatched: ["∅", "no contract matched"],
  held: ["‖", "waits until somebody releases it"],
  other: ["·", "the live API or another host responded, or the request is under way"],
};

const kindOfCase = (served) =>
  served.kind === "good" && served.status >= 400 ? "error" : served.kind;

function kindOf(entry) {
  if (entry.outcome === "held") return "held";
  if (entry.unmatched) return "unmatched";
  if (!entry.case || entry.outcome === "underWay") return "other";
  const served = contractOf(entry.contract)?.cases.find((one) => one.name === entry.case);
  if (served) return kindOfCase(served);
  return entry.status === null ? "broken" : entry.status < 400 ? "good" : "error";
}

/** How a request ended, in words. */
function endOf(entry) {
  const status = entry.status ?? "";
  switch (entry.outcome) {
    case "held": return "held";
    case "underWay": return "under way";
    case "reset": return "reset";
    case "cutOff": return `${status} cut off`.trim();
    case "stalled": return `${status} stalled`.trim();
    case "clientLeft": return "client left";
    case "passedThrough": return `${status} passed through`.trim();
    case "cancelled": return "cancelled";
    case "lost": return "unknown";
    default: return `${status}`;
  }
}

const sign = (kind) => element("i", { "aria-hidden": "true" }, kinds[kind][0]);

/** A case as a label in its colour. The kind is a word for those who do not see the colour. */
function chip(kind, ...content) {
  return element("span", { className: `chip ${kind}`, title: `${kind}: ${kinds[kind][1]}` },
    sign(kind), " ", ...content);
}

/** A chip that does something. */
function chipButton(kind, work, title, ...content) {
  const node = button("", work, { className: `chip ${kind}`, title });
  node.append(sign(kind), " ", ...content);
  return node;
}

// MARK: Units

function durationOf(milliseconds) {
  if (milliseconds < 1) return "<1 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The next of 1, 2 or 5 times a power of ten: where an axis ends. */
function axisEnd(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((one) => one * power >= value * 0.999_999) * power;
}
