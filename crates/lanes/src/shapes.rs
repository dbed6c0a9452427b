//! Shape analysis: the values of a masked function that are uniform or affine in the lane, and the ranges of integers.
//!
//! All lanes of a pack take every branch together, so that values differ only where data differ. Two analyses of a value each:
//!
//! ```text
//!        Varying                    a range: the mathematical integers, congruent to the values modulo 2 to the width, from which
//!       ╱   │   ╲                   the values of all lanes can be chosen so that they keep the shape. Sums of ranges are ranges
//!  … −1     1     4 …   Affine      of sums; a conversion is exact if the range lies within what the narrower type can hold.
//!       ╲   │   ╱                   So `(ulong)(uint)get_global_id(0)` stays affine if the launch is smaller than 2³² items.
//!        Uniform
//!           │
//!        not known yet
//! ```
//!
//! Shapes rise from below until nothing changes: a counter that begins affine and grows by a uniform step is affine. Ranges come from
//! one walk in reverse post-order; parameters of blocks that a back edge leads to have the range of their type.
//! (Sampaio, de Souza, Collange, Pereira 2013; the ranges are ours.) Linear in the uses.

use std::collections::VecDeque;

use reconverge_analysis::FlowGraph;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Function, Inst, Module, Op, OpGroup, Slot, Terminator, terminator, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use crate::divergence::{has_common_result, input_of};
use crate::{Facts, Range, Shape};

/// The shapes of the values of a function. Values outside the function are uniform.
#[derive(Debug, Default)]
pub struct Shapes {
    shapes: FxHashMap<Inst, Shape>,
    ranges: FxHashMap<Inst, Range>,
}

impl Shapes {
    /// The shape of a value.
    pub fn of(&self, value: Inst) -> Shape {
        self.shapes.get(&value).copied().unwrap_or(Shape::Uniform)
    }

    /// Returns whether a value is the same for all lanes.
    pub fn is_uniform(&self, value: Inst) -> bool {
        self.of(value) == Shape::Uniform
    }

    /// The range of an integer, if anything better than its type is known.
    pub fn range(&self, value: Inst) -> Option<Range> {
        self.ranges.get(&value).copied()
    }

    /// The range of an integer: of a constant its number, of another value as [`Shapes::range`].
    pub fn known_range(&self, module: &Module, value: Inst) -> Option<Range> {
        if let Some(range) = self.range(value) {
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

    /// Analyses a function at stage Masked, or at stage Structured for one lane.
    pub fn compute(module: &Module, function: Function, facts: &Facts) -> Shapes {
        let mut search = Search { module, facts, result: Shapes::default() };
        search.find_ranges(function);
        search.find_shapes(function);
        search.result
    }
}

struct Search<'a> {
    module: &'a Module,
    facts: &'a Facts,
    result: Shapes,
}

impl Search<'_> {
    fn find_ranges(&mut self, function: Function) {
        let flow = FlowGraph::compute(self.module, function);
        let (order, _) = flow.dominators();
        let mut visited: FxHashSet<Block> = FxHashSet::default();
        for &node in order.sequence() {
            let block = flow.block(node);
            let is_join = self.module.predecessors(block).all(|from| visited.contains(&from));
            for inst in self.module.children(block) {
                let range = match self.module.op(inst) {
                    Op::BlockParameter if is_join => self.range_of_parameter(block, inst),
                    Op::BlockParameter => None,
                    _ => self.range_of(inst),
                };
                if let Some(range) = range.filter(|&(low, high)| low <= high && fits(low) && fits(high)) {
                    self.result.ranges.insert(inst, range);
                }
            }
            visited.insert(block);
        }
    }

    fn range_of_parameter(&self, block: Block, parameter: Inst) -> Option<Range> {
        let place = self.module.parameters(block).position(|other| Inst::from(other) == parameter)?;
        let mut arguments = self.module.in_edges(block).map(|edge| self.module.arguments(edge.terminator).nth(place));
        let first = self.known_range(arguments.next()??)?;
        arguments.try_fold(first, |(low, high), argument| {
            let (other_low, other_high) = self.known_range(argument?)?;
            Some((low.min(other_low), high.max(other_high)))
        })
    }

    fn known_range(&self, value: Inst) -> Option<Range> {
        self.result.known_range(self.module, value)
    }

    fn range_of(&self, inst: Inst) -> Option<Range> {
        let module = self.module;
        let TypeView::Int { width, .. } = module.type_view(module.ty(inst)?)? else { return None };
        let mut operands = module.operands(inst);
        let range_at = |place: usize| self.known_range(module.operands(inst).nth(place)?);
        match module.op(inst) {
            Op::Load => {
                let (built_in, component) = input_of(module, view::Load::of(module, inst)?.pointer)?;
                self.facts.input(built_in, component).map(|fact| fact.range)
            }
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
            Op::ShiftRightLogical | Op::UDiv => {
                let (low, high) = range_at(0).filter(|&range| is_within(range, whole_range(Op::UConvert, width)))?;
                if module.op(inst) == Op::UDiv {
                    let whole = whole_range(Op::UConvert, width);
                    let (least, _) = range_at(1).filter(|&range| range.0 > 0 && is_within(range, whole))?;
                    return Some((0, high / least));
                }
                let (amount, end) = range_at(1).filter(|&(amount, end)| amount == end && (0..64).contains(&amount))?;
                Some((low >> amount, high >> end))
            }
            Op::UMod => {
                let whole = whole_range(Op::UConvert, width);
                let (_, most) = range_at(1).filter(|&range| range.0 > 0 && is_within(range, whole))?;
                Some((0, most - 1))
            }
            Op::UConvert | Op::SConvert => self.converted(inst, operands.next()?, width),
            Op::Bitcast | Op::CopyObject => range_at(0),
            Op::Select => {
                let ((low, high), (other_low, other_high)) = (range_at(1)?, range_at(2)?);
                Some((low.min(other_low), high.max(other_high)))
            }
            _ => None,
        }
    }

    /// A narrowing keeps the residue; a widening keeps the number if the narrow type can hold it, else it is any of the narrow type.
    fn converted(&self, inst: Inst, source: Inst, width: u32) -> Option<Range> {
        let TypeView::Int { width: from, .. } = self.module.type_view(self.module.ty(source)?)? else { return None };
        let range = self.known_range(source);
        if width <= from {
            return range;
        }
        let whole = whole_range(self.module.op(inst), from);
        Some(range.filter(|&range| is_within(range, whole)).unwrap_or(whole))
    }

    fn find_shapes(&mut self, function: Function) {
        let blocks: Vec<Block> = self.module.blocks(function).collect();
        let values = blocks.iter().flat_map(|&block| self.module.children(block));
        let mut pending: VecDeque<Inst> = values.filter(|&inst| self.module.ty(inst).is_some()).collect();
        let mut known: FxHashMap<Inst, Shape> = FxHashMap::default();
        while let Some(inst) = pending.pop_front() {
            let Some(shape) = self.shape_of(&known, inst) else { continue };
            let before = known.get(&inst).copied();
            let shape = before.map_or(shape, |before| join(before, shape));
            if before == Some(shape) {
                continue;
            }
            known.insert(inst, shape);
            for used in self.module.uses(inst) {
                let Slot::Operand(index) = used.slot else { continue };
                match self.module.cast::<Terminator>(used.user) {
                    Some(jump) => pending.extend(self.parameter_for(jump, index)),
                    None if self.module.ty(used.user).is_some() => pending.push_back(used.user),
                    None => {}
                }
            }
        }
        self.result.shapes = known;
    }

    fn parameter_for(&self, jump: Terminator, index: usize) -> Option<Inst> {
        let place = index.checked_sub(terminator::first_argument(self.module.op(jump))?)?;
        let target = self.module.cast::<Block>(self.module.operand(jump, operand::TARGET))?;
        self.module.parameters(target).nth(place).map(Inst::from)
    }

    /// The shape of a value; none as long as that of an operand is not known.
    fn shape_of(&self, known: &FxHashMap<Inst, Shape>, inst: Inst) -> Option<Shape> {
        let module = self.module;
        let of = |value: Inst| match module.block_of(value) {
            Some(_) => known.get(&value).copied(),
            None => Some(Shape::Uniform),
        };
        let op = module.op(inst);
        match op.group() {
            OpGroup::Atomic => return Some(Shape::Varying),
            OpGroup::Subgroup if !has_common_result(module, inst) => return Some(Shape::Varying),
            OpGroup::Subgroup => return Some(Shape::Uniform),
            OpGroup::Lane => return Some(if op == Op::AnyLane { Shape::Uniform } else { Shape::Varying }),
            OpGroup::Load => return self.shape_of_load(of, inst),
            OpGroup::Variable => return Some(Shape::Uniform),
            _ => {}
        }
        if op == Op::BlockParameter {
            return self.shape_of_parameter(of, inst);
        }
        let operands: Vec<Inst> = module.operands(inst).collect();
        let shapes: Vec<Shape> = operands.iter().map(|&value| of(value)).collect::<Option<_>>()?;
        if shapes.iter().all(|&shape| shape == Shape::Uniform) {
            return Some(Shape::Uniform);
        }
        Some(self.affine(inst, op, &operands, &shapes).map_or(Shape::Varying, normal))
    }

    fn shape_of_load(&self, of: impl Fn(Inst) -> Option<Shape>, load: Inst) -> Option<Shape> {
        let Some(pointer) = view::Load::of(self.module, load).map(|load| load.pointer) else {
            return Some(Shape::Varying);
        };
        if let Some((built_in, component)) = input_of(self.module, pointer) {
            return Some(self.facts.input(built_in, component).map_or(Shape::Varying, |fact| fact.shape));
        }
        let is_own = matches!(
            self.module.storage_class(pointer),
            None | Some(StorageClass::Function | StorageClass::Private | StorageClass::Input)
        );
        if is_own {
            return Some(Shape::Varying);
        }
        Some(if of(pointer)? == Shape::Uniform { Shape::Uniform } else { Shape::Varying })
    }

    fn shape_of_parameter(&self, of: impl Fn(Inst) -> Option<Shape>, parameter: Inst) -> Option<Shape> {
        let block = self.module.block_of(parameter)?;
        let place = self.module.parameters(block).position(|other| Inst::from(other) == parameter)?;
        let arguments =
            self.module.in_edges(block).filter_map(|edge| self.module.arguments(edge.terminator).nth(place));
        arguments.filter_map(of).reduce(join)
    }

    /// The stride of an operation with an operand that is not uniform.
    fn affine(&self, inst: Inst, op: Op, operands: &[Inst], shapes: &[Shape]) -> Option<i64> {
        let stride = |place: usize| stride_of(*shapes.get(place)?);
        // A varying value with one number in its range is the same for all lanes, but it is in vectors.
        let constant = |place: usize| {
            let (low, high) = self.known_range(*operands.get(place)?)?;
            (low == high && shapes[place] == Shape::Uniform).then_some(low as i64)
        };
        match op {
            Op::IAdd => Some(stride(0)?.wrapping_add(stride(1)?)),
            Op::ISub => Some(stride(0)?.wrapping_sub(stride(1)?)),
            Op::SNegate => Some(stride(0)?.wrapping_neg()),
            Op::Not => Some(stride(0)?.wrapping_neg()),
            Op::IMul => match (constant(0), constant(1)) {
                (Some(factor), _) => Some(stride(1)?.wrapping_mul(factor)),
                (_, Some(factor)) => Some(stride(0)?.wrapping_mul(factor)),
                _ => None,
            },
            Op::ShiftLeftLogical => {
                let amount = constant(1).filter(|amount| (0..64).contains(amount))?;
                Some(stride(0)?.wrapping_shl(amount as u32))
            }
            Op::UConvert | Op::SConvert => self.stride_of_conversion(inst, op, operands[0], stride(0)?),
            Op::Bitcast | Op::CopyObject | Op::ConvertUToPtr | Op::ConvertPtrToU => {
                let is_scalar = |value: Inst| {
                    let view = self.module.ty(value).and_then(|ty| self.module.type_view(ty));
                    matches!(view, Some(TypeView::Int { .. } | TypeView::Pointer { .. }))
                };
                (is_scalar(inst) && is_scalar(operands[0])).then(|| stride(0))?
            }
            Op::Select if shapes[0] == Shape::Uniform => {
                let (chosen, other) = (stride(1)?, stride(2)?);
                (chosen == other).then_some(chosen)
            }
            _ => None,
        }
    }

    /// A narrowing keeps a stride; a widening does if no lane wraps.
    fn stride_of_conversion(&self, inst: Inst, op: Op, source: Inst, stride: i64) -> Option<i64> {
        let width = |value: Inst| self.module.ty(value).and_then(|ty| self.module.width(ty));
        let (from, to) = (width(source)?, width(inst)?);
        let is_exact = || self.known_range(source).is_some_and(|range| is_within(range, whole_range(op, from)));
        (to <= from || is_exact()).then_some(stride)
    }
}

fn stride_of(shape: Shape) -> Option<i64> {
    match shape {
        Shape::Uniform => Some(0),
        Shape::Affine(stride) => Some(stride),
        Shape::Varying => None,
    }
}

fn normal(stride: i64) -> Shape {
    if stride == 0 { Shape::Uniform } else { Shape::Affine(stride) }
}

fn join(one: Shape, other: Shape) -> Shape {
    if one == other { one } else { Shape::Varying }
}

/// The range of the type of that width, as a conversion reads it.
fn whole_range(op: Op, width: u32) -> Range {
    if op == Op::SConvert { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

fn is_within((low, high): Range, (least, most): Range) -> bool {
    least <= low && high <= most
}

/// Numbers beyond this are not followed.
fn fits(number: i128) -> bool {
    number.unsigned_abs() < 1 << 100
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
