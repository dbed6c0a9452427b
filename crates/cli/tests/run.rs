//! `reconverge run`: launches from files and flags, outputs, what kernels do wrong, engines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Ran, Scratch, content, invalid_module};

/// out[i] = in[i] * factor.
const SCALE: &str = "\
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %scale, \"scale\", %id
%void = type_void
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%v3u64 = type_vector %u64, 3
%buffer = type_pointer CrossWorkgroup, %u32
%input = type_pointer Input, %v3u64
%id: %input = variable Input {decorate BuiltIn 28}
func %scale: %void (%in: %buffer, %out: %buffer, %factor: %u32) {
block ^entry:
  %ids: %v3u64 = load %id, 2, 32
  %i: %u64 = composite_extract %ids, 0
  %p: %buffer = in_bounds_ptr_access_chain %in, %i
  %x: %u32 = load %p, 2, 4
  %y: %u32 = i_mul %x, %factor
  %q: %buffer = in_bounds_ptr_access_chain %out, %i
  store %q, %y, 2, 4
  return
}
";

/// What follows `run scale.ir` for `out` = 3, 6, 9, 12.
const THREEFOLD: [&str; 8] =
    ["--global", "4", "--arg", "in:u32[4]=list(1,2,3,4)", "--arg", "out:u32[4]", "--arg", "u32=3"];

/// The same in a file.
const LAUNCH: &str = r#"{
  "kernel": "scale", "global": [4],
  "args": [
    { "kind": "buffer", "type": "u32", "count": 4, "init": { "rule": "list", "values": [1, 2, 3, 4] } },
    { "kind": "buffer", "type": "u32", "count": 4, "output": true },
    { "kind": "scalar", "type": "u32", "value": 3 }
  ],
  "expected": "out.expected"
}"#;

/// A folder with the kernel in it.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("scale.ir", SCALE);
    scratch
}

/// The arguments of a run of the kernel.
fn with<'a>(launch: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    ["run", "scale.ir"].iter().chain(launch).chain(more).copied().collect()
}

/// A file among the kernels of the project.
fn kernel(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels").join(name);
    path.to_str().expect("the path is text").to_owned()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_launch_in_a_file_gives_what_it_expects() {
    let scratch = Scratch::new();
    for (module, launch, size) in [
        ("ranges.spv", "ranges.json", 2304),
        ("two_kernels.spv", "two_kernels_fill.json", 256),
        ("fixed_groups.O0.spv", "fixed_groups.json", 1536),
    ] {
        for engine in [&[][..], &["--compiled"]] {
            let (module, launch) = (kernel(module), kernel(launch));
            let arguments = [&["run", &module, "--launch", &launch], engine].concat();
            let ran = scratch.run(&arguments).ended(0);
            assert!(ran.stdout().is_empty(), "what is compared is not printed");
            let said = ran.stderr();
            assert!(said.ends_with(&format!("the outputs are as expected ({size} bytes)\n")), "{module}: {said}");
            assert!(!said.contains("error"), "{module}: {said}");
        }
    }
}

#[test]
fn flags_make_a_launch_and_outputs_are_printed() {
    let scratch = scratch();
    for engine in [&[][..], &["--compiled"]] {
        let ran = scratch.run(&with(&THREEFOLD, engine)).ended(0);
        assert_eq!(ran.stdout(), "argument 1 (out), u32[4]: 3 6 9 12\n");
        assert!(ran.stderr().is_empty(), "{}", ran.stderr());
    }
    let both = ["--global", "2", "--arg", "out:f32[2]=list(0.5,-1)", "--arg", "out:u8[8]", "--arg", "u32=1"];
    let ran = scratch.run(&with(&both, &[])).ended(0);
    assert_eq!(ran.stdout(), "argument 0 (in), f32[2]: 0.5 -1.0\nargument 1 (out), u8[8]: 0 0 0 63 0 0 128 191\n");
    let ran = scratch.feed(&[&["run", "-"][..], &THREEFOLD].concat(), SCALE.as_bytes()).ended(0);
    assert_eq!(ran.stdout(), "argument 1 (out), u32[4]: 3 6 9 12\n");
}

#[test]
fn flags_win_over_the_file() {
    let scratch = scratch();
    scratch.file("out.expected", bytes(&[3, 6, 9, 12]));
    scratch.file("launch.json", LAUNCH);
    let ran = scratch.run(&with(&["--launch", "launch.json"], &[])).ended(0);
    assert_eq!(ran.stderr(), "the outputs are as expected (16 bytes)\n");
    scratch.run(&with(&["--launch", "launch.json", "--global", "2"], &[])).ended(1);
    scratch.file("other.expected", bytes(&[3, 6, 0, 0]));
    let other = ["--launch", "launch.json", "--global", "2", "--expect", "other.expected"];
    scratch.run(&with(&other, &[])).ended(0);
    scratch.run(&with(&["--launch", "launch.json", "--kernel", "other"], &[])).ended(2);
}

#[test]
fn a_dump_holds_the_outputs_as_they_are() {
    let scratch = scratch();
    let ran = scratch.run(&with(&THREEFOLD, &["--dump", "out.bin"])).ended(0);
    assert!(ran.stdout().is_empty() && ran.stderr().is_empty());
    assert_eq!(content(&scratch.path("out.bin")), bytes(&[3, 6, 9, 12]));
    scratch.run(&with(&THREEFOLD, &["--dump", "no/such/folder"])).ended(75);
}

#[test]
fn outputs_that_are_not_as_expected() {
    let scratch = scratch();
    scratch.file("wrong", bytes(&[3, 6, 9, 13]));
    scratch.file("short", bytes(&[3, 6, 9]));
    let ran = scratch.run(&with(&THREEFOLD, &["--expect", "wrong", "--error-format=json"])).ended(1);
    let said = &ran.json()[0];
    assert_eq!(said["code"], "run-mismatch");
    assert_eq!(said["message"], "argument 1 (out), element 3: expected 13, found 12");
    assert_eq!(said["file"], "wrong");
    let ran = scratch.run(&with(&THREEFOLD, &["--expect", "short", "--error-format=json"])).ended(1);
    assert_eq!(ran.json()[0]["message"], "the outputs have 16 bytes, 12 are expected");
    let ran = scratch.run(&with(&THREEFOLD, &["--expect", "missing"])).ended(75);
    assert!(ran.stderr().contains("missing"), "{}", ran.stderr());
}

#[test]
fn floats_may_be_off_by_a_tolerance() {
    let scratch = scratch();
    scratch.file("near", [1.0_f32, 200.0].map(f32::to_le_bytes).concat());
    let launch = [
        "--global",
        "2",
        "--arg",
        "in:f32[2]=list(1.5,202)",
        "--arg",
        "out:f32[2]",
        "--arg",
        "u32=1",
        "--expect",
        "near",
    ];
    scratch.run(&with(&launch, &[])).ended(1);
    scratch.run(&with(&launch, &["--tolerance", "1"])).ended(1);
    scratch.run(&with(&launch, &["--tolerance", "0.5,0.01"])).ended(0);
}

#[test]
fn a_wrong_launch_is_rejected_with_the_place() {
    let scratch = scratch();
    let rows = [
        (r#"{ "args": [] }"#, "\"global\" is missing"),
        (r#"{ "global": [4], "args": [{ "kind": "buffer", "type": "u32" }] }"#, "args[0]: \"count\" is missing"),
        (r#"{ "global": [4], "args": [{ "kind": "pipe" }] }"#, "args[0].kind: unknown kind pipe"),
        (r#"{ "global": [4, 1, 1, 1], "args": [] }"#, "global: expected one to three sizes"),
        (r#"{ "global": [4], "args": "#, "line 1 column"),
    ];
    for (text, expected) in rows {
        scratch.file("launch.json", text);
        let ran = scratch.run(&with(&["--launch", "launch.json", "--error-format=json"], &[])).ended(1);
        let said = &ran.json()[0];
        assert_eq!((&said["code"], &said["file"]), (&"run-launch".into(), &"launch.json".into()), "{text}");
        assert!(said["message"].as_str().unwrap_or_default().contains(expected), "{said}");
    }
    scratch.run(&with(&["--launch", "missing.json"], &[])).ended(75);
    scratch.run(&["run", "missing.spv", "--global", "4"]).ended(75);
}

#[test]
fn wrong_flags_are_wrong_usage() {
    let scratch = scratch();
    let rows: [(&[&str], &str); 24] = [
        (&["--global", "-4"], "invalid value '-4' for '--global <X[,Y,Z]>'"),
        (&["--global", "4", "--dump", "x.bin", "--arg", "in:u32[4]"], "--dump writes outputs, and no argument is one"),
        (&["--global", "4", "--device", "0"], "--device requires --on vulkan\n"),
        (&["--global", "4", "--fuel", "9", "--device", "0"], "another flag selects the interpreter"),
        (&["--global", "8", "--global", "2"], "'--global <X[,Y,Z]>' cannot be used multiple times"),
        (&["--global", "8", "--local", "8", "--local", "1"], "'--local <X[,Y,Z]>' cannot be used multiple times"),
        (&["--global", "8", "--offset", "8", "--offset", "1"], "'--offset <X[,Y,Z]>' cannot be used multiple times"),
        (&["--global", "8", "--tolerance", "1", "--tolerance", "1"], "'--tolerance <ABS[,REL]>' cannot be used"),
        (&["--global", "8", "--tolerance", "1,2,3"], "--tolerance takes one or two numbers"),
        (&[], "--launch FILE.json, or --global"),
        (&["--global", "1,2,3,4"], "--global takes one to three sizes"),
        (&["--global", "many"], "many"),
        (&["--global", "4", "--arg", "in:u33[4]"], "unknown type u33"),
        (&["--global", "4", "--arg", "in:u32[4]=lcg"], "lcg takes seed"),
        (&["--global", "4", "--arg", "u32=x"], "expected an integer that fits u32, found x"),
        (&["--global", "4", "--on", "paper"], "paper"),
        (&["--global", "4", "--races", "maybe"], "maybe"),
        (&["--global", "4", "--on", "cpu", "--width", "4"], "--width is 1, 8 or 16, not 4"),
        (&["--global", "4", "--on", "cpu", "--vectors", "3"], "--vectors is 1, 2 or 4, not 3"),
        (&["--global", "4", "--on", "cpu", "--threads", "0"], "--threads is 1 to 1024"),
        (&["--global", "4", "--width", "8", "--on", "interpreter"], "--width requires --on cpu"),
        (&["--global", "4", "--vectors", "1", "--on", "vulkan"], "--vectors requires --on cpu"),
        (&["--global", "4", "--threads", "2", "--compiled"], "--threads requires --on cpu"),
        (&["--global", "4", "--on", "cpu", "--compiled"], "--compiled requires --on interpreter"),
    ];
    for (flags, expected) in rows {
        let ran = scratch.run(&with(flags, &[])).ended(2);
        assert!(ran.stderr().contains(expected), "{flags:?}: {}", ran.stderr());
        assert!(ran.stdout().is_empty());
    }
}

#[test]
fn a_wrong_argument_is_told_with_the_right_form() {
    let scratch = scratch();
    for (argument, expected) in [
        ("out:f32[]=zero", "the number of elements is missing: write f32[64]=zero for 64; only f32[]=@FILE and"),
        ("out:f32[]", "the number of elements is missing: write f32[64]=zero for 64"),
        ("in:u8[]=lcg(7)", "write u8[64]=lcg(7) for 64"),
        ("out:f32=zero", "expected a type and a number of elements, like u32[64]"),
        ("out:f32[-1]", "-1 is not a number of elements: write f32[64] for 64"),
        ("in:u32[2]=list(1,2,3)", "the contents have 3 elements, and the buffer 2: write u32[3] or u32[]"),
        ("in:u8[2]=text(hello)", "the contents have 5 elements, and the buffer 2"),
        ("in:u32[2]=@", "expected the name of a file after @"),
        ("in:u32[2]=hex(0)", "expected pairs of hexadecimal digits, like hex(00ff)"),
        ("i32[4]=zero", "a buffer begins with in: or out:, like in:i32[4]=zero"),
        ("x.npy", "a file is the contents of a buffer, like in:f32[]=@x.npy"),
        ("@x.npy", "like in:f32[]=@x.npy"),
        ("float=1", "unknown type float: f32 is meant; allowed are u8,"),
        ("in:F32[4]", "unknown type F32: f32 is meant"),
        ("foo=1", "f64, in:, out:, image:, sampler, local and hex"),
        ("u8=300", "expected an integer that fits u8, found 300"),
        ("f32=abc", "expected a number, found abc"),
        ("f32", "a number of type f32 is missing"),
        ("f32x=1", "expected a number of components after x, like u32x4=1,2,3,4"),
        ("hex=0", "expected pairs of hexadecimal digits, like hex=00ff12"),
        ("local=", "expected a number of bytes, like local=256"),
    ] {
        let ran = scratch.run(&with(&["--global", "4", "--arg", argument], &[])).ended(2);
        let said = ran.stderr();
        assert!(said.starts_with(&format!("error[usage]: --arg {argument}: ")) && said.contains(expected), "{said}");
        assert!(said.contains("`reconverge help run` has all options"), "{said}");
    }
}

#[test]
fn a_launch_that_does_not_fit_the_kernel() {
    let scratch = scratch();
    let rows: [(&[&str], &str); 6] = [
        (&["--global", "4", "--arg", "in:u32[4]"], "3"),
        (&["--global", "4", "--arg", "in:u32[4]", "--arg", "u32=1", "--arg", "u32=1"], "argument 1"),
        (
            &["--global", "4", "--arg", "in:u32[4]", "--arg", "out:u32[4]", "--arg", "f32=1"],
            "is u32 or i32, the launch gives f32",
        ),
        (&["--global", "4", "--arg", "in:u32[4]", "--arg", "out:u32[4]", "--arg", "u64=1"], "the launch gives u64"),
        (
            &["--global", "6", "--local", "4", "--arg", "in:u32[6]", "--arg", "out:u32[6]", "--arg", "u32=1"],
            "6 work-items",
        ),
        (&["--global", "4", "--kernel", "other"], "scale"),
    ];
    for (flags, expected) in rows {
        for engine in [&[][..], &["--compiled"]] {
            let ran = scratch.run(&with(flags, engine)).ended(2);
            assert!(ran.stderr().contains(expected), "{flags:?} {engine:?}: {}", ran.stderr());
        }
    }
    let (module, launch) = (kernel("fixed_groups.spv"), kernel("fixed_groups.json"));
    let ran = scratch.run(&["run", &module, "--launch", &launch, "--local", "4,4"]).ended(2);
    assert!(ran.stderr().contains("requires work-groups of [8, 4, 1]"), "{}", ran.stderr());
    let (module, launch) = (kernel("two_kernels.spv"), ["--global", "4", "--arg", "out:u32[4]"]);
    let ran = scratch.run(&[&["run", &module][..], &launch].concat()).ended(2);
    assert!(ran.stderr().contains("two_kernels_fill, two_kernels_find"), "{}", ran.stderr());
    scratch.file("launch.json", r#"{ "kernel": "scale", "global": [4], "args": [] }"#);
    let ran = scratch.run(&with(&["--launch", "launch.json"], &[])).ended(1);
    assert!(ran.stderr().contains("scale takes 3 arguments"), "a file is an input: {}", ran.stderr());
}

#[test]
fn modules_that_cannot_run() {
    let scratch = Scratch::new();
    scratch.file("invalid.ir", invalid_module());
    scratch.run(&["run", "invalid.ir", "--global", "1"]).ended(1);
    scratch.module();
    scratch.run(&["run", "module.ir", "--global", "1"]).ended(1);
    let ran = scratch.run(&["run", "module.ir", "--global", "1", "--compiled"]).ended(1);
    assert!(ran.stderr().contains("no OpenCL kernel"), "{}", ran.stderr());
    let ran = scratch
        .run(&[
            "run",
            &kernel("unsupported/pipes.spv"),
            "--global",
            "1",
            "--arg",
            "in:i32[1]",
            "--arg",
            "in:i32[1]",
            "--compiled",
        ])
        .ended(3);
    assert!(ran.stderr().contains("pipes"), "{}", ran.stderr());
}

#[test]
fn an_access_out_of_bounds_is_found_where_it_is() {
    let scratch = scratch();
    let short = ["--global", "4", "--arg", "in:u32[4]", "--arg", "out:u32[3]", "--arg", "u32=3"];
    for (engine, store) in [(&["--on", "interpreter"][..], "store %q, %y, 2, 4"), (&["--compiled"], "store")] {
        let ran = scratch.run(&with(&short, &[engine, &["--error-format=json"]].concat())).ended(1);
        let said = &ran.json()[0];
        assert_eq!((&said["code"], &said["function"]), (&"U08".into(), &"%scale".into()), "{said}");
        assert_eq!((&said["block"], &said["file"]), (&"^entry".into(), &"scale.ir".into()), "{said}");
        assert!(said["context"].as_str().unwrap_or_default().contains(store), "{said}");
        assert!(said["message"].as_str().unwrap_or_default().contains("work-item (3, 0, 0)"), "{said}");
        assert!(
            said["message"].as_str().unwrap_or_default().contains("byte 12 of buffer 1, which has 12 bytes"),
            "{said}"
        );
        assert!(ran.stdout().is_empty(), "outputs of a kernel that failed are not printed");
    }
}

#[test]
fn data_races_are_said_and_can_be_denied() {
    let scratch = scratch();
    let racy = SCALE.replace("in_bounds_ptr_access_chain %out, %i", "bitcast %out");
    scratch.file("racy.ir", racy);
    let run =
        |flags: &[&str]| scratch.run(&[&["run", "racy.ir", "--on", "interpreter"][..], &THREEFOLD, flags].concat());
    let ran = run(&[]).ended(0);
    assert!(
        ran.stderr().starts_with("warning[run-race]: ") && ran.stderr().contains("store %q, %y, 2, 4"),
        "{}",
        ran.stderr()
    );
    assert!(ran.stdout().starts_with("argument 1 (out), "), "{}", ran.stdout());
    let place = "by work-item (1, 0, 0) of group (0, 0, 0) in %scale, block ^entry";
    assert!(ran.stderr().contains(place), "{}", ran.stderr());
    let said = run(&["--error-format=json"]).ended(0).json();
    assert_eq!((&said[0]["code"], &said[0]["severity"]), (&"run-race".into(), &"warning".into()));
    assert!(run(&["--quiet"]).ended(0).stderr().is_empty());
    let ran = run(&["--races", "deny", "--error-format=json"]).ended(1);
    let said = &ran.json()[0];
    assert_eq!((&said["code"], &said["function"]), (&"run-race".into(), &"%scale".into()), "{said}");
    assert!(ran.stdout().is_empty());
    assert!(run(&["--races", "ignore"]).ended(0).stderr().is_empty());
    scratch.run(&with(&THREEFOLD, &["--races", "deny"])).ended(0);
}

#[test]
fn fuel_is_a_limit() {
    let scratch = scratch();
    let ran = scratch.run(&with(&THREEFOLD, &["--fuel", "3", "--error-format=json"])).ended(4);
    let said = &ran.json()[0];
    assert_eq!((&said["code"], &said["function"]), (&"run-fuel".into(), &"%scale".into()), "{said}");
    assert!(ran.stdout().is_empty());
}

#[test]
fn endless_recursion_is_a_limit_in_the_names_of_the_kernel() {
    let scratch = Scratch::new();
    let callee =
        "func %down: %u32 (%a: %u32) {\nblock ^deeper:\n  %b: %u32 = function_call %down, %a\n  return_value %b\n}\n";
    let call = "%y: %u32 = function_call %down, %x";
    scratch.file("deep.ir", SCALE.replace("%y: %u32 = i_mul %x, %factor", call) + callee);
    let run = ["run", "deep.ir", "--on", "interpreter", "--error-format=json"];
    let ran = scratch.run(&[&run[..], &THREEFOLD].concat()).ended(4);
    let said = &ran.json()[0];
    assert_eq!((&said["code"], &said["function"]), (&"run-depth".into(), &"%down".into()), "{said}");
    assert_eq!(said["message"], "work-item (0, 0, 0) of group (0, 0, 0): the call stack is too deep");
}

#[test]
fn times_are_told() {
    let scratch = scratch();
    let steps = |ran: &Ran| -> Vec<String> {
        let times = ran.json().into_iter().filter(|line| line["kind"] == "time");
        let named = times.map(|line| {
            assert!(line["microseconds"].is_u64(), "{line}");
            line["step"].as_str().unwrap_or_default().to_owned()
        });
        named.collect()
    };
    let flags = ["--time", "--error-format=json"];
    assert_eq!(steps(&scratch.run(&with(&THREEFOLD, &flags)).ended(0)), ["compile", "machine code", "execute"]);
    let interpreted = scratch.run(&with(&THREEFOLD, &[&flags[..], &["--on", "interpreter"]].concat())).ended(0);
    assert_eq!(steps(&interpreted), ["execute"]);
    let compiled = scratch.run(&with(&THREEFOLD, &[&flags[..], &["--compiled"]].concat())).ended(0);
    assert_eq!(steps(&compiled), ["compile", "execute"]);
    let lavapipe = on_lavapipe(&scratch, &with(&THREEFOLD, &[&flags[..], &["--on", "vulkan"]].concat())).ended(0);
    assert_eq!(steps(&lavapipe), ["compile", "driver", "execute"]);
    assert!(scratch.run(&with(&THREEFOLD, &["--time"])).ended(0).stderr().contains(" ms  execute\n"));
}

/// Runs the binary where lavapipe is the only driver.
fn on_lavapipe(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let manifest = format!("/usr/share/vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH);
    let manifest = PathBuf::from(manifest);
    assert!(manifest.is_file(), "no driver at {}; `cargo xtask setup` installs it", manifest.display());
    with_driver(scratch.command(arguments), &manifest)
}

fn with_driver(mut command: Command, manifest: &Path) -> Ran {
    Ran(command.env("VK_DRIVER_FILES", manifest).env("VK_ICD_FILENAMES", manifest).output().expect("the binary runs"))
}

#[test]
fn lavapipe_gives_what_the_interpreter_gives() {
    let scratch = scratch();
    let vulkan = ["--on", "vulkan"];
    assert_eq!(
        on_lavapipe(&scratch, &with(&THREEFOLD, &vulkan)).ended(0).stdout(),
        "argument 1 (out), u32[4]: 3 6 9 12\n"
    );
    let offset =
        ["--global", "2", "--offset", "2", "--arg", "in:u32[4]=fill(7)", "--arg", "out:u32[4]", "--arg", "u32=1"];
    let ran = on_lavapipe(&scratch, &with(&offset, &vulkan)).ended(0);
    assert_eq!(ran.stdout(), "argument 1 (out), u32[4]: 0 0 7 7\n");
    for name in ["program_counter", "many_arguments", "two_local_arguments"] {
        let (module, launch) = (kernel(&format!("{name}.spv")), kernel(&format!("{name}.json")));
        let ran = on_lavapipe(&scratch, &["run", &module, "--launch", &launch, "--on", "vulkan"]).ended(0);
        assert!(ran.stderr().contains("as expected"), "{name}: {}", ran.stderr());
    }
}

#[test]
fn a_device_is_chosen_by_number_or_name() {
    let scratch = scratch();
    for device in ["0", "llvmpipe"] {
        on_lavapipe(&scratch, &with(&THREEFOLD, &["--on", "vulkan", "--device", device])).ended(0);
    }
    for device in ["7", "abacus"] {
        let flags = ["--on", "vulkan", "--error-format=json", "--device", device];
        let ran = on_lavapipe(&scratch, &with(&THREEFOLD, &flags)).ended(75);
        let said = &ran.json()[0];
        assert_eq!(said["code"], "vulkan-device-not-found");
        let message = said["message"].as_str().unwrap_or_default();
        assert!(message.contains(device) && message.contains("llvmpipe"), "names those that there are: {message}");
    }
}

#[test]
fn a_machine_without_a_device_may_have_one_later() {
    let scratch = scratch();
    let command = scratch.command(&with(&THREEFOLD, &["--on", "vulkan", "--error-format=json"]));
    let ran = with_driver(command, Path::new("/nonexistent")).ended(75);
    assert_eq!(ran.json()[0]["code"], "vulkan-no-device");
    assert!(ran.stdout().is_empty());
}

#[test]
fn buffers_come_from_files_beside_the_launch() {
    let scratch = scratch();
    fs::create_dir(scratch.path("folder")).expect("the folder is new");
    scratch.file("folder/in.bin", bytes(&[5, 6]));
    scratch.file("here.bin", bytes(&[7, 8]));
    let launch = r#"{ "global": [2], "args": [
        { "kind": "buffer", "type": "u32", "count": 2, "init": { "rule": "file", "path": "in.bin" } },
        { "kind": "buffer", "type": "u32", "count": 2, "output": true }, { "kind": "scalar", "type": "u32", "value": 2 } ] }"#;
    scratch.file("folder/launch.json", launch);
    let ran = scratch.run(&with(&["--launch", "folder/launch.json"], &[])).ended(0);
    assert_eq!(ran.stdout(), "argument 1 (out), u32[2]: 10 12\n");
    let flags = ["--global", "2", "--arg", "in:u32[]=@here.bin", "--arg", "out:u32[2]", "--arg", "u32=2"];
    let ran = scratch.run(&with(&flags, &[])).ended(0);
    assert_eq!(ran.stdout(), "argument 1 (out), u32[2]: 14 16\n");
    let ran = scratch.run(&with(&["--global", "2", "--arg", "in:u32[]=@gone.bin"], &[])).ended(75);
    let said = ran.stderr();
    assert!(said.contains("gone.bin") && said.contains("no such file") && !said.contains("args["), "{said}");
}

/// Counts to its argument.
const COUNT: &str = "\
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %count, \"count\"
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%buffer = type_pointer CrossWorkgroup, %u32
%zero: %u32 = constant 0
%one: %u32 = constant 1
func %count: %void (%out: %buffer, %n: %u32) {
block ^entry:
  branch ^again(%zero)
block ^again(%i: %u32):
  %seen: %u32 = load %out, 2, 4
  %next: %u32 = bitwise_xor %seen, %i
  store %out, %next, 2, 4
  %j: %u32 = i_add %i, %one
  %more: %bool = u_less_than %j, %n
  branch_if %more ^back ^end
edge ^back:
  branch ^again(%j)
block ^end:
  return
}
";

#[test]
fn a_launch_past_the_loop_limit_of_lavapipe_is_an_error() {
    let scratch = Scratch::new();
    scratch.file("count.ir", COUNT);
    let run = |count: &str| {
        let launch = ["--global", "1", "--arg", "out:u32[1]", "--arg", count, "--on", "vulkan", "--error-format=json"];
        on_lavapipe(&scratch, &[&["run", "count.ir"], &launch[..]].concat())
    };
    assert!(run("u32=60000").ended(0).json().is_empty());
    let ran = run("u32=100000").ended(4);
    assert_eq!((&ran.json()[0]["code"], &ran.json()[0]["severity"]), (&"run-limit".into(), &"error".into()));
    assert!(ran.stdout().is_empty(), "a result that is wrong is not printed");
}

/// A loop whose lanes go round before a barrier by a latch that leaves the loop.
const LATE_LATCH: &str = "
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%p32 = type_pointer CrossWorkgroup, %u32
%three = type_vector %u64, 3
%input = type_pointer Input, %three
%lane: %input = variable Input {decorate BuiltIn 28}
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%order: %u32 = constant 272
entry_point Kernel, %k, \"k\", %lane

func %k: %void (%out: %p32) {
block ^entry:
  %ids: %three = load %lane
  %wide: %u64 = composite_extract %ids, 0
  %id: %u32 = u_convert %wide
  branch ^header(%zero)
block ^header(%i: %u32):
  %some: %bool = u_less_than %i, %id
  branch_if %some ^round ^meet
edge ^round:
  branch ^latch
block ^meet:
  control_barrier %two, %two, %order
  branch ^latch
block ^latch:
  %j: %u32 = i_add %i, %one
  %more: %bool = u_less_than %j, %two
  branch_if %more ^again ^end
edge ^again:
  branch ^header(%j)
block ^end:
  return
}
";

#[test]
fn barriers_that_lanes_come_to_in_different_rounds_are_warned_of() {
    let scratch = Scratch::new();
    scratch.file("late.ir", LATE_LATCH);
    let launch = ["run", "late.ir", "--global", "1", "--arg", "out:u32[1]", "--compiled", "--error-format=json"];
    let warned = scratch.run(&launch).ended(0).json();
    assert_eq!((&warned[0]["code"], &warned[0]["severity"]), (&"W01".into(), &"warning".into()), "{warned:?}");
}

#[test]
fn what_is_read_is_not_written_over() {
    let scratch = scratch();
    let golden: Vec<u8> = [3u32, 6, 9, 12].iter().flat_map(|word| word.to_le_bytes()).collect();
    scratch.file("golden.bin", &golden[..12]);
    let run = |flags: &[&str]| scratch.run(&[&["run", "scale.ir"][..], &THREEFOLD, flags].concat());
    for flags in
        [["--dump", "golden.bin", "--expect", "golden.bin"], ["--expect", "golden.bin", "--dump", "./golden.bin"]]
    {
        let ran = run(&flags).ended(2);
        assert!(ran.stderr().contains("--dump would overwrite golden.bin"), "{}", ran.stderr());
    }
    let ran = run(&["--dump", "scale.ir"]).ended(2);
    assert!(ran.stderr().contains("--dump would overwrite scale.ir"), "{}", ran.stderr());
    assert_eq!(std::fs::read(scratch.path("golden.bin")).unwrap(), &golden[..12]);
    for tolerance in ["-1", "nan", "inf"] {
        run(&["--expect", "golden.bin", &format!("--tolerance={tolerance}")]).ended(2);
    }
}

#[test]
fn undefined_elements_are_printed_as_such() {
    let scratch = Scratch::new();
    let module = kernel("checked/undefined_variable.spv");
    let launch = ["run", &module, "--on", "interpreter", "--global", "8", "--local", "4", "--arg", "out:u32[8]=zero"];
    let ran = scratch.run(&launch).ended(1);
    assert_eq!(ran.stdout(), "argument 0, u32[8]: undef undef undef 3 4 5 6 7\n");
    let message = "error[U15]: work-item (0, 0, 0) of group (0, 0, 0): an undefined value is written to a buffer (byte 0 of buffer 0)";
    assert!(ran.stderr().starts_with(message), "{}", ran.stderr());
    assert!(ran.stderr().contains("undefined_variable.cl:6:12"), "where it comes from: {}", ran.stderr());
    assert!(ran.stderr().contains("undefined_variable.cl:6:10"), "where it is written: {}", ran.stderr());
}

#[test]
fn the_last_work_group_may_be_smaller_on_the_interpreter() {
    let scratch = Scratch::new();
    let module = kernel("checked/divergence_last_group.22.spv");
    let launch = ["run", &module, "--global", "10", "--local", "4", "--arg", "out:u32[10]=zero"];
    let run = |engine: &str| scratch.run(&[&launch[..], &["--on", engine]].concat());
    assert_eq!(run("interpreter").ended(0).stdout(), "argument 0, u32[10]: 7 6 5 4 7 6 5 4 5 4\n");
    let refused = run("cpu").ended(2);
    assert!(refused.stderr().contains("--on interpreter"), "{}", refused.stderr());
}
