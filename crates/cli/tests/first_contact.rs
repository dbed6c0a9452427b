//! What a newcomer meets: help, codes, files of the wrong kind, the example, colors.

use std::fs;

use crate::common::{NESTED, PREAMBLE, Ran, Scratch, content, invalid_module};

#[test]
fn short_help_is_shorter_than_long_help() {
    let scratch = Scratch::new();
    for command in ["compile", "check", "graph", "run"] {
        let [short, long] = ["-h", "--help"].map(|flag| scratch.run(&[command, flag]).ended(0).stdout());
        let lines = |text: &str| text.lines().count();
        assert!(lines(&short) <= 60 && lines(&short) < lines(&long), "{command}: {} {}", lines(&short), lines(&long));
        assert!(long.contains("Exit codes:") && !short.contains("Exit codes:"));
        assert!(short.contains("Examples:"), "{short}");
        let page = scratch.run(&["help", command]).ended(0).stdout();
        assert_eq!(scratch.run(&["help", command, "--help"]).ended(0).stdout(), page);
    }
    for flag in ["help", "--help", "-h"] {
        assert!(scratch.run(&["help", flag]).ended(0).stdout().contains("Usage: reconverge help [COMMAND]"), "{flag}");
    }
    scratch.run(&["help", "--no-such-flag"]).ended(2);
    let all = scratch.run(&["help"]).ended(0).stdout();
    for command in ["demo", "compile", "check", "run", "graph", "passes", "explain", "completions"] {
        assert!(all.contains(&format!("\n  {command} ")), "{all}");
    }
}

/// Long options that a help text describes, before or after its examples.
fn options(help: &str) -> Vec<&str> {
    let (_, help) = help.split_once("\nOptions:").expect("every command has options");
    let help = help.split("\nExamples:").next().expect("a text has a first part");
    let rows = help.lines().filter(|line| line.starts_with("  -") || line.starts_with("      --"));
    rows.filter_map(|line| line.split_whitespace().take(2).find(|word| word.starts_with("--"))).collect()
}

#[test]
fn help_fits_on_few_screens_and_begins_with_examples() {
    let scratch = Scratch::new();
    let help = |arguments: &[&str]| scratch.run(arguments).ended(0).stdout();
    let lines = |text: &str| text.lines().count();
    assert!(lines(&help(&["-h"])) <= 40, "{}", lines(&help(&["-h"])));
    for command in ["compile", "check", "run", "report", "link", "graph", "passes", "explain", "completions", "demo"] {
        let page = help(&["help", command]);
        assert!(lines(&page) <= 120, "{command}: {}", lines(&page));
        let long = help(&[command, "--help"]);
        assert_eq!(options(&page), options(&long), "{command}");
        assert!(page.contains("reconverge help exit-codes "), "{page}");
        let (examples, usage) = (page.find("Examples:"), page.find("Usage:"));
        assert!(examples.is_none() != long.contains("Examples:") && examples < usage, "{page}");
    }
    let first = help(&["help", "compile"]);
    assert!(first.lines().next().is_some_and(|line| line.contains("machine code")), "{first}");
    scratch.run(&["help", "no-such-command"]).ended(2);
}

#[test]
fn topics_of_help_are_the_tables_of_the_command() {
    let scratch = Scratch::new();
    let topic = |name: &str| scratch.run(&["help", name]).ended(0).stdout();
    let exit_codes = topic("exit-codes");
    assert!(scratch.run(&["compile", "--help"]).ended(0).stdout().contains(exit_codes.trim_end()), "{exit_codes}");
    assert!(exit_codes.contains("\n  75  reading or writing failed"), "{exit_codes}");
    let formats = topic("formats");
    let version = scratch.run(&["--version", "--json"]).ended(0).stdout();
    let version: serde_json::Value = serde_json::from_str(&version).unwrap();
    for name in version["formats"].as_array().unwrap() {
        assert!(formats.contains(&format!("\n  {} ", name.as_str().unwrap())), "{name}: {formats}");
    }
    for part in ["opencl", "glsl", "hlsl", "slang", "vulkan", "cpu", "vc4"] {
        assert!(formats.contains(&format!("\n  {part} ")), "{part}: {formats}");
    }
    let unsupported = topic("unsupported");
    assert!(unsupported.contains("\n  kernel-unsupported ") && unsupported.contains("\n  recursion "), "{unsupported}");
    let all = scratch.run(&["help"]).ended(0).stdout();
    for name in ["exit-codes", "formats", "unsupported"] {
        assert!(all.contains(&format!("  reconverge help {name} ")), "{all}");
    }
}

#[test]
fn every_code_has_a_page_and_stands_in_the_list() {
    let scratch = Scratch::new();
    let list = scratch.run(&["explain"]).ended(0).stdout();
    let version: serde_json::Value =
        serde_json::from_str(&scratch.run(&["--version", "--json"]).ended(0).stdout()).unwrap();
    let codes: Vec<&str> = version["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
    assert!(codes.len() > 200, "{}", codes.len());
    for code in codes.iter().step_by(17).chain(&["U12", "repaired", "run-limit", "structurize-limit", "W01", "R18"]) {
        assert!(list.contains(&format!("  {code} ")), "{code}");
        assert!(scratch.run(&["explain", code]).ended(0).stdout().starts_with(&format!("# {code}")), "{code}");
        scratch.run(&["check", "--explain", code]).ended(0);
    }
    let said = scratch.run(&["explain", "X99"]).ended(2).stderr();
    assert!(said.contains("`reconverge explain` lists all codes"), "{said}");
}

#[test]
fn files_of_the_wrong_kind_are_named() {
    let scratch = Scratch::new();
    let cases: [(&str, &[u8], &str, &str); 10] = [
        ("k.ir", b"kernel void f(global int *p) { *p = 1; }\n", "OpenCL C source", "--from opencl"),
        ("g.ir", b"#version 450\nvoid main() {}\n", "GLSL source", "--from glsl"),
        ("h.ir", b"[numthreads(1, 1, 1)]\nvoid main() {}\n", "HLSL source", "--from hlsl"),
        ("a.ir", b"@compute @workgroup_size(1)\nfn main() {}\n", "WGSL", "--from wgsl"),
        ("a.bc", b"BC\xc0\xde5\x14\0\0", "LLVM bitcode", "spirv64"),
        ("a.ll", b"; ModuleID = 'a'\nsource_filename = \"a.c\"\n", "LLVM IR", "spirv64"),
        ("d.spv", b"DXBC1234567890123456", "DXIL", "--from dxil"),
        ("a.o", b"\x7fELF\x02\x01\x01\0", "an ELF file", "clang"),
        ("a.spv", b"; SPIR-V\nOpCapability Shader\n", "SPIR-V assembly", ".spvasm"),
        ("b.spv", b"capability Shader\nfunc %main: %void () {\n", "the text form of the IR", "--from text"),
    ];
    for (name, bytes, kind, help) in cases {
        scratch.file(name, bytes);
        for command in [&["compile", name, "-o", "out.spv"][..], &["check", name], &["run", name, "--global", "1"]] {
            let said = scratch.run(command).ended(1).stderr();
            assert!(said.contains("error[wrong-kind]") && said.contains(kind) && said.contains(help), "{name}: {said}");
        }
    }
    // What is broken inside is of the right kind.
    scratch.file("c.spv", [3, 2, 0x23, 7, 0, 0, 1, 0]);
    assert!(scratch.run(&["check", "c.spv"]).ended(1).stderr().contains("error[spirv-length]"));
}

/// The code, the message, the place and the help of the only message about a file.
fn said_of(scratch: &Scratch, name: &str) -> [String; 3] {
    let text = scratch.run(&["check", name]).stderr();
    let part = |mark: &str| text.lines().find_map(|line| line.trim().strip_prefix(mark)).unwrap_or_default().to_owned();
    [part("error["), part("--> "), part("= help: ")]
}

#[test]
fn a_file_that_is_no_spirv_is_named_with_place_and_help() {
    let scratch = Scratch::new();
    let cases: [(&str, &[u8], &str, &str); 11] = [
        ("README.md", b"# Title\n\nA module.\n", "wrong-kind]: the input is text, not a module", "README.md:1:1"),
        ("a.spv", b"\n# Title\n\nA module.\n", "wrong-kind]: not SPIR-V: the input is text, not a module", "a.spv:2:1"),
        (
            "a.spv",
            b"#version 450\nvoid main() {}\n",
            "wrong-kind]: not SPIR-V: the input looks like GLSL source",
            "a.spv:1:1",
        ),
        (
            "a.spv",
            b"kernel void f() {}\n",
            "wrong-kind]: not SPIR-V: the input looks like OpenCL C source",
            "a.spv:1:1",
        ),
        ("a.spv", b"; SPIR-V\nOpNop\n", "wrong-kind]: not SPIR-V: the input looks like SPIR-V assembly", "a.spv:1:1"),
        ("a.spv", b"\x7fELF\x02\x01", "wrong-kind]: not SPIR-V: the input is an ELF file", "a.spv, byte 0"),
        ("a.spv", b"PK\x03\x04ab", "wrong-kind]: not SPIR-V: the input is a zip file", "a.spv, byte 0"),
        ("a.spv", b"\x1f\x8b\x08\0", "wrong-kind]: not SPIR-V: the input is a gzip file", "a.spv, byte 0"),
        ("a.spv", b"BC\xc0\xde5\x14\0\0", "wrong-kind]: not SPIR-V: the input is LLVM bitcode", "a.spv, byte 0"),
        (
            "a.spv",
            b"\0\x01\x02\x03\x04",
            "spirv-magic]: expected the magic number 0x07230203 in either byte order, found 0x03020100",
            "a.spv, word 0 (byte 0)",
        ),
        ("a.spv", b"", "empty-input]: the input is empty", "a.spv"),
    ];
    for (name, bytes, message, place) in cases {
        scratch.file(name, bytes);
        let [said, at, help] = said_of(&scratch, name);
        assert_eq!((said.as_str(), at.as_str()), (message, place));
        assert!(help.split(' ').count() > 3, "{message}: {help}");
    }
    fs::create_dir(scratch.path("folder")).unwrap();
    let [said, at, help] = said_of(&scratch, "folder");
    assert_eq!((said.as_str(), at.as_str()), ("io]: the input is a directory, not a file", "folder"));
    assert!(help.contains("name a file in it"), "{help}");
}

#[test]
fn a_module_that_is_cut_off_is_truncated_whichever_byte_order_it_has() {
    let scratch = Scratch::new();
    scratch.module();
    scratch.run(&["compile", "module.ir", "-o", "whole.spv"]).ended(0);
    let little = content(&scratch.path("whole.spv"));
    let big: Vec<u8> = little.chunks_exact(4).flat_map(|word| word.iter().rev()).copied().collect();
    for module in [&little, &big] {
        scratch.file("whole.spv", module);
        scratch.run(&["check", "whole.spv"]).ended(0);
        // After the header and one word of the first instruction, OpCapability, which has two.
        for (length, message, place) in [
            (
                24,
                "spirv-word-count]: the module is truncated after word 6 of at least 7: the instruction at word 5 has 2 words",
                "cut.spv, word 5 (byte 20)",
            ),
            (
                27,
                "spirv-length]: the module is truncated after word 6 of at least 7: the next word has 3 bytes instead of 4",
                "cut.spv, word 6 (byte 24)",
            ),
            (
                9,
                "spirv-length]: the module is truncated after word 2 of at least 5: the header has 5 words",
                "cut.spv, word 2 (byte 8)",
            ),
        ] {
            scratch.file("cut.spv", &module[..length]);
            let [said, at, help] = said_of(&scratch, "cut.spv");
            assert_eq!((said.as_str(), at.as_str()), (message, place));
            assert!(help.contains("check that the file is complete"), "{help}");
        }
    }
}

#[test]
fn levels_above_the_highest_are_the_highest() {
    let scratch = Scratch::new();
    scratch.file("in.ir", format!("{PREAMBLE}{NESTED}"));
    let compiled = |flags: &[&str]| {
        scratch.run(&[&["compile", "in.ir", "-o", "out.ir"], flags].concat()).ended(0);
        content(&scratch.path("out.ir"))
    };
    let highest = compiled(&["-O1"]);
    for flags in [&["-O"][..], &["-O2"], &["-O3"], &["-O", "1"], &[]] {
        assert_eq!(compiled(flags), highest, "{flags:?}");
    }
    let first = scratch.run(&["compile", "-O", "in.ir", "-o", "-"]).ended(0);
    assert_eq!(first.stdout().into_bytes(), highest);
}

#[test]
fn colors_are_asked_for_or_are_for_terminals() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    let colored =
        |flags: &[&str]| scratch.run(&[&["check", "invalid.ir"], flags].concat()).ended(1).stderr().contains('\u{1b}');
    assert!(!colored(&[]) && !colored(&["--color", "never"]) && colored(&["--color=always"]));
    let usage =
        |flags: &[&str]| scratch.run(&[&["check", "--nothing"], flags].concat()).ended(2).stderr().contains('\u{1b}');
    assert!(!usage(&[]) && usage(&["--color", "always"]));
}

#[test]
fn a_quiet_run_prints_errors_alone() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    let quiet = scratch.run(&["check", "invalid.ir", "-q"]).ended(1).stderr();
    assert!(quiet.contains("error["), "{quiet}");
    scratch.run(&["check", "invalid.ir", "-q", "-v"]).ended(2);
    scratch.module();
    let said = scratch.run(&["compile", "module.ir", "-o", "out.spv", "-v"]).ended(0).stderr();
    assert!(
        said.starts_with("read module.ir: ") && said.contains("structurize: ") && said.contains("wrote out.spv"),
        "{said}"
    );
}

#[test]
fn the_demo_shows_each_step_and_writes_its_report() {
    let scratch = Scratch::new();
    let shown = scratch.run(&["demo"]).ended(0).stdout();
    for part in [
        "kernel void search",
        "if item is odd: goto step",
        "the only entry of the loop   ◀ added",
        "if item is odd: goto loop (next = step)",
        "fn search(",
        "reconverge-demo.html shows",
        "Next, in a clone",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("__clang") && !shown.contains('\x1b'), "names are those of the source: {shown}");
    let results: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split_once(": argument 0 (answer) = ").map(|(_, results)| results))
        .collect();
    assert_eq!(results, ["1 5 5 5 5 10 10 10"; 2]);
    assert_eq!(scratch.names(), ["reconverge-demo.html"]);
    let page = String::from_utf8(content(&scratch.path("reconverge-demo.html"))).expect("the page is UTF-8");
    assert!(page.contains("</html>"));
}

#[test]
fn the_demo_takes_colors_and_another_file() {
    let scratch = Scratch::new();
    let shown = scratch.run(&["demo", "--color", "always", "-o", "data.json"]).ended(0).stdout();
    assert!(shown.contains("\x1b[32m") && shown.contains("data.json shows"), "{shown}");
    let shown = scratch.run(&["demo", "-o", "both.svg"]).ended(0).stdout();
    assert!(shown.contains("both.svg has both pictures"), "{shown}");
    let page = scratch.run(&["demo", "-o", "-"]).ended(0).stdout();
    assert!(page.starts_with("<!") && page.trim_end().ends_with("</html>"), "the page alone");
    let data: serde_json::Value =
        serde_json::from_slice(&content(&scratch.path("data.json"))).expect("the data is JSON");
    assert_eq!(data["input"]["name"], "examples/search.spv");
    let shown = scratch.run(&["demo", "-o", "missing/page.html"]).ended(75).stdout();
    assert!(shown.contains("The report was not written to missing/page.html"), "{shown}");
}

#[test]
fn shells_get_their_completions() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = scratch.run(&["completions", shell]).ended(0).stdout();
        assert!(script.contains("strip-merges") && script.contains("reconverge"), "{shell}");
    }
    scratch.run(&["completions", "cmd"]).ended(2);
}

#[test]
fn control_flow_is_drawn() {
    let scratch = Scratch::new();
    scratch.file("in.ir", format!("{PREAMBLE}{NESTED}"));
    let drawn = scratch.run(&["compile", "in.ir", "-O0", "-o", "-", "--to", "dot"]).ended(0).stdout();
    assert!(drawn.starts_with("digraph module {") && drawn.ends_with("}\n"), "{drawn}");
    for part in ["%main, stage structured", "[label=\"true\"]", "label=\"merge\"", "penwidth=2"] {
        assert!(drawn.contains(part), "{part}\n{drawn}");
    }
    let one =
        scratch.run(&["compile", "in.ir", "-O0", "-o", "-", "--to", "dot", "--function", "main"]).ended(0).stdout();
    assert_eq!(one, drawn);
    let said = scratch.run(&["compile", "in.ir", "-o", "out.dot", "--function", "none"]).ended(2).stderr();
    assert!(said.contains("there are %main"), "{said}");
    let two = ["compile", "in.ir", "-o", "out.dot", "--function", "main", "--function", "none"];
    assert!(scratch.run(&two).ended(2).stderr().contains("no function none"));
    scratch.run(&["compile", "in.ir", "-o", "out.spv", "--function", "main"]).ended(2);
    scratch.run(&["compile", "in.ir", "-o", "out.dot", "--reflection", "r.json"]).ended(2);
    assert_eq!(scratch.names(), ["in.ir"]);
}

/// An instruction that means nothing to execution names its function, and the function is inlined in front of it.
const NAMED: &str = "; Version: 1.5
OpCapability Shader
OpExtension \"SPV_KHR_non_semantic_info\"
%tool = OpExtInstImport \"NonSemantic.MyTool.1\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %buffer
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%buffer = OpVariable %to_block StorageBuffer
%main = OpFunction %void None %fn
%start = OpLabel
%call = OpFunctionCall %void %helper
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %fn
%body = OpLabel
%note = OpExtInst %void %tool 7 %helper
%word = OpAccessChain %to_uint %buffer %zero
OpStore %word %zero
OpReturn
OpFunctionEnd
";

#[test]
fn what_is_inlined_names_no_function_that_comes_later() {
    let scratch = Scratch::new();
    scratch.file("named.spvasm", NAMED);
    for level in ["-O0", "-O1", "-Os"] {
        scratch.run(&["compile", "named.spvasm", level, "-o", "out.spv"]).ended(0);
        scratch.run(&["check", "out.spv"]).ended(0);
        let text = scratch.run(&["compile", "out.spv", "-O0", "-o", "-", "--to", "text"]).ended(0).stdout();
        let main = text.split("func ").nth(1).unwrap();
        assert!(!main.contains("ext_inst"), "{level}: {text}");
    }
}

#[test]
fn graphs_of_the_wrong_kind_are_named() {
    let scratch = Scratch::new();
    scratch.file("named.spvasm", NAMED);
    scratch.run(&["compile", "named.spvasm", "-o", "k.spv"]).ended(0);
    scratch.file("k.cl", "kernel void f(global int *p) { *p = 1; }\n");
    for (name, kind) in [("k.spv", "SPIR-V"), ("k.cl", "OpenCL C source"), ("named.spvasm", "SPIR-V assembly")] {
        let said = scratch.run(&["graph", name]).ended(1).stderr();
        assert!(said.contains("error[wrong-kind]") && said.contains(kind), "{name}: {said}");
    }
    let said = scratch.run(&["run", "k.spv", "--global", "1"]).ended(1).stderr();
    assert!(said.contains("it is a shader"), "{said}");
}

#[test]
fn bytes_are_refused_before_a_front_end_sees_them() {
    let scratch = Scratch::new();
    let png: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let cases: [(&str, &[u8], &str, &str); 10] = [
        ("a.cl", &[3, 2, 0x23, 7, 0, 0, 1, 0], "is SPIR-V, not OpenCL C", "--from spirv"),
        ("b.comp", &[3, 2, 0x23, 7, 0, 0, 1, 0], "is SPIR-V, not GLSL", "name it .spv"),
        ("c.wgsl", b"DXBC\0\0\0\0\0\0\0\0\0\0\0\0", "is DXIL, not WGSL", "--from dxil"),
        ("d.hlsl", b"\x7fELF\x02\x01\x01\0", "is an ELF file, not HLSL", "give the source"),
        ("e.frag", png, "is a PNG image, not GLSL", "help formats"),
        ("f.slang", b"\x01\x02\0\x03", "is binary data, not Slang", "help formats"),
        ("g.cl", b"\xff\xfek\0e\0r\0", "is text in UTF-16, not OpenCL C", "save it as UTF-8"),
        ("h.ll", b"\x01\x02\0\x03", "is binary data, not a module", "help formats"),
        ("i.ir", png, "is a PNG image, not the text form of the IR", "help formats"),
        ("j.clcpp", b"BC\xc0\xde5\x14\0\0", "is LLVM bitcode, not C++ for OpenCL", "spirv64"),
    ];
    for (name, bytes, message, help) in cases {
        scratch.file(name, bytes);
        for command in [&["compile", name, "-o", "out.spv"][..], &["check", name], &["link", name, "-o", "out.spv"]] {
            let said = scratch.run(command).ended(1).stderr();
            let first = format!("error[wrong-kind]: the input {message}\n--> {name}, byte 0\n = help: ");
            assert!(said.starts_with(&first) && said.contains(help), "{name}: {said}");
        }
    }
    let said = scratch.feed(&["compile", "-", "--from", "opencl", "-o", "out.spv"], png).ended(1).stderr();
    assert!(said.contains("is a PNG image, not OpenCL C\n--> <stdin>, byte 0"), "{said}");
    let said = scratch.feed(&["graph", "-"], png).ended(1).stderr();
    assert!(said.contains("error[wrong-kind]: the input is a PNG image\n"), "{said}");
}

#[test]
fn a_usage_error_names_its_command() {
    let scratch = Scratch::new();
    scratch.module();
    for (command, flags) in [
        ("compile", &["module.ir", "-o", "out.foo"][..]),
        ("check", &["module.ir", "--dump", "dxil"]),
        ("link", &["module.ir", "-o", "out.foo"]),
        ("graph", &["module.ir", "-o", "out.foo"]),
        ("run", &["module.ir"]),
        ("report", &["module.ir", "-o", "module.ir"]),
        ("explain", &["no-such-code"]),
    ] {
        let said = scratch.run(&[&[command], flags].concat()).ended(2).stderr();
        assert!(said.contains(&format!("= help: `reconverge help {command}` has all options")), "{said}");
    }
}

#[test]
fn the_list_of_formats_says_what_is_only_read_or_only_written() {
    let scratch = Scratch::new();
    let said = scratch.run(&["help", "formats"]).ended(0).stdout();
    let is_marked = |extension: &str, mark: &str| {
        said.lines().any(|line| line.contains(&format!(" .{extension} ")) && line.contains(&format!("({mark} only")))
    };
    for (extension, is_read, is_written) in [
        ("spv", true, true),
        ("rcv", true, true),
        ("dxil", true, false),
        ("wgsl", true, true),
        ("comp", false, true),
        ("metal", false, true),
        ("dot", false, true),
        ("cpu", false, true),
    ] {
        assert_eq!(
            (is_marked(extension, "input"), is_marked(extension, "output")),
            (!is_written, !is_read),
            "{extension}"
        );
    }
    scratch.module();
    let said = scratch.run(&["compile", "module.ir", "-o", "out.foo"]).ended(2).stderr();
    assert!(said.contains("use .spv, ") && !said.contains(".dxil"), "{said}");
    let said = scratch.run(&["compile", "module.ir", "-o", "out", "--to", "frob"]).ended(2).stderr();
    assert!(said.contains("wgsl") && !said.contains("dxil"), "{said}");
    let said = scratch.run(&["compile", "module.ir", "-o", "out.dxil"]).ended(3).stderr();
    assert!(said.contains("error[write-dxil]"), "{said}");
}

#[test]
fn errors_of_files_say_what_is_there_instead() {
    let scratch = Scratch::new();
    scratch.module();
    fs::create_dir(scratch.path("folder")).unwrap();
    for (flags, message, help) in [
        (&["check", "none.spv"][..], "cannot read the input: no such file or directory\n", "check the path"),
        (&["check", "none/a.spv"], "cannot read the input: no such file or directory\n", "there is no folder none:"),
        (&["compile", "module.ir", "-o", "none/a.spv"], "cannot write the output: no such", "there is no folder none:"),
        (&["compile", "module.ir", "-o", "folder"], "cannot write the output: is a directory\n", "name a file, not"),
        (&["run", "module.ir", "--launch", "folder"], "cannot read the launch: is a directory\n", "name a file, not"),
        (&["graph", "folder"], "the input is a directory, not a file\n", "name a file in it"),
    ] {
        let said = scratch.run(flags).ended(75).stderr();
        assert!(said.starts_with(&format!("error[io]: {message}")) && said.contains(help), "{said}");
    }
    scratch.file("launch.spv", [3, 2, 0x23, 7, 0, 0, 1, 0xff]);
    let said = scratch.run(&["run", "module.ir", "--launch", "launch.spv"]).ended(1).stderr();
    assert!(said.starts_with("error[run-launch]: the launch is SPIR-V, not JSON\n--> launch.spv"), "{said}");
    for flags in
        [&["report", "module.ir", "-o", "r.foo"][..], &["compile", "module.ir", "-o", "-", "--report", "r.foo"]]
    {
        let said = scratch.run(flags).ended(2).stderr();
        assert!(
            said.contains("the extension .foo names no form of a report: use .html for the page, or .json"),
            "{said}"
        );
    }
    assert_eq!(scratch.names(), ["folder", "launch.spv", "module.ir"]);
}

#[test]
fn a_front_end_that_names_no_line_is_explained() {
    let scratch = Scratch::new();
    scratch.file("k.cl", "kernel void f() {}\n");
    let compile = |flags: &[&str], code: i32| {
        scratch.run(&[&["compile", "k.cl", "-o", "out.spv"], flags].concat()).ended(code).stderr()
    };
    let said = compile(&["--std", "CL9"], 1);
    assert!(said.contains("help: no line is named: --std, -D, -I and --front-end-arg go to the front end"), "{said}");
    let said = compile(&["--front-end", "no-such-program"], 2);
    assert!(said.contains("the front end no-such-program, which --front-end names, is not found"), "{said}");
    assert!(said.contains("help: name a program on PATH, or the path of one; without --front-end"), "{said}");
    scratch.file("k.cl", "kernel void f() { x }\n");
    let said = compile(&[], 1);
    assert!(said.contains("help: correct the text where the message points"), "{said}");
    scratch.module();
    let flags = ["compile", "module.ir", "-o", "out.wgsl", "--shader-version", "7"];
    let said = scratch.run(&flags).ended(2).stderr();
    assert!(said.contains("it has no versions") && said.contains("help: leave out --shader-version"), "{said}");
}

/// A full device is no reader that has ended: it is reported, and is no bug.
#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_is_reported() {
    let scratch = Scratch::new();
    scratch.module();
    let dxil = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dxil/barrier.Zi.dxil");
    let commands: [&[&str]; 6] = [
        &["check", "module.ir", "--format", "sarif"],
        &["check", dxil, "--dump", "dxil"],
        &["explain", "W01"],
        &["help", "formats"],
        &["--version"],
        &["passes"],
    ];
    for arguments in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has this device");
        let ran = Ran(scratch.command(arguments).stdout(full).output().expect("the command starts")).ended(75);
        assert!(ran.stderr().contains("no space left on device"), "{arguments:?}: {}", ran.stderr());
    }
}

#[test]
fn a_source_that_is_not_compiled_is_in_the_log_of_its_check() {
    let scratch = Scratch::new();
    scratch.file("bad.comp", "#version 450\nvoid main() { undeclared = 1; }\n");
    let ran = scratch.run(&["check", "bad.comp", "--format", "sarif"]).ended(1);
    let log: serde_json::Value = serde_json::from_str(&ran.stdout()).expect("it is JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["ruleId"]), (&"error".into(), &"front-end".into()), "{log}");
}

#[test]
fn words_of_messages_have_pages() {
    let scratch = Scratch::new();
    for word in ["header split", "irreducible dispatch", "loop exit dispatch", "error[R18]", "Ladder", "w01"] {
        scratch.run(&["explain", word]).ended(0);
    }
    scratch.run(&["explain", "dispatch of nothing"]).ended(2);
}

#[test]
fn programs_get_the_help_that_people_get() {
    let scratch = Scratch::new();
    let said = scratch.run(&["check", "absent.spv"]).ended(75).stderr();
    let object = scratch.run(&["check", "absent.spv", "--error-format", "json"]).ended(75).json().remove(0);
    let help = object["suggestion"].as_str().expect("it has one");
    assert!(said.contains(help), "{said}{help}");
}

#[test]
fn an_output_of_a_run_replaces_none_of_its_inputs() {
    let scratch = Scratch::new();
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/search.spv");
    scratch.file("x.bin", [0; 16]);
    let arguments = ["--arg", "in:u32[4]=@x.bin", "--arg", "out:u32[4]", "--arg", "u32=1", "--arg", "u32=4"];
    let command = [&["run", kernel, "--global", "4", "--dump", "x.bin"][..], &arguments].concat();
    let said = scratch.run(&command).ended(2).stderr();
    assert!(said.contains("--dump would overwrite x.bin"), "{said}");
}

#[test]
fn a_picture_counts_the_edges_that_it_draws() {
    let scratch = Scratch::new();
    let cases = " b".repeat(3000);
    scratch.file("wide.cfg", format!("a switch b{cases}\nb ret\n"));
    scratch.run(&["graph", "wide.cfg", "-o", "wide.svg"]).ended(0);
    let cases: String = (0..3000).map(|number| format!(" b{number}")).collect();
    let blocks: String = (0..3000).map(|number| format!("b{number} ret\n")).collect();
    scratch.file("many.cfg", format!("a switch{cases}\n{blocks}"));
    let said = scratch.run(&["graph", "many.cfg", "-o", "many.svg"]).ended(2).stderr();
    assert!(said.contains("up to 2000"), "{said}");
}

#[test]
fn a_stage_that_the_module_does_not_have_is_named() {
    let scratch = Scratch::new();
    let wave = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/wave.comp");
    let said = scratch.run(&["compile", wave, "-o", "wave.frag"]).ended(2).stderr();
    assert!(said.contains("no entry point of the stage fragment; the module has `main` (compute)"), "{said}");
}

#[test]
fn steps_of_a_finding_are_in_terms_of_the_source() {
    let scratch = Scratch::new();
    let source = "#version 450\nlayout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer Words { uint words[]; };\n\
                  void main() {\n    if (words[gl_LocalInvocationIndex] > 3) {\n        barrier();\n    }\n}\n";
    scratch.file("apart.comp", source);
    let said = scratch.run(&["check", "apart.comp"]).ended(0).stderr();
    assert!(said.contains("only some invocations may reach line 6: they diverge at the branch at line 5"), "{said}");
    assert!(!said.contains('%') && !said.contains("block ^"), "{said}");
}
