//! Compares the verifier with the validator of SPIRV-Tools: on real modules, and on modules with a mutation.
//!
//! ```text
//! module ─ mutation ─┬─▶ reader ─▶ verifier ─┐
//!                    │                       ├─▶ agreement: both accept, both refuse, missed, unexplained
//!                    └─▶ spirv-val ──────────┘
//! ```
//!
//! A module that the reader rejects counts as rejected. *Missed* are modules that only the validator rejects, *unexplained* those that only
//! the verifier rejects.

pub mod instructions;
mod mutation;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge_spirv::{ReadOptions, ignored_surplus, read};
use reconverge_verify::verify_whole;

use crate::judge::{Environment, Validator};
pub use mutation::mutate;

/// The results of both for a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// Both accept it.
    Accepted,
    /// Both reject it.
    Refused,
    /// Only one of them rejects it, and the difference is listed.
    Argued,
    /// Only the validator rejects it: its message, without names and numbers.
    Missed(String),
    /// Only the verifier rejects it: its code and its message.
    Unexplained(String, String),
}

/// A listed difference: a code of the verifier, a part of its message, and the reason.
const ARGUED: [(&str, &str, &str); 17] = [
    (
        "T12",
        "signedness should be 0 or 1",
        "OpTypeInt has no other signedness; the validator asks for it at 32 bits alone",
    ),
    (
        "D03",
        "as the struct is an element of an array",
        "everything in a block is laid out (section 2.16.2); the validator does not look into the elements of arrays",
    ),
    (
        "D03",
        "should be an array with a stride",
        "everything in a block is laid out (section 2.16.2); the validator asks for strides in Vulkan's environments alone",
    ),
    (
        "T06",
        "`generic_ptr_mem_semantics`",
        "memory semantics are an integer of 32 bits; the validator asks nothing of this instruction",
    ),
    ("R9", "occurs twice", "no two literals of a switch are the same; the validator does not compare them"),
    (
        "I06",
        "the parameters' types",
        "a function has the parameters of its type; the validator counts them if there are some",
    ),
    (
        "T05",
        "`copy_logical`: the result should be of another type",
        "OpCopyLogical says so; the validator lets it pass",
    ),
    (
        "T01",
        "dot_acc_sat`: operand 2 should be of the type of the result",
        "the accumulator has the type of the result (SPV_KHR_integer_dot_product); the validator does not look at it",
    ),
    (
        "T01",
        "dot`: the result should be an integer",
        "a dot product of integers is one (SPV_KHR_integer_dot_product); the validator lets structs pass",
    ),
    (
        "T12",
        "the signedness of integers should be 0",
        "with the capability Kernel signedness is 0 (section 2.16.1); the validator asks for it at 32 bits alone",
    ),
    (
        "I03",
        "decorate_string` should be a string",
        "OpDecorateString has a string; the validator takes the operands that the decoration has elsewhere",
    ),
    ("D01", "decorate_string", "the same, where what is decorated is another thing than the decoration is for"),
    ("T01", "dot_acc_sat`: the result should be an integer", "the same for a dot product that is added to something"),
    ("T06", "`lifetime_st", "OpLifetimeStart and OpLifetimeStop take a pointer; the validator asks nothing of them"),
    (
        "T06",
        "in_bounds_ptr_access_chain`: operand 1 should be an integer",
        "an element is a number (OpPtrAccessChain); the validator asks so of the other access chain alone",
    ),
    ("read", "expected a string closed by a zero byte", "the same, where a number stands for the string"),
    (
        "D01",
        "FPRoundingMode should be of a conversion",
        "FPRoundingMode is of conversions (section 3.20); the validator looks at the uses of what is decorated alone",
    ),
];

/// Checks a module with both.
///
/// # Errors
/// The validator cannot be run.
pub fn compare(validator: &Validator, bytes: &[u8], environment: Environment) -> Result<Agreement, String> {
    let theirs = validator.validate(bytes, environment).err();
    Ok(match (refusal(bytes), theirs) {
        (None, None) => Agreement::Accepted,
        (Some(_), Some(_)) => Agreement::Refused,
        (None, Some(message)) => Agreement::Missed(shape(&message)),
        (Some((code, message)), None) if is_argued(&code, &message) => Agreement::Argued,
        (Some((code, message)), None) => Agreement::Unexplained(code, message),
    })
}

fn is_argued(code: &str, message: &str) -> bool {
    ARGUED.iter().any(|(argued, piece, _)| *argued == code && message.contains(piece))
}

/// The reason why the verifier rejects a module, if it does: code and message.
fn refusal(bytes: &[u8]) -> Option<(String, String)> {
    match read(bytes, &ReadOptions::default()) {
        Err(error) => Some(("read".to_owned(), error.to_string())),
        // The reader reports these words and continues, as old front ends write them.
        Ok(_) if let Some(error) = ignored_surplus(bytes) => Some(("read".to_owned(), error.to_string())),
        Ok(module) => verify_whole(&module).first().map(|finding| (finding.code.to_string(), finding.to_string())),
    }
}

/// A message of the validator without module-specific parts.
fn shape(message: &str) -> String {
    let line = message.lines().find(|line| line.contains("error")).or_else(|| message.lines().next()).unwrap_or("");
    let text = line.split_once(": ").map_or(line, |(_, rest)| rest);
    let text = text.split_once(": ").filter(|(line, _)| line.starts_with("line ")).map_or(text, |(_, rest)| rest);
    let mut shaped = String::new();
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '0'..='9' => {}
            _ => shaped.push(character),
        }
    }
    shaped.chars().take(140).collect()
}

/// The number of modules with each result, with an example of each.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Modules that both accept.
    pub accepted: u64,
    /// Modules that both reject.
    pub refused: u64,
    /// Modules that only the verifier rejects, with a listed difference.
    pub argued: u64,
    /// By message: the number of modules that only the validator rejects, and the first of them.
    pub missed: BTreeMap<String, (u64, String)>,
    /// By code: the number of modules that only the verifier rejects, and the first of them with its message.
    pub unexplained: BTreeMap<String, (u64, String)>,
}

impl Tally {
    /// Counts the result for the module with that name.
    pub fn add(&mut self, agreement: Agreement, name: &str) {
        match agreement {
            Agreement::Accepted => self.accepted += 1,
            Agreement::Refused => self.refused += 1,
            Agreement::Argued => self.argued += 1,
            Agreement::Missed(message) => self.missed.entry(message).or_insert((0, name.to_owned())).0 += 1,
            Agreement::Unexplained(code, message) => {
                self.unexplained.entry(code).or_insert((0, format!("{name}: {message}"))).0 += 1;
            }
        }
    }

    /// Adds the counts of another one.
    pub fn merge(&mut self, other: Tally) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.argued += other.argued;
        for (into, from) in [(&mut self.missed, other.missed), (&mut self.unexplained, other.unexplained)] {
            for (key, (count, name)) in from {
                into.entry(key).or_insert((0, name)).0 += count;
            }
        }
    }

    /// The number of modules that only the validator rejects.
    pub fn missed(&self) -> u64 {
        self.missed.values().map(|(count, _)| count).sum()
    }

    /// The number of modules that only the verifier rejects.
    pub fn unexplained(&self) -> u64 {
        self.unexplained.values().map(|(count, _)| count).sum()
    }

    /// The fraction of the modules that the validator rejects that the verifier also rejects.
    pub fn share(&self) -> f64 {
        let theirs = self.refused + self.missed();
        if theirs == 0 { 1.0 } else { self.refused as f64 / theirs as f64 }
    }
}

/// The SPIR-V modules under these folders, recursively, sorted by name.
///
/// # Errors
/// Folders that cannot be read.
pub fn modules_under(folders: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    files_under(folders, &["spv"])
}

/// The files with one of these extensions under these folders, recursively, sorted by name.
///
/// # Errors
/// Folders that cannot be read.
pub fn files_under(folders: &[PathBuf], extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut stack: Vec<PathBuf> = folders.to_vec();
    let mut found = Vec::new();
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            stack.extend(entries.filter_map(Result::ok).map(|entry| entry.path()));
        } else if extensions.iter().any(|&wanted| path.extension().is_some_and(|extension| extension == wanted)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The name of a module in messages: its file, and the seed if it was mutated.
pub fn name(path: &Path, seed: Option<u64>) -> String {
    let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    seed.map_or(file.clone(), |seed| format!("{file} seed {seed}"))
}
