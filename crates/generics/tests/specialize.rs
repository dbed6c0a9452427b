//! Specialization: limits, errors, cost. The shapes of generics are filetests, in `tests/filetests/generics/`.

use reconverge_generics::{GenericsCode, Limits, specialize, specialize_within};
use reconverge_ir::{Module, Op, Stage, text};

use crate::many::many as many_requests;

fn module(text: &str) -> Module {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn many(requests: usize, size: usize) -> Module {
    module(&many_requests(requests, size))
}

#[test]
fn copies_have_what_was_copied() {
    let mut module = many(10, 200);
    let done = specialize(&mut module).unwrap();
    assert_eq!(done.requests, 10);
    assert_eq!(module.functions().count(), 11);
    assert!(module.functions().all(|function| module.stage(function) == Stage::Graph));
    assert!(module.descendants(module.root()).all(|inst| !module.op(inst).is_generic()));
    assert_eq!(reconverge_verify::verify(&module), []);
    let body = module.functions().nth(1).unwrap();
    assert!((195..=200).contains(&module.descendants(body).count()));
}

/// What is copied is in proportion to the requests. The machine instructions are counted by `cargo xtask instructions --compile`.
#[test]
fn copies_are_in_proportion_to_the_requests() {
    let copied = |requests| specialize(&mut many(requests, 200)).unwrap().instructions;
    let each = copied(1);
    assert!((195..=205).contains(&each), "{each}");
    assert_eq!([250, 2_000].map(copied), [250, 2_000].map(|requests| requests * each));
}

/// Type-level code of one generic: each of `length` types depends on the parameter and on the type before it.
fn tower(length: usize) -> String {
    let mut text = "%type = type_kind\n%void = type_void\n".to_owned();
    text += "generic %g {\n%T: %type = generic_parameter\n%t0 = type_function %T, %T\n";
    for index in 1..length {
        text += &format!("%t{index} = type_function %T, %t{}\n", index - 1);
    }
    text += &format!("return_value %t{}\n}}\n", length - 1);
    text += "%s = specialize %g, %void\n%p = type_pointer Function, %s\n%v: %p = variable Function\n";
    text
}

#[test]
fn long_type_level_code_is_read_and_copied_in_linear_time() {
    let mut module = module(&tower(100_000));
    assert_eq!(specialize(&mut module).unwrap().requests, 1);
    assert_eq!(module.descendants(module.root()).filter(|&inst| module.op(inst) == Op::TypeFunction).count(), 100_000);
}

/// `f<T>` calls `f<Box<T>>`.
const POLYMORPHIC: &str = "
    %type = type_kind
    %void = type_void
    %u32 = type_int 32, 0
    generic %Box {
      %T: %type = generic_parameter
      %box = type_struct %T
      return_value %box
    }
    generic %f {
      %U: %type = generic_parameter
      %next = specialize %Box, %U
      %f_next = specialize %f, %next
      func %body: %void () stage generic {
      block ^entry:
        %x: %void = function_call %f_next
        return
      }
      return_value %body
    }
    %start = specialize %f, %u32
    func %main: %void () stage generic {
    block ^entry:
      %y: %void = function_call %start
      return
    }";

#[test]
fn endless_requests_end_in_an_error_with_the_chain() {
    let error = specialize(&mut module(POLYMORPHIC)).unwrap_err();
    assert_eq!(error.code, GenericsCode::Limit);
    let text = &error.message;
    assert!(text.contains("… 505 more …"), "{text}");
    assert!(text.contains("512 in a chain"), "{text}");
    assert!(text.contains("requested by f(u32) → f(Box.u32) → f(Box.Box.u32)"), "{text}");
    let limits = Limits { depth: 3, ..Limits::default() };
    let error = specialize_within(&mut module(POLYMORPHIC), &limits).unwrap_err();
    assert_eq!(error.message.matches(" → ").count(), 3, "{error}");
}

#[test]
fn requests_and_copies_are_limited() {
    let limits = Limits { requests: 9, ..Limits::default() };
    assert_eq!(specialize_within(&mut many(10, 200), &limits).unwrap_err().code, GenericsCode::Limit);
    assert!(specialize_within(&mut many(9, 200), &limits).is_ok());
    let limits = Limits { instructions: 1_000, ..Limits::default() };
    assert_eq!(specialize_within(&mut many(10, 200), &limits).unwrap_err().code, GenericsCode::Limit);
}

#[test]
fn what_cannot_be_requested_is_an_error() {
    let with = |generics: &str| {
        module(&format!(
            "%type = type_kind\n%u32 = type_int 32, 0\n{generics}\n
            %p = type_pointer Private, %s\n%v: %p = variable Private"
        ))
    };
    let cases = [
        ("generic %g {\n}\n%s = specialize %g, %u32", GenericsCode::Open, "the generic g is declared here"),
        ("%s = specialize %u32, %u32", GenericsCode::Malformed, "u32, which is no generic"),
        (
            "generic %g {\n%T: %type = generic_parameter\nreturn_value %T\n}\n%s = specialize %g, %u32, %u32",
            GenericsCode::Malformed,
            "2 arguments for the generic g of 1 parameters",
        ),
        (
            "generic %g {\n%T: %type = generic_parameter\n%again = specialize %g, %T\nreturn_value %again\n}\n\
             %s = specialize %g, %u32",
            GenericsCode::Cycle,
            "is defined by itself",
        ),
        (
            "interface %I {\n%This: %type = generic_parameter\n%Item: %type = requirement\n}\n\
             %w = type_witness %u32, %I\n%table: %w = witness_table\n%s = lookup_witness %table, %Item",
            GenericsCode::Open,
            "the witness table table is declared here",
        ),
        (
            "interface %I {\n%This: %type = generic_parameter\n%Item: %type = requirement\n%Other: %type = requirement\n}\n\
             %w = type_witness %u32, %I\n%table: %w = witness_table %Other, %u32\n%s = lookup_witness %table, %Item",
            GenericsCode::Malformed,
            "is not in the witness table",
        ),
    ];
    for (generics, kind, words) in cases {
        let error = specialize(&mut with(generics)).unwrap_err();
        assert_eq!(error.code, kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
