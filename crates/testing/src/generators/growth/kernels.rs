//! Families of kernels.

use std::fmt::Write as _;

const HEAD: &str = "capability Kernel
capability Addresses
capability Int8
capability Int16
capability Int64
capability Vector16
memory_model Physical64, OpenCL
";

const TYPES: &str = "%void = type_void
%bool = type_bool
%u8 = type_int 8, 0
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%v3u64 = type_vector %u64, 3
%v16u32 = type_vector %u32, 16
%zero: %u32 = constant 0
%one: %u32 = constant 1
%three: %u32 = constant 3
%four: %u32 = constant 4
%long_one: %u64 = constant words(1, 0)
%long_three: %u64 = constant words(3, 7)
%words = type_array %u32, %four
%input = type_pointer Input, %v3u64
%id: %input = variable Input {decorate BuiltIn 28, decorate Constant}
%buffer = type_pointer CrossWorkgroup, %u32
%bytes = type_pointer CrossWorkgroup, %u8
%shorts = type_pointer CrossWorkgroup, %u16
%longs = type_pointer CrossWorkgroup, %u64
%vectors = type_pointer CrossWorkgroup, %v16u32
%private = type_pointer Function, %words
%private_word = type_pointer Function, %u32
%private_long = type_pointer Function, %u64
%local = type_pointer Workgroup, %words
%local_word = type_pointer Workgroup, %u32
%constant = type_pointer UniformConstant, %words
%constant_word = type_pointer UniformConstant, %u32
";

/// One kernel over a buffer, with declarations and a body.
fn one(declarations: &str, parameter: &str, body: &str) -> String {
    format!(
        "{HEAD}entry_point Kernel, %k, \"k\", %id\n{TYPES}{declarations}\
         func %k: %void (%out: {parameter}, %n: %u32) {{\nblock ^entry:\n{body}  return\n}}\n"
    )
}

/// Kernels, each with its own constant and a variable that may be read before it is written.
pub(super) fn many_kernels(size: usize) -> String {
    let (mut text, mut declarations, mut kernels) = (HEAD.to_owned(), String::new(), String::new());
    for n in 0..size {
        _ = writeln!(text, "entry_point Kernel, %k{n}, \"k{n}\", %id");
        _ = writeln!(declarations, "%own{n}: %u32 = constant {}", 1_000 + n);
        _ = write!(
            kernels,
            "func %k{n}: %void (%out{n}: %buffer, %n{n}: %u32) {{
block ^entry{n}:
  %v{n}: %private_word = variable Function
  %ids{n}: %v3u64 = load %id, 2, 32
  %i{n}: %u64 = composite_extract %ids{n}, 0
  %p{n}: %buffer = in_bounds_ptr_access_chain %out{n}, %i{n}
  %c{n}: %bool = u_less_than %n{n}, %own{n}
  branch_if %c{n} ^then{n} ^else{n}
edge ^else{n}:
  branch ^join{n}
block ^then{n}:
  store %v{n}, %own{n}, 2, 4
  branch ^join{n}
block ^join{n}:
  %x{n}: %u32 = load %v{n}, 2, 4
  store %p{n}, %x{n}, 2, 4
  return
}}
"
        );
    }
    text + TYPES + &declarations + &kernels
}

/// Independent private arrays.
pub(super) fn variables(size: usize) -> String {
    let mut body = String::new();
    for n in 0..size {
        _ = writeln!(body, "  %v{n}: %private = variable Function");
    }
    for n in 0..size {
        _ = write!(
            body,
            "  %p{n}: %private_word = in_bounds_access_chain %v{n}, %three
  store %p{n}, %n, 2, 4
  %l{n}: %u32 = load %p{n}, 2, 4
  store %out, %l{n}, 2, 4
"
        );
    }
    one("", "%buffer", &body)
}

/// Private arrays, and pointers to one of two neighbours.
pub(super) fn variables_behind_pointers(size: usize) -> String {
    let mut body = String::new();
    for n in 0..=size {
        _ = writeln!(body, "  %v{n}: %private = variable Function");
    }
    body += "  %c: %bool = u_less_than %n, %three\n";
    for n in 0..=size {
        _ = writeln!(body, "  %p{n}: %private_word = in_bounds_access_chain %v{n}, %three");
    }
    for n in 0..size {
        _ = write!(
            body,
            "  %q{n}: %private_word = select %c, %p{n}, %p{}
  store %q{n}, %n, 2, 4
  %l{n}: %u32 = load %q{n}, 2, 4
  store %out, %l{n}, 2, 4
",
            n + 1
        );
    }
    one("", "%buffer", &body)
}

/// Constant tables of the module, read at an index.
pub(super) fn constants(size: usize) -> String {
    let (mut declarations, mut body) = (String::new(), String::from("  %i: %u32 = bitwise_and %n, %three\n"));
    for n in 0..size {
        _ = write!(
            declarations,
            "%own{n}: %u32 = constant {}
%all{n}: %words = constant_composite %own{n}, %own{n}, %one, %three
%t{n}: %constant = variable UniformConstant, %all{n} {{decorate Constant}}
",
            1_000 + n
        );
        _ = write!(
            body,
            "  %p{n}: %constant_word = in_bounds_access_chain %t{n}, %i
  %l{n}: %u32 = load %p{n}, 2, 4
  store %out, %l{n}, 2, 4
"
        );
    }
    one(&declarations, "%buffer", &body)
}

/// Arrays in local memory.
pub(super) fn local_arrays(size: usize) -> String {
    let (mut declarations, mut body) = (String::new(), String::from("  %i: %u32 = bitwise_and %n, %three\n"));
    for n in 0..size {
        _ = writeln!(declarations, "%t{n}: %local = variable Workgroup");
        _ = write!(
            body,
            "  %p{n}: %local_word = in_bounds_access_chain %t{n}, %i
  store %p{n}, %n, 2, 4
  %l{n}: %u32 = load %p{n}, 2, 4
  store %out, %l{n}, 2, 4
"
        );
    }
    one(&declarations, "%buffer", &body)
}

/// 64-bit arithmetic, each value computed from the one before.
pub(super) fn long_integers(size: usize) -> String {
    let mut body = String::from("  %x: %u64 = load %out, 2, 8\n");
    let (mut last, mut declarations) = (String::from("%x"), String::new());
    for n in 0..size {
        let op = ["i_add", "i_mul", "u_div", "shift_left_logical", "bitwise_xor", "i_sub"][n % 6];
        _ = writeln!(declarations, "%own{n}: %u64 = constant words({}, {n})", 1_000 + n);
        _ = writeln!(body, "  %y{n}: %u64 = {op} {last}, %own{n}");
        last = format!("%y{n}");
        if n % 8 == 7 {
            _ = write!(
                body,
                "  %c{n}: %bool = u_less_than {last}, %long_three
  branch_if %c{n} ^then{n} ^else{n}
edge ^else{n}:
  branch ^join{n}({last})
block ^then{n}:
  %w{n}: %u64 = i_add {last}, %long_one
  store %out, %w{n}, 2, 8
  branch ^join{n}(%w{n})
block ^join{n}(%z{n}: %u64):
"
            );
            last = format!("%z{n}");
        }
    }
    _ = writeln!(body, "  store %out, {last}, 2, 8");
    one(&declarations, "%longs", &body)
}

/// 64-bit variables, each written on one of two paths and read after the join.
pub(super) fn values_at_a_join(size: usize) -> String {
    let mut body = String::new();
    (0..size).for_each(|n| _ = writeln!(body, "  %v{n}: %private_long = variable Function"));
    body += "  %x: %u64 = load %out, 2, 8\n  %c: %bool = u_less_than %n, %three\n";
    body += "  branch_if %c ^then ^else\nblock ^then:\n";
    (0..size).for_each(|n| _ = writeln!(body, "  store %v{n}, %x, 2, 8"));
    body += "  branch ^join\nblock ^else:\n";
    for n in 0..size {
        _ = writeln!(body, "  %w{n}: %u64 = load %out, 2, 8\n  store %v{n}, %w{n}, 2, 8");
    }
    body += "  branch ^join\nblock ^join:\n";
    (0..size).for_each(|n| _ = writeln!(body, "  %l{n}: %u64 = load %v{n}, 2, 8\n  store %out, %l{n}, 2, 8"));
    one("", "%longs", &body)
}

/// Arithmetic on vectors of sixteen, with shuffles, carries and joins.
pub(super) fn wide_vectors(size: usize) -> String {
    let mut body = String::from("  %x: %v16u32 = load %out, 2, 64\n");
    let mut last = String::from("%x");
    for n in 0..size {
        let next = format!("%y{n}");
        _ = match n % 4 {
            0 => writeln!(body, "  {next}: %v16u32 = i_add {last}, %x"),
            1 => writeln!(
                body,
                "  {next}: %v16u32 = vector_shuffle {last}, %x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16"
            ),
            2 => writeln!(
                body,
                "  %e{n}: %u32 = composite_extract {last}, 7\n  {next}: %v16u32 = composite_insert %e{n}, {last}, 3"
            ),
            _ => write!(
                body,
                "  %c{n}: %bool = u_less_than %n, %three
  branch_if %c{n} ^then{n} ^else{n}
edge ^else{n}:
  branch ^join{n}({last})
block ^then{n}:
  %w{n}: %v16u32 = i_mul {last}, %x
  branch ^join{n}(%w{n})
block ^join{n}({next}: %v16u32):
"
            ),
        };
        last = next;
    }
    _ = writeln!(body, "  store %out, {last}, 2, 64");
    one("", "%vectors", &body)
}

/// One private array with computed indices.
pub(super) fn dynamic_indices(size: usize) -> String {
    let mut body = String::from("  %v: %private = variable Function\n");
    for n in 0..size {
        _ = write!(
            body,
            "  %l{n}: %u32 = load %out, 2, 4
  %i{n}: %u32 = bitwise_and %l{n}, %three
  %p{n}: %private_word = in_bounds_access_chain %v, %i{n}
  %o{n}: %u32 = load %p{n}, 2, 4
  store %p{n}, %l{n}, 2, 4
  store %out, %o{n}, 2, 4
"
        );
    }
    one("", "%buffer", &body)
}

/// Pointers cast to narrower and wider ones.
pub(super) fn casts(size: usize) -> String {
    let mut body = String::new();
    let mut last = String::from("%out");
    for n in 0..size {
        let (ty, pointer, align) = [("u8", "bytes", 1), ("u16", "shorts", 2), ("u64", "longs", 8)][n % 3];
        _ = write!(
            body,
            "  %q{n}: %{pointer} = bitcast {last}
  %r{n}: %{pointer} = in_bounds_ptr_access_chain %q{n}, %n
  %l{n}: %{ty} = load %r{n}, 2, {align}
  store %q{n}, %l{n}, 2, {align}
  %s{n}: %buffer = bitcast %r{n}
  %p{n}: %buffer = in_bounds_ptr_access_chain %s{n}, %one
"
        );
        last = format!("%p{n}");
    }
    one("", "%buffer", &body)
}

/// Functions that the kernel calls, and one that they all call.
pub(super) fn calls(size: usize) -> String {
    let (mut functions, mut body) = (String::from(COMMON), String::new());
    let mut last = String::from("%n");
    for n in 0..size {
        _ = write!(
            functions,
            "func %f{n}: %u32 (%p{n}: %buffer, %a{n}: %u32) {{
block ^f{n}:
  %q{n}: %buffer = in_bounds_ptr_access_chain %p{n}, %one
  %b{n}: %u32 = function_call %common, %q{n}, %a{n}
  %d{n}: %u32 = i_add %b{n}, %one
  return_value %d{n}
}}
"
        );
        _ = writeln!(body, "  %r{n}: %u32 = function_call %f{n}, %out, {last}");
        last = format!("%r{n}");
    }
    _ = writeln!(body, "  store %out, {last}, 2, 4");
    one("", "%buffer", &body) + &functions
}

const COMMON: &str = "func %common: %u32 (%p: %buffer, %a: %u32) {
block ^common:
  %b: %u32 = i_add %a, %three
  store %p, %b, 2, 4
  return_value %b
}
";
