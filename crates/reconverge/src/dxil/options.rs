//! Options of DXIL: the places of resources, and the results of accesses outside of them.

use std::collections::BTreeMap;

use reconverge_dxil::TranslateOptions;
use reconverge_dxil::module::view::ResourceClass;
use reconverge_dxil::translate::Bindings;

#[cfg(feature = "json")]
use super::bindings_file;
use crate::format_options::{FormatOption, OptionGroup, OptionKind, OptionValues};

/// The options of the row.
pub(crate) const OPTIONS: OptionGroup = OptionGroup {
    title: "DXIL",
    options: &[
        FormatOption {
            name: "shift",
            values: OptionKind::Texts { placeholder: "CLASS=N" },
            help: "Add N to the registers of a class, b, t, u or s, to get their bindings; c is for counters; may be repeated",
            details: "A register of space S goes to the descriptor set S. `--shift t=100` places t3 at binding 103.",
            is_common: true,
            check: |values| shifts(values).map(|_| ()),
        },
        #[cfg(feature = "json")]
        FormatOption {
            name: "bindings",
            values: OptionKind::File { placeholder: "FILE.json", code: super::DxilCode::Bindings.declared() },
            help: "Places of single registers, as JSON (docs/dxil.md)",
            details: "",
            is_common: false,
            check: |texts| texts.iter().try_for_each(|text| bindings_file::read(text, &mut Bindings::default())),
        },
        FormatOption {
            name: "robust",
            values: OptionKind::Switch,
            help: "Outside of buffers and rows, reads give zero and writes do nothing",
            details: "",
            is_common: false,
            check: |_| Ok(()),
        },
    ],
};

/// The options of a translation. The values were checked.
pub(super) fn translate_options(values: &OptionValues) -> Result<TranslateOptions, String> {
    let mut bindings = Bindings::default();
    for (class, by) in shifts(values.all("shift"))?.into_values() {
        match class {
            Some(class) => bindings.shift(class, by),
            None => bindings.shift_counters(by),
        }
    }
    #[cfg(feature = "json")]
    if let Some(text) = values.one("bindings") {
        bindings_file::read(text, &mut bindings)?;
    }
    Ok(TranslateOptions { bindings, is_robust: values.is_given("robust"), ..TranslateOptions::default() })
}

/// The numbers that are added to the registers of classes, by the letters of the classes; counters have no class.
fn shifts(texts: &[String]) -> Result<BTreeMap<char, (Option<ResourceClass>, u32)>, String> {
    let mut shifts = BTreeMap::new();
    for text in texts {
        let (letter, class, by) = shift(text)?;
        if shifts.insert(letter, (class, by)).is_some_and(|(_, other)| other != by) {
            return Err(format!("--shift gives {letter} two numbers"));
        }
    }
    Ok(shifts)
}

fn shift(text: &str) -> Result<(char, Option<ResourceClass>, u32), String> {
    let expected = || format!("expected a class and a number such as t=100, found {text}");
    let (class, by) = text.split_once('=').ok_or_else(expected)?;
    let by = by.parse().map_err(|_| expected())?;
    let mut letters = class.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(expected()) };
    let class = match letter {
        'c' => None,
        letter => Some(class_of(letter).ok_or_else(|| format!("expected the class b, t, u, s or c, found {letter}"))?),
    };
    Ok((letter, class, by))
}

/// The class of registers of a letter.
pub(super) fn class_of(letter: char) -> Option<ResourceClass> {
    Some(match letter {
        'b' => ResourceClass::ConstantBuffer,
        't' => ResourceClass::ShaderResource,
        'u' => ResourceClass::UnorderedAccess,
        's' => ResourceClass::Sampler,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, texts: &[&str]) -> Result<OptionValues, String> {
        let option = OPTIONS.find(name).expect("the option is in the list");
        let mut values = OptionValues::default();
        values.give(option, texts.iter().map(|&text| text.to_owned()).collect())?;
        Ok(values)
    }

    #[test]
    fn shifts_are_classes_with_numbers() {
        assert!(given("shift", &["t=100", "u=200", "c=0", "t=100"]).is_ok());
        assert_eq!(given("shift", &["t=1", "t=2"]), Err("--shift gives t two numbers".to_owned()));
        for wrong in ["t", "t=", "t=-1", "x=1", "tt=1", "=1", "t=4294967296"] {
            assert!(given("shift", &[wrong]).is_err(), "{wrong}");
        }
        let values = given("shift", &["t=100"]).expect("the value is one of a shift");
        let mut expected = Bindings::default();
        expected.shift(ResourceClass::ShaderResource, 100);
        assert_eq!(translate_options(&values).map(|options| options.bindings), Ok(expected));
    }
}
