//! Files of bindings: a JSON object with a place for each register, as `docs/dxil.md` describes it.

use std::collections::BTreeSet;

use reconverge_dxil::module::view::ResourceClass;
use reconverge_dxil::translate::{Bindings, DescriptorSlot, Register};
use serde::Deserialize;

use super::options::class_of;

/// Adds the places of a file. The error is what is wrong in the file.
pub(super) fn read(text: &str, bindings: &mut Bindings) -> Result<(), String> {
    let entries: Entries = serde_json::from_str(text)
        .map_err(|error| format!("expected an object such as {{\"t3\": {{\"set\": 0, \"binding\": 7}}}}: {error}"))?;
    let mut known = BTreeSet::new();
    for (key, slot) in entries.0 {
        let place = Key::parse(&key)
            .ok_or_else(|| format!("expected a register such as t3, u0.counter or b1,space2, found {key}"))?;
        if !known.insert((place.register, place.is_counter)) {
            return Err(format!("{key} has two places"));
        }
        let slot = DescriptorSlot { set: slot.set, binding: slot.binding };
        match place.is_counter {
            true => bindings.assign_counter(place.register, slot),
            false => bindings.assign(place.register, slot),
        }
    }
    Ok(())
}

/// A place in a file of bindings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    set: u32,
    binding: u32,
}

/// The entries of an object in their order, repeated keys too.
struct Entries(Vec<(String, Slot)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Entries;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// The key of an entry of a file of bindings.
#[derive(Clone, Copy, Debug)]
struct Key {
    register: Register,
    is_counter: bool,
}

impl Key {
    /// `t3`, `u0.counter`, `b1,space2`, `u0.counter,space1`.
    fn parse(text: &str) -> Option<Key> {
        let (register, space) = match text.split_once(",space") {
            Some((register, space)) => (register, number(space)?),
            None => (text, 0),
        };
        let (register, is_counter) = match register.strip_suffix(".counter") {
            Some(register) => (register, true),
            None => (register, false),
        };
        let mut letters = register.chars();
        let class = class_of(letters.next()?)?;
        let number = number(letters.as_str())?;
        let may_count = !is_counter || class == ResourceClass::UnorderedAccess;
        may_count.then_some(Key { register: Register { class, space, number }, is_counter })
    }
}

/// A number of digits alone.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
