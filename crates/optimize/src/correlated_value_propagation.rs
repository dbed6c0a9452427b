//! Correlated value propagation: after a branch, the value of its condition is known.
//!
//! ```text
//! ^a: %c = i_equal %x, %five                      ^a: %c = i_equal %x, %five
//!     branch_if %c ^b ^d                              branch_if %c ^b ^d
//! ^b: store %p, %x; branch ^j(%c)           ⇒     ^b: store %p, %five; branch ^j(%true)
//! ^d: switch %n default ^g [3 ^e] [4 ^f]          ^d: switch %n default ^g [3 ^e] [4 ^f]
//! ^e: %y = bitwise_xor %k, %n                     ^e: %y = bitwise_xor %k, %three
//! ^g: use %n                                      ^g: use %n          neither 3 nor 4, which is no constant
//! ```
//!
//! *Requires* nothing. *Preserves* control flow, every value and every effect. Each use gets the value that it has in every lane; a later
//! branch on the same condition becomes constant and takes the same edge for all lanes as before.
//!
//! A block with one incoming edge, and each block that it dominates, runs only if the branch before it took that edge. So in these blocks
//! the condition is true or false, or the selector is the literal if one literal leads there. Facts about the operands follow: both
//! operands of a true `logical_and` or a false `logical_or`, the operand of a `logical_not`, and an integer that equals a constant. A float
//! that equals zero may be either zero, so equal floats imply nothing. (LLVM's NewGVN does this for all implications of equality.)
//!
//! The value is the one that the branch tested: its definition dominates the block, and each path from the definition to a dominated block
//! passes the edge again.
//!
//! An argument stays if every edge passes the same value, since the parameter is equal to that value. Near-linear: one sweep over the
//! blocks in preorder of the dominator tree. A fact is valid until its subtree ends; each branch adds at most [`LIMIT`] facts.

use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind};
use reconverge_ir::terminator::{self, operand};
use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::analyses::Analyses;
use crate::body::{Body, NONE};
use reconverge_rewrite::constants::constant_inst;

/// The maximal number of facts that one branch adds.
const LIMIT: usize = 16;

/// Replaces values by constants where a dominating branch implies them. Returns the number of replaced operands.
pub fn correlated_value_propagation(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    if module.entry(function).is_none() {
        return 0;
    }
    let body = analyses.take(module, function);
    let ways = SoleEntries::compute(module, &body);
    let mut facts = KnownValues::default();
    let mut replaced = 0;
    for block in 0..body.block_count() {
        facts.leave(block);
        if let Some((value, constant)) = ways.decided(module, &body, block) {
            facts.learn(module, value, constant, body.below(block).end);
        }
        if facts.known.is_empty() {
            continue;
        }
        for inst in body.range(block) {
            replaced += facts.write(module, &body, inst);
        }
    }
    analyses.keep(function, body);
    replaced
}

/// The edge into each block that has only one incoming edge.
struct SoleEntries {
    /// By block: its predecessor; [`NONE`] if it has several incoming edges.
    sources: Vec<u32>,
    /// By block that only a switch leads to: its literal; `None` for the default.
    literals: FxHashMap<u32, Inst>,
}

impl SoleEntries {
    /// Linear in edges.
    fn compute(module: &Module, body: &Body) -> SoleEntries {
        let source_of = |block: u32| {
            let mut sources = body.predecessors(block);
            sources.next().filter(|_| sources.next().is_none()).unwrap_or(NONE)
        };
        let sources: Vec<u32> = (0..body.block_count()).map(source_of).collect();
        let mut literals = FxHashMap::default();
        for block in 0..body.block_count() {
            let Some(terminator) = module.terminator(body.block(block)) else { continue };
            for (literal, target) in module.cases(terminator) {
                let target = module.cast(target).and_then(|target| body.flow().find(target));
                let target = target.map(|target| body.place(target)).filter(|&target| target != NONE);
                literals.extend(target.filter(|&target| sources[target as usize] == block).map(|to| (to, literal)));
            }
        }
        SoleEntries { sources, literals }
    }

    /// The condition of the branch before a block, and its value in the block.
    fn decided(&self, module: &Module, body: &Body, block: u32) -> Option<(Inst, Scalar)> {
        let source = Some(self.sources[block as usize]).filter(|&source| source != NONE)?;
        let terminator = module.terminator(body.block(source))?;
        let condition = module.operand(terminator, operand::CONDITION);
        match module.op(terminator) {
            Op::If | Op::BranchIf => {
                let holds = module.operand(terminator, operand::TRUE) == body.block(block).into();
                Some((condition, Scalar::bool(holds)))
            }
            Op::Switch | Op::StructuredSwitch => {
                let words = module.literal_words(*self.literals.get(&block)?);
                let kind = ScalarKind::of(module, module.ty(condition)?)?;
                Some((condition, Scalar::from_words(kind, words)?))
            }
            _ => None,
        }
    }
}

/// The facts that hold at a position.
#[derive(Default)]
struct KnownValues {
    known: FxHashMap<Inst, Scalar>,
    /// The values in the order in which they became known, each with the first block where it is no longer known.
    scopes: Vec<(u32, Inst)>,
    /// By parameter: whether every edge passes one value or the parameter itself; computed on demand.
    settled: FxHashMap<u32, bool>,
}

impl KnownValues {
    /// Removes the facts that do not hold in a block.
    fn leave(&mut self, block: u32) {
        while let Some(&(_, value)) = self.scopes.last().filter(|&&(end, _)| end <= block) {
            self.known.remove(&value);
            self.scopes.pop();
        }
    }

    /// Adds the fact that a value is a constant, and its implications, for the blocks before `end`.
    fn learn(&mut self, module: &Module, value: Inst, constant: Scalar, end: u32) {
        let mut pending: SmallVec<[(Inst, Scalar); 4]> = smallvec![(value, constant)];
        for _ in 0..LIMIT {
            let Some((value, constant)) = pending.pop() else { return };
            if self.known.contains_key(&value) || module.op(value) == Op::Undef || scalar(module, value).is_some() {
                continue;
            }
            self.known.insert(value, constant);
            self.scopes.push((end, value));
            self.follow(module, value, constant, &mut pending);
        }
    }

    /// Adds the implications of a condition that is a constant.
    fn follow(&self, module: &Module, condition: Inst, constant: Scalar, pending: &mut SmallVec<[(Inst, Scalar); 4]>) {
        let Some(holds) = constant.as_bool() else { return };
        let (op, mut operands) = (module.op(condition), module.operands(condition));
        match (op, holds) {
            (Op::LogicalNot, _) => pending.extend(operands.map(|operand| (operand, Scalar::bool(!holds)))),
            (Op::LogicalAnd, true) | (Op::LogicalOr, false) => {
                pending.extend(operands.map(|operand| (operand, Scalar::bool(holds))));
            }
            (Op::IEqual | Op::LogicalEqual, true) | (Op::INotEqual | Op::LogicalNotEqual, false) => {
                let (Some(left), Some(right)) = (operands.next(), operands.next()) else { return };
                for (value, other) in [(left, right), (right, left)] {
                    let constant = scalar(module, other).or_else(|| self.known.get(&other).copied());
                    pending.extend(constant.map(|constant| (value, constant)));
                }
            }
            _ => {}
        }
    }

    /// Replaces operands by constants. Returns the number of replaced operands.
    fn write(&mut self, module: &mut Module, body: &Body, inst: u32) -> usize {
        let handle = body.inst(inst);
        let is_known = |operand: &Inst| self.known.contains_key(operand);
        if !module.operands(handle).any(|operand| is_known(&operand)) {
            return 0;
        }
        let mut operands: SmallVec<[Inst; 8]> = module.operands(handle).collect();
        let first_argument = terminator::first_argument(body.op(inst)).unwrap_or(operands.len());
        let mut written = 0;
        for (index, operand) in operands.iter_mut().enumerate() {
            let Some(&constant) = self.known.get(operand) else { continue };
            if index >= first_argument && self.is_settled(body, inst, index - first_argument) {
                continue;
            }
            let ty = module.ty(*operand).expect("invariant: a value has a type");
            *operand = constant_inst(module, ty, &Constant::Scalar(constant));
            written += 1;
        }
        if written > 0 {
            module.edit().set_operands(handle, &operands);
        }
        written
    }

    /// Returns whether every edge passes the same value for the parameter that gets this argument of a jump.
    fn is_settled(&mut self, body: &Body, jump: u32, number: usize) -> bool {
        let target = body.flow().graph().successors(body.node(body.block_of(jump)))[0];
        let target = body.place(target);
        let parameter = body.range(target).start + number as u32;
        *self.settled.entry(parameter).or_insert_with(|| {
            let arguments = body.predecessors(target).map(|source| body.argument(source, number as u32));
            let mut others = arguments.filter(|&argument| argument != parameter);
            let first = others.next();
            others.all(|other| Some(other) == first)
        })
    }
}

/// The value of a boolean or integer constant.
fn scalar(module: &Module, inst: Inst) -> Option<Scalar> {
    let scalar = Constant::of(module, inst)?.as_scalar()?;
    matches!(scalar.kind, ScalarKind::Bool | ScalarKind::Int(_)).then_some(scalar)
}
