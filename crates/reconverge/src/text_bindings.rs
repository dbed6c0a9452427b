//! Files of the numbers that a host program chooses for the resources of a text: JSON, as `docs/shading.md` describes it.
//!
//! The values are read one by one, so that an error names what the file has and what is expected there. A key that is given twice is an error, which
//! needs the members of an object as they are in the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use reconverge_shading::{BindingEntry, BindingNumber, Bindings, BoundResource, Slot};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Resources that have no descriptor, by their keys.
const ADDED: [(&str, BoundResource); 3] = [
    ("pushConstants", BoundResource::PushConstants),
    ("bufferSizes", BoundResource::BufferSizes),
    ("workgroupCount", BoundResource::WorkgroupCount),
];

/// Reads a file. The error is what is wrong in it.
pub(crate) fn read(text: &str) -> Result<Bindings, String> {
    let example = r#"{"bindings": [{"set": 0, "binding": 2, "buffer": 3}]}"#;
    let expected = |message: String| format!("expected an object such as {example}: {message}");
    let file: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| expected(error.to_string()))?;
    let Value::Object(members) = &file else { return Err(expected(format!("found {}", kind(&file)))) };
    if let Some((key, _)) = members.iter().find(|(key, _)| key != "bindings") {
        return Err(expected(format!("unknown key `{key}`")));
    }
    let listed = match members.first() {
        Some((_, Value::List(listed))) => listed,
        Some((_, other)) => return Err(expected(format!("`bindings` is {}, not a list", kind(other)))),
        None => return Err(expected("`bindings` is missing".to_owned())),
    };
    let (mut entries, mut known) = (Vec::new(), BTreeSet::new());
    for (place, value) in listed.iter().enumerate() {
        let in_entry = |message: String| format!("bindings[{place}]: {message}");
        let entry = Entry::of(value).map_err(in_entry)?;
        let resource = entry.resource().map_err(|message| in_entry(message.to_owned()))?;
        if !known.insert(resource) {
            return Err(format!("bindings[{place}] ({resource}): the resource has two entries"));
        }
        if entry.numbers.is_empty() {
            return Err(format!("bindings[{place}] ({resource}): no number is given"));
        }
        entries.push(BindingEntry { resource, numbers: entry.numbers });
    }
    Ok(Bindings { entries })
}

/// An entry: a resource, and its numbers.
#[derive(Default)]
struct Entry {
    set: Option<u32>,
    binding: Option<u32>,
    added: Vec<BoundResource>,
    numbers: BTreeMap<BindingNumber, u32>,
}

impl Entry {
    fn of(value: &Value) -> Result<Entry, String> {
        let Value::Object(members) = value else { return Err(format!("expected an object, found {}", kind(value))) };
        let mut entry = Entry::default();
        for (key, value) in members {
            let added = ADDED.iter().find(|(name, _)| name == key);
            let chosen = BindingNumber::ALL.into_iter().find(|number| number.key() == key);
            match (key.as_str(), added, chosen) {
                ("set", ..) => entry.set = Some(number(key, value)?),
                ("binding", ..) => entry.binding = Some(number(key, value)?),
                (_, Some((_, resource)), _) => {
                    let Value::Bool(is_given) = value else {
                        return Err(format!("`{key}` is {}, not `true` or `false`", kind(value)));
                    };
                    entry.added.extend(is_given.then_some(*resource));
                }
                (_, _, Some(chosen)) => drop(entry.numbers.insert(chosen, number(key, value)?)),
                _ => return Err(format!("unknown key `{key}`; the keys are {}", keys())),
            }
        }
        Ok(entry)
    }

    fn resource(&self) -> Result<BoundResource, &'static str> {
        let slot = self.binding.map(|binding| BoundResource::Slot(Slot { set: self.set.unwrap_or(0), binding }));
        let named: Vec<BoundResource> = slot.into_iter().chain(self.added.iter().copied()).collect();
        match named[..] {
            [_] if self.set.is_some() && self.binding.is_none() => Err("`set` is given without `binding`"),
            [only] => Ok(only),
            [] => Err("no resource is named: expected `binding`, `pushConstants`, `bufferSizes` or `workgroupCount`"),
            _ => Err("several resources are named"),
        }
    }
}

/// The number of a key.
fn number(key: &str, value: &Value) -> Result<u32, String> {
    match value {
        Value::Number(number) => u32::try_from(*number).ok(),
        _ => None,
    }
    .ok_or_else(|| format!("`{key}` is {}, not a whole number from 0 to {}", kind(value), u32::MAX))
}

/// A value in a message: itself if it is short, or what it is.
fn kind(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("`{number}`"),
        Value::Bool(value) => format!("`{value}`"),
        Value::Other(text) => format!("`{text}`"),
        Value::Text => "a text".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A value of JSON.
enum Value {
    Bool(bool),
    /// A whole number.
    Number(i128),
    Text,
    List(Vec<Value>),
    /// The members in the order of the file.
    Object(Vec<(String, Value)>),
    /// `null`, or another number.
    Other(String),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Other("null".to_owned()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Other(value.to_string()))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Value, E> {
        Ok(Value::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut reader: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = reader.next_element()? {
            list.push(value);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut reader: A) -> Result<Value, A::Error> {
        let mut members: Vec<(String, Value)> = Vec::new();
        let mut known = BTreeSet::new();
        while let Some((key, value)) = reader.next_entry::<String, Value>()? {
            if !known.insert(key.clone()) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            members.push((key, value));
        }
        Ok(Value::Object(members))
    }
}

fn keys() -> String {
    let numbers = BindingNumber::ALL.into_iter().map(BindingNumber::key);
    let all = ["set", "binding"].into_iter().chain(ADDED.iter().map(|(key, _)| *key)).chain(numbers);
    all.collect::<Vec<_>>().join(", ")
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
            ("null", "3}]}: found `null`"),
            ("", "3}]}: EOF while parsing a value at line 1"),
            (
                r#"{"bindings": [{"binding": 0, "binding": 1, "buffer": 1}]}"#,
                "`binding` is given twice at line 1 column",
            ),
            ("{}", "`bindings` is missing"),
            (r#"{"bindings": {}}"#, "`bindings` is an object, not a list"),
            (r#"{"bindings": [], "other": 1}"#, "unknown key `other`"),
            (r#"{"bindings": [null]}"#, "bindings[0]: expected an object, found `null`"),
            (
                r#"{"bindings": [{"binding": 0, "buffer": -1}]}"#,
                "`buffer` is `-1`, not a whole number from 0 to 4294967295",
            ),
            (r#"{"bindings": [{"binding": 0, "buffer": 1.5}]}"#, "`buffer` is `1.5`, not a whole number"),
            (r#"{"bindings": [{"binding": 4294967296, "buffer": 1}]}"#, "`binding` is `4294967296`, not"),
            (r#"{"bindings": [{"binding": "0", "buffer": 1}]}"#, "`binding` is a text, not a whole number"),
            (r#"{"bindings": [{"pushConstants": 1, "buffer": 1}]}"#, "`pushConstants` is `1`, not `true` or `false`"),
            (r#"{"bindings": [{"binding": 0, "bufer": 1}]}"#, "unknown key `bufer`; the keys are set, binding, push"),
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
