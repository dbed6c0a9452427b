//! Options of the input format DXIL: where resources go, and what accesses outside of them do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge::Format;
use reconverge::diagnose::Severity;
use reconverge::dxil::module::view::ResourceClass;
use reconverge::dxil::{Bindings, Register, TranslateOptions, Translation};
use serde::Deserialize;

use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::findings;
use crate::input::Input;

reconverge_diagnostic::codes! {
    /// Codes of files of bindings.
    pub(crate) enum BindingsCode in "DXIL" {
        File = "dxil-bindings-file" Rejected
            "The file of --bindings is not an object of registers and places."
            "docs/dxil.md has an example";
    }
}

/// Options of DXIL.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "DXIL")]
pub(crate) struct DxilFlags {
    /// Add N to the registers of a class, b, t, u or s, to get their bindings; c is for counters; may be repeated
    ///
    /// A register of space S goes to the descriptor set S. `--shift t=100` places t3 at binding 103.
    #[arg(long, value_name = "CLASS=N", value_parser = parse_shift)]
    shift: Vec<Shift>,
    /// Places of single registers, as JSON (docs/dxil.md)
    #[arg(long, hide_short_help = true, value_name = "FILE.json")]
    bindings: Option<PathBuf>,
    /// Outside of buffers and rows, reads give zero and writes do nothing
    #[arg(long, hide_short_help = true)]
    robust: bool,
}

/// A shift of the registers of a class.
#[derive(Clone, Copy, Debug)]
struct Shift {
    /// None for counters.
    class: Option<ResourceClass>,
    letter: char,
    by: u32,
}

fn parse_shift(text: &str) -> Result<Shift, String> {
    let expected = || format!("expected a class and a number such as t=100, found {text}");
    let (class, by) = text.split_once('=').ok_or_else(expected)?;
    let by = by.parse().map_err(|_| expected())?;
    let mut letters = class.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(expected()) };
    let class = match letter {
        'c' => None,
        letter => Some(class_of(letter).ok_or_else(|| format!("expected the class b, t, u, s or c, found {letter}"))?),
    };
    Ok(Shift { class, letter, by })
}

fn class_of(letter: char) -> Option<ResourceClass> {
    Some(match letter {
        'b' => ResourceClass::ConstantBuffer,
        't' => ResourceClass::ShaderResource,
        'u' => ResourceClass::UnorderedAccess,
        's' => ResourceClass::Sampler,
        _ => return None,
    })
}

impl DxilFlags {
    /// The first flag that is given.
    fn first(&self) -> Option<&'static str> {
        let flags =
            [("--shift", !self.shift.is_empty()), ("--bindings", self.bindings.is_some()), ("--robust", self.robust)];
        flags.into_iter().find_map(|(flag, is_said)| is_said.then_some(flag))
    }

    /// Gives an input its options. They are refused for another format; an error is reported, and the exit code is returned.
    pub(crate) fn apply(&self, input: &mut Input, reporter: Reporter) -> Result<(), Exit> {
        let Some(flag) = self.first() else { return Ok(()) };
        if input.format != Format::DXIL {
            let message = format!("{flag} is for DXIL, and the input is {}", input.format.title());
            return Err(reporter.wrong_usage(message));
        }
        let mut bindings = Bindings::default();
        let mut shifted = BTreeMap::new();
        for &Shift { class, letter, by } in &self.shift {
            if shifted.insert(letter, by).is_some_and(|other| other != by) {
                return Err(reporter.wrong_usage(format!("--shift gives {letter} two numbers")));
            }
            match class {
                Some(class) => bindings.shift(class, by),
                None => bindings.shift_counters(by),
            }
        }
        if let Some(path) = &self.bindings {
            read_bindings(path, &mut bindings, reporter)?;
        }
        input.dxil = TranslateOptions { bindings, is_robust: self.robust, ..TranslateOptions::default() };
        Ok(())
    }
}

/// A place in a file of bindings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    set: u32,
    binding: u32,
}

/// Reads a file of bindings: an object with a place for each register.
fn read_bindings(path: &Path, bindings: &mut Bindings, reporter: Reporter) -> Result<(), Exit> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        reporter.report(&[io_diagnostic("cannot read the bindings", &error, Some(&name))]);
        Exit::Io
    })?;
    let refuse = |message: String| {
        let code = BindingsCode::File.declared();
        reporter.report(&[Diagnostic { code, message, file: Some(name.clone()), ..Diagnostic::default() }]);
        Exit::Rejected
    };
    let slots: Vec<(String, Slot)> = serde_json::from_str::<Entries>(&text)
        .map_err(|error| {
            refuse(format!("expected an object such as {{\"t3\": {{\"set\": 0, \"binding\": 7}}}}: {error}"))
        })?
        .0;
    let mut known = BTreeMap::new();
    for (key, slot) in slots {
        let place = Key::parse(&key)
            .ok_or_else(|| refuse(format!("expected a register such as t3, u0.counter or b1,space2, found {key}")))?;
        if known.insert((place.register, place.is_counter), ()).is_some() {
            return Err(refuse(format!("{key} has two places")));
        }
        let slot = reconverge::dxil::DescriptorSlot { set: slot.set, binding: slot.binding };
        match place.is_counter {
            true => bindings.assign_counter(place.register, slot),
            false => bindings.assign(place.register, slot),
        }
    }
    Ok(())
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

/// Options where nothing requests the places of resources: each class has bindings of its own.
pub(crate) fn apart() -> TranslateOptions {
    let mut bindings = Bindings::default();
    bindings.shift(ResourceClass::ShaderResource, 1 << 24);
    bindings.shift(ResourceClass::UnorderedAccess, 2 << 24);
    bindings.shift(ResourceClass::Sampler, 3 << 24);
    bindings.shift_counters(4 << 24);
    TranslateOptions { bindings, ..TranslateOptions::default() }
}

/// Prints DXIL as LLVM assembly.
pub(crate) fn dump(input: &Input, reporter: Reporter) -> Exit {
    if input.format != Format::DXIL {
        return reporter.wrong_usage(format!("--dump dxil is for DXIL, and the input is {}", input.format.title()));
    }
    match reconverge::dxil::print(&input.bytes) {
        Ok(text) => {
            print!("{text}");
            Exit::Done
        }
        Err(error) => {
            reporter.report(&findings::of_error(&error, input, None));
            error.kind().into()
        }
    }
}

/// Returns the assumptions of a translation, a note for each.
pub(crate) fn assumptions(translation: &Translation, input: &Input) -> Vec<Diagnostic> {
    let note = |assumption: &reconverge::Diagnostic| Diagnostic {
        severity: Severity::Note,
        code: assumption.code,
        message: assumption.message.clone(),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    translation.assumptions.iter().map(note).collect()
}
