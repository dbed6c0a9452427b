//! Live values of random functions, against the definition: a value is live where control can go from to a use without passing its
//! definition.

use std::fmt::Write;

use crate::common::dominance::dominance;
use crate::common::{Random, random_graph};
use reconverge_analysis::FlowGraph;
use reconverge_analysis::liveness::{Liveness, Pressure};
use reconverge_graph::Node;
use reconverge_ir::{Block, Inst, Module, Op, text};

/// A function whose instructions use what dominates them; the results with a `u` are uniform.
fn program(random: &mut Random) -> (String, Vec<Vec<usize>>) {
    let len = 1 + random.below(9);
    let graph = random_graph(random, len);
    let dominates = dominance(&graph);
    let counts: Vec<usize> = (0..graph.len()).map(|_| random.below(5)).collect();
    let name =
        |block: usize, place: usize| format!("%{}{block}_{place}", if place.is_multiple_of(2) { "u" } else { "v" });
    let mut text = String::from("%void = type_void\n%bool = type_bool\n%u32 = type_int 32, 0\n");
    text.push_str("func %f: %void (%n: %u32, %m: %u32, %p: %bool) stage graph {\n");
    for block in 0..graph.len() {
        let is_join = block > 0 && (0..graph.len()).all(|from| !graph[from].contains(&block) || graph[from].len() == 1);
        let parameters = if is_join { format!("(%a{block}: %u32, %b{block}: %u32)") } else { String::new() };
        let _ = writeln!(text, "block ^b{block}{parameters}:");
        let value = |random: &mut Random, upto: usize| {
            let mut known: Vec<String> = ["%n", "%m"].map(String::from).to_vec();
            for above in (0..graph.len()).filter(|&above| dominates[above][block]) {
                let count = if above == block { upto } else { counts[above] };
                known.extend((0..count).map(|place| name(above, place)));
            }
            known[random.below(known.len())].clone()
        };
        for place in 0..counts[block] {
            let (left, right) = (value(random, place), value(random, place));
            let _ = writeln!(text, "  {}: %u32 = i_add {left}, {right}", name(block, place));
        }
        let takes =
            |to: usize| to > 0 && (0..graph.len()).all(|from| !graph[from].contains(&to) || graph[from].len() == 1);
        let _ = match graph[block].as_slice() {
            [] => writeln!(text, "  return"),
            [to] if takes(*to) => {
                let (left, right) = (value(random, counts[block]), value(random, counts[block]));
                writeln!(text, "  branch ^b{to}({left}, {right})")
            }
            [to] => writeln!(text, "  branch ^b{to}"),
            [yes, no] => writeln!(text, "  branch_if %p ^b{yes} ^b{no}"),
            [first, rest @ ..] => {
                let cases: String = rest.iter().enumerate().map(|(case, to)| format!(" [{case} ^b{to}]")).collect();
                writeln!(text, "  switch {} default ^b{first}{cases}", value(random, counts[block]))
            }
        };
    }
    text.push_str("}\n");
    (text, graph)
}

/// Whether a value is live at a place: before instruction `place` of a block, by walking forward.
fn is_live(module: &Module, blocks: &[Block], value: Inst, at: (usize, usize)) -> bool {
    let lists: Vec<Vec<Inst>> = blocks.iter().map(|&block| module.children(block).collect()).collect();
    let mut seen = vec![false; blocks.len()];
    let mut pending = vec![at];
    while let Some((block, place)) = pending.pop() {
        let mut is_through = true;
        for &inst in &lists[block][place..] {
            if module.operands(inst).any(|operand| operand == value) {
                return true;
            }
            if inst == value {
                is_through = false;
                break;
            }
        }
        let last = module.terminator(blocks[block]).filter(|_| is_through);
        for to in last.into_iter().flat_map(|_| module.successors(blocks[block])) {
            let to = blocks.iter().position(|&other| other == to).expect("a block");
            if !std::mem::replace(&mut seen[to], true) {
                pending.push((to, 0));
            }
        }
    }
    false
}

fn pressure(module: &Module, values: impl Iterator<Item = Inst>) -> Pressure {
    let mut pressure = Pressure::default();
    for value in values {
        let is_uniform = module.name(value).is_some_and(|name| name.starts_with('u'));
        *if is_uniform { &mut pressure.uniform } else { &mut pressure.vector } += 1;
    }
    pressure
}

#[test]
fn values_are_live_where_a_use_can_be_reached() {
    for seed in 0..1500 {
        let (source, graph) = program(&mut Random::new(seed));
        let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let function = module.functions().next().expect("a function");
        let flow = FlowGraph::compute(&module, function);
        let (_, dominators) = flow.dominators();
        let is_uniform = |inst: Inst| module.name(inst).is_some_and(|name| name.starts_with('u'));
        let liveness = Liveness::compute(&module, &flow, &dominators, is_uniform);
        assert!(liveness.is_exact());
        let blocks: Vec<Block> = module.blocks(function).collect();
        let all = || {
            module.descendants(function).filter(|&inst| module.ty(inst).is_some_and(|ty| module.op(ty) != Op::TypeVoid))
        };
        let all: Vec<Inst> = all().filter(|&inst| module.op(inst) != Op::Function).collect();
        for block in (0..graph.len()).filter(|&block| dominators.is_reachable(Node::new(block))) {
            let node = Node::new(block);
            let live = |place: usize| {
                let live: Vec<Inst> =
                    all.iter().copied().filter(|&value| is_live(&module, &blocks, value, (block, place))).collect();
                live
            };
            let own: Vec<Inst> = module.parameters(blocks[block]).map(|parameter| parameter.inst()).collect();
            let children: Vec<Inst> = module.children(blocks[block]).collect();
            let mut live_in: Vec<Inst> = live(own.len()).into_iter().filter(|value| !own.contains(value)).collect();
            if block == 0 {
                live_in.clear();
            }
            let mut found = liveness.live_in(node).to_vec();
            found.sort();
            live_in.sort();
            assert_eq!(found, live_in, "seed {seed}: into b{block}\n{source}");
            assert_eq!(
                liveness.pressure_at_start(node),
                pressure(&module, live_in.iter().copied()),
                "seed {seed}: b{block}"
            );
            let live_out: Vec<Inst> = all
                .iter()
                .copied()
                .filter(|&value| {
                    graph[block].iter().any(|&to| {
                        is_live(&module, &blocks, value, (to, 0))
                            && !module.parameters(blocks[to]).any(|own| own.inst() == value)
                    })
                })
                .collect();
            assert_eq!(
                liveness.pressure_at_end(node),
                pressure(&module, live_out.iter().copied()),
                "seed {seed}: end of b{block}"
            );
            let mut highest = Pressure::default();
            for place in own.len()..=children.len() {
                let mut now = if place == children.len() { live_out.clone() } else { live(place) };
                let above = if place == own.len() { own.clone() } else { vec![children[place - 1]] };
                now.extend(above.into_iter().filter(|&inst| all.contains(&inst)));
                now.sort();
                now.dedup();
                let now = pressure(&module, now.into_iter());
                highest.uniform = highest.uniform.max(now.uniform);
                highest.vector = highest.vector.max(now.vector);
            }
            assert_eq!(liveness.highest_pressure(node), highest, "seed {seed}: in b{block}\n{source}");
        }
    }
}
