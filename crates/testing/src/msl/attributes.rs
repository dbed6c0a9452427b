//! The attributes of entry points, which clang does not know: each parameter of an entry point has one, as has each member of the structs of
//! inputs and outputs, and no two resources of a class have one number.

use std::collections::BTreeSet;

/// Attributes of parameters besides those of resources.
const OF_PARAMETERS: [&str; 36] = [
    "amplification_count",
    "barycentric_coord",
    "base_instance",
    "base_vertex",
    "front_facing",
    "instance_id",
    "patch_id",
    "payload",
    "point_coord",
    "position",
    "position_in_patch",
    "primitive_id",
    "render_target_array_index",
    "sample_id",
    "sample_mask",
    "simdgroup_index_in_threadgroup",
    "simdgroups_per_threadgroup",
    "stage_in",
    "thread_index_in_quadgroup",
    "thread_index_in_simdgroup",
    "thread_index_in_threadgroup",
    "thread_position_in_grid",
    "thread_position_in_threadgroup",
    "threadgroup_position_in_grid",
    "threadgroups_per_grid",
    "threads_per_grid",
    "threads_per_simdgroup",
    "threads_per_threadgroup",
    "vertex_id",
    "viewport_array_index",
    // Ways of interpolation stand beside an input.
    "center_no_perspective",
    "center_perspective",
    "centroid_no_perspective",
    "centroid_perspective",
    "flat",
    "sample_perspective",
];

/// Attributes of members besides those of parameters.
const OF_MEMBERS: [&str; 6] =
    ["clip_distance", "invariant", "point_size", "sample_no_perspective", "shared", "stencil"];

/// Attributes with an argument.
const WITH_ARGUMENT: [&str; 9] =
    ["attribute", "buffer", "color", "depth", "id", "sampler", "texture", "user", "raster_order_group"];

/// Checks the attributes of a text.
///
/// # Errors
/// A parameter or member has none, has an unknown one, or has the number of another.
pub(super) fn check(text: &str) -> Result<(), String> {
    for head in heads(text) {
        let (before, parameters) = head.split_once('(').unwrap_or((head, ""));
        let mut numbers = BTreeSet::new();
        for parameter in apart(parameters) {
            let found = attributes(parameter);
            if found.is_empty() {
                return Err(format!("a parameter has no attribute: {parameter}"));
            }
            check_known(parameter, &found)?;
            if !numbers.insert(found.clone()) {
                return Err(format!("two parameters have one attribute: {parameter}"));
            }
            if found == ["stage_in"] {
                check_members(text, parameter.split_whitespace().next().unwrap_or_default())?;
            }
        }
        let is_compute = before.starts_with("kernel");
        if !is_compute {
            check_members(text, before.split_whitespace().nth(1).unwrap_or_default())?;
        }
    }
    Ok(())
}

/// The heads of the entry points, from the word of the stage to the end of the parameters.
fn heads(text: &str) -> Vec<&str> {
    let mut heads = Vec::new();
    for stage in ["kernel ", "vertex ", "fragment "] {
        let starts = text.match_indices(stage).filter(|&(at, _)| at == 0 || text[..at].ends_with(['\n', ' ']));
        heads.extend(starts.filter_map(|(at, _)| text[at..].split_once(") {").map(|(head, _)| head)));
    }
    heads
}

/// The parameters of a list, without the commas between them.
fn apart(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(list[start..].trim());
    found.retain(|parameter| !parameter.is_empty());
    found
}

/// The attributes of a declaration: those of `T x [[a, b(1)]]` are `a` and `b(1)`.
fn attributes(declaration: &str) -> Vec<String> {
    let lists = declaration.split("[[").skip(1).filter_map(|rest| rest.split_once("]]"));
    lists.flat_map(|(list, _)| apart(list)).map(str::to_owned).collect()
}

fn check_known(declaration: &str, attributes: &[String]) -> Result<(), String> {
    let is_known = |attribute: &String| match attribute.split_once('(') {
        Some((word, argument)) => WITH_ARGUMENT.contains(&word) && !argument.starts_with("fake"),
        None => OF_PARAMETERS.contains(&attribute.as_str()) || OF_MEMBERS.contains(&attribute.as_str()),
    };
    match attributes.iter().find(|attribute| !is_known(attribute)) {
        Some(unknown) => Err(format!("the attribute {unknown} is unknown: {declaration}")),
        None => Ok(()),
    }
}

/// Checks the members of a struct of inputs or outputs, if there is a struct of that name.
fn check_members(text: &str, name: &str) -> Result<(), String> {
    let Some((_, rest)) = text.split_once(&format!("struct {name} {{")) else { return Ok(()) };
    let members = rest.split_once("};").map_or("", |(members, _)| members);
    let mut seen = BTreeSet::new();
    for member in members.split(';').map(str::trim).filter(|member| !member.is_empty()) {
        let found = attributes(member);
        if found.is_empty() {
            return Err(format!("a member of {name} has no attribute: {member}"));
        }
        check_known(member, &found)?;
        if !seen.insert(found) {
            return Err(format!("two members of {name} have one attribute: {member}"));
        }
    }
    Ok(())
}
