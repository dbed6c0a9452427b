//! The module of naga as text: its validator, then the writer of the language.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;

use naga::Handle;
use naga::back::{glsl, hlsl, msl};
use naga::valid::{Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use reconverge_diagnostic::Diagnostic;

use super::{Language, TextOptions, WriteCode, of_module, wgsl};
use crate::style::{Dialect, restyle};

/// A version of a language.
#[derive(Clone, Copy)]
pub(crate) enum Version {
    Wgsl,
    Glsl(glsl::Version),
    Hlsl(hlsl::ShaderModel),
    Msl(u8, u8),
}

const GLSL: [(&str, glsl::Version); 10] = [
    ("core 330", glsl::Version::Desktop(330)),
    ("core 400", glsl::Version::Desktop(400)),
    ("core 410", glsl::Version::Desktop(410)),
    ("core 420", glsl::Version::Desktop(420)),
    ("core 430", glsl::Version::Desktop(430)),
    ("core 440", glsl::Version::Desktop(440)),
    ("core 450", glsl::Version::Desktop(450)),
    ("es 300", glsl::Version::Embedded { version: 300, is_webgl: false }),
    ("es 310", glsl::Version::Embedded { version: 310, is_webgl: false }),
    ("es 320", glsl::Version::Embedded { version: 320, is_webgl: false }),
];

const HLSL: [(&str, hlsl::ShaderModel); 10] = [
    ("5.0", hlsl::ShaderModel::V5_0),
    ("5.1", hlsl::ShaderModel::V5_1),
    ("6.0", hlsl::ShaderModel::V6_0),
    ("6.1", hlsl::ShaderModel::V6_1),
    ("6.2", hlsl::ShaderModel::V6_2),
    ("6.3", hlsl::ShaderModel::V6_3),
    ("6.4", hlsl::ShaderModel::V6_4),
    ("6.5", hlsl::ShaderModel::V6_5),
    ("6.6", hlsl::ShaderModel::V6_6),
    ("6.7", hlsl::ShaderModel::V6_7),
];

const MSL: [&str; 9] = ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "2.3", "2.4", "3.0"];

impl Version {
    /// The version that the options select.
    ///
    /// # Errors
    /// There is no such version.
    pub(crate) fn of(options: &TextOptions) -> Result<Version, Diagnostic> {
        let asked = options.version.as_deref();
        let named = |default: &'static str| asked.unwrap_or(default);
        let (found, known) = match options.language {
            Language::Wgsl => (asked.is_none().then_some(Version::Wgsl), Vec::new()),
            Language::Glsl => {
                let row = GLSL.iter().find(|row| row.0 == named("core 450"));
                (row.map(|row| Version::Glsl(row.1)), GLSL.map(|row| row.0).to_vec())
            }
            Language::Hlsl => {
                let row = HLSL.iter().find(|row| row.0 == named("6.0"));
                (row.map(|row| Version::Hlsl(row.1)), HLSL.map(|row| row.0).to_vec())
            }
            Language::Msl => {
                let row = MSL.iter().find(|&&row| row == named("2.4")).and_then(|row| row.split_once('.'));
                let numbers =
                    row.and_then(|(major, minor)| Some((u8::from_str(major).ok()?, u8::from_str(minor).ok()?)));
                (numbers.map(|(major, minor)| Version::Msl(major, minor)), MSL.to_vec())
            }
        };
        found.ok_or_else(|| {
            let listed = if known.is_empty() {
                "it has no versions".to_owned()
            } else {
                format!("there are {}", known.join(", "))
            };
            let message = format!("{} has no version {:?}: {listed}", options.language, asked.unwrap_or_default());
            let error = of_module(WriteCode::Version, message);
            if known.is_empty() { error.with_help("leave out --shader-version") } else { error }
        })
    }
}

/// Prints a module in a language.
///
/// # Errors
/// naga's validator or writer does not accept the module.
pub(crate) fn print(module: &mut naga::Module, language: Language, version: Version) -> Result<String, Diagnostic> {
    let written = catch_unwind(AssertUnwindSafe(|| {
        naga::compact::compact(module, naga::compact::KeepUnused::No);
        let info = validate(module, language)?;
        match version {
            Version::Wgsl => wgsl::text(module, &info),
            Version::Glsl(version) => glsl_text(module, &info, version).map(with_subgroups),
            Version::Hlsl(shader_model) => hlsl_text(module, &info, shader_model),
            Version::Msl(major, minor) => msl_text(module, &info, (major, minor)),
        }
    }));
    let text = written.unwrap_or_else(|panic| Err(of_panic(&*panic)))?;
    let dialect = if language == Language::Wgsl { Dialect::Wgsl } else { Dialect::C };
    Ok(restyle(&text, dialect))
}

/// The error for a panic of naga, whose writers panic where something is not implemented. The module was only read, or is dropped.
fn of_panic(panic: &(dyn Any + Send)) -> Diagnostic {
    of_module(
        WriteCode::Language,
        format!("naga, which writes the text, refuses the module: {}", crate::panic_message(panic)),
    )
}

/// The text with the extension that built-ins of subgroups need: naga enables it only for operations.
fn with_subgroups(text: String) -> String {
    const EXTENSION: &str = "#extension GL_KHR_shader_subgroup_basic : require\n";
    let is_named = text.contains("gl_Subgroup") || text.contains("gl_NumSubgroups");
    match text.split_once('\n') {
        Some((version, rest)) if is_named && !text.contains(EXTENSION) => format!("{version}\n{EXTENSION}{rest}"),
        _ => text,
    }
}

/// A text of GLSL in which discarded fragments continue as helpers (GL_EXT_demote_to_helper_invocation): naga writes `discard`.
pub(crate) fn with_demotes(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        match line.trim() {
            "discard;" => result.push_str(&line.replace("discard;", "demote;")),
            _ => result.push_str(line),
        }
        if line.starts_with("#version") {
            result.push_str("#extension GL_EXT_demote_to_helper_invocation : require\n");
        }
    }
    result
}

/// Validates a module. WGSL requires uniform control flow where the other languages only recommend it.
fn validate(module: &naga::Module, language: Language) -> Result<ModuleInfo, Diagnostic> {
    let mut flags = ValidationFlags::all();
    flags.set(ValidationFlags::CONTROL_FLOW_UNIFORMITY, language == Language::Wgsl);
    let mut validator = Validator::new(flags, Capabilities::all());
    validator.subgroup_stages(ShaderStages::all()).subgroup_operations(SubgroupOperationSet::all());
    validator.validate(module).map_err(|error| {
        of_module(
            WriteCode::Invalid,
            format!("naga, which writes the text, finds a fault in the module: {}", chain(error.as_inner())),
        )
    })
}

fn glsl_text(module: &naga::Module, info: &ModuleInfo, version: glsl::Version) -> Result<String, Diagnostic> {
    let entry = &module.entry_points[0];
    let options = glsl::Options {
        version,
        writer_flags: glsl::WriterFlags::empty(),
        binding_map: glsl_bindings(module),
        zero_initialize_workgroup_memory: false,
    };
    let pipeline =
        glsl::PipelineOptions { shader_stage: entry.stage, entry_point: entry.name.clone(), multiview: None };
    let mut text = String::new();
    let policies = naga::proc::BoundsCheckPolicies::default();
    let mut writer =
        glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies).map_err(|error| refused(&error))?;
    writer.write().map_err(|error| refused(&error))?;
    Ok(text)
}

/// The bindings of GLSL, which has no sets: the bindings of the only set keep their numbers, those of several sets are numbered in order.
fn glsl_bindings(module: &naga::Module) -> glsl::BindingMap {
    let mut bindings: Vec<naga::ResourceBinding> =
        module.global_variables.iter().filter_map(|(_, variable)| variable.binding).collect();
    bindings.sort_unstable();
    bindings.dedup();
    let is_one_set = bindings.iter().all(|binding| binding.group == bindings[0].group && binding.binding < 256);
    let number = |(place, binding): (usize, naga::ResourceBinding)| {
        let slot = if is_one_set { u8::try_from(binding.binding) } else { u8::try_from(place) };
        Some((binding, slot.ok()?))
    };
    bindings.into_iter().enumerate().filter_map(number).collect()
}

/// The registers of HLSL. Each resource has the register of its binding, or the next one after the arrays before it.
fn hlsl_registers(module: &naga::Module) -> hlsl::BindingMap {
    let bound = module.global_variables.iter().filter_map(|(_, variable)| Some((variable.binding?, variable.ty)));
    let bound: BTreeMap<naga::ResourceBinding, Handle<naga::Type>> = bound.collect();
    let mut free = (0, 0);
    let register_of = |(binding, ty): (naga::ResourceBinding, Handle<naga::Type>)| {
        let register = if free.0 == binding.group { binding.binding.max(free.1) } else { binding.binding };
        let count = match module.types[ty].inner {
            naga::TypeInner::BindingArray { size: naga::ArraySize::Constant(count), .. } => count.get(),
            _ => 1,
        };
        free = (binding.group, register.saturating_add(count));
        let target =
            hlsl::BindTarget { space: u8::try_from(binding.group).ok()?, register, ..hlsl::BindTarget::default() };
        Some((binding, target))
    };
    bound.into_iter().filter_map(register_of).collect()
}

fn hlsl_text(module: &naga::Module, info: &ModuleInfo, shader_model: hlsl::ShaderModel) -> Result<String, Diagnostic> {
    // Push constants are a constant buffer in a space after those of the other resources.
    let spaces =
        module.global_variables.iter().filter_map(|(_, variable)| variable.binding).map(|binding| binding.group + 1);
    let space = u8::try_from(spaces.max().unwrap_or(0)).unwrap_or(u8::MAX);
    let options = hlsl::Options {
        shader_model,
        binding_map: hlsl_registers(module),
        immediates_target: Some(hlsl::BindTarget { space, ..hlsl::BindTarget::default() }),
        fake_missing_bindings: true,
        zero_initialize_workgroup_memory: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        ..hlsl::Options::default()
    };
    let pipeline = hlsl::PipelineOptions::default();
    let mut text = String::new();
    let reflection =
        hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None).map_err(|error| refused(&error))?;
    for name in reflection.entry_point_names {
        name.map_err(|error| refused(&error))?;
    }
    Ok(text)
}

fn msl_text(module: &naga::Module, info: &ModuleInfo, lang_version: (u8, u8)) -> Result<String, Diagnostic> {
    let slots = msl_slots(module)?;
    let entries = module.entry_points.iter().map(|entry| (entry.name.clone(), slots.clone()));
    let options = msl::Options {
        lang_version,
        per_entry_point_map: entries.collect(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..msl::Options::default()
    };
    let (text, reflection) =
        msl::write_string(module, info, &options, &msl::PipelineOptions::default()).map_err(|error| refused(&error))?;
    for name in reflection.entry_point_names {
        name.map_err(|error| refused(&error))?;
    }
    Ok(text)
}

/// The slots of MSL. Buffers, textures and samplers are numbered separately, each in order of set and binding. After the buffers come push
/// constants, and then the sizes of buffers that end with an array.
fn msl_slots(module: &naga::Module) -> Result<msl::EntryPointResources, Diagnostic> {
    let bound = module.global_variables.iter().filter_map(|(_, variable)| Some((variable.binding?, variable)));
    let bound: BTreeMap<naga::ResourceBinding, &naga::GlobalVariable> = bound.collect();
    let (mut buffers, mut textures, mut samplers) = (0_u8..=u8::MAX, 0_u8..=u8::MAX, 0_u8..=u8::MAX);
    let next = |slots: &mut RangeInclusive<u8>| {
        let message = "more resources than MSL has numbers for".to_owned();
        slots.next().ok_or_else(|| of_module(WriteCode::Language, message))
    };
    let mut resources = msl::BindingMap::default();
    for (binding, variable) in bound {
        let mut ty = &module.types[variable.ty].inner;
        while let naga::TypeInner::BindingArray { base, .. } = *ty {
            ty = &module.types[base].inner;
        }
        let target = match ty {
            naga::TypeInner::Image { .. } => {
                msl::BindTarget { texture: Some(next(&mut textures)?), ..msl::BindTarget::default() }
            }
            naga::TypeInner::Sampler { .. } => {
                let sampler = msl::BindSamplerTarget::Resource(next(&mut samplers)?);
                msl::BindTarget { sampler: Some(sampler), ..msl::BindTarget::default() }
            }
            _ => {
                let mutable = matches!(variable.space, naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE));
                msl::BindTarget { buffer: Some(next(&mut buffers)?), mutable, ..msl::BindTarget::default() }
            }
        };
        resources.insert(binding, target);
    }
    let (immediates, sizes) = (next(&mut buffers)?, next(&mut buffers)?);
    Ok(msl::EntryPointResources { resources, immediates_buffer: Some(immediates), sizes_buffer: Some(sizes) })
}

pub(super) fn refused(error: &dyn std::error::Error) -> Diagnostic {
    of_module(WriteCode::Language, format!("naga, which writes the text, refuses the module: {}", chain(error)))
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
