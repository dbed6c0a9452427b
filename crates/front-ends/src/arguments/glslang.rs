//! glslang: GLSL for Vulkan 1.2, with `OpLine` and names.
//!
//! `-g` and not `-gVS`: the reader takes lines from `OpLine` and names from `OpName`, and both cost nothing in the output, while
//! `DebugDeclare` of `-gVS` keeps variables in memory.

use super::{Job, Step, Words};
use crate::Stage;

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let settings = job.settings;
    let mut words = Words::default();
    // `--stdin` comes before the stage: some versions require the stage at its end.
    words.add_all(job.path.is_none().then_some("--stdin"));
    words.add_all(["-V", "--target-env", "vulkan1.2", "-g", "--quiet"]);
    words.add_all(job.stage.map(Stage::extension).iter().flat_map(|stage| ["-S", stage]));
    words.add_all(job.fault_arguments).preprocessing(settings);
    if let Some(standard) = &settings.standard {
        // It takes the number alone, without the profile.
        words.add("--glsl-version").add(standard.trim_end_matches(char::is_alphabetic));
    }
    if settings.lists_dependencies {
        words.add("--depfile").add(job.depfile());
    }
    words.add_all(&settings.arguments).add("-o").add(job.output());
    words.add_all(job.input());
    vec![words.step(job.program)]
}
