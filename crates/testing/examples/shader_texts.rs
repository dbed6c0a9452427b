//! Shaders as text: how many entry points are written, and how many of these texts the tools of the language accept.
//!
//! ```console
//! cargo run -p reconverge-testing --example shader_texts -- LANGUAGE [--version V] [--level 0] [--out FOLDER] [--semantics source]
//!     [--argument-buffers] [--rebind] FILE.spv …
//! ```
//!
//! With `--rebind` each text is written twice, and every resource of the second one has a number that is chosen, the last resource the first number.
//!
//! `reconverge_testing::text_judges` names the tools. Each refusal and each text that is not accepted is a line; the counts follow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge::{CompileOptions, Error, Format, Level};
use reconverge_ir::{Module, view};
use reconverge_shading::{
    BindingEntry, BindingNumber, Bindings, BoundResource, Interface, Language, ResourceCount, ResourceForm,
    ResourceKind, Semantics, TextOptions, write,
};
use reconverge_testing::text_judges::{TextEntry, accept};
use spirv::ExecutionModel;

struct Arguments {
    language: Language,
    version: Option<String>,
    level: Level,
    out: Option<PathBuf>,
    semantics: Semantics,
    resources: ResourceForm,
    rebinds: bool,
    files: Vec<PathBuf>,
}

fn main() {
    let arguments = arguments();
    let (mut written, mut accepted) = (0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for file in &arguments.files {
        let name = file.file_name().unwrap_or_default().display();
        let module = match compiled(file, &arguments) {
            Ok(module) => module,
            Err(message) => {
                println!("{name}: not read: {message}");
                *refused.entry("not read".to_owned()).or_default() += 1;
                continue;
            }
        };
        for (model, entry) in entry_points(&module) {
            let options = TextOptions {
                entry: Some(entry.clone()),
                version: arguments.version.clone(),
                semantics: arguments.semantics,
                resources: arguments.resources,
                ..TextOptions::new(arguments.language)
            };
            let rewritten = write(&module, &options).and_then(|written| match arguments.rebinds {
                true => write(&module, &TextOptions { bindings: rebound(&written.interface), ..options.clone() }),
                false => Ok(written),
            });
            let text = match rewritten {
                Ok(written) => written.text,
                Err(error) => {
                    let code = error.code.name;
                    println!("{name}, {entry}: refused: {} [{code}]", error.message);
                    *refused.entry(code.to_owned()).or_default() += 1;
                    continue;
                }
            };
            written += 1;
            if let Some(out) = &arguments.out {
                let extension = arguments.language.name().to_ascii_lowercase();
                std::fs::write(out.join(format!("{name}.{entry}.{extension}")), &text).expect("a folder for texts");
            }
            match accept(
                arguments.language,
                &text,
                TextEntry { model, name: &entry, version: options.version.as_deref() },
            ) {
                Ok(()) => accepted += 1,
                Err(message) => {
                    println!("{name}, {entry}: not accepted: {}", message.lines().take(3).collect::<Vec<_>>().join(" "))
                }
            }
        }
    }
    println!("{}: {written} written, {accepted} accepted", arguments.language);
    refused.iter().for_each(|(code, count)| println!("refused by {code}: {count}"));
}

fn arguments() -> Arguments {
    let mut words = std::env::args().skip(1);
    let language = words.next().unwrap_or_default();
    let language = Language::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(&language));
    let language = language.expect("the first argument is a language: wgsl, glsl, hlsl, msl");
    let mut found = Arguments {
        language,
        version: None,
        level: Level::Speed,
        out: None,
        semantics: Semantics::Locations,
        resources: ResourceForm::Separate,
        rebinds: false,
        files: Vec::new(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word.as_str() {
            "--version" => found.version = Some(value()),
            "--level" => found.level = Level::from_name(&value()).expect("a level"),
            "--semantics" => {
                assert_eq!(value(), "source", "the other semantics are those by default");
                found.semantics = Semantics::Source;
            }
            "--argument-buffers" => found.resources = ResourceForm::ArgumentBuffers,
            "--rebind" => found.rebinds = true,
            "--out" => found.out = Some(PathBuf::from(value())),
            _ => found.files.push(PathBuf::from(word)),
        }
    }
    found
}

/// Numbers for all resources of a text, counted from the last one.
fn rebound(interface: &Interface) -> Bindings {
    let mut entries: BTreeMap<BoundResource, BTreeMap<BindingNumber, u32>> = BTreeMap::new();
    let mut next: BTreeMap<BindingNumber, u32> = BTreeMap::new();
    for resource in interface.resources.iter().rev() {
        let bound = match (resource.slot, resource.kind) {
            (Some(slot), _) => BoundResource::Slot(slot),
            (None, ResourceKind::PushConstants) => BoundResource::PushConstants,
            (None, ResourceKind::BufferSizes) => BoundResource::BufferSizes,
            (None, ResourceKind::WorkgroupCount) => BoundResource::WorkgroupCount,
            _ => continue,
        };
        let is_sampler = resource.kind == ResourceKind::Sampler;
        let is_split = is_sampler && interface.resources.iter().filter(|one| one.slot == resource.slot).count() > 1;
        let is_buffer = !is_sampler
            && !matches!(
                resource.kind,
                ResourceKind::Texture
                    | ResourceKind::StorageImage
                    | ResourceKind::TexelBuffer
                    | ResourceKind::StorageTexelBuffer
            );
        let number = match interface.language {
            Language::Msl if is_sampler => BindingNumber::Sampler,
            Language::Msl if is_buffer => BindingNumber::Buffer,
            Language::Msl => BindingNumber::Texture,
            Language::Hlsl | Language::Wgsl if is_split => BindingNumber::Sampler,
            Language::Hlsl => BindingNumber::Register,
            Language::Glsl | Language::Wgsl => BindingNumber::Binding,
        };
        let is_pushed = resource.slot.is_none() && matches!(interface.language, Language::Glsl | Language::Wgsl);
        let numbers = entries.entry(bound).or_default();
        if is_pushed || numbers.contains_key(&number) {
            continue;
        }
        let count = match resource.count {
            ResourceCount::Array(length) => length,
            ResourceCount::One | ResourceCount::Unbounded => 1,
        };
        // In HLSL, arrays without a length have spaces of their own.
        let is_unbounded = resource.count == ResourceCount::Unbounded;
        if interface.language == Language::Hlsl && interface.version != "5.0" {
            let places = next.entry(BindingNumber::Space).or_insert(7);
            *places += u32::from(is_unbounded);
            numbers.insert(BindingNumber::Space, if is_unbounded { *places } else { 7 });
        }
        // The bindings of WGSL are of all kinds.
        let counted = if interface.language == Language::Wgsl { BindingNumber::Binding } else { number };
        let first = next.entry(counted).or_insert(0);
        numbers.insert(number, *first);
        *first += count;
    }
    let entries = entries.into_iter().filter(|(_, numbers)| !numbers.is_empty());
    Bindings { entries: entries.map(|(resource, numbers)| BindingEntry { resource, numbers }).collect() }
}

/// A module, as `compile` writes it in the language.
fn compiled(file: &Path, arguments: &Arguments) -> Result<Module, String> {
    let format = match arguments.language {
        Language::Wgsl => Format::WGSL,
        Language::Glsl => Format::GLSL,
        Language::Hlsl => Format::HLSL,
        Language::Msl => Format::MSL,
    };
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let said = |error: Error| error.message();
    let mut module = reconverge::read(&bytes, Format::SPIRV.for_output(format)).map_err(said)?;
    let options = CompileOptions::new().level(arguments.level).for_input(Format::SPIRV).for_output(format);
    reconverge::run(&mut module, &options, &mut |_, _| ()).map_err(said)?;
    Ok(module)
}

fn entry_points(module: &Module) -> Vec<(ExecutionModel, String)> {
    let entries = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst));
    entries.filter_map(|entry| Some((entry.execution_model?, entry.name.to_string()))).collect()
}
