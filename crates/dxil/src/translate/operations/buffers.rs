//! Buffers: structured and raw.
//!
//! ```text
//! bufferLoad(structured, index, offset)   ⇒   elements[index · stride / width + offset / width]
//! bufferLoad(raw, offset)                 ⇒   elements[offset / width]
//! ```
//!
//! A buffer is an array of numbers of the narrowest width that the shader accesses. A wider number is several of these, low bits first. Loads
//! read only the components that something uses.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::{Call, images};
use crate::error::unsupported;
use crate::module::ValueId;
use crate::translate::function::{Body, Members, Translated};
use crate::translate::handles::Handle;
use crate::translate::numbers::{Kind, Number};
use crate::translate::resources::Storage;

/// The address of an access: an index of the array of numbers, without the part that is known.
///
/// An address in a buffer. If the array is one of vectors, the index counts vectors, and the known part is the column.
#[derive(Clone, Copy)]
struct Address {
    handle: Handle,
    element: Number,
    columns: u32,
    /// The number of the struct, and how many numbers of the array a struct has: their product may exceed 32 bits.
    in_struct: Option<(Inst, u32)>,
    /// None if all of it is known.
    dynamic: Option<Inst>,
    known: u32,
}

pub(super) fn load(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    match body.bound(handle).storage {
        Storage::Numbers { .. } => load_numbers(body, call, handle),
        Storage::Image(image) => images::read_texel(body, call, handle, image),
        _ => Err(body.invalid(format!("expected a buffer as the resource of the operation {}", call.row.name))),
    }
}

pub(super) fn load_raw(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    load_numbers(body, call, handle)
}

fn load_numbers(body: &mut Body<'_, '_>, call: &Call<'_>, handle: Handle) -> Result<Translated, Diagnostic> {
    let number = call.overload;
    let address = address(body, call, handle)?;
    let mut members = Members::from_elem(None, 5);
    let used = (0..4).filter(|&index| body.uses_member(call.result(), index)).collect::<Vec<_>>();
    if address.is_vector_of(number) && used.len() > 1 && used.iter().all(|&index| (index as u32) < address.columns) {
        let vector = read_vector(body, address)?;
        let ty = body.shader.number_type(address.element);
        for index in used {
            let part = body.component(ty, vector, index as u32);
            members[index] = Some(as_number(body, part, number));
        }
        members[4] = Some(body.shader.u32(0));
        return Ok(Translated::Members(members));
    }
    for index in 0..4 {
        if body.uses_member(call.result(), index) {
            let value = read_number(body, address, number, index as u32 * parts(address.element, number)?)?;
            members[index] = Some(value);
        }
    }
    members[4] = Some(body.shader.u32(0));
    Ok(Translated::Members(members))
}

pub(super) fn store(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    match body.bound(handle).storage {
        Storage::Numbers { .. } => store_numbers(body, call, handle),
        Storage::Image(image) => images::write_texel(body, call, handle, image),
        _ => Err(body.invalid(format!("expected a buffer as the resource of the operation {}", call.row.name))),
    }
}

pub(super) fn store_raw(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    store_numbers(body, call, handle)
}

fn store_numbers(body: &mut Body<'_, '_>, call: &Call<'_>, handle: Handle) -> Result<Translated, Diagnostic> {
    let mask = call.constant(body, 7);
    let number = call.overload;
    let address = address(body, call, handle)?;
    let count = parts(address.element, number)?;
    if address.is_vector_of(number) && mask == (1 << address.columns) - 1 {
        write_vector(body, call, address)?;
        return Ok(Translated::Nothing);
    }
    for component in 0..4u32 {
        if mask >> component & 1 != 0 {
            let value = body.value(call.arguments[3 + component as usize])?;
            write_number(body, address, number, component * count, value)?;
        }
    }
    Ok(Translated::Nothing)
}

/// The width of a number in memory: numbers of at least 16 bits take 32.
pub(super) fn memory_width(number: Number) -> u32 {
    if number.is_relaxed() { number.represented } else { number.width }
}

/// The number of numbers of the array that an access takes.
fn parts(element: Number, number: Number) -> Result<u32, Diagnostic> {
    let (element, width) = (element.width, memory_width(number));
    match width >= element {
        true => Ok(width / element),
        false => {
            let message = format!(
                "accesses of {width} bits to a buffer with atomic operations of {element} bits are not supported"
            );
            Err(unsupported(0, message))
        }
    }
}

/// The address that arguments 1 and 2 of a call name.
fn address(body: &mut Body<'_, '_>, call: &Call<'_>, handle: Handle) -> Result<Address, Diagnostic> {
    let Storage::Numbers { element, stride, columns } = body.bound(handle).storage else {
        return Err(body.invalid(format!("expected a buffer as the resource of the operation {}", call.row.name)));
    };
    let [index, offset] = [call.arguments[1], call.arguments[2]];
    if columns == 1 {
        return address_of(body, handle, (element, stride), [index, offset]);
    }
    let known = body.known_integer(offset).unwrap_or(0) as u32 / (element.width / 8);
    let index = body.unsigned(index)?;
    Ok(Address { handle, element, columns, in_struct: None, dynamic: Some(index), known })
}

fn address_of(
    body: &mut Body<'_, '_>,
    handle: Handle,
    (element, stride): (Number, u32),
    [index, offset]: [ValueId; 2],
) -> Result<Address, Diagnostic> {
    let size = element.width / 8;
    if stride == 0 {
        // A raw buffer: the index counts bytes.
        return by_bytes(body, handle, element, index);
    }
    if !stride.is_multiple_of(size) {
        return Err(
            body.unsupported(format!("structs of {stride} bytes that are accessed by {size} bytes are not supported"))
        );
    }
    let inside = by_bytes(body, handle, element, offset)?;
    let ty = body.shader.int_type(32);
    let per_struct = stride / size;
    if let Some(index) = body.known_integer(index) {
        // What lies beyond 32 bits does not exist, and neither does the last number of all.
        let known = (index as u32).saturating_mul(per_struct).saturating_add(inside.known);
        return Ok(Address { known, ..inside });
    }
    let index = body.value(index)?;
    let first = match per_struct {
        1 => index,
        _ => {
            let per_struct = body.shader.u32(per_struct);
            body.emit(Op::IMul, ty, &[index, per_struct])
        }
    };
    let dynamic = match inside.dynamic {
        None => first,
        Some(inside) => body.emit(Op::IAdd, ty, &[first, inside]),
    };
    Ok(Address { dynamic: Some(dynamic), in_struct: Some((index, per_struct)), ..inside })
}

fn by_bytes(body: &mut Body<'_, '_>, handle: Handle, element: Number, bytes: ValueId) -> Result<Address, Diagnostic> {
    let size = element.width / 8;
    if body.is_undefined(bytes) {
        return Ok(Address { handle, element, columns: 1, in_struct: None, dynamic: None, known: 0 });
    }
    if let Some(bytes) = body.known_integer(bytes) {
        return Ok(Address { handle, element, columns: 1, in_struct: None, dynamic: None, known: bytes as u32 / size });
    }
    let bytes = body.value(bytes)?;
    let (ty, shift) = (body.shader.int_type(32), body.shader.u32(size.trailing_zeros()));
    let index = body.emit(Op::ShiftRightLogical, ty, &[bytes, shift]);
    Ok(Address { handle, element, columns: 1, in_struct: None, dynamic: Some(index), known: 0 })
}

/// An element of the array, and whether it exists, if accesses are to be robust.
struct Place {
    address: Inst,
    exists: Option<Inst>,
}

/// The place at this number of components after an address.
fn place(body: &mut Body<'_, '_>, address: Address, further: u32) -> Result<Place, Diagnostic> {
    let known = address.known.saturating_add(further);
    let u32_type = body.shader.int_type(32);
    let (index, column) = match (address.dynamic, address.columns) {
        (None, _) => (body.shader.u32(known), None),
        (Some(dynamic), 1) if known == 0 => (dynamic, None),
        (Some(dynamic), 1) => {
            let known = body.shader.u32(known);
            (body.emit(Op::IAdd, u32_type, &[dynamic, known]), None)
        }
        (Some(dynamic), columns) => {
            let column = body.shader.u32(known % columns);
            let index = match known / columns {
                0 => dynamic,
                vectors => {
                    let vectors = body.shader.u32(vectors);
                    body.emit(Op::IAdd, u32_type, &[dynamic, vectors])
                }
            };
            (index, Some(column))
        }
    };
    let ty = body.shader.number_type(address.element);
    place_at(body, address, (ty, index), column)
}

/// The place of a whole vector.
fn vector_place(body: &mut Body<'_, '_>, address: Address) -> Result<Place, Diagnostic> {
    let index = address.dynamic.expect("invariant: vectors have an index");
    let ty = body.shader.numbers_type(address.element, address.columns);
    place_at(body, address, (ty, index), None)
}

fn place_at(
    body: &mut Body<'_, '_>,
    Address { handle, in_struct, .. }: Address,
    (ty, index): (Inst, Inst),
    column: Option<Inst>,
) -> Result<Place, Diagnostic> {
    let zero = body.shader.u32(0);
    let path = |index| [zero, index].into_iter().chain(column).collect::<Vec<Inst>>();
    if !body.shader.options.is_robust {
        let address = body.resource_address(handle, ty, &path(index))?;
        return Ok(Place { address, exists: None });
    }
    let (u32_type, bool_type) = (body.shader.int_type(32), body.shader.build.bool_type());
    let resource = body.resource_variable_address(handle)?;
    let member = body.shader.build.editor().word(0);
    let length = body.emit(Op::ArrayLength, u32_type, &[resource, member]);
    let mut exists = body.emit(Op::ULessThan, bool_type, &[index, length]);
    if let Some((number, per_struct)) = in_struct {
        let per_struct = body.shader.u32(per_struct);
        let count = body.emit(Op::UDiv, u32_type, &[length, per_struct]);
        let has_struct = body.emit(Op::ULessThan, bool_type, &[number, count]);
        exists = body.emit(Op::LogicalAnd, bool_type, &[exists, has_struct]);
    }
    // What does not exist is neither read nor written; its address is that of the first element.
    let index = body.emit(Op::Select, u32_type, &[exists, index, zero]);
    let address = body.resource_address(handle, ty, &path(index))?;
    Ok(Place { address, exists: Some(exists) })
}

impl Address {
    /// Returns whether it is that of a whole vector of numbers of this width.
    fn is_vector_of(&self, number: Number) -> bool {
        self.columns > 1 && self.known == 0 && memory_width(number) == self.element.width
    }
}

fn read_vector(body: &mut Body<'_, '_>, address: Address) -> Result<Inst, Diagnostic> {
    let ty = body.shader.numbers_type(address.element, address.columns);
    let place = vector_place(body, address)?;
    let loaded = body.emit(Op::Load, ty, &[place.address]);
    let Some(exists) = place.exists else { return Ok(loaded) };
    let (bool_type, zero) = (body.shader.build.bool_type(), body.shader.null(ty));
    let all = body.shader.vector_type(bool_type, address.columns);
    let all = body.emit(Op::CompositeConstruct, all, &vec![exists; address.columns as usize]);
    Ok(body.emit(Op::Select, ty, &[all, loaded, zero]))
}

fn write_vector(body: &mut Body<'_, '_>, call: &Call<'_>, address: Address) -> Result<(), Diagnostic> {
    let target = body.shader.number_type(address.element);
    let mut parts = Vec::with_capacity(4);
    for &argument in &call.arguments[3..3 + address.columns as usize] {
        let value = body.value(argument)?;
        parts.push(body.reinterpreted(target, value));
    }
    let vector = body.gathered(address.element, &parts);
    let place = vector_place(body, address)?;
    let join = place.exists.map(|exists| body.begin_if(exists));
    body.effect(Op::Store, &[place.address, vector]);
    if let Some(join) = join {
        body.end_if(join);
    }
    Ok(())
}

/// A number of the array as the number that an operation says.
fn as_number(body: &mut Body<'_, '_>, part: Inst, number: Number) -> Inst {
    let ty = body.shader.number_type(number);
    let inst = body.reinterpreted(ty, part);
    body.relax_number(inst, number);
    inst
}

fn read_number(body: &mut Body<'_, '_>, address: Address, number: Number, further: u32) -> Result<Inst, Diagnostic> {
    let count = parts(address.element, number)?;
    let mut read = Vec::with_capacity(count as usize);
    for part in 0..count {
        let ty = body.shader.number_type(address.element);
        let place = place(body, address, further + part)?;
        let loaded = body.emit(Op::Load, ty, &[place.address]);
        read.push(match place.exists {
            None => loaded,
            Some(exists) => {
                let zero = body.shader.constant(address.element, 0);
                body.emit(Op::Select, ty, &[exists, loaded, zero])
            }
        });
    }
    let inst = match read[..] {
        [only] => {
            let ty = body.shader.number_type(number);
            body.reinterpreted(ty, only)
        }
        _ => join(body, address.element, number, &read),
    };
    body.relax_number(inst, number);
    Ok(inst)
}

/// A number from narrower ones, the low bits first.
fn join(body: &mut Body<'_, '_>, element: Number, number: Number, parts: &[Inst]) -> Inst {
    let words: Vec<Inst> = match element.width {
        32 => parts.iter().map(|&part| as_word(body, part)).collect(),
        _ => parts.chunks(2).map(|pair| join_halves(body, pair)).collect(),
    };
    match words[..] {
        [low, high] => body.join_words(number, low, high),
        [only] => {
            let target = body.shader.number_type(number);
            body.reinterpreted(target, only)
        }
        _ => unreachable!("invariant: a number has one word or two"),
    }
}

pub(super) fn as_word(body: &mut Body<'_, '_>, part: Inst) -> Inst {
    let ty = body.shader.int_type(32);
    body.reinterpreted(ty, part)
}

/// A word from two numbers of 16 bits.
fn join_halves(body: &mut Body<'_, '_>, halves: &[Inst]) -> Inst {
    let (ty, narrow) = (body.shader.int_type(32), body.shader.int_type(16));
    let wide: Vec<Inst> = halves
        .iter()
        .map(|&half| {
            let half = body.reinterpreted(narrow, half);
            body.emit(Op::UConvert, ty, &[half])
        })
        .collect();
    let distance = body.shader.u32(16);
    let high = body.emit(Op::ShiftLeftLogical, ty, &[wide[1], distance]);
    body.emit(Op::BitwiseOr, ty, &[wide[0], high])
}

fn write_number(
    body: &mut Body<'_, '_>,
    address: Address,
    number: Number,
    further: u32,
    value: Inst,
) -> Result<(), Diagnostic> {
    let count = parts(address.element, number)?;
    let parts = match count {
        1 => {
            let ty = body.shader.number_type(address.element);
            vec![body.reinterpreted(ty, value)]
        }
        _ => split(body, address.element, number, value),
    };
    for (part, value) in (0..).zip(parts) {
        let place = place(body, address, further + part)?;
        let join = place.exists.map(|exists| body.begin_if(exists));
        body.effect(Op::Store, &[place.address, value]);
        if let Some(join) = join {
            body.end_if(join);
        }
    }
    Ok(())
}

/// A number as narrower ones, the low bits first.
fn split(body: &mut Body<'_, '_>, element: Number, number: Number, value: Inst) -> Vec<Inst> {
    let words = match number.represented {
        64 => body.split_words(value).to_vec(),
        _ => vec![as_word(body, value)],
    };
    let target = body.shader.number_type(element);
    if element.width == 32 {
        return words.into_iter().map(|word| body.reinterpreted(target, word)).collect();
    }
    let (ty, narrow, distance) = (body.shader.int_type(32), body.shader.int_type(16), body.shader.u32(16));
    let mut halves = Vec::new();
    for word in words {
        let high = body.emit(Op::ShiftRightLogical, ty, &[word, distance]);
        for half in [word, high] {
            let half = body.emit(Op::UConvert, narrow, &[half]);
            halves.push(body.reinterpreted(target, half));
        }
    }
    halves
}

/// The address of the number that an atomic operation changes, and whether it exists.
pub(super) fn atomic_place(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
) -> Result<(Inst, Option<Inst>), Diagnostic> {
    let address = address(body, call, handle)?;
    if address.element.width != call.overload.width || address.element.kind != Kind::Int {
        return Err(body.unsupported("atomic operations beside accesses of other widths are not supported"));
    }
    let place = place(body, address, 0)?;
    Ok((place.address, place.exists))
}
