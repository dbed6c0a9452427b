//! Families of shaders.

use std::fmt::Write as _;

const HEAD: &str = "capability Shader
memory_model Logical, GLSL450
";

const TYPES: &str = "%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%three: %u32 = constant 3
%v3u32 = type_vector %u32, 3
%input = type_pointer Input, %v3u32
%id: %input = variable Input {decorate BuiltIn 28}
%varying = type_pointer Input, %u32
%result = type_pointer Output, %u32
%cells = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %cells {decorate Block, member_decorate 0 Offset 0}
%block_pointer = type_pointer StorageBuffer, %block
%place = type_pointer StorageBuffer, %u32
%cell = type_pointer Function, %u32
%buffer: %block_pointer = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 0}
";

/// One compute shader with functions, declarations and a body, in which `%n` is a number.
fn one(functions: &str, body: &str) -> String {
    format!(
        "{HEAD}entry_point GLCompute, %main, \"main\", %id\nexecution_mode %main, LocalSize, 64, 1, 1\n{TYPES}\
         func %main: %void () {{\nblock ^entry:\n{body}  return\n}}\n{functions}"
    )
}

const NUMBER: &str = "  %ids: %v3u32 = load %id
  %n: %u32 = composite_extract %ids, 0
";

/// Entry points, each with its own constant and a variable that may be read before it is written.
pub(super) fn many_shaders(size: usize) -> String {
    let (mut text, mut modes) = (HEAD.to_owned(), String::new());
    let (mut declarations, mut functions) = (String::new(), String::new());
    for n in 0..size {
        _ = writeln!(text, "entry_point GLCompute, %main{n}, \"main{n}\", %id");
        _ = writeln!(modes, "execution_mode %main{n}, LocalSize, 64, 1, 1");
        _ = writeln!(declarations, "%own{n}: %u32 = constant {}", 1_000 + n);
        _ = write!(
            functions,
            "func %main{n}: %void () {{
block ^entry{n}:
  %v{n}: %cell = variable Function
  %ids{n}: %v3u32 = load %id
  %n{n}: %u32 = composite_extract %ids{n}, 0
  %c{n}: %bool = u_less_than %n{n}, %own{n}
  branch_if %c{n} ^then{n} ^else{n}
edge ^else{n}:
  branch ^join{n}
block ^then{n}:
  store %v{n}, %own{n}
  branch ^join{n}
block ^join{n}:
  %x{n}: %u32 = load %v{n}
  %p{n}: %place = access_chain %buffer, %zero, %n{n}
  store %p{n}, %x{n}
  return
}}
"
        );
    }
    text + &modes + TYPES + &declarations + &functions
}

/// Inputs of a fragment shader, each read once.
pub(super) fn inputs(size: usize) -> String {
    let (mut listed, mut declarations, mut body) = (String::new(), String::new(), String::new());
    let mut last = String::from("%zero");
    for n in 0..size {
        _ = write!(listed, ", %in{n}");
        _ = writeln!(declarations, "%in{n}: %varying = variable Input {{decorate Location {n}, decorate Flat}}");
        _ = write!(body, "  %l{n}: %u32 = load %in{n}\n  %s{n}: %u32 = i_add {last}, %l{n}\n");
        last = format!("%s{n}");
    }
    format!(
        "{HEAD}entry_point Fragment, %main, \"main\", %color{listed}\nexecution_mode %main, OriginUpperLeft\n{TYPES}\
         %color: %result = variable Output {{decorate Location 0}}\n{declarations}\
         func %main: %void () {{\nblock ^entry:\n{body}  store %color, {last}\n  return\n}}\n"
    )
}

/// Variables, each written on one of two paths and read after the join.
pub(super) fn variables(size: usize) -> String {
    let mut body = String::new();
    for n in 0..size {
        _ = writeln!(body, "  %v{n}: %cell = variable Function");
    }
    body += NUMBER;
    body += "  %c: %bool = u_less_than %n, %three\n  branch_if %c ^then ^else\nblock ^then:\n";
    (0..size).for_each(|n| _ = writeln!(body, "  store %v{n}, %n"));
    body += "  branch ^join\nblock ^else:\n";
    (0..size).for_each(|n| _ = writeln!(body, "  store %v{n}, %one"));
    body += "  branch ^join\nblock ^join:\n";
    for n in 0..size {
        _ = write!(body, "  %l{n}: %u32 = load %v{n}\n  %p{n}: %place = access_chain %buffer, %zero, %l{n}\n");
        _ = writeln!(body, "  store %p{n}, %n");
    }
    one("", &body)
}

/// Functions that the shader calls, and one that they all call.
pub(super) fn calls(size: usize) -> String {
    let (mut functions, mut body) = (String::from(COMMON), String::from(NUMBER));
    let mut last = String::from("%n");
    for n in 0..size {
        _ = write!(
            functions,
            "func %f{n}: %u32 (%a{n}: %u32) {{
block ^f{n}:
  %b{n}: %u32 = function_call %common, %a{n}
  %d{n}: %u32 = i_add %b{n}, %one
  return_value %d{n}
}}
"
        );
        _ = writeln!(body, "  %r{n}: %u32 = function_call %f{n}, {last}");
        last = format!("%r{n}");
    }
    _ = write!(body, "  %at: %place = access_chain %buffer, %zero, {last}\n  store %at, {last}\n");
    one(&functions, &body)
}

const COMMON: &str = "func %common: %u32 (%a: %u32) {
block ^common:
  %b: %u32 = i_add %a, %three
  %p: %place = access_chain %buffer, %zero, %b
  store %p, %b
  return_value %b
}
";
