//! Programs that grow with one number, each a family on which some code motion algorithm is quadratic.
//!
//! | shape | what it strains |
//! |---|---|
//! | dependent chain | recursion along operands |
//! | chain of ifs | dominators one below the other, a value carried through |
//! | else-if ladder | the same, and joins as deep as the tests |
//! | nested ifs | the depth of the dominator tree, on the path up |
//! | loads on one state | paths from early to late, all of them long |
//! | loop nests | ten loops inside each other, rows of those: invariants of each level |
//! | alternating accesses | loads and stores of what may be one memory |
//!
//! Each family takes the approximate number of instructions and returns a module with one function at stage Graph.

use std::fmt::Write as _;

use reconverge_ir::{Module, text};

/// A family.
#[derive(Clone, Copy, Debug)]
pub struct MotionShape {
    /// Its name in tables and on the command line.
    pub name: &'static str,
    /// The text of the body for a number of instructions.
    body: fn(usize) -> String,
    /// The number of constants `%i0`, `%i1`, … that it needs.
    constants: fn(usize) -> usize,
}

/// All families.
pub const MOTION_SHAPES: &[MotionShape] = &[
    shape("dependent chain", dependent_chain),
    shape("chain of ifs", chain_of_ifs),
    shape("else-if ladder", else_if_ladder),
    shape("nested ifs", nested_ifs),
    MotionShape { name: "loads on one state", body: loads_on_one_state, constants: |size| size / 10 },
    shape("loop nests", loop_nests),
    shape("alternating accesses", alternating_accesses),
];

const fn shape(name: &'static str, body: fn(usize) -> String) -> MotionShape {
    MotionShape { name, body, constants: |_| 0 }
}

/// The nesting depth of loops.
const NEST: usize = 10;

impl MotionShape {
    /// The module of the family with about that many instructions.
    ///
    /// # Panics
    /// The text of the family cannot be read.
    pub fn module(&self, instructions: usize) -> Module {
        let mut text = String::from(HEAD);
        for number in 0..(self.constants)(instructions) {
            _ = writeln!(text, "%i{number}: %u32 = constant {number}");
        }
        let body = (self.body)(instructions);
        _ = write!(
            text,
            "func %f: %u32 (%a: %u32, %b: %u32, %p: %pointer, %q: %pointer) {{\nblock ^entry:\n{body}}}\n"
        );
        text::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

const HEAD: &str = "%u32 = type_int 32, 0
%bool = type_bool
%zero: %u32 = constant 0
%one: %u32 = constant 1
%cells = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %cells {decorate Block, member_decorate 0 Offset 0}
%pointer = type_pointer StorageBuffer, %u32
%block_pointer = type_pointer StorageBuffer, %block
%buffer: %block_pointer = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 0}
";

/// Each value depends on the one before.
fn dependent_chain(size: usize) -> String {
    let mut text = String::new();
    let mut last = String::from("%a");
    for number in 0..size {
        let op = ["i_add", "i_mul", "bitwise_xor"][number % 3];
        _ = writeln!(text, "  %v{number}: %u32 = {op} {last}, %b");
        last = format!("%v{number}");
    }
    text + &format!("  return_value {last}\n")
}

/// ```text
/// if (v < a) v = v * b;   again and again
/// ```
fn chain_of_ifs(size: usize) -> String {
    let mut text = String::new();
    let mut last = String::from("%a");
    for number in 0..size / 7 {
        _ = write!(
            text,
            "  %c{number}: %bool = u_less_than {last}, %b
  branch_if %c{number} ^then{number} ^else{number}
block ^then{number}:
  %w{number}: %u32 = i_mul {last}, %b
  branch ^join{number}(%w{number})
edge ^else{number}:
  branch ^join{number}({last})
block ^join{number}(%v{number}: %u32):
"
        );
        last = format!("%v{number}");
    }
    text + &format!("  return_value {last}\n")
}

/// ```text
/// if (c0) v0 else if (c1) v1 else …, and as many joins, each within the next
/// ```
fn else_if_ladder(size: usize) -> String {
    let (mut text, steps) = (String::new(), size / 8);
    for number in 0..steps {
        _ = write!(
            text,
            "  %k{number}: %u32 = i_add %a, {}
  %c{number}: %bool = u_less_than %k{number}, %b
  branch_if %c{number} ^then{number} ^else{number}
block ^then{number}:
  %w{number}: %u32 = i_mul %k{number}, %b
  branch ^join{number}(%w{number})
block ^else{number}:
",
            previous("k", number)
        );
    }
    text + &joins(steps)
}

/// ```text
/// k = k + a; if (k < b) { k = k + a; if (k < b) { … } }
/// ```
fn nested_ifs(size: usize) -> String {
    let (mut text, steps) = (String::new(), size / 8);
    for number in 0..steps {
        _ = write!(
            text,
            "  %k{number}: %u32 = i_add %a, {}
  %x{number}: %u32 = i_mul %k{number}, %a
  %c{number}: %bool = u_less_than %k{number}, %b
  branch_if %c{number} ^then{number} ^else{number}
edge ^else{number}:
  branch ^join{number}(%x{number})
block ^then{number}:
",
            previous("k", number)
        );
    }
    text + &joins(steps)
}

/// A number of ifs, then the same number of loads; every load may be in any block.
fn loads_on_one_state(size: usize) -> String {
    let steps = size / 10;
    let mut text = chain_of_ifs(steps * 7);
    let end = text.rfind("  return_value").expect("the chain returns");
    let mut last = text[end..].split_whitespace().nth(1).expect("it returns a value").to_owned();
    text.truncate(end);
    for number in 0..steps {
        _ = write!(
            text,
            "  %at{number}: %pointer = access_chain %buffer, %zero, %i{number}
  %l{number}: %u32 = load %at{number}
  %s{number}: %u32 = i_add {last}, %l{number}
"
        );
        last = format!("%s{number}");
    }
    text + &format!("  return_value {last}\n")
}

/// Nested loops, each with a value that changes only in the next outer one.
fn loop_nests(size: usize) -> String {
    let mut text = String::new();
    let mut last = String::from("%a");
    for row in 0..size / (NEST * 11) {
        let mut outer = last.clone();
        for level in 0..NEST {
            let n = format!("{row}_{level}");
            _ = write!(
                text,
                "  branch ^head{n}(%zero, {outer})
block ^head{n}(%i{n}: %u32, %s{n}: %u32):
  %m{n}: %bool = u_less_than %i{n}, %b
  branch_if %m{n} ^body{n} ^done{n}
block ^body{n}:
  %x{n}: %u32 = i_mul {outer}, %b
  %y{n}: %u32 = i_add %x{n}, %i{n}
"
            );
            outer = format!("%y{n}");
        }
        let mut inner = outer;
        for level in (0..NEST).rev() {
            let n = format!("{row}_{level}");
            _ = write!(
                text,
                "  %t{n}: %u32 = i_add %s{n}, {inner}
  %j{n}: %u32 = i_add %i{n}, %one
  branch ^head{n}(%j{n}, %t{n})
block ^done{n}:
"
            );
            inner = format!("%s{n}");
        }
        last = inner;
    }
    text + &format!("  return_value {last}\n")
}

/// `x = *p; *q = x + y`, where `p` and `q` may be equal, and are sometimes exchanged.
fn alternating_accesses(size: usize) -> String {
    let mut text = String::new();
    let mut last = String::from("%a");
    let (mut from, mut to) = ("%p", "%q");
    for number in 0..size / 3 {
        _ = write!(
            text,
            "  %x{number}: %u32 = load {from}
  %y{number}: %u32 = i_add %x{number}, {last}
  store {to}, %y{number}
"
        );
        last = format!("%y{number}");
        if number % 16 == 15 {
            (from, to) = (to, from);
        }
    }
    text + &format!("  return_value {last}\n")
}

/// The text of a compute shader without structure, with this number of consecutive if/else on a variable: about 13 instructions each,
/// without names.
pub fn if_else_program(count: usize) -> String {
    let mut text = String::from(SHADER_HEAD);
    let [constant, label] = [100, 100 + count].map(|first| move |number: usize| first + number);
    (0..count).for_each(|number| _ = writeln!(text, "%{}: %3 = constant {}", constant(number), number * 37 + 1));
    _ = write!(
        text,
        "func %1: %2 () type %5 control 0 stage graph {{
block ^50:
  %51: %14 = variable Function
  %52: %6 = load %8
  %53: %3 = composite_extract %52, 0
  %54: %13 = access_chain %15, %9, %53
  %55: %3 = load %54
  store %51, %55
  branch ^{}
",
        label(0)
    );
    for number in 0..count {
        let [then, other, v] = [1, 2, 3].map(|part| label(count) + 1 + number * 10 + part);
        _ = write!(
            text,
            "block ^{}:
  %{v}: %3 = load %51
  %{}: %4 = u_less_than %{v}, %{}
  branch_if %{} ^{then} ^{other}
block ^{then}:
  %{}: %3 = load %51
  %{}: %3 = i_mul %{}, %53
  store %51, %{}
  branch ^{next}
block ^{other}:
  %{}: %3 = load %51
  %{}: %3 = i_add %{}, %{}
  %{}: %3 = bitwise_xor %{}, %53
  store %51, %{}
  branch ^{next}
",
            label(number),
            v + 1,
            constant(number),
            v + 1,
            v + 2,
            v + 3,
            v + 2,
            v + 3,
            v + 4,
            v + 5,
            v + 4,
            constant(number),
            v + 6,
            v + 5,
            v + 6,
            next = label(number + 1),
        );
    }
    text + &format!("block ^{}:\n  %56: %3 = load %51\n  store %54, %56\n  return\n}}\n", label(count))
}

const SHADER_HEAD: &str = "capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %1, \"main\", %8
execution_mode %1, 17, 64, 1, 1
%2 = type_void
%3 = type_int 32, 0
%4 = type_bool
%5 = type_function %2
%6 = type_vector %3, 3
%7 = type_pointer Input, %6
%8: %7 = variable Input {decorate BuiltIn 28}
%9: %3 = constant 0
%10 = type_runtime_array %3 {decorate ArrayStride 4}
%11 = type_struct %10 {decorate Block, member_decorate 0 Offset 0}
%12 = type_pointer StorageBuffer, %11
%13 = type_pointer StorageBuffer, %3
%14 = type_pointer Function, %3
%15: %12 = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 0}
";

/// The joins of nested ifs, from the innermost one outwards.
fn joins(steps: usize) -> String {
    let (mut text, mut last) = (String::new(), String::from("%b"));
    for number in (0..steps).rev() {
        _ = write!(text, "  branch ^join{number}({last})\nblock ^join{number}(%v{number}: %u32):\n");
        last = format!("%v{number}");
    }
    text + &format!("  return_value {last}\n")
}

fn previous(name: &str, number: usize) -> String {
    number.checked_sub(1).map_or(String::from("%b"), |number| format!("%{name}{number}"))
}

#[cfg(test)]
mod tests {
    use reconverge_verify::verify;

    use super::*;

    #[test]
    fn the_program_of_ifs_is_valid_and_as_large_as_it_says() {
        let module = text::parse(&if_else_program(20)).unwrap();
        assert!(verify(&module).is_empty(), "{:?}", verify(&module));
        let count: usize =
            module.blocks(module.functions().next().unwrap()).map(|block| module.children(block).count()).sum();
        assert!((240..280).contains(&count), "{count}");
    }

    #[test]
    fn shapes_are_valid_and_about_as_large_as_asked_for() {
        for shape in MOTION_SHAPES {
            let name = shape.name;
            for size in [500, 3_000] {
                let module = shape.module(size);
                assert!(verify(&module).is_empty(), "{name}: {:?}", verify(&module));
                let function = module.functions().next().expect("there is one");
                let blocks = module.blocks(function);
                let count: usize = blocks.map(|block| module.children(block).count()).sum();
                assert!((size / 2..size * 3 / 2).contains(&count), "{name}: {count} instructions for {size}");
            }
        }
    }
}
