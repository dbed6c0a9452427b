//! Simplifies extracts of constructed composites, and addresses of members of members.
//!
//! ```text
//! %v = composite_construct %a, %b        %p = access_chain %s, %one
//! %x = composite_extract %v 1            %q = access_chain %p, %i
//!         ⇒ %b                                   ⇒ access_chain %s, %one, %i
//! ```

use reconverge_analysis::constant_folding::Constant;
use reconverge_ir::{Inst, Module, Op, view};
use smallvec::SmallVec;

use super::Rewritten;
use super::matching::Constants;

/// The maximal number of operands of a composite that is constructed from several others.
const OPERAND_LIMIT: usize = 64;
/// The literal of a shuffle that denotes no component.
const NO_COMPONENT: u32 = u32::MAX;

/// The replacement, and the instruction that it makes unnecessary.
type Found = (Rewritten, Option<Inst>);
type List = SmallVec<[Inst; 4]>;

/// The replacement of an operation that moves components, and the instruction that it makes unnecessary.
pub(super) fn rewrite(module: &mut Module, constants: &mut Constants, inst: Inst) -> Option<Found> {
    match module.op(inst) {
        Op::CopyObject | Op::CopyLogical => copy(module, inst),
        Op::CompositeExtract => extract(module, inst),
        Op::CompositeInsert => insert(module, inst),
        Op::CompositeConstruct => construct(module, inst),
        Op::VectorShuffle => shuffle(module, inst),
        Op::VectorExtractDynamic | Op::VectorInsertDynamic => dynamic(module, constants, inst),
        Op::AccessChain | Op::InBoundsAccessChain => access(module, inst),
        _ => None,
    }
}

fn new(op: Op, operands: impl IntoIterator<Item = Inst>, inner: Inst) -> Option<Found> {
    let operands: List = operands.into_iter().collect();
    (operands.len() <= OPERAND_LIMIT).then_some((Rewritten::New(op, operands), Some(inner)))
}

/// An extract from `composite` along a path; the composite itself if the path is empty.
fn extracted(composite: Inst, path: &[Inst], inner: Inst) -> Option<Found> {
    match path {
        [] => Some((Rewritten::Value(composite), None)),
        _ => new(Op::CompositeExtract, [composite].into_iter().chain(path.iter().copied()), inner),
    }
}

/// The source of a copy, unless the copy has another type.
fn copy(module: &Module, inst: Inst) -> Option<Found> {
    let value = view::Unary::of(module, inst)?.operand;
    (module.ty(value) == module.ty(inst)).then_some((Rewritten::Value(value), None))
}

fn extract(module: &mut Module, inst: Inst) -> Option<Found> {
    let view::CompositeExtract { composite, indexes } = view::CompositeExtract::of(module, inst)?;
    let Some(index) = indexes.first() else { return Some((Rewritten::Value(composite), None)) };
    let path: List = indexes.literals().iter().collect();
    let rest = &path[1..];
    match module.op(composite) {
        Op::CompositeConstruct => {
            let (part, within) = constructed_part(module, composite, index)?;
            match within {
                None => extracted(part, rest, composite),
                Some(within) => {
                    let within = module.edit().word(within);
                    extracted(part, &[within], composite)
                }
            }
        }
        Op::ConstantComposite => {
            let constituents = view::ConstantComposite::of(module, composite)?.constituents;
            extracted(constituents.at(index as usize)?, rest, composite)
        }
        Op::ConstantNull => {
            let ty = module.ty(inst)?;
            Some((Rewritten::Value(module.edit().unique(Op::ConstantNull, Some(ty), &[])), None))
        }
        Op::CompositeExtract => {
            let mut whole: List = module.operands(composite).collect();
            whole.extend_from_slice(&path);
            new(Op::CompositeExtract, whole, composite)
        }
        Op::CompositeInsert => {
            let insert = view::CompositeInsert::of(module, composite)?;
            let same = insert.indexes.literals().iter().zip(&path).take_while(|(left, right)| left == *right).count();
            match () {
                () if same == insert.indexes.len() => extracted(insert.object, &path[same..], composite),
                () if same < path.len() => extracted(insert.composite, &path, composite),
                // The composite that contains the inserted object.
                () => None,
            }
        }
        Op::VectorShuffle => {
            let shuffle = view::VectorShuffle::of(module, composite)?;
            let lane = shuffle.components.at(index as usize)?;
            let left = vector_length(module, shuffle.vector_1)?;
            let (vector, lane) = match lane.checked_sub(left) {
                _ if lane == NO_COMPONENT => return None,
                None => (shuffle.vector_1, lane),
                Some(lane) => (shuffle.vector_2, lane),
            };
            let lane = module.edit().word(lane);
            extracted(vector, &[lane], composite)
        }
        _ => None,
    }
}

fn vector_length(module: &Module, vector: Inst) -> Option<u32> {
    view::TypeVector::of(module, module.ty(vector)?).map(|ty| ty.count)
}

/// The constituent that contains element `index`, and the component of it if it is a vector.
fn constructed_part(module: &Module, construct: Inst, index: u32) -> Option<(Inst, Option<u32>)> {
    let parts = view::CompositeConstruct::of(module, construct)?.constituents;
    if module.op(module.ty(construct)?) != Op::TypeVector {
        return parts.at(index as usize).map(|part| (part, None));
    }
    let mut first = 0;
    for part in parts {
        let length = vector_length(module, part);
        if index < first + length.unwrap_or(1) {
            return Some((part, length.map(|_| index - first)));
        }
        first += length.unwrap_or(1);
    }
    None
}

/// An insert: removes an earlier insert at the same place, or the insert of a component that was extracted there.
fn insert(module: &Module, inst: Inst) -> Option<Found> {
    let view::CompositeInsert { object, composite, indexes } = view::CompositeInsert::of(module, inst)?;
    if indexes.is_empty() {
        return Some((Rewritten::Value(object), None));
    }
    let extract = view::CompositeExtract::of(module, object);
    if extract.is_some_and(|extract| extract.composite == composite && extract.indexes == indexes) {
        return Some((Rewritten::Value(composite), None));
    }
    let over = view::CompositeInsert::of(module, composite).filter(|over| over.indexes == indexes)?;
    let operands = [object, over.composite].into_iter().chain(indexes.literals());
    new(Op::CompositeInsert, operands, composite)
}

/// A construct from all elements of one composite of the same type, in order.
fn construct(module: &Module, inst: Inst) -> Option<Found> {
    let source = |index: usize, part: Inst| {
        let extract = view::CompositeExtract::of(module, part).filter(|extract| extract.indexes.len() == 1)?;
        (extract.indexes.first()? as usize == index).then_some(extract.composite)
    };
    let parts = view::CompositeConstruct::of(module, inst)?.constituents;
    let whole = source(0, parts.first()?).filter(|&whole| module.ty(whole) == module.ty(inst))?;
    let length = match module.op(module.ty(inst)?) {
        Op::TypeVector => vector_length(module, whole)? as usize,
        _ => parts.len(),
    };
    let is_whole =
        length == parts.len() && parts.iter().enumerate().all(|(index, part)| source(index, part) == Some(whole));
    is_whole.then_some((Rewritten::Value(whole), None))
}

/// A shuffle that is the identity of one vector; a shuffle of shuffled vectors.
fn shuffle(module: &mut Module, inst: Inst) -> Option<Found> {
    let view::VectorShuffle { vector_1, vector_2, components } = view::VectorShuffle::of(module, inst)?;
    let left = vector_length(module, vector_1)?;
    let vectors = [vector_1, vector_2];
    let lanes: SmallVec<[u32; 4]> = components.iter().collect();
    for (vector, first) in vectors.into_iter().zip([0, left]) {
        let is_same = lanes.iter().enumerate().all(|(index, &lane)| lane == first + index as u32);
        if is_same && module.ty(vector) == module.ty(inst) {
            return Some((Rewritten::Value(vector), None));
        }
    }
    let inner = vectors.into_iter().zip([0, left]).find(|&(vector, _)| module.op(vector) == Op::VectorShuffle);
    let (inner, first) = inner?;
    let shuffled = view::VectorShuffle::of(module, inner)?;
    let length = vector_length(module, inner)?;
    let is_read = |&&lane: &&u32| lane != NO_COMPONENT && (first..first + length).contains(&lane);
    if !lanes.iter().all(|lane| is_read(&lane) || *lane == NO_COMPONENT) {
        return None;
    }
    let through = |lane: u32| match lane {
        NO_COMPONENT => Some(NO_COMPONENT),
        _ => shuffled.components.at((lane - first) as usize),
    };
    let lanes: SmallVec<[u32; 4]> = lanes.iter().map(|&lane| through(lane)).collect::<Option<_>>()?;
    let mut operands: List = [shuffled.vector_1, shuffled.vector_2].into_iter().collect();
    operands.extend(lanes.into_iter().map(|lane| module.edit().word(lane)));
    new(Op::VectorShuffle, operands, inner)
}

/// An extract or insert with a dynamic index that is constant.
fn dynamic(module: &mut Module, constants: &mut Constants, inst: Inst) -> Option<Found> {
    let extract = view::VectorExtractDynamic::of(module, inst).map(|extract| (extract.vector, None, extract.index));
    let insert = || view::VectorInsertDynamic::of(module, inst).map(|it| (it.vector, Some(it.component), it.index));
    let (vector, component, index) = extract.or_else(insert)?;
    let index = constants.of(module, index).and_then(Constant::as_scalar)?.bits;
    let length = vector_length(module, vector)?;
    if index >= u64::from(length) {
        return None;
    }
    let index = module.edit().word(index as u32);
    let (op, list): (Op, List) = match component {
        None => (Op::CompositeExtract, [vector, index].into_iter().collect()),
        Some(component) => (Op::CompositeInsert, [component, vector, index].into_iter().collect()),
    };
    Some((Rewritten::New(op, list), None))
}

/// An address computed from another address: one access chain from the base. It is in bounds if both were.
fn access(module: &Module, inst: Inst) -> Option<Found> {
    let view::Chain { base, indexes, .. } = view::Chain::of(module, inst)?;
    if indexes.is_empty() {
        return (module.ty(base) == module.ty(inst)).then_some((Rewritten::Value(base), None));
    }
    let op = match (module.op(base), module.op(inst)) {
        (Op::InBoundsAccessChain, Op::InBoundsAccessChain) => Op::InBoundsAccessChain,
        (Op::AccessChain | Op::InBoundsAccessChain, _) => Op::AccessChain,
        _ => return None,
    };
    new(op, module.operands(base).chain(indexes), base)
}
