//! Arguments in their form on a command line.
//!
//! ```text
//! in:u32[64]=lcg(7)         a buffer of 64 numbers that the kernel reads
//! out:f32[16]=zero          a buffer whose contents are a result
//! in:u8[]=@input.bin        a buffer with what a file holds, as large as the file
//! f32=0.5   u32x4=1,2,3,4   a scalar, a vector
//! hex=00ff12                any other value, byte for byte
//! local=256                 local memory, in bytes
//! image:rgba8[8,4]=zero     an image of 8 × 4 texels; with out: before it, its texels are a result
//! image:rgba8[]=@p.png      an image with what a picture holds, as large as the picture
//! sampler=repeat,linear     a sampler
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_opencl::LocalArgument;

use crate::launch::Role;
use crate::launch::element::Number;
use crate::launch::error::unreadable;
use crate::launch::json::{as_vector, hexadecimal};
use crate::launch::similar::similar;
use crate::launch::{
    Argument, Buffer, Element, Image, Launch, Rule, Sampler, Value, ValueType, element_of, format_named,
};

impl Argument {
    /// Reads an argument from its form on a command line.
    ///
    /// # Errors
    /// The reason why the flag is invalid.
    pub fn from_flag(flag: &str) -> Result<Argument, Diagnostic> {
        let error = |message: String| unreadable(flag, message);
        let (kind, value) = flag.split_once('=').unwrap_or((flag, ""));
        let with_role = [("in:", Role::Input), ("out:", Role::Output)]
            .into_iter()
            .find_map(|(prefix, role)| kind.strip_prefix(prefix).map(|memory| (memory, role)));
        let image = with_role
            .or(Some((kind, Role::Input)))
            .and_then(|(memory, role)| memory.strip_prefix("image:").map(|image| (image, role)));
        if let Some((image, role)) = image {
            return image_from(image, value, role).map(Argument::Image).map_err(error);
        }
        if let Some((buffer, role)) = with_role {
            return buffer_from(buffer, value, role).map(Argument::Buffer).map_err(error);
        }
        match kind {
            "local" => {
                let bytes =
                    value.parse().map_err(|_| error("expected a number of bytes, like local=256".to_owned()))?;
                LocalArgument::require_bytes(bytes).map(Argument::Local).map_err(|empty| error(empty.to_string()))
            }
            "hex" => {
                let bytes = hexadecimal(value).filter(|bytes| !bytes.is_empty());
                let value = bytes.map(|bytes| Argument::Value(Value { bytes, ty: None }));
                value.ok_or_else(|| error("expected pairs of hexadecimal digits, like hex=00ff12".to_owned()))
            }
            "sampler" => Sampler::from_words(value).map(Argument::Sampler).map_err(error),
            _ => value_from(kind, value).map(Argument::Value).map_err(error),
        }
    }
}

fn value_from(ty: &str, value: &str) -> Result<Value, String> {
    if let Some((name, _)) = ty.split_once('[')
        && Element::from_name(name).is_none()
        && format_named(name).is_ok()
    {
        return Err(format!("an image begins with image: or out:image:, like image:{ty}=zero or out:image:{ty}=zero"));
    }
    if ty.contains('[') {
        return Err(format!("a buffer begins with in: or out:, like in:{ty}=zero or out:{ty}=zero"));
    }
    if ty.starts_with('@') || ty.ends_with(".npy") {
        let file = ty.trim_start_matches('@');
        return Err(format!("a file is the contents of a buffer, like in:f32[]=@{file}"));
    }
    let (name, components) = match ty.split_once('x') {
        None => (ty, 1),
        Some((name, count)) => {
            let components =
                count.parse().map_err(|_| "expected a number of components after x, like u32x4=1,2,3,4")?;
            (name, components)
        }
    };
    let element = element(name).map_err(|error| format!("{error}, in:, out:, image:, sampler, local and hex"))?;
    let bytes = numbers(element, value)?;
    if bytes.len() != components * element.size() {
        return Err(format!("expected {components} numbers, found {}", bytes.len() / element.size()));
    }
    Ok(Value { bytes: as_vector(bytes, element), ty: Some(ValueType { element, components }) })
}

fn buffer_from(ty: &str, rule: &str, role: Role) -> Result<Buffer, String> {
    let parts = ty.strip_suffix(']').and_then(|ty| ty.split_once('['));
    let (name, count) = parts.ok_or("expected a type and a number of elements, like u32[64]")?;
    let element = match element(name) {
        Err(_) if format_named(name).is_ok() => return Err(format!("{name} is a format of images: write image:{ty}")),
        element => element?,
    };
    let (text, rule) = (rule, rule_from(rule, element)?);
    let count = match (count, &rule) {
        ("", Rule::File(_)) => 0,
        ("", Rule::Bytes(bytes)) => bytes.len() / element.size(),
        ("", _) => return Err(sizeless(name, text)),
        _ => count.parse().map_err(|_| format!("{count} is not a number of elements: write {name}[64] for 64"))?,
    };
    if let Rule::Bytes(bytes) = &rule
        && bytes.len() > count.saturating_mul(element.size())
    {
        let found = bytes.len().div_ceil(element.size());
        return Err(format!(
            "the contents have {found} elements, and the buffer {count}: write {name}[{found}] or {name}[]"
        ));
    }
    match (count as u64).saturating_mul(element.size() as u64) {
        0..=Launch::BUFFER_LIMIT => Ok(Buffer { name: None, element, count, rule, role }),
        _ => Err(format!("a buffer has at most {} bytes", Launch::BUFFER_LIMIT)),
    }
}

fn image_from(ty: &str, rule: &str, role: Role) -> Result<Image, String> {
    const FORM: &str = "expected a format and sizes, like image:rgba8[512,512]";
    let (name, sizes) = ty.strip_suffix(']').and_then(|ty| ty.split_once('[')).ok_or(FORM)?;
    let format = format_named(name)?;
    let rule = rule_from(rule, element_of(format))?;
    let size = match (sizes, &rule) {
        ("", Rule::File(_)) => Vec::new(),
        ("", _) => {
            return Err(format!(
                "the sizes are missing: write image:{name}[512,512] for 512 × 512; only image:{name}[]=@FILE has a size of its own"
            ));
        }
        _ => {
            let each = sizes.split(',').map(|size| size.trim().parse().ok());
            each.collect::<Option<Vec<u32>>>().ok_or_else(|| format!("[{sizes}] is no size of an image: {FORM}"))?
        }
    };
    let image = Image::new(format, size, rule, role)?;
    match &image.buffer {
        Buffer { element, count, rule: Rule::Bytes(bytes), .. } if bytes.len() > count * element.size() => {
            let found = bytes.len().div_ceil(element.size());
            Err(format!("the contents have {found} numbers, and {image} {count}"))
        }
        _ => Ok(image),
    }
}

/// The message for a buffer whose contents do not say how many elements it has.
fn sizeless(name: &str, rule: &str) -> String {
    let rule = if rule.is_empty() { "zero" } else { rule };
    format!(
        "the number of elements is missing: write {name}[64]={rule} for 64; only {name}[]=@FILE and {name}[]=list(1,2,3) have a size of their own"
    )
}

fn rule_from(text: &str, element: Element) -> Result<Rule, String> {
    if let Some(path) = text.strip_prefix('@') {
        return match path {
            "" => Err("expected the name of a file after @, like @input.bin".to_owned()),
            path => Ok(Rule::File(path.to_owned())),
        };
    }
    let (name, inside) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, inside)) => (name, inside),
        None => (text, ""),
    };
    match name {
        "" | "zero" => Ok(Rule::Zero),
        "fill" => match numbers(element, inside)? {
            bytes if bytes.len() == element.size() => Ok(Rule::Fill(bytes)),
            _ => Err("fill takes one number, for example fill(7)".to_owned()),
        },
        "list" => numbers(element, inside).map(Rule::Bytes),
        "text" => Ok(Rule::Bytes(inside.as_bytes().to_vec())),
        "hex" => hexadecimal(inside)
            .map(Rule::Bytes)
            .ok_or_else(|| "expected pairs of hexadecimal digits, like hex(00ff)".to_owned()),
        "lcg" => congruential_from(inside),
        _ => Err(no_rule(text)),
    }
}

/// The message for a text that is not a rule.
fn no_rule(text: &str) -> String {
    const FORMS: &str = "zero, fill(7), list(1,2,3), text(hello), hex(00ff), lcg(SEED,MOD) and @FILE";
    let (name, rest) = text.split_once([':', '=', '(', ' ']).unwrap_or((text, ""));
    let known = similar(name, &["zero", "fill", "list", "text", "hex", "lcg"]).filter(|_| !name.is_empty());
    match known {
        Some("zero") => "did you mean zero?".to_owned(),
        Some(known) => format!("did you mean {known}({})?", rest.trim_end_matches(')')),
        None if Number::parse(name).is_some() => format!("did you mean fill({name})? Contents are {FORMS}"),
        None => format!("unknown contents {name}; the contents are {FORMS}"),
    }
}

fn congruential_from(text: &str) -> Result<Rule, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= 4);
    let part = |index: usize, missing| numbers.as_ref().map(|numbers| numbers.get(index).copied().unwrap_or(missing));
    let natural =
        |number: f64| (number.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&number)).then_some(number as u32);
    let rule =
        part(0, f64::NAN).and_then(natural).zip(part(1, 0.0).and_then(natural)).zip(part(2, 0.0)).zip(part(3, 1.0));
    let rule = rule.map(|(((seed, modulus), add), scale)| Rule::Congruential { seed, modulus, add, scale });
    rule.ok_or_else(|| {
        "lcg takes seed, modulus, addend and factor, for example lcg(7,100,0,0.5); the last three are optional"
            .to_owned()
    })
}

fn element(name: &str) -> Result<Element, String> {
    Element::from_name(name).ok_or_else(|| match Element::named_in_c(name) {
        Some(meant) => format!("unknown type {name}: {} is meant; allowed are {}", meant.name(), Element::names()),
        None => format!("unknown type {name}; allowed are {}", Element::names()),
    })
}

fn numbers(element: Element, text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for number in text.split(',').map(str::trim) {
        let parsed = Number::parse(number).and_then(|value| element.push(value, &mut bytes));
        parsed.ok_or_else(|| element.misfit(number))?;
    }
    Ok(bytes)
}
