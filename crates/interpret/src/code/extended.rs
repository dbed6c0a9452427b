//! Decoding of extended instructions that access memory.

use reconverge_ir::Op;
use reconverge_ir::view::Operands;

use crate::code::addresses;
use crate::code::decode::{Decoder, missing};
use crate::extended::Extended;
use crate::extended::access::ExtendedAccess;
use crate::fault::Fault;

/// The facts about types that an instruction with memory accesses needs (`lanes/extended/memory.rs`); none for others.
pub(crate) fn memory_literals(
    decoder: &Decoder<'_>,
    operands: Operands<'_>,
    op: Extended,
) -> Result<Option<[u32; 2]>, Fault> {
    let Some(access) = ExtendedAccess::of(op) else { return Ok(None) };
    let pointee = addresses::pointee_of(decoder, operands.at(access.pointer()).ok_or_else(missing)?)?;
    let first = operands.first().ok_or_else(missing)?;
    let is_value = decoder.module().op(first) != Op::LiteralWords;
    let count = if is_value { decoder.program.vector_length(first) } else { None };
    Ok(Some([pointee, count.unwrap_or(1)]))
}
