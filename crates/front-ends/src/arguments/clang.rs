//! clang for OpenCL, alone or with llvm-spirv.
//!
//! ```text
//! clang --target=spirv64 -c ─▶ SPIR-V                       clang's own back end, from version 22; it writes no lines
//! clang -target spir64 -emit-llvm -c ─▶ bitcode ─ llvm-spirv ─▶ SPIR-V with lines
//! ```
//!
//! clang's own back end computes wrong with integers of odd widths, which the optimizer makes of some loops. So the IR is looked at
//! (`odd_widths.rs`): if it has some, the module is made again without the optimizer.
//!
//! Of debug information only the lines are requested, with the names of values. Names of files are relative to the current folder, so that
//! the module does not say where it was made.

use std::ffi::OsString;
use std::path::Path;

use super::{Job, Probe, Step, Words, as_operand};
use crate::{Language, Version};

/// The macro with the version of the device, which clang leaves to its caller.
const DEVICE_VERSION: &str = "__OPENCL_VERSION__";

/// Features that clang claims for SPIR-V and that kernels of Reconverge cannot have. Without their macros, a source that tests for them
/// takes another way.
const ABSENT_FEATURES: &str = "-cl-ext=-__opencl_c_pipes,-__opencl_c_device_enqueue,-cl_khr_subgroup_named_barrier,\
-cl_khr_gl_msaa_sharing,-cl_khr_mipmap_image,-cl_khr_mipmap_image_writes,-cl_khr_srgb_image_writes,-cl_intel_subgroups,\
-cl_intel_subgroups_char,-cl_intel_subgroups_short,-cl_intel_subgroups_long,-cl_intel_subgroup_buffer_prefetch,\
-cl_intel_subgroup_local_block_io,-cl_intel_bfloat16_conversions,-cl_intel_device_side_avc_motion_estimation";

/// The extensions of SPIR-V that clang's own back end may use. Without its extension, a built-in function makes the back end fail. Naming
/// all extensions would let it write instructions that are not declared.
const EXTENSIONS: &str = "-spirv-ext=+SPV_EXT_relaxed_printf_string_address_space,+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max,\
+SPV_EXT_shader_atomic_float16_add,+SPV_KHR_bit_instructions,+SPV_KHR_integer_dot_product,+SPV_KHR_subgroup_rotate,\
+SPV_KHR_uniform_group_instructions,+SPV_KHR_shader_clock";

/// The first version that reads configuration files without a flag.
const WITH_CONFIGURATION: Version = Version::new(16, 0, 0);

pub(crate) fn steps(job: &Job<'_>) -> Vec<Step> {
    let Some(translator) = job.translator else {
        return vec![with_back_end(job)];
    };
    let bitcode = job.folder.join("bitcode");
    let mut words = common(job);
    words.add_all(["-target", "spir64", "-emit-llvm", "-gline-tables-only"]);
    words.add_all(["-fdebug-compilation-dir=.", "-fdebug-prefix-map=.="]);
    let compiled = finished(job, words, &["-c"], &bitcode);
    let mut words = Words::default();
    words.add(&bitcode).add("-o").add(job.output());
    vec![compiled, words.step(translator)]
}

/// The step of clang alone.
fn with_back_end(job: &Job<'_>) -> Step {
    let to = |form: &[&str], output: &Path| {
        let mut words = common(job);
        words.add("--target=spirv64").add_all(["-mllvm", EXTENSIONS]);
        finished(job, words, form, output)
    };
    let ir = job.folder.join("code.ll");
    let arguments = to(&["-S", "-emit-llvm", "-w"], &ir).arguments;
    let again = to(&["-c", "-O0", "-w"], &job.output()).arguments;
    Step { probe: Some(Probe { ir, arguments, again }), ..to(&["-c"], &job.output()) }
}

fn without_configuration(job: &Job<'_>) -> Option<&'static str> {
    job.version.filter(|&version| version >= WITH_CONFIGURATION).map(|_| "--no-default-config")
}

/// The arguments that do not depend on who writes SPIR-V.
fn common(job: &Job<'_>) -> Words {
    let settings = job.settings;
    let standard = settings.standard.as_deref().or(job.language.standard()).unwrap_or_default();
    let is_cpp = job.language == Language::OPENCL_CPP || standard.to_ascii_lowercase().starts_with("clc++");
    let mut words = Words::default();
    words.add_all(["-x", if is_cpp { "clcpp" } else { "cl" }]).joined("-cl-std=", standard);
    // What older optimizers make of a kernel, llvm-spirv often refuses: `freeze`, integers of 3 bits, reductions of vectors.
    words.add(if job.translator.is_some() { "-O0" } else { "-O2" });
    words.add_all(["-fno-discard-value-names", "-fno-crash-diagnostics"]);
    words.add_all(["-Xclang", ABSENT_FEATURES]);
    // OpenCL C has the rules of C99 for `inline`, by which most of such functions have no body in their module.
    words.add_all((!is_cpp).then_some("-fgnu89-inline"));
    words.add_all(without_configuration(job));
    let is_device_version = |define: &OsString| define.to_string_lossy().starts_with(DEVICE_VERSION);
    if !settings.defines.iter().any(is_device_version) {
        words.add(format!("-D{DEVICE_VERSION}={}", device_version(standard)));
    }
    words.add_all(job.fault_arguments).preprocessing(settings);
    for header in job.headers.iter().chain(&settings.include_files) {
        words.add("-include").add(header);
    }
    if settings.lists_dependencies {
        words.add_all(["-MD", "-MT", "module", "-MF"]).add(job.depfile());
    }
    words
}

/// The device that has a standard of OpenCL C as its own; C++ for OpenCL needs 2.0 or 3.0.
fn device_version(standard: &str) -> &'static str {
    match standard.trim_start_matches("CL").trim_start_matches("cl") {
        "" | "1.0" => "100",
        "1.1" => "110",
        "1.2" => "120",
        "2.0" | "C++" | "c++" | "C++1.0" | "c++1.0" => "200",
        _ => "300",
    }
}

/// The step with the user's arguments, what it writes, which wins over them, the output and the source.
fn finished(job: &Job<'_>, mut words: Words, form: &[&str], output: &Path) -> Step {
    words.add_all(&job.settings.arguments).add_all(form).add("-o").add(output);
    words.add(job.path.map_or_else(|| "-".into(), as_operand));
    words.step(job.program)
}
