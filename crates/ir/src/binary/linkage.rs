//! The table of exports and imports.
//!
//! One row for each decoration `LinkageAttributes` of a global, in order: the distance of the global from that of the row before, its op,
//! whether it is exported or imported, and the name. It says again what the decorations say, so that a linker need not read anything else;
//! the reader of a whole file compares both.

use super::bytes::{self, Bytes};
use super::error::{ErrorCode, Fault, fault};
use super::op_ids::{id_of, op_of};
use crate::literal::{text_bytes, text_words};
use crate::{Inst, Module, Op};

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol<'b> {
    /// The name; bytes, since nothing makes a name UTF-8.
    pub name: &'b [u8],
    /// The op of the instruction that has the name.
    pub op: Op,
    /// The linkage, imported, exported or another one of a newer version of SPIR-V: a word of `LinkageType`.
    pub linkage: u32,
    /// The number of the instruction among the globals of the file.
    pub global: u32,
}

impl Symbol<'_> {
    /// Returns whether the instruction declares one in another module.
    pub fn is_import(&self) -> bool {
        self.linkage == spirv::LinkageType::Import as u32
    }
}

/// Name and linkage of a decoration, if it is one that the table has.
pub(super) fn of_decoration(module: &Module, decoration: Inst) -> Option<(Vec<u8>, u32)> {
    let mut operands = module.operands(decoration);
    let is_linkage = module.op(decoration) == Op::Decorate
        && module.literal_words(operands.next()?) == [spirv::Decoration::LinkageAttributes as u32];
    let (name, linkage) = (operands.next().filter(|_| is_linkage)?, operands.next()?);
    let name = Some(module.literal_words(name)).filter(|_| module.op(name) == Op::LiteralText)?;
    let (text, &[linkage]) = (text_bytes(name), module.literal_words(linkage)) else { return None };
    (text_words(&text) == name).then_some((text, linkage))
}

/// The section; empty if nothing is exported or imported.
pub(super) fn write(module: &Module) -> Vec<u8> {
    let (mut rows, mut count, mut last) = (Vec::new(), 0, 0);
    for (number, global) in (0..).zip(module.children(module.root())) {
        for (name, linkage) in module.decorations(global).iter().filter_map(|&inst| of_decoration(module, inst)) {
            bytes::push(&mut rows, number - last);
            bytes::push(&mut rows, u32::from(id_of(module.op(global))));
            bytes::push(&mut rows, linkage);
            bytes::push_text(&mut rows, &name);
            (count, last) = (count + 1, number);
        }
    }
    let mut out = Vec::new();
    if count > 0 {
        bytes::push(&mut out, count);
        out.extend(rows);
    }
    out
}

/// Reads the section.
pub(super) fn read(mut bytes: Bytes<'_>, globals: u32) -> Result<Vec<Symbol<'_>>, Fault> {
    let count = if bytes.is_at_end() { 0 } else { bytes.count("exports and imports")? };
    // A row takes four bytes.
    let mut symbols = Vec::with_capacity(count.min(bytes.left() as u32 / 4) as usize);
    let mut global = 0u32;
    for _ in 0..count {
        let offset = bytes.offset();
        global = global.saturating_add(bytes.number()?);
        let id = bytes.number()?;
        let (linkage, name) = (bytes.number()?, bytes.text()?);
        let found = op_of(id).filter(|_| global < globals);
        let Some(op) = found else {
            let message = format!("expected a global and its op, found number {global} and op {id}");
            return Err(fault(offset, ErrorCode::Linkage, message));
        };
        symbols.push(Symbol { name, op, linkage, global });
    }
    bytes.expect_end("the exports and imports")?;
    Ok(symbols)
}
