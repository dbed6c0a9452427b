//! The places of resources: from registers and spaces to descriptor sets and bindings.
//!
//! ```text
//! t3, space1   ⇒   set = 1, binding = 3 + shift of t
//! ```
//!
//! Direct3D numbers each class of resources on its own: `t0`, `u0`, `b0` and `s0` are four resources. A descriptor set of Vulkan has one
//! sequence of bindings. A shift for each class keeps the classes apart; a register can also be assigned a place of its own.

use std::collections::BTreeMap;
use std::fmt;

use crate::module::view::ResourceClass;

/// A register of Direct3D.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register {
    /// The class, which has registers of its own.
    pub class: ResourceClass,
    /// The register space.
    pub space: u32,
    /// The number.
    pub number: u32,
}

/// A place in the descriptor sets of Vulkan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DescriptorSlot {
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
}

/// The places of resources. The default is set = space and binding = register, for all classes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bindings {
    shifts: [u32; 4],
    counter_shift: Option<u32>,
    assigned: BTreeMap<Register, DescriptorSlot>,
    assigned_counters: BTreeMap<Register, DescriptorSlot>,
}

impl Bindings {
    /// The bindings of a class become registers plus this number.
    pub fn shift(&mut self, class: ResourceClass, by: u32) {
        self.shifts[class as usize] = by;
    }

    /// The counter of a buffer in `u` gets the binding of its register plus this number.
    pub fn shift_counters(&mut self, by: u32) {
        self.counter_shift = Some(by);
    }

    /// A register gets a place of its own, whatever the shifts are. For a range of registers its first one decides.
    pub fn assign(&mut self, register: Register, slot: DescriptorSlot) {
        self.assigned.insert(register, slot);
    }

    /// The counter of the buffer in a register gets a place of its own.
    pub fn assign_counter(&mut self, register: Register, slot: DescriptorSlot) {
        self.assigned_counters.insert(register, slot);
    }

    /// The place of a register; none if the binding is larger than 32 bits can hold.
    pub fn slot(&self, register: Register) -> Option<DescriptorSlot> {
        let shifted = || {
            let binding = register.number.checked_add(self.shifts[register.class as usize])?;
            Some(DescriptorSlot { set: register.space, binding })
        };
        self.assigned.get(&register).copied().or_else(shifted)
    }

    /// The place of the counter of the buffer in a register; none if nothing says it.
    pub fn counter_slot(&self, register: Register) -> Option<DescriptorSlot> {
        let shifted = || {
            let binding = register.number.checked_add(self.counter_shift?)?;
            Some(DescriptorSlot { set: register.space, binding })
        };
        self.assigned_counters.get(&register).copied().or_else(shifted)
    }
}

impl fmt::Display for Register {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.class {
            ResourceClass::ShaderResource => 't',
            ResourceClass::UnorderedAccess => 'u',
            ResourceClass::ConstantBuffer => 'b',
            ResourceClass::Sampler => 's',
        };
        write!(formatter, "{letter}{}", self.number)?;
        if self.space > 0 { write!(formatter, " of space {}", self.space) } else { Ok(()) }
    }
}

impl fmt::Display for DescriptorSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "set {}, binding {}", self.set, self.binding)
    }
}
