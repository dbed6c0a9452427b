//! Constant buffers: rows of 16 bytes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::Call;
use super::buffers::{as_word, memory_width};
use crate::translate::function::{Body, Members, Translated};
use crate::translate::handles::Handle;
use crate::translate::numbers::Number;
use crate::translate::resources::Storage;

/// A row of a constant buffer: 16 bytes.
pub(super) fn load_row(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    let number = call.overload;
    let row = body.unsigned(call.arguments[1])?;
    let count = (128 / number.represented) as usize;
    let mut members = Members::from_elem(None, count);
    for index in 0..count {
        if body.uses_member(call.result(), index) {
            members[index] = Some(constant_number(body, handle, row, number, index as u32)?);
        }
    }
    Ok(Translated::Members(members))
}

/// A number of a constant buffer, by its offset in bytes.
pub(super) fn load_constant(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    let number = call.overload;
    let size = memory_width(number) / 8;
    let Some(offset) = body.known_integer(call.arguments[1]) else {
        return load_constant_anywhere(body, call, handle);
    };
    let row = body.shader.u32(offset as u32 / 16);
    let value = constant_number(body, handle, row, number, offset as u32 % 16 / size)?;
    Ok(Translated::Value(value))
}

/// The same where the offset is not known: the component is chosen by an index too.
fn load_constant_anywhere(body: &mut Body<'_, '_>, call: &Call<'_>, handle: Handle) -> Result<Translated, Diagnostic> {
    if memory_width(call.overload) != 32 {
        return Err(body.unsupported(
            "the operation CBufferLoad with an offset that is no constant is supported for 32 bits alone",
        ));
    }
    let ty = body.shader.int_type(32);
    let offset = body.value(call.arguments[1])?;
    let [four, two, three] = [4, 2, 3].map(|word| body.shader.u32(word));
    let row = body.emit(Op::ShiftRightLogical, ty, &[offset, four]);
    let word = body.emit(Op::ShiftRightLogical, ty, &[offset, two]);
    let component = body.emit(Op::BitwiseAnd, ty, &[word, three]);
    let word = row_word(body, handle, row, component)?;
    let target = body.shader.number_type(call.overload);
    Ok(Translated::Value(body.reinterpreted(target, word)))
}

/// A number of a row, counted in numbers of its width.
fn constant_number(
    body: &mut Body<'_, '_>,
    handle: Handle,
    row: Inst,
    number: Number,
    index: u32,
) -> Result<Inst, Diagnostic> {
    let word = |body: &mut Body<'_, '_>, index| {
        let component = body.shader.u32(index);
        row_word(body, handle, row, component)
    };
    let target = body.shader.number_type(number);
    let inst = match number.represented {
        64 => {
            let (low, high) = (word(body, 2 * index)?, word(body, 2 * index + 1)?);
            let words = [low, high].map(|part| as_word(body, part));
            body.join_words(number, words[0], words[1])
        }
        16 => {
            let both = word(body, index / 2)?;
            let both = as_word(body, both);
            let (ty, narrow, distance) = (body.shader.int_type(32), body.shader.int_type(16), body.shader.u32(16));
            let half = match index % 2 {
                0 => both,
                _ => body.emit(Op::ShiftRightLogical, ty, &[both, distance]),
            };
            let half = body.emit(Op::UConvert, narrow, &[half]);
            body.reinterpreted(target, half)
        }
        _ => {
            let word = word(body, index)?;
            body.reinterpreted(target, word)
        }
    };
    body.relax_number(inst, number);
    Ok(inst)
}

/// A word of a row. The component is an index of 0 to 3.
fn row_word(body: &mut Body<'_, '_>, handle: Handle, row: Inst, component: Inst) -> Result<Inst, Diagnostic> {
    let Storage::Rows { element } = body.bound(handle).storage else {
        return Err(body.invalid("expected a constant buffer as the resource of the operation"));
    };
    let (zero, ty) = (body.shader.u32(0), body.shader.number_type(element));
    if !body.shader.options.is_robust {
        let address = body.resource_address(handle, ty, &[zero, row, component])?;
        return Ok(body.emit(Op::Load, ty, &[address]));
    }
    let (u32_type, bool_type) = (body.shader.int_type(32), body.shader.build.bool_type());
    let count = body.shader.u32(body.shader.handles.resources[handle.resource].bytes.div_ceil(16).max(1));
    let exists = body.emit(Op::ULessThan, bool_type, &[row, count]);
    let row = body.emit(Op::Select, u32_type, &[exists, row, zero]);
    let address = body.resource_address(handle, ty, &[zero, row, component])?;
    let loaded = body.emit(Op::Load, ty, &[address]);
    let none = body.shader.constant(element, 0);
    Ok(body.emit(Op::Select, ty, &[exists, loaded, none]))
}
