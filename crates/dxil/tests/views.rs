//! Typed views of the metadata of the containers, against their sources.

use crate::common::{containers, file};
use reconverge_dxil::module::view::{
    ComponentType, Interpolation, ResourceKind, SemanticKind, ShaderKind, SignatureElement,
};
use reconverge_dxil::{Module, read};

fn module(name: &str) -> Module {
    read(&file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The name, the number of rows and columns, and the place of an element.
fn place(element: &SignatureElement) -> String {
    let SignatureElement { name, indices, rows, columns, first_row, first_column, .. } = element;
    assert_eq!(indices.len() as u32, *rows);
    format!("{name} {rows}x{columns} at {:?}", first_row.zip(*first_column))
}

#[test]
fn every_view_of_every_container() {
    for name in containers() {
        let module = module(&format!("{name}.dxil"));
        let model = module.shader_model().unwrap();
        let header = module.header.unwrap();
        assert_eq!((u32::from(header.kind), 6), (model.kind.number(), model.major), "{name}");
        assert_eq!(header.shader_model, (model.major as u8, model.minor as u8), "{name}");
        let entries = module.entry_points().unwrap();
        assert_eq!(entries.len(), if model.kind == ShaderKind::Library { 3 } else { 1 }, "{name}");
        for entry in entries {
            entry.signatures(&module).unwrap();
            entry.properties(&module).unwrap();
            entry.resources(&module).unwrap();
        }
    }
}

#[test]
fn a_compute_shader() {
    let module = module("sort_and_count.O3.dxil");
    let model = module.shader_model().unwrap();
    assert_eq!((model.kind, model.major, model.minor), (ShaderKind::Compute, 6, 0));
    let [entry] = &module.entry_points().unwrap()[..] else { panic!("one entry point") };
    assert_eq!(entry.name, "main");
    assert!(module.functions[entry.function.unwrap().index()].is_defined());
    let properties = entry.properties(&module).unwrap();
    assert_eq!((properties.thread_group, properties.wave_size), (Some([32, 1, 1]), None));
    assert!(!properties.has_native_low_precision() && !properties.has_early_depth_stencil());
    let resources = module.resources().unwrap();
    let [keys] = &resources.shader_resources[..] else { panic!("one shader resource") };
    let [result] = &resources.unordered_access[..] else { panic!("one unordered access") };
    assert_eq!(
        (keys.kind, keys.stride, keys.space, keys.first_register),
        (ResourceKind::StructuredBuffer, Some(4), 0, 0)
    );
    assert_eq!((result.kind, result.stride, result.count), (ResourceKind::StructuredBuffer, Some(4), Some(1)));
    assert_eq!(entry.resources(&module).unwrap(), resources);
    assert!(module.globals.iter().filter(|global| global.address_space == 3).count() >= 2);
}

#[test]
fn a_pixel_shader() {
    let module = module("surface.Od.dxil");
    let entry = &module.entry_points().unwrap()[0];
    let signatures = entry.signatures(&module).unwrap();
    let inputs = &signatures.inputs;
    assert_eq!(inputs.len(), 5);
    assert_eq!((inputs[0].semantic, inputs[1].name.as_str()), (SemanticKind::Position, "WORLD"));
    assert_eq!((inputs[2].interpolation, inputs[2].component), (Interpolation::Constant, ComponentType::U32));
    assert_eq!(inputs[4].semantic, SemanticKind::IsFrontFace);
    assert_eq!(signatures.outputs.iter().map(|output| output.semantic).collect::<Vec<_>>(), [SemanticKind::Target; 2]);
    assert_eq!(signatures.outputs[1].indices, [1]);
    let resources = module.resources().unwrap();
    let kinds: Vec<_> = resources.shader_resources.iter().map(|resource| (resource.kind, resource.element)).collect();
    let float = Some(ComponentType::F32);
    assert_eq!(kinds, [(ResourceKind::Texture2D, float), (ResourceKind::Texture2DArray, float)]);
    assert_eq!(resources.constant_buffers[0].bytes, 4 * 32 + 8);
    assert_eq!(resources.samplers.iter().map(|sampler| sampler.is_comparison).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_vertex_shader() {
    let module = module("points.O3.dxil");
    let signatures = module.entry_points().unwrap()[0].signatures(&module).unwrap();
    let places: Vec<String> = signatures.outputs.iter().map(place).collect();
    assert_eq!(
        places,
        [
            "SV_Position 1x4 at Some((0, 0))",
            "VALUES 3x1 at Some((1, 0))",
            "A 1x2 at Some((1, 1))",
            "B 1x1 at Some((1, 3))"
        ]
    );
    assert!(signatures.outputs.iter().all(|output| output.component == ComponentType::F32));
    let semantics: Vec<_> = signatures.inputs.iter().map(|input| input.semantic).collect();
    assert_eq!(semantics, [SemanticKind::User, SemanticKind::VertexId, SemanticKind::InstanceId]);
    assert_eq!(signatures.inputs[0].used_mask, Some(15));
}

#[test]
fn a_library() {
    let module = module("rays.O3.dxil");
    let entries = module.entry_points().unwrap();
    assert_eq!(entries[0].function, None);
    let mut kinds: Vec<_> = entries[1..].iter().map(|entry| entry.properties(&module).unwrap().kind.unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, [ShaderKind::RayGeneration, ShaderKind::Miss]);
    let resources = entries[0].resources(&module).unwrap();
    assert_eq!(resources.shader_resources[0].kind, ResourceKind::AccelerationStructure);
    assert_eq!(
        (resources.shader_resources[0].name.as_str(), resources.unordered_access[0].name.as_str()),
        ("scene", "target")
    );
}

#[test]
fn lines_of_the_source() {
    let source = String::from_utf8(file("sort_and_count.hlsl")).unwrap();
    let line_of = |text: &str| 1 + source.lines().position(|line| line.contains(text)).unwrap() as u32;
    let module = module("sort_and_count.Zi.dxil");
    let mut lines = Vec::new();
    for function in &module.functions {
        for location in function.instructions.iter().filter_map(|instruction| instruction.location.as_ref()) {
            let found = module.source_location(location).unwrap();
            assert_eq!(found.file, "sort_and_count.hlsl");
            assert!((1..=source.lines().count() as u32).contains(&found.line) && found.column > 0, "{found:?}");
            lines.push(found.line);
            assert_eq!(module.call_location(location), None);
        }
    }
    for text in ["InterlockedCompareExchange", "last * 5", "switch (key", "result[id.x] = value"] {
        assert!(lines.contains(&line_of(text)), "{text}");
    }
    assert!(lines.len() > 60, "{}", lines.len());
    let plain = read(&file("sort_and_count.Od.dxil")).unwrap();
    assert!(
        plain
            .functions
            .iter()
            .flat_map(|function| &function.instructions)
            .all(|instruction| instruction.location.is_none())
    );
}

#[test]
fn lines_of_calls_that_were_inlined() {
    let source = String::from_utf8(file("surface.hlsl")).unwrap();
    let line_of = |text: &str| 1 + source.lines().position(|line| line.contains(text)).unwrap() as u32;
    let module = module("surface.Zi.dxil");
    let locations = module.functions.iter().flat_map(|function| &function.instructions);
    let mut found = 0;
    for location in locations.filter_map(|instruction| instruction.location.as_ref()) {
        if let Some(call) = module.call_location(location) {
            assert!(
                (line_of("float brightness")..=line_of("return saturate") + 1).contains(&location.line),
                "{location:?}"
            );
            assert_eq!(module.source_location(&call).unwrap().line, line_of("brightness(way, lights"));
            assert_eq!(module.call_location(&call), None);
            found += 1;
        }
    }
    assert!(found >= 3, "{found}");
}
