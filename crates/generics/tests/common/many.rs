//! A module with many requests for one generic.

/// Types `%t0`, `%t1` …, a generic of `size` instructions in its body, and a function that requests it for each type.
pub(crate) fn many(requests: usize, size: usize) -> String {
    let mut text = "%type = type_kind\n%void = type_void\n%f32 = type_float 32\n".to_owned();
    text += "generic %g {\n%T: %type = generic_parameter\n%p = type_pointer Function, %T\n";
    text += "func %body: %f32 (%x: %p, %y: %f32) stage generic {\nblock ^entry:\n%v0: %f32 = f_add %y, %y\n";
    for index in 1..size - 6 {
        text += &format!("%v{index}: %f32 = f_mul %v{}, %y\n", index - 1);
    }
    text += &format!("return_value %v{}\n}}\nreturn_value %body\n}}\n", size - 7);
    for index in 0..requests {
        text += &format!("%t{index} = type_struct %f32\n%p{index} = type_pointer Function, %t{index}\n");
        text += &format!("%r{index} = specialize %g, %t{index}\n");
    }
    text += "%zero: %f32 = constant f32(0.0)\nfunc %main: %void () stage generic {\nblock ^entry:\n";
    for index in 0..requests {
        text += &format!("%x{index}: %p{index} = variable Function\n");
    }
    for index in 0..requests {
        text += &format!("%c{index}: %f32 = function_call %r{index}, %x{index}, %zero\n");
    }
    text += "return\n}\n";
    text
}
