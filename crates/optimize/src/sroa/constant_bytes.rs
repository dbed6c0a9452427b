//! Contents of constant memory: the bytes at a pointer into a variable that cannot be written.
//!
//! ```text
//! %table = variable UniformConstant, {1, 2, 3, 4}      copy from %table + 4, an i32      ⇒      constant 2
//! ```
//!
//! Follows a path down the initializer, then reads scalars byte by byte. Linear in the nesting and in the requested bytes.

use reconverge_analysis::Layouts;
use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::StorageClass;

use super::accesses::constant_distance;
use super::convert::integer;
use super::leaves::{components, leaf_size};

/// A position in the initializer of a constant variable.
#[derive(Clone, Copy)]
pub(super) struct ConstantPlace {
    initializer: Inst,
    offset: u64,
}

/// The position that a pointer points to, if it is in constant memory at a constant offset.
pub(super) fn constant_place(module: &Module, layouts: &mut Layouts, pointer: Inst) -> Option<ConstantPlace> {
    let (mut base, mut offset) = (pointer, 0_i64);
    while let Some(derived) = view::DerivedPointer::of(module, base) {
        offset = offset.checked_add(constant_distance(module, layouts, base)?)?;
        base = derived.base;
    }
    let variable = view::Variable::of(module, base)?;
    let is_constant = module.storage_class(base) == Some(StorageClass::UniformConstant);
    let initializer = variable.initializer.filter(|_| is_constant)?;
    let offset = u64::try_from(offset).ok()?;
    let size = layouts.of(module, module.pointee(base)?).ok()?.size;
    (offset <= size).then_some(ConstantPlace { initializer, offset })
}

/// The constant of a leaf type at a position; `None` if its bytes are not known.
pub(super) fn constant_at(
    build: &mut Builder<'_>,
    layouts: &mut Layouts,
    place: ConstantPlace,
    ty: Inst,
) -> Option<Inst> {
    let size = leaf_size(build.module(), ty)?;
    let bytes: Option<Vec<u8>> =
        (0..size).map(|index| byte(build.module(), layouts, place.initializer, place.offset + index)).collect();
    let bytes = bytes?;
    if bytes.iter().all(|&byte| byte == 0) {
        return Some(build.emit(Op::ConstantNull, Some(ty), &[]));
    }
    match components(build.module(), ty) {
        Some((component, count)) => {
            let chunks = bytes.chunks_exact(bytes.len() / count as usize);
            let constituents: Option<Vec<Inst>> = chunks.map(|bytes| number(build, component, bytes)).collect();
            Some(build.emit(Op::ConstantComposite, Some(ty), &constituents?))
        }
        None => number(build, ty, &bytes),
    }
}

impl ConstantPlace {
    /// The position some bytes further.
    pub(super) fn advanced(self, bytes: u64) -> ConstantPlace {
        ConstantPlace { offset: self.offset.saturating_add(bytes), ..self }
    }
}

fn number(build: &mut Builder<'_>, ty: Inst, bytes: &[u8]) -> Option<Inst> {
    let is_number = matches!(build.module().op(ty), Op::TypeInt | Op::TypeFloat);
    let value = bytes.iter().rev().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
    is_number.then(|| integer(build, ty, value))
}

/// One byte of a constant. Padding is zero.
fn byte(module: &Module, layouts: &mut Layouts, constant: Inst, mut offset: u64) -> Option<u8> {
    let mut constant = constant;
    loop {
        let ty = module.ty(constant)?;
        match module.op(constant) {
            Op::ConstantNull | Op::Undef => return Some(0),
            Op::Constant => {
                let word = module.constant_words(constant)?.get(usize::try_from(offset / 4).ok()?)?;
                return Some(word.to_le_bytes()[(offset % 4) as usize]);
            }
            Op::ConstantComposite => match element_at(module, layouts, ty, offset)? {
                Element::Inside { index, distance } => {
                    constant = view::ConstantComposite::of(module, constant)?.constituents.at(index)?;
                    offset = distance;
                }
                Element::Padding => return Some(0),
            },
            _ => return None,
        }
    }
}

enum Element {
    Inside { index: usize, distance: u64 },
    Padding,
}

/// The element of an aggregate or vector that a byte belongs to.
fn element_at(module: &Module, layouts: &mut Layouts, ty: Inst, offset: u64) -> Option<Element> {
    let (index, start) = match module.op(ty) {
        Op::TypeStruct => {
            let (mut low, mut high) = (0, module.operand_count(ty));
            while low < high {
                let middle = low.midpoint(high);
                match layouts.member_offset(module, ty, middle).ok()? <= offset {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            let Some(index) = low.checked_sub(1) else { return Some(Element::Padding) };
            (index, layouts.member_offset(module, ty, index).ok()?)
        }
        Op::TypeArray | Op::TypeVector => {
            let stride = layouts.element_stride(module, ty).ok().filter(|&stride| stride > 0)?;
            let index = offset / stride;
            (usize::try_from(index).ok()?, index * stride)
        }
        _ => return None,
    };
    let distance = offset - start;
    let is_inside = distance < layouts.of(module, module.part_type(ty, index)?).ok()?.size;
    Some(if is_inside { Element::Inside { index, distance } } else { Element::Padding })
}
