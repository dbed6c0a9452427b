//! Functions and their blocks.

use super::numbering::LocalNumbers;
use super::{Local, Printer, emit, names};
use crate::module::{BlockId, Function, Type};

/// LLVM's number of the calling convention of C, which is not printed, and of the fast one.
const CALLING_CONVENTION_C: u32 = 0;
const CALLING_CONVENTION_FAST: u32 = 8;

impl<'m> Printer<'m> {
    pub(super) fn function(&mut self, function: &'m Function) {
        self.out.push_str(if function.is_defined() { "\ndefine " } else { "\ndeclare " });
        self.linkage(function.linkage);
        self.calling_convention(function.calling_convention);
        self.write_type(function.result);
        self.out.push(' ');
        self.global_name(function.value);
        self.out.push('(');
        if let Type::Function { is_variadic, parameters, .. } = &self.module.types[function.ty] {
            match function.is_defined() {
                true => self.named_parameters(function),
                false => {
                    self.type_list(parameters);
                    if *is_variadic {
                        self.variadic(parameters);
                    }
                }
            }
        }
        self.out.push(')');
        if function.is_unnamed_address {
            self.out.push_str(" unnamed_addr");
        }
        self.memory_effect(function.memory);
        if function.is_defined() {
            let local = Local { function, numbers: LocalNumbers::compute(self.module, function) };
            self.attachments(&local.function.attachments, " ");
            self.out.push_str(" {\n");
            self.body(&local);
            self.out.push('}');
        }
        self.out.push('\n');
    }

    pub(super) fn calling_convention(&mut self, convention: u32) {
        match convention {
            CALLING_CONVENTION_C => {}
            CALLING_CONVENTION_FAST => self.out.push_str("fastcc "),
            _ => emit!(self, "cc{convention} "),
        }
    }

    fn named_parameters(&mut self, function: &'m Function) {
        for (index, parameter) in function.values[..function.parameter_count as usize].iter().enumerate() {
            self.comma(index);
            self.write_type(parameter.ty);
            if let Some(name) = &parameter.name {
                self.out.push_str(" %");
                names::write_name(name, &mut self.out);
            }
        }
    }

    fn body(&mut self, local: &Local<'m>) {
        for (index, block) in local.function.blocks.iter().enumerate() {
            match &block.name {
                Some(name) => {
                    self.out.push_str(if index > 0 { "\n" } else { "" });
                    names::write_name(name, &mut self.out);
                    self.out.push_str(":\n");
                }
                None if local.numbers.is_target[index] => {
                    emit!(self, "\n; <label>:{}\n", local.numbers.block(BlockId::new(index as u32)));
                }
                None if index > 0 => self.out.push('\n'),
                None => {}
            }
            for instruction in local.function.instructions_of(block) {
                self.out.push_str("  ");
                self.instruction(local, instruction);
                self.out.push('\n');
            }
        }
    }

    pub(super) fn label(&mut self, local: &Local<'m>, block: BlockId) {
        self.out.push('%');
        match &local.function.blocks[block.index()].name {
            Some(name) => names::write_name(name, &mut self.out),
            None => emit!(self, "{}", local.numbers.block(block)),
        }
    }
}
