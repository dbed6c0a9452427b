"use strict";
/* The lane player: lanes step by step, in the module before and after.

   Both runs have steps of their own. A frame shows one step of each: they go side by side from one operation that both have to the next, and
   the run that is there first waits. A set of lanes is an integer, bit i for lane i. */
const VERDICTS = { agree: ["=", "agree"], other_lanes: ["≠", "other lanes"], other_values: ["≠", "other results"], only_before: ["−", "only before"], only_after: ["+", "only after"] };
const MOST_ROWS = 100, EVERY = 700;
let timer = 0;

const lanesOf = (set) => [...Array(R.lanes.limits.lanes).keys()].filter((lane) => set >> lane & 1);
const maskText = (set, count) => [...Array(count).keys()].map((lane) => (set >> lane & 1 ? lane : "·")).join("");
const isPlayer = () => state.tab === "lanes" && R.lanes.launches.length > 0;
const launchNow = () => R.lanes.launches.find((launch) => launch.function === state.fn) || R.lanes.launches[0];
function runOf(launch, pass) {
  const known = pass < 0 ? null : launch.states[pass], place = known ? known.run : null;
  return place === null ? null : launch.runs[place];
}

/* The operations of both runs, paired. */
function pairsOf(launch) {
  const [before, after] = [state.beside, state.pass].map((pass) => (pass < 0 ? null : launch.states[pass].run));
  if (before === null || after === null) return [];
  if (before === after) return launch.runs[before].operations.map((operation, i) => ({ before: i, after: i, lanes: operation.lanes, verdict: "agree" }));
  const known = launch.comparisons.find((one) => one.before === Math.min(before, after) && one.after === Math.max(before, after));
  if (before < after) return known.pairs;
  const turned = { only_before: "only_after", only_after: "only_before" };
  return known.pairs.map((pair) => ({ before: pair.after, after: pair.before, lanes: pair.lanes, verdict: turned[pair.verdict] || pair.verdict }));
}

/* The frames: a step of each run, or null where there is no run. */
let shown = null;
function player() {
  const launch = launchNow(), key = [R.lanes.launches.indexOf(launch), state.beside, state.pass].join();
  if (shown && shown.key === key) return shown;
  const runs = [runOf(launch, state.beside), runOf(launch, state.pass)], pairs = pairsOf(launch);
  shown = { key, launch, runs, pairs, frames: framesOf(runs, pairs), places: runs.map((run) => run && placesOf(run)) };
  return shown;
}
function framesOf([one, other], pairs) {
  const only = one || other;
  if (!only) return [];
  if (!one || !other) return [...Array(only.steps.length + 1).keys()].map((i) => [one && i, other && i]);
  const both = pairs.filter((pair) => pair.before !== null && pair.after !== null);
  const meetings = both.map((pair) => [one.operations[pair.before].step, other.operations[pair.after].step]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const frames = [], next = [0, 0];
  const goTo = (ends) => {
    const count = Math.max(ends[0] - next[0], ends[1] - next[1]);
    for (let k = 0; k < count; k += 1) frames.push([0, 1].map((side) => Math.min(next[side] + k, ends[side] - 1)));
    next[0] = ends[0]; next[1] = ends[1];
  };
  for (const meeting of meetings) {
    if (meeting[0] < next[0] || meeting[1] < next[1]) continue;
    goTo(meeting);
    goTo(meeting.map((step) => step + 1));
  }
  goTo([one.steps.length + 1, other.steps.length + 1]);
  return frames;
}
/* By step and lane: the block, or null after the end. */
function placesOf(run) {
  const now = Array(run.lanes).fill(null), places = [];
  for (let step = 0; step <= run.steps.length; step += 1) {
    for (const move of run.steps[step] || []) for (const lane of lanesOf(move.lanes)) now[lane] = move.block;
    run.ends.forEach((end, lane) => { if (step >= end.step) now[lane] = null; });
    places.push(now.slice());
  }
  return places;
}

/* By block: its lanes, and whether some of them move in this step. */
function lanesIn(side) {
  const blocks = new Map();
  if (!isPlayer()) return blocks;
  const { runs, frames, places } = player(), frame = frames[state.step];
  if (!frame || !runs[side]) return blocks;
  places[side][frame[side]].forEach((block, lane) => {
    if (block === null) return;
    if (!blocks.has(block)) blocks.set(block, { digits: "", moves: false });
    blocks.get(block).digits += lane;
  });
  for (const move of movesIn(side)) if (blocks.has(move.block)) blocks.get(move.block).moves = true;
  return blocks;
}
/* What a run does in this frame; nothing while it waits for the other. */
function movesIn(side) {
  const { runs, frames } = player(), frame = frames[state.step], before = frames[state.step - 1];
  if (!frame || !runs[side] || before && before[side] === frame[side]) return [];
  return runs[side].steps[frame[side]] || [];
}
/* On the right of the head of a block, as far as that is visible; never over its name. */
function drawLanes(here, s, title, seen) {
  const w = here.digits.length * 7.3 + 8, name = s.x + MARGIN + title.length * 7.3 + 4, y = s.y + 3;
  const x = Math.max(name, Math.min(s.x + s.w, seen) - w - 4);
  return `<rect class="chip ${here.moves ? "moves" : "waits"}" x="${x}" y="${y}" width="${w}" height="16"/><text class="lanes ${here.moves ? "moves" : "waits"}" x="${x + 4}" y="${y + 12}">${here.digits}</text>`;
}

/* The pane. */
panes.lanes = function () {
  if (!R.lanes.launches.length) return `<div class="empty">No lanes were run. ${escaped(R.lanes.absent)}</div>`;
  const { launch, runs, pairs, frames } = player(), frame = frames[state.step] || [null, null];
  const titles = [state.beside < 0 ? "nothing beside" : titleOf(state.beside), titleOf(state.pass)];
  const reasons = [state.beside, state.pass].map((pass, side) => (runs[side] || pass < 0 ? "" : `<div class="note plain"><b>${escaped(titles[side])}</b> ${escaped(launch.states[pass].reason)}</div>`)).join("");
  const cut = runs.some((run) => run && run.is_cut) ? `<div class="note plain"><b>limit</b> A run ended at a limit, ${R.lanes.limits.moves} moves or ${R.lanes.limits.instructions} instructions. What is behind it is not compared.</div>` : "";
  const inputs = launch.inputs ? `<div class="empty inputs">${escaped(launch.function)}, inputs: ${escaped(launch.inputs)}</div>` : "";
  const legend = '<div class="empty">In the pictures, filled numbers are lanes that move in this step, framed ones wait.</div>';
  return reasons + cut + summary(runs, pairs) + positions(runs, frame, titles) + operations(runs, pairs) + inputs + legend;
};
const titleOf = (pass) => `${pass}: ${R.passes[pass].name}`;
function summary(runs, pairs) {
  if (!runs[0] || !runs[1]) return "";
  const same = runs[0] === runs[1], differ = pairs.filter((pair) => pair.verdict !== "agree").length, agree = pairs.length - differ;
  const words = !pairs.length ? "No lane waits for others: there is no group operation and no barrier." : differ
    ? `Lanes differ: of the operations that lanes execute together, ${differ} differ and ${agree} agree.`
    : `Lanes agree: ${agree === 1 ? "the operation" : `all ${agree} operations`} that lanes execute together ${agree === 1 ? "has" : "have"} the same lanes and results.`;
  return `<div class="note plain verdict" data-verdict="${differ ? "differ" : "agree"}"><b>${differ ? "≠" : "="}</b> ${words}${same ? " Both states run alike, block by block." : ""}</div>`;
}
function positions(runs, frame, titles) {
  const count = Math.max(...runs.map((run) => (run ? run.lanes : 0)), 0), { places } = player();
  const cell = (side, lane) => {
    const run = runs[side];
    if (!run || lane >= run.lanes) return "<td></td>";
    const block = places[side][frame[side]][lane], moves = movesIn(side).some((move) => move.lanes >> lane & 1);
    if (block === null) return `<td class="ended" title="${escaped(run.ends[lane].text)}">${escaped(short(run.ends[lane].text, 30))}</td>`;
    return `<td class="${moves ? "moves" : ""}">${moves ? "▸ " : "  "}${linked(nameIn(side, block), "span", namesAt(side), 28)}</td>`;
  };
  const rows = [...Array(count).keys()].map((lane) => `<tr><th>${lane}</th>${cell(0, lane)}${cell(1, lane)}</tr>`).join("");
  return `<table class="lanes"><thead><tr><th>lane</th>${titles.map((title) => `<th>${escaped(short(title, 30))}</th>`).join("")}</tr></thead><tbody>${rows}<tr class="masks"><th>masks</th><td>${masks(0)}</td><td>${masks(1)}</td></tr></tbody></table>`;
}
const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
/* The name of a block, with its function if that is another one. */
function nameIn(side, id) {
  for (const f of functionsOf(side ? state.pass : state.beside)) {
    const node = f.nodes.find((one) => blockOf(one).id === id);
    if (node) return (f.name === state.fn ? "" : f.name + " ") + blockOf(node).name;
  }
  return `block ${id}`;
}
const namesAt = (side) => namesOf(side || state.beside < 0 ? state.pass : state.beside);
/* The execution masks of what happens in this step. */
function masks(side) {
  const { runs, frames } = player(), run = runs[side], moves = movesIn(side);
  if (!run) return "";
  if ((frames[state.step] || [])[side] === run.steps.length) return '<div class="soft">ended</div>';
  const words = (move) => `<div>${maskText(move.lanes, run.lanes)} ${linked(nameIn(side, move.block), "span", namesAt(side), 20)}</div>`;
  return moves.length ? moves.map(words).join("") : '<div class="soft">waits</div>';
}
function operations(runs, pairs) {
  if (!runs[0] || !runs[1]) return "";
  const now = [0, 1].map((side) => new Set(movesIn(side).map((move) => move.operation).filter((place) => place !== undefined)));
  const isNow = (pair) => now[0].has(pair.before) && pair.before !== null || now[1].has(pair.after) && pair.after !== null;
  const differ = pairs.filter((pair) => pair.verdict !== "agree"), agree = pairs.filter((pair) => pair.verdict === "agree");
  const list = (title, some) => (some.length ? `<div class="empty">${title}</div>` + some.slice(0, MOST_ROWS).map((pair) => operation(runs, pair, isNow(pair))).join("") + (some.length > MOST_ROWS ? `<div class="empty">${some.length - MOST_ROWS} more</div>` : "") : "");
  return list("In this step", pairs.filter(isNow)) + list("Where the runs differ", differ) + list("Where they agree", agree);
}
function operation(runs, pair, isNow) {
  const both = [pair.before, pair.after].map((place, side) => (place === null ? null : runs[side].operations[place]));
  const one = both[0] || both[1], other = both[1] && both[1].op !== one.op ? ` → ${both[1].op}` : "";
  const text = (operation, side) => (operation ? `<div>${side} ${maskText(operation.lanes, runs[0].lanes)} ${escaped(valuesText(operation))}</div>` : "");
  const lines = pair.verdict === "agree" ? text(one, "both  ") : text(both[0], "before") + text(both[1], "after ");
  const [sign, words] = VERDICTS[pair.verdict], frame = frameOf(pair);
  return `<div class="operation ${pair.verdict}${isNow ? " now" : ""}" data-frame="${frame}"><div><b>${sign} ${words}</b> ${linked(`${one.result} ${one.op}`, "span", namesAt(both[0] ? 0 : 1))}${escaped(other)} <span class="soft">step ${frame}</span></div>${lines}</div>`;
}
function valuesText({ values, lanes }) {
  if (values.length < 2) return values.join("");
  return short(lanesOf(lanes).map((lane, i) => `${lane}: ${values[i]}`).join("  "), 60);
}
/* The first frame in which an operation is executed. */
function frameOf(pair) {
  const { runs, frames } = player(), side = pair.before === null ? 1 : 0;
  const step = runs[side].operations[side ? pair.after : pair.before].step;
  return Math.max(0, frames.findIndex((frame) => frame[side] === step));
}

/* What the controls do. */
function drawPlayer() {
  at("player").hidden = !isPlayer();
  if (!isPlayer()) { pause(); return; }
  const last = Math.max(0, player().frames.length - 1);
  state.step = Math.min(last, Math.max(0, state.step));
  at("step").max = last; at("step").value = state.step;
  at("position").textContent = `step ${state.step} of ${last}`;
}
function stepTo(step) {
  const last = Math.max(0, player().frames.length - 1);
  state.step = Math.min(last, Math.max(0, step));
  if (state.step === last) pause();
  update();
  if (state.beside >= 0) follow(0);
  follow(1);
}
/* A block that lanes move to is visible. */
function follow(side) {
  const { graph, pass } = VIEWS[side], f = current(pass()), z = state.zoom, moved = new Set(movesIn(side).map((move) => move.block));
  const nodes = f ? f.nodes.filter((node) => moved.has(blockOf(node).id)) : [];
  const isSeen = ({ shape: s }) => s.y * z >= graph.scrollTop && (s.y + Math.min(s.h, 60)) * z <= graph.scrollTop + graph.clientHeight && (s.x + s.w) * z >= graph.scrollLeft && s.x * z <= graph.scrollLeft + graph.clientWidth;
  if (!nodes.length || nodes.some(isSeen)) return;
  graph.scrollTo({ left: Math.max(0, nodes[0].shape.x * z - 40), top: Math.max(0, nodes[0].shape.y * z - graph.clientHeight / 3) });
  drawView(side);
}
function pause() { clearInterval(timer); timer = 0; at("play").textContent = "▶ play"; }
function play() {
  if (timer) { pause(); return; }
  if (state.step >= player().frames.length - 1) state.step = 0;
  timer = setInterval(() => stepTo(state.step + 1), EVERY);
  at("play").textContent = "❚❚ pause";
}
const PLAYER_KEYS = { ".": () => stepTo(state.step + 1), ",": () => stepTo(state.step - 1), " ": play, Home: () => stepTo(0), End: () => stepTo(Infinity) };
at("first").addEventListener("click", PLAYER_KEYS.Home);
at("backward").addEventListener("click", PLAYER_KEYS[","]);
at("play").addEventListener("click", play);
at("forward").addEventListener("click", PLAYER_KEYS["."]);
at("last").addEventListener("click", PLAYER_KEYS.End);
at("step").addEventListener("input", (e) => stepTo(Number(e.target.value)));
