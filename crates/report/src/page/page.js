"use strict";
let R = null;
/* The data is gzip in base64. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
const at = (id) => document.getElementById(id);
const LINE = 15, MARGIN = 8, MOST_CHARACTERS = 52, MOST_LINES = 14, READABLE = 0.3;
const TABS = ["text", "notes", "source", "output", "lanes", "difference"];
const state = { pass: 0, beside: -1, step: 0, fn: "", block: null, value: "", base: -1, colour: "none", tab: "text", zoom: 1, all: false };

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (c) => escapes[c]);
const functionsOf = (pass) => R.passes[pass].functions.map((index) => R.functions[index]);
const current = (pass = state.pass) => functionsOf(pass).find((f) => f.name === state.fn);
const blockOf = (node) => R.blocks[node.block];
const blocksById = (f) => new Map(f ? f.nodes.map((node) => [blockOf(node).id, blockOf(node)]) : []);

/* The name of the chosen block. */
let chosen = "";
function nameOf(id) {
  for (const pass of [state.pass, ...R.passes.keys()]) {
    const f = current(pass), block = f && blocksById(f).get(id);
    if (block) return block.name;
  }
  return "";
}

/* The pictures: of the pass on the right, and on the left of another pass, if one is beside it. */
const viewOf = (graph, pass) => ({ graph, pass, gone: graph.querySelector(".gone"), canvas: graph.querySelector(".canvas"), svg: graph.querySelector(".picture") });
const VIEWS = [viewOf(at("left-graph"), () => state.beside), viewOf(at("graph"), () => state.pass)];
function draw() {
  if (state.beside >= 0) drawView(0);
  drawView(1);
}
/* Only what is visible is drawn. */
function drawView(side) {
  const { graph: view, pass, gone, canvas, svg } = VIEWS[side], f = current(pass()), z = state.zoom;
  gone.hidden = !!f;
  if (!f) { svg.innerHTML = ""; return; }
  canvas.style.width = f.width * z + "px";
  canvas.style.height = f.height * z + "px";
  const left = Math.max(0, view.scrollLeft - 200), top = Math.max(0, view.scrollTop - 400);
  const w = Math.min(f.width * z - left, view.clientWidth + 400), h = Math.min(f.height * z - top, view.clientHeight + 800);
  const seen = { x: left / z, y: top / z, r: (left + w) / z, b: (top + h) / z };
  svg.style.left = left + "px"; svg.style.top = top + "px";
  svg.setAttribute("width", Math.max(1, w)); svg.setAttribute("height", Math.max(1, h));
  svg.setAttribute("viewBox", `${seen.x} ${seen.y} ${Math.max(1, w) / z} ${Math.max(1, h) / z}`);
  const end = (view.scrollLeft + view.clientWidth) / z;
  const visible = (s) => s.x <= seen.r && s.y <= seen.b && s.x + s.w >= seen.x && s.y + s.h >= seen.y;
  const changes = side ? changesOf(f) : new Map(), lanes = lanesIn(side), why = reasonsOf(pass(), f), names = namesOf(pass());
  svg.innerHTML = f.boxes.filter((box) => visible(box.shape)).map(drawBox).join("")
    + f.routes.map((route) => drawRoute(route, f, seen, names)).join("")
    + f.boxes.filter((box) => visible(box.shape)).map(drawTitle).join("")
    + f.nodes.filter((node) => visible(node.shape)).map((node) => drawNode(node, changes, { lanes: lanes.get(blockOf(node).id), why: why.get(blockOf(node).name), end, names })).join("")
    + f.routes.filter((route) => visible(f.nodes[route.from].shape)).map((route) => drawLabel(route, f)).join("");
}
const LISTS = ["then", "else", "case", "body", "continue", "join"];
function drawBox({ kind, shape: s }) {
  const sort = LISTS.includes(kind) ? "list" : kind;
  return `<rect class="box ${sort}" x="${s.x}" y="${s.y}" width="${s.w}" height="${s.h}"/>`;
}
/* The title of a box is over the edges, and interrupts them. */
const drawTitle = ({ kind, shape: s }) => `<text class="small title" x="${s.x + 6}" y="${s.y + 12}">${kind}</text>`;
function drawRoute(route, f, seen, names) {
  const p = route.points, xs = p.filter((_, i) => i % 2 === 0), ys = p.filter((_, i) => i % 2 === 1);
  if (Math.min(...xs) > seen.r || Math.max(...xs) < seen.x || Math.min(...ys) > seen.b || Math.max(...ys) < seen.y) return "";
  const from = blockOf(f.nodes[route.from]), to = blockOf(f.nodes[route.to]);
  const lit = state.block !== null && (from.id === state.block || to.id === state.block) ? " lit" : "";
  const path = "M" + p.map((n, i) => (i && i % 2 === 0 ? "L" : "") + n).join(" ");
  return `<path class="edge ${route.kind}${lit}" d="${path}" marker-end="url(#tip)"><title>${escaped(shownName(from.name, names))} → ${escaped(shownName(to.name, names))}: ${[route.label, route.kind.replace("_", " ")].filter(Boolean).join(", ")}</title></path>`;
}
/* The label of an edge stands in the block that it leaves, above its port, where no edge goes; only if it fits into its share of the bottom and is large enough to read. */
function drawLabel({ from, label, points: [x, y] }, f) {
  if (state.zoom < READABLE) return "";
  const block = blockOf(f.nodes[from]), share = f.nodes[from].shape.w / block.edges.length;
  if (!label || block.edges.length < 2 || label.length * 6 + 2 > share) return "";
  return `<text class="small port" x="${x}" y="${y - 5}" text-anchor="middle">${escaped(label)}</text>`;
}
function shade(block) {
  if (state.colour === "depth") return Math.min(4, block.loop_depth);
  if (state.colour === "cost") return Math.min(4, Math.floor(Math.log10(costOf(block) + 1)));
  return 0;
}
const costOf = (block) => block.lines.length * 8 ** block.loop_depth;
function tag(block) {
  if (state.colour === "depth") return block.loop_depth ? `loops ${block.loop_depth}` : "";
  if (state.colour === "cost") return `cost ${costOf(block)}`;
  if (state.colour === "lanes") return [block.is_converged ? "" : "lanes apart", block.is_uniform ? "" : "splits lanes"].filter(Boolean).join(", ");
  return "";
}
/* The text of a note, without the code that stands before it. */
const sentenceOf = (note) => (note.text.startsWith(note.code + ": ") ? note.text.slice(note.code.length + 2) : note.text);
/* What a pass says about its blocks, by their names. */
function reasonsOf(pass, f) {
  const about = R.passes[pass].notes.filter((note) => note.block && note.function === f.name && !note.value);
  return new Map(about.map((note) => [note.block, `${note.code}: ${shownText(sentenceOf(note), namesOf(pass))}`]));
}
function drawNode(node, changes, { lanes: here, why, end, names }) {
  const block = blockOf(node), s = node.shape;
  const selected = block.id === state.block ? " selected" : "", change = changes.get(block.id) || "";
  if (block.is_edge) return `<g class="node v${selected}" data-block="${block.id}"><circle class="dot" cx="${s.x + s.w / 2}" cy="${s.y + s.h / 2}" r="${s.w / 2}"/><title>${escaped(shownName(block.name, names))}: edge</title></g>`;
  const apart = state.colour === "lanes" && !block.is_converged ? " apart" : "", level = shade(block);
  const fill = level ? ` style="fill:var(--shade-${level})"` : "";
  // Lanes stand where the roles are otherwise.
  const badges = here ? "" : [...block.roles, tag(block)].filter(Boolean).join(" · ").replace("_", " ");
  const text = `<tspan class="name v" data-block="${block.id}">${escaped(shownName(block.name, names))}</tspan> <tspan class="badge">${badges}</tspan>`;
  let result = `<g class="node v${selected} ${change}${apart}${here ? " here" : ""}" data-block="${block.id}"><rect x="${s.x}" y="${s.y}" width="${s.w}" height="${s.h}"${fill}/>`;
  if (apart) result += `<rect class="hatch" x="${s.x}" y="${s.y}" width="${s.w}" height="${s.h}"/>`;
  const row = (i, inside) => `<text x="${s.x + MARGIN}" y="${s.y + MARGIN + 11 + i * LINE}">${inside}</text>`;
  result += row(0, text);
  // Lines that are too small to read are not drawn.
  const shown = state.zoom < READABLE ? [] : shownOf(block);
  shown.slice(1, MOST_LINES).forEach((line, i) => { result += row(i + 1, block.code ? escaped(cut(line)) : linked(line, "tspan", names, MOST_CHARACTERS)); });
  if (shown.length > MOST_LINES) result += row(MOST_LINES, `<tspan class="badge">… ${shown.length - MOST_LINES} more</tspan>`);
  return result + (here ? drawLanes(here, s, shownName(block.name, names), end) : "") + (why ? `<title>${escaped(why)}</title>` : "") + "</g>";
}
const cut = (text) => (text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS - 1) + "…" : text);

/* The machine code of a block, with the role of each part if there are others than the body. */
function codeOf(block) {
  const code = block.code || [], named = code.some((part) => part.role !== "body");
  return code.flatMap((part) => (named ? [`; ${part.role}`] : []).concat(part.lines.map((line) => R.lines[line])));
}
/* What is drawn of a block: the instructions, or the machine code. */
const shownOf = (block) => (block.code ? [R.lines[block.lines[0]], ...codeOf(block)] : block.lines.map((line) => R.lines[line]));

/* What changed since another pass. */
function changesOf(f) {
  const changes = new Map();
  if (state.base < 0) return changes;
  const before = blocksById(current(state.base));
  for (const node of f.nodes) {
    const block = blockOf(node), old = before.get(block.id);
    if (!old) changes.set(block.id, "added");
    else if (old !== block && old.lines.join() !== block.lines.join()) changes.set(block.id, "changed");
  }
  return changes;
}

/* The panes. */
const panes = {
  text() {
    const f = current();
    if (!f) return '<div class="empty">The function is not there after this pass.</div>';
    const before = state.base < 0 ? null : blocksById(current(state.base)), names = namesOf(state.pass);
    const row = (text, sort, id, of = names) => `<div class="line ${sort}"${id === undefined ? "" : ` data-block="${id}"`}>${linked(text, "span", of)}</div>`;
    const removed = (line, id) => row(R.lines[line], "in removed", id, namesOf(state.base));
    let result = row(R.lines[f.head], "head");
    for (const node of f.nodes) {
      const block = blockOf(node), old = before && before.get(block.id);
      const rest = old ? old.lines.slice() : [];
      const selected = block.id === state.block ? " selected" : "";
      block.lines.forEach((line, i) => {
        const place = rest.indexOf(line);
        if (place >= 0) rest.splice(place, 1);
        result += row(R.lines[line], (i ? "in" : "head") + selected + (before && place < 0 ? " added" : ""), block.id);
      });
      rest.forEach((line) => { result += removed(line, block.id); });
      codeOf(block).forEach((line) => { result += row(line, "code" + selected, block.id, new Map()); });
    }
    if (before) {
      const now = blocksById(f);
      for (const [id, block] of before) if (!now.has(id)) block.lines.forEach((line) => { result += removed(line, id); });
    }
    return result;
  },
  notes() {
    const all = R.passes.flatMap((pass, index) => pass.notes.map((note) => ({ ...note, index })));
    const here = all.filter((note) => note.index === state.pass && (!note.function || note.function === state.fn));
    const others = all.filter((note) => note.index !== state.pass);
    const show = (note) => `<div class="note" data-pass="${note.index}" data-function="${escaped(note.function)}" data-name="${escaped(note.block || note.value)}">`
      + `<b>${escaped(note.code || note.kind)}</b> ${linked(sentenceOf(note), "span", namesOf(note.index))} <span class="where">${escaped([note.function, note.block, note.value].filter(Boolean).map((name) => shownName(name, namesOf(note.index))).join(" "))}${note.index === state.pass ? "" : ", after " + escaped(R.passes[note.index].name)}</span></div>`;
    const none = '<div class="empty">Nothing to say about this pass: it added no block, moved no instruction, and no rule is broken.</div>';
    return (here.map(show).join("") || none) + (others.length ? '<div class="empty">Other passes</div>' + others.map(show).join("") : "");
  },
  source() { return file(R.source, "The module has no source: it embeds none, and is no text itself."); },
  output() { return R.pictures.map(picture).join("") + file(R.output, "Nothing was written."); },
};
/* An image that the launch writes. */
function picture({ name, png }) {
  return `<figure><img alt="${escaped(name)}" src="data:image/png;base64,${png}"><figcaption>${escaped(name)}</figcaption></figure>`;
}
function file(text, none) {
  if (!text.lines.length) return `<div class="empty">${none}</div>`;
  const marked = text === R.source ? sourceLines() : new Set();
  return text.lines.map((line, i) => `<div class="line${marked.has(i + 1) ? " selected" : ""}"><span class="number">${i + 1}</span>${linked(line, "span")}</div>`).join("");
}
/* The lines of the source of what is selected. */
function sourceLines() {
  const lines = new Set(), f = current();
  for (const node of f ? f.nodes : []) {
    const block = blockOf(node);
    block.source.forEach((line, i) => {
      const names = state.value && namesIn(R.lines[block.lines[i]]).includes(state.value);
      if (line && (block.id === state.block || names)) lines.add(line);
    });
  }
  return lines;
}

/* The list of passes. */
function drawPasses() {
  const words = at("search").value.trim().toLowerCase();
  let folded = 0, result = "";
  const fold = () => { if (folded) result += `<li class="folded">${folded} without a change</li>`; folded = 0; };
  R.passes.forEach((pass, index) => {
    const hidden = !words && !state.all && !pass.is_changed && index !== state.pass && index && !pass.notes.length;
    if (hidden) { folded += 1; return; }
    if (words && !matches(pass, index, words)) return;
    fold();
    const before = R.passes[Math.max(0, index - 1)], delta = pass.instructions - before.instructions;
    const size = index ? (delta ? (delta > 0 ? "+" : "−") + Math.abs(delta) : pass.is_changed ? "±0" : "") : String(pass.instructions);
    const sort = [pass.is_changed ? "" : "same", pass.is_failed ? "failed" : "", index === state.base ? "base" : ""].join(" ");
    const title = `${pass.blocks} blocks, ${pass.instructions} instructions${pass.optimization ? ", optimization " + pass.optimization : ""}`;
    result += `<li><button class="${sort}" data-pass="${index}" title="${title}"${index === state.pass ? ' aria-current="step"' : ""}><span class="name">${escaped(pass.name)}</span><span class="delta">${size}</span></button></li>`;
  });
  fold();
  at("passes").innerHTML = result + hitRows(words);
}

function drawLegend() {
  const levels = (names) => names.map((name, i) => `<i style="background:${i ? `var(--shade-${i})` : "var(--node)"}"></i>${name}`).join("");
  at("legend").innerHTML = {
    none: "", depth: levels(["no loop", "1", "2", "3", "4 or more"]),
    cost: levels(["< 10", "< 100", "< 1000", "< 10 000", "more"]) + " instructions × 8 for each loop",
    lanes: '<svg width="22" height="12"><rect width="22" height="12" fill="url(#hatch)" stroke="var(--line)"/></svg> not all lanes are there together',
  }[state.colour];
}
function update(keep) {
  const f = current(), pass = R.passes[state.pass];
  chosen = state.block === null ? "" : nameOf(state.block);
  document.documentElement.classList.toggle("wide", state.tab === "difference");
  drawPasses(); drawLegend(); drawPlayer();
  at("left").hidden = at("caption").hidden = state.beside < 0;
  if (state.beside >= 0) at("left-caption").textContent = `before · ${titleOf(state.beside)}`;
  at("caption").textContent = `after · ${titleOf(state.pass)}`;
  at("besides").value = state.beside;
  at("slider").value = state.pass;
  at("slider").setAttribute("aria-valuetext", pass.name);
  at("title").textContent = document.title = `${R.input.name.split("/").pop()} · ${pass.name}`;
  at("function").value = state.fn; at("colour").value = state.colour; at("base").value = state.base;
  at("zoom").textContent = Math.round(state.zoom * 100) + " %";
  at("tabs").innerHTML = TABS.filter((tab) => !R.is_graph || tab !== "lanes").map((tab) => `<button role="tab" data-tab="${tab}" aria-selected="${tab === state.tab}">${tab}${tab === "notes" && pass.notes.length ? ` ${pass.notes.length}` : ""}</button>`).join("");
  at("pane").innerHTML = panes[state.tab]();
  if (keep && f) keep(f);
  draw();
  const parts = { pass: state.pass, function: state.fn, block: chosen, value: state.value, since: state.base < 0 ? "" : state.base, beside: state.beside < 0 ? "" : state.beside, step: isPlayer() ? state.step : "", colour: state.colour === "none" ? "" : state.colour, tab: state.tab === "text" ? "" : state.tab };
  history.replaceState(null, "", "#" + Object.entries(parts).filter(([, v]) => v !== "").map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&"));
  const row = document.querySelector("#passes [aria-current]");
  if (row) row.scrollIntoView({ block: "nearest" });
}

/* The block that is selected, or the first visible one, stays where it is on the screen. */
function staying(change) {
  const view = at("graph"), f = current(), z = state.zoom;
  const node = f && (f.nodes.find((n) => blockOf(n).id === state.block) || f.nodes.find((n) => (n.shape.y + n.shape.h) * z > view.scrollTop));
  const id = node && blockOf(node).id, x = node ? node.shape.x * z - view.scrollLeft : 0, y = node ? node.shape.y * z - view.scrollTop : 0;
  change();
  update((now) => {
    const same = now.nodes.find((n) => blockOf(n).id === id);
    VIEWS[1].canvas.style.width = now.width * state.zoom + "px"; VIEWS[1].canvas.style.height = now.height * state.zoom + "px";
    if (same) { view.scrollLeft = same.shape.x * state.zoom - x; view.scrollTop = same.shape.y * state.zoom - y; }
  });
}
function select({ block = null, value = "" }, reveal) {
  state.block = block; state.value = value;
  update();
  if (!reveal) return;
  for (const { graph, pass } of VIEWS.slice(state.beside < 0 ? 1 : 0)) {
    const f = current(pass()), node = f && f.nodes.find((n) => blockOf(n).id === block || (value && blockOf(n).lines.some((l) => R.lines[l].startsWith(value + ":"))));
    if (node) graph.scrollTo({ left: node.shape.x * state.zoom - 60, top: node.shape.y * state.zoom - 80 });
  }
  const line = document.querySelector("#pane .selected, #pane .lit");
  if (line) line.scrollIntoView({ block: "nearest" });
}
function selectName(name, reveal) {
  const f = current(), node = name.startsWith("^") && f && f.nodes.find((n) => blockOf(n).name === name);
  select(node ? { block: blockOf(node).id } : { value: name }, reveal);
}
function step(by) {
  let pass = state.pass;
  do { pass += by; } while (R.passes[pass] && !state.all && !R.passes[pass].is_changed && !R.passes[pass].notes.length);
  if (R.passes[pass]) staying(() => { state.pass = pass; });
}
function stepBlock(by) {
  const f = current();
  if (!f) return;
  const nodes = f.nodes.filter((n) => !blockOf(n).is_edge), place = nodes.findIndex((n) => blockOf(n).id === state.block);
  const node = nodes[Math.min(nodes.length - 1, Math.max(0, place + by))];
  if (node) select({ block: blockOf(node).id }, true);
}
function zoomTo(zoom) { staying(() => { state.zoom = Math.min(3, Math.max(0.1, zoom)); }); }
/* The whole function is visible, not larger than it is. */
function zoomToFit() {
  const seen = VIEWS.slice(state.beside < 0 ? 1 : 0).filter(({ pass }) => current(pass()));
  const fitting = seen.map(({ graph, pass }) => { const f = current(pass()); return Math.min(graph.clientWidth / f.width, graph.clientHeight / f.height); });
  state.zoom = Math.max(0.001, Math.min(1, ...fitting) * 0.99);
  update();
  for (const { graph } of seen) graph.scrollTo(0, 0);
}

/* What is copied. */
const copies = {
  "link to this view": () => location.href,
  "function as text IR": () => textOf(current()),
  "module as text IR": () => R.globals[R.passes[state.pass].globals].map((l) => R.lines[l]).concat(functionsOf(state.pass).map(textOf)).join("\n") + "\n",
  "test case": () => `; test ${state.pass ? R.passes[state.pass].name : "verify"}\n` + R.globals[R.passes[Math.max(0, state.pass - 1)].globals].map((l) => R.lines[l]).concat(functionsOf(Math.max(0, state.pass - 1)).map(textOf)).join("\n") + "\n",
  "graph as dot": () => "digraph {\n  node [shape=box, fontname=monospace];\n" + current().nodes.map(blockOf).map((b) => `  b${b.id} [label=${JSON.stringify(b.name)}];\n` + b.edges.map((e) => `  b${b.id} -> b${e.to}${e.label ? ` [label=${JSON.stringify(e.label)}]` : ""};\n`).join("")).join("") + "}\n",
};
const textOf = (f) => R.lines[f.head] + "\n" + f.nodes.map(blockOf).map((b) => b.lines.map((l, i) => (i ? "  " : "") + R.lines[l]).join("\n")).join("\n") + "\n}\n";
function showDialog(html) { at("dialog-text").innerHTML = html; at("dialog").showModal(); }
function showCopies() { showDialog("<p>Copy to the clipboard:</p>" + Object.keys(copies).map((name) => `<button data-copy="${name}">${name}</button>`).join("")); }
const KEYS = [["← →", "pass before, after"], ["j k", "next block, block before"], ["d", "changes since the pass before, on and off"], ["b", "changes since this pass, from now on"], ["f", "next function"], ["c", "next colour"], ["1 2 3 4 5 6", "text, notes, source, output, lanes, difference"], [". ,", "lanes: a step forward, back"], ["Space", "lanes: play, pause"], ["Home End", "lanes: first step, last step"], ["+ − 0", "larger, smaller, whole size"], ["z", "the whole function"], ["/", "find"], ["t", "dark or light"], ["Escape", "select nothing"]];
function showKeys() { showDialog("<table>" + KEYS.map(([key, what]) => `<tr><td><b>${key}</b></td><td>${what}</td></tr>`).join("") + "</table><p>A click on a value or a block shows it wherever it occurs, in every pass. Dashed edges leave a construct; thick ones go back to a loop's header; dots are empty blocks of edges.</p>"); }
function theme(dark) { document.documentElement.classList.toggle("dark", dark); at("theme").textContent = dark ? "light" : "dark"; }
const nextOf = (select, value) => { const all = [...select.options].map((o) => o.value); return all[(all.indexOf(String(value)) + 1) % all.length]; };

/* A pass of the address: its number, or its name, which means the last pass of that name. */
function passOf(text) {
  const named = R.passes.findLastIndex((pass) => pass.name === text);
  return named >= 0 ? named : text === null || text === "" ? NaN : Number(text);
}

function start() {
  const names = [...new Set(R.passes.flatMap((_, index) => functionsOf(index).map((f) => f.name)))];
  at("function").innerHTML = names.map((name) => `<option value="${escaped(name)}">${escaped(titleOfName(name))}</option>`).join("");
  at("base").innerHTML = '<option value="-1">no other pass</option>' + R.passes.map((pass, i) => `<option value="${i}">${i}: ${escaped(pass.name)}</option>`).join("");
  at("besides").innerHTML = '<option value="-1">no other pass</option>' + R.passes.map((pass, i) => `<option value="${i}">${i}: ${escaped(pass.name)}</option>`).join("");
  at("slider").max = R.passes.length - 1;
  at("footer").textContent = `${R.tool} · ${R.command} · input ${R.input.name}, ${R.input.bytes} bytes, ${R.input.digest}`;
  const wanted = new URLSearchParams(location.hash.slice(1));
  // Of the functions that the last pass leaves, the largest.
  const last = functionsOf(R.passes.length - 1), biggest = (last.length ? last : functionsOf(0)).reduce((best, f) => (!best || f.nodes.length > best.nodes.length ? f : best), null);
  state.fn = names.includes(wanted.get("function")) ? wanted.get("function") : biggest ? biggest.name : names[0] || "";
  // Of a graph, both states are shown, what is new, and why.
  document.documentElement.classList.toggle("bare", R.is_graph);
  const defaults = R.is_graph ? { pass: R.passes.length - 1, beside: 0, since: 0, tab: "notes" } : {};
  for (const [key, value] of Object.entries(defaults)) if (!wanted.has(key)) wanted.set(key, value);
  state.pass = Math.min(R.passes.length - 1, Math.max(0, passOf(wanted.get("pass")) || 0));
  const since = passOf(wanted.get("since"));
  state.base = R.passes[since] ? since : -1;
  state.colour = wanted.get("colour") || "none"; state.tab = TABS.includes(wanted.get("tab")) ? wanted.get("tab") : "text";
  const beside = passOf(wanted.get("beside"));
  state.beside = R.passes[beside] ? beside : -1; state.step = Number(wanted.get("step")) || 0;
  theme(wanted.has("theme") ? wanted.get("theme") === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  update();
  if (wanted.get("zoom") === "fit") zoomToFit(); else if (Number(wanted.get("zoom")) > 0) zoomTo(Number(wanted.get("zoom")));
  if (isPlayer()) stepTo(state.step);
  if (wanted.get("block") || wanted.get("value")) selectName(wanted.get("block") || wanted.get("value"), true);
}
for (const { graph } of VIEWS) graph.addEventListener("scroll", () => requestAnimationFrame(draw));
at("besides").addEventListener("change", (e) => { state.beside = Number(e.target.value); update(); });
addEventListener("resize", () => R && draw());
at("slider").addEventListener("input", (e) => staying(() => { state.pass = Number(e.target.value); }));
at("all").addEventListener("change", (e) => { state.all = e.target.checked; update(); });
at("search").addEventListener("input", drawPasses);
at("function").addEventListener("change", (e) => { state.fn = e.target.value; state.block = null; update(); });
at("colour").addEventListener("change", (e) => { state.colour = e.target.value; update(); });
at("base").addEventListener("change", (e) => { state.base = Number(e.target.value); update(); });
at("larger").addEventListener("click", () => zoomTo(state.zoom * 1.25));
at("smaller").addEventListener("click", () => zoomTo(state.zoom / 1.25));
at("zoom").addEventListener("click", () => zoomTo(1));
at("fit").addEventListener("click", zoomToFit);
at("theme").addEventListener("click", () => theme(!document.documentElement.classList.contains("dark")));
at("keys").addEventListener("click", showKeys);
at("copy").addEventListener("click", showCopies);
at("dialog").addEventListener("click", (e) => {
  const name = e.target.dataset && e.target.dataset.copy;
  if (name) { navigator.clipboard && navigator.clipboard.writeText(copies[name]()); at("dialog").close(); }
});
// The keys of the page go on: otherwise Space presses the button that opened the dialog.
at("dialog").addEventListener("close", () => at("graph").focus());
at("passes").addEventListener("click", (e) => {
  const button = e.target.closest("[data-pass]"), hit = e.target.closest("[data-hit]");
  if (hit) openName(hit.dataset.hit);
  if (!button) return;
  if (e.shiftKey) { state.base = Number(button.dataset.pass); update(); } else staying(() => { state.pass = Number(button.dataset.pass); });
});
at("tabs").addEventListener("click", (e) => { if (e.target.dataset.tab) tab(TABS.indexOf(e.target.dataset.tab)); });
for (const { svg } of VIEWS) svg.addEventListener("click", (e) => {
  const name = e.target.closest("[data-name]"), block = e.target.closest("[data-block]");
  if (name) selectName(name.dataset.name); else if (block) select({ block: Number(block.dataset.block) }); else select({});
});
at("pane").addEventListener("click", (e) => {
  const note = e.target.closest(".note[data-pass]"), operation = e.target.closest("[data-frame]"), name = e.target.closest("[data-name]"), line = e.target.closest("[data-block]");
  if (note) { staying(() => { state.pass = Number(note.dataset.pass); state.fn = note.dataset.function || state.fn; }); if (note.dataset.name) selectName(note.dataset.name, true); }
  else if (name) selectName(name.dataset.name, true);
  else if (operation) stepTo(Number(operation.dataset.frame));
  else if (line) select({ block: Number(line.dataset.block) }, true);
});
addEventListener("keydown", (e) => {
  if (!R || e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT/.test(e.target.tagName) && e.target.type !== "range" && e.target.type !== "checkbox" || at("dialog").open) return;
  const acts = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), j: () => stepBlock(1), k: () => stepBlock(-1),
    d: () => { state.base = state.base < 0 ? Math.max(0, state.pass - 1) : -1; update(); }, b: () => { state.base = state.pass; update(); },
    f: () => { state.fn = nextOf(at("function"), state.fn); state.block = null; update(); }, c: () => { state.colour = nextOf(at("colour"), state.colour); update(); },
    1: () => tab(0), 2: () => tab(1), 3: () => tab(2), 4: () => tab(3), 5: () => tab(4), 6: () => tab(5), z: zoomToFit, "+": () => zoomTo(state.zoom * 1.25), "-": () => zoomTo(state.zoom / 1.25), 0: () => zoomTo(1),
    "/": () => at("search").focus(), t: () => at("theme").click(), "?": showKeys, Escape: () => select({}),
  };
  const isPressed = e.key === " " && e.target.tagName === "BUTTON", steps = { ArrowLeft: PLAYER_KEYS[","], ArrowRight: PLAYER_KEYS["."] };
  const act = e.target.id === "step" && steps[e.key] || isPlayer() && !isPressed && PLAYER_KEYS[e.key] || acts[e.key];
  if (act) { e.preventDefault(); act(); }
});
function tab(index) {
  state.tab = TABS[index];
  // Lanes are compared: the first state with the last one, unless two are chosen.
  if (isPlayer() && state.beside < 0) { state.beside = 0; if (!state.pass) state.pass = R.passes.length - 1; }
  update();
}
const ready = unpacked(at("data").textContent).then((data) => { R = data; });
