//! Pattern matching. The depth of the search is that of the pattern.

use reconverge_analysis::constant_folding::{Constant, ScalarKind, mask};
use reconverge_ir::{Class, Inst, Module};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::rule::{Known, Term};
use reconverge_rewrite::commutative::is_commutative;

/// The bindings of a match.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bound {
    values: [Option<Inst>; 4],
    constants: [Option<(Inst, Constant)>; 2],
    /// The instructions that match the pattern's operations, the outermost first.
    pub(super) matched: SmallVec<[Inst; 3]>,
    /// The number of bits that a component of the result has; 0 if it is not a number.
    width: u32,
}

impl Bound {
    pub(super) fn value(&self, number: u8) -> Option<Inst> {
        self.values[usize::from(number)]
    }

    /// A constant of the match: the instruction, whose type it has, and the value.
    pub(crate) fn constant(&self, number: u8) -> Option<(Inst, &Constant)> {
        self.constants[usize::from(number)].as_ref().map(|(inst, constant)| (*inst, constant))
    }

    /// Returns whether a predicate holds for the first constant, component by component, of its bits and its width.
    pub(crate) fn each(&self, holds: impl Fn(u64, u32) -> bool) -> bool {
        self.constant(0).is_some_and(|(_, constant)| constant.all(|scalar| holds(scalar.bits, scalar.kind.width())))
    }

    /// The number of bits that a component of the result has; 0 if it is not a number.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Returns whether a predicate holds for the two constants, component by component.
    pub(crate) fn both(&self, holds: impl Fn(u64, u64, u32) -> bool) -> bool {
        let (Some((_, left)), Some((_, right))) = (self.constant(0), self.constant(1)) else { return false };
        let parts = |constant: &Constant| {
            let alone = std::slice::from_ref(constant);
            let parts = constant.elements().unwrap_or(alone).iter().map(Constant::as_scalar);
            parts.collect::<Option<SmallVec<[_; 4]>>>()
        };
        let (Some(left), Some(right)) = (parts(left), parts(right)) else { return false };
        let mut pairs = left.iter().zip(&right);
        left.len() == right.len() && pairs.all(|(left, right)| holds(left.bits, right.bits, left.kind.width()))
    }
}

/// The values of constant instructions, computed once each.
#[derive(Default)]
pub(super) struct Constants {
    known: FxHashMap<Inst, Option<Constant>>,
}

impl Constants {
    pub(super) fn of(&mut self, module: &Module, inst: Inst) -> Option<&Constant> {
        if module.block_of(inst).is_some() {
            return None;
        }
        self.known.entry(inst).or_insert_with(|| Constant::of(module, inst)).as_ref()
    }
}

/// The bindings of a pattern that matches an instruction.
pub(super) fn find(module: &Module, constants: &mut Constants, pattern: &Term, inst: Inst) -> Option<Bound> {
    if !may_match(module, constants, pattern, inst) {
        return None;
    }
    let width = module.ty(inst).and_then(|ty| component_kind(module, ty)).map_or(0, ScalarKind::width);
    let bound = Bound { width, ..Bound::default() };
    solve(module, constants, SmallVec::from_slice(&[(*pattern, inst)]), bound)
}

/// Returns whether each operand of a pattern has an operand with its op, or its constant, at some position. Most patterns fail here, before
/// anything is bound.
fn may_match(module: &Module, constants: &mut Constants, pattern: &Term, inst: Inst) -> bool {
    let Term::Op(_, parts) = pattern else { return true };
    let operands = || module.operands(inst);
    parts.iter().all(|part| match *part {
        Term::Op(op, _) => operands().any(|operand| module.op(operand) == op),
        Term::Constant(_) => operands().any(|operand| module.op(operand).class() == Class::Constant),
        Term::Is(known) => {
            operands().any(|operand| constants.of(module, operand).is_some_and(|constant| is_known(constant, known)))
        }
        Term::Value(_) | Term::Fold(..) => true,
    })
}

/// The kind of a scalar type, or of the components of a vector type.
pub(super) fn component_kind(module: &Module, ty: Inst) -> Option<ScalarKind> {
    let (component, _) = module.components(ty);
    ScalarKind::of(module, component)
}

type Goals = SmallVec<[(Term, Inst); 4]>;

/// Matches one goal after the other; if an operation is commutative, tries both orders with all remaining goals.
fn solve(module: &Module, constants: &mut Constants, mut goals: Goals, mut bound: Bound) -> Option<Bound> {
    while let Some((term, inst)) = goals.pop() {
        let holds = match term {
            Term::Value(number) => *bound.values[usize::from(number)].get_or_insert(inst) == inst,
            Term::Is(known) => constants.of(module, inst).is_some_and(|constant| is_known(constant, known)),
            Term::Constant(number) => match (constants.of(module, inst), &bound.constants[usize::from(number)]) {
                (None, _) => false,
                (Some(constant), Some((_, other))) => constant == other,
                (Some(constant), None) => {
                    bound.constants[usize::from(number)] = Some((inst, constant.clone()));
                    true
                }
            },
            Term::Op(op, operands) => {
                if module.op(inst) != op || module.operand_count(inst) != operands.len() {
                    return None;
                }
                bound.matched.push(inst);
                let parts = || operands.iter().copied().zip(module.operands(inst));
                if operands.len() == 2 && is_commutative(op) {
                    let mut swapped = goals.clone();
                    swapped.extend(operands.iter().copied().zip(module.operands(inst).rev()));
                    let mut plain = goals;
                    plain.extend(parts());
                    return solve(module, constants, plain, bound.clone())
                        .or_else(|| solve(module, constants, swapped, bound));
                }
                goals.extend(parts());
                true
            }
            Term::Fold(..) => unreachable!("patterns compute nothing"),
        };
        if !holds {
            return None;
        }
    }
    Some(bound)
}

fn is_known(constant: &Constant, known: Known) -> bool {
    constant.all(|scalar| known_bits(known, scalar.kind) == Some(scalar.bits))
}

/// The bits of a constant in a scalar type; `None` if the type does not contain it.
pub(super) fn known_bits(known: Known, kind: ScalarKind) -> Option<u64> {
    let one = |width: u32| match width {
        16 => 0x3c00,
        32 => u64::from(1f32.to_bits()),
        _ => 1f64.to_bits(),
    };
    match (known, kind) {
        (Known::Zero, ScalarKind::Int(_))
        | (Known::False, ScalarKind::Bool)
        | (Known::FloatZero, ScalarKind::Float(_)) => Some(0),
        (Known::One, ScalarKind::Int(_)) | (Known::True, ScalarKind::Bool) => Some(1),
        (Known::Ones, ScalarKind::Int(width)) => Some(mask(width)),
        (Known::NegativeZero, ScalarKind::Float(width)) => Some(1 << (width - 1)),
        (Known::FloatOne, ScalarKind::Float(width)) => Some(one(width)),
        (Known::MinusOne, ScalarKind::Float(width)) => Some(one(width) | 1 << (width - 1)),
        _ => None,
    }
}
