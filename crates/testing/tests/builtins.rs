//! Built-in functions of OpenCL C beside their definitions: a part of the kernels on every engine; `cargo xtask hunt builtins` compares all.

use reconverge_testing::builtins::{Engine, Scope, compare_builtins};

#[test]
fn functions_return_what_their_definitions_say() {
    let report = compare_builtins(Scope::OneOf { number: 160, first: 0 }, &Engine::ALL).expect("clang is installed");
    assert!(report.compared > 5_000, "{}", report.compared);
    assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
    assert!(report.refused.is_empty(), "{:?}", report.refused);
}
