//! Reinterpretation of values as bytes: as another type, several pieces as one value, one value as several pieces.
//!
//! ```text
//! i64 over two f32       %a' = bitcast i32 %a; %b' = bitcast i32 %b
//!                        %low = u_convert i64 %a'; %high = shift_left_logical (u_convert i64 %b'), 32; bitwise_or %low, %high
//! ```
//!
//! The first byte is the lowest, as in OpenCL's and Vulkan's memory.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::StorageClass;

use super::leaves::{components, leaf_size};

/// A value with its type and size in bytes.
#[derive(Clone, Copy)]
pub(super) struct TypedValue {
    pub(super) value: Inst,
    pub(super) ty: Inst,
}

/// The bytes of a value as another type of the same size.
pub(super) fn convert(build: &mut Builder<'_>, part: TypedValue, ty: Inst) -> Inst {
    let TypedValue { value, ty: from } = part;
    if from == ty {
        return value;
    }
    let is_pointer = |ty: Inst| build.module().op(ty) == Op::TypePointer;
    match (is_pointer(from), is_pointer(ty)) {
        (false, false) => build.bitcast(ty, &[value]),
        (true, true) if class(build.module(), from) == class(build.module(), ty) => build.bitcast(ty, &[value]),
        _ => {
            let number = as_integer(build, part);
            from_integer(build, number, ty)
        }
    }
}

/// The storage class of a pointer type.
fn class(module: &Module, ty: Inst) -> Option<StorageClass> {
    view::TypePointer::of(module, ty)?.storage_class
}

/// Consecutive parts combined to one value. A vector needs whole components, a scalar any parts.
pub(super) fn join(build: &mut Builder<'_>, parts: &[TypedValue], ty: Inst) -> Inst {
    if let &[only] = parts {
        return convert(build, only, ty);
    }
    let Some((component, _)) = components(build.module(), ty) else { return join_scalar(build, parts, ty) };
    let size = size(build, component);
    let (mut constituents, mut first) = (Vec::new(), 0);
    while first < parts.len() {
        let (mut taken, mut bytes) = (0, 0);
        while bytes < size {
            bytes += self::size(build, parts[first + taken].ty);
            taken += 1;
        }
        constituents.push(join(build, &parts[first..first + taken], component));
        first += taken;
    }
    build.composite_construct(ty, &constituents)
}

fn join_scalar(build: &mut Builder<'_>, parts: &[TypedValue], ty: Inst) -> Inst {
    let bits = size(build, ty) as u32 * 8;
    let number_type = build.int_type(bits);
    let (mut joined, mut shift) = (None, 0);
    for &part in parts {
        let narrow = as_integer(build, part);
        let wide = resized(build, narrow, number_type);
        let placed = match shift {
            0 => wide,
            _ => {
                let distance = integer(build, number_type, shift);
                build.shift_left_logical(number_type, &[wide, distance])
            }
        };
        joined = Some(match joined {
            None => placed,
            Some(low) => build.bitwise_or(number_type, &[low, placed]),
        });
        shift += size(build, part.ty) * 8;
    }
    let value = joined.expect("invariant: a value has at least one part");
    from_integer(build, TypedValue { value, ty: number_type }, ty)
}

/// One value split into consecutive parts of these types.
pub(super) fn split(build: &mut Builder<'_>, whole: TypedValue, types: &[Inst]) -> Vec<Inst> {
    if let &[only] = types {
        return vec![convert(build, whole, only)];
    }
    let Some((component, count)) = components(build.module(), whole.ty) else {
        return split_scalar(build, whole, types);
    };
    let size = size(build, component);
    let (mut parts, mut first) = (Vec::new(), 0);
    for index in 0..count {
        let (mut taken, mut bytes) = (0, 0);
        while bytes < size {
            bytes += self::size(build, types[first + taken]);
            taken += 1;
        }
        let literal = build.editor().word(index);
        let value = build.composite_extract(component, &[whole.value, literal]);
        parts.extend(split(build, TypedValue { value, ty: component }, &types[first..first + taken]));
        first += taken;
    }
    parts
}

fn split_scalar(build: &mut Builder<'_>, whole: TypedValue, types: &[Inst]) -> Vec<Inst> {
    let TypedValue { value, ty: number_type } = as_integer(build, whole);
    let mut shift = 0;
    let parts = types.iter().map(|&ty| {
        let shifted = match shift {
            0 => value,
            _ => {
                let distance = integer(build, number_type, shift);
                build.shift_right_logical(number_type, &[value, distance])
            }
        };
        let bytes = size(build, ty);
        shift += bytes * 8;
        let narrow_type = build.int_type(bytes as u32 * 8);
        let narrow = resized(build, TypedValue { value: shifted, ty: number_type }, narrow_type);
        from_integer(build, TypedValue { value: narrow, ty: narrow_type }, ty)
    });
    parts.collect()
}

/// The bytes of a value of at most 64 bits as an integer.
fn as_integer(build: &mut Builder<'_>, part: TypedValue) -> TypedValue {
    let ty = build.int_type(size(build, part.ty) as u32 * 8);
    let value = match build.module().op(part.ty) {
        _ if part.ty == ty => part.value,
        Op::TypePointer => build.convert_ptr_to_u(ty, &[part.value]),
        _ => build.bitcast(ty, &[part.value]),
    };
    TypedValue { value, ty }
}

/// The bytes of an integer as a type of the same size.
fn from_integer(build: &mut Builder<'_>, number: TypedValue, ty: Inst) -> Inst {
    match build.module().op(ty) {
        _ if number.ty == ty => number.value,
        Op::TypePointer => build.convert_u_to_ptr(ty, &[number.value]),
        _ => build.bitcast(ty, &[number.value]),
    }
}

/// Zero-extends or truncates an integer.
fn resized(build: &mut Builder<'_>, number: TypedValue, ty: Inst) -> Inst {
    if number.ty == ty { number.value } else { build.u_convert(ty, &[number.value]) }
}

fn size(build: &Builder<'_>, ty: Inst) -> u64 {
    leaf_size(build.module(), ty).expect("invariant: only leaves are converted")
}

/// The constant of a scalar type of at most 64 bits. Narrow signed integers are sign-extended, as SPIR-V requires (section 2.2.1).
pub(super) fn integer(build: &mut Builder<'_>, ty: Inst, value: u64) -> Inst {
    let is_wide = size(build, ty) == 8;
    let module = build.module();
    let is_signed = matches!(module.type_view(ty), Some(TypeView::Int { is_signed: true, .. }));
    let unused = 64 - 8 * size(build, ty);
    let value = if is_signed { ((value << unused).cast_signed() >> unused).cast_unsigned() } else { value };
    let words = [value as u32, (value >> 32) as u32];
    let literal = build.editor().literal(if is_wide { &words } else { &words[..1] });
    build.emit(Op::Constant, Some(ty), &[literal])
}
