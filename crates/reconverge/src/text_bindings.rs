//! Files of the numbers that a host program chooses for the resources of a text: JSON, as `docs/shading.md` describes it.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_shading::{BindingEntry, BindingNumber, Bindings, BoundResource, Slot};
use serde::Deserialize;

/// Reads a file. The error is what is wrong in it.
pub(crate) fn read(text: &str) -> Result<Bindings, String> {
    let file: File = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let example = r#"{"bindings": [{"set": 0, "binding": 2, "buffer": 3}]}"#;
        format!("expected an object such as {example}: {error}")
    })?;
    let (mut entries, mut known) = (Vec::new(), BTreeSet::new());
    for (place, entry) in file.bindings.iter().enumerate() {
        let resource = entry.resource().map_err(|message| format!("bindings[{place}]: {message}"))?;
        if !known.insert(resource) {
            return Err(format!("bindings[{place}] ({resource}): the resource has two entries"));
        }
        let numbers = entry.numbers();
        if numbers.is_empty() {
            return Err(format!("bindings[{place}] ({resource}): no number is given"));
        }
        entries.push(BindingEntry { resource, numbers });
    }
    Ok(Bindings { entries })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bindings: Vec<Entry>,
}

/// An entry: a resource, and its numbers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Entry {
    set: Option<u32>,
    binding: Option<u32>,
    #[serde(default)]
    push_constants: bool,
    #[serde(default)]
    buffer_sizes: bool,
    #[serde(default)]
    workgroup_count: bool,
    to_set: Option<u32>,
    to_group: Option<u32>,
    to_binding: Option<u32>,
    register: Option<u32>,
    space: Option<u32>,
    buffer: Option<u32>,
    texture: Option<u32>,
    sampler: Option<u32>,
}

impl Entry {
    fn resource(&self) -> Result<BoundResource, &'static str> {
        let slot = self.binding.map(|binding| BoundResource::Slot(Slot { set: self.set.unwrap_or(0), binding }));
        let added = [
            (self.push_constants, BoundResource::PushConstants),
            (self.buffer_sizes, BoundResource::BufferSizes),
            (self.workgroup_count, BoundResource::WorkgroupCount),
        ];
        let added = added.into_iter().filter(|(is_given, _)| *is_given).map(|(_, resource)| resource);
        let named: Vec<BoundResource> = slot.into_iter().chain(added).collect();
        match named[..] {
            [_] if self.set.is_some() && self.binding.is_none() => Err("`set` is given without `binding`"),
            [only] => Ok(only),
            [] => Err("no resource is named: expected `binding`, `pushConstants`, `bufferSizes` or `workgroupCount`"),
            _ => Err("several resources are named"),
        }
    }

    fn numbers(&self) -> BTreeMap<BindingNumber, u32> {
        let given = |number: BindingNumber| match number {
            BindingNumber::Set => self.to_set,
            BindingNumber::Group => self.to_group,
            BindingNumber::Binding => self.to_binding,
            BindingNumber::Register => self.register,
            BindingNumber::Space => self.space,
            BindingNumber::Buffer => self.buffer,
            BindingNumber::Texture => self.texture,
            BindingNumber::Sampler => self.sampler,
        };
        BindingNumber::ALL.into_iter().filter_map(|number| Some((number, given(number)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_a_resource_and_numbers() {
        let text = r#"{"bindings": [
            {"set": 1, "binding": 2, "register": 3, "space": 4},
            {"binding": 0, "texture": 5, "sampler": 6},
            {"pushConstants": true, "buffer": 7}
        ]}"#;
        let bindings = read(text).expect("the file is one of bindings");
        let resources: Vec<BoundResource> = bindings.entries.iter().map(|entry| entry.resource).collect();
        let slot = |set, binding| BoundResource::Slot(Slot { set, binding });
        assert_eq!(resources, [slot(1, 2), slot(0, 0), BoundResource::PushConstants]);
        let numbers = BTreeMap::from([(BindingNumber::Register, 3), (BindingNumber::Space, 4)]);
        assert_eq!(bindings.entries[0].numbers, numbers);
    }

    #[test]
    fn what_is_no_entry_is_refused_with_its_place() {
        let cases = [
            ("[]", "expected an object such as"),
            (r#"{"bindings": [{"binding": 0, "buffer": -1}]}"#, "invalid value"),
            (r#"{"bindings": [{"binding": 0, "bufer": 1}]}"#, "unknown field `bufer`"),
            (r#"{"bindings": [{"buffer": 1}]}"#, "bindings[0]: no resource is named"),
            (r#"{"bindings": [{"set": 1, "buffer": 1}]}"#, "bindings[0]: no resource is named"),
            (r#"{"bindings": [{"binding": 0, "pushConstants": true, "buffer": 1}]}"#, "bindings[0]: several"),
            (r#"{"bindings": [{"set": 0, "pushConstants": true, "buffer": 1}]}"#, "`set` is given without `binding`"),
            (r#"{"bindings": [{"set": 0, "binding": 3}]}"#, "bindings[0] (set 0, binding 3): no number"),
            (
                r#"{"bindings": [{"binding": 3, "buffer": 1}, {"set": 0, "binding": 3, "buffer": 2}]}"#,
                "bindings[1] (set 0, binding 3): the resource has two entries",
            ),
        ];
        for (text, expected) in cases {
            let message = read(text).expect_err(text);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
