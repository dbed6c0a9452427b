//! Constants as bytes: the memory contents of an initializer.
//!
//! ```text
//! struct { u8 1, u32 7 }     ⇒     01 00 00 00 07 00 00 00
//! ```
//!
//! Undefined bytes are zero. Addresses are listed separately. With an explicit stack; linear in the constants, each as often as it occurs
//! in the initializer.

use reconverge_analysis::{LayoutError, Layouts};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, Op, view};

use super::cells::Cells;
use super::chain::{Chain, compute_chain, integer_constant};
use super::leaves::scalar_bytes;
use super::space::space_of;
use crate::error;
use crate::scalars::{constant_operation, is_int};

/// The maximal number of operands of a constant.
const GREATEST_COUNT: usize = 65_535;

/// The maximal number of bytes of the initializers of a class.
const LIMIT: u64 = 1 << 28;

/// An initializer as bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Image {
    pub(super) bytes: Vec<u8>,
    /// The pointers in it.
    pub(super) pointers: Vec<PointerAt>,
}

/// A pointer in an initializer: the 8 bytes at `at` are the address of a variable plus an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PointerAt {
    pub(super) at: u64,
    pub(super) variable: Inst,
    pub(super) offset: i64,
}

impl Image {
    /// This number of zeros.
    ///
    /// # Errors
    /// Too many bytes.
    pub(super) fn zeros(size: u64, at: Inst) -> Result<Image, Diagnostic> {
        if size > LIMIT {
            return Err(error::limit(at, format!("more than {LIMIT} bytes of constants")));
        }
        Ok(Image { bytes: vec![0; size as usize], pointers: Vec::new() })
    }

    /// Writes the initializer of a variable at an offset.
    ///
    /// # Errors
    /// Initializers that depend on specialization, types without a layout.
    pub(super) fn put(
        &mut self,
        module: &Module,
        layouts: &mut Layouts,
        start: u64,
        initializer: Inst,
    ) -> Result<(), Diagnostic> {
        let mut stack = vec![(initializer, start)];
        while let Some((constant, at)) = stack.pop() {
            match module.op(constant) {
                Op::ConstantNull | Op::Undef | Op::ConstantFalse => {}
                Op::ConstantTrue => self.write(at, &[1]),
                Op::ConstantComposite => {
                    let offsets = element_offsets(module, layouts, constant)?;
                    stack.extend(module.operands(constant).zip(offsets).map(|(part, offset)| (part, at + offset)));
                }
                Op::Constant => {
                    let ty = module.ty(constant).expect("invariant: a constant has a type");
                    let size = layouts.of(module, ty).map_err(|error| no_layout(constant, &error))?.size as usize;
                    let words = module.constant_words(constant).unwrap_or_default();
                    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(size).collect();
                    self.write(at, &bytes);
                }
                _ if space_of(module, constant).is_some() => {
                    let (variable, offset) = constant_pointer(module, layouts, constant)?;
                    match variable {
                        Some(variable) => self.pointers.push(PointerAt { at, variable, offset }),
                        None => self.write(at, &offset.to_le_bytes()),
                    }
                }
                op => {
                    let message = format!("an initializer that contains `{}`", op.name());
                    return Err(error::unsupported(constant, message));
                }
            }
        }
        Ok(())
    }

    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) {
        let at = at as usize;
        if let Some(target) = self.bytes.get_mut(at..at + bytes.len()) {
            target.copy_from_slice(bytes);
        }
    }
}

fn no_layout(at: Inst, error: &LayoutError) -> Diagnostic {
    error::unsupported(at, format!("an initializer of {error}"))
}

/// The offsets of the constituents of a composite constant.
fn element_offsets(module: &Module, layouts: &mut Layouts, constant: Inst) -> Result<Vec<u64>, Diagnostic> {
    let ty = module.ty(constant).expect("invariant: a constant has a type");
    let count = module.operand_count(constant);
    if module.op(ty) == Op::TypeStruct {
        let offsets = (0..count).map(|member| layouts.member_offset(module, ty, member));
        return offsets.collect::<Result<_, _>>().map_err(|error| no_layout(constant, &error));
    }
    let stride = layouts.element_stride(module, ty).map_err(|error| no_layout(constant, &error))?;
    Ok((0..count as u64).map(|index| index * stride).collect())
}

/// The variable that a constant pointer points into, and the offset; no variable for null.
///
/// # Errors
/// Ops that do not define constant pointers. Linear in the constants that it is computed from.
pub(super) fn constant_pointer(
    module: &Module,
    layouts: &mut Layouts,
    pointer: Inst,
) -> Result<(Option<Inst>, i64), Diagnostic> {
    let (mut current, mut offset) = (pointer, 0_i64);
    loop {
        match module.op(current) {
            Op::Variable => return Ok((Some(current), offset)),
            Op::ConstantNull | Op::Undef => return Ok((None, offset)),
            Op::SpecConstantOp => {
                let (op, operands) = constant_operation(module, current).ok_or_else(|| unknown(current))?;
                let operands = operands.to_vec();
                match (op, operands.first()) {
                    (op, Some(&base)) if view::Chain::covers(op) => {
                        let chain = compute_chain(module, layouts, op, &operands, current)?;
                        let added = match bytes_in_wrong_units(module, current, &chain, &operands) {
                            Some(bytes) => bytes,
                            None if chain.indices.is_empty() => chain.constant,
                            None => return Err(unknown(current)),
                        };
                        offset = offset.wrapping_add(added);
                        current = base;
                    }
                    (Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::CopyObject, Some(&base))
                        if space_of(module, base).is_some() =>
                    {
                        current = base;
                    }
                    _ => return Err(unknown(current)),
                }
            }
            _ => return Err(unknown(current)),
        }
    }
}

/// The byte offset of an access chain whose result type differs from its indexed type, if it is one.
///
/// LLVM's SPIR-V back end (22) writes an address at a byte offset in a variable as element 0 with the offset as index: without the cast to
/// a byte pointer that it writes in functions. The result type is a byte pointer all the same, which identifies this form.
fn bytes_in_wrong_units(module: &Module, inst: Inst, chain: &Chain, operands: &[Inst]) -> Option<i64> {
    let end = module.pointee(inst)?;
    match *operands {
        [_, element, index]
            if is_int(module, end, 8) && chain.end != end && integer_constant(module, element) == Some(0) =>
        {
            integer_constant(module, index)
        }
        _ => None,
    }
}

fn unknown(at: Inst) -> Diagnostic {
    error::unsupported(at, "a constant pointer that is computed by an unknown operation")
}

/// The constant with the bytes of an initializer, in the type of the cells. `None` if there are more cells than a constant can have.
pub(super) fn image_constant(module: &mut Module, cells: &Cells, bytes: &[u8]) -> Option<Inst> {
    let ty = cells.contents_type(module);
    if bytes.iter().all(|&byte| byte == 0) {
        return Some(module.edit().unique(Op::ConstantNull, Some(ty), &[]));
    }
    let mut values = Vec::new();
    for chunk in bytes.chunks(cells.bytes as usize) {
        values.push(cell_constant(module, cells, chunk));
    }
    match values[..] {
        _ if values.len() > GREATEST_COUNT => None,
        [value] if cells.is_single() => Some(value),
        _ => Some(module.edit().unique(Op::ConstantComposite, Some(ty), &values)),
    }
}

/// The constant of one cell.
fn cell_constant(module: &mut Module, cells: &Cells, bytes: &[u8]) -> Inst {
    let (component, count) = module.components(cells.cell);
    let scalar = scalar_bytes(module, component).unwrap_or(cells.bytes) as usize;
    let mut scalars = Vec::new();
    for chunk in bytes.chunks(scalar).take(count as usize) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let words: Vec<u32> = word
            .chunks(4)
            .take(scalar.div_ceil(4))
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        let literal = module.edit().literal(&words);
        scalars.push(module.edit().unique(Op::Constant, Some(component), &[literal]));
    }
    match count {
        1 => scalars[0],
        _ => module.edit().unique(Op::ConstantComposite, Some(cells.cell), &scalars),
    }
}
