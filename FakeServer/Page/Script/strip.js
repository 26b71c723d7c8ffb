// Requests per second and the time to respond, over the last minute.

const secondCount = 60;
const sampleCountMax = 200;
/** By second, the newest last: how many requests, and some of their times. */
const seconds = Array.from({ length: secondCount }, () => ({ count: 0, times: [] }));

function measure(entry) {
  const second = seconds[secondCount - 1];
  second.count += 1;
  if (second.times.length < sampleCountMax) second.times.push(entry.delayActualMilliseconds);
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Ends a second; called once in each. */
function drawStrip() {
  const last = seconds[secondCount - 1];
  const countMax = Math.max(1, ...seconds.map((second) => second.count));
  const medians = seconds.map((second) => median(second.times));
  const timeMax = Math.max(1, ...medians.filter((time) => time !== undefined));
  const bars = seconds.map((second, index) => second.count
    ? `M${index * 4 + 1.5} 24V${(24 - 22 * second.count / countMax).toFixed(1)}` : "");
  byID("strip-bars").setAttribute("d", bars.join(""));
  const points = medians.flatMap((time, index) => time === undefined
    ? [] : [`${index * 4 + 1.5},${(23 - 21 * time / timeMax).toFixed(1)}`]);
  byID("strip-line").setAttribute("points", points.join(" "));
  const time = median(last.times);
  setText(byID("strip-words"), `▮ ${last.count} a second, at most ${countMax}`
    + `  ╱ ${time === undefined ? "–" : time.toFixed(1)} ms to respond, at most ${timeMax.toFixed(1)}`);
  seconds.shift();
  seconds.push({ count: 0, times: [] });
}
