//! A module with many requests for one generic.

use std::fmt::Write as _;

/// Types `%t0`, `%t1` …, a generic of `size` instructions in its body, and a function that requests it for each type.
pub(crate) fn many(requests: usize, size: usize) -> String {
    let mut text = "%type = type_kind\n%void = type_void\n%f32 = type_float 32\n".to_owned();
    text += "generic %g {\n%T: %type = generic_parameter\n%p = type_pointer Function, %T\n";
    text += "func %body: %f32 (%x: %p, %y: %f32) stage generic {\nblock ^entry:\n%v0: %f32 = f_add %y, %y\n";
    for index in 1..size - 6 {
        writeln!(text, "%v{index}: %f32 = f_mul %v{}, %y", index - 1).expect("a string takes everything");
    }
    writeln!(text, "return_value %v{}\n}}\nreturn_value %body\n}}", size - 7).expect("a string takes everything");
    for index in 0..requests {
        writeln!(text, "%t{index} = type_struct %f32\n%p{index} = type_pointer Function, %t{index}")
            .expect("a string takes everything");
        writeln!(text, "%r{index} = specialize %g, %t{index}").expect("a string takes everything");
    }
    text += "%zero: %f32 = constant f32(0.0)\nfunc %main: %void () stage generic {\nblock ^entry:\n";
    for index in 0..requests {
        writeln!(text, "%x{index}: %p{index} = variable Function").expect("a string takes everything");
    }
    for index in 0..requests {
        writeln!(text, "%c{index}: %f32 = function_call %r{index}, %x{index}, %zero")
            .expect("a string takes everything");
    }
    text += "return\n}\n";
    text
}
