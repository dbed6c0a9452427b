//! Structs: which are one.

use crate::common::{TYPES, errors, linked};

fn exports(name: &str, types: &str, parameter: &str) -> String {
    format!(
        "capability Kernel
memory_model Physical64, OpenCL
{TYPES}{types}
func %{name}: %u32 (%p: {parameter}) {{decorate LinkageAttributes \"{name}\" 0}} {{
block ^entry:
  %x: %u32 = composite_extract %p, 0
  return_value %x
}}"
    )
}

fn structs(text: &str) -> usize {
    text.matches("= type_struct").count()
}

#[test]
fn structs_of_one_structure_and_name_are_one() {
    let pair = "%pair = type_struct %u32, %f32 {name \"pair\"}";
    let numbered = "%pair = type_struct %u32, %f32 {name \"pair.7\"}";
    let other = "%pair = type_struct %u32, %f32 {name \"point\"}";
    let unnamed = "%17 = type_struct %u32, %f32";
    let count = |one: &str, two: &str, of_two: &str| {
        let linked = linked(&[&exports("f", one, "%pair"), &exports("g", two, of_two)]);
        structs(&linked)
    };
    assert_eq!(count(pair, pair, "%pair"), 1);
    assert_eq!(count(pair, numbered, "%pair"), 1);
    assert_eq!(count(pair, other, "%pair"), 2);
    assert_eq!(count(pair, unnamed, "%17"), 2);
    assert_eq!(count(pair, "%pair = type_struct %u32, %u32 {name \"pair\"}", "%pair"), 2);
    let packed = "%pair = type_struct %u32, %f32 {name \"pair\", decorate CPacked}";
    assert_eq!(count(pair, packed, "%pair"), 2);
    assert_eq!(count(packed, packed, "%pair"), 1);
}

#[test]
fn the_names_of_members_are_kept() {
    let pair = "%pair = type_struct %u32, %f32 {name \"pair\"}";
    let members = "%pair = type_struct %u32, %f32 {name \"pair\", member_name 0 \"x\"}";
    for sources in [[pair, members], [members, pair]] {
        let text = linked(&[&exports("f", sources[0], "%pair"), &exports("g", sources[1], "%pair")]);
        assert_eq!((structs(&text), text.matches("member_name 0 \"x\"").count()), (1, 1), "{text}");
    }
}

const NODE: &str = "type_forward_pointer %nodes, CrossWorkgroup
%node = type_struct %u32, %nodes {name \"node\"}
%nodes = type_pointer CrossWorkgroup, %node";

#[test]
fn structs_that_name_themselves_are_one() {
    let text = linked(&[&exports("f", NODE, "%node"), &exports("g", NODE, "%node")]);
    assert_eq!(structs(&text), 1, "{text}");
    assert_eq!(text.matches("type_forward_pointer").count(), 1, "{text}");
    assert_eq!(text.matches("= type_pointer").count(), 1, "{text}");
    let longer = NODE.replace("type_struct %u32, %nodes", "type_struct %u32, %nodes, %u32");
    assert_eq!(structs(&linked(&[&exports("f", NODE, "%node"), &exports("g", &longer, "%node")])), 2);
    let list = format!("{NODE}\n%list = type_struct %u32, %nodes {{name \"list\"}}");
    let text = linked(&[&exports("f", &list, "%list"), &exports("g", &list, "%list")]);
    assert_eq!(structs(&text), 2, "{text}");
    let circle = "type_forward_pointer %as, CrossWorkgroup
type_forward_pointer %bs, CrossWorkgroup
%a = type_struct %u32, %bs {name \"a\"}
%b = type_struct %u32, %as {name \"b\"}
%as = type_pointer CrossWorkgroup, %a
%bs = type_pointer CrossWorkgroup, %b";
    let text = linked(&[&exports("f", circle, "%a"), &exports("g", circle, "%b")]);
    assert_eq!(structs(&text), 2, "{text}");
}

#[test]
fn an_import_of_a_type_that_names_itself_fits_its_definition() {
    let import = format!(
        "capability Kernel
memory_model Physical64, OpenCL
{TYPES}{NODE}
func %f: %u32 (%p: %node) {{decorate LinkageAttributes \"f\" 1}}
func %use: %u32 (%p: %node) {{decorate LinkageAttributes \"use\" 0}} {{
block ^entry:
  %x: %u32 = function_call %f, %p
  return_value %x
}}"
    );
    let text = linked(&[&import, &exports("f", NODE, "%node")]);
    assert_eq!((structs(&text), text.matches("bitcast").count()), (1, 0), "{text}");
    let longer = NODE.replace("type_struct %u32, %nodes", "type_struct %f32, %nodes");
    let text = errors(&[&import, &exports("f", &longer, "%node")]);
    assert!(text.contains("parameter 1, member 0: u32 and f32 [link-type]"), "{text}");
}

#[test]
fn pointers_are_converted_where_they_are_addresses() {
    let user = |model: &str| {
        format!(
            "{model}
{TYPES}%one: %u32 = constant 1
%floats = type_array %f32, %one
%bytes = type_pointer CrossWorkgroup, %floats
%table: %bytes = variable CrossWorkgroup {{decorate LinkageAttributes \"table\" 1}}
func %f: %u32 (%p: %bytes) {{decorate LinkageAttributes \"f\" 1}}
func %use: %u32 () {{decorate LinkageAttributes \"use\" 0}} {{
block ^entry:
  %x: %u32 = function_call %f, %table
  return_value %x
}}"
        )
    };
    let definer = |model: &str| {
        format!(
            "{model}
{TYPES}%words = type_pointer CrossWorkgroup, %u32
%zero: %u32 = constant 0
%table: %words = variable CrossWorkgroup, %zero {{decorate LinkageAttributes \"table\" 0}}
func %f: %u32 (%p: %words) {{decorate LinkageAttributes \"f\" 0}} {{
block ^entry:
  %x: %u32 = load %p
  return_value %x
}}"
        )
    };
    let physical = "capability Kernel\nmemory_model Physical64, OpenCL";
    let module = crate::common::parsed(&linked(&[&user(physical), &definer(physical)]));
    let casts = module.descendants(module.root()).filter(|&inst| module.op(inst) == reconverge_ir::Op::Bitcast);
    assert_eq!(casts.count(), 2);
    assert_eq!(reconverge_verify::verify(&module), Vec::new());
    let logical = "capability Shader\nmemory_model Logical, GLSL450";
    let text = errors(&[&user(logical), &definer(logical)]);
    assert!(text.contains("pointee: f32[1] and u32 [link-type]"), "{text}");
    // Where the type of an object is known, it is that of its definition.
    let scalar = user(physical).replace("CrossWorkgroup, %floats", "CrossWorkgroup, %f32");
    let text = errors(&[&scalar, &definer(physical)]);
    assert!(text.contains("pointee: f32 and u32 [link-type]"), "{text}");
    let larger = user(physical).replace("%one: %u32 = constant 1", "%one: %u32 = constant 2");
    let text = errors(&[&larger, &definer(physical)]);
    assert!(text.contains("pointee: f32[2] and u32 [link-type]"), "{text}");
}
