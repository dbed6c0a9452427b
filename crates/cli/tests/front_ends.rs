//! How front ends end: small scripts take the place of clang and fail in every way that a program can.
#![cfg(unix)]

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::common::{Ran, Scratch, content};

const KERNEL: &str = "kernel void saxpy(global float *y) { }\n";

/// What clang writes for a kernel.
fn module() -> Vec<u8> {
    content(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/vulkan_host/saxpy.spv").as_ref())
}

/// A scratch folder with a kernel, a module, and a front end that does what the body says. The body knows the output as `$out` and the
/// source as `$in`.
fn scratch(body: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("k.cl", KERNEL);
    scratch.file("module", module());
    let fake = format!(
        "#!/bin/sh\ncase \"$1\" in --version) echo 'fake clang version 22.9.9'; exit 0;; esac\n\
         case \"$*\" in *-emit-llvm*) exit 0;; esac\n\
         for word; do case \"$before\" in -o) out=$word;; esac; before=$word; in=$word; done\n{body}\n"
    );
    let path = scratch.file("fake", fake);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    scratch
}

/// Compiles the kernel with the front end of the folder.
fn compile(scratch: &Scratch, flags: &[&str]) -> Ran {
    let mut command = scratch.command(&["compile", "k.cl", "-o", "out.spv"]);
    Ran(command.args(flags).env("CLANG", scratch.path("fake")).output().expect("the command starts"))
}

const GOOD: &str = "cp module \"$out\"";

#[test]
fn a_front_end_that_ends_well_gives_the_module() {
    let scratch = scratch(GOOD);
    let said = compile(&scratch, &[]).ended(0).stderr();
    assert_eq!(said, "");
    assert_eq!(scratch.names(), ["fake", "k.cl", "module", "out.spv"]);
    scratch.run(&["check", "out.spv"]).ended(0);
}

#[test]
fn a_missing_front_end_is_an_error_of_usage_with_the_way_to_install_it() {
    let scratch = scratch(GOOD);
    let mut command = scratch.command(&["compile", "k.cl", "-o", "out.spv"]);
    let said = Ran(command.env("PATH", scratch.path("")).env_remove("CLANG").output().unwrap()).ended(2).stderr();
    assert!(said.contains("error[front-end-missing]") && said.contains("apt-get install clang-22"), "{said}");
    let said = compile(&scratch, &["--front-end", "no-such-clang"]).ended(2).stderr();
    assert!(said.contains("no-such-clang") && said.contains("--front-end names"), "{said}");
    let mut command = scratch.command(&["compile", "k.cl", "-o", "out.spv"]);
    let said = Ran(command.env("CLANG", "./not-there").output().unwrap()).ended(2).stderr();
    assert!(said.contains("./not-there") && said.contains("CLANG names"), "{said}");
    // A program that is there and is none.
    let said = compile(&scratch, &["--front-end", "./module"]).ended(2).stderr();
    assert!(said.contains("cannot be started"), "{said}");
    assert_eq!(scratch.names(), ["fake", "k.cl", "module"]);
}

#[test]
fn an_old_front_end_is_named() {
    let scratch = scratch(GOOD);
    let old = scratch.file("clang", "#!/bin/sh\necho clang version 14.0.1\n");
    fs::set_permissions(old, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let mut command = scratch.command(&["compile", "k.cl", "-o", "out.spv"]);
    let said = Ran(command.env("PATH", scratch.path("")).output().unwrap()).ended(2).stderr();
    assert!(said.contains("clang 14.0.1 is too old"), "{said}");
}

#[test]
fn what_a_front_end_says_is_shown_as_it_is() {
    let message = "k.cl:1:8: error: no such thing\n    1 | kernel\n      |        ^";
    let scratch = scratch(&format!("printf '%s\\n' '{message}' >&2\nexit 1"));
    scratch.file("out.spv", "as it was");
    let said = compile(&scratch, &[]).ended(1).stderr();
    assert!(said.starts_with(&format!("{message}\nerror[front-end]: ")), "{said}");
    assert!(said.contains("refused the source (exit code 1)") && said.contains("--> k.cl"), "{said}");
    assert_eq!(content(&scratch.path("out.spv")), b"as it was");
    let said = compile(&scratch, &["-q"]).ended(1).stderr();
    assert!(said.starts_with(message), "{said}");
    let said = compile(&scratch, &["--error-format", "json"]).ended(1).json();
    assert_eq!(said.len(), 2);
    assert_eq!((said[0]["code"].as_str(), said[0]["message"].as_str()), (Some("front-end"), Some("no such thing")));
    assert_eq!((said[0]["file"].as_str(), said[0]["place"]["line"].as_u64()), (Some("k.cl"), Some(1)));
    assert!(said[0]["context"].as_str().unwrap().contains("1 | kernel"));
}

#[test]
fn warnings_are_shown_and_are_no_failure() {
    let scratch = scratch(&format!("echo 'k.cl:1:8: warning: odd'\n{GOOD}"));
    assert_eq!(compile(&scratch, &[]).ended(0).stderr(), "k.cl:1:8: warning: odd\n");
    assert_eq!(compile(&scratch, &["-q"]).ended(0).stderr(), "");
    let said = compile(&scratch, &["--error-format", "json"]).ended(0).json();
    assert_eq!((said.len(), said[0]["severity"].as_str()), (1, Some("warning")));
}

#[test]
fn a_crash_is_said_with_its_signal() {
    for (body, how) in [
        ("kill -SEGV $$", "signal 11, SIGSEGV"),
        ("exit 134", "signal 6, SIGABRT"),
        ("echo 'PLEASE submit a bug report to us'; exit 1", "an internal error"),
    ] {
        let said = compile(&scratch(body), &[]).ended(1).stderr();
        assert!(said.contains("error[front-end-crash]") && said.contains(how), "{body}: {said}");
        assert!(said.contains("bug of the front end"), "{said}");
    }
}

#[test]
fn success_without_a_module_is_an_error() {
    for (body, what) in [
        ("exit 0", "wrote no module"),
        (": > \"$out\"", "wrote no module"),
        ("echo hello > \"$out\"", "6 bytes are not SPIR-V"),
        ("printf 'BC\\300\\336' > \"$out\"", "4 bytes are not SPIR-V"),
        ("head -c 101 module > \"$out\"", "101 bytes"),
    ] {
        let scratch = scratch(body);
        let said = compile(&scratch, &[]).ended(1).stderr();
        assert!(said.contains("error[front-end-output]") && said.contains(what), "{body}: {said}");
        assert_eq!(scratch.names(), ["fake", "k.cl", "module"]);
    }
}

#[test]
fn a_module_that_is_not_valid_is_the_fault_of_the_front_end() {
    for body in ["head -c 100 module > \"$out\"", "{ head -c 20 module; tail -c 400 module; } > \"$out\""] {
        let scratch = scratch(body);
        for command in
            [&["compile", "k.cl", "-o", "out.spv"][..], &["check", "k.cl"], &["link", "k.cl", "-o", "out.spv"]]
        {
            let ran =
                Ran(scratch.command(command).env("CLANG", scratch.path("fake")).output().expect("the command starts"));
            let said = ran.ended(1).stderr();
            assert!(said.contains("error[front-end-invalid]") && said.contains("clang 22.9.9"), "{body}: {said}");
        }
        assert_eq!(scratch.names(), ["fake", "k.cl", "module"]);
    }
}

#[test]
fn messages_without_end_are_cut() {
    let scratch = scratch(&format!("yes 'a line of a message' | head -c 8000000 >&2\n{GOOD}"));
    let said = compile(&scratch, &[]).ended(0).stderr();
    assert!(said.len() < 1_200_000 && said.ends_with("more bytes of messages)\n"), "{}", said.len());
}

#[test]
fn names_that_look_like_flags_are_names() {
    let scratch = scratch(&format!("printf '%s\\n' \"$in\" >> seen\n{GOOD}"));
    for name in ["-k x.cl", "@k.cl", "a b/k.cl"] {
        fs::create_dir_all(scratch.path("a b")).unwrap();
        scratch.file(name, KERNEL);
        let mut command = scratch.command(&["compile", "-o", "out.spv", "--", name]);
        Ran(command.env("CLANG", scratch.path("fake")).output().expect("the command starts")).ended(0);
    }
    assert_eq!(content(&scratch.path("seen")), b"./-k x.cl\n./@k.cl\na b/k.cl\n");
    let name = PathBuf::from(std::ffi::OsStr::from_bytes(b"\xff.cl"));
    fs::write(scratch.path("").join(&name), b"kernel void f() { /* \xfe */ }\n").unwrap();
    let mut command = scratch.command(&["compile", "-o", "out.spv"]);
    Ran(command.arg(&name).env("CLANG", scratch.path("fake")).output().expect("the command starts")).ended(0);
    assert!(content(&scratch.path("seen")).ends_with(b"\n\xff.cl\n"));
}

#[test]
fn a_source_from_stdin_needs_its_language() {
    let scratch = scratch(&format!("printf '%s\\n' \"$in\"\ncat > seen\n{GOOD}"));
    let said = scratch.feed(&["compile", "-", "-o", "out.spv"], KERNEL.as_bytes()).ended(1).stderr();
    assert!(said.contains("OpenCL C source") && said.contains("--from opencl"), "{said}");
    let front_end = scratch.path("fake").display().to_string();
    let flags = ["compile", "-", "-o", "out.spv", "--from", "opencl", "--front-end", &front_end];
    assert_eq!(scratch.feed(&flags, b"kernel \xff").ended(0).stderr(), "-\n");
    assert_eq!(content(&scratch.path("seen")), b"kernel \xff");
    assert!(scratch.feed(&flags, b" \n").ended(1).stderr().contains("error[empty-input]"));
}

#[test]
fn verbose_prints_the_command_line_and_flags_are_passed_on() {
    let scratch = scratch(GOOD);
    let flags = ["-v", "-DA=1", "-I", "dir", "--std", "CL3.0", "-include", "a.h", "--front-end-arg", "-MD"];
    let said = compile(&scratch, &flags).ended(0).stderr();
    let line = said.lines().find(|line| line.starts_with("run (version 22.9.9): ")).unwrap();
    for part in ["-cl-std=CL3.0", "-DA=1", "-Idir", "-include a.h", " -MD -c -o ", " k.cl", "--target=spirv64"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let said = compile(&scratch, &["-v", "--error-format", "json"]).ended(0).json();
    let command = said.iter().find(|object| object["kind"] == "front-end").unwrap();
    assert_eq!(command["version"], "22.9.9");
}

#[test]
fn a_flag_that_no_input_takes_is_an_error_of_usage() {
    let scratch = scratch(GOOD);
    scratch.file("m.spv", module());
    scratch.file("k.comp", "#version 450\nvoid main() {}\n");
    for flags in [&["-DA"][..], &["-I", "a"], &["-include", "a"], &["--std", "CL3.0"], &["-g"], &["--front-end", "x"]] {
        let said = scratch.run(&[&["compile", "m.spv", "-o", "out.spv"], flags].concat()).ended(2).stderr();
        assert!(said.contains("no input is one") && said.contains(flags[0].get(..2).unwrap()), "{said}");
        scratch.run(&[&["check", "m.spv"], flags].concat()).ended(2);
    }
    let wrong = [
        (&["compile", "m.spv", "-o", "out.spv", "-MD"][..], "-MD"),
        (&["compile", "k.cl", "-o", "out.spv", "--stage", "compute"], "--stage"),
        (&["compile", "k.cl", "-o", "out.spv", "--entry", "f"], "--entry"),
        (&["compile", "k.cl", "-o", "out.spv", "-MF", "a.d"], "--dependencies"),
        (&["compile", "k.cl", "-o", "-", "-MD"], "-MD needs -MF"),
        (&["compile", "k.cl", "-o", "out.spv", "-MD", "-MF", "k.cl"], "would overwrite k.cl"),
        (&["link", "k.cl", "k.comp", "-o", "out.spv", "--front-end", "x"], "of one language"),
        (&["check", "k.comp", "--entry", "f"], "--entry"),
    ];
    for (command, what) in wrong {
        let ran =
            Ran(scratch.command(command).env("CLANG", scratch.path("fake")).output().expect("the command starts"));
        let said = ran.ended(2).stderr();
        assert!(said.contains(what), "{command:?}: {said}");
    }
    assert_eq!(scratch.names(), ["fake", "k.cl", "k.comp", "m.spv", "module"]);
}

#[test]
fn the_files_that_an_output_depends_on_are_listed() {
    let rule = "printf 'module: k.cl a\\\\ b.h \\\\\\n  sub/c.h\\n'";
    let scratch =
        scratch(&format!("for word; do case \"$last\" in -MF) {rule} > \"$word\";; esac; last=$word; done\n{GOOD}"));
    compile(&scratch, &["-MD"]).ended(0);
    assert_eq!(content(&scratch.path("out.d")), b"out.spv: \\\n  k.cl \\\n  a\\ b.h \\\n  sub/c.h\n");
    compile(&scratch, &["-MD", "-MF", "x.d", "-MT", "all", "-MQ", "a b", "-MP"]).ended(0);
    let expected = "all a\\ b: \\\n  k.cl \\\n  a\\ b.h \\\n  sub/c.h\n\na\\ b.h:\n\nsub/c.h:\n";
    assert_eq!(String::from_utf8(content(&scratch.path("x.d"))).unwrap(), expected);
}

/// A front end of another language, which writes down how it is called and copies a file to its output.
fn recording(scratch: &Scratch, output_flag: &str, file: &str) -> PathBuf {
    let fake = format!(
        "#!/bin/sh\ncase \"$1\" in --version|-v) echo 'libdxcompiler.so: 1.8 - 1.8.2405'; exit 0;; esac\n\
         for word; do case \"$before\" in {output_flag}) cp {file} \"$word\";; esac; before=$word; done\n\
         echo \"$@\" >> called\n"
    );
    let path = scratch.file("other", fake);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    path
}

#[test]
fn hlsl_is_compiled_to_dxil_and_on_request_to_spirv() {
    let scratch = scratch(GOOD);
    let container = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dxil/sort_and_count.O3.dxil");
    let dxc = recording(&scratch, "-Fo", container);
    scratch.file("a.comp.hlsl", "[numthreads(1, 1, 1)] void main() {}\n");
    let run = |flags: &[&str]| {
        let mut command = scratch.command(&["compile", "a.comp.hlsl", "-o", "out.spv"]);
        Ran(command.args(flags).env("DXC", &dxc).output().unwrap())
    };
    run(&["--shift", "u=100", "--entry", "f", "--std", "2021", "-DA=1"]).ended(0);
    let called = String::from_utf8(content(&scratch.path("called"))).unwrap();
    assert!(called.starts_with("-T cs_6_6 -E f -DA=1 -HV 2021 ") && called.ends_with(" a.comp.hlsl\n"), "{called}");
    assert!(!called.contains("-spirv"), "{called}");
    recording(&scratch, "-Fo", "module");
    let spirv = ["--front-end-arg", "-spirv", "--front-end-arg", "-T", "--front-end-arg", "cs_6_2"];
    run(&spirv).ended(0);
    run(&["--stage", "mesh"]).ended(0);
    assert!(run(&[&spirv[..], &["--shift", "u=100"]].concat()).ended(2).stderr().contains("--shift is for DXIL"));
    let called = String::from_utf8(content(&scratch.path("called"))).unwrap();
    let lines: Vec<&str> = called.lines().collect();
    assert!(lines[1].contains(" -spirv -T cs_6_2 ") && !lines[1].contains("cs_6_6"), "{called}");
    assert!(lines[2].starts_with("-T ms_6_6 -spirv "), "{called}");
    let said = scratch.run(&["compile", "a.comp.hlsl", "-o", "out.spv", "-include", "a.h"]).ended(2).stderr();
    assert!(said.contains("-include is not for HLSL"), "{said}");
}

#[test]
fn slang_from_stdin_is_a_file_for_its_front_end() {
    let scratch = scratch(GOOD);
    let slangc = recording(&scratch, "-o", "module").display().to_string();
    let flags = ["compile", "-", "--from", "slang", "--front-end", &slangc, "--stage", "compute", "-o", "out.spv"];
    scratch.feed(&flags, b"[shader(\"compute\")] void main() {}\n").ended(0);
    let called = String::from_utf8(content(&scratch.path("called"))).unwrap();
    assert!(
        called.starts_with("-lang slang -target spirv -g1 -fvk-use-entrypoint-name -stage compute ")
            && called.ends_with("/stdin\n"),
        "{called}"
    );
}
