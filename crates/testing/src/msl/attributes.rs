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
const OF_MEMBERS: [&str; 7] =
    ["clip_distance", "invariant", "point_size", "primitive_culled", "sample_no_perspective", "shared", "stencil"];

/// Attributes with an argument.
const WITH_ARGUMENT: [&str; 10] =
    ["attribute", "buffer", "color", "depth", "id", "index", "sampler", "texture", "user", "raster_order_group"];

/// Types of parameters that have no attribute.
const WITHOUT_ATTRIBUTE: [&str; 2] = ["mesh<", "mesh_grid_properties "];

/// The stage of an entry point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Kernel,
    Vertex,
    /// A vertex function of a patch.
    Patch,
    Fragment,
    Object,
    Mesh,
}

/// The head of an entry point.
struct Head<'a> {
    stage: Stage,
    /// The words before its parameters.
    words: &'a str,
    parameters: Vec<&'a str>,
}

/// Checks the attributes of a text.
///
/// # Errors
/// A parameter or member has none, has an unknown one, or has the number of another; or a stage has not what it needs.
pub(super) fn check(text: &str) -> Result<(), String> {
    for head in heads(text) {
        let mut numbers = BTreeSet::new();
        for &parameter in &head.parameters {
            let found = attributes(parameter);
            if WITHOUT_ATTRIBUTE.iter().any(|ty| parameter.starts_with(ty)) {
                if !found.is_empty() {
                    return Err(format!("a parameter has an attribute: {parameter}"));
                }
                continue;
            }
            if found.is_empty() {
                return Err(format!("a parameter has no attribute: {parameter}"));
            }
            check_known(parameter, &found)?;
            // What stands behind the first attribute is no number of its own.
            if !numbers.insert(found[0].clone()) {
                return Err(format!("two parameters have one attribute: {parameter}"));
            }
            let is_ordered = found.iter().any(|attribute| attribute.starts_with("raster_order_group("));
            if is_ordered && (head.stage != Stage::Fragment || found.len() != 2) {
                return Err(format!("an order of what is no resource of a fragment function: {parameter}"));
            }
            if found == ["stage_in"] {
                check_members(text, parameter.split_whitespace().next().unwrap_or_default(), &mut BTreeSet::new())?;
            }
        }
        check_stage(text, &head)?;
    }
    Ok(())
}

/// Checks what a stage has besides.
fn check_stage(text: &str, head: &Head<'_>) -> Result<(), String> {
    let words = head.words;
    let of_type = |ty: &str| head.parameters.iter().filter(|parameter| parameter.starts_with(ty)).count();
    let has = |attribute: &str| head.parameters.iter().any(|parameter| attributes(parameter) == [attribute]);
    if has("position_in_patch") && head.stage != Stage::Patch {
        return Err(format!("a position in a patch that is none: {words}"));
    }
    let wanted = [usize::from(head.stage == Stage::Mesh), usize::from(head.stage == Stage::Object)];
    if WITHOUT_ATTRIBUTE.map(of_type) != wanted {
        return Err(format!("a mesh or a grid of meshes in another stage, or none: {words}"));
    }
    let payload = head.parameters.iter().find(|parameter| attributes(parameter) == ["payload"]);
    let memory = if head.stage == Stage::Object { "object_data " } else { "const object_data " };
    if let Some(payload) = payload.filter(|payload| !payload.starts_with(memory)) {
        return Err(format!("a payload in other memory: {payload}"));
    }
    match head.stage {
        Stage::Kernel | Stage::Object => Ok(()),
        Stage::Mesh => {
            let mesh = head.parameters.iter().find_map(|parameter| parameter.strip_prefix("mesh<")).unwrap_or_default();
            let types = apart(mesh.rsplit_once('>').map_or("", |(types, _)| types));
            if !has_position(text, types.first().copied().unwrap_or_default()) {
                return Err(format!("vertices of a mesh without a position: {words}"));
            }
            types.into_iter().take(2).try_for_each(|ty| check_members(text, ty, &mut BTreeSet::new()))
        }
        Stage::Patch => {
            check_patch(words)?;
            check_members(text, result_of(words), &mut BTreeSet::new())
        }
        Stage::Vertex | Stage::Fragment => check_members(text, result_of(words), &mut BTreeSet::new()),
    }
}

/// The type of the result of an entry point, which is the word before its name.
fn result_of(words: &str) -> &str {
    words.split_whitespace().rev().nth(1).unwrap_or_default()
}

/// Checks the attribute of a vertex function of a patch: `[[patch(triangle, 3)]]`.
fn check_patch(words: &str) -> Result<(), String> {
    let inner =
        words.split_once("[[patch(").and_then(|(_, rest)| rest.split_once(")]]")).map_or("", |(inner, _)| inner);
    let parts = apart(inner);
    let is_domain = matches!(parts.first(), Some(&("triangle" | "quad")));
    let is_count = |part: &&str| part.parse().is_ok_and(|count: u32| count <= 32);
    match is_domain && parts[1..].iter().all(is_count) && parts.len() <= 2 {
        true => Ok(()),
        false => Err(format!("a patch of an unknown kind: {words}")),
    }
}

fn has_position(text: &str, name: &str) -> bool {
    members(text, name).iter().any(|member| attributes(member).iter().any(|attribute| attribute == "position"))
}

/// The heads of the entry points, from the words of the stage to the end of the parameters.
fn heads(text: &str) -> Vec<Head<'_>> {
    const STAGES: [(&str, Stage); 6] = [
        ("kernel ", Stage::Kernel),
        ("vertex ", Stage::Vertex),
        ("[[patch", Stage::Patch),
        ("fragment ", Stage::Fragment),
        ("[[object]] ", Stage::Object),
        ("[[mesh]] ", Stage::Mesh),
    ];
    let mut heads = Vec::new();
    for (word, stage) in STAGES {
        let starts = text.match_indices(word).filter(|&(at, _)| at == 0 || text[..at].ends_with('\n'));
        for (head, _) in starts.filter_map(|(at, _)| text[at..].split_once(") {")) {
            // The attribute of a patch has brackets, too.
            let skipped = if stage == Stage::Patch { head.find("]]").unwrap_or_default() } else { 0 };
            let open = head[skipped..].find('(').map_or(head.len(), |at| skipped + at);
            let parameters = apart(head[open..].trim_start_matches('('));
            heads.push(Head { stage, words: head[..open].trim(), parameters });
        }
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

/// Checks the members of a struct of inputs or outputs, if there is a struct of that name. Control points are members with members of their own.
fn check_members(text: &str, name: &str, seen: &mut BTreeSet<Vec<String>>) -> Result<(), String> {
    for member in members(text, name) {
        if let Some(points) = member.strip_prefix("patch_control_point<") {
            let point = points.split_once('>').map_or("", |(point, _)| point);
            if members(text, point).is_empty() {
                return Err(format!("control points without members: {member}"));
            }
            check_members(text, point, seen)?;
            continue;
        }
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

/// The members of a struct, if there is one of that name.
fn members<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let Some((_, rest)) = text.split_once(&format!("struct {name} {{")) else { return Vec::new() };
    let members = rest.split_once("};").map_or("", |(members, _)| members);
    members.split(';').map(str::trim).filter(|member| !member.is_empty()).collect()
}
