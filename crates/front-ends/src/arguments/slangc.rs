//! slangc: Slang and HLSL as SPIR-V with lines. It reads no stdin, so that text lies in a file.
//!
//! Functions of Slang say by an attribute that they are entry points; one of HLSL is named, as dxc has it: `main`, unless the user says
//! otherwise. An entry point keeps its name in the module.

use super::{Job, Step, Words};
use crate::{Language, Stage};

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let settings = job.settings;
    let mut words = Words::default();
    let is_hlsl = job.language == Language::HLSL;
    words.add_all(["-lang", if is_hlsl { "hlsl" } else { "slang" }, "-target", "spirv", "-g1"]);
    words.add("-fvk-use-entrypoint-name");
    words.add_all(job.stage.map(Stage::name).iter().flat_map(|stage| ["-stage", stage]));
    let entry = settings.entry.as_deref().or(is_hlsl.then_some("main"));
    words.add_all(entry.iter().flat_map(|entry| ["-entry", entry]));
    words.add_all(job.fault_arguments).preprocessing(settings);
    if job.path.is_none() {
        words.add("-I.");
    }
    settings.standard.iter().for_each(|standard| {
        words.add("-std").add(standard);
    });
    if settings.lists_dependencies {
        words.add("-depfile").add(job.depfile());
    }
    words.add_all(&settings.arguments).add("-o").add(job.output()).add(job.input_file());
    vec![words.step(job.program)]
}
