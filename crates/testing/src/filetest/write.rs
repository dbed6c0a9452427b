//! `; test write wgsl`: a module as text that people read. `; test write hlsl with OPTION OPTION=VALUE …` has options of the format, with the
//! contents in place of a file; the word `reflection` among them adds the interface of the text.
//!
//! A refusal is named after the separator. WGSL has to be accepted by naga's reader, GLSL by `glslangValidator`, and MSL by
//! clang with headers (`msl/`).

use reconverge::{Format, OptionValues, write_described};
use reconverge_ir::Module;
use reconverge_shading::{Language, TextOptions, write};
use reconverge_verify::verify;

use super::case::Case;
use crate::msl::{MslVersion, accept_msl};
use crate::shading::{accept_glsl, spirv_of_wgsl};

/// What is written.
pub(super) enum Choice {
    /// All entry points, in the version by default.
    All,
    /// One entry point.
    Entry(String),
    /// All entry points, in this version.
    Version(String),
}

/// The file with the text.
pub(super) fn run(case: &Case, language: &str, choice: Choice) -> Result<String, String> {
    let known = Language::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(language));
    let language = known.ok_or_else(|| format!("there is no language {language}"))?;
    let module = case.module()?;
    if let Some(finding) = verify(&module).first() {
        return Err(format!("the module is invalid: {finding}"));
    }
    let all = TextOptions::new(language);
    let options = match choice {
        Choice::All => all,
        Choice::Entry(entry) => TextOptions { entry: Some(entry), ..all },
        Choice::Version(version) => TextOptions { version: Some(version), ..all },
    };
    let text = match write(&module, &options) {
        Ok(written) => written.text,
        Err(error) => return Ok(case.with_output(&format!("; refused: {} [{}]\n", error.message, error.code))),
    };
    judge(&module, &text, &options)?;
    Ok(case.with_output(&text))
}

/// Has the tools of a language read a text.
fn judge(module: &Module, text: &str, options: &TextOptions) -> Result<(), String> {
    let version = options.version.as_deref();
    match options.language {
        Language::Wgsl => drop(spirv_of_wgsl(text)?),
        Language::Glsl => accept_glsl(module, text, version)?,
        Language::Hlsl => {}
        Language::Msl => accept_msl(text, version.and_then(MslVersion::parse).unwrap_or(MslVersion::DEFAULT))?,
    }
    Ok(())
}

/// The word that adds the interface of the text.
const REFLECTION: &str = "reflection";

/// The file with the text that options choose.
pub(super) fn run_with(case: &Case, language: &str, options: &[&str]) -> Result<String, String> {
    let known = Language::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(language));
    let language = known.ok_or_else(|| format!("there is no language {language}"))?;
    let format = Format::from_name(&language.name().to_ascii_lowercase()).ok_or("the language is a format")?;
    let (module, mut values) = (case.module()?, OptionValues::default());
    for option in options.iter().filter(|&&option| option != REFLECTION) {
        let (name, value) = option.split_once('=').map_or((*option, None), |(name, value)| (name, Some(value)));
        let found = format.write_options().find(name).ok_or_else(|| format!("there is no option {name}"))?;
        values.give(found, value.into_iter().map(str::to_owned).collect())?;
    }
    let written = match write_described(&module, format, &values) {
        Ok(written) => written,
        Err(error) => {
            return Ok(case.with_output(&format!("; refused: {} [{}]\n", error.message(), error.code().name)));
        }
    };
    let text = String::from_utf8(written.bytes).map_err(|error| error.to_string())?;
    let version = values.one("shader-version").map(str::to_owned);
    judge(&module, &text, &TextOptions { version, ..TextOptions::new(language) })?;
    let interface = written.interface.filter(|_| options.contains(&REFLECTION));
    let lines = interface.map(|interface| interface_lines(&interface)).transpose()?;
    Ok(case.with_output(&format!("{text}{}", lines.unwrap_or_default())))
}

/// The interface of a text: a line for each entry point, resource and constant.
fn interface_lines(interface: &str) -> Result<String, String> {
    let object: serde_json::Value = serde_json::from_str(interface).map_err(|error| error.to_string())?;
    let mut lines = String::new();
    for list in ["entry_points", "resources", "constants"] {
        for one in object[list].as_array().into_iter().flatten() {
            lines.push_str(&format!("; {list} {one}\n"));
        }
    }
    Ok(lines)
}
