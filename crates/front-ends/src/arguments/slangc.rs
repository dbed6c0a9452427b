//! slangc: Slang as SPIR-V with lines. It reads no stdin, so that text lies in a file.

use super::{Job, Step, Words};
use crate::Stage;

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let settings = job.settings;
    let mut words = Words::default();
    words.add_all(["-lang", "slang", "-target", "spirv", "-g1"]);
    words.add_all(job.stage.map(Stage::name).iter().flat_map(|stage| ["-stage", stage]));
    settings.entry.iter().for_each(|entry| {
        words.add("-entry").add(entry);
    });
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
