//! Built-in functions of OpenCL C beside their definitions: a part of the kernels on the interpreter; `cargo xtask hunt builtins` compares
//! all, on every engine.

use reconverge_testing::builtins::{Engine, Scope, compare_builtins};

#[test]
fn functions_return_what_their_definitions_say() {
    let report = compare_builtins(Scope::OneOf(40), &[Engine::Interpreter]).expect("clang is installed");
    assert!(report.compared > 10_000, "{}", report.compared);
    assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
}
