//! The module of naga as text: its validator, then the writer of the language.

use std::str::FromStr;

use naga::Expression;
use naga::back::{glsl, hlsl, msl, wgsl};
use naga::valid::{Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};

use super::{Language, TextOptions, WriteCode, WriteError};
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
    /// The version that the options ask for.
    ///
    /// # Errors
    /// There is no such version.
    pub(crate) fn of(options: &TextOptions) -> Result<Version, WriteError> {
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
            WriteError::of_module(WriteCode::Version, message)
        })
    }
}

/// Prints a module in a language.
///
/// # Errors
/// naga's validator or writer does not accept the module.
pub(crate) fn print(mut module: naga::Module, language: Language, version: Version) -> Result<String, WriteError> {
    naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
    let info = validate(&module, language)?;
    let text = match version {
        Version::Wgsl => wgsl_text(&module, &info),
        Version::Glsl(version) => glsl_text(&module, &info, version),
        Version::Hlsl(shader_model) => hlsl_text(&module, &info, shader_model),
        Version::Msl(major, minor) => msl_text(&module, &info, (major, minor)),
    };
    let dialect = if language == Language::Wgsl { Dialect::Wgsl } else { Dialect::C };
    Ok(restyle(&text?, dialect))
}

/// WGSL demands uniform control flow where the other languages only advise it.
fn validate(module: &naga::Module, language: Language) -> Result<ModuleInfo, WriteError> {
    let mut flags = ValidationFlags::all();
    flags.set(ValidationFlags::CONTROL_FLOW_UNIFORMITY, language == Language::Wgsl);
    let mut validator = Validator::new(flags, Capabilities::all());
    validator.subgroup_stages(ShaderStages::all()).subgroup_operations(SubgroupOperationSet::all());
    validator.validate(module).map_err(|error| {
        WriteError::of_module(
            WriteCode::Invalid,
            format!("naga does not accept the module: {}", chain(error.as_inner())),
        )
    })
}

/// WGSL by its specification, which has subgroups as an extension that has to be enabled (section 4.1.1), and no extensions of naga.
fn wgsl_text(module: &naga::Module, info: &ModuleInfo) -> Result<String, WriteError> {
    // naga writes no overrides that are computed: they are written without a value, which is added.
    let mut plain = module.clone();
    let computed =
        |value: naga::Handle<Expression>| matches!(module.global_expressions[value], Expression::Binary { .. });
    plain.overrides.iter_mut().for_each(|(_, found)| found.init = found.init.filter(|&value| !computed(value)));
    let text = wgsl::write_string(&plain, info, wgsl::WriterFlags::empty()).map_err(|error| refused(&error))?;
    if let Some(line) = text.lines().find(|line| line.starts_with("enable wgpu_")) {
        let extension = line.trim_start_matches("enable ").trim_end_matches(';');
        let message = format!("WGSL has no such type: naga writes it with its own extension {extension}");
        return Err(WriteError::of_module(WriteCode::Type, message));
    }
    let names: Vec<String> = text.lines().filter_map(override_name).map(str::to_owned).collect();
    let text = with_computed_overrides(module, &names, text);
    let text = with_specialized_sizes(module, &names, text);
    let text = with_elements(module, &names, text)?;
    let text = module.entry_points.iter().fold(text, |text, entry| with_its_name(text, &entry.name));
    let has_subgroups = text.contains("subgroup") || text.contains("quad");
    Ok(if has_subgroups { format!("enable subgroups;\n\n{text}") } else { text })
}

/// The sizes of workgroups with the names of overrides, where naga writes their default values: `@workgroup_size(size_x, 1, 1)`.
fn with_specialized_sizes(module: &naga::Module, names: &[String], text: String) -> String {
    const SIZE: &str = "@workgroup_size(";
    let sizes = module.entry_points.iter().filter(|entry| entry.workgroup_size != [0; 3]);
    let mut pieces = text.split(SIZE);
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for (piece, entry) in pieces.zip(sizes) {
        let axis = |axis: usize| {
            let specialized = entry.workgroup_size_overrides.and_then(|sizes| sizes[axis]);
            let name = specialized.and_then(|size| operand_of_override(module, names, size));
            name.unwrap_or_else(|| entry.workgroup_size[axis].to_string())
        };
        let (_, rest) = piece.split_once(')').unwrap_or_default();
        result += &format!("{SIZE}{}, {}, {}){rest}", axis(0), axis(1), axis(2));
    }
    result
}

/// The text with an entry point under its own name: naga adds `_` to names that end with a digit, and the host asks for the name.
fn with_its_name(text: String, name: &str) -> String {
    let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
    let is_used = text.match_indices(name).any(|(start, _)| {
        let (before, after) = (&text[..start], &text[start + name.len()..]);
        !before.ends_with(is_of_name) && !after.starts_with(is_of_name)
    });
    let head = format!("fn {name}_(");
    if is_used { text } else { text.replacen(&head, &format!("fn {name}("), 1) }
}

/// The text with the values of overrides that are computed from others: `override length: u32 = size + 3u;`.
fn with_computed_overrides(module: &naga::Module, names: &[String], text: String) -> String {
    let overrides = module.overrides.iter().zip(names);
    overrides.fold(text, |text, ((_, found), name)| {
        let Some(Expression::Binary { op, left, right }) = found.init.map(|value| &module.global_expressions[value])
        else {
            return text;
        };
        let operands = [left, right].map(|&operand| operand_of_override(module, names, operand).unwrap_or_default());
        let operator = match op {
            naga::BinaryOperator::Add => "+",
            naga::BinaryOperator::Subtract => "-",
            naga::BinaryOperator::Multiply => "*",
            _ => "/",
        };
        let head = format!("override {name}: u32");
        text.replacen(&format!("{head};"), &format!("{head} = {} {operator} {};", operands[0], operands[1]), 1)
    })
}

/// The text with the elements of arrays whose length is an override, which naga leaves out: `array<length>` ⇒ `array<u32, length>`. Each
/// of these types has an override of its own.
fn with_elements(module: &naga::Module, names: &[String], mut text: String) -> Result<String, WriteError> {
    for (_, ty) in module.types.iter() {
        let naga::TypeInner::Array { base, size: naga::ArraySize::Pending(length), .. } = ty.inner else { continue };
        let name = names.get(length.index()).map_or("", String::as_str);
        let Some(element) = element_text(&module.types[base].inner) else {
            let message = "an array of structs or arrays whose length is a specialization constant".to_owned();
            return Err(WriteError::of_module(WriteCode::Type, message));
        };
        text = text.replace(&format!("array<{name}>"), &format!("array<{element}, {name}>"));
    }
    Ok(text)
}

/// A type of numbers in WGSL.
fn element_text(ty: &naga::TypeInner) -> Option<String> {
    let scalar = |scalar: naga::Scalar| match (scalar.kind, scalar.width) {
        (naga::ScalarKind::Uint, 4) => Some("u32"),
        (naga::ScalarKind::Sint, 4) => Some("i32"),
        (naga::ScalarKind::Float, 4) => Some("f32"),
        (naga::ScalarKind::Float, 2) => Some("f16"),
        (naga::ScalarKind::Bool, _) => Some("bool"),
        _ => None,
    };
    match *ty {
        naga::TypeInner::Scalar(of) => scalar(of).map(str::to_owned),
        naga::TypeInner::Atomic(of) => scalar(of).map(|of| format!("atomic<{of}>")),
        naga::TypeInner::Vector { size, scalar: of } => scalar(of).map(|of| format!("vec{}<{of}>", size as u8)),
        _ => None,
    }
}

/// An operand of a computed override: a number, or the name of another.
fn operand_of_override(module: &naga::Module, names: &[String], operand: naga::Handle<Expression>) -> Option<String> {
    match module.global_expressions[operand] {
        Expression::Override(handle) => names.get(handle.index()).cloned(),
        Expression::Literal(naga::Literal::U32(value)) => Some(format!("{value}u")),
        _ => None,
    }
}

/// The name in the line of an override: `@id(0) override NAME: u32 = 1u;`. They are in the order of the module.
fn override_name(line: &str) -> Option<&str> {
    let line = if line.starts_with("@id(") { line.split_once(' ')?.1 } else { line };
    line.strip_prefix("override ")?.split_once(':').map(|(name, _)| name)
}

fn glsl_text(module: &naga::Module, info: &ModuleInfo, version: glsl::Version) -> Result<String, WriteError> {
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

/// GLSL has no sets: the bindings of the only set keep their numbers, those of several sets are counted in order.
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

fn hlsl_text(module: &naga::Module, info: &ModuleInfo, shader_model: hlsl::ShaderModel) -> Result<String, WriteError> {
    // Push constants are a constant buffer in a space behind those of the other resources.
    let spaces =
        module.global_variables.iter().filter_map(|(_, variable)| variable.binding).map(|binding| binding.group + 1);
    let space = u8::try_from(spaces.max().unwrap_or(0)).unwrap_or(u8::MAX);
    let options = hlsl::Options {
        shader_model,
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

fn msl_text(module: &naga::Module, info: &ModuleInfo, lang_version: (u8, u8)) -> Result<String, WriteError> {
    let options = msl::Options {
        lang_version,
        fake_missing_bindings: true,
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

fn refused(error: &dyn std::error::Error) -> WriteError {
    WriteError::of_module(WriteCode::Language, format!("naga does not write it: {}", chain(error)))
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
