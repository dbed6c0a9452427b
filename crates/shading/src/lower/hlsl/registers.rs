//! Registers: the number is that of the binding, the space that of the descriptor set.
//!
//! A register is the next one behind an array whose elements need it. Behind an array without a length there is none, and two images of one
//! binding cannot have one register: each other resource has its number in a space of its own, the next one that no set has. Shader model 5.0
//! has no spaces: bindings keep their numbers as long as no two sets have the same ones, and are counted otherwise. The numbers that the host
//! program chooses go before these rules.

use reconverge_ir::Inst;
use reconverge_ir::view::TypeView;
use rustc_hash::FxHashMap;

use super::super::Lowering;
use super::super::resources::{Slot, innermost, slot};
use crate::interface::{ResourceKind, ResourcePlace};
use crate::syntax::GlobalId;
use crate::write::{BindingNumber, BoundResource};

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

impl Register {
    /// The place in the interface.
    pub(super) fn place(self, class: Class) -> ResourcePlace {
        ResourcePlace::Register { class: class.letter(), number: self.number, space: self.space }
    }
}

/// Returns whether two sets have bindings with one number in a class.
fn has_clash(slots: &[(Register, Inst, Class)]) -> bool {
    let mut spaces = FxHashMap::default();
    slots.iter().any(|&(register, _, class)| {
        spaces.insert((class, register.number), register.space).is_some_and(|space| space != register.space)
    })
}

/// Spaces behind those of the descriptor sets, one for each resource that needs one.
struct OwnSpaces {
    next: u32,
    known: FxHashMap<Inst, u32>,
}

impl OwnSpaces {
    fn behind(slots: &[(Register, Inst, Class)]) -> OwnSpaces {
        let last = slots.iter().map(|(register, ..)| register.space).max();
        OwnSpaces { next: last.map_or(0, |last| last.saturating_add(1)), known: FxHashMap::default() }
    }

    fn of(&mut self, variable: Inst) -> u32 {
        *self.known.entry(variable).or_insert_with(|| {
            self.next = self.next.saturating_add(1);
            self.next - 1
        })
    }
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
        let mut registers = Registers::default();
        let has_spaces = self.target.hlsl().has(5, 1);
        let is_flat = !has_clash(&slots);
        if !has_spaces && is_flat {
            slots.iter_mut().for_each(|(register, ..)| register.space = 0);
            slots.sort();
        }
        let mut spaces = OwnSpaces::behind(&slots);
        let mut last: FxHashMap<Class, (Register, Register)> = FxHashMap::default();
        for (slot, variable, class) in slots {
            // Two buffers of one binding have one register.
            if let Some(&(_, register)) = last.get(&class).filter(|(known, _)| *known == slot) {
                let is_shared = !has_spaces || self.is_storage_buffer(variable);
                let space = if is_shared { register.space } else { spaces.of(variable) };
                registers.known.insert((variable, class), Register { space, ..register });
                continue;
            }
            let space = if has_spaces { slot.space } else { 0 };
            if let Some(register) = self.chosen_register(variable, class, Register { space, number: slot.number }) {
                registers.known.insert((variable, class), register);
                last.insert(class, (slot, register));
                continue;
            }
            let free = registers.free.entry((space, class)).or_insert(0);
            let register = match *free {
                u32::MAX if has_spaces => Register { space: spaces.of(variable), number: slot.number },
                _ => {
                    let number = if has_spaces || is_flat { slot.number.max(*free) } else { *free };
                    *free = number.saturating_add(self.descriptors(variable));
                    Register { space, number }
                }
            };
            registers.known.insert((variable, class), register);
            last.insert(class, (slot, register));
        }
        // What the writer adds comes behind them all.
        for (&(variable, class), register) in &registers.known {
            let behind = register.number.saturating_add(self.descriptors(variable));
            let free = registers.free.entry((register.space, class)).or_insert(0);
            *free = behind.max(*free);
            registers.free_space = registers.free_space.max(register.space.saturating_add(1));
        }
        self.hlsl.registers = registers;
    }

    /// Returns whether a variable is a storage buffer, or an array of these.
    fn is_storage_buffer(&self, variable: Inst) -> bool {
        let (class, pointee) = (self.source.storage_class(variable), self.source.pointee(variable));
        class.zip(pointee).is_some_and(|(class, pointee)| self.is_storage(class, innermost(self.source, pointee)))
    }

    /// The register that the host program chooses, beside that of the binding.
    fn chosen_register(&self, variable: Inst, class: Class, default: Register) -> Option<Register> {
        let chosen = |number| self.chosen(variable, number);
        let sampler = chosen(BindingNumber::Sampler).filter(|_| class == Class::S);
        let (number, space) = (sampler.or(chosen(BindingNumber::Register)), chosen(BindingNumber::Space));
        let is_chosen = number.is_some() || space.is_some();
        is_chosen.then(|| Register { number: number.unwrap_or(default.number), space: space.unwrap_or(default.space) })
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
    pub(super) fn register_words(&self, register: Option<Register>, class: Class) -> String {
        register.map_or_else(String::new, |register| self.register_text(register, class))
    }

    /// Notes a resource with its register.
    pub(super) fn note_register(
        &mut self,
        variable: Inst,
        global: GlobalId,
        kind: ResourceKind,
        (register, class): (Option<Register>, Class),
    ) {
        let place = register.map_or(ResourcePlace::Named, |register| register.place(class));
        self.note_resource(variable, global, kind, place);
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
    pub(super) fn next_register(&mut self, variable: Inst, class: Class) -> Register {
        let space = self.known_register(variable, class).map_or(0, |register| register.space);
        let free = self.hlsl.registers.free.entry((space, class)).or_insert(0);
        let number = *free;
        *free = number.saturating_add(1);
        Register { space, number }
    }

    /// A constant buffer that no descriptor is for: where the host program chooses, or in the first space that no descriptor set has.
    pub(super) fn extra_constants(&mut self, resource: BoundResource) -> Register {
        let bindings = &self.options.bindings;
        if let Some(number) = bindings.number(resource, BindingNumber::Register) {
            return Register { space: bindings.number(resource, BindingNumber::Space).unwrap_or(0), number };
        }
        let space = if self.target.hlsl().has(5, 1) { self.hlsl.registers.free_space } else { 0 };
        let free = self.hlsl.registers.free.entry((space, Class::B)).or_insert(0);
        let number = *free;
        *free += 1;
        Register { space, number }
    }
}
