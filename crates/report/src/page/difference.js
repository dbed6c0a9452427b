"use strict";
/* The text of two passes beside each other: equal lines in one row, what was removed on the left, what was added on the right. */
const CONTEXT = 3, MOST_EDITS = 1500;

/* The pass that is compared with: the chosen one, or the one before. */
const baseOf = () => (state.base >= 0 ? state.base : Math.max(0, state.pass - 1));

/* The pairs of equal places of two lists: a shortest edit script (Myers 1986). Beyond the most edits, only the ends are equal. */
function equals(one, other) {
  let start = 0, ends = [one.length, other.length];
  while (start < ends[0] && start < ends[1] && one[start] === other[start]) start += 1;
  while (ends[0] > start && ends[1] > start && one[ends[0] - 1] === other[ends[1] - 1]) ends = [ends[0] - 1, ends[1] - 1];
  const pairs = [];
  for (let i = 0; i < start; i += 1) pairs.push([i, i]);
  pairs.push(...shortest(one.slice(start, ends[0]), other.slice(start, ends[1])).map(([i, k]) => [i + start, k + start]));
  for (let i = ends[0]; i < one.length; i += 1) pairs.push([i, i - ends[0] + ends[1]]);
  return pairs;
}
function shortest(one, other) {
  const reach = new Map([[1, 0]]), trace = [];
  for (let edits = 0; edits <= Math.min(one.length + other.length, MOST_EDITS); edits += 1) {
    trace.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = k === -edits || (k !== edits && reach.get(k - 1) < reach.get(k + 1));
      let x = isDown ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x += 1;
      reach.set(k, x);
      if (x >= one.length && x - k >= other.length) return traced(trace, [one.length, other.length]);
    }
  }
  return [];
}
function traced(trace, [endX, endY]) {
  const pairs = [];
  let x = endX, y = endY;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reach = trace[edits], k = x - y;
    const before = k === -edits || (k !== edits && reach.get(k - 1) < reach.get(k + 1)) ? k + 1 : k - 1;
    const from = edits ? [reach.get(before), reach.get(before) - before] : [0, 0];
    while (x > from[0] && y > from[1] && x > 0 && y > 0) { x -= 1; y -= 1; pairs.push([x, y]); }
    [x, y] = from;
  }
  return pairs.reverse();
}

/* Rows of both sides: a place of each list, or null. */
function aligned(one, other) {
  const rows = [], next = [0, 0];
  for (const pair of [...equals(one, other), [one.length, other.length]]) {
    const counts = [pair[0] - next[0], pair[1] - next[1]];
    for (let i = 0; i < Math.max(...counts); i += 1) rows.push(counts.map((count, side) => (i < count ? next[side] + i : null)).concat(false));
    if (pair[0] < one.length) rows.push([pair[0], pair[1], true]);
    next[0] = pair[0] + 1; next[1] = pair[1] + 1;
  }
  return rows;
}
/* The lines of a pass, each with the block that it is in. Machine code is compared by what it was made of. */
function textAt(pass) {
  const f = current(pass), result = R.globals[R.passes[pass].globals].map((line) => ({ line }));
  if (!f) return result;
  result.push({ line: f.head, sort: "head" });
  for (const block of f.nodes.map(blockOf)) block.lines.forEach((line, i) => result.push({ line, sort: i ? "in" : "head", id: block.id }));
  return result;
}
panes.difference = function () {
  const passes = [baseOf(), state.pass], texts = passes.map(textAt), names = passes.map((pass) => namesOf(pass));
  // A line is equal if it is stored once and names the same things.
  const keys = texts.map((text, side) => text.map(({ line }) => shownText(R.lines[line], names[side])));
  const rows = aligned(...keys), changed = rows.filter((row) => !row[2]).length;
  const cell = (row, side) => {
    const item = row[side] === null ? null : texts[side][row[side]];
    if (!item) return '<div class="line none"></div>';
    const mark = row[2] ? "" : side ? " added" : " removed", selected = item.id !== undefined && item.id === state.block ? " selected" : "";
    return `<div class="line ${item.sort || ""}${mark}${selected}" data-side="${side}"${item.id === undefined ? "" : ` data-block="${item.id}"`}>${linked(R.lines[item.line], "span", names[side])}</div>`;
  };
  const title = passes.map((pass) => `<div class="caption">${escaped(titleOf(pass))}</div>`).join("");
  const none = passes[0] === passes[1] ? "There is no pass before this one. Choose another pass in since." : "Both passes leave the same text.";
  return (changed ? "" : `<div class="empty">${none}</div>`) + `<div class="difference">${title}${folded(rows, (row) => cell(row, 0) + cell(row, 1))}</div>`;
};
/* Equal lines far from others are folded. */
function folded(rows, show) {
  const near = new Set();
  rows.forEach((row, i) => { if (!row[2]) for (let k = i - CONTEXT; k <= i + CONTEXT; k += 1) near.add(k); });
  let result = "";
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && !near.has(end)) end += 1;
    if (end - i > 2) {
      result += `<details><summary>${end - i} equal lines</summary><div class="difference">${rows.slice(i, end).map(show).join("")}</div></details>`;
      i = end;
    } else { result += show(rows[i]); i += 1; }
  }
  return result;
}
