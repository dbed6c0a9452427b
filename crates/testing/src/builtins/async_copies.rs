//! Copies by a work-group, with and without strides, in both directions (OpenCL C 3.0, section 6.15.11).
//!
//! Each work-group copies its operands to local memory, and each work-item takes one from the other end; what work-items leave in local
//! memory is copied back, to every second place.

use super::case::{Case, Sizes};
use super::judge::LOCAL;
use super::number::{Number, Type};
use super::row::Wanted;
use super::source::{ITEMS, vector};
use crate::random::Random;

/// A kernel for each type and number of components.
pub(super) fn cases() -> Vec<Case> {
    let types = Type::INTEGERS.into_iter().chain(Type::FLOATS);
    types.flat_map(|ty| [1, 2, 3, 4, 8, 16].map(|count| case(ty, count))).collect()
}

fn case(ty: Type, count: usize) -> Case {
    let (name, element) = (format!("copy_{}_{count}", ty.name()), vector(ty, count));
    let source = format!(
        "kernel void {name}(global const {element} *a, global {element} *r) {{
    local {element} whole[{LOCAL}], spread[{LOCAL}], back[{LOCAL}];
    size_t group = get_group_id(0), at = get_local_id(0);
    back[at] = a[get_global_id(0)];
    spread[at] = a[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t event = async_work_group_copy(whole, a + group * {LOCAL}, {LOCAL}, 0);
    event = async_work_group_strided_copy(spread, a + group, {half}, 2, event);
    event_t other = async_work_group_copy(r + {ITEMS} * 2 + group * {LOCAL}, back, {LOCAL}, 0);
    event_t last = async_work_group_strided_copy(r + {ITEMS} * 3 + group * {LOCAL}, back, {half}, 2, 0);
    event_t events[2] = {{ other, last }};
    wait_group_events(1, &event);
    wait_group_events(2, events);
    r[get_global_id(0)] = whole[{LOCAL} - 1 - at];
    r[{ITEMS} + get_global_id(0)] = spread[at];
}}
",
        half = LOCAL / 2
    );
    let width = if count == 3 { 4 } else { count };
    let mut random = Random::new(u64::from(ty.bits()) + count as u64);
    let values: Vec<Number> = (0..ITEMS * width).map(|_| super::source::operand(ty, &mut random)).collect();
    let given = values.clone();
    Case {
        name,
        what: format!("copies of {element}"),
        source,
        inputs: vec![(ty, values)],
        output: (ty, ITEMS * 4 * width),
        before: Vec::new(),
        sizes: Sizes::LINE,
        definition: Box::new(move |_| copied(&given, width, count)),
    }
}

/// Returns the source of each element of the result; `None` for an element that nothing writes.
fn origins() -> Vec<Option<usize>> {
    let size = LOCAL as usize;
    let place = |item: usize| (item / size, item % size);
    let whole = (0..ITEMS).map(|item| Some(place(item).0 * size + size - 1 - place(item).1));
    let spread = (0..ITEMS).map(|item| match place(item) {
        (group, at) if at < size / 2 => Some(group + 2 * at),
        _ => Some(0),
    });
    let back = (0..ITEMS).map(Some);
    let apart = (0..ITEMS).map(|item| {
        let (group, at) = place(item);
        (at % 2 == 0).then_some(group * size + at / 2)
    });
    whole.chain(spread).chain(back).chain(apart).collect()
}

fn copied(values: &[Number], width: usize, count: usize) -> Vec<Wanted> {
    let component = |origin: Option<usize>, index: usize| match origin.map(|origin| values[origin * width + index]) {
        // The fourth component of a vector of three is no part of it.
        _ if index >= count => Wanted::Any,
        None if values[0].is_float() => Wanted::Float { exact: 0.0, ulps: 0.0 },
        None => Wanted::Int(0),
        Some(Number::Int(value)) => Wanted::Int(value),
        Some(Number::Float(exact)) => Wanted::Float { exact, ulps: 0.0 },
    };
    origins().into_iter().flat_map(|origin| (0..width).map(move |index| component(origin, index))).collect()
}
