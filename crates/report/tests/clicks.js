"use strict";
/* Uses every feature of the page, and measures what is drawn. */
const counts = { passes: 0, blocks: 0, texts: 0 };
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const expect = (holds, what) => { if (!holds) problems.push(what); };

function measure() {
  const nodes = [...document.querySelectorAll("#picture .node")].map((node) => ({ node, box: node.querySelector("rect, circle").getBBox() }));
  counts.blocks += nodes.length;
  const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  nodes.forEach(({ node, box }, i) => {
    for (const other of nodes.slice(0, i)) expect(apart(box, other.box), `blocks overlap: ${node.dataset.block}, ${other.node.dataset.block}`);
    for (const text of node.querySelectorAll("text")) {
      counts.texts += 1;
      const t = text.getBBox();
      expect(t.x >= box.x && t.y >= box.y - 1 && t.x + t.width <= box.x + box.width + 1 && t.y + t.height <= box.y + box.height + 1, `text leaves its block: ${text.textContent}`);
    }
  });
  const frames = [...document.querySelectorAll("#picture .box")].map((box) => box.getBBox());
  const inside = (a, b) => a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
  frames.forEach((frame, i) => {
    for (const outer of frames.slice(0, i)) expect(apart(frame, outer) || inside(frame, outer), "boxes cross");
    for (const { node, box } of nodes) expect(apart(box, frame) || inside(box, frame), `block ${node.dataset.block} leaves its box`);
  });
  const parts = ["header", "nav", "#graph", "aside", "footer"].map((part) => document.querySelector(part).getBoundingClientRect());
  parts.forEach((part, i) => parts.slice(0, i).forEach((other) => expect(apart(part, other), "parts of the page overlap")));
  expect(document.documentElement.scrollWidth <= innerWidth, "the page is wider than the window");
}
function drawnAfter(act, what) {
  const before = location.hash;
  act();
  expect(location.hash !== before, `${what} changes nothing`);
  measure();
}

ready.then(() => {
try {
  measure();
  at("all").click();
  for (let pass = 1; pass < R.passes.length; pass += 1) { press("ArrowRight"); counts.passes += 1; expect(state.pass === pass, "→ does not go on"); measure(); }
  press("ArrowLeft"); expect(state.pass === R.passes.length - 2, "← does not go back"); press("ArrowRight");
  at("slider").value = 0; at("slider").dispatchEvent(new Event("input")); expect(state.pass === 0, "the slider does nothing");
  document.querySelector(`#passes [data-pass="${R.passes.length - 1}"]`).click(); expect(state.pass === R.passes.length - 1, "a click on a pass does nothing");
  at("all").click(); expect(document.querySelectorAll("#passes .folded").length > 0, "passes without a change are not folded");
  drawnAfter(() => press("j"), "j"); press("j"); press("k"); press("Escape");
  const block = document.querySelector("#picture .node .name");
  block.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(document.querySelectorAll("#picture .node.selected").length === 1, "a click on a block selects none");
  expect(document.querySelectorAll("#pane .selected").length > 0, "a selected block is not lit in the text");
  const value = [...document.querySelectorAll("#picture .v[data-name]")].find((v) => v.dataset.name.startsWith("%"));
  value.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(document.querySelectorAll("#picture .lit").length > 0 && document.querySelectorAll("#pane .lit").length > 0, "a value is not lit everywhere");
  const chosen = state.value;
  press("Escape"); expect(state.value === "", "Escape keeps the selection");
  drawnAfter(() => press("d"), "d"); press("d");
  at("base").value = 0; at("base").dispatchEvent(new Event("change"));
  expect(document.querySelectorAll("#pane .added, #pane .removed, #picture .added, #picture .changed").length > 0, "no difference since the input");
  measure(); press("b"); at("base").value = -1; at("base").dispatchEvent(new Event("change"));
  for (const colour of ["depth", "lanes", "cost", "none"]) { press("c"); expect(state.colour === colour, `c does not lead to ${colour}`); measure(); }
  for (const key of ["2", "3", "4", "1"]) { press(key); measure(); }
  document.querySelector('[data-tab="notes"]').click();
  const note = document.querySelector("#pane .note");
  if (note) { note.click(); expect(state.pass === Number(note.dataset.pass), "a note does not lead to its pass"); }
  for (const key of ["+", "+", "-", "-", "-", "0"]) { press(key); measure(); }
  const dark = document.documentElement.classList.contains("dark"); press("t"); expect(document.documentElement.classList.contains("dark") !== dark, "t changes no theme"); measure(); press("t");
  press("?"); expect(at("dialog").open && at("dialog-text").textContent.includes("next block"), "? shows no keys"); at("dialog").close();
  at("copy").click(); expect(document.querySelectorAll("[data-copy]").length >= 5, "nothing can be copied"); at("dialog").close();
  for (const [name, text] of Object.entries(copies)) expect(text().length > 10, `${name} copies nothing`);
  press("f"); measure();
  at("search").value = R.passes[R.passes.length - 1].name; at("search").dispatchEvent(new Event("input")); expect(document.querySelectorAll("#passes [data-pass]").length >= 1, "the search finds no pass");
  at("search").value = ""; at("search").dispatchEvent(new Event("input"));
  at("graph").scrollTop = 300; draw(); measure();
  location.hash = `pass=0&value=${encodeURIComponent(chosen)}&tab=notes`; start(); expect(state.pass === 0 && state.tab === "notes", "a link does not lead to its view");
} catch (error) {
  problems.push(`${error.message} ${error.stack}`);
}
const result = document.createElement("pre");
result.id = "result";
result.textContent = problems.length ? [...new Set(problems)].slice(0, 20).join("\n") : `ok ${counts.passes} passes, ${counts.blocks} blocks, ${counts.texts} texts`;
document.body.append(result);
});
