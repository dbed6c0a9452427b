//! Parts that come out of composites as they went in, and addresses of parts of parts.
//!
//! ```text
//! %v = composite_construct %a, %b        %p = access_chain %s, %one
//! %x = composite_extract %v 1            %q = access_chain %p, %i
//!         ⇒ %b                                   ⇒ access_chain %s, %one, %i
//! ```

use reconverge_analysis::constant_folding::Constant;
use reconverge_ir::{Inst, Module, Op};
use smallvec::SmallVec;

use super::Rewritten;
use super::matching::Constants;

/// Most operands of what is put together from several.
const OPERAND_LIMIT: usize = 64;
/// The literal of a shuffle that stands for no component.
const NO_COMPONENT: u32 = u32::MAX;

/// What stands in the place, and what was looked through.
type Found = (Rewritten, Option<Inst>);
type List = SmallVec<[Inst; 4]>;

/// What stands in the place of an operation that moves parts, and what was looked through.
pub(super) fn rewrite(module: &mut Module, constants: &mut Constants, inst: Inst) -> Option<Found> {
    match module.op(inst) {
        Op::CopyObject => Some((Rewritten::Value(module.operand(inst, 0)), None)),
        Op::CopyLogical if module.ty(module.operand(inst, 0)) == module.ty(inst) => {
            Some((Rewritten::Value(module.operand(inst, 0)), None))
        }
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

/// An extraction from `composite` along a path; the composite itself where the path is empty.
fn extracted(composite: Inst, path: &[Inst], inner: Inst) -> Option<Found> {
    match path {
        [] => Some((Rewritten::Value(composite), None)),
        _ => new(Op::CompositeExtract, [composite].into_iter().chain(path.iter().copied()), inner),
    }
}

fn extract(module: &mut Module, inst: Inst) -> Option<Found> {
    let composite = module.operand(inst, 0);
    let path: List = module.operands(inst).skip(1).collect();
    let Some((&first, rest)) = path.split_first() else { return Some((Rewritten::Value(composite), None)) };
    let index = module.literal_word(first)?;
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
        Op::ConstantComposite => extracted(module.operands(composite).nth(index as usize)?, rest, composite),
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
            let (object, around) = (module.operand(composite, 0), module.operand(composite, 1));
            let inserted: List = module.operands(composite).skip(2).collect();
            let same = inserted.iter().zip(&path).take_while(|(left, right)| left == right).count();
            match () {
                () if same == inserted.len() => extracted(object, &path[same..], composite),
                () if same < path.len() => extracted(around, &path, composite),
                // The whole of what a part was inserted into.
                () => None,
            }
        }
        Op::VectorShuffle => {
            let lane = module.literal_word(module.operands(composite).nth(2 + index as usize)?)?;
            let left = vector_length(module, module.operand(composite, 0))?;
            let (vector, lane) = match lane.checked_sub(left) {
                _ if lane == NO_COMPONENT => return None,
                None => (module.operand(composite, 0), lane),
                Some(lane) => (module.operand(composite, 1), lane),
            };
            let lane = module.edit().word(lane);
            extracted(vector, &[lane], composite)
        }
        _ => None,
    }
}

fn vector_length(module: &Module, vector: Inst) -> Option<u32> {
    let ty = module.ty(vector).filter(|&ty| module.op(ty) == Op::TypeVector)?;
    module.literal_word(module.operand(ty, 1))
}

/// What element `index` was constructed from, and which component of it that is if it was a vector among others.
fn constructed_part(module: &Module, construct: Inst, index: u32) -> Option<(Inst, Option<u32>)> {
    if module.op(module.ty(construct)?) != Op::TypeVector {
        return module.operands(construct).nth(index as usize).map(|part| (part, None));
    }
    let mut first = 0;
    for part in module.operands(construct) {
        let length = vector_length(module, part);
        if index < first + length.unwrap_or(1) {
            return Some((part, length.map(|_| index - first)));
        }
        first += length.unwrap_or(1);
    }
    None
}

/// Over what is inserted at the same place; of what was there anyway.
fn insert(module: &Module, inst: Inst) -> Option<Found> {
    let (object, composite) = (module.operand(inst, 0), module.operand(inst, 1));
    let path = || module.operands(inst).skip(2);
    if path().next().is_none() {
        return Some((Rewritten::Value(object), None));
    }
    if module.op(object) == Op::CompositeExtract && module.operands(object).eq([composite].into_iter().chain(path())) {
        return Some((Rewritten::Value(composite), None));
    }
    let is_over = module.op(composite) == Op::CompositeInsert && module.operands(composite).skip(2).eq(path());
    let below = is_over.then(|| module.operand(composite, 1))?;
    new(Op::CompositeInsert, [object, below].into_iter().chain(path()), composite)
}

/// From all elements of one composite of the same type, in order.
fn construct(module: &Module, inst: Inst) -> Option<Found> {
    let source = |index: usize, part: Inst| {
        let is_extract = module.op(part) == Op::CompositeExtract && module.operand_count(part) == 2;
        let own = is_extract.then(|| module.literal_word(module.operand(part, 1))).flatten()?;
        (own as usize == index).then(|| module.operand(part, 0))
    };
    let mut parts = module.operands(inst).enumerate();
    let (_, first) = parts.next()?;
    let whole = source(0, first).filter(|&whole| module.ty(whole) == module.ty(inst))?;
    let length = match module.op(module.ty(inst)?) {
        Op::TypeVector => vector_length(module, whole)? as usize,
        _ => module.operand_count(inst),
    };
    let is_whole =
        length == module.operand_count(inst) && parts.all(|(index, part)| source(index, part) == Some(whole));
    is_whole.then_some((Rewritten::Value(whole), None))
}

/// Of one vector as it is; of vectors that were shuffled from one each.
fn shuffle(module: &mut Module, inst: Inst) -> Option<Found> {
    let vectors = [module.operand(inst, 0), module.operand(inst, 1)];
    let left = vector_length(module, vectors[0])?;
    let lanes: SmallVec<[u32; 4]> =
        module.operands(inst).skip(2).map(|lane| module.literal_word(lane)).collect::<Option<_>>()?;
    for (vector, first) in vectors.into_iter().zip([0, left]) {
        let is_same = lanes.iter().enumerate().all(|(index, &lane)| lane == first + index as u32);
        if is_same && module.ty(vector) == module.ty(inst) {
            return Some((Rewritten::Value(vector), None));
        }
    }
    let inner = vectors.into_iter().zip([0, left]).find(|&(vector, _)| module.op(vector) == Op::VectorShuffle);
    let (inner, first) = inner?;
    let length = vector_length(module, inner)?;
    let is_read = |&&lane: &&u32| lane != NO_COMPONENT && (first..first + length).contains(&lane);
    if !lanes.iter().all(|lane| is_read(&lane) || *lane == NO_COMPONENT) {
        return None;
    }
    let through = |lane: u32| match lane {
        NO_COMPONENT => Some(NO_COMPONENT),
        _ => module.literal_word(module.operands(inner).nth(2 + (lane - first) as usize)?),
    };
    let lanes: SmallVec<[u32; 4]> = lanes.iter().map(|&lane| through(lane)).collect::<Option<_>>()?;
    let mut operands: List = module.operands(inner).take(2).collect();
    operands.extend(lanes.into_iter().map(|lane| module.edit().word(lane)));
    new(Op::VectorShuffle, operands, inner)
}

/// With a component that is known.
fn dynamic(module: &mut Module, constants: &mut Constants, inst: Inst) -> Option<Found> {
    let operands: List = module.operands(inst).collect();
    let (&index, others) = operands.split_last()?;
    let index = constants.of(module, index).and_then(Constant::as_scalar)?.bits;
    let length = vector_length(module, operands[0])?;
    if index >= u64::from(length) {
        return None;
    }
    let index = module.edit().word(index as u32);
    let (op, list): (Op, List) = match *others {
        [vector] => (Op::CompositeExtract, [vector, index].into_iter().collect()),
        [vector, component] => (Op::CompositeInsert, [component, vector, index].into_iter().collect()),
        _ => return None,
    };
    Some((Rewritten::New(op, list), None))
}

/// Of an address of a part: one way from the base. It is in bounds if both were.
fn access(module: &Module, inst: Inst) -> Option<Found> {
    let base = module.operand(inst, 0);
    if module.operand_count(inst) == 1 {
        return (module.ty(base) == module.ty(inst)).then_some((Rewritten::Value(base), None));
    }
    let op = match (module.op(base), module.op(inst)) {
        (Op::InBoundsAccessChain, Op::InBoundsAccessChain) => Op::InBoundsAccessChain,
        (Op::AccessChain | Op::InBoundsAccessChain, _) => Op::AccessChain,
        _ => return None,
    };
    new(op, module.operands(base).chain(module.operands(inst).skip(1)), base)
}
