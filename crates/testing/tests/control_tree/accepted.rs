//! What the verifier accepts has a tree: random changes of functions without values, of which those stay that are still accepted.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_ir::control_tree::{ControlTree, TreeFault, pad};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Position, Stage, text};
use reconverge_testing::random::Random;
use reconverge_verify::verify;

use crate::judge::hold_tree;

const START: &str = "
capability Shader
capability Linkage
memory_model Logical, GLSL450
%u32 = type_int 32, 0
%bool = type_bool
%void = type_void
%fn = type_function %void, %u32, %bool
%one: %u32 = constant 1
func %f: %void (%n: %u32, %c: %bool) type %fn control 0 stage structured {
block ^entry:
  return
}
";

/// Blocks that a function may grow to.
const CAPACITY: usize = 26;

/// A function without values under random changes.
struct Walk {
    module: Module,
    function: Function,
    selector: Inst,
    condition: Inst,
    random: Random,
    /// Before the last change.
    before: Module,
}

impl Walk {
    fn new(seed: u64) -> Walk {
        let module = text::parse(START).unwrap();
        let function = module.functions().find(|&function| module.stage(function) == Stage::Structured).unwrap();
        let parameters: Vec<Inst> = module.children(function).take(2).collect();
        let before = module.clone();
        Walk { before, module, function, selector: parameters[0], condition: parameters[1], random: Random::new(seed) }
    }

    /// Changes the function if the verifier accepts what comes out; whether it did.
    fn step(&mut self) -> bool {
        self.before = self.module.clone();
        for _ in 0..self.random.between(1, 3) {
            self.change();
        }
        self.delete_unreachable();
        self.split_critical_edges();
        let is_accepted = verify(&self.module).is_empty();
        if !is_accepted {
            self.module = self.before.clone();
        }
        is_accepted
    }

    fn blocks(&self) -> Vec<Block> {
        self.module.blocks(self.function).collect()
    }

    fn any_block(&mut self) -> Block {
        *self.random.choose(&self.blocks())
    }

    fn change(&mut self) {
        let block = self.any_block();
        let kinds = if self.blocks().len() < CAPACITY { 9 } else { 5 };
        match self.random.below(kinds) {
            0 | 1 => self.retarget(block),
            2 => self.rename_part(block),
            3 | 4 => self.replace(block),
            5 => self.put_between(block),
            6 => self.grow(block, Op::If),
            7 => self.grow(block, Op::StructuredSwitch),
            _ => self.grow(block, Op::Loop),
        }
    }

    /// Leads an edge elsewhere.
    fn retarget(&mut self, block: Block) {
        let edges: Vec<Edge> = self.module.out_edges(block).collect();
        if edges.is_empty() {
            return;
        }
        let (edge, target) = (*self.random.choose(&edges), self.any_block());
        self.module.edit().set_operand(edge.terminator, edge.operand, target);
    }

    /// Gives a construct another merge or continue block.
    fn rename_part(&mut self, block: Block) {
        let Some(last) = self.module.terminator(block) else { return };
        let part = match self.module.op(last) {
            Op::If => operand::IF_MERGE,
            Op::StructuredSwitch => operand::SWITCH_MERGE,
            Op::Loop => *self.random.choose(&[operand::BREAK, operand::CONTINUE]),
            _ => return,
        };
        let named = self.any_block();
        self.module.edit().set_operand(last, part, named);
    }

    /// Ends a block otherwise.
    fn replace(&mut self, block: Block) {
        let [a, b, c] = [(); 3].map(|()| self.any_block());
        match self.random.below(5) {
            0 => self.end(block, Op::Branch, &[a.into()]),
            1 => self.end(block, Op::BranchIf, &[self.condition, a.into(), b.into()]),
            2 => self.open(block, Op::If, [a, b, c]),
            3 => self.open(block, Op::StructuredSwitch, [a, b, c]),
            _ => self.end(block, Op::Return, &[]),
        }
    }

    fn end(&mut self, block: Block, op: Op, operands: &[Inst]) {
        self.module.edit().replace_terminator(block, op, operands);
    }

    /// Ends a block by what opens a construct with two blocks in it and a merge block.
    fn open(&mut self, block: Block, op: Op, [first, second, merge]: [Block; 3]) {
        let control = self.module.edit().word(0);
        let [first, second, merge]: [Inst; 3] = [first, second, merge].map(Inst::from);
        let operands = match op {
            Op::If => vec![self.condition, first, second, merge, control],
            Op::Loop => vec![first, merge, second, control],
            _ => {
                let literal = self.module.edit().word(1);
                vec![self.selector, first, merge, control, literal, second]
            }
        };
        self.end(block, op, &operands);
    }

    /// Puts a block onto an edge.
    fn put_between(&mut self, block: Block) {
        let edges: Vec<Edge> = self.module.out_edges(block).collect();
        if edges.is_empty() {
            return;
        }
        let edge = *self.random.choose(&edges);
        let target: Inst = self.module.target(edge).unwrap().into();
        let between = self.add_block(block);
        self.end(between, Op::Branch, &[target]);
        self.module.edit().set_operand(edge.terminator, edge.operand, between);
    }

    fn add_block(&mut self, behind: Block) -> Block {
        let block = self.module.edit().insert(Position::After(behind.into()), Op::Block, None, &[]);
        self.module.cast(block).unwrap()
    }

    /// Opens a new construct at the end of a block, before what ended it.
    fn grow(&mut self, block: Block, op: Op) {
        let Some(last) = self.module.terminator(block) else { return };
        let merge = self.add_block(block);
        self.module.edit().move_to(last, Position::AtEnd(merge.into()));
        let second = self.add_block(block);
        let first = self.add_block(block);
        let next = if op == Op::Loop { [second, first] } else { [merge, merge] };
        self.end(first, Op::Branch, &[next[0].into()]);
        self.end(second, Op::Branch, &[next[1].into()]);
        self.open(block, op, [first, second, merge]);
    }

    /// Deletes blocks that are not reached over branches and the blocks that headers name.
    fn delete_unreachable(&mut self) {
        let mut pending = vec![self.module.entry(self.function).unwrap()];
        let mut reached = BTreeSet::new();
        while let Some(block) = pending.pop() {
            if reached.insert(block) {
                let last = self.module.terminator(block).unwrap();
                pending.extend(self.module.successors(block));
                pending.extend(self.module.merge_block(last).into_iter().chain(self.module.continue_block(last)));
            }
        }
        for block in self.blocks().into_iter().filter(|block| !reached.contains(block)) {
            self.module.edit().delete(block);
        }
    }

    fn split_critical_edges(&mut self) {
        for block in self.blocks() {
            let edges: Vec<Edge> = self.module.out_edges(block).collect();
            for &edge in edges.iter().filter(|_| edges.len() > 1) {
                let target = self.module.target(edge).unwrap();
                if self.module.in_edges(target).nth(1).is_some() {
                    self.module.edit().split_edge(edge);
                }
            }
        }
    }
}

fn fault_name(fault: TreeFault) -> String {
    match fault {
        TreeFault::Taken(_) => "taken".to_owned(),
        TreeFault::Jump(_) => "jump".to_owned(),
        _ => fault.to_string(),
    }
}

/// Holds that a function has a tree once it is padded.
fn hold_padded(before: &Module, function: Function) -> Result<(), String> {
    let mut module = before.clone();
    pad(&mut module, function).map_err(|error| fault_name(error.fault))?;
    let findings = verify(&module);
    findings.first().map_or(Ok(()), |finding| Err(format!("padded: {finding}")))?;
    let tree = ControlTree::compute(&module, function).map_err(|error| format!("padded: {}", error.fault))?;
    hold_tree(&module, function, &tree)?;
    if pad(&mut module, function).unwrap() { Err("padding twice".to_owned()) } else { Ok(()) }
}

/// What a block reaches by branches without entering `end`, itself included.
fn reached(module: &Module, from: Block, end: &[Block]) -> BTreeSet<Block> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        if !end.contains(&block) && reached.insert(block) {
            pending.extend(module.successors(block));
        }
    }
    reached
}

/// Whether the two ways of an `if` come together before its merge block, and before any construct around it ends or goes on: the one
/// shape that is no tree. By its definition, over all paths.
fn has_join(module: &Module, function: Function) -> bool {
    let blocks = || module.blocks(function);
    let named = |block: Block| {
        let last = module.terminator(block).unwrap();
        module.merge_block(last).into_iter().chain(module.continue_block(last)).collect::<Vec<Block>>()
    };
    let mut openers = blocks().filter(|&block| module.op(module.terminator(block).unwrap()) == Op::If);
    openers.any(|opener| {
        // What is named further out, and not by constructs inside, ends the ways.
        let outer: Vec<Block> = blocks()
            .filter(|&other| other == opener || !reached(module, opener, &named(opener)).contains(&other))
            .flat_map(named)
            .collect();
        let around: Vec<Block> = blocks()
            .filter(|&other| other != opener && reached(module, other, &named(other)[..named(other).len().min(1)]).contains(&opener))
            .flat_map(named)
            .collect();
        let end: Vec<Block> = outer.into_iter().chain(around).collect();
        let ways: Vec<BTreeSet<Block>> = module.successors(opener).map(|way| reached(module, way, &end)).collect();
        ways[0].intersection(&ways[1]).any(|&both| module.op(both) == Op::Block || !module.is_bare_edge(both))
    })
}

#[test]
fn what_the_verifier_accepts_has_a_tree() {
    let mut counts = [0; 3];
    let mut complaints = BTreeMap::<String, (usize, usize, String)>::new();
    for seed in 0..std::env::var("WALKS").map_or(60, |count| count.parse().unwrap()) {
        let mut walk = Walk::new(seed);
        for _ in 0..400 {
            if !walk.step() {
                continue;
            }
            counts[0] += 1;
            let is_join = has_join(&walk.module, walk.function);
            match hold_padded(&walk.module, walk.function) {
                Err(_) if is_join => {
                    // It would never be lost by changes.
                    counts[1] += 1;
                    walk.module = walk.before.clone();
                }
                Err(message) => {
                    let size = walk.blocks().len();
                    let found = complaints.entry(message).or_insert((0, usize::MAX, String::new()));
                    found.0 += 1;
                    if size < found.1 {
                        (found.1, found.2) = (size, text::print(&walk.module));
                    }
                    walk.module = walk.before.clone();
                }
                Ok(()) => counts[2] += usize::from(is_join),
            }
        }
    }
    println!("accepted, joins, trees that look like joins: {counts:?}");
    for (message, (count, _, text)) in &complaints {
        println!("{count} times {message}\n{}", text.split_once("func").unwrap().1);
    }
    assert!(complaints.is_empty());
}
