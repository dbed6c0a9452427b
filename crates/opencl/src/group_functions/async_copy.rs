//! Asynchronous copies: each lane of the work-group copies its share of the elements.
//!
//! ```text
//! ^b: …                                      ^b: …  %lane = load %local_index
//!     %e = group_async_copy %to, %from,          branch ^header(%lane)
//!            %count, %stride, …              ^header(%i): branch_if (%i < %count) ^body ^rest
//!     …                                  ⇒   ^body: %to[%i] = %from[%i * %stride]
//!                                                branch ^header(%i + %lanes)
//!                                            ^rest: …
//! ```
//!
//! The stride applies to global memory (OpenCL C 3.0, section 6.15.11): to the source if the destination is local memory, and vice versa.
//! Vectors of 8 and 16, which shaders lack, are copied in fours.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Inst, Module, Op, Position, view};
use spirv::{BuiltIn, StorageClass};

use crate::Context;
use crate::blocks::split_behind;
use crate::builtins::work_group_size;
use crate::error;
use crate::scalars::{convert_unsigned, innermost, integer, is_int, vector_type};

/// Expands a copy. Its event becomes undefined.
pub(super) fn expand(module: &mut Module, context: &mut Context, inst: Inst) -> Result<(), Diagnostic> {
    let Some(copy) = view::GroupAsyncCopy::of(module, inst) else { return Ok(()) };
    let (to, from) = (copy.destination, copy.source);
    let element = copied_element(module, inst, [to, from])?;
    let (component, count) = module.components(element);
    let function = module.function_of(inst).expect("invariant: a copy stands in a function");
    let size = work_group_size(&mut Builder::new(module), context, function);
    let is_to_local = module.storage_class(to) == Some(StorageClass::Workgroup);
    let before = module.block_of(inst).expect("invariant: a copy stands in a block");
    let rest = split_behind(module, inst);
    let mut build = Builder::new(module);
    let (header, body) = add_loop(&mut build, before);
    let u64_type = build.int_type(64);
    let number = build.add_parameter(header, u64_type).inst();

    build.at_end(before);
    let first = lane(&mut build, context, u64_type);
    let all = convert_unsigned(&mut build, copy.count, u64_type);
    let stride = convert_unsigned(&mut build, copy.stride, u64_type);
    let lanes = lanes(&mut build, size);
    let lanes = convert_unsigned(&mut build, lanes, u64_type);
    build.branch(&[header.into(), first]);

    build.at_end(header);
    let bool_type = build.bool_type();
    let more = build.u_less_than(bool_type, &[number, all]);
    build.branch_if(&[more, body.into(), rest.into()]);

    build.at_end(body);
    let strided = build.i_mul(u64_type, &[number, stride]);
    let [at, other] = if is_to_local { [number, strided] } else { [strided, number] };
    copy_element(&mut build, [to, at], [from, other], component, count);
    let next = build.i_add(u64_type, &[number, lanes]);
    build.branch(&[header.into(), next]);

    let ty = build.module().ty(inst).expect("invariant: a copy has a type");
    let undefined = build.editor().append_global(Op::Undef, Some(ty), &[]);
    super::replace(&mut build, inst, undefined);
    module.edit().delete(inst);
    Ok(())
}

/// The type of the elements of a copy. If clang gives the pointers the type of a whole array, it is the type of the innermost elements of
/// the array, unless the base pointers have another type.
fn copied_element(module: &Module, inst: Inst, pointers: [Inst; 2]) -> Result<Inst, Diagnostic> {
    let [declared, other] = pointers.map(|pointer| module.pointee(pointer));
    let declared = declared.filter(|_| declared == other);
    let declared = declared.ok_or_else(|| error::rejected(inst, "an asynchronous copy between types"))?;
    let element = innermost(module, declared);
    if !matches!(module.op(module.components(element).0), Op::TypeInt | Op::TypeFloat) {
        return Err(error::unsupported(inst, "an asynchronous copy of values that are neither numbers nor vectors"));
    }
    let is_told_otherwise = |pointer: Inst| {
        let origin = module.pointee(origin(module, pointer)).map(|ty| innermost(module, ty));
        // A pointer to bytes does not determine the element type.
        origin.is_some_and(|origin| origin != element && !is_int(module, origin, 8))
    };
    if declared != element && pointers.into_iter().any(is_told_otherwise) {
        return Err(error::unsupported(inst, "an asynchronous copy whose elements have two types"));
    }
    Ok(element)
}

/// The pointer that another one was derived from by casts and steps.
fn origin(module: &Module, mut pointer: Inst) -> Inst {
    while matches!(module.op(pointer), Op::Bitcast | Op::PtrAccessChain | Op::InBoundsPtrAccessChain)
        && let Some(from) = module.operands(pointer).next()
    {
        pointer = from;
    }
    pointer
}

/// The two blocks of the loop, between the two parts of the block.
fn add_loop(build: &mut Builder<'_>, before: Block) -> (Block, Block) {
    let editor = build.editor();
    let header = editor.insert(Position::After(before.into()), Op::Block, None, &[]);
    let body = editor.insert(Position::After(header), Op::Block, None, &[]);
    let module = editor.module();
    let block = |inst| module.cast(inst).expect("a block is a block");
    (block(header), block(body))
}

fn lane(build: &mut Builder<'_>, context: &mut Context, ty: Inst) -> Inst {
    let u32_type = build.int_type(32);
    let variable = context.found.input_variable(build, BuiltIn::LocalInvocationIndex, u32_type);
    let lane = build.load(u32_type, &[variable]);
    convert_unsigned(build, lane, ty)
}

fn lanes(build: &mut Builder<'_>, [x, y, z]: [Inst; 3]) -> Inst {
    let u32_type = build.int_type(32);
    let row = build.i_mul(u32_type, &[x, y]);
    build.i_mul(u32_type, &[row, z])
}

/// Copies an element; each side is a pointer and an element number. Vectors of three have the size of four, and are copied with their
/// padding.
fn copy_element(build: &mut Builder<'_>, to: [Inst; 2], from: [Inst; 2], component: Inst, count: u32) {
    let room = count.next_power_of_two();
    let parts = room.div_ceil(4);
    let part_type = vector_type(build, component, room.min(4));
    let u64_type = build.int_type(64);
    for part in 0..parts {
        let [source, target] = [from, to].map(|[pointer, number]| {
            let class = build.module().storage_class(pointer).unwrap_or(StorageClass::Generic);
            let ty = build.pointer_type(class, part_type);
            let cast = match build.module().ty(pointer) == Some(ty) {
                true => pointer,
                false => build.bitcast(ty, &[pointer]),
            };
            if parts == 1 {
                return build.ptr_access_chain(ty, &[cast, number]);
            }
            let scale = integer(build, u64_type, u64::from(parts));
            let scaled = build.i_mul(u64_type, &[number, scale]);
            let offset = integer(build, u64_type, u64::from(part));
            let number = build.i_add(u64_type, &[scaled, offset]);
            build.ptr_access_chain(ty, &[cast, number])
        });
        let value = build.load(part_type, &[source]);
        build.store(&[target, value]);
    }
}
