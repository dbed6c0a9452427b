//! Rules of type-level code: each accepts a module and rejects it after a small change.

use reconverge_ir::text;
use reconverge_verify::{Code, verify};

use crate::common::show;

/// Two interfaces with an associated type and its witness; a generic in a generic, of values, tables and boxes; static and dynamic uses.
const MODULE: &str = include_str!("../../../tests/filetests/verify/generics/everything.ir");

/// A rule, a piece of the text, and what stands in its place where the rule is broken.
#[rustfmt::skip]
const CHANGES: &[(Code, &str, &str)] = &[
    (Code::I02, "%pair = type_struct %u32, %u32\n", "%pair = type_struct %u32, %u32\n%loose: %u32 = i_add %three, %three\n"),
    (Code::I02, "  %array = type_array %T, %N\n", "  %array = type_array %T, %N\n  %sum: %u32 = i_add %N, %N\n"),
    (Code::I02, "  %Number.double: %double_type = requirement\n", "  %Number.double: %double_type = requirement\n  %s = type_struct %Number.This\n"),
    (Code::G01, "  %Number.double: %double_type = requirement\n", "  %Number.double: %double_type = requirement\n  %More: %type = generic_parameter\n"),
    (Code::G01, "  %Number.This: %type = generic_parameter\n", "  %Number.This: %u32 = generic_parameter\n"),
    (Code::G01, "  %Number.double: %double_type = requirement\n", "  %Number.double: %u32 = requirement\n"),
    (Code::G01, "  %N: %u32 = generic_parameter\n", "  %N: %void = generic_parameter\n"),
    (Code::G02, "  return_value %fill.body\n", "  return_value %N\n"),
    (Code::G02, "  return_value %fill.body\n", ""),
    (Code::G02, "  return_value %fill.body\n", "  return_value %fill.body\n  %late = type_struct %T\n"),
    (Code::G03, "%box = type_struct %B", "%box = type_struct %B, %90"),
    (Code::G03, "  %doubled: %u32 = function_call %pair.doubled, %p", "  %of_fill: %90 = undef\n  %doubled: %u32 = function_call %pair.doubled, %p"),
    (Code::G03, "%pair = type_struct %u32, %u32\n", "%pair = type_struct %u32, %90\n"),
    (Code::G04, "= specialize %fill, %u32, %three", "= specialize %fill, %u32"),
    (Code::G04, "= specialize %fill, %u32, %three", "= specialize %fill, %three, %u32"),
    (Code::G04, "= specialize %fill, %u32, %three", "= specialize %fill, %u32, %half"),
    (Code::G04, "= specialize %fill, %u32, %three", "= specialize %pair, %u32, %three"),
    (Code::G04, "= specialize %first_doubled, %pair, %pair.List", "= specialize %first_doubled, %pair, %u32.Number"),
    (Code::G04, "= specialize %first_doubled, %pair, %pair.List", "= specialize %first_doubled, %u32, %pair.List"),
    (Code::G04, "= specialize %first_doubled, %pair, %pair.List", "= specialize %first_doubled, %pair, %pair"),
    (Code::G05, "witness_table %Number.double, %u32.double", "witness_table"),
    (Code::G05, "witness_table %Number.double, %u32.double", "witness_table %Number.double"),
    (Code::G05, "witness_table %Number.double, %u32.double", "witness_table %Number.double, %u32.double, %Number.double, %u32.double"),
    (Code::G05, "witness_table %Number.double, %u32.double", "witness_table %List.first, %u32.double"),
    (Code::G05, "witness_table %Number.double, %u32.double", "witness_table %Number.double, %u32"),
    (Code::G05, "witness_table %Number.double, %u32.double", "witness_table %Number.double, %pair.first"),
    (Code::G05, "%List.Item, %u32, %List.numbers", "%List.Item, %f32, %List.numbers"),
    (Code::G05, "%u32.Number: %u32_is_Number = witness_table", "%u32.Number: %u32 = witness_table"),
    (Code::G06, "%double = lookup_witness %numbers, %Number.double", "%double = lookup_witness %numbers, %List.first"),
    (Code::G06, "%double = lookup_witness %numbers, %Number.double", "%double = lookup_witness %L, %Number.double"),
    (Code::G06, "%double = lookup_witness %numbers, %Number.double", "%double = lookup_witness %numbers, %L"),
    (Code::G07, "= make_existential %x, %u32.Number", "= make_existential %p, %u32.Number"),
    (Code::G07, "= make_existential %x, %u32.Number", "= make_existential %p, %pair.List"),
    (Code::G07, "= make_existential %x, %u32.Number", "= make_existential %x, %x"),
    (Code::G07, "  %result: %u32 = function_call %dynamic, %any\n", "  %result: %u32 = function_call %dynamic, %any\n  %odd = extract_type %p\n"),
    (Code::G07, "%T_is_Number = type_witness %T.opened, %Number", "%T_is_Number = type_witness %T.opened, %List"),
    (Code::G07, "%value: %T.opened = extract_value %any", "%value: %u32 = extract_value %any"),
    (Code::G07, "%any_number = type_existential %Number", "%any_number = type_existential %u32"),
    (Code::G08, "func %dynamic: %u32 (%any: %any_number) stage generic", "func %dynamic: %u32 (%any: %any_number)"),
    (Code::G08, "func %fill.body: %u32 (%x: %T) stage generic", "func %fill.body: %u32 (%x: %T)"),
    (Code::I04, "  func %fill.body: %u32 (%x: %T)", "  func %fill.body: %u32 (%x: %N)"),
    (Code::I06, "func %pair.first: %u32 (%p: %pair) {", "func %pair.first: %f32 (%p: %pair) type %first_of_pair control 0 {"),
    (Code::I07, "%y: %Item = function_call %double, %first_item", "%y: %Item = function_call %double, %l"),
    (Code::I07, "%y: %Item = function_call %double, %first_item", "%y: %L = function_call %double, %first_item"),
    (Code::I07, "%doubled: %u32 = function_call %pair.doubled, %p", "%doubled: %u32 = function_call %pair.doubled, %x"),
    (Code::I07, "%doubled: %u32 = function_call %pair.doubled, %p", "%doubled: %u32 = function_call %u32.Number, %p"),
    (Code::I07, "%twice: %T.opened = function_call %double_it, %value", "%twice: %T.opened = function_call %double_it, %any"),
    // The ordinary rules hold in functions of generics.
    (Code::T01, "    %n: %u32 = i_add %N, %N\n", "    %n: %u32 = i_add %N, %x\n"),
    (Code::T01, "    %m: %u32 = i_add %n, %N\n", "    %m: %T = i_add %x, %x\n"),
    (Code::T12, "  %array = type_array %T, %N\n", "  %array = type_array %T, %T\n"),
    (Code::R2, "    return_value %n\n", ""),
    (Code::R4, "    %n: %u32 = i_add %N, %N\n    %m: %u32 = i_add %n, %N\n", "    %m: %u32 = i_add %n, %N\n    %n: %u32 = i_add %N, %N\n"),
    (Code::R7, "    %a: %pointer = variable Function\n    %n: %u32 = i_add %N, %N\n", "    %n: %u32 = i_add %N, %N\n    %a: %pointer = variable Function\n"),
    (Code::R10, "    return_value %y\n  }\n  return_value %first_doubled.body", "    return_value %l\n  }\n  return_value %first_doubled.body"),
];

#[test]
fn the_module_is_valid() {
    let findings = verify(&text::parse(MODULE).unwrap());
    assert!(findings.is_empty(), "{}", show(&findings));
}

#[test]
fn each_rule_of_type_level_code_fires() {
    let mut wrong = String::new();
    for (code, old, new) in CHANGES {
        assert_eq!(MODULE.matches(old).count(), 1, "{old}");
        let changed = MODULE.replace(old, new);
        let module = match text::parse(&changed) {
            Ok(module) => module,
            Err(error) => {
                wrong += &format!("{old} ⇒ {new}: {error}\n");
                continue;
            }
        };
        let findings = verify(&module);
        if !findings.iter().any(|finding| finding.code == *code) {
            wrong += &format!("{code}: {old} ⇒ {new}\n{}\n", show(&findings));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_code_of_type_level_code_is_among_the_changes() {
    let all = Code::ALL.iter().filter(|code| code.name().starts_with('G'));
    let missing: Vec<_> = all.filter(|code| !CHANGES.iter().any(|(fired, ..)| fired == *code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
