"use strict";
/* Uses every feature of the page, and measures what is drawn. */
const counts = { code: 0, passes: 0, blocks: 0, texts: 0, labels: 0, names: 0, cards: 0, equal: 0, differences: 0, steps: 0, rows: 0, verdict: "none" };
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const expect = (holds, what) => { if (!holds) problems.push(what); };

function measure() {
  for (const picture of document.querySelectorAll(".picture")) if (!picture.closest("[hidden]")) measurePicture(picture);
  const parts = ["header", "nav", "#left-graph", "#graph", "#tabs", "#player", "#pane", "footer"].map((part) => document.querySelector(part)).filter((part) => !part.closest("[hidden]")).map((part) => part.getBoundingClientRect());
  parts.forEach((part, i) => parts.slice(0, i).forEach((other) => expect(apart(part, other), "parts of the page overlap")));
  expect(document.documentElement.scrollWidth <= innerWidth, "the page is wider than the window");
  expect(at("tabs").scrollWidth <= at("tabs").clientWidth, "the tabs are wider than their part of the page");
  expect(at("pane").closest("aside").clientWidth >= 400, "the text is too narrow to read");
}
const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
function measurePicture(picture) {
  const nodes = [...picture.querySelectorAll(".node")].map((node) => ({ node, box: node.querySelector("rect, circle").getBBox() }));
  counts.blocks += nodes.length;
  nodes.forEach(({ node, box }, i) => {
    for (const other of nodes.slice(0, i)) expect(apart(box, other.box), `blocks overlap: ${node.dataset.block}, ${other.node.dataset.block}`);
    const lanes = node.querySelector(".chip");
    if (lanes) expect(apart(lanes.getBBox(), textBox(node.querySelector("text"))), `lanes cover a name: ${node.textContent}`);
    for (const text of node.querySelectorAll("text")) {
      counts.texts += 1;
      const t = text.getBBox();
      expect(t.x >= box.x && t.y >= box.y - 1 && t.x + t.width <= box.x + box.width + 1 && t.y + t.height <= box.y + box.height + 1, `text leaves its block: ${text.textContent}`);
    }
  });
  const labels = [...picture.querySelectorAll(".port")].map((label) => ({ label, t: label.getBBox() }));
  counts.labels += labels.length;
  labels.forEach(({ label, t }, i) => {
    for (const other of labels.slice(0, i)) expect(apart(t, other.t), `labels overlap: ${label.textContent}`);
    const under = nodes.find(({ box }) => box.x <= t.x && box.y <= t.y && t.x + t.width <= box.x + box.width && t.y + t.height <= box.y + box.height + 2);
    expect(under && [...under.node.querySelectorAll("text")].every((text) => apart(textBox(text), t)), `a label is outside its block, or over its text: ${label.textContent}`);
    expect(under && under.node.compareDocumentPosition(label) & Node.DOCUMENT_POSITION_FOLLOWING, "a block hides a label");
  });
  // What is painted later covers what is below it: an edge is under each block and each title.
  const painted = [...picture.children], edges = painted.map((one, i) => (one.matches(".edge") ? i : -1));
  expect(painted.every((one, i) => !one.matches(".node, .title") || i > Math.max(...edges)), "an edge crosses a label");
  const frames = [...picture.querySelectorAll(".box")].map((box) => box.getBBox());
  const inside = (a, b) => a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
  frames.forEach((frame, i) => {
    for (const outer of frames.slice(0, i)) expect(apart(frame, outer) || inside(frame, outer), "boxes cross");
    for (const { node, box } of nodes) expect(apart(box, frame) || inside(box, frame), `block ${node.dataset.block} leaves its box`);
  });
}
/* A text without the spaces at its end. */
function textBox(text) {
  const { x, y, height } = text.getBBox(), length = text.textContent.trimEnd().length;
  return { x, y, height, width: length ? text.getSubStringLength(0, length) : 0 };
}
function drawnAfter(act, what) {
  const before = location.hash;
  act();
  expect(location.hash !== before, `${what} changes nothing`);
  measure();
}

/* A graph begins with both states beside each other, and the reasons. */
function useGraph() {
  expect(!at("left").hidden && state.beside === 0 && state.pass === 1 && state.tab === "notes", "a graph does not begin with both states");
  const drawn = VIEWS.map(({ svg }) => svg.querySelectorAll(".node .name").length);
  expect(drawn.every((count) => count > 0) && current(1).nodes.length > current(0).nodes.length, `blocks ${drawn}`);
  expect(document.querySelectorAll("#picture .node.added").length > 0, "no block is new");
  expect(document.querySelectorAll("#picture .node title").length > 0, "no block has its reason");
  const note = document.querySelector('#pane .note:not([data-name=""])');
  note.click(); expect(document.querySelectorAll("#picture .node.selected").length === 1, "a reason does not lead to its block");
  press("Escape"); press("1"); measure();
}
/* Machine code is in the picture of its block, and after it in the text. */
function useCode() {
  const blocks = current().nodes.map(blockOf).filter((block) => block.code);
  if (!blocks.length) return;
  press("1");
  counts.code = document.querySelectorAll("#pane .line.code").length;
  expect(counts.code === blocks.flatMap(codeOf).length, "lines of code are missing in the text");
  const drawn = at("picture").textContent;
  for (const line of blocks.flatMap(codeOf)) expect(drawn.includes(line), `the picture has no ${line}`);
}
/* Types, constants and names of the source stand in the text; the card has the definition and the uses. */
function useNames() {
  press("1");
  const links = [...document.querySelectorAll("#pane .v[data-name]")], named = links.filter((link) => link.textContent !== link.dataset.name);
  counts.names = named.length;
  for (const link of [...named.slice(0, 20), ...links.slice(0, 20)]) {
    link.dispatchEvent(new MouseEvent("mouseover", { bubbles: true, clientX: 900, clientY: innerHeight - 20 }));
    const card = at("card"), box = card.getBoundingClientRect(), { definition, uses } = usesOf(link.dataset.name, state.pass);
    expect(!card.hidden && card.textContent.includes(link.textContent) && box.right <= innerWidth && box.bottom <= innerHeight, `no card for ${link.dataset.name}`);
    // Of a graph, only jumps are shown.
    expect((definition || R.is_graph) && card.textContent.includes(`${uses.length} use`), `no definition of ${link.dataset.name}: ${card.textContent}`);
    counts.cards += 1;
  }
  document.body.dispatchEvent(new MouseEvent("mouseover", { bubbles: true })); expect(at("card").hidden, "the card stays");
}
/* Each side has its whole text, in rows of the same height; what differs is marked. */
function useDifference() {
  const { pass, base } = state;
  for (const [from, to] of [[0, R.passes.length - 1], [-1, R.passes.findLastIndex((one) => one.is_changed)]]) {
    state.base = from; state.pass = to; press("6"); measure();
    for (const fold of document.querySelectorAll("#pane details")) fold.open = true;
    const sides = [0, 1].map((side) => [...document.querySelectorAll(`#pane [data-side="${side}"]`)]), passes = [baseOf(), to];
    sides.forEach((lines, side) => expect(lines.map((line) => line.textContent).join("\n") === textAt(passes[side]).map(({ line }) => shownText(R.lines[line], namesOf(passes[side]))).join("\n"), "a line is missing in the difference"));
    const cells = [...document.querySelectorAll("#pane .difference .line")];
    for (let i = 0; i < cells.length; i += 2) {
      const marks = [cells[i], cells[i + 1]].map((cell) => cell.classList);
      expect(cells[i].offsetTop === cells[i + 1].offsetTop, "rows are not aligned");
      const equal = !marks[0].contains("removed") && !marks[1].contains("added") && !marks.some((mark) => mark.contains("none"));
      if (equal) { counts.equal += 1; expect(cells[i].textContent === cells[i + 1].textContent, "equal lines differ"); }
      else expect((marks[0].contains("removed") || marks[0].contains("none")) && (marks[1].contains("added") || marks[1].contains("none")), "a difference has no mark");
    }
    const [one, other] = sides.map((lines) => lines.map((line) => line.textContent).join("\n"));
    expect((one !== other) === (document.querySelectorAll("#pane .difference .added, #pane .difference .removed").length > 0), "a difference is not marked");
    counts.differences += Number(one !== other);
  }
  state.pass = pass; state.base = base; press("1");
}
const type = (words) => { at("search").value = words; at("search").dispatchEvent(new Event("input")); };
const enter = () => at("search").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
/* Enter opens the only hit, also a pass that is folded. */
function useSearch() {
  const pass = state.pass, names = R.passes.map((one) => one.name), isAlone = (index) => names.indexOf(names[index]) === names.lastIndexOf(names[index]);
  const hidden = R.passes.findIndex((one, index) => !one.is_changed && !one.notes.length && index !== pass && isAlone(index));
  if (hidden >= 0) {
    type(names[hidden]); expect(document.querySelector(`#passes [data-pass="${hidden}"]`), "the search finds no folded pass");
    enter(); expect(state.pass === hidden, "the only hit is not opened");
    type(""); state.pass = pass; update();
  }
  const name = current().nodes.map(blockOf).flatMap((block) => block.lines.map((line) => R.lines[line])).map((line) => /^%[^:]+(?=:)/.exec(line)).find(Boolean)?.[0];
  if (name) {
    type(shownName(name)); expect([...document.querySelectorAll("#passes [data-hit]")].some((hit) => hit.dataset.hit === name), `the search finds no ${shownName(name)}`);
    enter(); expect(state.value === name, `${shownName(name)} is not opened`); type(""); press("Escape");
  }
}
function useFit() {
  press("z"); measure();
  const f = current(), { graph, svg } = VIEWS[1];
  expect(f.width * state.zoom <= graph.clientWidth + 1 && f.height * state.zoom <= graph.clientHeight + 1, "the function does not fit");
  expect(svg.querySelectorAll(".node").length === f.nodes.length, "not all blocks are visible");
  press("0"); at("fit").click(); expect(state.zoom < 1 || f.height < graph.clientHeight, "the button does not fit"); press("0");
}
/* After a dialog was closed, Space goes on as before. */
async function useSpace() {
  if (!R.lanes.launches.length) return;
  press("5"); state.fn = launchNow().function; update();
  if (player().frames.length > 1) {
    press("Home"); at("keys").focus(); at("keys").click(); at("dialog").querySelector("form button").click();
    await new Promise((done) => { setTimeout(done, 100); });
    const key = () => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    key(); expect(timer !== 0 && !at("dialog").open, "Space does not play after a dialog"); key(); pause();
  }
  at("besides").value = -1; at("besides").dispatchEvent(new Event("change"));
  press("1");
}
/* Runs through the lanes; returns nothing if there are none. */
function usePlayer() {
  press("5");
  if (!R.lanes.launches.length) { expect(at("pane").textContent.includes("No lanes were run"), "no word about missing lanes"); press("1"); return; }
  expect(!at("player").hidden && !at("left").hidden, "the lanes have no controls, or nothing beside them");
  state.fn = launchNow().function; update();
  const { frames, runs } = player(), last = frames.length - 1;
  if (last < 1) { expect(document.querySelector("#pane .note b"), "no reason for a missing run"); press("1"); return; }
  press("Home"); expect(state.step === 0, "Home does not lead to the first step"); measure();
  expect(lit() === both(runs, (run) => maskText(2 ** run.lanes - 1, run.lanes)), `not all lanes begin: ${lit()}`);
  for (let step = 1; step <= Math.min(last - 1, 40); step += 1) {
    press("."); counts.steps += 1;
    expect(state.step === step && at("position").textContent === `step ${step} of ${last}`, ". does not go on");
    expect(document.querySelectorAll("#pane tr.masks td div").length > 0, "a step has no masks");
    const moved = runs.flatMap((run, side) => (run ? movesIn(side).map((move) => maskText(move.lanes, run.lanes)) : []));
    const text = document.querySelector("#pane tr.masks").textContent;
    expect(moved.length > 0 && moved.every((mask) => text.includes(mask)), `a mask is not shown: ${moved} in ${text}`);
    measure();
  }
  const step = state.step; press(","); expect(state.step === step - 1, ", does not go back"); press(".");
  at("step").value = 1; at("step").dispatchEvent(new Event("input")); expect(state.step === 1, "the slider of steps does nothing");
  at("forward").click(); expect(state.step === Math.min(2, last), "the button does not go on"); at("backward").click();
  press(" "); expect(timer !== 0, "Space does not play"); press(" "); expect(timer === 0, "Space does not pause");
  press("End"); expect(state.step === last && !document.querySelector(".picture .chip"), "lanes are left at the end"); measure();
  const verdict = document.querySelector("#pane .verdict");
  if (verdict) counts.verdict = verdict.dataset.verdict;
  counts.rows = document.querySelectorAll("#pane .operation").length;
  const operation = document.querySelector("#pane .operation:not(.agree)") || document.querySelector("#pane .operation");
  if (operation) {
    const words = operation.querySelector("b").textContent;
    operation.click();
    expect(state.step === Number(operation.dataset.frame) && [...document.querySelectorAll("#pane .operation.now b")].some((now) => now.textContent === words), "an operation does not lead to its step");
    measure();
  }
  at("besides").value = -1; at("besides").dispatchEvent(new Event("change")); measure();
  press("1");
}
/* The lanes in the pictures, as masks: those of both sides. */
const lit = () => VIEWS.map(({ svg }) => [...svg.querySelectorAll("text.lanes")].map((text) => text.textContent).join("")).join("|");
const both = (runs, words) => runs.map((run) => (run ? words(run) : "")).join("|");

ready.then(async () => {
try {
  measure();
  if (R.is_graph) useGraph();
  staying(() => { state.pass = 0; });
  at("all").click();
  for (let pass = 1; pass < R.passes.length; pass += 1) { press("ArrowRight"); counts.passes += 1; expect(state.pass === pass, "→ does not go on"); measure(); }
  press("ArrowLeft"); expect(state.pass === R.passes.length - 2, "← does not go back"); press("ArrowRight");
  at("slider").value = 0; at("slider").dispatchEvent(new Event("input")); expect(state.pass === 0, "the slider does nothing");
  document.querySelector(`#passes [data-pass="${R.passes.length - 1}"]`).click(); expect(state.pass === R.passes.length - 1, "a click on a pass does nothing");
  useCode();
  at("all").click(); expect(R.passes.every((pass) => pass.is_changed) || document.querySelectorAll("#passes .folded").length > 0, "passes without a change are not folded");
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
  for (const key of ["2", "3", "4", "5", "6", "1"]) { press(key); measure(); }
  document.querySelector('[data-tab="notes"]').click();
  const note = document.querySelector("#pane .note");
  if (note) { note.click(); expect(state.pass === Number(note.dataset.pass), "a note does not lead to its pass"); }
  for (const key of ["+", "+", "-", "-", "-", "0"]) { press(key); measure(); }
  const dark = document.documentElement.classList.contains("dark"); press("t"); expect(document.documentElement.classList.contains("dark") !== dark, "t changes no theme"); measure(); press("t");
  press("?"); expect(at("dialog").open && at("dialog-text").textContent.includes("next block"), "? shows no keys"); at("dialog").close();
  at("copy").click(); expect(document.querySelectorAll("[data-copy]").length >= 5, "nothing can be copied"); at("dialog").close();
  for (const [name, text] of Object.entries(copies)) expect(text().length > 10, `${name} copies nothing`);
  press("f"); measure();
  at("search").value = R.passes[state.pass].name; at("search").dispatchEvent(new Event("input")); expect(document.querySelectorAll("#passes [data-pass]").length >= 1, "the search finds no pass");
  at("search").value = ""; at("search").dispatchEvent(new Event("input"));
  at("graph").scrollTop = 300; draw(); measure();
  state.pass = R.passes.length - 1; state.fn = functionsOf(state.pass)[0].name; update();
  useNames(); useDifference(); useSearch(); useFit();
  usePlayer();
  await useSpace();
  location.hash = `pass=0&value=${encodeURIComponent(chosen)}&tab=notes`; start(); expect(state.pass === 0 && state.tab === "notes", "a link does not lead to its view");
} catch (error) {
  problems.push(`${error.message} ${error.stack}`);
}
const result = document.createElement("pre");
result.id = "result";
result.textContent = problems.length ? [...new Set(problems)].slice(0, 20).join("\n") : `ok ${Object.entries(counts).map(([what, count]) => `${count} ${what}`).join(", ")}`;
document.body.append(result);
});
