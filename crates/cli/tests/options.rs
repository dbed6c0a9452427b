//! Options are never ignored: each has an effect on the output, or is refused for the input or beside other options.

use std::fs;
use std::path::Path;

use reconverge::{CompileOptions, Format};

use crate::common::{NESTED, PREAMBLE, Scratch, content};

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{NESTED}"));
    scratch.module();
    scratch.file("nested.ir", format!("{PREAMBLE}{NESTED}"));
    scratch.file("graph.cfg", "a condbr b c | b ret | c ret\n");
    scratch
}

#[test]
fn policy_and_nesting_limit_hold_for_functions_that_come_structured() {
    let scratch = scratch();
    let compiled = |flags: &[&str]| {
        let arguments = [&["compile", "-O0", "nested.ir", "-o", "out.spv"], flags].concat();
        scratch.run(&arguments).ended(0);
        scratch.run(&["check", "out.spv"]).ended(0);
        content(&scratch.path("out.spv"))
    };
    let plain = compiled(&[]);
    assert_ne!(compiled(&["--policy", "wgsl"]), plain);
    assert_ne!(compiled(&["--policy", "flat"]), plain);
    assert_ne!(compiled(&["--nesting-limit", "0"]), plain, "what branches is flat then");
    assert_eq!(compiled(&["--policy", "spirv"]), plain);
    assert_eq!(compiled(&["--nesting-limit", "3"]), plain, "no deeper than that, it stays as it is");
}

#[test]
fn the_block_limit_is_of_what_is_structurized() {
    let scratch = scratch();
    let help = scratch.run(&["compile", "--help"]).ended(0).stdout();
    let help: Vec<&str> = help.split_whitespace().collect();
    assert!(help.join(" ").contains("Only functions that are structurized count"));
    let limited = ["compile", "-O0", "nested.ir", "-o", "out.spv", "--block-limit", "1"];
    scratch.run(&limited).ended(0);
    scratch.run(&[&limited[..], &["--assume", "merges=hints"]].concat()).ended(4);
}

#[test]
fn without_flags_the_command_and_the_library_do_the_same() {
    let scratch = scratch();
    scratch.run(&["compile", "nested.ir", "-o", "out.spv"]).ended(0);
    let (text, spirv) = (content(&scratch.path("nested.ir")), Format::SPIRV);
    let compiled = reconverge::compile(&text, Format::TEXT, spirv, &CompileOptions::default());
    assert_eq!(content(&scratch.path("out.spv")), compiled.expect("the module is valid").bytes);
}

#[test]
fn the_version_has_a_commit_and_its_date() {
    let scratch = Scratch::new();
    let line = scratch.run(&["--version"]).ended(0).stdout();
    let object = scratch.run(&["--version", "--json"]).ended(0).stdout();
    let object: serde_json::Value = serde_json::from_str(&object).expect("it is JSON");
    assert!(line.starts_with(&format!("reconverge {}", env!("CARGO_PKG_VERSION"))), "{line}");
    let in_git = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.git").exists();
    for (key, length) in [("commit", 12), ("date", 10)] {
        match object[key].as_str() {
            Some(value) => assert!(value.len() == length && line.contains(value), "{key}: {line}"),
            None => assert!(!in_git, "{key} is not known"),
        }
    }
}

#[test]
fn help_begins_with_what_the_command_does() {
    let scratch = Scratch::new();
    for (command, beginning) in [
        ("compile", "Structurize and optimize a module"),
        ("check", "Verify a module, "),
        ("graph", "Structurize a control-flow graph"),
        ("run", "Run an OpenCL kernel "),
        ("passes", "Print the passes, "),
    ] {
        for flag in ["-h", "--help"] {
            let help = scratch.run(&[command, flag]).ended(0).stdout();
            assert!(help.starts_with(beginning), "{command}: {help}");
        }
    }
}

#[test]
fn help_says_what_a_flag_needs() {
    let scratch = Scratch::new();
    for (command, text) in [
        ("compile", "OpenCL kernels, --pointers bindings: support offsets of buffer arguments"),
        ("compile", "Machine code: size of a work-group"),
        ("run", "Interpreter: lanes in a subgroup"),
        ("run", "CPU, Vulkan: time limit in seconds"),
        ("run", "Compiled kernels: lowering of fused multiply-add"),
    ] {
        let help = scratch.run(&[command, "--help"]).ended(0).stdout();
        assert!(help.contains(text), "{command}: {help}");
    }
}

#[test]
fn assembly_is_read_and_written() {
    let scratch = scratch();
    scratch.run(&["compile", "nested.ir", "-o", "out.spvasm"]).ended(0);
    scratch.run(&["compile", "nested.ir", "-o", "out.spv"]).ended(0);
    scratch.run(&["check", "out.spvasm"]).ended(0);
    scratch.run(&["compile", "out.spvasm", "-O0", "-o", "again.spv"]).ended(0);
    scratch.run(&["compile", "out.spv", "-O0", "-o", "once.spv"]).ended(0);
    assert_eq!(content(&scratch.path("again.spv")), content(&scratch.path("once.spv")));
    scratch.file(
        "part.txt",
        "\n; a type\nOpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n",
    );
    scratch.run(&["check", "part.txt"]).ended(0);
    scratch.file("wrong.spvasm", "OpCapability Shader\n%1 = OpTypeVoyd\n");
    let said = scratch.run(&["check", "wrong.spvasm"]).ended(1).stderr();
    assert!(said.contains("error[assembly-opcode]") && said.contains("wrong.spvasm:2:6"), "{said}");
    scratch
        .file("twice.spvasm", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeVoid\n%1 = OpTypeBool\n");
    let said = scratch.run(&["check", "twice.spvasm"]).ended(1).stderr();
    assert!(said.contains("error[spirv-id-redefined]") && said.contains("twice.spvasm:4:1"), "{said}");
    scratch.file("ir.ir", "capability Shader\nOpCapability Shader\n");
    let said = scratch.run(&["check", "ir.ir"]).ended(1).stderr();
    assert!(said.contains("expected an op, found `OpCapability`"), "{said}");
}

#[test]
fn outputs_go_by_extension_or_are_refused() {
    let scratch = scratch();
    scratch.run(&["compile", "module.ir", "-o", "out.spvasm"]).ended(0);
    assert!(content(&scratch.path("out.spvasm")).starts_with(b"; SPIR-V"));
    let asm = scratch.run(&["compile", "module.ir", "-o", "-", "--to", "asm"]).ended(0);
    assert_eq!(asm.0.stdout, content(&scratch.path("out.spvasm")));
    for name in ["x.xyz", "x.txt", "x.json"] {
        let said = scratch.run(&["compile", "module.ir", "-o", name]).ended(2).stderr();
        assert!(said.contains(".spvasm"), "{said}");
        assert!(!scratch.names().contains(&name.to_owned()));
        scratch.run(&["compile", "module.ir", "-o", name, "--to", "spirv"]).ended(0);
    }
    scratch.run(&["graph", "graph.cfg", "-o", "plan.wgsl"]).ended(2);
    scratch.run(&["graph", "graph.cfg", "-o", "plan.txt"]).ended(0);
}

#[test]
fn the_verbose_listing_numbers_what_the_bisection_limit_counts() {
    let scratch = scratch();
    let kernel = format!("{}/../../tests/kernels/row_pointers.O0.spv", env!("CARGO_MANIFEST_DIR"));
    let numbers = |limit: &[&str]| {
        let arguments = [&["compile", &kernel, "-o", "out.spv", "-v", "--error-format=json"][..], limit].concat();
        let said = scratch.run(&arguments).ended(0).json();
        said.iter().filter_map(|line| line["optimization"].as_u64()).collect::<Vec<u64>>()
    };
    let all = numbers(&[]);
    assert!(all.len() > 2 && all.is_sorted_by(|before, after| before < after), "{all:?}");
    let second = all[1].to_string();
    assert_eq!(numbers(&["--opt-bisect-limit", &second]), all[..2]);
    let text = scratch.run(&["compile", &kernel, "-o", "out.spv", "-v"]).ended(0).stderr();
    assert!(text.contains(&format!(" (optimization {second}): functions changed ")), "{text}");
}

#[test]
fn what_nothing_would_come_of_is_an_error_of_usage() {
    let scratch = scratch();
    let compile = |flags: &[&str]| {
        let arguments = [&["compile", "nested.ir", "-o", "out.spv"], flags].concat();
        let ran = scratch.run(&arguments).ended(2);
        assert!(!scratch.names().contains(&"out.spv".to_owned()), "{flags:?}");
        ran.stderr()
    };
    for flags in [
        &["--reflection", "out.json"][..],
        &["--kernel", "f"],
        &["--global-offset"],
        &["--int64", "split"],
        &["--pointers", "bindings"],
        &["--pointers", "bindings", "--buffer-offsets"],
        &["--fma", "exact"],
        &["--target", "input", "--driver", "lavapipe"],
    ] {
        let said = compile(flags);
        assert!(said.contains("OpenCL kernels"), "{flags:?}: {said}");
    }
    for flags in [
        &["--strip-merges", "--assume", "merges=hints"][..],
        &["--strip-merges", "--strict"],
        &["--strict", "--assume", "merges=hints"],
        &["--strict", "--assume", "merges=post-dominators"],
        &["-O0", "--print-after", "simplify"],
        &["-O0", "--stop-after", "simplify"],
        &["--print-after", "memory"],
        &["-O0", "--opt-bisect-limit", "3"],
        &["--buffer-offsets"],
        &["--pointers", "bindings", "--target", "vc4"],
    ] {
        compile(flags);
    }
    scratch.run(&["check", "--explain", "F03", "nested.ir"]).ended(2);
    let run = |flags: &[&str]| {
        let arguments = [&["run", "nested.ir", "--global", "1"], flags].concat();
        scratch.run(&arguments).ended(2);
    };
    for form in ["text", "graph-dot", "graph-json"] {
        for flags in [
            &["--policy", "spirv"][..],
            &["--split-blocks", "4"],
            &["--nesting-limit", "2"],
            &["--block-limit", "9"],
            &["--assume", "break-blocks=inside"],
            &["--why"],
        ] {
            let arguments = [&["graph", "graph.cfg", "--to", form], flags].concat();
            let said = scratch.run(&arguments).ended(2).stderr();
            assert!(said.contains(&format!("{} is for plans and shaders", flags[0])), "{said}");
        }
        scratch.run(&["graph", "graph.cfg", "--to", form]).ended(0);
    }
    scratch.run(&["graph", "graph.cfg", "-o", "out.cfg", "--policy", "flat"]).ended(2);
    let said = scratch.run(&["graph", "graph.cfg", "--assume", "merges=structure"]).ended(2).stderr();
    assert!(said.contains("is for modules"), "{said}");
    let assumed = ["--assume", "merges=hints", "--assume", "merges=post-dominators"];
    scratch.run(&[&["graph", "graph.cfg"][..], &assumed].concat()).ended(2);
    run(&["--tolerance", "1"]);
    run(&["--device", "0"]);
    run(&["--validation"]);
    run(&["--on", "interpreter", "--timeout", "1"]);
    run(&["--on", "interpreter", "--fma", "exact"]);
    run(&["--on", "interpreter", "--pointers", "bindings"]);
    run(&["--on", "cpu", "--pointers", "bindings"]);
    run(&["--on", "vulkan", "--checked"]);
    run(&["--fuel", "9", "--why"]);
    run(&["--on", "vulkan", "--fuel", "9"]);
    run(&["--on", "vulkan", "--compiled"]);
    run(&["--on", "vulkan", "--races", "deny"]);
    run(&["--on", "vulkan", "--subgroup-size", "4"]);
}

#[test]
fn a_pass_after_the_last_one_is_told_from_one_that_nothing_needs() {
    let scratch = scratch();
    let said = |flags: &[&str]| scratch.run(&[&["compile"], flags].concat()).ended(2).stderr();
    let module = ["nested.ir", "-o", "out.ir", "-O0"];
    let stopped = ["--stop-after", "remove_unreachable", "--print-after", "structurize"];
    let text = said(&[&module[..], &stopped].concat());
    assert!(text.contains("structurize did not run: --stop-after remove_unreachable ends before it"), "{text}");
    let text = said(&[&module[..], &["--stop-after", "remove_unreachable", "--print-after", "gvn"]].concat());
    assert!(text.contains("gvn did not run: neither -O0 nor"), "{text}");
    let text =
        said(&[KERNEL, "-o", "out.ir", "--target", "cpu", "--stop-after", "structurize", "--print-after", "mask"]);
    assert!(text.contains("mask did not run: --stop-after structurize ends before it"), "{text}");
    let text = said(&[&module[..], &["--print-after", "specialize"]].concat());
    assert!(text.contains("it leads to machine code: --target cpu or --target vc4"), "{text}");
}

#[test]
fn a_pass_of_a_back_end_that_the_options_exclude_does_not_come_after_the_last_one() {
    let scratch = Scratch::new();
    let said = |flags: &[&str]| {
        let arguments = [&["compile", KERNEL, "-o", "out.ir", "--print-after", "gvn"], flags].concat();
        scratch.run(&arguments).ended(2).stderr()
    };
    let text = said(&["--target", "cpu", "--local-memory", "64", "-O0", "--stop-after", "mask"]);
    assert!(text.contains("gvn did not run: neither -O0 nor --target cpu nor the input needs it"), "{text}");
    let text = said(&["--target", "cpu", "--local-memory", "64", "--opt-bisect-limit", "0", "--stop-after", "mask"]);
    assert!(text.contains("gvn did not run: --opt-bisect-limit 0 excludes it"), "{text}");
    let text = said(&["-O1", "--opt-bisect-limit", "3", "--stop-after", "structurize"]);
    assert!(text.contains("gvn did not run: --opt-bisect-limit 3 excludes it"), "{text}");
    let flags = ["compile", KERNEL, "-o", "out.ir", "--target", "vc4", "--local-memory", "64", "--stop-after", "mask"];
    let text = scratch.run(&flags).ended(2).stderr();
    assert!(text.lines().next().is_some_and(|line| line.ends_with("machine code: --target cpu")), "{text}");
}

#[test]
fn a_named_pass_that_needs_a_launch_is_refused_before_anything_is_written() {
    let scratch = Scratch::new();
    for (pass, flags, way) in [
        ("mask", &["-o", "out.cpuasm", "--target", "cpu"][..], "--target cpu --stop-after mask"),
        ("specialize", &["-o", "out.spv"], "--target cpu or vc4 --stop-after specialize"),
    ] {
        let arguments = [&["compile", KERNEL, "--passes", pass, "--report", "out.json"], flags].concat();
        let text = scratch.run(&arguments).ended(2).stderr();
        assert!(text.contains(&format!("--passes {pass} does not know the launches of a kernel: {way}")), "{text}");
        assert!(!scratch.path("out.json").exists(), "{pass}");
    }
}

#[test]
fn flags_of_later_passes_are_refused_beside_an_early_stop() {
    let scratch = Scratch::new();
    let stopped = |pass: &str, flags: &[&str]| {
        let arguments = [&["compile", KERNEL, "-o", "out.ir", "--stop-after", pass], flags].concat();
        scratch.run(&arguments)
    };
    let said = stopped("missing_conversions", &["--int64", "split"]).ended(2).stderr();
    assert!(said.contains("--stop-after missing_conversions ends before they are lowered"), "{said}");
    let code = ["--target", "vc4", "--local-size", "32"];
    let said = stopped("structurize", &code).ended(2).stderr();
    assert!(said.contains("--stop-after structurize ends before the passes to it"), "{said}");
    stopped("specialize", &[&code[..], &["--local-memory", "64"]].concat()).ended(0);
}

#[test]
fn a_pass_that_has_no_work_for_the_target_is_refused() {
    let scratch = scratch();
    for (pass, way) in [
        ("expand_bits", "--target cpu or vc4 --stop-after expand_bits"),
        ("expand_carries", "--pointers bindings"),
        ("split_integers", "--int64 split"),
        ("widen_integers", "--pointers bindings"),
        ("specialize", "--target cpu or vc4 --stop-after specialize"),
        ("bind_buffers", "--target cpu or vc4 --stop-after bind_buffers"),
        ("fix_arguments", "--target cpu or vc4 --stop-after fix_arguments"),
    ] {
        let said = scratch.run(&["compile", "nested.ir", "-o", "out.ir", "--passes", pass]).ended(2).stderr();
        assert!(said.contains(pass) && said.contains(way), "{said}");
    }
    // No machine has a remainder with the sign of the divisor.
    scratch.file("remainder.ir", format!("{PREAMBLE}{REMAINDER}"));
    let flags = ["-O0", "--passes", "expand_division", "--print-after", "expand_division"];
    let said = scratch.run(&[&["compile", "remainder.ir", "-o", "out.ir"], &flags[..]].concat()).ended(0).stderr();
    assert!(said.contains("s_rem") && !said.contains("s_mod"), "{said}");
}

const REMAINDER: &str = "
%i32 = type_int 32 1
func %f: %i32 (%a: %i32, %b: %i32) control 0 stage structured {
block ^entry:
  %r: %i32 = s_mod %a, %b
  return_value %r
}
";

#[test]
fn the_last_level_counts() {
    let scratch = Scratch::new();
    let written = |levels: &[&str]| {
        let arguments = [&["compile", KERNEL, "-o", "out.spv"], levels].concat();
        scratch.run(&arguments).ended(0);
        content(&scratch.path("out.spv"))
    };
    let [none, speed, size] = ["-O0", "-O1", "-Os"].map(|level| written(&[level]));
    assert!(none != speed, "levels differ");
    for (levels, expected) in [
        (&["-O0", "-Os"][..], &size),
        (&["-Os", "-O0"], &none),
        (&["-O0", "-O"], &speed),
        (&["-O", "-O0"], &none),
        (&["-O3", "-O=s"], &size),
        (&["-O", "s", "-O", "1"], &speed),
        (&["-O0", "-O0"], &none),
    ] {
        assert!(written(levels) == *expected, "{levels:?}");
    }
    scratch.run(&["compile", KERNEL, "-o", "out.spv", "-O1=fast"]).ended(2);
    scratch.run(&["report", KERNEL, "-o", "out.html", "-O0", "-Os"]).ended(0);
}

const KERNEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kernels/align_mask.spv");

/// Kernels are structurized whatever they have, so nothing can be held against it.
#[test]
fn strict_is_for_shaders() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["compile", KERNEL, "-o", "out.spv", "--strict"]).ended(2);
    assert!(ran.stderr().contains("--strict is for shaders"), "{}", ran.stderr());
    assert!(scratch.names().is_empty());
}

#[cfg(unix)]
#[test]
fn outputs_are_written_all_or_none() {
    let scratch = Scratch::new();
    for reflection in ["missing/r.json", "/dev/full", "."] {
        scratch.run(&["compile", KERNEL, "-o", "out.spv", "--reflection", reflection]).ended(75);
        assert!(scratch.names().is_empty(), "{reflection}: {:?}", scratch.names());
    }
    scratch.run(&["compile", KERNEL, "-o", "out.spv", "--reflection", "r.json"]).ended(0);
    assert_eq!(scratch.names(), ["out.spv", "r.json"]);
}

#[cfg(unix)]
#[test]
fn outputs_of_every_flag_are_whole_or_as_they_were() {
    let commands: [(&[&str], &str); 5] = [
        (&["compile", KERNEL, "-o", "out.spv"], "--report"),
        (&["compile", KERNEL, "-o", "out.spv"], "--reflection"),
        (&["compile", KERNEL, "-o", "out.spv", "--reflection", "r.json"], "--report"),
        (&["compile", KERNEL, "-o", "out.qpu", "--target", "vc4", "--local-memory", "64"], "--reflection"),
        (&["report", KERNEL, "-o", "out.html"], "--emit"),
    ];
    for (command, flag) in commands {
        let scratch = Scratch::new();
        let outputs: Vec<&str> = command.iter().copied().filter(|word| word.contains('.') && *word != KERNEL).collect();
        outputs.iter().for_each(|output| drop(scratch.file(output, "old")));
        let old = scratch.names();
        for path in ["missing/x.json", "/dev/full", "."] {
            scratch.run(&[command, &[flag, path]].concat()).ended(75);
            assert_eq!(scratch.names(), old, "{command:?} {flag} {path}");
            let is_old = |output: &&str| content(&scratch.path(output)) == b"old";
            assert!(outputs.iter().all(is_old), "{command:?} {flag} {path}");
        }
        scratch.run(&[command, &[flag, "x.json"]].concat()).ended(0);
        assert!(outputs.iter().all(|output| content(&scratch.path(output)) != b"old"), "{command:?}");
        let names: Vec<String> = scratch.names().into_iter().filter(|name| name.starts_with('.')).collect();
        assert!(names.is_empty(), "temporary files stay: {names:?}");
    }
}

#[test]
fn local_memory_without_bytes_is_refused_with_its_place() {
    let scratch = Scratch::new();
    let said = scratch.run(&["run", KERNEL, "--global", "1", "--arg", "local=0"]).ended(2).stderr();
    assert!(said.contains("--arg local=0: an argument in local memory needs at least 1 byte"), "{said}");
    scratch.file("launch.json", r#"{ "global": [1], "args": [{ "kind": "local", "bytes": 0 }] }"#);
    let said = scratch.run(&["run", KERNEL, "--launch", "launch.json"]).ended(1).stderr();
    assert!(said.contains("launch.json") && said.contains("args[0].bytes: an argument in local memory"), "{said}");
}

#[test]
fn inputs_that_are_none() {
    let scratch = scratch();
    scratch.file("empty.spv", "");
    scratch.file("cut.spv", &0x0723_0203_u32.to_le_bytes()[..]);
    std::fs::create_dir(scratch.path("folder")).expect("a folder");
    for (input, code) in [("empty.spv", 1), ("cut.spv", 1), ("graph.cfg", 1), ("folder", 75), ("missing.spv", 75)] {
        scratch.run(&["compile", input, "-o", "out.spv"]).ended(code);
        scratch.run(&["check", input]).ended(code);
        scratch.run(&["run", input, "--global", "1"]).ended(code);
    }
    assert!(!scratch.names().contains(&"out.spv".to_owned()));
}

#[test]
fn inputs_are_compiled_each_for_itself() {
    let scratch = Scratch::new();
    scratch.module();
    let compile = |flags: &[&str]| scratch.run(&[&["compile"], flags, &["--separate"]].concat());
    compile(&[KERNEL, "module.ir", "-o", "out"]).ended(0);
    let names = |folder: &str| {
        let mut names: Vec<String> = fs::read_dir(scratch.path(folder))
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("out"), ["align_mask.spv", "module.ir"]);
    let said = compile(&["module.ir", KERNEL, "-o", "zero", "--reflection", "zero"]).ended(0).stderr();
    assert!(
        said.contains("note: module.ir: there is no reflection, because the module has no OpenCL kernel"),
        "{said}"
    );
    assert_eq!(names("zero"), ["align_mask.json", "align_mask.spv", "module.ir"]);
    let said =
        compile(&["module.ir", KERNEL, "-o", "kept", "--reflection", "kept", "--target", "input"]).ended(2).stderr();
    assert!(said.contains("2 of 2 inputs failed: module.ir, "), "{said}");
    compile(&[KERNEL, "-o", "two", "--reflection", "two", "--report", "pages", "--to", "asm"]).ended(0);
    assert_eq!(
        (names("two"), names("pages")),
        (vec!["align_mask.json".to_owned(), "align_mask.spvasm".to_owned()], vec!["align_mask.html".to_owned()])
    );
    scratch.file("broken.spv", "no module");
    let said = compile(&["broken.spv", "module.ir", "-o", "three"]).ended(1).stderr();
    assert!(said.contains("1 of 2 inputs failed: broken.spv; the others are compiled"), "{said}");
    let said = compile(&["broken.spv", "-o", "three"]).ended(1).stderr();
    assert!(said.contains("1 of 1 inputs failed: broken.spv\n"), "{said}");
    assert_eq!(names("three"), ["module.ir"]);
    for (flags, wanted) in [
        (&["module.ir", "module.ir", "-o", "four"][..], "two inputs would be written to four/module.ir"),
        (&["-", "-o", "four"], "stdin has no name"),
        (&["module.ir", "-o", "-"], "writes files into a folder"),
        (&["module.ir", "-o", "module.ir"], "writes files into a folder"),
        (&["module.ir", "-o", "new.spv"], "writes files into a folder"),
        (&["module.ir", "-o", "four", "--reflection", "r.json"], "r.json is none"),
        (&["module.ir", KERNEL, "-o", "."], "would overwrite the input module.ir"),
        (&["module.ir", "-o", "four", "-MD", "-MF", "x.d"], "-MF names the rule of one output"),
    ] {
        let said = compile(flags).ended(2).stderr();
        assert!(said.contains(wanted), "{said}");
    }
}
