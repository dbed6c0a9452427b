//! Requirements of instructions and enumerants: capabilities, extensions, versions.
//!
//! The tables are data; `needs.rs` checks a module against them.

mod capabilities;
mod enumerants;
mod instructions;
mod needs;
mod operations;

use spirv::Capability;

use crate::declared::{Declared, version};

pub(crate) use needs::verify_needs;

/// The version number of features that only extensions provide.
const NEVER: u8 = u8::MAX;

/// The requirements of one instruction or enumerant.
pub(crate) struct Need {
    number: u32,
    pub(crate) name: &'static str,
    /// The minor version of SPIR-V 1 that introduced it.
    since: u8,
    /// The last minor version that has it.
    until: u8,
    /// One of these must be declared, if there are any.
    capabilities: &'static [Capability],
    /// One of these adds it to earlier versions.
    extensions: &'static [&'static str],
}

const fn need(
    number: u32,
    name: &'static str,
    since: u8,
    capabilities: &'static [Capability],
    extensions: &'static [&'static str],
) -> Need {
    Need { number, name, since, until: u8::MAX, capabilities, extensions }
}

impl Need {
    /// The same for a feature that later versions removed.
    const fn until(self, until: u8) -> Need {
        Need { until, ..self }
    }

    fn lacks_capability(&self, declared: &Declared) -> bool {
        !self.capabilities.is_empty() && !declared.has_any(self.capabilities)
    }

    fn is_outdated(&self, declared: &Declared) -> bool {
        self.until != u8::MAX && version(1, self.until.into()) < declared.version
    }

    fn is_too_new(&self, declared: &Declared) -> bool {
        let is_there = self.since != NEVER && version(1, self.since.into()) <= declared.version;
        !is_there && !self.extensions.iter().any(|extension| declared.has_extension(extension))
    }

    /// The missing requirement of an instruction. A declared capability that implies the required one is enough.
    fn lack_of_instruction(&self, declared: &Declared) -> Option<Lack> {
        // The grammar gives this instruction a capability and a version.
        let is_told_by_capability = !self.capabilities.is_empty() && self.number != TERMINATE_INVOCATION;
        match () {
            () if self.lacks_capability(declared) => Some(Lack::Capability),
            () if self.is_outdated(declared) => Some(Lack::Version),
            () if !is_told_by_capability && self.is_too_new(declared) => Some(Lack::Version),
            () => None,
        }
    }

    /// The missing requirement of an enumerant.
    fn lack_of_enumerant(&self, declared: &Declared) -> Option<Lack> {
        match () {
            () if self.lacks_capability(declared) => Some(Lack::Capability),
            () if self.is_outdated(declared) => Some(Lack::Version),
            // If no version and no extension provides it, its capability does.
            () if self.since == NEVER && self.extensions.is_empty() => None,
            () if self.is_too_new(declared) => Some(Lack::Version),
            () => None,
        }
    }

    /// The suggestion for a missing requirement.
    fn wanted(&self, lack: Lack) -> String {
        if lack == Lack::Capability {
            let names: Vec<&str> = self.capabilities.iter().map(|&capability| capability_name(capability)).collect();
            return match names[..] {
                [name] => format!("the capability {name}"),
                _ => format!("one of the capabilities {}", names.join(", ")),
            };
        }
        let version = match (self.since, self.until) {
            (_, until) if until != u8::MAX => Some(format!("SPIR-V 1.{until} or earlier")),
            (NEVER, _) => None,
            (since, _) => Some(format!("SPIR-V 1.{since}")),
        };
        let extensions = self.extensions.iter().map(|extension| format!("the extension {extension}"));
        let all: Vec<String> = version.into_iter().chain(extensions).collect();
        if all.is_empty() { "a later version".to_owned() } else { all.join(" or ") }
    }
}

/// A missing requirement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lack {
    Capability,
    Version,
}

const TERMINATE_INVOCATION: u32 = spirv::Op::TerminateInvocation as u32;

/// A row of a table that is sorted by number. O(log rows).
fn find(table: &'static [Need], number: u32) -> Option<&'static Need> {
    table.binary_search_by_key(&number, |need| need.number).ok().map(|place| &table[place])
}

/// The capabilities that a capability implies.
pub(crate) fn declared_along(capability: u32) -> &'static [Capability] {
    find(capabilities::CAPABILITIES, capability).map_or(&[], |need| need.capabilities)
}

/// Returns whether the instruction of an opcode has requirements.
pub(crate) fn knows_instruction(opcode: u32) -> bool {
    find(instructions::INSTRUCTIONS, opcode).is_some()
}

fn capability_name(capability: Capability) -> &'static str {
    find(capabilities::CAPABILITIES, capability as u32).map_or("with another number", |need| need.name)
}
