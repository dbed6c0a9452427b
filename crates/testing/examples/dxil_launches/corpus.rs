//! The containers of a corpus: what is bound, what is launched, and the words that are expected.
//!
//! `MANIFEST.tsv` has a row for each container. A resource is written `REGISTER KIND … FILL`, as the shader's own first lines have it.

use std::path::Path;

/// What the bindings of a class of registers begin with.
fn shift(class: char) -> u32 {
    match class {
        't' => 100,
        'u' => 200,
        's' => 300,
        _ => 0,
    }
}

/// A container and its launch.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) groups: [u32; 3],
    pub(crate) resources: Vec<Resource>,
    pub(crate) compare: Compare,
}

/// A resource of a launch.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) register: String,
    pub(crate) set: u32,
    pub(crate) binding: u32,
    /// The place in an array of resources.
    pub(crate) element: u32,
    pub(crate) kind: Kind,
    pub(crate) words: Vec<u32>,
    /// The words after the launch, if they are compared.
    pub(crate) expected: Option<Vec<u32>>,
}

/// What a resource is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Uniform,
    Storage,
    /// Texels of so many words; a buffer has no height.
    Image {
        width: usize,
        height: Option<usize>,
        channels: usize,
    },
    Sampler {
        is_nearest: bool,
        wraps: bool,
    },
}

/// How words are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Compare {
    Exact,
    Sorted,
    Relative(f32),
    /// They are not.
    Not,
}

/// The containers of a folder that have expected words.
pub(crate) fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let read = |path: &str| std::fs::read(folder.join(path)).map_err(|error| format!("{path}: {error}"));
    let text = |path: &str| Ok::<_, String>(String::from_utf8_lossy(&read(path)?).into_owned());
    let mut cases = Vec::new();
    for row in text("MANIFEST.tsv")?.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [_, _, container, .., resources, groups, _, expected, compare, _] = columns[..] else {
            return Err(format!("a row with {} columns: {row}", columns.len()));
        };
        if expected == "-" {
            continue;
        }
        let mut resources = parse_resources(resources)?;
        for path in expected.split(' ') {
            let register = path.split('.').rev().nth(1).unwrap_or_default();
            let resource = resources.iter_mut().find(|resource| resource.register == register);
            resource.ok_or_else(|| format!("{path}: no such resource"))?.expected = Some(hexadecimal(&text(path)?)?);
        }
        let groups: Vec<u32> = groups.split(' ').map(number).collect::<Result<_, String>>()?;
        let groups = groups.try_into().map_err(|_| format!("{container}: three numbers of groups"))?;
        let name = container.trim_start_matches("dxil/").trim_end_matches(".dxil").to_owned();
        cases.push(Case { name, bytes: read(container)?, groups, resources, compare: parse_compare(compare)? });
    }
    for row in text("flow/FLOW.tsv")?.lines().skip(1) {
        let name = row.split('\t').next().unwrap_or_default();
        let mut resources = parse_resources("t0 structured 4 64 hash:77; u0 structured 4 64 zero out")?;
        resources[1].expected = Some(hexadecimal(&text(&format!("flow/{name}.txt"))?)?);
        let bytes = read(&format!("flow/{name}.dxil"))?;
        cases.push(Case { name: name.to_owned(), bytes, groups: [1; 3], resources, compare: Compare::Exact });
    }
    Ok(cases)
}

fn parse_compare(text: &str) -> Result<Compare, String> {
    match text.split_once(' ') {
        None if matches!(text, "exact" | "subgroup") => Ok(Compare::Exact),
        None if text == "sorted" => Ok(Compare::Sorted),
        Some(("relative", limit)) => limit.parse().map(Compare::Relative).map_err(|error| format!("{text}: {error}")),
        Some(("none:", _)) => Ok(Compare::Not),
        _ => Err(format!("{text}: no such comparison")),
    }
}

fn parse_resources(text: &str) -> Result<Vec<Resource>, String> {
    let (mut resources, mut arrays) = (Vec::new(), Vec::new());
    for line in text.split("; ") {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["array", first, count] => arrays.push((first, number(count)?)),
            [register, kind, ref rest @ ..] => resources.push(parse_resource(register, kind, rest)?),
            _ => return Err(format!("{line}: no resource")),
        }
    }
    for (first, count) in arrays {
        let first =
            resources.iter().find(|one: &&Resource| one.register == first).ok_or("an array of nothing")?.binding;
        for one in resources.iter_mut().filter(|one| (first..first + count).contains(&one.binding)) {
            one.element = one.binding - first;
            one.binding = first;
        }
    }
    Ok(resources)
}

fn parse_resource(register: &str, kind: &str, rest: &[&str]) -> Result<Resource, String> {
    let class = register.chars().next().unwrap_or_default();
    let binding = number(&register[1..])? + shift(class);
    let set = rest.iter().find_map(|word| word.strip_prefix("space=")).map_or(Ok(0), number)?;
    let (kind, count, rule) = match (kind, rest) {
        ("sampler", [filter, address, ..]) => {
            (Kind::Sampler { is_nearest: *filter == "nearest", wraps: *address == "wrap" }, 0, "zero")
        }
        ("cbuffer", [bytes, rule, ..]) => (Kind::Uniform, number(bytes)? / 4, *rule),
        ("raw", [bytes, rule, ..]) => (Kind::Storage, number(bytes)? / 4, *rule),
        ("structured", [stride, count, rule, ..]) => (Kind::Storage, number(stride)? * number(count)? / 4, *rule),
        ("typed", [format, count, rule, ..]) => {
            let (channels, width) = (channels(format), number(count)?);
            (Kind::Image { width: width as usize, height: None, channels: channels as usize }, width * channels, *rule)
        }
        ("texture", [format, size, rule, ..]) => {
            let (width, height) = size.split_once('x').ok_or("a texture without a size")?;
            let (channels, width, height) = (channels(format), number(width)?, number(height)?);
            let kind =
                Kind::Image { width: width as usize, height: Some(height as usize), channels: channels as usize };
            (kind, width * height * channels, *rule)
        }
        _ => return Err(format!("{register} {kind}: no such resource")),
    };
    let words = fill(rule, count)?;
    Ok(Resource { register: register.to_owned(), set, binding, element: 0, kind, words, expected: None })
}

fn channels(format: &str) -> u32 {
    format.find(|letter: char| letter.is_ascii_digit()).map_or(1, |letters| letters as u32)
}

/// Words by a rule.
fn fill(rule: &str, count: u32) -> Result<Vec<u32>, String> {
    let parts: Vec<&str> = rule.split(':').collect();
    let float = |value: f32| value.to_bits();
    (0..count)
        .map(|index| match parts[..] {
            ["zero"] => Ok(0),
            ["seq"] => Ok(index),
            ["fseq"] => Ok(float(index as f32)),
            ["f01", seed] => Ok(float((hash(number(seed)?, index) >> 8) as f32 * 2.0_f32.powi(-24))),
            ["hash", seed] => Ok(hash(number(seed)?, index)),
            ["hash", seed, mask] => Ok(hash(number(seed)?, index) & number(mask)?),
            ["list", list] => {
                let list: Vec<&str> = list.split(',').collect();
                number(list[index as usize % list.len()])
            }
            _ => Err(format!("{rule}: no such rule")),
        })
        .collect()
}

fn hash(seed: u32, index: u32) -> u32 {
    let mut hash = index.wrapping_mul(0x9e37_79b9).wrapping_add(seed.wrapping_mul(0x85eb_ca6b));
    hash = (hash ^ hash >> 16).wrapping_mul(0x7feb_352d);
    hash = (hash ^ hash >> 15).wrapping_mul(0x846c_a68b);
    hash ^ hash >> 16
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}

fn hexadecimal(text: &str) -> Result<Vec<u32>, String> {
    text.split_whitespace()
        .map(|word| u32::from_str_radix(word, 16).map_err(|error| format!("{word}: {error}")))
        .collect()
}

impl Case {
    /// Compares words with the expected ones. The first words that differ, if any do.
    pub(crate) fn difference(&self, found: &[(String, Vec<u32>)]) -> Option<String> {
        for resource in &self.resources {
            let Some(mut expected) = resource.expected.clone() else { continue };
            let Some((_, words)) = found.iter().find(|(register, _)| *register == resource.register) else {
                return Some(format!("{} is not there", resource.register));
            };
            let mut words = words.clone();
            if self.compare == Compare::Sorted {
                expected.sort_unstable();
                words.sort_unstable();
            }
            if words.len() != expected.len() {
                return Some(format!("{}: {} words, expected {}", resource.register, words.len(), expected.len()));
            }
            let wrong = |&(_, (&expected, &found)): &(usize, (&u32, &u32))| !self.is_close(expected, found);
            let differing: Vec<_> = expected.iter().zip(&words).enumerate().filter(wrong).collect();
            if let Some(&(index, (expected, found))) = differing.first() {
                let (register, count) = (&resource.register, differing.len());
                return Some(format!(
                    "{register}[{index}]: expected {expected:08x}, found {found:08x}; {count} differ"
                ));
            }
        }
        None
    }

    fn is_close(&self, expected: u32, found: u32) -> bool {
        /// The least number that an error is relative to.
        const LEAST: f32 = 1e-3;
        match self.compare {
            Compare::Not => true,
            Compare::Relative(limit) if expected != found => {
                let [expected, found] = [expected, found].map(f32::from_bits);
                (expected - found).abs() <= limit * expected.abs().max(LEAST)
            }
            _ => expected == found,
        }
    }
}
