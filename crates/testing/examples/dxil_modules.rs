//! Direct3D shaders as Vulkan modules for the drivers of this machine: how many are translated, and whether spirv-val accepts each.
//!
//! `cargo run -p reconverge-testing --example dxil_modules -- FOLDER OUT [any|lavapipe|swiftshader]`. Each container of `FOLDER/dxil` and
//! `FOLDER/flow` becomes `OUT/LEVEL/NAME.spv`, with the registers b, t, u and s from the bindings 0, 100, 200 and 300, and counters from
//! 249: where the launcher of such a folder (`tools/judge.py OUT/LEVEL ICD.json`) binds them. A line for each that is refused or not valid,
//! then a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge::dxil::module::view::ResourceClass;
use reconverge::dxil::{TranslateOptions, translate};
use reconverge::opencl::{Driver, KernelOptions};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Error, Format, Kind};
use reconverge_testing::judge::{Environment, Validator};

#[derive(Default)]
struct Counts {
    valid: usize,
    not_valid: usize,
    /// What has no translation, by message.
    unsupported: BTreeMap<String, usize>,
    failed: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, rest @ ..] = &arguments[..] else { panic!("a folder, and one for the modules") };
    let driver = rest.first().map_or(Driver::ANY, |name| {
        Driver::from_name(name).unwrap_or_else(|| panic!("{name}: the drivers are any, lavapipe and swiftshader"))
    });
    let validator = Validator::find().unwrap_or_else(|message| panic!("{message}"));
    let paths = containers(Path::new(folder));
    assert!(!paths.is_empty(), "{folder} has no containers");
    println!("level  valid  not valid  not supported  failed");
    for level in [Level::None, Level::Speed, Level::Size] {
        let out = Path::new(out).join(format!("O{}", level.name()));
        std::fs::create_dir_all(&out).expect("a folder for the modules");
        let mut counts = Counts::default();
        for path in &paths {
            let name = path.file_stem().expect("a container has a name").to_string_lossy();
            match compiled(path, level, driver) {
                Ok(spirv) => match validator.validate(&spirv, Environment::Vulkan1_3) {
                    Ok(()) => {
                        counts.valid += 1;
                        std::fs::write(out.join(format!("{name}.spv")), spirv).expect("the module can be written");
                    }
                    Err(message) => {
                        counts.not_valid += 1;
                        println!("{name}: {message}");
                    }
                },
                Err(error) if error.kind() == Kind::Unsupported => {
                    *counts.unsupported.entry(error.to_string()).or_default() += 1;
                }
                Err(error) => {
                    counts.failed += 1;
                    println!("{name}: {error}");
                }
            }
        }
        let Counts { valid, not_valid, unsupported, failed } = counts;
        let refused: usize = unsupported.values().sum();
        println!("-O{}    {valid:5}  {not_valid:9}  {refused:13}  {failed:6}", level.name());
        unsupported.iter().for_each(|(message, count)| println!("         {count}: {message}"));
    }
}

/// The containers of a corpus, in order.
fn containers(folder: &Path) -> Vec<PathBuf> {
    let files = ["dxil", "flow"].into_iter().filter_map(|name| folder.join(name).read_dir().ok()).flatten();
    let paths = files.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "dxil")).collect();
    paths.sort();
    paths
}

fn compiled(path: &Path, level: Level, driver: Driver) -> Result<Vec<u8>, Error> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut options = TranslateOptions::default();
    for (class, by) in
        [(ResourceClass::ShaderResource, 100), (ResourceClass::UnorderedAccess, 200), (ResourceClass::Sampler, 300)]
    {
        options.bindings.shift(class, by);
    }
    options.bindings.shift_counters(249);
    let mut module = translate(&bytes, &options)?.module;
    let kernel = KernelOptions::new().driver(driver);
    let options = CompileOptions::new().level(level).kernel(kernel).for_input(Format::DXIL);
    reconverge::run(&mut module, &options, &mut |_, _| ())?;
    reconverge::write(&module, Format::SPIRV)
}
