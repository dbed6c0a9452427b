//! Translated containers of DXIL, as another validator sees them.

use std::path::Path;

use reconverge::dxil::module::view::ResourceClass;
use reconverge::dxil::{TranslateOptions, translate};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_testing::judge::{Environment, Validator};

/// Each container, at each level, with and without defined accesses outside of resources.
#[test]
fn translations_are_valid_for_spirv_val() {
    let validator = Validator::find().unwrap_or_else(|message| panic!("{message}"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/dxil");
    let entries = folder.read_dir().expect("the folder is part of the repository");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut count = 0;
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "dxil")) {
        let bytes = std::fs::read(&path).expect("the container can be read");
        for (level, is_robust) in Level::ALL.into_iter().flat_map(|level| [(level, false), (level, true)]) {
            let mut options = TranslateOptions { is_robust, ..TranslateOptions::default() };
            for (class, by) in [(ResourceClass::ShaderResource, 100), (ResourceClass::Sampler, 300)] {
                options.bindings.shift(class, by);
            }
            options.bindings.shift(ResourceClass::UnorderedAccess, 200);
            let Ok(translation) = translate(&bytes, &options) else {
                assert!(path.ends_with("rays.O3.dxil"), "{}", path.display());
                continue;
            };
            let mut module = translation.module;
            let compile = CompileOptions::new().level(level).verify_each(true);
            reconverge::run(&mut module, &compile.for_input(Format::DXIL), &mut |_, _| ())
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let spirv = reconverge::write(&module, Format::SPIRV).expect("a structured shader can be written");
            validator
                .validate(&spirv, Environment::Vulkan1_3)
                .unwrap_or_else(|message| panic!("{}: {message}", path.display()));
            count += 1;
        }
    }
    assert!(count >= 6 * 8, "{count}");
}
