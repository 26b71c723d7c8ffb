// What may stand where somebody types in the editor, by the schema of contracts, and what is wrong so far.

let schemaRoot = null;
const schema = async () => (schemaRoot ??= await ask("GET", "/contract.schema.json"));

// MARK: Where the cursor is

/**
 * The way from the top of a text to a place in it: the keys and `"[]"` for arrays, whether a key stands
 * there, what is typed of it from `start`, and the keys that its object has.
 */
function placeAt(text, end) {
  const open = [];
  let isAfterColon = false;
  let start = end;
  let typed = "";
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[\w.+-]+/g)) {
    if (index >= end) break;
    const top = open.at(-1);
    const [isSign, isClosed] = [/^[{}[\]:,]$/.test(token), /^"(?:[^"\\]|\\.)*"$/.test(token)];
    const isTyped = !isSign && index + token.length >= (isClosed ? end + 1 : end);
    if (isTyped) {
      [start, typed] = [index, text.slice(index, end)];
    } else if (token === "{" || token === "[") {
      open.push({ isObject: token === "{", key: null, keys: [] });
      isAfterColon = false;
    } else if (token === "}" || token === "]") {
      open.pop();
      isAfterColon = false;
    } else if (token === ":") {
      isAfterColon = true;
    } else if (token === ",") {
      isAfterColon = false;
      if (top) top.key = null;
    } else if (top?.isObject && !isAfterColon && token[0] === '"') {
      top.key = token.slice(1, -1);
      top.keys.push(top.key);
    }
  }
  const top = open.at(-1);
  return {
    path: open.slice(0, -1).map((one) => one.isObject ? one.key : "[]"),
    isKey: Boolean(top?.isObject) && !isAfterColon,
    last: top?.isObject ? top.key : "[]", isInside: Boolean(top), keys: top?.keys ?? [], start, typed,
  };
}

// MARK: What the schema says

/** A schema and all that it is made of. */
function partsOf(node, root, found = new Set()) {
  if (!node || typeof node !== "object" || found.has(node)) return found;
  found.add(node);
  if (node.$ref) partsOf(root.$defs[node.$ref.split("/").at(-1)], root, found);
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    for (const part of node[key] ?? []) partsOf(part, root, found);
  }
  for (const key of ["then", "else"]) partsOf(node[key], root, found);
  return found;
}

function below(parts, key, root) {
  const found = new Set();
  for (const part of parts) {
    if (key === "[]") {
      partsOf(part.items, root, found);
    } else if (part.properties?.[key]) {
      partsOf(part.properties[key], root, found);
    } else {
      const patterns = Object.entries(part.patternProperties ?? {})
        .filter(([pattern]) => new RegExp(pattern, "u").test(key));
      for (const [, schema] of patterns) partsOf(schema, root, found);
      if (!patterns.length) partsOf(part.additionalProperties, root, found);
    }
  }
  return found;
}

/** What may be typed at a place, as pairs of text and meaning. */
function completionsAt(place, root) {
  const choices = new Map();
  let parts = partsOf(root, root);
  for (const key of place.path) parts = below(parts, key, root);
  if (place.isKey) {
    for (const part of parts) {
      for (const [key, schema] of Object.entries(part.properties ?? {})) {
        const about = [...partsOf(schema, root)].find((one) => one.description)?.description;
        const text = JSON.stringify(key);
        if (!place.keys.includes(key)) choices.set(text, about ?? choices.get(text) ?? "");
      }
      for (const key of part.propertyNames?.examples ?? []) choices.set(JSON.stringify(key), "");
    }
  } else if (place.isInside) {
    for (const part of below(parts, place.last, root)) {
      const values = [...(part.enum ?? []), ...("const" in part ? [part.const] : []),
        ...(part.type === "boolean" ? [true, false] : []), ...(part.examples ?? [])];
      for (const value of values) choices.set(JSON.stringify(value), part.description ?? "");
    }
  }
  const wanted = place.typed.replace(/^"/, "").toLowerCase();
  return [...choices].filter(([text]) => text.toLowerCase().includes(wanted));
}

// MARK: The list

let completions = [];
let chosen = 0;
let completed = null;

async function showCompletions() {
  const field = byID("editor-text");
  completed = placeAt(field.value, field.selectionStart);
  completions = completionsAt(completed, await schema()).slice(0, 50);
  chosen = 0;
  drawCompletions();
}

function drawCompletions() {
  const list = byID("completions");
  list.hidden = !completions.length;
  list.replaceChildren(...completions.map(([text, about], index) => element("li", {
    id: `completion-${index}`, role: "option", "aria-selected": `${index === chosen}`,
    onpointerdown: (event) => {
      event.preventDefault();
      complete(index);
    },
  }, element("code", {}, text), " ", element("span", { className: "note" }, about))));
  const field = byID("editor-text");
  if (list.hidden) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", `completion-${chosen}`);
  byID(`completion-${chosen}`).scrollIntoView({ block: "nearest" });
}

function hideCompletions() {
  completions = [];
  drawCompletions();
}

function complete(index) {
  const field = byID("editor-text");
  const text = completions[index][0];
  const rest = field.value.slice(field.selectionStart);
  const colon = completed.isKey && !/^"?\s*:/.test(rest) ? ": " : "";
  // The quotation mark that closed what was typed is in the new text.
  const end = field.selectionStart + (completed.typed.startsWith('"') && rest.startsWith('"') ? 1 : 0);
  field.setRangeText(text + colon, completed.start, end, "end");
  hideCompletions();
  field.dispatchEvent(new Event("input"));
}

function takeEditorKey(event) {
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    return act(showCompletions);
  }
  if (!completions.length) return undefined;
  if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(event.key)) hideCompletions();
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (steps[event.key]) {
    event.preventDefault();
    chosen = (chosen + steps[event.key] + completions.length) % completions.length;
    drawCompletions();
  } else if (event.key === "Enter" || event.key === "Tab") {
    event.preventDefault();
    complete(chosen);
  } else if (event.key === "Escape") {
    // The dialog stays.
    event.preventDefault();
    event.stopPropagation();
    hideCompletions();
  }
  return undefined;
}

function takeEditorInput(event) {
  const { value, selectionStart } = byID("editor-text");
  const { isKey, typed } = placeAt(value, selectionStart);
  if (typed && event.inputType && (completions.length || (event.data === '"' && isKey))) act(showCompletions);
  else hideCompletions();
  checkSoon(400);
}

// MARK: What is wrong

/** Which check was asked for last: an earlier one may respond later. */
let checkNumber = 0;

const checkSoon = laterOnce(async () => {
  const number = checkNumber += 1;
  try {
    const { diagnostics } = await ask("POST", contractPath(editedID(), "/check"), byID("editor-text").value || " ");
    if (number === checkNumber) drawDiagnostics(diagnostics);
  } catch (error) {
    if (number === checkNumber) drawDiagnostics([{ message: error.message }]);
  }
});

function drawDiagnostics(diagnostics) {
  const field = byID("editor-text");
  field.setAttribute("aria-invalid", diagnostics.length > 0);
  byID("editor-findings").replaceChildren(...diagnostics.map(({ line, column, message, fix }) =>
    element("li", {}, button(`line ${line ?? 1}`, () => goToLine(line ?? 1, column ?? 1), { className: "open" }),
      ` ${message}${fix ? `; fix: ${fix}` : ""}`)));
}

function goToLine(line, column) {
  const field = byID("editor-text");
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0) - column + 1);
  field.scrollTop = field.scrollHeight * (line - 1) / lines.length - 60;
}
