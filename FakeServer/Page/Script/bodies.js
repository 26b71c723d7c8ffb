// Bodies as a tree, as text and as bytes. What is long is shown in parts, so that it never stops the page.

const shownTextMax = 100_000;
const shownBytesMax = 4096;
const shownMembersMax = 100;
/** JSON that is longer becomes a tree only when somebody asks for it. */
const parsedMax = 500_000;

/**
 * A body in the forms that it has, with a choice between them.
 * @param text the body, or its Base64 where `isBase64` says so
 */
function bodyParts(text, isBase64, label) {
  const bytes = () => isBase64
    ? Uint8Array.from(atob(text), (one) => one.charCodeAt(0)) : new TextEncoder().encode(text);
  const forms = isBase64 ? [] : [["text", () => longText(text)]];
  if (!isBase64 && /^\s*[[{]/.test(text)) forms.unshift(["tree", () => treeOf(text)]);
  forms.push(["bytes", () => hexOf(bytes())]);
  const place = element("div", { className: "body" });
  const choice = element("div", { className: "forms", role: "group", "aria-label": `Form of ${label}` });
  const show = ([name, make]) => {
    for (const node of choice.children) node.setAttribute("aria-pressed", node.textContent === name);
    place.replaceChildren(...make());
  };
  choice.append(...forms.map((form) => button(form[0], () => show(form))));
  show(forms[0][0] === "tree" && text.length > parsedMax ? forms[1] : forms[0]);
  return [choice, place];
}

/** A text of megabytes would stop the page for seconds. */
function longText(text) {
  const shown = element("pre", { tabIndex: 0 }, text.slice(0, shownTextMax));
  if (text.length <= shownTextMax) return [shown];
  const more = button(`Show all ${text.length} characters`, () => {
    setText(shown, text);
    more.remove();
    shown.focus();
  }, { className: "all" });
  return [shown, more];
}

// MARK: Bytes

function hexOf(bytes) {
  const lines = (start) => {
    const made = [];
    for (let index = start; index < Math.min(bytes.length, start + shownBytesMax); index += 16) {
      const line = [...bytes.subarray(index, index + 16)];
      made.push(index.toString(16).padStart(8, "0") + "  "
        + line.map((one) => one.toString(16).padStart(2, "0")).join(" ").padEnd(49)
        + line.map((one) => (one > 31 && one < 127 ? String.fromCharCode(one) : ".")).join(""));
    }
    return made.join("\n");
  };
  const shown = element("pre", { tabIndex: 0, className: "hex" }, lines(0));
  const more = button("", () => {
    shown.append(`\n${lines(shownTo)}`);
    shownTo += shownBytesMax;
    label();
  });
  let shownTo = shownBytesMax;
  const label = () => {
    more.hidden = shownTo >= bytes.length;
    setText(more, `Show more of ${sizeOf(bytes.length)}`);
  };
  label();
  return [shown, more];
}

// MARK: JSON

/** A number that JavaScript would change, as it was written. */
class Digits {
  constructor(text) {
    this.text = text;
  }
}

const isInexact = (value, context) => typeof value === "number" && context?.source !== undefined
  && !Number.isSafeInteger(value) && String(value) !== context.source;

function treeOf(text) {
  let value;
  try {
    // Looking at each value takes time, which only long numbers are worth.
    value = /\d{16}/.test(text) ? JSON.parse(text, (key, value, context) =>
      isInexact(value, context) ? new Digits(context.source) : value) : JSON.parse(text);
  } catch (error) {
    return [element("p", { className: "problem" }, `Not valid JSON: ${error.message}`), ...longText(text)];
  }
  const top = element("ul", { className: "tree" });
  fill(top, value);
  return [top];
}

/** Deeper ones open by hand: a body may be nested without end. */
const openDepthMax = 4;

/** Adds the members of an object or array; those of long ones in parts. */
function fill(list, value, depth = 0, start = 0) {
  const isArray = Array.isArray(value);
  const keys = Object.keys(value);
  for (const key of keys.slice(start, start + shownMembersMax)) {
    list.append(memberOf(isArray ? null : key, key, value[key], depth));
  }
  const end = start + shownMembersMax;
  if (keys.length <= end) return;
  const more = element("li", {}, button(`${keys.length - end} more`, () => {
    more.remove();
    fill(list, value, depth, end);
  }));
  list.append(more);
}

function memberOf(name, key, value, depth) {
  const label = element("span", { className: name === null ? "index" : "key" }, key);
  if (value === null || typeof value !== "object" || value instanceof Digits) {
    return element("li", {}, label, " ", scalarOf(value));
  }
  const count = Object.keys(value).length;
  const words = Array.isArray(value) ? `[${count}]` : `{${count}}`;
  if (!count) return element("li", {}, label, " ", element("span", { className: "note" }, words));
  const list = element("ul");
  const box = element("details", {}, element("summary", {}, label, " ",
    element("span", { className: "note" }, words)), list);
  box.addEventListener("toggle", () => list.childElementCount || fill(list, value, depth + 1));
  // Small ones are read at a glance.
  if (count <= 5 && depth < openDepthMax) {
    fill(list, value, depth + 1);
    box.open = true;
  }
  return element("li", {}, box);
}

function scalarOf(value) {
  const text = value instanceof Digits ? value.text : JSON.stringify(value);
  return element("span", { className: typeof value === "string" ? "string" : "number" },
    text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text);
}
