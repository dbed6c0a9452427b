//! Splitting structs and arrays into leaves, and rebuilding them.

use reconverge_ir::{Builder, Inst, Op};

use super::leaves::{Leaf, element_count, leaf_size};

/// The leaf of a value. Constants and values that were just constructed are looked through.
pub(super) fn constituent(build: &mut Builder<'_>, value: Inst, leaf: &Leaf) -> Inst {
    let (mut value, mut path) = (value, leaf.path.as_slice());
    while let Some((&index, rest)) = path.split_first() {
        let module = build.module();
        match module.op(value) {
            Op::ConstantNull => return build.emit(Op::ConstantNull, Some(leaf.ty), &[]),
            // Only scalars and vectors end a path; above them a constituent is an element.
            Op::ConstantComposite | Op::SpecConstantComposite | Op::CompositeConstruct => {
                // The constituents are all operands of these three.
                value = module.operand(value, index as usize);
                path = rest;
            }
            _ => break,
        }
    }
    if path.is_empty() {
        return value;
    }
    let mut operands = vec![value];
    operands.extend(path.iter().map(|&index| build.editor().word(index)));
    build.composite_extract(leaf.ty, &operands)
}

/// An aggregate under construction.
struct PartialAggregate {
    ty: Inst,
    count: usize,
    constituents: Vec<Inst>,
}

/// The value of a type that has these leaves.
pub(super) fn rebuilt(build: &mut Builder<'_>, ty: Inst, leaves: &[Inst]) -> Inst {
    let mut leaves = leaves.iter().copied();
    let mut frames: Vec<PartialAggregate> = Vec::new();
    let mut ty = ty;
    loop {
        let mut value = match (leaf_size(build.module(), ty), element_count(build.module(), ty)) {
            (Some(_), _) => leaves.next().expect("invariant: a type has as many leaves as were computed"),
            (None, Some(0)) => build.composite_construct(ty, &[]),
            (None, count) => {
                let count = count.expect("invariant: the leaves of the type were computed") as usize;
                frames.push(PartialAggregate { ty, count, constituents: Vec::new() });
                ty = part_type(build, ty, 0);
                continue;
            }
        };
        loop {
            let Some(frame) = frames.last_mut() else { return value };
            frame.constituents.push(value);
            if frame.constituents.len() < frame.count {
                ty = part_type(build, frame.ty, frame.constituents.len());
                break;
            }
            value = build.composite_construct(frame.ty, &frame.constituents);
            frames.pop();
        }
    }
}

fn part_type(build: &Builder<'_>, ty: Inst, index: usize) -> Inst {
    build.module().part_type(ty, index).expect("invariant: an aggregate has as many parts as were counted")
}
