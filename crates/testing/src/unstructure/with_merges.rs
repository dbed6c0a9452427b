//! Transforms the graph of a function as optimizers do, and keeps its merges and the behaviour of lanes.
//!
//! Merges stay in the terminators at stage Graph, and are updated: if an empty merge block is removed, its header names the block after it.
//! So the result may not be structured any more: two headers with one merge block, edges that leave several constructs at once, loops
//! without a continue target.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Builder, Edge, Function, Inst, Module, Op, Position, Slot, Terminator};

use super::surgery::join_blocks;
use crate::block_order::shuffle_blocks;
use crate::random::Random;

/// A way to transform a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergeKeeper {
    /// Blocks get another order.
    Shuffle,
    /// Empty blocks are removed, and their incoming edges redirected: breaks of inner loops to the merges of outer constructs, all ends of
    /// an iteration to its header.
    Thread,
    /// Jumps become branches whose other edge is never taken and leads to `unreachable`; some of these blocks are shared.
    RuleOut,
    /// A block is split.
    Split,
    /// A block with one predecessor, which jumps to it, and that no merge names, is merged with the predecessor.
    Merge,
    /// Equal blocks without convergent code that are not merges are merged: returns, breaks.
    Unite,
}

impl MergeKeeper {
    /// All of them, twice.
    pub const SEQUENCE: &[MergeKeeper] = &[
        MergeKeeper::Split,
        MergeKeeper::RuleOut,
        MergeKeeper::Thread,
        MergeKeeper::Unite,
        MergeKeeper::Merge,
        MergeKeeper::Thread,
        MergeKeeper::Unite,
        MergeKeeper::Shuffle,
    ];

    /// The number of changes.
    pub fn run(self, module: &mut Module, function: Function, random: &mut Random) -> usize {
        let blocks: Vec<Block> = module.blocks(function).filter(|&block| module.op(block) == Op::Block).collect();
        match self {
            MergeKeeper::Shuffle => {
                shuffle_blocks(module, function, random);
                1
            }
            MergeKeeper::Thread => {
                blocks.into_iter().skip(1).filter(|&block| random.chance(70) && thread(module, block)).count()
            }
            MergeKeeper::RuleOut => rule_out(module, function, &blocks, random),
            MergeKeeper::Split => {
                blocks.into_iter().filter(|_| random.chance(30)).filter(|&b| split(module, b)).count()
            }
            MergeKeeper::Merge => {
                blocks.into_iter().skip(1).filter(|&block| random.chance(70) && merge(module, block)).count()
            }
            MergeKeeper::Unite => unite(module, &blocks[1..]),
        }
    }
}

/// ```text
/// a ─▶ b(%v)      ⇒      a: branch_if false ^d ^e      e ─▶ b(%v)      d: unreachable
/// ```
fn rule_out(module: &mut Module, function: Function, blocks: &[Block], random: &mut Random) -> usize {
    let is_jump = |&block: &Block| module.terminator(block).is_some_and(|last| module.op(last) == Op::Branch);
    let jumping: Vec<Block> = blocks.iter().copied().filter(is_jump).filter(|_| random.chance(15)).collect();
    let mut dead: Vec<Block> = Vec::new();
    for &block in &jumping {
        let other = match dead.last() {
            Some(&shared) if random.chance(40) => shared,
            _ => {
                let mut build = Builder::new(module);
                let made = build.add_block(function);
                build.at_end(made);
                build.unreachable(&[]);
                dead.push(made);
                made
            }
        };
        let jump = module.terminator(block).expect("it was looked at");
        let operands: Vec<Inst> = module.operands(jump).collect();
        let mut build = Builder::new(module);
        build.before(jump);
        let bool_type = build.bool_type();
        let never = build.editor().unique(Op::ConstantFalse, Some(bool_type), &[]);
        let editor = build.editor();
        // Each edge has its own block, in case that others lead to the same target.
        let ways = [vec![other.inst()], operands].map(|operands| {
            let edge = editor.insert(Position::After(block.into()), Op::EdgeBlock, None, &[]);
            editor.append(edge, Op::Branch, None, &operands);
            edge
        });
        build.branch_if(&[never, ways[0], ways[1]]);
        build.editor().delete(jump);
    }
    jumping.len()
}

/// All instructions of a block except its parameters and its terminator.
fn body(module: &Module, block: Block) -> Vec<Inst> {
    let terminator = module.terminator(block).map(Inst::from);
    let is_body = |inst: &Inst| module.op(*inst) != Op::BlockParameter && Some(*inst) != terminator;
    module.children(block).filter(is_body).collect()
}

fn edges(module: &Module, block: Block) -> Vec<Edge> {
    module.in_edges(block).collect()
}

/// Returns whether a merge, or something else that is not an edge, names the block.
fn is_named(module: &Module, block: Block) -> bool {
    module.uses(block).any(|used| {
        let edge = module.cast::<Terminator>(used.user).zip(match used.slot {
            Slot::Operand(index) => Some(index),
            _ => None,
        });
        !edge.is_some_and(|(terminator, index)| reconverge_ir::terminator::is_successor(module.op(terminator), index))
    })
}

/// Redirects an edge to `target` with these arguments.
fn lead(module: &mut Module, edge: Edge, target: Inst, arguments: &[Inst]) {
    let operands: Vec<Inst> = std::iter::once(target).chain(arguments.iter().copied()).collect();
    if module.op(edge.terminator) == Op::Branch {
        module.edit().set_operands(edge.terminator, &operands);
        return;
    }
    let source = module.parent(edge.terminator).expect("it stands in a block");
    let mut editor = module.edit();
    let block = editor.insert(Position::After(source), Op::EdgeBlock, None, &[]);
    editor.append(block, Op::Branch, None, &operands);
    editor.set_operand(edge.terminator, edge.operand, block);
}

fn thread(module: &mut Module, block: Block) -> bool {
    let jump = module.terminator(block).filter(|&jump| module.op(jump) == Op::Branch);
    let Some(jump) = jump else { return false };
    let target = module.operand(jump, operand::TARGET);
    let passed_on = |parameter: Inst| module.uses(parameter).all(|used| used.user == jump.into());
    let entering = edges(module, block);
    let is_header = entering.iter().any(|edge| module.op(edge.terminator) == Op::Loop);
    let fits = body(module, block).is_empty()
        && target != block.into()
        && !is_header
        && module.parameters(block).all(|parameter| passed_on(parameter.into()));
    if !fits || entering.is_empty() {
        return false;
    }
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    let passed: Vec<Inst> = module.arguments(jump).collect();
    for edge in entering {
        let given: Vec<Inst> = module.arguments(edge.terminator).collect();
        let resolve = |value: &Inst| {
            let place = parameters.iter().position(|parameter| parameter == value);
            place.map_or(*value, |place| given[place])
        };
        let arguments: Vec<Inst> = passed.iter().map(resolve).collect();
        lead(module, edge, target, &arguments);
    }
    module.edit().replace_all_uses(block, target);
    delete(module, block);
    true
}

/// Deletes a block without uses, and its contents.
fn delete(module: &mut Module, block: Block) {
    let inside: Vec<Inst> = module.children(block).collect();
    for inst in inside.into_iter().rev() {
        module.edit().delete(inst);
    }
    module.edit().delete(block);
}

fn split(module: &mut Module, block: Block) -> bool {
    let body = body(module, block);
    let first = body.iter().rposition(|&inst| module.op(inst) == Op::Variable).map_or(0, |last| last + 1);
    if body.len() < first + 2 {
        return false;
    }
    let moved: Vec<Inst> = body[(first + body.len()) / 2..].to_vec();
    let terminator = module.terminator(block).expect("a block ends");
    let mut editor = module.edit();
    let second = editor.insert(Position::After(block.into()), Op::Block, None, &[]);
    for inst in moved.into_iter().chain([terminator.into()]) {
        editor.move_to(inst, Position::AtEnd(second));
    }
    editor.append(block, Op::Branch, None, &[second]);
    true
}

fn merge(module: &mut Module, block: Block) -> bool {
    let [edge] = edges(module, block)[..] else { return false };
    let before = module.block_of(edge.terminator).expect("it stands in a block");
    let fits = module.op(edge.terminator) == Op::Branch
        && module.op(before) == Op::Block
        && before != block
        && !is_named(module, block);
    if !fits {
        return false;
    }
    let given: Vec<Inst> = module.arguments(edge.terminator).collect();
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    for (parameter, given) in parameters.into_iter().zip(given) {
        module.edit().replace_all_uses(parameter, given);
    }
    module.parameters(block).collect::<Vec<_>>().into_iter().for_each(|parameter| module.edit().delete(parameter));
    join_blocks(module, before, block);
    true
}

fn unite(module: &mut Module, blocks: &[Block]) -> usize {
    let mut kept: Vec<(Op, Vec<Inst>, Block)> = Vec::new();
    let mut count = 0;
    for &block in blocks {
        let Some(terminator) = module.terminator(block) else { continue };
        let op = module.op(terminator);
        let fits = matches!(op, Op::Branch | Op::ReturnValue | Op::Kill)
            && body(module, block).is_empty()
            && module.parameters(block).next().is_none()
            && !is_named(module, block)
            && !edges(module, block).iter().any(|edge| module.op(edge.terminator) == Op::Loop);
        if !fits || edges(module, block).is_empty() {
            continue;
        }
        let operands: Vec<Inst> = module.operands(terminator).collect();
        let same = kept.iter().find(|(other, others, _)| (*other, others) == (op, &operands));
        let Some(&(_, _, first)) = same else {
            kept.push((op, operands, block));
            continue;
        };
        let entering: Vec<Edge> = edges(module, first).into_iter().chain(edges(module, block)).collect();
        for edge in entering {
            lead(module, edge, first.into(), &[]);
        }
        delete(module, block);
        count += 1;
    }
    count
}
