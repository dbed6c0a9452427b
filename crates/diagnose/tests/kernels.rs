//! Kernels, which are functions without structure, of more barriers than anybody would write.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;

use reconverge_diagnose::{Code, Diagnosis, Options, check};
use reconverge_ir::text::parse;
use reconverge_verify::verify;

const HEAD: &str = "capability Kernel\ncapability Addresses\nmemory_model Physical32, OpenCL\n\
    entry_point Kernel, %k, \"k\", %lane\n%void = type_void\n%bool = type_bool\n%u32 = type_int 32, 0\n\
    %fn = type_function %void\n%input = type_pointer Input, %u32\n%lane: %input = variable Input {decorate BuiltIn 29}\n\
    %workgroup: %u32 = constant 2\n%semantics: %u32 = constant 272\n";

/// What is said of a kernel that goes through so many diamonds one after the other, each with a barrier in one arm.
fn said(count: usize) -> Vec<Diagnosis> {
    let mut text = format!("{HEAD}func %k: %void () type %fn control 0 stage graph {{\nblock ^entry:\n");
    text.push_str("  %g: %u32 = load %lane\n  %q: %bool = u_less_than %g, %workgroup\n  branch ^b0\n");
    for index in 0..count {
        let next = index + 1;
        write!(text, "block ^b{index}:\n  branch_if %q ^a{index} ^c{index}\n").unwrap();
        let barrier = "control_barrier %workgroup, %workgroup, %semantics";
        write!(text, "block ^a{index}:\n  {barrier}\n  branch ^b{next}\nblock ^c{index}:\n  branch ^b{next}\n")
            .unwrap();
    }
    write!(text, "block ^b{count}:\n  return\n}}\n").unwrap();
    let module = parse(&text).unwrap();
    let findings = verify(&module);
    assert!(findings.is_empty(), "{}", findings[0]);
    check(&module, &Options::default())
}

#[test]
fn every_divergent_barrier_is_reported() {
    for count in [64, 65, 70, 5_000] {
        let found = said(count);
        assert_eq!(found.len(), count);
        assert!(found.iter().all(|diagnosis| diagnosis.code == Code::W01));
    }
}
