//! Range analysis: the least and the greatest value of the integers of a function.
//!
//! A range is one of mathematical integers. The value of each lane is congruent, modulo 2 to the width of its type, to an integer of the
//! range; and if the value is affine in the lane, these integers can be chosen so that they are affine, too. So no operation wraps here:
//!
//! ```text
//! a + b      the sum of the ranges                     even if it wraps: the sum is congruent to the result
//! a · b      from the least to the greatest corner
//! narrow a   the range of a                            the residue is the same
//! widen a    the range of a, if it lies within what the narrow type holds, as the conversion reads it; else all that it holds
//! a >> c     a / 2ᶜ      a & c: 0 to c      a mod b: 0 to b − 1
//! ```
//!
//! So `(ulong)(uint)get_global_id(0)` is exact if the launch is smaller than 2³² items: the facts of a launch have the ranges of the inputs.
//!
//! One walk in reverse post-order; parameters of blocks that a back edge leads to have no range. Linear in the uses.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Function, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::FlowGraph;
use crate::launch::Facts;

/// All values that an integer can have, read as mathematical integers: from the first to the last, both included.
pub type Range = (i128, i128);

/// The ranges of the integers of a function.
#[derive(Debug, Default)]
pub struct Ranges {
    ranges: FxHashMap<Inst, Range>,
}

impl Ranges {
    /// Analyses a function with a body.
    pub fn compute(module: &Module, function: Function, facts: &Facts) -> Ranges {
        let mut search = Search { module, facts, result: Ranges::default() };
        search.find(function);
        search.result
    }

    /// The range of an integer, if anything better than its type is known.
    pub fn of(&self, value: Inst) -> Option<Range> {
        self.ranges.get(&value).copied()
    }

    /// The range of an integer: of a constant its number, of another value as [`Ranges::of`].
    pub fn known(&self, module: &Module, value: Inst) -> Option<Range> {
        if let Some(range) = self.of(value) {
            return Some(range);
        }
        let TypeView::Int { width, .. } = module.type_view(module.ty(value)?)? else { return None };
        if module.op(value) == Op::ConstantNull {
            return Some((0, 0));
        }
        let bits = module.constant_bits(value).filter(|_| module.op(value) == Op::Constant)?;
        let number = sign_extended(bits, width);
        Some((number, number))
    }
}

struct Search<'a> {
    module: &'a Module,
    facts: &'a Facts,
    result: Ranges,
}

impl Search<'_> {
    fn find(&mut self, function: Function) {
        let flow = FlowGraph::compute(self.module, function);
        let order = flow.order();
        let mut visited: FxHashSet<Block> = FxHashSet::default();
        for &node in order.sequence() {
            let block = flow.block(node);
            let is_join = self.module.predecessors(block).all(|from| visited.contains(&from));
            for inst in self.module.children(block) {
                let range = match self.module.op(inst) {
                    Op::BlockParameter if is_join => self.of_parameter(block, inst),
                    Op::BlockParameter => None,
                    _ => self.of_result(inst),
                };
                if let Some(range) = range.filter(|&(low, high)| low <= high && fits(low) && fits(high)) {
                    self.result.ranges.insert(inst, range);
                }
            }
            visited.insert(block);
        }
    }

    fn of_parameter(&self, block: Block, parameter: Inst) -> Option<Range> {
        let place = self.module.parameters(block).position(|other| Inst::from(other) == parameter)?;
        let mut arguments = self.module.in_edges(block).map(|edge| self.module.arguments(edge.terminator).nth(place));
        let first = self.known(arguments.next()??)?;
        arguments.try_fold(first, |range, argument| Some(hull(range, self.known(argument?)?)))
    }

    fn known(&self, value: Inst) -> Option<Range> {
        self.result.known(self.module, value)
    }

    fn of_result(&self, inst: Inst) -> Option<Range> {
        let module = self.module;
        let TypeView::Int { width, .. } = module.type_view(module.ty(inst)?)? else { return None };
        let range_at = |place: usize| self.known(module.operands(inst).nth(place)?);
        let unsigned = whole_range(Op::UConvert, width);
        match module.op(inst) {
            Op::Load => self.facts.at(module, view::Load::of(module, inst)?.pointer).map(|fact| fact.range),
            Op::IAdd => sum(range_at(0)?, range_at(1)?),
            Op::ISub => {
                let (low, high) = range_at(1)?;
                sum(range_at(0)?, (-high, -low))
            }
            Op::IMul => product(range_at(0)?, range_at(1)?),
            Op::ShiftLeftLogical => {
                let (amount, end) = range_at(1)?;
                let is_constant = amount == end && (0..64).contains(&amount);
                product(range_at(0)?, (1 << if is_constant { amount } else { return None }, 1 << amount))
            }
            Op::BitwiseAnd => {
                let masks = [range_at(0), range_at(1)].into_iter().flatten();
                let mask = masks.filter(|&(low, high)| low == high && low >= 0).map(|(low, _)| low).min()?;
                Some((0, mask))
            }
            Op::ShiftRightLogical => {
                let (low, high) = range_at(0).filter(|&range| is_within(range, unsigned))?;
                let (amount, end) = range_at(1).filter(|&(amount, end)| amount == end && (0..64).contains(&amount))?;
                Some((low >> amount, high >> end))
            }
            Op::UDiv => {
                let (_, high) = range_at(0).filter(|&range| is_within(range, unsigned))?;
                let (least, _) = range_at(1).filter(|&range| range.0 > 0 && is_within(range, unsigned))?;
                Some((0, high / least))
            }
            Op::UMod => {
                let (_, most) = range_at(1).filter(|&range| range.0 > 0 && is_within(range, unsigned))?;
                Some((0, most - 1))
            }
            Op::UConvert | Op::SConvert => self.converted(inst, module.operand(inst, 0), width),
            Op::Bitcast | Op::CopyObject => range_at(0),
            Op::Select => Some(hull(range_at(1)?, range_at(2)?)),
            _ => None,
        }
    }

    /// A narrowing keeps the residue; a widening keeps the number if the narrow type can hold it, else it is any of the narrow type.
    fn converted(&self, inst: Inst, source: Inst, width: u32) -> Option<Range> {
        let TypeView::Int { width: from, .. } = self.module.type_view(self.module.ty(source)?)? else { return None };
        let range = self.known(source);
        if width <= from {
            return range;
        }
        let whole = whole_range(self.module.op(inst), from);
        Some(range.filter(|&range| is_within(range, whole)).unwrap_or(whole))
    }
}

/// The range of the type of that width, as a conversion reads it.
pub(crate) fn whole_range(op: Op, width: u32) -> Range {
    if op == Op::SConvert { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

pub(crate) fn is_within((low, high): Range, (least, most): Range) -> bool {
    least <= low && high <= most
}

/// Numbers beyond this are not followed.
fn fits(number: i128) -> bool {
    number.unsigned_abs() < 1 << 100
}

/// The least range that contains both.
fn hull((low, high): Range, (other_low, other_high): Range) -> Range {
    (low.min(other_low), high.max(other_high))
}

fn sum((low, high): Range, (other_low, other_high): Range) -> Option<Range> {
    Some((low.checked_add(other_low)?, high.checked_add(other_high)?))
}

fn product((low, high): Range, (other_low, other_high): Range) -> Option<Range> {
    let corners = [
        low.checked_mul(other_low)?,
        low.checked_mul(other_high)?,
        high.checked_mul(other_low)?,
        high.checked_mul(other_high)?,
    ];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}

fn sign_extended(bits: u64, width: u32) -> i128 {
    let shift = 64 - width.min(64);
    i128::from(((bits << shift) as i64) >> shift)
}
