//! glslang: GLSL for Vulkan 1.2, with `OpLine` and names.
//!
//! `-g` and not `-gVS`: the reader takes lines from `OpLine` and names from `OpName`, and both cost nothing in the output, while
//! `DebugDeclare` of `-gVS` keeps variables in memory.

use std::ffi::OsString;

use super::{Job, Step, Words};
use crate::Stage;

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let settings = job.settings;
    let mut words = Words::default();
    words.add_all(["-V", "--target-env", "vulkan1.2", "-g", "--quiet"]);
    words.add_all(job.stage.map(Stage::extension).iter().flat_map(|stage| ["-S", stage]));
    words.add_all(job.fault_arguments).preprocessing(settings);
    let headers: Vec<OsString> = job.headers.iter().chain(&settings.include_files).map(include).collect();
    if !headers.is_empty() {
        let mut preamble = OsString::from("-P#extension GL_GOOGLE_include_directive : require\n");
        headers.iter().for_each(|header| preamble.push(header));
        words.add(preamble);
    }
    if let Some(standard) = &settings.standard {
        words.add("--glsl-version").add(standard);
    }
    if settings.lists_dependencies {
        words.add("--depfile").add(job.depfile());
    }
    words.add_all(&settings.arguments).add("-o").add(job.output());
    words.add(job.input().unwrap_or_else(|| "--stdin".into()));
    vec![words.step(job.program)]
}

fn include(file: &std::path::PathBuf) -> OsString {
    let mut line = OsString::from("#include \"");
    line.push(file);
    line.push("\"\n");
    line
}
