//! Specialization constants become ordinary ones.

use reconverge_ir::{Module, text};
use reconverge_rewrite::specialize::{Others, specialize};
use reconverge_verify::verify;

const HEAD: &str = "\
%void = type_void
%bool = type_bool
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%v3 = type_vector %u32, 3
%one: %u32 = constant 1
%two: %u32 = constant 2
%zero: %u32 = constant 0
";

/// The printed module after specialization, valid and without specialization constants.
fn specialized(body: &str, values: &[(u32, u64)]) -> String {
    let mut module = parsed(body);
    specialize(&mut module, values, Others::Defaults).unwrap_or_else(|error| panic!("{error:?}"));
    let printed = text::print(&module);
    assert_eq!(verify(&module), [], "{printed}");
    assert!(!printed.contains("spec_constant") && !printed.contains("SpecId"), "{printed}");
    printed
}

fn parsed(body: &str) -> Module {
    let source = format!("{HEAD}{body}");
    text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

#[track_caller]
fn hold(printed: &str, lines: &[&str]) {
    lines.iter().for_each(|line| assert!(printed.lines().any(|other| other == *line), "no {line} in\n{printed}"));
}

#[test]
fn a_constant_gets_its_value_or_its_default() {
    let body = "
%a: %u32 = spec_constant 7 {decorate SpecId 0}
%b: %u16 = spec_constant 8 {decorate SpecId 1}
%c: %bool = spec_constant_true {decorate SpecId 2}
%d: %bool = spec_constant_false {decorate SpecId 3}
%s = type_struct %u32, %u16, %bool, %bool
%e: %s = spec_constant_composite %a, %b, %c, %d
";
    let printed = specialized(body, &[(0, 5), (1, 1), (1, 0x1_0009), (3, 2), (9, 9)]);
    let composite = printed.lines().find(|line| line.contains("constant_composite")).unwrap();
    assert!(printed.contains("%u32 = constant 5") && printed.contains("%u16 = constant 9"), "{printed}");
    assert_eq!((printed.matches("constant_true").count(), printed.contains("constant_false")), (1, false), "{printed}");
    assert!(composite.contains("%s = constant_composite"));
    let defaults = specialized(body, &[]);
    assert!(defaults.contains("%u32 = constant 7") && defaults.contains("%u16 = constant 8"), "{defaults}");
    assert!(defaults.contains("constant_true") && defaults.contains("constant_false"), "{defaults}");
}

#[test]
fn operations_are_computed_and_lengths_with_them() {
    let printed = specialized(
        "
%a: %u32 = spec_constant 4 {decorate SpecId 0}
%b: %u32 = spec_constant_op 132, %a, %two
%c: %u32 = spec_constant_op 128, %b, %one
%t = type_array %u32, %c
%seventeen: %u32 = constant 17
%same = type_array %u32, %seventeen
%p = type_pointer Private, %t
%q = type_pointer Private, %same
%x: %p = variable Private
%y: %q = variable Private
",
        &[(0, 8)],
    );
    assert_eq!((printed.matches("type_array").count(), printed.matches("type_pointer").count()), (1, 1), "{printed}");
}

#[test]
fn parts_of_composites_are_computed() {
    let printed = specialized(
        "
%a: %u32 = spec_constant 4 {decorate SpecId 0}
%b: %v3 = spec_constant_composite %one, %a, %two
%c: %u32 = spec_constant_op 81, %b, 1
%d: %v3 = spec_constant_op 82, %c, %b, 0
",
        &[(0, 6)],
    );
    assert!(printed.contains("constant_composite %one, %"), "{printed}");
    assert_eq!(printed.matches("constant_composite").count(), 2, "{printed}");
}

#[test]
fn an_operation_without_a_value_is_refused_by_name() {
    let mut module = parsed(
        "
%a: %u32 = spec_constant 4 {decorate SpecId 0}
%b: %u32 = spec_constant_op 134, %one, %a
",
    );
    let error = specialize(&mut module, &[(0, 0)], Others::Defaults).expect_err("it is refused");
    assert_eq!(error.what, "a spec_constant_op u_div whose value is not known");
}

#[test]
fn work_group_sizes_are_written_into_local_size() {
    let body = "
entry_point GLCompute, %f, \"f\"
entry_point GLCompute, %g, \"g\"
execution_mode %f, LocalSize, 1, 1, 1
%a: %u32 = spec_constant 4 {decorate SpecId 0}
%b: %v3 = spec_constant_composite %a, %two, %one {decorate BuiltIn 25}
%fn = type_function %void
func %f: %void () type %fn control 0 stage graph {
block ^a:
  return
}
func %g: %void () type %fn control 0 stage graph {
block ^b:
  return
}
";
    let printed = specialized(body, &[(0, 64)]);
    hold(&printed, &["execution_mode %f, LocalSize, 64, 2, 1", "execution_mode %g, LocalSize, 64, 2, 1"]);
    assert!(!printed.contains("BuiltIn"), "{printed}");
    let printed = specialized(&body.replace("spec_constant_composite %a, ", "constant_composite %two, "), &[]);
    hold(&printed, &["execution_mode %f, LocalSize, 2, 2, 1"]);
    assert!(!printed.contains("BuiltIn"), "{printed}");
}

#[test]
fn sizes_by_id_become_literals() {
    let printed = specialized(
        "
entry_point GLCompute, %f, \"f\"
%a: %u32 = spec_constant 4 {decorate SpecId 0}
execution_mode_id %f, LocalSizeId, %a, %two, %one
%fn = type_function %void
func %f: %void () type %fn control 0 stage graph {
block ^a:
  return
}
",
        &[],
    );
    hold(&printed, &["execution_mode %f, LocalSize, 4, 2, 1"]);
    assert!(!printed.contains("LocalSizeId"), "{printed}");
}

#[test]
fn others_stay_open() {
    let body = "
%a: %u32 = spec_constant 4 {decorate SpecId 0}
%b: %u32 = spec_constant 5 {decorate SpecId 1}
%c: %u32 = spec_constant_op 128, %a, %two
%d: %u32 = spec_constant_op 128, %c, %b
";
    let mut module = parsed(body);
    specialize(&mut module, &[(0, 7)], Others::Open).expect("all of it has values");
    let printed = text::print(&module);
    assert_eq!(verify(&module), [], "{printed}");
    assert_eq!(printed.matches("spec_constant").count(), 2, "{printed}");
    assert!(printed.contains("SpecId 1") && !printed.contains("SpecId 0"), "{printed}");
    assert!(printed.contains("constant 9"), "{printed}");
}
