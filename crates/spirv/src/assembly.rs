//! Binary SPIR-V as assembly, for reading: the text that `spirv-as` takes.
//!
//! Ids keep their numbers, names stand in `OpName`. Made by the tables of the `rspirv` crate; a module with instructions that those
//! do not know has no assembly here, and `spirv-dis` may have.

use rspirv::binary::Disassemble as _;

/// The assembly of a module, with a line feed at its end. Linear.
///
/// # Errors
/// What cannot be read, in words.
pub fn disassemble(bytes: &[u8]) -> Result<String, String> {
    let module = rspirv::dr::load_bytes(bytes).map_err(|error| error.to_string())?;
    Ok(module.disassemble() + "\n")
}
