//! `; test write wgsl`: a module as text that people read.
//!
//! A refusal is named after the separator. WGSL has to be accepted by naga's reader, GLSL by `glslangValidator`, and MSL by
//! clang with headers (`msl/`).

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
    let msl_version = match &choice {
        Choice::Version(version) => MslVersion::parse(version),
        Choice::All | Choice::Entry(_) => None,
    }
    .unwrap_or(MslVersion::DEFAULT);
    let options = match choice {
        Choice::All => all,
        Choice::Entry(entry) => TextOptions { entry: Some(entry), ..all },
        Choice::Version(version) => TextOptions { version: Some(version), ..all },
    };
    let text = match write(&module, &options) {
        Ok(text) => text,
        Err(error) => return Ok(case.with_output(&format!("; refused: {} [{}]\n", error.message, error.code))),
    };
    match language {
        Language::Wgsl => drop(spirv_of_wgsl(&text)?),
        Language::Glsl => accept_glsl(&module, &text, options.version.as_deref())?,
        Language::Hlsl => {}
        Language::Msl => accept_msl(&text, msl_version)?,
    }
    Ok(case.with_output(&text))
}
