use reconverge_dxil::module::view::ResourceClass;
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (out, level) = (&arguments[1], &arguments[2]);
    let mut options = reconverge_dxil::TranslateOptions::default();
    options.is_robust = std::env::var("ROBUST").is_ok();
    for (class, by) in
        [(ResourceClass::ShaderResource, 100), (ResourceClass::UnorderedAccess, 200), (ResourceClass::Sampler, 300)]
    {
        options.bindings.shift(class, by);
    }
    options.bindings.shift_counters(249);
    for file in &arguments[3..] {
        let stem = std::path::Path::new(file).file_stem().unwrap().to_str().unwrap();
        let bytes = std::fs::read(file).unwrap();
        let run = || -> Result<Vec<u8>, String> {
            let module = reconverge_dxil::read(&bytes).map_err(|e| e.to_string())?;
            let translation = reconverge_dxil::translate(&module, &options).map_err(|e| e.to_string())?;
            let mut ir = translation.module;
            if std::env::var("DUMP").is_ok() {
                println!("{}", reconverge_ir::text::print_file(&ir));
            }
            let options = reconverge::CompileOptions {
                level: reconverge::pipeline::Level::from_name(level).unwrap(),
                verify_each: true,
                passes: std::env::var("PASSES").map(|p| p.split(',').map(str::to_owned).collect()).unwrap_or_default(),
                ..Default::default()
            };
            let options = if std::env::var("WGSL").is_ok() {
                reconverge::CompileOptions {
                    styled: reconverge::Styled::Everything,
                    structurize: reconverge::restructure::Options {
                        policy: reconverge::structurize::Policy::Wgsl,
                        ..Default::default()
                    },
                    ..options
                }
            } else {
                options
            };
            reconverge::run(&mut ir, &options, &mut |_, _| ())
                .map_err(|e| format!("RUN {e:?}").chars().take(300).collect::<String>())?;
            reconverge::write(&ir, reconverge::Format::SPIRV).map_err(|e| format!("WRITE {e:?}"))
        };
        match run() {
            Ok(bytes) => std::fs::write(format!("{out}/{stem}.spv"), bytes).unwrap(),
            Err(error) => println!("{stem}: {error}"),
        }
    }
}
