//! What the verifier accepts has a tree, as it is: random changes of functions without values, of which those stay that are still accepted.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_control_tree::{ConstructKind, ControlTree, TreeFault, pad};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Position, Stage, text};
use reconverge_testing::is_deep;
use reconverge_testing::random::Random;
use reconverge_verify::verify;

use super::judge::{check_tree, has_join};

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
                pending.extend(self.module.successors(block).chain(named(&self.module, block)));
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

/// Checks that a function has a tree, as it is and once it is padded, and that the tree has a scope exactly where ways join. Whether they do.
fn check_trees(before: &Module, function: Function) -> Result<bool, String> {
    let tree = ControlTree::compute(before, function).map_err(|error| fault_name(error.fault))?;
    if !tree.needs_pad() {
        check_tree(before, function, &tree)?;
    }
    let mut module = before.clone();
    pad(&mut module, function).map_err(|error| format!("pad: {}", fault_name(error.fault)))?;
    let findings = verify(&module);
    findings.first().map_or(Ok(()), |finding| Err(format!("padded: {finding}")))?;
    let tree = ControlTree::compute(&module, function).map_err(|error| format!("padded: {}", error.fault))?;
    if tree.needs_pad() {
        return Err("padding leaves something to pad".to_owned());
    }
    check_tree(&module, function, &tree)?;
    let has_scope = tree.constructs().any(|construct| construct.kind == ConstructKind::Scope);
    if has_scope != has_join(&module, function) {
        return Err(format!("it has a scope: {has_scope}"));
    }
    if pad(&mut module, function).unwrap() { Err("padding twice".to_owned()) } else { Ok(has_scope) }
}

fn fault_name(fault: TreeFault) -> String {
    match fault {
        TreeFault::Taken(_) => "taken".to_owned(),
        TreeFault::Jump(_) => "jump".to_owned(),
        _ => fault.to_string(),
    }
}

/// The merge block and the continue target that a block names.
fn named(module: &Module, block: Block) -> Vec<Block> {
    let last = module.terminator(block).unwrap();
    module.merge_block(last).into_iter().chain(module.continue_block(last)).collect()
}

/// What came of one walk: functions that were accepted, those of them whose ways join, and what does not hold with its size and text.
type Outcome = (usize, usize, Vec<(String, usize, String)>);

fn walk(seed: u64) -> Outcome {
    let mut walk = Walk::new(seed);
    let mut outcome: Outcome = (0, 0, Vec::new());
    for _ in 0..500 {
        if !walk.step() {
            continue;
        }
        outcome.0 += 1;
        let held = check_trees(&walk.module, walk.function);
        outcome.1 += usize::from(held == Ok(true));
        if let Err(message) = held {
            outcome.2.push((message, walk.blocks().len(), text::print(&walk.module)));
            // Small changes would seldom mend it.
            walk.module = walk.before.clone();
        }
    }
    outcome
}

/// 60 walks; with `RECONVERGE_DEEP=1` 1,000.
#[test]
fn what_the_verifier_accepts_has_a_tree() {
    let (mut accepted, mut joins) = (0, 0);
    // By message the smallest function.
    let mut complaints = BTreeMap::<String, (usize, String)>::new();
    for seed in 0..if is_deep() { 1_000 } else { 60 } {
        let outcome = walk(seed);
        (accepted, joins) = (accepted + outcome.0, joins + outcome.1);
        for (message, size, text) in outcome.2 {
            let found = complaints.entry(message).or_insert((usize::MAX, String::new()));
            if size < found.0 {
                *found = (size, text);
            }
        }
    }
    println!("accepted: {accepted}, joins: {joins}");
    assert!(accepted > 3_000 && joins > 300, "{accepted}, {joins}");
    let complaints: Vec<String> =
        complaints.into_iter().map(|(message, (_, text))| format!("{message}\n{text}")).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}
