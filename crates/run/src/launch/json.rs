//! The JSON form of a launch.

use reconverge_diagnostic::Diagnostic;
use reconverge_opencl::LocalArgument;

use serde_json::{Map, Value as Json};

use crate::launch::Role;
use crate::launch::element::Number;
use crate::launch::error::unreadable;
use crate::launch::sampler::named;
use crate::launch::similar::similar;
use crate::launch::{
    AddressMode, Argument, Buffer, Coordinates, Element, Filter, Image, Launch, Rule, Sampler, Tolerance, Value,
    ValueType, element_of, format_named,
};

/// The keys of a launch, and those that only document its origin.
const KEYS: [&str; 8] = ["kernel", "global", "local", "offset", "args", "expected", "tolerance", "note"];
const NOTES: [&str; 7] = ["source", "modules", "needs", "without", "beyond", "agreed", "expected_from"];

impl Launch {
    /// Reads a launch from its JSON form.
    ///
    /// # Errors
    /// The first missing or invalid value, with its path.
    pub fn from_json(text: &str) -> Result<Launch, Diagnostic> {
        let document: Json =
            serde_json::from_str(text).map_err(|error| unreadable("", format!("the launch is not JSON: {error}")))?;
        let root = Node { path: String::new(), value: &document };
        let object = root.object()?;
        root.only(object, &KEYS, &NOTES)?;
        let arguments = root.member(object, "args")?;
        let global = root.member(object, "global")?;
        let tolerance = match object.get("tolerance") {
            None => Tolerance::default(),
            Some(_) => root.member(object, "tolerance")?.tolerance()?,
        };
        Ok(Launch {
            kernel: root.optional(object, "kernel").map(|node| node.text()).transpose()?,
            global: global.range(1)?,
            dimensions: global.elements()?.count() as u32,
            local: root.optional(object, "local").map(|node| node.local_size()).transpose()?,
            offset: root.optional(object, "offset").map_or(Ok([0; 3]), |node| node.range(0))?,
            arguments: arguments.elements()?.map(|node| node.argument()).collect::<Result<_, _>>()?,
            expected: root.optional(object, "expected").map(|node| node.text()).transpose()?,
            tolerance,
        })
    }
}

/// A value of the document and its path.
struct Node<'a> {
    path: String,
    value: &'a Json,
}

impl<'a> Node<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(unreadable(&self.path, message))
    }

    fn object(&self) -> Result<&'a Map<String, Json>, Diagnostic> {
        self.value.as_object().map_or_else(|| self.error("expected an object"), Ok)
    }

    /// Rejects unknown keys: they are mistakes. A key that begins with `_` is a note.
    fn only(&self, object: &Map<String, Json>, keys: &[&str], notes: &[&str]) -> Result<(), Diagnostic> {
        let is_known =
            |key: &&String| keys.contains(&key.as_str()) || notes.contains(&key.as_str()) || key.starts_with('_');
        let Some(key) = object.keys().find(|key| !is_known(key)) else { return Ok(()) };
        let meant = similar(key, keys)
            .map_or_else(|| format!("the keys are {}", keys.join(", ")), |meant| format!("did you mean \"{meant}\"?"));
        self.error(format!("unknown key \"{key}\"; {meant}"))
    }

    fn optional(&self, object: &'a Map<String, Json>, name: &str) -> Option<Node<'a>> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        object.get(name).map(|value| Node { path, value })
    }

    fn member(&self, object: &'a Map<String, Json>, name: &str) -> Result<Node<'a>, Diagnostic> {
        self.optional(object, name).map_or_else(|| self.error(format!("\"{name}\" is missing")), Ok)
    }

    fn elements(&self) -> Result<impl Iterator<Item = Node<'a>>, Diagnostic> {
        let Some(values) = self.value.as_array() else { return self.error("expected an array") };
        let path = self.path.clone();
        Ok(values.iter().enumerate().map(move |(index, value)| Node { path: format!("{path}[{index}]"), value }))
    }

    fn text(&self) -> Result<String, Diagnostic> {
        self.value.as_str().map_or_else(|| self.error("expected a string"), |text| Ok(text.to_owned()))
    }

    /// Numbers are parsed from their text, so that 64-bit ones are exact; a string can express what JSON cannot, `"nan"`.
    fn number(&self) -> Result<Number, Diagnostic> {
        let text = match self.value {
            Json::Number(number) => number.to_string(),
            Json::String(text) => text.clone(),
            _ => return self.error("expected a number"),
        };
        Number::parse(&text).map_or_else(|| self.error(format!("{text} is not a number")), Ok)
    }

    fn natural(&self) -> Result<u64, Diagnostic> {
        self.value.as_u64().map_or_else(|| self.error("expected an integer that is not negative"), Ok)
    }

    fn real(&self) -> Result<f64, Diagnostic> {
        self.value.as_f64().map_or_else(|| self.error("expected a number"), Ok)
    }

    /// One to three sizes; missing ones are 1 for sizes and 0 for offsets.
    fn range(&self, missing: u64) -> Result<[u64; 3], Diagnostic> {
        let mut range = [missing; 3];
        let sizes = self.elements()?.map(|node| node.natural()).collect::<Result<Vec<_>, _>>()?;
        if sizes.is_empty() || sizes.len() > 3 {
            return self.error("expected one to three sizes");
        }
        range[..sizes.len()].copy_from_slice(&sizes);
        Ok(range)
    }

    fn local_size(&self) -> Result<[u32; 3], Diagnostic> {
        let sizes = self.range(1)?.map(u32::try_from);
        match sizes {
            [Ok(x), Ok(y), Ok(z)] => Ok([x, y, z]),
            _ => self.error("the work-group is too large"),
        }
    }

    fn tolerance(&self) -> Result<Tolerance, Diagnostic> {
        let object = self.object()?;
        self.only(object, &["abs", "rel"], &[])?;
        let part = |name| self.optional(object, name).map_or(Ok(0.0), |node| node.real());
        Ok(Tolerance { absolute: part("abs")?, relative: part("rel")? })
    }

    fn element(&self, object: &'a Map<String, Json>) -> Result<Element, Diagnostic> {
        let node = self.member(object, "type")?;
        let name = node.text()?;
        Element::from_name(&name)
            .map_or_else(|| node.error(format!("unknown type {name}; the types are {}", Element::names())), Ok)
    }

    fn argument(&self) -> Result<Argument, Diagnostic> {
        let object = self.object()?;
        let kind = self.member(object, "kind")?;
        let name = kind.text()?;
        self.only(object, keys_of_argument(&name), &["name", "note", "scratch"])?;
        match name.as_str() {
            "buffer" => self.buffer(object).map(Argument::Buffer),
            "scalar" => {
                let (element, value) = (self.element(object)?, self.member(object, "value")?);
                let bytes = value.packed(element, [value.number()?])?;
                Ok(Argument::Value(Value { bytes, ty: Some(ValueType { element, components: 1 }) }))
            }
            "vector" => {
                let (element, values) = (self.element(object)?, self.member(object, "values")?);
                let numbers = values.elements()?.map(|node| node.number()).collect::<Result<Vec<_>, _>>()?;
                let components = numbers.len();
                let bytes = as_vector(values.packed(element, numbers)?, element);
                Ok(Argument::Value(Value { bytes, ty: Some(ValueType { element, components }) }))
            }
            "struct" => {
                let bytes = self.member(object, "bytes")?;
                Ok(Argument::Value(Value { bytes: bytes.hexadecimal()?, ty: None }))
            }
            "local" => {
                let bytes = self.member(object, "bytes")?;
                match LocalArgument::require_bytes(bytes.natural()?) {
                    Err(empty) => bytes.error(empty.to_string()),
                    Ok(size) => Ok(Argument::Local(size)),
                }
            }
            "image" => self.image(object).map(Argument::Image),
            "sampler" => self.sampler(object).map(Argument::Sampler),
            other => kind.error(format!(
                "unknown kind {other}; the kinds are buffer, scalar, vector, struct, local, image and sampler"
            )),
        }
    }

    fn buffer(&self, object: &'a Map<String, Json>) -> Result<Buffer, Diagnostic> {
        let element = self.element(object)?;
        let count = self.member(object, "count")?;
        let size = count.natural()?.saturating_mul(element.size() as u64);
        if size > Launch::BUFFER_LIMIT {
            return count.error(format!("a buffer has at most {} bytes", Launch::BUFFER_LIMIT));
        }
        let role = self.role(object)?;
        let rule = self.optional(object, "init").map_or(Ok(Rule::Zero), |node| node.rule(element))?;
        let name = self.optional(object, "name").map(|node| node.text()).transpose()?;
        Ok(Buffer { name, element, count: (size as usize) / element.size(), rule, role })
    }

    fn role(&self, object: &'a Map<String, Json>) -> Result<Role, Diagnostic> {
        match self.optional(object, "output").map(|node| node.value.as_bool()) {
            None | Some(Some(false)) => Ok(Role::Input),
            Some(Some(true)) => Ok(Role::Output),
            Some(None) => self.error("\"output\" must be true or false"),
        }
    }

    fn image(&self, object: &'a Map<String, Json>) -> Result<Image, Diagnostic> {
        let node = self.member(object, "format")?;
        let format = format_named(&node.text()?).map_or_else(|message| node.error(message), Ok)?;
        let role = self.role(object)?;
        let rule = self.optional(object, "init").map_or(Ok(Rule::Zero), |node| node.rule(element_of(format)))?;
        let size = self.optional(object, "size");
        if size.is_none() && !matches!(rule, Rule::File(_)) {
            return self.error("\"size\" is missing; only an image from a file has a size of its own");
        }
        let sizes = size.as_ref().map_or(Ok(Vec::new()), |node| node.image_size())?;
        let node = size.as_ref().unwrap_or(self);
        let mut image = Image::new(format, sizes, rule, role).or_else(|message| node.error(message))?;
        image.buffer.name = self.optional(object, "name").map(|node| node.text()).transpose()?;
        Ok(image)
    }

    fn image_size(&self) -> Result<Vec<u32>, Diagnostic> {
        let sizes = self.elements()?.map(|node| node.natural()).collect::<Result<Vec<_>, _>>()?;
        match sizes.into_iter().map(u32::try_from).collect::<Result<Vec<_>, _>>() {
            Ok(sizes) if !sizes.is_empty() => Ok(sizes),
            Ok(_) => self.error("expected one to three sizes"),
            Err(_) => self.error("a size of an image is at most 4294967295"),
        }
    }

    fn sampler(&self, object: &'a Map<String, Json>) -> Result<Sampler, Diagnostic> {
        let sampler = Sampler {
            coordinates: self.word(object, "coordinates", &Coordinates::NAMES)?,
            address: self.word(object, "address", &AddressMode::NAMES)?,
            filter: self.word(object, "filter", &Filter::NAMES)?,
        };
        sampler.check().map_or_else(|message| self.error(message), |()| Ok(sampler))
    }

    /// The value that a word names; by default that of its type.
    fn word<T: Copy + Default>(
        &self,
        object: &'a Map<String, Json>,
        key: &str,
        names: &[(&str, T)],
    ) -> Result<T, Diagnostic> {
        let Some(node) = self.optional(object, key) else { return Ok(T::default()) };
        let word = node.text()?;
        named(names, &word).map_or_else(
            || {
                let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                node.error(format!("unknown word {word}; the words are {}", known.join(", ")))
            },
            Ok,
        )
    }

    fn rule(&self, element: Element) -> Result<Rule, Diagnostic> {
        let object = self.object()?;
        let name = self.member(object, "rule")?;
        self.only(object, keys_of_rule(&name.text()?), &[])?;
        match name.text()?.as_str() {
            "zero" => Ok(Rule::Zero),
            "fill" => {
                let value = self.member(object, "value")?;
                value.packed(element, [value.number()?]).map(Rule::Fill)
            }
            "list" => {
                let values = self.member(object, "values")?;
                let numbers = values.elements()?.map(|node| node.number()).collect::<Result<Vec<_>, _>>()?;
                values.packed(element, numbers).map(Rule::Bytes)
            }
            "text" => self.member(object, "text")?.text().map(|text| Rule::Bytes(text.into_bytes())),
            "bytes" => self.member(object, "bytes")?.hexadecimal().map(Rule::Bytes),
            "file" => self.member(object, "path")?.text().map(Rule::File),
            "lcg" => {
                let natural = |name| self.optional(object, name).map_or(Ok(0), |node| node.natural());
                let real = |name, missing| self.optional(object, name).map_or(Ok(missing), |node| node.real());
                let (add, scale) = (real("add", 0.0)?, real("scale", 1.0)?);
                match (u32::try_from(natural("seed")?), u32::try_from(natural("mod")?)) {
                    (Ok(seed), Ok(modulus)) => Ok(Rule::Congruential { seed, modulus, add, scale }),
                    _ => self.error("seed and mod must fit in 32 bits"),
                }
            }
            other => {
                name.error(format!("unknown rule {other}; the rules are zero, fill, list, text, bytes, file and lcg"))
            }
        }
    }

    fn packed(&self, element: Element, numbers: impl IntoIterator<Item = Number>) -> Result<Vec<u8>, Diagnostic> {
        let mut bytes = Vec::new();
        for number in numbers {
            let fits = element.push(number, &mut bytes);
            fits.map_or_else(|| self.error(element.misfit(&number.to_string())), Ok)?;
        }
        Ok(bytes)
    }

    fn hexadecimal(&self) -> Result<Vec<u8>, Diagnostic> {
        let text = self.text()?;
        hexadecimal(&text).map_or_else(|| self.error("expected pairs of hexadecimal digits"), Ok)
    }
}

/// The keys of an argument of that kind, besides its notes; for an unknown kind any keys.
fn keys_of_argument(kind: &str) -> &'static [&'static str] {
    match kind {
        "buffer" => &["kind", "name", "type", "count", "init", "output"],
        "scalar" => &["kind", "name", "type", "value"],
        "vector" => &["kind", "name", "type", "values"],
        "struct" | "local" => &["kind", "name", "bytes"],
        "image" => &["kind", "name", "format", "size", "init", "output"],
        "sampler" => &["kind", "name", "coordinates", "address", "filter"],
        _ => &["kind", "name", "type", "count", "init", "output", "value", "values", "bytes"],
    }
}

/// The keys of a rule.
fn keys_of_rule(rule: &str) -> &'static [&'static str] {
    match rule {
        "zero" => &["rule"],
        "fill" => &["rule", "value"],
        "list" => &["rule", "values"],
        "text" => &["rule", "text"],
        "bytes" => &["rule", "bytes"],
        "file" => &["rule", "path"],
        _ => &["rule", "seed", "mod", "add", "scale"],
    }
}

/// Bytes from pairs of hexadecimal digits; spaces between them are ignored.
pub(crate) fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let pairs = digits.chunks(2).map(|pair| match pair {
        [_, _] => u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok(),
        _ => None,
    });
    pairs.collect()
}

/// A vector of three has the size of four.
pub(crate) fn as_vector(mut bytes: Vec<u8>, element: Element) -> Vec<u8> {
    if bytes.len() == 3 * element.size() {
        bytes.resize(4 * element.size(), 0);
    }
    bytes
}
