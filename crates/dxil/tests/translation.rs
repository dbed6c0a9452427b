//! Translations: valid modules, refusals by name, bindings.

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_dxil::module::view::ResourceClass;
use reconverge_dxil::translate::{DescriptorSlot, Register};
use reconverge_dxil::{AssumptionCode, Code, Module, TranslateOptions, Translation, read, translate};
use spirv::GlslStd450Op;

use crate::common::{containers, file, options};

fn module(name: &str) -> Module {
    read(&file(&format!("{name}.dxil"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn translated(name: &str, options: &TranslateOptions) -> Translation {
    translate(&module(name), options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every container of a kind that is supported becomes a module that is valid after each pass, at each level.
#[test]
fn all_containers_become_valid_modules() {
    let mut count = 0;
    for name in containers().iter().filter(|name| !name.starts_with("rays")) {
        for (level, is_robust) in Level::ALL.into_iter().flat_map(|level| [(level, false), (level, true)]) {
            let mut translation = translated(name, &TranslateOptions { is_robust, ..options() });
            let compile = CompileOptions::new().level(level).verify_each(true);
            reconverge::run(&mut translation.module, &compile, &mut |_, _| ())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let bytes =
                reconverge::write(&translation.module, Format::SPIRV).expect("a structured shader can be written");
            assert!(bytes.len() > 100, "{name}");
            count += 1;
        }
    }
    assert!(count >= 6 * 8, "{count}");
}

/// Robust accesses keep indices into arrays inside; others are stated as an assumption.
#[test]
fn indices_into_arrays_stay_inside() {
    for (is_robust, minima) in [(false, 0), (true, 2)] {
        let translation = translated("sort_and_count.O3", &TranslateOptions { is_robust, ..options() });
        let module = &translation.module;
        let insts =
            module.functions().flat_map(|function| module.blocks(function)).flat_map(|block| module.children(block));
        let found = insts.filter(|&inst| module.glsl_op(inst) == Some(GlslStd450Op::UMin)).count();
        assert!(found >= minima && (is_robust || found == 0), "robust: {is_robust}: {found}");
        let is_assumed = translation.assumptions.iter().any(|assumption| assumption.is(AssumptionCode::ArrayBounds));
        assert_eq!(is_assumed, !is_robust);
    }
}

#[test]
fn libraries_are_refused_by_name() {
    let error = translate(&module("rays.O3"), &options()).expect_err("a library is no shader");
    assert_eq!(error.code, Code::Unsupported);
    assert_eq!(error.message, "libraries of shaders are not supported");
}

#[test]
fn resources_with_one_binding_are_refused() {
    let error =
        translate(&module("sort_and_count.O3"), &TranslateOptions::default()).expect_err("t0 and u0 share a binding");
    assert_eq!(error.code, Code::Binding);
    assert!(error.message.contains("both go to set 0, binding 0"), "{error}");
}

#[test]
fn a_register_can_have_a_place_of_its_own() {
    let mut options = options();
    let register = Register { class: ResourceClass::UnorderedAccess, space: 0, number: 0 };
    options.bindings.assign(register, DescriptorSlot { set: 5, binding: 7 });
    let translation = translated("sort_and_count.O3", &options);
    let placement = translation.placements.iter().find(|placement| placement.register == register);
    assert_eq!(placement.map(|placement| placement.slot), Some(DescriptorSlot { set: 5, binding: 7 }));
}

#[test]
fn an_entry_point_is_found_by_its_name() {
    let options = TranslateOptions { entry: Some("other".to_owned()), ..options() };
    let error = translate(&module("points.O3"), &options).expect_err("there is no such entry point");
    assert_eq!(error.message, "expected an entry point with the name other, found main");
}

/// Debug information gives instructions their lines.
#[test]
fn instructions_have_the_lines_of_the_source() {
    let translation = translated("sort_and_count.Zi", &options());
    let module = &translation.module;
    let lines =
        module.functions().flat_map(|function| module.blocks(function)).flat_map(|block| module.children(block));
    let lines: Vec<u32> = lines.filter_map(|inst| module.location(inst)?.line).map(|line| line.line).collect();
    assert!(lines.len() > 20 && lines.iter().all(|&line| (1..100).contains(&line)), "{lines:?}");
}
