"use strict";
/* Names in the text form: what is shown instead of a number, links, the card with the definition and the uses, and the search. */
const NAME = /"(?:[^"\\]|\\.)*"|[%^][A-Za-z0-9_.$@]+/g;
const MOST_USES = 8, MOST_HITS = 40;

/* By pass: the texts of numbers. A pass holds what is not the same as before it. */
const known = [];
function namesOf(pass) {
  for (let next = known.length; next <= pass; next += 1) {
    const before = next ? known[next - 1] : new Map(), changes = Object.entries(R.passes[next].names || {});
    const now = changes.length ? new Map(before) : before;
    for (const [number, text] of changes) if (text) now.set(number, text); else now.delete(number);
    known.push(now);
  }
  return known[pass];
}
const shownName = (name, names = namesOf(state.pass)) => names.get(name.slice(1)) || name;
/* A name of any pass; of a function that passes remove, what it had. */
function titleOfName(name) {
  const pass = [...R.passes.keys()].find((one) => namesOf(one).has(name.slice(1)));
  return pass === undefined ? name : shownName(name, namesOf(pass));
}

/* A text as its parts. What is in quotes has no names; where a type or a constant is defined, it keeps its number. */
function partsOf(text, names) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(NAME)) {
    if (found[0][0] === '"') continue;
    const shown = names ? shownName(found[0], names) : found[0], isDefinition = !found.index && !/^[%^]/.test(shown);
    parts.push({ shown: text.slice(last, found.index) }, { shown: isDefinition ? found[0] : shown, name: found[0] });
    last = found.index + found[0].length;
  }
  return parts.concat({ shown: text.slice(last) });
}
const shownText = (text, names) => partsOf(text, names).map((part) => part.shown).join("");
const namesIn = (text) => partsOf(text).filter((part) => part.name).map((part) => part.name);
/* Names of values and blocks are links. */
function linked(text, tag, names, most = Infinity) {
  const parts = partsOf(text, names), isCut = parts.reduce((sum, part) => sum + part.shown.length, 0) > most;
  let room = isCut ? most - 1 : Infinity, result = "";
  for (const { shown, name } of parts) {
    const inside = room > 0 ? escaped(shown.slice(0, room)) : "";
    const lit = name && (name === state.value || name === chosen) ? " lit" : "";
    result += name && inside ? `<${tag} class="v${lit}" data-name="${escaped(name)}">${inside}</${tag}>` : inside;
    room -= shown.length;
  }
  return result + (isCut ? "…" : "");
}

/* The lines of a pass: of the module level, the heads of other functions, and those of the function. */
function linesAt(pass) {
  const f = current(pass), others = functionsOf(pass).filter((other) => other !== f).map((other) => other.head);
  const globals = R.globals[R.passes[pass].globals].concat(others).map((line) => ({ text: R.lines[line], where: "" }));
  if (!f) return globals;
  const blocks = f.nodes.map(blockOf).flatMap((block) => block.lines.map((line) => ({ text: R.lines[line], where: block.name })));
  return globals.concat({ text: R.lines[f.head], where: f.name }, blocks);
}
/* Whether a line defines a name: as its result, as the block or the function that it begins, or as a parameter of these. */
function defines(text, name) {
  if (text.startsWith(name + ":") || text.startsWith(name + " =")) return true;
  const head = /^(?:func|block|edge|generic|interface) ([%^][A-Za-z0-9_.$@]+)/.exec(text);
  return !!head && (head[1] === name || text.includes(`(${name}: `) || text.includes(`, ${name}: `));
}
function usesOf(name, pass) {
  const about = linesAt(pass).filter(({ text }) => text.includes(name) && namesIn(text).includes(name));
  return { definition: about.find(({ text }) => defines(text, name)), uses: about.filter(({ text }) => !defines(text, name)) };
}
/* The card. */
function cardOf(name, pass) {
  const names = namesOf(pass), { definition, uses } = usesOf(name, pass), shown = shownName(name, names);
  const line = ({ text, where }) => `<div class="line"><span class="where">${escaped(shownName(where, names))}</span> ${linked(text, "span", names, 110)}</div>`;
  const rest = uses.length > MOST_USES ? `<div class="where">${uses.length - MOST_USES} more</div>` : "";
  return `<div><b>${escaped(shown)}</b>${shown === name ? "" : ` <span class="where">${escaped(name)}</span>`}</div>`
    + (definition ? `<div class="line">${linked(definition.text, "span", names, 160)}</div>` : "")
    + `<div class="where">${uses.length === 1 ? "1 use" : `${uses.length} uses`} here</div>` + uses.slice(0, MOST_USES).map(line).join("") + rest;
}
function showCard(target, x, y) {
  const card = at("card"), inText = target.closest("#pane") && ["source", "output"].includes(state.tab);
  if (inText || card.contains(target)) { card.hidden = true; return; }
  card.innerHTML = cardOf(target.dataset.name, target.closest("#left") ? state.beside : state.pass);
  card.hidden = false;
  const { width, height } = card.getBoundingClientRect();
  card.style.left = Math.max(4, Math.min(x + 14, innerWidth - width - 8)) + "px";
  card.style.top = (y + 18 + height > innerHeight ? Math.max(4, y - height - 10) : y + 18) + "px";
}
addEventListener("mouseover", (e) => {
  const target = R && e.target.closest && e.target.closest(".v[data-name]");
  if (target) showCard(target, e.clientX, e.clientY); else at("card").hidden = true;
});
addEventListener("mousedown", () => { at("card").hidden = true; });

/* The search: passes, also folded ones, by their names and by what they leave; functions, blocks and values of this pass. */
function matches(pass, index, words) {
  if (pass.name.toLowerCase().includes(words)) return true;
  const f = current(index), names = namesOf(index), has = (line) => shownText(R.lines[line], names).toLowerCase().includes(words) || R.lines[line].toLowerCase().includes(words);
  return !!f && /[%^]/.test(words) && f.nodes.some((node) => blockOf(node).lines.some(has));
}
const passHits = (words) => [...R.passes.keys()].filter((index) => matches(R.passes[index], index, words));
function nameHits(words) {
  const names = namesOf(state.pass), bare = words.replace(/^[%^]/, ""), hits = new Set();
  if (!bare) return [];
  const has = (name) => [name, shownName(name, names)].some((one) => one.toLowerCase().slice(1).startsWith(bare) && (bare === words || one[0] === words[0]));
  for (const f of functionsOf(state.pass)) if (has(f.name)) hits.add(f.name);
  for (const { text } of linesAt(state.pass)) for (const name of namesIn(text)) if (has(name) && /^[%^]/.test(shownName(name, names))) hits.add(name);
  return [...hits];
}
/* What the search found: one that is exactly what was asked for is alone. */
function hitsOf(words) {
  const all = nameHits(words), exact = all.filter((name) => [name, shownName(name)].some((one) => [one, one.slice(1)].includes(words)));
  const passes = passHits(words), named = passes.filter((index) => R.passes[index].name === words);
  if (named.length === 1) return { passes: named, names: [] };
  return exact.length === 1 ? { passes: [], names: exact } : { passes, names: all };
}
function openHit(words) {
  const { passes, names } = hitsOf(words);
  if (names.length === 1) openName(names[0]);
  else if (!names.length && passes.length === 1) staying(() => { state.pass = passes[0]; });
}
function openName(name) {
  if (functionsOf(state.pass).some((f) => f.name === name)) { state.fn = name; state.block = null; update(); } else selectName(name, true);
}
function hitRows(words) {
  const names = words ? nameHits(words) : [];
  const rows = names.slice(0, MOST_HITS).map((name) => `<li><button data-hit="${escaped(name)}"><span class="name">${escaped(shownName(name))}</span></button></li>`).join("");
  return (names.length ? '<li class="folded">in this pass</li>' : "") + rows + (names.length > MOST_HITS ? `<li class="folded">${names.length - MOST_HITS} more</li>` : "");
}
at("search").addEventListener("keydown", (e) => { if (e.key === "Enter") openHit(e.target.value.trim().toLowerCase()); });
