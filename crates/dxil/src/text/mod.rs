//! A module as LLVM 3.7 assembly.
//!
//! The text is that of the compiler's disassembler without its comments, with the numbers that LLVM gives to values, blocks and metadata.
//! Attributes are those that a module keeps; structs are listed in the order of the table of types. Strings that are not UTF-8 were replaced
//! when they were read.
//!
//! Types and constants without a name are written out at each use; the depth and size of both is limited, so the recursion is too.

mod constants;
mod function;
mod instruction;
mod metadata;
mod names;
mod numbering;
mod types;

use crate::module::{Function, GlobalVariable, Linkage, MemoryEffect, Module, Type, TypeId};

use numbering::{GlobalNumbers, LocalNumbers, MetadataNumbers};

/// Prints a module. Linear in the length of the text, in which constants are written out at each use.
pub fn print(module: &Module) -> String {
    let mut printer = Printer {
        module,
        out: String::new(),
        globals: GlobalNumbers::compute(module),
        metadata: MetadataNumbers::compute(module),
    };
    printer.module();
    printer.out
}

/// A type as the text has it.
pub(crate) fn type_name(module: &Module, ty: TypeId) -> String {
    let (globals, metadata) = (GlobalNumbers::default(), MetadataNumbers::default());
    let mut printer = Printer { module, out: String::new(), globals, metadata };
    printer.write_type(ty);
    printer.out
}

/// The text so far.
struct Printer<'m> {
    module: &'m Module,
    out: String,
    globals: GlobalNumbers,
    metadata: MetadataNumbers,
}

/// Appends formatted text.
macro_rules! emit {
    ($printer:expr, $($part:tt)*) => {
        std::fmt::Write::write_fmt(&mut $printer.out, format_args!($($part)*)).expect("invariant: a string takes any text")
    };
}
use emit;

impl<'m> Printer<'m> {
    fn module(&mut self) {
        let module = self.module;
        for (what, text) in [("datalayout", &module.data_layout), ("triple", &module.triple)] {
            if !text.is_empty() {
                emit!(self, "target {what} = \"");
                names::escape(text, &mut self.out);
                self.out.push_str("\"\n");
            }
        }
        self.structs();
        if !module.globals.is_empty() {
            self.out.push('\n');
        }
        for global in &module.globals {
            self.global(global);
        }
        for function in &module.functions {
            self.function(function);
        }
        self.all_metadata();
    }

    fn structs(&mut self) {
        let mut is_first = true;
        for (id, ty) in self.module.types.iter() {
            if let Type::Struct { name: Some(_), .. } = ty {
                if std::mem::take(&mut is_first) {
                    self.out.push('\n');
                }
                self.write_type(id);
                self.out.push_str(" = type ");
                self.struct_body(ty);
                self.out.push('\n');
            }
        }
    }

    fn global(&mut self, global: &GlobalVariable) {
        self.global_name(global.value);
        self.out.push_str(" = ");
        match global.initializer {
            None if global.linkage == Linkage::External => self.out.push_str("external "),
            _ => self.linkage(global.linkage),
        }
        if global.is_unnamed_address {
            self.out.push_str("unnamed_addr ");
        }
        if global.address_space != 0 {
            emit!(self, "addrspace({}) ", global.address_space);
        }
        self.out.push_str(if global.is_constant { "constant " } else { "global " });
        self.write_type(global.ty);
        if let Some(initializer) = global.initializer {
            self.out.push(' ');
            self.operand(None, initializer);
        }
        self.alignment(global.alignment);
        self.out.push('\n');
    }

    fn linkage(&mut self, linkage: Linkage) {
        match linkage {
            Linkage::External => {}
            Linkage::Internal => self.out.push_str("internal "),
            Linkage::Private => self.out.push_str("private "),
            Linkage::Other(name) => emit!(self, "{name} "),
        }
    }

    fn alignment(&mut self, alignment: u32) {
        if alignment != 0 {
            emit!(self, ", align {alignment}");
        }
    }

    fn memory_effect(&mut self, effect: MemoryEffect) {
        match effect {
            MemoryEffect::Any => {}
            MemoryEffect::ReadOnly => self.out.push_str(" readonly"),
            MemoryEffect::ReadNone => self.out.push_str(" readnone"),
        }
    }
}

/// A function that is being printed, with the numbers of its values.
struct Local<'m> {
    function: &'m Function,
    numbers: LocalNumbers,
}
