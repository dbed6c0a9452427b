//! Programs of csmith as kernels. Their global variables become a struct that every work-item has for itself and every function takes; to
//! make work-items diverge, each mixes its number into the integers there.
//!
//! ```text
//! static int g_5 = 1;         struct Globals { int g_5; };
//! static int func_1(int a)    #define g_5 globals->g_5
//! { return g_5 + func_2(); }  static int func_1(struct Globals *globals, int a) { return g_5 + func_2(globals); }
//! ```

use std::fmt::Write;
use std::process::Command;

use super::case::Source;
use xtask_setup::workspace;

/// The generator.
pub(super) const CSMITH: &str = "csmith";

/// The text before a program.
pub(super) const PREAMBLE: &str = include_str!("csmith.cl");

/// Options that exclude features that OpenCL C or clang for SPIR-V lacks; and small programs.
const OPTIONS: [&str; 17] = [
    "--concise",
    "--no-argc",
    "--no-packed-struct",
    "--no-bitfields",
    "--no-volatiles",
    "--no-volatile-pointers",
    "--no-hash-value-printf",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-len-per-dim",
    "5",
];

/// The first parameter of the functions.
const PARAMETER: &str = "struct Globals *globals";

/// The program of a seed; one in five has unions.
pub(super) fn source(seed: usize) -> Result<Source, String> {
    let unions = if seed % 5 == 4 { "--unions" } else { "--no-unions" };
    let mut command = Command::new(CSMITH);
    // It leaves a file about the machine where it runs.
    command.current_dir(std::env::temp_dir()).args(["--seed", &seed.to_string(), unions]).args(OPTIONS);
    let program = workspace::output(&mut command)?;
    Ok(Source { number: seed, text: kernel(&program.replace("LL", "L"), seed), local: [8, 1], groups: 1 })
}

/// A global variable.
struct Global<'a> {
    declaration: &'a str,
    name: &'a str,
    start: &'a str,
}

impl Global<'_> {
    /// Returns whether it is an integer that may change.
    fn is_mixed(&self) -> bool {
        let is_integer = self.declaration.starts_with("int") || self.declaration.starts_with("uint");
        is_integer && !self.declaration.contains(['*', '['])
    }
}

fn kernel(program: &str, number: usize) -> String {
    let is_kept = |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#');
    let lines: Vec<&str> = program.lines().filter(is_kept).collect();
    let globals: Vec<Global<'_>> = lines.iter().filter_map(|line| global(line)).collect();
    let is_global = |line: &&str| global(line).is_some();
    let is_function = |line: &&&str| line.starts_with("static ") && !is_global(line) && line.contains("func_");
    let first = lines.iter().position(|line| is_function(&line)).unwrap_or(lines.len());
    let mut text = String::new();
    lines[..first].iter().filter(|line| !is_global(line)).for_each(|line| {
        let _ = writeln!(text, "{line}");
    });
    let _ = writeln!(text, "struct Globals {{\nulong lane;");
    globals.iter().for_each(|global| {
        let _ = writeln!(text, "{};", global.declaration);
    });
    let _ = writeln!(text, "}};");
    globals.iter().for_each(|global| {
        let _ = writeln!(text, "#define {0} globals->{0}", global.name);
    });
    for line in &lines[first..] {
        let own = if is_function(&line) { PARAMETER } else { "globals" };
        let _ = writeln!(text, "{}", with_globals(line, own));
    }
    let starts: String = globals.iter().map(|global| format!(", {}", global.start)).collect();
    let mixed = globals.iter().filter(|global| global.is_mixed());
    let mixed: String = mixed.map(|global| format!("  {} ^= lane;\n", global.name)).collect();
    let _ = writeln!(
        text,
        "#define globals (&own)\n__kernel void k{number}(__global uint *out, __global const uint *in, __global uint *shared, __global uint \
         *sums, uint n, ulong m, __local ulong *dynamic) {{\n  uint lane = get_global_id(0);\n  struct Globals own = {{ lane{starts} }};\n\
         {mixed}  ulong checksum = 1;\n  program(&own, &checksum);\n  out[lane * 8] = (uint)checksum;\n  out[lane * 8 + 1] = \
         (uint)(checksum >> 32);\n}}\n#undef globals"
    );
    text
}

/// The global variable that a line declares.
fn global(line: &str) -> Option<Global<'_>> {
    let (declaration, start) = line.strip_prefix("static ")?.strip_suffix(';')?.split_once(" = ")?;
    let name = &declaration[declaration.find("g_")?..];
    let name = &name[..name.find('[').unwrap_or(name.len())];
    Some(Global { declaration, name, start })
}

/// A line whose functions have one more argument.
fn with_globals(line: &str, own: &str) -> String {
    if line.starts_with("int main") {
        return format!("static int program({PARAMETER}, ulong *checksum)");
    }
    let mut text = String::new();
    let mut rest = line;
    // `safe_add_func_int8_t_s_s` is none of the program's.
    while let Some(at) = rest.find("func_") {
        let digits = at + "func_".len();
        let end = digits + rest[digits..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(0);
        text.push_str(&rest[..end]);
        rest = &rest[end..];
        if let (true, Some(arguments)) = (end > digits, rest.strip_prefix('(')) {
            let arguments = arguments.strip_prefix("void)").map_or(arguments, |_| &arguments["void".len()..]);
            let comma = if arguments.starts_with(')') { "" } else { ", " };
            let _ = write!(text, "({own}{comma}");
            rest = arguments;
        }
    }
    text + rest
}
