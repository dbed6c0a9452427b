//! Every flag of every command does something: a run with it is another run than one without, or is refused.

use std::fs;
use std::path::Path;

use crate::common::{NESTED, PREAMBLE, Scratch, content};
use crate::structure::MISSING;

/// A command, a flag of it, what stands behind the flag, and the runs of which one at least must change. `K` is the folder
/// of kernels, `E` that of examples, `D` that of containers of DXIL.
type Effect = (&'static str, &'static str, Option<&'static str>, &'static [&'static str]);

const EFFECTS: &[Effect] = &[
    ("compile", "--output", Some("out.spv"), &["module.ir"]),
    ("compile", "--separate", None, &["module.ir -o out.spv"]),
    ("compile", "--from", Some("spirv"), &["module.ir -o out.spv"]),
    ("compile", "--to", Some("asm"), &["module.ir -o out.spv"]),
    ("compile", "--from", Some("binary"), &["module.ir -o out.spv"]),
    ("compile", "--to", Some("binary"), &["module.ir -o out.spv"]),
    ("compile", "--strip-merges", None, &["branches.ir -O0 -o out.spv"]),
    ("compile", "--assume", Some("merges=hints"), &["branches.ir -O0 -o out.spv"]),
    ("compile", "--policy", Some("flat"), &["nested.ir -O0 -o out.spv"]),
    ("compile", "--nesting-limit", Some("0"), &["module.ir -o out.spv"]),
    ("compile", "--block-limit", Some("1"), &["module.ir -o out.spv"]),
    ("compile", "--split-blocks", Some("4"), &["E/gotos.spv -o out.spv"]),
    ("compile", "--target", Some("input"), &["K/bit_fields.spv -o out.spv"]),
    ("compile", "--kernel", Some("none"), &["K/bit_fields.spv -o out.spv"]),
    ("compile", "--global-offset", None, &["K/bit_fields.spv -o out.spv"]),
    ("compile", "--int64", Some("split"), &["K/atomics_wide.O0.spv -o out.spv", "K/vector_widths.spv -o out.spv"]),
    ("compile", "--pointers", Some("bindings"), &["K/bit_fields.spv -o out.spv"]),
    ("compile", "--buffer-offsets", None, &["K/bit_fields.spv --pointers bindings -o out.spv"]),
    ("compile", "--fma", Some("exact"), &["K/fused_multiply.spv -o out.spv"]),
    ("compile", "--driver", Some("lavapipe"), &["K/bool_arrays.spv -o out.spv"]),
    ("compile", "--reflection", Some("r.json"), &["K/bit_fields.spv -o out.spv"]),
    ("compile", "--stage", Some("vertex"), &["shader.ir -o out.wgsl"]),
    ("compile", "--entry", Some("none"), &["shader.ir -o out.wgsl"]),
    ("compile", "--shader-version", Some("es 320"), &["shader.ir -o out.glsl"]),
    ("compile", "--lines", None, &["lines.ir -o out.glsl"]),
    ("compile", "--text-bindings", Some("numbers.json"), &["resource.ir -o out.hlsl"]),
    ("compile", "--hlsl-semantics", Some("source"), &["resource.ir -o out.hlsl"]),
    ("compile", "--msl-argument-buffers", None, &["resource.ir -o out.metal"]),
    ("compile", "--shift", Some("u=100"), &["D/sort_and_count.O3.dxil -o out.spv"]),
    ("compile", "--bindings", Some("b.json"), &["D/sort_and_count.O3.dxil -o out.spv"]),
    ("compile", "--robust", None, &["D/sort_and_count.O3.dxil --shift u=100 -o out.spv"]),
    ("check", "--dump", Some("dxil"), &["D/sort_and_count.O3.dxil"]),
    ("report", "--shift", Some("u=100"), &["D/sort_and_count.O3.dxil -o out.html"]),
    ("report", "--bindings", Some("b.json"), &["D/sort_and_count.O3.dxil -o out.html"]),
    ("report", "--robust", None, &["D/sort_and_count.O3.dxil --shift u=100 -o out.html"]),
    ("compile", "--local-size", Some("32"), &["K/bit_fields.spv --target vc4 -o out.qpu"]),
    ("compile", "--local-memory", Some("4096"), &["K/align_mask.spv --target vc4 --reflection r.json -o out.qpu"]),
    ("compile", "--function", Some("main"), &["module.ir -o out.dot", "module.ir -o out.spv"]),
    ("compile", "--color", Some("always"), &["missing.ir -o out.spv"]),
    ("compile", "--quiet", None, &["unfit.ir -o out.spv"]),
    ("compile", "--verbose", None, &["module.ir -o out.spv"]),
    ("compile", "--why", None, &["module.ir -o out.spv"]),
    ("compile", "--error-format", Some("json"), &["missing.ir -o out.spv"]),
    ("compile", "--passes", Some("forget_structure"), &["branches.ir -o out.spv", "module.ir -o out.spv"]),
    ("compile", "--stop-after", Some("structurize"), &["module.ir -o out.spv"]),
    ("compile", "--print-after", Some("structurize"), &["module.ir -o out.spv"]),
    ("compile", "--opt-bisect-limit", Some("0"), &["-O1 K/bit_fields.spv -o out.spv"]),
    ("compile", "--time-passes", None, &["module.ir -o out.spv"]),
    ("check", "--from", Some("spirv"), &["module.ir"]),
    ("check", "--strip-merges", None, &["endless.ir", "branches.ir"]),
    ("check", "--allow", Some("F04"), &["endless.ir"]),
    ("check", "--warn", Some("W06"), &["K/barrier_break.spv"]),
    ("check", "--deny", Some("F04"), &["endless.ir"]),
    ("check", "--format", Some("sarif"), &["endless.ir"]),
    ("check", "--color", Some("always"), &["endless.ir"]),
    ("check", "--quiet", None, &["endless.ir"]),
    ("check", "--verbose", None, &["module.ir"]),
    ("check", "--explain", Some("F04"), &[""]),
    ("check", "--error-format", Some("json"), &["endless.ir"]),
    ("compile", "--report", Some("r.html"), &["module.ir -o out.spv"]),
    ("report", "--output", Some("out.html"), &["module.ir"]),
    ("report", "--emit", Some("out.json"), &["module.ir -o out.html"]),
    ("report", "--launch", Some("K/bit_fields.json"), &["K/bit_fields.spv -o out.html"]),
    ("report", "--from", Some("spirv"), &["module.ir -o out.html"]),
    ("report", "--strip-merges", None, &["branches.ir -O0 -o out.html"]),
    ("report", "--assume", Some("merges=hints"), &["branches.ir -O0 -o out.html"]),
    ("report", "--policy", Some("flat"), &["nested.ir -O0 -o out.html"]),
    ("report", "--nesting-limit", Some("0"), &["module.ir -o out.html"]),
    ("report", "--block-limit", Some("1"), &["module.ir -o out.html"]),
    ("report", "--split-blocks", Some("4"), &["E/gotos.spv -o out.html"]),
    ("report", "--target", Some("input"), &["K/bit_fields.spv -o out.html"]),
    ("report", "--kernel", Some("two_kernels_fill"), &["K/two_kernels.spv -o out.html"]),
    ("report", "--local-size", Some("32"), &["K/bit_fields.spv --target vc4 -o out.html"]),
    ("report", "--local-memory", Some("4096"), &["K/align_mask.spv --target vc4 -o out.html"]),
    ("report", "--color", Some("always"), &["missing.ir -o out.html"]),
    ("report", "--quiet", None, &["unfit.ir -o out.html"]),
    ("report", "--verbose", None, &["module.ir -o out.html"]),
    ("report", "--error-format", Some("json"), &["missing.ir -o out.html"]),
    ("link", "--output", Some("out.spv"), &["one.ir two.ir"]),
    ("link", "--from", Some("spirv"), &["one.ir two.ir -o out.spv"]),
    ("link", "--to", Some("asm"), &["one.ir two.ir -o out.spv"]),
    ("link", "--list", None, &["one.ir two.ir"]),
    ("link", "--library", None, &["one.ir two.ir -o out.spv"]),
    ("link", "--root", Some("f"), &["one.ir two.ir -o out.spv"]),
    ("link", "--allow-undefined", None, &["one.ir -o out.spv"]),
    ("link", "--target", Some("vulkan"), &["one.ir two.ir -o out.spv"]),
    ("link", "--color", Some("always"), &["one.ir -o out.spv"]),
    ("link", "--verbose", None, &["one.ir two.ir -o out.spv"]),
    ("link", "--error-format", Some("json"), &["one.ir -o out.spv"]),
    ("graph", "--output", Some("plan.txt"), &["graph.cfg"]),
    ("graph", "--from", Some("json"), &["graph.cfg"]),
    ("graph", "--to", Some("json"), &["graph.cfg"]),
    ("graph", "--assume", Some("break-blocks=outside"), &["loop.cfg"]),
    ("graph", "--policy", Some("flat"), &["loop.cfg"]),
    ("graph", "--nesting-limit", Some("0"), &["graph.cfg"]),
    ("graph", "--block-limit", Some("1"), &["graph.cfg"]),
    ("graph", "--split-blocks", Some("4"), &["cycle.cfg"]),
    ("graph", "--color", Some("always"), &["missing.cfg"]),
    ("graph", "--verbose", None, &["graph.cfg"]),
    ("graph", "--why", None, &["graph.cfg"]),
    ("graph", "--error-format", Some("json"), &["missing.cfg"]),
    ("run", "--from", Some("spirv"), &["module.ir --global 1"]),
    ("run", "--launch", Some("K/bit_fields.json"), &["K/bit_fields.spv"]),
    ("run", "--kernel", Some("none"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--global", Some("1"), &["module.ir"]),
    ("run", "--local", Some("7"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--offset", Some("64"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--arg", Some("u32=1"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--expect", Some("K/bodies.expected"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--tolerance", Some("0"), &["K/fast_functions.spv --launch K/fast_functions.json"]),
    ("run", "--dump", Some("dump.bin"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    (
        "run",
        "--on",
        Some("interpreter"),
        &["K/checked/undefined_variable.spv --global 8 --local 4 --arg out:u32[8]=zero"],
    ),
    ("run", "--subgroup-size", Some("0"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--all", None, &["K/bit_fields.spv --global 48 --local 8 --arg out:u32[96] --arg out:i32[96] --arg u32=1"]),
    ("run", "--json", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--color", Some("always"), &["missing.ir --global 1"]),
    ("run", "--quiet", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--verbose", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--fuel", Some("3"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--races", Some("none"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--pointers", Some("bindings"), &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--fma", Some("exact"), &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--device", Some("none"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--width", Some("8"), &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--vectors", Some("2"), &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--threads", Some("2"), &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--validation", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--timeout", Some("1"), &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--checked", None, &["K/bit_fields.spv --launch K/bit_fields.json --on interpreter"]),
    ("run", "--assembly", Some("-"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--why", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--time", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--error-format", Some("json"), &["missing.ir --global 1"]),
    ("compile", "--include", Some("a.h"), &["module.ir -o out.spv"]),
    ("compile", "--std", Some("CL3.0"), &["module.ir -o out.spv"]),
    ("compile", "--front-end", Some("clang"), &["module.ir -o out.spv"]),
    ("compile", "--front-end-arg", Some("-w"), &["module.ir -o out.spv"]),
    ("compile", "--dependencies", None, &["module.ir -o out.spv"]),
    ("compile", "--dependency-file", Some("a.d"), &["module.ir -o out.spv"]),
    ("compile", "--dependency-target", Some("a"), &["module.ir -o out.spv"]),
    ("compile", "--quoted-dependency-target", Some("a"), &["module.ir -o out.spv"]),
    ("compile", "--phony-targets", None, &["module.ir -o out.spv"]),
    ("check", "--include", Some("a.h"), &["module.ir"]),
    ("check", "--std", Some("CL3.0"), &["module.ir"]),
    ("check", "--front-end", Some("clang"), &["module.ir"]),
    ("check", "--front-end-arg", Some("-w"), &["module.ir"]),
    ("check", "--stage", Some("compute"), &["module.ir"]),
    ("check", "--entry", Some("main"), &["module.ir"]),
    ("link", "--include", Some("a.h"), &["one.ir two.ir -o out.spv"]),
    ("link", "--std", Some("CL3.0"), &["one.ir two.ir -o out.spv"]),
    ("link", "--front-end", Some("clang"), &["one.ir two.ir -o out.spv"]),
    ("link", "--front-end-arg", Some("-w"), &["one.ir two.ir -o out.spv"]),
    ("link", "--stage", Some("compute"), &["one.ir two.ir -o out.spv"]),
    ("link", "--entry", Some("main"), &["one.ir two.ir -o out.spv"]),
    ("link", "--dependencies", None, &["one.ir two.ir -o out.spv"]),
    ("link", "--dependency-file", Some("a.d"), &["one.ir two.ir -o out.spv"]),
    ("link", "--dependency-target", Some("a"), &["one.ir two.ir -o out.spv"]),
    ("link", "--quoted-dependency-target", Some("a"), &["one.ir two.ir -o out.spv"]),
    ("link", "--phony-targets", None, &["one.ir two.ir -o out.spv"]),
    ("report", "--include", Some("a.h"), &["module.ir -o out.html"]),
    ("report", "--std", Some("CL3.0"), &["module.ir -o out.html"]),
    ("report", "--front-end", Some("clang"), &["module.ir -o out.html"]),
    ("report", "--front-end-arg", Some("-w"), &["module.ir -o out.html"]),
    ("report", "--stage", Some("compute"), &["module.ir -o out.html"]),
    ("report", "--entry", Some("main"), &["module.ir -o out.html"]),
    ("run", "--include", Some("a.h"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--std", Some("CL3.0"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--front-end", Some("clang"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--front-end-arg", Some("-w"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--stage", Some("compute"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "--entry", Some("main"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("compile", "-D", Some("A=1"), &["module.ir -o out.spv"]),
    ("compile", "-I", Some("."), &["module.ir -o out.spv"]),
    ("compile", "-g", None, &["module.ir -o out.spv"]),
    ("check", "-D", Some("A=1"), &["module.ir"]),
    ("check", "-I", Some("."), &["module.ir"]),
    ("check", "-g", None, &["module.ir"]),
    ("link", "-D", Some("A=1"), &["one.ir two.ir -o out.spv"]),
    ("link", "-I", Some("."), &["one.ir two.ir -o out.spv"]),
    ("link", "-g", None, &["one.ir two.ir -o out.spv"]),
    ("report", "-D", Some("A=1"), &["module.ir -o out.html"]),
    ("report", "-I", Some("."), &["module.ir -o out.html"]),
    ("report", "-g", None, &["module.ir -o out.html"]),
    ("run", "-D", Some("A=1"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "-I", Some("."), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("run", "-g", None, &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("compile", "-O", Some("0"), &["K/bit_fields.spv -o out.spv"]),
    ("compile", "--image-format", Some("0=rgba8"), &["K/image_blur.spv -o out.spv"]),
    ("compile", "--sampler", Some("1=linear"), &["K/image_resize.spv -o out.spv"]),
    ("compile", "--spec", Some("9=1"), &["K/bit_fields.spv -o out.spv"]),
    ("run", "--spec", Some("9=1"), &["K/bit_fields.spv --launch K/bit_fields.json"]),
    ("report", "-O", Some("0"), &["K/bit_fields.spv -o out.html"]),
];

/// Flags without a row, and why.
const ELSEWHERE: [(&str, &str, &str); 8] = [
    ("link", "--quiet", "linking has errors alone, and progress is shown on terminals alone"),
    ("graph", "--quiet", "there are no warnings about graphs, and progress is shown on terminals alone"),
    ("compile", "--verify-each", "the compiler fails where it is at fault, and on nothing else"),
    ("compile", "--strict", "structure.rs has modules that are structured in part"),
    ("compile", "--keep-going", "keep_going.rs has modules of which some kernels are refused"),
    ("compile", "--printf-buffer", "printf.rs has kernels that print"),
    ("run", "--printf-buffer", "printf.rs has kernels that print"),
    ("run", "--compiled", "what is compiled does the same; run.rs has kernels where it does not"),
];

const BRANCHES: &str = "
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  loop ^head break ^end continue ^next control 0
block ^head:
  if %true ^body ^skip merge ^after control 0
block ^body:
  branch ^after
block ^skip:
  branch ^after
block ^after:
  branch ^next
block ^next:
  branch_if %true ^again ^leave
edge ^again:
  branch ^head
edge ^leave:
  branch ^end
block ^end:
  return
}
";

const SHADER: &str = "
capability Shader
memory_model Logical GLSL450
%void = type_void
%fn = type_function %void
entry_point GLCompute, %main, \"main\"
execution_mode %main, LocalSize 64, 1, 1
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  return
}
";

/// A vertex shader with a resource, and an input that has a semantic.
const RESOURCE: &str = r#"
capability Shader
memory_model Logical, GLSL450
entry_point Vertex, %main, "main", %normal, %position
%void = type_void
%f32 = type_float 32
%v4 = type_vector %f32, 4
%i32 = type_int 32, 1
%zero: %i32 = constant 0
%Block = type_struct %v4 {member_name 0 "offset", member_decorate 0 Offset 0, decorate Block}
%to_block = type_pointer Uniform, %Block
%block: %to_block = variable Uniform {decorate DescriptorSet 0, decorate Binding 2}
%to_vector = type_pointer Uniform, %v4
%in_v4 = type_pointer Input, %v4
%normal: %in_v4 = variable Input {decorate Location 0, name "in.var.NORMAL"}
%out_v4 = type_pointer Output, %v4
%position: %out_v4 = variable Output {decorate BuiltIn 0}
func %main: %void () stage structured {
block ^entry:
  %p: %to_vector = access_chain %block, %zero
  %offset: %v4 = load %p
  %n: %v4 = load %normal
  %sum: %v4 = f_add %n, %offset
  store %position, %sum
  return
}
"#;

const LINES: &str = "
capability Shader
memory_model Logical GLSL450
%file = string \"a.comp\"
%void = type_void
%fn = type_function %void
%u32 = type_int 32, 0
%two: %u32 = constant 2
%order: %u32 = constant 264
entry_point GLCompute, %main, \"main\"
execution_mode %main, LocalSize 64, 1, 1
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  control_barrier %two, %two, %order at %file 7:1
  return
}
";

const ENDLESS: &str = "
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch ^head
block ^head:
  branch ^head
}
";

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kernels/");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
const CONTAINERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dxil/");

#[test]
fn each_flag_does_something() {
    let mut without = Vec::new();
    for &(command, flag, value, runs) in EFFECTS {
        let changes = |run: &&&str| outcome(command, run, &[]) != outcome(command, run, &given(flag, value));
        if !runs.iter().any(|run| changes(&run)) {
            without.push(format!("{command} {flag}"));
        }
    }
    assert!(without.is_empty(), "no effect: {without:?}");
}

#[test]
fn every_flag_has_a_row() {
    let scratch = Scratch::new();
    for command in ["compile", "check", "link", "report", "graph", "run"] {
        let help = scratch.run(&[command, "--help"]).ended(0).stdout();
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-') && !line.starts_with("- "));
        let words = lines.map(|line| line.split([' ', ',', '=']).filter(|word| word.starts_with('-')));
        let flags = words.filter_map(|mut words| words.clone().find(|word| word.starts_with("--")).or(words.next()));
        for flag in flags.filter(|&flag| flag != "--help") {
            let has_row = EFFECTS.iter().any(|row| (row.0, row.1) == (command, flag));
            let is_elsewhere = ELSEWHERE.iter().any(|row| (row.0, row.1) == (command, flag));
            assert!(has_row || is_elsewhere, "{command} {flag} has no row");
        }
    }
}

/// Flags of `compile` that have no effect beside another one, with the reason why they are not refused.
const WITHOUT_EFFECT_BESIDE: &[(&str, &str, &str)] = &[
    ("--strip-merges", "--quiet", "in this run it changes a note alone"),
    ("--assume", "--quiet", "in this run it changes a note alone"),
    ("--quiet", "--strip-merges", "in this run the second flag leaves no note"),
    ("--quiet", "--assume", "in this run the second flag leaves no note"),
    ("--policy", "--nesting-limit", "the limit 0 leaves one loop with one exit, which every policy allows"),
    ("--int64", "--pointers", "code with bindings has words alone: what is asked for happens"),
    ("--fma", "--driver", "for this driver fma is exact: what is asked for happens"),
    ("--shift", "--bindings", "the file has a place for the only resource, and comes before shifts"),
    ("--passes", "--opt-bisect-limit", "the limit skips passes, which is its purpose"),
    ("--stop-after", "-O", "structurize is the last pass of -O0"),
    ("--stop-after", "--opt-bisect-limit", "with the limit 0 no pass comes after this one"),
];

/// Every flag beside every other one, in the runs that it changes: it changes them still, or the pair is refused. A run that fails hides no flag.
#[test]
fn each_flag_does_something_beside_another_or_is_refused() {
    let rows: Vec<&Effect> = EFFECTS.iter().filter(|row| row.0 == "compile").collect();
    let silent = |&&(command, flag, value, runs): &&Effect| {
        let flags = given(flag, value);
        let changed = runs.iter().filter(|run| outcome(command, run, &[]) != outcome(command, run, &flags));
        let changed: Vec<&str> = changed.copied().collect();
        let is_silent = |&&&(_, other, value, _): &&&Effect| {
            let others = given(other, value);
            let both = [&others[..], &flags].concat();
            other != flag
                && changed.iter().any(|run| {
                    let with = outcome(command, run, &both);
                    with.0 == Some(0) && with == outcome(command, run, &others)
                })
        };
        rows.iter().filter(is_silent).map(|other| (flag, other.1)).collect::<Vec<_>>()
    };
    let found: Vec<(&str, &str)> = in_parallel(&rows, silent).into_iter().flatten().collect();
    let known: Vec<(&str, &str)> = WITHOUT_EFFECT_BESIDE.iter().map(|&(flag, other, _)| (flag, other)).collect();
    let unknown: Vec<_> = found.iter().filter(|pair| !known.contains(pair)).collect();
    assert!(unknown.is_empty(), "ignored silently beside the second flag: {unknown:?}");
    let obsolete: Vec<_> = known.iter().filter(|pair| !found.contains(pair)).collect();
    assert!(obsolete.is_empty(), "these have an effect: {obsolete:?}");
}

/// The results for all items, in their order.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let part = items.len().div_ceil(threads).max(1);
        let parts: Vec<_> =
            items.chunks(part).map(|part| scope.spawn(|| part.iter().map(&work).collect::<Vec<R>>())).collect();
        parts.into_iter().flat_map(|part| part.join().expect("the work does not panic")).collect()
    })
}

fn given(flag: &'static str, value: Option<&'static str>) -> Vec<&'static str> {
    [flag].into_iter().chain(value).collect()
}

/// All that a run leaves: its exit code, what it says, and its files.
type Outcome = (Option<i32>, String, Vec<(String, Vec<u8>)>);

/// The contents of a file, or of the files of a folder, with their names.
fn files_at(path: &Path, name: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(path) else { return vec![(name.to_owned(), content(path))] };
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut files: Vec<(String, Vec<u8>)> =
        names.map(|file| (format!("{name}/{file}"), content(&path.join(file)))).collect();
    files.sort();
    files
}

/// What a run leaves. Times and the folder's name are left out.
fn outcome(command: &str, run: &str, flags: &[&str]) -> Outcome {
    let scratch = scratch();
    let before = scratch.names();
    let words: Vec<String> = [command]
        .into_iter()
        .chain(run.split_whitespace())
        .chain(flags.iter().copied())
        .map(|word| word.replace("K/", KERNELS).replace("E/", EXAMPLES).replace("D/", CONTAINERS))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = scratch.run(&words);
    let said = format!("{:?}{:?}", ran.0.stdout, ran.0.stderr);
    let new = scratch.names().into_iter().filter(|name| !before.contains(name));
    let files = new.flat_map(|name| files_at(&scratch.path(&name), &name)).collect();
    (ran.0.status.code(), said, files)
}

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.module();
    scratch.file("branches.ir", format!("{PREAMBLE}{BRANCHES}"));
    scratch.file("unfit.ir", format!("{PREAMBLE}{MISSING}"));
    scratch.file("endless.ir", format!("{PREAMBLE}{ENDLESS}"));
    scratch.file("one.ir", crate::link::CALLER);
    scratch.file("two.ir", crate::link::CALLEE);
    scratch.file("graph.cfg", "a condbr b c\nb br d\nc br d\nd ret\n");
    scratch.file("nested.ir", format!("{PREAMBLE}{NESTED}"));
    scratch.file("shader.ir", SHADER);
    scratch.file("lines.ir", LINES);
    scratch.file("resource.ir", RESOURCE);
    scratch.file("numbers.json", r#"{ "bindings": [{ "binding": 2, "register": 7 }] }"#);
    scratch.file("b.json", r#"{ "u0": { "set": 1, "binding": 7 } }"#);
    scratch.file(
        "loop.cfg",
        "a br h\nh condbr b e\nb condbr c d\nc condbr x y\nx br e , convergent\ny br d\nd br h\ne ret\n",
    );
    scratch.file("cycle.cfg", "a condbr b c\nb condbr c d\nc condbr b d\nd ret\n");
    scratch
}
