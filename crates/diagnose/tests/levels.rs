//! How loud the checks are: only what breaks a rule of SPIR-V is an error unasked.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use reconverge_diagnose::{Code, Level, Options, Severity, check, codes_named};
use reconverge_ir::text::parse;

/// A function that calls itself, and perhaps an entry point that calls it.
fn recursion(entry: &str) -> String {
    format!(
        "capability Shader\nmemory_model Logical, GLSL450\n{entry}%void = type_void\n%fn = type_function %void\n
func %main: %void () type %fn control 0 stage graph {{\nblock ^entry:\n  %c: %void = function_call %again\n  return\n}}
func %again: %void () type %fn control 0 stage graph {{\nblock ^start:\n  %d: %void = function_call %again\n  return\n}}\n"
    )
}

const ENTRY: &str = "entry_point GLCompute, %main, \"main\"\nexecution_mode %main, LocalSize, 1, 1, 1\n";

fn severities(text: &str, options: &Options) -> Vec<Severity> {
    check(&parse(text).unwrap(), options).iter().map(|diagnosis| diagnosis.severity).collect()
}

#[test]
fn nothing_but_recursion_is_an_error_unasked() {
    for &code in Code::ALL {
        assert_eq!(code.level() == Level::Error, code == Code::F01, "{code}");
    }
}

#[test]
fn recursion_is_an_error_below_an_entry_point() {
    assert_eq!(severities(&recursion(ENTRY), &Options::default()), [Severity::Error]);
    assert_eq!(severities(&recursion(""), &Options::default()), [Severity::Warning]);
}

#[test]
fn a_level_that_is_asked_for_holds_everywhere() {
    let mut options = Options::default();
    options.set(Code::F01, Level::Error);
    assert_eq!(severities(&recursion(""), &options), [Severity::Error]);
    options.set(Code::F01, Level::Info);
    assert_eq!(severities(&recursion(ENTRY), &options), [Severity::Info]);
    options.set(Code::F01, Level::Off);
    assert_eq!(severities(&recursion(ENTRY), &options), []);
}

#[test]
fn denying_warnings_leaves_none() {
    let mut options = Options::default();
    options.set(Code::F03, Level::Info);
    options.deny_warnings();
    assert_eq!(severities(&recursion(""), &options), [Severity::Error]);
    for &code in Code::ALL {
        let expected = match code.level() {
            _ if code == Code::F03 => Level::Info,
            Level::Warning => Level::Error,
            level => level,
        };
        assert_eq!(options.level(code), expected, "{code}");
    }
}

#[test]
fn names_stand_for_codes() {
    assert_eq!(codes_named("w02").unwrap(), [Code::W02]);
    assert_eq!(codes_named("derivative_uniformity").unwrap(), [Code::W02]);
    assert_eq!(codes_named("subgroup_uniformity").unwrap(), [Code::W03, Code::W05]);
    assert_eq!(codes_named("wgsl").unwrap().len(), 9);
    let error = codes_named("warnings").unwrap_err();
    assert!(error.contains("F01, F02") && error.contains("subgroup_uniformity"), "{error}");
}
