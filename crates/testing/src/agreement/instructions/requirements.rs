//! The capabilities and extensions that instructions and enumerants require, from the grammar.

use rspirv::dr::Operand;
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::{self, Capability};

use super::draw::operand;

/// The declarations of a module.
#[derive(Clone, Default, Debug)]
pub(super) struct Declarations {
    pub(super) capabilities: Vec<u32>,
    pub(super) extensions: Vec<&'static str>,
}

impl Declarations {
    /// Declares one of the capabilities, unless one of them is declared already.
    fn any_of(&mut self, capabilities: &[Capability]) {
        let is_there = capabilities.iter().any(|&capability| self.has(capability as u32));
        if let Some(&first) = capabilities.first().filter(|_| !is_there) {
            self.capability(first as u32);
        }
    }

    fn has(&self, capability: u32) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Declares a capability, its requirements, and the extensions that add it.
    pub(super) fn capability(&mut self, capability: u32) {
        let mut stack = vec![capability];
        while let Some(capability) = stack.pop().filter(|_| stack.len() < 64) {
            if self.has(capability) {
                continue;
            }
            self.capabilities.push(capability);
            if let Some(operand) = operand(OperandKind::Capability, capability) {
                let needed = operand.required_capabilities();
                if !needed.iter().any(|&needed| self.has(needed as u32)) {
                    stack.extend(needed.first().map(|&needed| needed as u32));
                }
                self.extensions(&operand.required_extensions());
            }
        }
    }

    fn extensions(&mut self, names: &[&'static str]) {
        if let Some(first) = names.first().filter(|_| !names.iter().any(|name| self.extensions.contains(name))) {
            self.extensions.push(first);
        }
    }

    pub(super) fn enumerant(&mut self, enumerant: &Operand) {
        self.any_of(&enumerant.required_capabilities());
        self.extensions(&enumerant.required_extensions());
    }

    /// Declares the requirements of an instruction, without those of its enumerants.
    pub(super) fn instruction(&mut self, words: &[u32]) {
        let opcode = words[0] & 0xFFFF;
        let Some(row) = INSTRUCTION_TABLE.lookup_opcode(opcode) else { return };
        self.any_of(row.capabilities);
        self.extensions(row.extensions);
        let width = words.get(2).copied();
        let of_width = match (row.opcode, width) {
            (spirv::Op::TypeInt, Some(8)) => Some(Capability::Int8),
            (spirv::Op::TypeInt, Some(16)) => Some(Capability::Int16),
            (spirv::Op::TypeInt, Some(64)) => Some(Capability::Int64),
            (spirv::Op::TypeFloat, Some(16)) => Some(Capability::Float16),
            (spirv::Op::TypeFloat, Some(64)) => Some(Capability::Float64),
            (spirv::Op::TypeVector, _) if words.get(3).is_some_and(|&count| count > 4) => Some(Capability::Vector16),
            _ => None,
        };
        self.any_of(of_width.as_slice());
    }
}
