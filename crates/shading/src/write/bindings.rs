//! Bindings: the numbers that a host program chooses for resources, in the words of the language.
//!
//! | language | numbers |
//! |---|---|
//! | GLSL | `toSet` (Vulkan), `toBinding` |
//! | HLSL | `register`, `space` (from 5.1), `sampler`: the register of the sampler of an image with its sampler |
//! | MSL | `buffer`, `texture`, `sampler` |
//! | WGSL | `toGroup`, `toBinding`, `sampler`: the binding of the sampler of an image with its sampler |

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use reconverge_diagnostic::Diagnostic;

use super::{Language, WriteCode, of_module};
use crate::interface::Slot;
use crate::lower::Target;

/// The numbers that a host program chooses. Resources without an entry have their numbers by default.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bindings {
    /// The entries. A resource has one at most.
    pub entries: Vec<BindingEntry>,
}

/// The numbers of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BindingEntry {
    /// The resource.
    pub resource: BoundResource,
    /// Its numbers, at least one.
    pub numbers: BTreeMap<BindingNumber, u32>,
}

/// A resource that gets numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoundResource {
    /// The resources with a descriptor of the module.
    Slot(Slot),
    /// The push constants.
    PushConstants,
    /// The sizes of buffers, in MSL.
    BufferSizes,
    /// The number of workgroups, in HLSL.
    WorkgroupCount,
}

impl fmt::Display for BoundResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoundResource::Slot(Slot { set, binding }) => write!(formatter, "set {set}, binding {binding}"),
            BoundResource::PushConstants => formatter.write_str("push constants"),
            BoundResource::BufferSizes => formatter.write_str("buffer sizes"),
            BoundResource::WorkgroupCount => formatter.write_str("workgroup count"),
        }
    }
}

/// A number of a language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BindingNumber {
    /// The descriptor set of GLSL.
    Set,
    /// The group of WGSL.
    Group,
    /// The binding of GLSL and WGSL.
    Binding,
    /// The register of HLSL. The use of the resource decides its class.
    Register,
    /// The space of HLSL.
    Space,
    /// The buffer of MSL.
    Buffer,
    /// The texture of MSL.
    Texture,
    /// The sampler of MSL, and that of an image with its sampler in HLSL and WGSL.
    Sampler,
}

impl BindingNumber {
    /// Every number.
    pub const ALL: [BindingNumber; 8] = [
        BindingNumber::Set,
        BindingNumber::Group,
        BindingNumber::Binding,
        BindingNumber::Register,
        BindingNumber::Space,
        BindingNumber::Buffer,
        BindingNumber::Texture,
        BindingNumber::Sampler,
    ];

    /// The key in a file of bindings.
    pub const fn key(self) -> &'static str {
        match self {
            BindingNumber::Set => "toSet",
            BindingNumber::Group => "toGroup",
            BindingNumber::Binding => "toBinding",
            BindingNumber::Register => "register",
            BindingNumber::Space => "space",
            BindingNumber::Buffer => "buffer",
            BindingNumber::Texture => "texture",
            BindingNumber::Sampler => "sampler",
        }
    }

    /// The numbers of a language.
    fn of(language: Language) -> &'static [BindingNumber] {
        use BindingNumber::{Binding, Buffer, Group, Register, Sampler, Set, Space, Texture};
        match language {
            Language::Glsl => &[Set, Binding],
            Language::Hlsl => &[Register, Space, Sampler],
            Language::Msl => &[Buffer, Texture, Sampler],
            Language::Wgsl => &[Group, Binding, Sampler],
        }
    }

    /// The greatest number in a language and version.
    pub(crate) fn limit(self, target: Target) -> u32 {
        match (target, self) {
            (Target::Msl(_), BindingNumber::Buffer) => 30,
            (Target::Msl(_), BindingNumber::Texture) => 127,
            (Target::Msl(_), _) => 15,
            (Target::Hlsl(hlsl), BindingNumber::Register | BindingNumber::Sampler) if !hlsl.has(5, 1) => 127,
            // Spaces from 0xFFFFFFF0 are reserved.
            (Target::Hlsl(_), BindingNumber::Space) => 0xFFFF_FFEF,
            (Target::Hlsl(_), _) => u32::MAX - 1,
            // WebGPU has 1000 bindings in a group.
            (Target::Wgsl, BindingNumber::Binding | BindingNumber::Sampler) => 999,
            // Compilers of GLSL keep sets in 6 bits and bindings in 16, of which the greatest stands for none.
            (Target::Glsl(_), BindingNumber::Set) => 62,
            (Target::Glsl(_), _) => 65_534,
            (Target::Wgsl, _) => i32::MAX as u32,
        }
    }
}

/// An error in an entry.
#[cold]
pub(crate) fn in_entry(bindings: &Bindings, number: usize, message: &str) -> Diagnostic {
    let resource = bindings.entries.get(number).map_or_else(String::new, |entry| format!(" ({})", entry.resource));
    of_module(WriteCode::Bindings, format!("bindings[{number}]{resource}: {message}"))
}

impl Bindings {
    /// The entry of a resource.
    pub(crate) fn find(&self, resource: BoundResource) -> Option<&BindingEntry> {
        self.entries.iter().find(|entry| entry.resource == resource)
    }

    /// A number of a resource.
    pub(crate) fn number(&self, resource: BoundResource, number: BindingNumber) -> Option<u32> {
        self.find(resource)?.numbers.get(&number).copied()
    }

    /// Checks that the entries are those of a language.
    ///
    /// # Errors
    /// Two entries of one resource, an entry without a number, a number that the language does not have or that is above its limit.
    pub(crate) fn check(&self, target: Target) -> Result<(), Diagnostic> {
        let language = target.language();
        let mut known = BTreeSet::new();
        for (place, entry) in self.entries.iter().enumerate() {
            let refused = |message: String| Err(in_entry(self, place, &message));
            if !known.insert(entry.resource) {
                return refused("the resource has two entries".to_owned());
            }
            let has_number = match entry.resource {
                BoundResource::BufferSizes => language == Language::Msl,
                BoundResource::WorkgroupCount => language == Language::Hlsl,
                BoundResource::PushConstants => matches!(language, Language::Hlsl | Language::Msl),
                BoundResource::Slot(_) => true,
            };
            if !has_number {
                return refused(format!("{language} has no number for it"));
            }
            let keys = BindingNumber::of(language);
            let names = || keys.iter().map(|number| number.key()).collect::<Vec<_>>().join(", ");
            if entry.numbers.is_empty() {
                return refused(format!("no number is given; those of {language} are {}", names()));
            }
            for (&number, &value) in &entry.numbers {
                let key = number.key();
                if !keys.contains(&number) {
                    return refused(format!("`{key}` is no number of {language}; those are {}", names()));
                }
                if is_missing(number, target) {
                    return refused(format!("`{key}` is no number of this version of {language}"));
                }
                let limit = number.limit(target);
                if value > limit {
                    return refused(format!("`{key}` is {value}, and the greatest in {language} is {limit}"));
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a version of a language lacks a number.
fn is_missing(number: BindingNumber, target: Target) -> bool {
    match (target, number) {
        (Target::Glsl(glsl), BindingNumber::Set) => !glsl.is_vulkan(),
        (Target::Glsl(glsl), _) => !glsl.has(420, 310),
        (Target::Hlsl(hlsl), BindingNumber::Space) => !hlsl.has(5, 1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextOptions;

    fn checked(language: Language, version: Option<&str>, number: (BindingNumber, u32)) -> Result<(), String> {
        let resource = BoundResource::Slot(Slot { set: 0, binding: 1 });
        let bindings = Bindings { entries: vec![BindingEntry { resource, numbers: [number].into() }] };
        let options = TextOptions { version: version.map(str::to_owned), ..TextOptions::new(language) };
        let target = Target::of(&options).expect("there is such a version");
        bindings.check(target).map_err(|error| error.message)
    }

    #[test]
    fn numbers_are_those_of_the_language_and_version() {
        use BindingNumber::{Binding, Buffer, Group, Register, Sampler, Set, Space, Texture};
        let kept = [
            (Language::Glsl, None, (Set, 62)),
            (Language::Glsl, None, (Binding, 65_534)),
            (Language::Glsl, Some("es 310"), (Binding, 3)),
            (Language::Hlsl, None, (Space, 3)),
            (Language::Hlsl, Some("5.0"), (Register, 127)),
            (Language::Msl, None, (Buffer, 30)),
            (Language::Msl, None, (Texture, 127)),
            (Language::Wgsl, None, (Group, 3)),
            (Language::Wgsl, None, (Binding, 999)),
        ];
        for (language, version, number) in kept {
            assert_eq!(checked(language, version, number), Ok(()), "{language} {number:?}");
        }
        let refused = [
            (Language::Glsl, Some("core 450"), (Set, 3), "this version of GLSL"),
            (Language::Glsl, Some("core 410"), (Binding, 3), "this version of GLSL"),
            (Language::Glsl, None, (Set, 63), "the greatest in GLSL is 62"),
            (Language::Glsl, None, (Binding, 65_535), "the greatest in GLSL is 65534"),
            (Language::Glsl, None, (Buffer, 3), "`buffer` is no number of GLSL; those are toSet, toBinding"),
            (Language::Hlsl, Some("5.0"), (Space, 0), "this version of HLSL"),
            (Language::Hlsl, Some("5.0"), (Register, 128), "the greatest in HLSL is 127"),
            (Language::Msl, None, (Buffer, 31), "the greatest in MSL is 30"),
            (Language::Msl, None, (Sampler, 16), "the greatest in MSL is 15"),
            (Language::Wgsl, None, (Binding, 1000), "the greatest in WGSL is 999"),
        ];
        for (language, version, number, expected) in refused {
            let message = checked(language, version, number).expect_err("the number is refused");
            assert!(message.contains(expected) && message.starts_with("bindings[0] (set 0, binding 1)"), "{message}");
        }
    }
}
