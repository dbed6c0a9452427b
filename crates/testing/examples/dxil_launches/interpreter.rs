//! Launches on the interpreter, with subgroups of 8 lanes.

use reconverge_interpret::{BoundBuffer, End, Interpreter, KernelLaunch, UndefinedBehaviour, Value};
use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::{Function, Inst, Module, view};

use crate::corpus::{Case, Kind, Resource};
use crate::images::{images, place};
use crate::{Outcome, Translated, bytes, words};

const FUEL: u64 = 100_000_000;

/// The words of all resources that are written.
pub(crate) fn run(case: &Case, translated: &Translated) -> Outcome {
    let module = &translated.module;
    let buffers: Vec<&Resource> = case.resources.iter().filter(|one| is_buffer(one)).collect();
    if buffers.iter().any(|one| one.element > 0) {
        return Outcome::Unsupported("arrays of buffers".to_owned());
    }
    let bound = |(buffer, one): (usize, &&Resource)| BoundBuffer { set: one.set, binding: one.binding, buffer };
    let launch = KernelLaunch {
        groups: case.groups,
        local: translated.thread_group,
        bindings: buffers.iter().enumerate().map(bound).collect(),
        buffers: buffers.iter().map(|one| bytes(&one.words)).collect(),
        fuel: FUEL,
        images: Some(images(&case.resources)),
        ..KernelLaunch::default()
    };
    let function = module.globals().filter_map(|inst| view::EntryPoint::of(module, inst)).next();
    let Some(function) = function.and_then(|entry| module.cast::<Function>(entry.function)) else {
        return Outcome::Failed("there is no entry point".to_owned());
    };
    let outcome = match Interpreter::new(module).launch_kernel(function, &launch) {
        Ok(outcome) => outcome,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    match outcome.failure.map(|failure| (failure.to_string(), failure.end)) {
        None => {}
        Some((_, End::Unsupported { what: feature, .. } | End::Refused { message: feature, .. })) => {
            return Outcome::Unsupported(feature);
        }
        Some((failure, End::Undefined { behaviour: UndefinedBehaviour::OutOfBounds, .. })) => {
            return Outcome::Outside(failure);
        }
        Some((failure, _)) => return Outcome::Failed(failure),
    }
    let mut found: Vec<(String, Vec<u32>)> = buffers
        .iter()
        .zip(&outcome.buffers)
        .map(|(one, buffer)| (one.register.clone(), words(&buffer.bytes)))
        .collect();
    for image in case.resources.iter().filter(|one| matches!(one.kind, Kind::Image { .. })) {
        let mut words = image.words.clone();
        let own = |texel: &&reconverge_interpret::Texel| {
            slot(module, texel.image.variable) == Some((image.set, image.binding)) && texel.image.index == image.element
        };
        for texel in outcome.images.iter().filter(own) {
            let at = [0, 1].map(|axis| texel.coordinates.get(axis).copied().unwrap_or_default());
            for (channel, value) in texel.components.iter().enumerate() {
                if let (Some(place), Value::Int { bits, .. } | Value::Float { bits, .. }) =
                    (place(image, at, channel), value)
                {
                    words[place] = *bits as u32;
                }
            }
        }
        found.push((image.register.clone(), words));
    }
    Outcome::Words(found)
}

fn is_buffer(resource: &Resource) -> bool {
    matches!(resource.kind, Kind::Uniform | Kind::Storage)
}

fn slot(module: &Module, variable: Inst) -> Option<(u32, u32)> {
    let decorated = module.decorated(variable);
    let (DescriptorSet(set), Binding(binding)) = (decorated.find()?, decorated.find()?);
    Some((set, binding))
}
