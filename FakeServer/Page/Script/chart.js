// Requests and delays of the last minute, second by second.

const secondCount = 60;
const sampleCountMax = 200;
const emptySecond = () => ({ kinds: {}, total: 0, delays: [], longest: undefined });
/** The newest last: how many requests of each kind, some of their delays, and the longest. */
const seconds = Array.from({ length: secondCount }, emptySecond);
let shiftedAt = Date.now();

/** Counts a request that has ended, once; those from before the page was opened, too. */
function measure(row) {
  const { entry } = row;
  if (isOpen(entry) || row.isMeasured) return;
  row.isMeasured = true;
  const age = Math.max(0, Math.floor((Date.now() - new Date(entry.time) - entry.delayActualMilliseconds) / 1000));
  const second = seconds[secondCount - 1 - age];
  if (!second) return;
  const kind = kindOf(entry);
  second.kinds[kind] = (second.kinds[kind] ?? 0) + 1;
  second.total += 1;
  second.longest = Math.max(second.longest ?? 0, entry.delayActualMilliseconds);
  if (second.delays.length < sampleCountMax) second.delays.push(entry.delayActualMilliseconds);
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Moves on by the seconds that have passed; a browser may call it seldom. */
function drawChart() {
  while (Date.now() - shiftedAt >= 1000) {
    shiftedAt = Math.max(shiftedAt + 1000, Date.now() - secondCount * 1000);
    seconds.shift();
    seconds.push(emptySecond());
  }
  const chart = byID("chart");
  const total = seconds.reduce((sum, second) => sum + second.total, 0);
  chart.hidden = !model.rows.length && !total;
  if (!chart.hidden) {
    drawCounts(total);
    drawDelays();
  }
}

const plotHeight = 60;
const plotLeft = (index) => index * 4;

function drawCounts(total) {
  const highest = Math.max(...seconds.map((second) => second.total));
  const end = axisEnd(Math.max(1, highest));
  const shown = Object.keys(kinds).filter((kind) => seconds.some((second) => second.kinds[kind]));
  const tops = seconds.map(() => plotHeight);
  byID("count-bars").replaceChildren(...shown.map((kind) => {
    const bars = seconds.map((second, index) => {
      const length = plotHeight * (second.kinds[kind] ?? 0) / end;
      if (!length) return "";
      tops[index] -= length;
      return `M${plotLeft(index) + 0.5} ${tops[index].toFixed(2)}h3v${length.toFixed(2)}h-3z`;
    });
    return shape("path", { class: kind, d: bars.join("") });
  }));
  setText(byID("count-end"), `${end}`);
  setText(byID("count-words"), `${total} in the last minute`
    + (highest ? `, peak ${highest}` : ""));
  byID("legend").replaceChildren(
    ...shown.map((kind) => element("li", { className: kind }, sign(kind), ` ${kind}`)));
}

function drawDelays() {
  const medians = seconds.map((second) => median(second.delays));
  const longest = seconds.map((second) => second.longest);
  const known = longest.filter((delay) => delay !== undefined);
  const end = axisEnd(Math.max(1, ...known));
  const dots = (delays) => delays.map((delay, index) => delay === undefined ? ""
    : `M${plotLeft(index) + 2} ${(plotHeight - 2 - (plotHeight - 4) * delay / end).toFixed(1)}h0`).join("");
  byID("delay-longest").setAttribute("d", longest.map((delay, index) => delay === undefined ? ""
    : `M${plotLeft(index) + 2} ${plotHeight}V${(plotHeight - 2 - (plotHeight - 4) * delay / end).toFixed(1)}`).join(""));
  byID("delay-median").setAttribute("d", dots(medians));
  setText(byID("delay-end"), durationOf(end));
  const all = seconds.flatMap((second) => second.delays);
  setText(byID("delay-words"), all.length
    ? `Median ${durationOf(median(all))}, longest ${durationOf(Math.max(...known))}` : "No response in the last minute");
}

function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
