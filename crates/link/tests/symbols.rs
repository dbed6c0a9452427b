//! What is bound to what, and what is kept.

use reconverge_link::{LinkOptions, Roots, Undefined};

use crate::common::{TYPES, errors, library, linked, linked_with};

const CALLER: &str = "
func %caller: %u32 (%x: %u32) {decorate LinkageAttributes \"caller\" 0} {
block ^entry:
  %y: %u32 = function_call %f, %x
  return_value %y
}
func %f: %u32 (%x: %u32) {decorate LinkageAttributes \"f\" 1}
";

const CALLEE: &str = "
func %unused: %u32 (%x: %u32) {
block ^entry:
  return_value %x
}
func %f: %u32 (%n: %u32) {decorate LinkageAttributes \"f\" 0} {
block ^entry:
  %m: %u32 = i_add %n, %n
  return_value %m
}
";

const ENTRY_POINT: &str = "
entry_point Kernel, %main, \"main\"
func %main: %void () {
block ^entry:
  %one: %u32 = function_call %f, %three
  return
}
func %f: %u32 (%x: %u32) {decorate LinkageAttributes \"f\" 1}
%three: %u32 = constant 3
";

fn with_types(source: &str) -> String {
    format!("{TYPES}{source}")
}

#[test]
fn a_call_of_an_import_calls_the_definition() {
    let text = linked(&[&with_types(CALLER), &with_types(CALLEE)]);
    let expected = "\
%u32 = type_int 32, 0
%0 = type_function %u32, %u32

func %caller: %u32 (%x: %u32) type %0 control 0 stage graph {decorate LinkageAttributes \"caller\" 0} {
block ^entry:
  %y: %u32 = function_call %f, %x
  return_value %y
}

func %f: %u32 (%n: %u32) type %0 control 0 stage graph {decorate LinkageAttributes \"f\" 0} {
block ^entry:
  %m: %u32 = i_add %n, %n
  return_value %m
}
";
    assert_eq!(text, expected);
}

#[test]
fn a_program_keeps_what_its_entry_points_reach_and_exports_nothing() {
    let text = linked(&[&with_types(CALLER), &with_types(CALLEE), &with_types(ENTRY_POINT)]);
    assert!(text.contains("func %f") && text.contains("func %main"), "{text}");
    assert!(!text.contains("Linkage") && !text.contains("%caller") && !text.contains("%unused"), "{text}");
}

#[test]
fn a_library_keeps_exports_and_entry_points() {
    let text = library(&[&with_types(CALLER), &with_types(CALLEE), &with_types(ENTRY_POINT)]);
    for kept in ["func %f", "func %main", "func %caller", "LinkageAttributes \"f\" 0", "LinkageAttributes \"caller\" 0"]
    {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
    assert!(!text.contains("%unused"), "{text}");
}

#[test]
fn a_named_root_is_kept_alone_and_stays_exported() {
    let names = ["f".to_owned()];
    let options = LinkOptions::new().roots(Roots::Named(&names));
    let sources = [with_types(CALLER), with_types(CALLEE), with_types(ENTRY_POINT)];
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let text = reconverge_ir::text::print(&linked_with(&sources, &options).expect("f is exported"));
    assert_eq!(text.matches("func ").count(), 1, "{text}");
    assert!(text.contains("LinkageAttributes \"f\" 0"), "{text}");
    let names = ["g".to_owned()];
    let options = LinkOptions::new().roots(Roots::Named(&names));
    let errors = linked_with(&sources, &options).expect_err("there is no g");
    assert_eq!(errors[0].to_string(), "no input has an entry point or an export named g [link-root]");
}

#[test]
fn an_import_without_definition_is_an_error_at_every_import() {
    let again = CALLER.replace("%caller", "%again").replace("\"caller\"", "\"again\"");
    assert_eq!(
        errors(&[&with_types(CALLER), &with_types(&again)]),
        "no input defines the function f [link-undefined]
  imported in 0.ir: func %f: %u32 (%x: %u32) type %0 control 0 stage graph {decorate LinkageAttributes \"f\" 1}
  imported in 1.ir: func %f: %u32 (%x: %u32) type %0 control 0 stage graph {decorate LinkageAttributes \"f\" 1}
"
    );
    let text = library(&[&with_types(CALLER), &with_types(&again)]);
    assert_eq!(text.matches("func %f").count(), 1, "equal imports are one\n{text}");
}

#[test]
fn names_that_the_environment_defines_stay_open() {
    let is_provided = |name: &str| name == "f";
    let options = LinkOptions::new().undefined(Undefined::RefusedUnless(&is_provided));
    let caller = with_types(CALLER);
    assert!(linked_with(&[&caller], &options).is_ok());
    let other = caller.replace("\"f\"", "\"g\"");
    assert!(linked_with(&[&other], &options).is_err());
}

#[test]
fn any_global_can_be_imported() {
    let user = "
capability Kernel
memory_model Physical64, OpenCL
%pointer = type_pointer CrossWorkgroup, %u32
%table: %pointer = variable CrossWorkgroup {decorate LinkageAttributes \"table\" 1}
%limit: %u32 = spec_constant 0 {decorate LinkageAttributes \"limit\" 1}
%node = type_opaque \"node\" {decorate LinkageAttributes \"node\" 1}
%nodes = type_pointer CrossWorkgroup, %node
func %use: %u32 (%n: %nodes) {decorate LinkageAttributes \"use\" 0} {
block ^entry:
  %x: %u32 = load %table
  %y: %u32 = i_add %x, %limit
  return_value %y
}
";
    let definer = "
capability Kernel
memory_model Physical64, OpenCL
%pointer = type_pointer CrossWorkgroup, %u32
%limit: %u32 = constant 9 {decorate LinkageAttributes \"limit\" 0}
%table: %pointer = variable CrossWorkgroup, %limit {decorate LinkageAttributes \"table\" 0}
%node = type_struct %u32, %u32 {decorate LinkageAttributes \"node\" 0}
";
    let text = linked(&[&with_types(user), &with_types(definer)]);
    assert!(
        text.contains("%limit: ") && text.contains("= constant 9 {decorate LinkageAttributes \"limit\" 0}"),
        "{text}"
    );
    assert!(!text.contains("opaque") && !text.contains("\" 1"), "{text}");
    assert!(text.contains("i_add %x, %limit"), "{text}");
    let pointer = text.lines().find(|line| line.contains("type_pointer CrossWorkgroup, %node"));
    assert!(pointer.is_some(), "{text}");
}
