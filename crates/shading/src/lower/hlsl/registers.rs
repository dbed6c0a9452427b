//! Registers: the number is that of the binding, the space that of the descriptor set.
//!
//! A register is the next one behind an array whose elements need it. Shader model 5.0 has no spaces: the bindings of one set keep their
//! numbers, those of several are counted.

use reconverge_ir::Inst;
use reconverge_ir::view::TypeView;
use rustc_hash::FxHashMap;

use super::super::Lowering;
use super::super::resources::{Slot, slot};

/// A class of registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Class {
    /// Constant buffers.
    B,
    /// Resources that are read.
    T,
    /// Resources that are written.
    U,
    /// Samplers.
    S,
}

impl Class {
    fn letter(self) -> char {
        match self {
            Class::B => 'b',
            Class::T => 't',
            Class::U => 'u',
            Class::S => 's',
        }
    }
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Register {
    pub(super) space: u32,
    pub(super) number: u32,
}

/// The registers of resources.
#[derive(Default)]
pub(super) struct Registers {
    known: FxHashMap<(Inst, Class), Register>,
    /// The first free register of each space and class.
    free: FxHashMap<(u32, Class), u32>,
    /// The first space that no descriptor set has.
    free_space: u32,
}

impl Lowering<'_> {
    /// Gives resources their registers.
    pub(super) fn assign_registers(&mut self, resources: &[(Inst, Class)]) {
        let mut slots: Vec<(Register, Inst, Class)> = Vec::new();
        for &(variable, class) in resources {
            if let Some(register) = self.binding(variable) {
                slots.push((register, variable, class));
            }
        }
        slots.sort();
        let mut registers = Registers {
            free_space: slots.iter().map(|(register, ..)| register.space.saturating_add(1)).max().unwrap_or(0),
            ..Registers::default()
        };
        let has_spaces = self.target.hlsl().has(5, 1);
        let is_flat = slots.iter().all(|(register, ..)| register.space == slots[0].0.space);
        let mut last: FxHashMap<Class, (Register, Register)> = FxHashMap::default();
        for (slot, variable, class) in slots {
            // Two variables of one binding have one register.
            if let Some(&(_, register)) = last.get(&class).filter(|(known, _)| *known == slot) {
                registers.known.insert((variable, class), register);
                continue;
            }
            let space = if has_spaces { slot.space } else { 0 };
            let free = registers.free.entry((space, class)).or_insert(0);
            let number = if has_spaces || is_flat { slot.number.max(*free) } else { *free };
            *free = number.saturating_add(self.descriptors(variable));
            let register = Register { space, number };
            registers.known.insert((variable, class), register);
            last.insert(class, (slot, register));
        }
        self.hlsl.registers = registers;
    }

    /// The descriptor set and binding of a resource.
    pub(super) fn binding(&self, variable: Inst) -> Option<Register> {
        slot(self.source, variable).map(|Slot { set, binding }| Register { space: set, number: binding })
    }

    /// The number of descriptors of a resource; all for an array without a length.
    fn descriptors(&self, variable: Inst) -> u32 {
        let (mut ty, mut count) = (self.source.pointee(variable), 1_u32);
        while let Some(array) = ty {
            match self.source.type_view(array) {
                Some(TypeView::Array { element, length }) => {
                    count = count.saturating_mul(self.source.constant_word(length).unwrap_or(1));
                    ty = Some(element);
                }
                Some(TypeView::RuntimeArray { .. }) => return u32::MAX,
                _ => break,
            }
        }
        count
    }

    /// The text behind the name of a resource.
    pub(super) fn register_of(&self, variable: Inst, class: Class) -> String {
        let known = self.hlsl.registers.known.get(&(variable, class));
        known.map_or_else(String::new, |&register| self.register_text(register, class))
    }

    /// The register of a resource in its class.
    pub(super) fn known_register(&self, variable: Inst, class: Class) -> Option<Register> {
        self.hlsl.registers.known.get(&(variable, class)).copied()
    }

    fn register_text(&self, register: Register, class: Class) -> String {
        let Register { space, number } = register;
        let letter = class.letter();
        match (space, self.target.hlsl().has(5, 1)) {
            (0, _) | (_, false) => format!(": register({letter}{number})"),
            _ => format!(": register({letter}{number}, space{space})"),
        }
    }

    /// The next free register of a class in the space of a resource.
    pub(super) fn next_register(&mut self, variable: Inst, class: Class) -> String {
        let space = match self.target.hlsl().has(5, 1) {
            true => self.binding(variable).map_or(0, |register| register.space),
            false => 0,
        };
        let free = self.hlsl.registers.free.entry((space, class)).or_insert(0);
        let number = *free;
        *free = number.saturating_add(1);
        self.register_text(Register { space, number }, class)
    }

    /// A constant buffer that no descriptor is for: in the first space that no descriptor set has.
    pub(super) fn extra_constants(&mut self) -> String {
        let space = if self.target.hlsl().has(5, 1) { self.hlsl.registers.free_space } else { 0 };
        let free = self.hlsl.registers.free.entry((space, Class::B)).or_insert(0);
        let number = *free;
        *free += 1;
        self.register_text(Register { space, number }, Class::B)
    }
}
