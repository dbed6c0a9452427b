//! Decorations of imports and of definitions.

use crate::common::{TYPES, errors, linked};

fn user(decorations: &str, parameter: &str) -> String {
    format!(
        "capability Kernel
memory_model Physical64, OpenCL
{TYPES}%pointer = type_pointer CrossWorkgroup, %u32
%v: %pointer = variable CrossWorkgroup {{decorate LinkageAttributes \"v\" 1{decorations}}}
func %f: %u32 (%p: %u32{parameter}) {{decorate LinkageAttributes \"f\" 1}}
func %use: %u32 () {{decorate LinkageAttributes \"use\" 0}} {{
block ^entry:
  %x: %u32 = load %v
  %y: %u32 = function_call %f, %x
  return_value %y
}}"
    )
}

fn definer(decorations: &str, parameter: &str) -> String {
    format!(
        "capability Kernel
memory_model Physical64, OpenCL
{TYPES}%pointer = type_pointer CrossWorkgroup, %u32
%zero: %u32 = constant 0
%v: %pointer = variable CrossWorkgroup, %zero {{decorate LinkageAttributes \"v\" 0{decorations}}}
func %f: %u32 (%p: %u32{parameter}) {{decorate LinkageAttributes \"f\" 0}} {{
block ^entry:
  return_value %p
}}"
    )
}

#[test]
fn a_variable_gets_the_greatest_alignment() {
    let alignment = |first: &str, second: &str| {
        let text = linked(&[&user(first, ""), &definer(second, "")]);
        let line = text.lines().find(|line| line.starts_with("%v:")).expect("the variable is kept").to_owned();
        line.split("Alignment ").nth(1).map(|rest| rest.trim_end_matches('}').to_owned())
    };
    let of = |bytes: u32| format!(", decorate Alignment {bytes}");
    assert_eq!(alignment(&of(16), &of(4)).as_deref(), Some("16"));
    assert_eq!(alignment(&of(4), &of(16)).as_deref(), Some("16"));
    assert_eq!(alignment(&of(8), "").as_deref(), Some("8"));
    assert_eq!(alignment("", &of(8)).as_deref(), Some("8"));
    assert_eq!(alignment("", ""), None);
}

#[test]
fn what_import_and_definition_say_must_not_contradict() {
    let cases = [
        (", decorate Constant", "", "", "", "v: only the import is decorated Constant"),
        ("", ", decorate Constant", "", "", "v: only the definition is decorated Constant"),
        (
            "",
            "",
            " {decorate FuncParamAttr 0}",
            " {decorate FuncParamAttr 1}",
            "f: parameter 1: only the import is decorated FuncParamAttr Zext",
        ),
        (
            ", decorate Location 1",
            ", decorate Location 2",
            "",
            "",
            "v: the import is decorated Location [1] and the definition Location [2]",
        ),
    ];
    for (ours, theirs, parameter, other, message) in cases {
        let text = errors(&[&user(ours, parameter), &definer(theirs, other)]);
        assert!(text.starts_with(&format!("{message} [link-decoration]\n")), "{text}");
    }
}

#[test]
fn the_decorations_of_the_definition_hold() {
    let text = linked(&[
        &user(", decorate Volatile", " {decorate FuncParamAttr 6}"),
        &definer("", " {decorate FuncParamAttr 5}"),
    ]);
    assert!(
        text.contains("FuncParamAttr 5") && !text.contains("FuncParamAttr 6") && !text.contains("Volatile"),
        "{text}"
    );
}
