//! dxc: HLSL as DXIL, or as SPIR-V for the stages that are not read from DXIL and where the user requests it with `-spirv`.
//!
//! `-T` of the user replaces the profile that the stage gives. dxc reads no stdin, so that text lies in a file. Included files are listed by
//! a second process: some versions write no module together with the list.

use super::{Job, Step, Words};
use crate::Stage;

/// The shader model of a source that requests none.
const MODEL: &str = "6_6";

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let mut words = common(job);
    let is_spirv = job.has_argument("-spirv") || !job.stage.is_none_or(is_read_from_dxil);
    match is_spirv {
        true => {
            let is_told = job.has_argument("-spirv");
            words.add_all((!is_told).then_some("-spirv"));
            words.add_all(["-fspv-target-env=vulkan1.2", "-fspv-debug=line"]);
        }
        false => {
            words.add("-Qstrip_debug");
        }
    }
    words.add_all(&job.settings.arguments).add("-Fo").add(job.output()).add(job.input_file());
    let mut steps = vec![words.step(job.program)];
    if job.settings.lists_dependencies {
        let mut words = common(job);
        words.add_all(&job.settings.arguments).add("-MF").add(job.depfile()).add(job.input_file());
        steps.push(words.step(job.program));
    }
    steps
}

fn common(job: &Job<'_>) -> Words {
    let settings = job.settings;
    let mut words = Words::default();
    if let Some(stage) = job.stage.filter(|_| !job.has_argument("-T")) {
        let profile = stage.profile().unwrap_or("lib");
        words.add("-T").add(format!("{profile}_{MODEL}"));
    }
    settings.entry.iter().for_each(|entry| {
        words.add("-E").add(entry);
    });
    words.add_all(job.fault_arguments).preprocessing(settings);
    if job.path.is_none() {
        words.add("-I.");
    }
    settings.standard.iter().for_each(|standard| {
        words.add("-HV").add(standard);
    });
    words
}

/// Returns whether the stage is one of those that the reader of DXIL knows.
fn is_read_from_dxil(stage: Stage) -> bool {
    matches!(stage, Stage::Vertex | Stage::Fragment | Stage::Compute)
}
