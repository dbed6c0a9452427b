//! glslc: GLSL for Vulkan 1.2, with `OpLine` and names, and without the optimizations that would lose them.

use super::{Job, Step, Words};
use crate::Stage;

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let settings = job.settings;
    let mut words = Words::default();
    words.add_all(["--target-env=vulkan1.2", "-g", "-O0", "-x", "glsl"]);
    job.stage.map(Stage::extension).iter().for_each(|stage| {
        words.joined("-fshader-stage=", stage);
    });
    words.add_all(job.fault_arguments).preprocessing(settings);
    settings.standard.iter().for_each(|standard| {
        words.joined("-std=", standard);
    });
    if settings.lists_dependencies {
        words.add_all(["-MD", "-MT", "module", "-MF"]).add(job.depfile());
    }
    words.add_all(&settings.arguments).add("-o").add(job.output());
    words.add(job.input().unwrap_or_else(|| "-".into()));
    vec![words.step(job.program)]
}
