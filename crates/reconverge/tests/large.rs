//! Large functions in a thread with a small stack: nothing recurses over what is large.

use std::fmt::Write as _;
use std::thread;

use reconverge::{CompileOptions, Format, Level, compile};

const STACK_BYTES: usize = 1 << 20;

const FRAME: &str = "
capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\"
execution_mode %main, LocalSize, 1, 1, 1
%void = type_void
%bool = type_bool
%true: %bool = constant_true
%fn = type_function %void
func %main: %void () type %fn control 0 stage graph {
";

/// Text to SPIR-V and, read again, to SPIR-V once more: the second time everything is structured already.
fn compiles_on_a_small_stack(text: String) {
    let work = move || {
        let options = CompileOptions::new().level(Level::None);
        let first = compile(text.as_bytes(), Format::TEXT, Format::SPIRV, &options).expect("the module is fine");
        assert_eq!(first.run.structurized.len(), 1);
        let second = compile(&first.bytes, Format::SPIRV, Format::SPIRV, &options).expect("the output is an input");
        assert!(second.run.structurized.is_empty());
        assert_eq!(second.bytes, first.bytes);
    };
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(work).expect("a thread");
    thread.join().expect("no overflow and no panic");
}

#[test]
fn fifty_thousand_diamonds() {
    const COUNT: usize = 50_000;
    let mut text = FRAME.to_owned();
    text.push_str("block ^start:\n  branch ^head0\n");
    for index in 0..COUNT {
        let _ = write!(
            text,
            "block ^head{index}:\n  branch_if %true ^left{index} ^right{index}\nblock ^left{index}:\n  branch ^head{next}\n\
             block ^right{index}:\n  branch ^head{next}\n",
            next = index + 1
        );
    }
    let _ = write!(text, "block ^head{COUNT}:\n  return\n}}\n");
    compiles_on_a_small_stack(text);
}

#[test]
fn a_ladder_of_twenty_thousand_rungs() {
    const COUNT: usize = 20_000;
    let mut text = FRAME.to_owned();
    text.push_str("block ^start:\n  branch ^rung0\n");
    for index in 0..COUNT {
        let _ = write!(
            text,
            "block ^rung{index}:\n  branch_if %true ^way{index} ^rung{next}\nblock ^way{index}:\n  branch ^end\n",
            next = index + 1
        );
    }
    let _ = write!(text, "block ^rung{COUNT}:\n  branch ^end\nblock ^end:\n  return\n}}\n");
    compiles_on_a_small_stack(text);
}
