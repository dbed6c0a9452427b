//! The JSON form of the interface of a text in a shading language: the object `text` of a reflection, as `docs/shading.md` describes it.

use reconverge_shading::{
    Interface, InterfaceEntry, InterfaceVariable, Resource, ResourceCount, ResourcePlace, Slot, SpecializationConstant,
};
use serde_json::{Value, json};
use spirv::ExecutionModel as Model;

/// The interface as JSON.
pub(crate) fn text_json(interface: &Interface) -> String {
    let Interface { language, version, entry_points, resources, constants, .. } = interface;
    let names: Vec<&str> = entry_points.iter().map(|entry| entry.name.as_str()).collect();
    let constant = |constant: &SpecializationConstant| json!({ "id": constant.id, "name": constant.name });
    json!({
        "language": language.name(),
        "version": version,
        "entry_points": entry_points.iter().map(entry_point).collect::<Vec<_>>(),
        "resources": resources.iter().map(|one| resource(one, &names)).collect::<Vec<_>>(),
        "constants": constants.iter().map(constant).collect::<Vec<_>>(),
    })
    .to_string()
}

fn entry_point(entry: &InterfaceEntry) -> Value {
    json!({
        "name": entry.name,
        "module_name": entry.module_name,
        "stage": stage(entry.model),
        "inputs": entry.inputs.iter().map(variable).collect::<Vec<_>>(),
        "outputs": entry.outputs.iter().map(variable).collect::<Vec<_>>(),
    })
}

/// The name of a stage.
fn stage(model: Model) -> &'static str {
    match model {
        Model::Vertex => "vertex",
        Model::Fragment => "fragment",
        Model::GLCompute => "compute",
        Model::Geometry => "geometry",
        Model::TessellationControl => "tessellation_control",
        Model::TessellationEvaluation => "tessellation_evaluation",
        Model::TaskEXT => "task",
        Model::MeshEXT => "mesh",
        Model::RayGenerationKHR => "ray_generation",
        Model::IntersectionKHR => "intersection",
        Model::AnyHitKHR => "any_hit",
        Model::ClosestHitKHR => "closest_hit",
        Model::MissKHR => "miss",
        Model::CallableKHR => "callable",
        _ => "other",
    }
}

fn variable(variable: &InterfaceVariable) -> Value {
    json!({
        "name": variable.name,
        "location": variable.location,
        "component": variable.component,
        "index": variable.index,
        "attribute": variable.attribute,
    })
}

fn resource(resource: &Resource, entry_points: &[&str]) -> Value {
    let count = match resource.count {
        ResourceCount::One => json!(null),
        ResourceCount::Array(length) => json!(length),
        ResourceCount::Unbounded => json!("unbounded"),
    };
    let users = resource.entry_points.iter().filter_map(|&number| entry_points.get(number));
    json!({
        "name": resource.name,
        "block": resource.block,
        "kind": resource.kind.name(),
        "set": resource.slot.map(|slot| slot.set),
        "binding": resource.slot.map(|slot| slot.binding),
        "sampler": resource.sampler.map(|Slot { set, binding }| json!({ "set": set, "binding": binding })),
        "place": place(resource.place),
        "array_length": count,
        "size_index": resource.size_index,
        "entry_points": users.collect::<Vec<_>>(),
    })
}

/// The numbers of a place; none where the host program finds the variable by its name.
fn place(place: ResourcePlace) -> Value {
    match place {
        ResourcePlace::Layout { set: Some(set), binding } => json!({ "set": set, "binding": binding }),
        ResourcePlace::Layout { set: None, binding } => json!({ "binding": binding }),
        ResourcePlace::Register { class, number, space } => {
            json!({ "register": format!("{class}{number}"), "space": space })
        }
        ResourcePlace::Buffer(number) => json!({ "buffer": number }),
        ResourcePlace::Texture(number) => json!({ "texture": number }),
        ResourcePlace::Sampler(number) => json!({ "sampler": number }),
        ResourcePlace::Argument { buffer, id } => json!({ "buffer": buffer, "id": id }),
        ResourcePlace::Group { group, binding } => json!({ "group": group, "binding": binding }),
        _ => json!(null),
    }
}
