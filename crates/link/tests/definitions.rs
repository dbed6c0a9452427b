//! Which definition wins, and the errors about definitions.

use reconverge_ir::text;
use reconverge_link::{LinkOptions, Roots};

use crate::common::{TYPES, errors, linked, linked_with};

fn definition(value: u32, decorations: &str) -> String {
    format!(
        "{TYPES}%value: %u32 = constant {value}
func %f: %u32 () {{{decorations}}} {{
block ^entry:
  return_value %value
}}
"
    )
}

const EXPORT: &str = "decorate LinkageAttributes \"f\" 0";
const ONE_OF_SEVERAL: &str = "decorate LinkageAttributes \"f\" 2";

fn chosen(sources: &[String], target: &str) -> Result<u32, String> {
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let options = LinkOptions::new().roots(Roots::Library).target(target);
    let module = linked_with(&sources, &options).map_err(|errors| errors[0].code.name.to_owned())?;
    let text = text::print(&module);
    assert_eq!(text.matches("func ").count(), 1, "{text}");
    let value = text.split("= constant ").nth(1).and_then(|rest| rest.split('\n').next());
    Ok(value.expect("the body returns a constant").parse().expect("a number"))
}

#[test]
fn two_definitions_are_an_error_with_both_places() {
    assert_eq!(
        errors(&[&definition(1, EXPORT), &definition(2, EXPORT)]),
        "two inputs define the function f [link-duplicate]
  first defined in 0.ir: func %f: %u32 () type %0 control 0 stage graph {decorate LinkageAttributes \"f\" 0}
  defined again in 1.ir: func %f: %u32 () type %0 control 0 stage graph {decorate LinkageAttributes \"f\" 0}
"
    );
}

#[test]
fn one_of_several_gives_way_to_a_definition_and_to_the_first() {
    let several = |value| definition(value, ONE_OF_SEVERAL);
    assert_eq!(chosen(&[several(1), several(2)], ""), Ok(1));
    assert_eq!(chosen(&[several(2), several(1)], ""), Ok(2));
    assert_eq!(chosen(&[several(1), definition(3, EXPORT), several(2)], ""), Ok(3));
}

#[test]
fn the_most_specific_target_wins() {
    let of =
        |value, target: &str| definition(value, &format!("{EXPORT}, decorate_string UserSemantic \"target={target}\""));
    let all = [definition(1, EXPORT), of(2, "vulkan"), of(3, "vulkan.lavapipe"), of(4, "cpu")];
    for (target, value) in
        [("", 1), ("vulkan", 2), ("vulkan.lavapipe", 3), ("vulkan.other", 2), ("cpu", 4), ("vulkanic", 1)]
    {
        assert_eq!(chosen(&all, target), Ok(value), "{target}");
        let mut reversed = all.clone();
        reversed.reverse();
        assert_eq!(chosen(&reversed, target), Ok(value), "{target}");
    }
    assert_eq!(chosen(&[of(1, "cpu"), of(2, "cpu")], "cpu"), Err("link-duplicate".to_owned()));
}

#[test]
fn an_export_without_a_body_is_an_error_unless_another_has_one() {
    let declared = format!("{TYPES}func %f: %u32 () {{{EXPORT}}}");
    assert_eq!(
        errors(&[&declared]),
        "the function f is exported without a body [link-no-body]
  exported in 0.ir: func %f: %u32 () type %0 control 0 stage graph {decorate LinkageAttributes \"f\" 0}
"
    );
    assert_eq!(chosen(&[declared, definition(5, EXPORT)], ""), Ok(5));
}

#[test]
fn a_type_mismatch_shows_both_types_and_the_first_difference() {
    let user = format!(
        "{TYPES}%v3 = type_vector %f32, 3
%pair = type_struct %u32, %v3 {{name \"pair\"}}
func %f: %u32 (%x: %u32, %p: %pair) {{decorate LinkageAttributes \"f\" 1}}
func %use: %u32 (%x: %u32, %p: %pair) {{decorate LinkageAttributes \"use\" 0}} {{
block ^entry:
  %y: %u32 = function_call %f, %x, %p
  return_value %y
}}"
    );
    let definer = format!(
        "{TYPES}%v4 = type_vector %f32, 4
%pair = type_struct %u32, %v4 {{name \"pair\"}}
func %f: %u32 (%x: %u32, %p: %pair) {{decorate LinkageAttributes \"f\" 0}} {{
block ^entry:
  return_value %x
}}"
    );
    let text = errors(&[&user, &definer]);
    let first = text.lines().next().expect("there is an error");
    assert_eq!(
        first,
        "f is imported as u32(u32, struct pair {u32, f32x3}) and defined as u32(u32, struct pair {u32, f32x4}): parameter 2, \
         member 1: f32x3 and f32x4 [link-type]"
    );
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn a_kind_is_part_of_the_type() {
    let user = format!(
        "{TYPES}%pointer = type_pointer Private, %u32
%f: %pointer = variable Private {{decorate LinkageAttributes \"f\" 1}}
func %use: %u32 () {{decorate LinkageAttributes \"use\" 0}} {{
block ^entry:
  %y: %u32 = load %f
  return_value %y
}}"
    );
    let text = errors(&[&user, &definition(1, EXPORT)]);
    assert!(text.starts_with("f is imported as a variable and defined as a function [link-type]\n"), "{text}");
}

#[test]
fn source_locations_are_shown() {
    let located = definition(1, EXPORT)
        .replace("decorate LinkageAttributes \"f\" 0} {", "decorate LinkageAttributes \"f\" 0} at %file 3:7 {");
    let located = format!("%file = string \"one.cl\"\n{located}");
    let text = errors(&[&located, &definition(2, EXPORT)]);
    assert!(text.contains(" (one.cl:3:7)\n"), "{text}");
}

#[test]
fn recursion_across_modules_is_reported_with_its_cycle() {
    let kernel = format!(
        "{TYPES}entry_point Kernel, %main, \"main\"
func %main: %void () {{
block ^entry:
  %x: %void = function_call %f
  return
}}
func %f: %void () {{decorate LinkageAttributes \"f\" 1}}"
    );
    let calls = |own: &str, other: &str| {
        format!(
            "{TYPES}func %{own}: %void () {{decorate LinkageAttributes \"{own}\" 0}} {{
block ^entry:
  %x: %void = function_call %{other}
  return
}}
func %{other}: %void () {{decorate LinkageAttributes \"{other}\" 1}}"
        )
    };
    let text = errors(&[&kernel, &calls("f", "g"), &calls("g", "f")]);
    assert!(
        text.starts_with("recursion: f calls g calls f [link-recursion]\n  on the cycle in 1.ir: func %f"),
        "{text}"
    );
    assert!(text.contains("\n  on the cycle in 2.ir: func %g"), "{text}");
    // A library has no entry point that reaches the cycle.
    assert!(linked(&[&calls("f", "g"), &calls("g", "f")]).contains("func %g"));
}
