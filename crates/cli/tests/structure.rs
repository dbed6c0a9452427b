//! Input that is not structured although it should be: `compile` repairs it and says so, `compile --strict` and `check` refuse it.

use crate::common::{PREAMBLE, Scratch, content};

/// An `if` without merge that leads back into one with.
pub(crate) const MISSING: &str = "
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  if %true ^left ^right merge ^end control 0
block ^left:
  branch_if %true ^one ^two
block ^one:
  branch ^right_end
block ^two:
  branch ^right_end
block ^right:
  branch ^end
block ^right_end:
  branch ^end
block ^end:
  return
}
";

/// A switch with nothing but a default, and no merge.
const DEFAULT_ALONE: &str = "
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  switch %seven default ^next
block ^next:
  return
}
";

/// What is wrong with values is wrong whatever becomes of structure.
const DOMINANCE: &str = "
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  branch_if %true ^left ^right
block ^left:
  %sum: %u32 = i_add %seven, %seven
  branch ^end
block ^right:
  branch ^end
block ^end:
  %twice: %u32 = i_add %sum, %sum
  return
}
";

/// The SPIR-V of a function whose merges stand in no rule's way.
fn spirv(scratch: &Scratch, function: &str) {
    // Nothing has to be structured in a module for kernels, so that it can be written as it is.
    let text = format!("{PREAMBLE}{function}").replace("stage structured", "stage graph");
    scratch.file("kernel.ir", text.replace("capability Shader", "capability Kernel").replace("GLSL450", "OpenCL"));
    let compile = ["compile", "kernel.ir", "-o", "module.spv", "-O0", "--stop-after", "remove_unreachable"];
    scratch.run(&compile).ended(0);
    let mut bytes = content(&scratch.path("module.spv"));
    let mut replace = |words: &[u32], last: u8| {
        let wanted: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let at = bytes.windows(wanted.len()).position(|found| found == wanted).expect("the module has the instruction");
        bytes[at + wanted.len() - 4] = last;
    };
    // The capability Kernel becomes Shader, the memory model OpenCL becomes GLSL450.
    replace(&[0x0002_0011, 6], 1);
    replace(&[0x0003_000e, 0, 2], 1);
    scratch.file("module.spv", bytes);
}

#[test]
fn a_missing_merge_is_repaired_and_told() {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{MISSING}"));
    let said = scratch.run(&["compile", "module.ir", "-o", "out.spv", "--error-format=json"]).ended(0).json();
    assert_eq!(said.len(), 1, "{said:?}");
    let [severity, code, function, block] = ["severity", "code", "function", "block"].map(|key| said[0][key].clone());
    assert_eq!([severity, code, function, block], ["note", "R16", "%main", "^left"]);
    assert_eq!(said[0]["place"]["line"], 15);
    scratch.run(&["check", "out.spv"]).ended(0);
    scratch.run(&["check", "module.ir"]).ended(1);
}

#[test]
fn strict_refuses_what_would_be_repaired() {
    let scratch = Scratch::new();
    for (function, code) in [(MISSING, "R16"), (DEFAULT_ALONE, "R15")] {
        scratch.file("module.ir", format!("{PREAMBLE}{function}"));
        let arguments = ["compile", "module.ir", "-o", "out.spv", "--strict", "--error-format=json"];
        let said = scratch.run(&arguments).ended(1).json();
        assert_eq!([&said[0]["severity"], &said[0]["code"]], ["error", code]);
        assert!(!scratch.names().contains(&"out.spv".to_owned()));
        scratch.run(&["compile", "module.ir", "-o", "out.spv"]).ended(0);
        std::fs::remove_file(scratch.path("out.spv")).expect("it was written");
    }
    scratch.run(&["compile", "module.ir", "-o", "out.spv", "--strict", "--strip-merges"]).ended(2);
}

#[test]
fn values_are_not_repaired_with_the_structure() {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{DOMINANCE}"));
    let said = scratch.run(&["compile", "module.ir", "-o", "out.spv"]).ended(1).stderr();
    assert!(said.contains("error[R4]") && !said.contains("R16"), "{said}");
}

#[test]
fn a_shader_without_merges_is_structurized_and_fails_its_check() {
    let scratch = Scratch::new();
    for (function, code) in [(MISSING, "R16"), (DEFAULT_ALONE, "R15")] {
        spirv(
            &scratch,
            &function.replace("if %true ^left ^right merge ^end control 0", "branch_if %true ^left ^right"),
        );
        let said = scratch.run(&["check", "module.spv", "--error-format=json"]).ended(1).json();
        assert_eq!(said[0]["code"], code);
        scratch.run(&["check", "module.spv", "--strip-merges"]).ended(0);
        scratch.run(&["compile", "module.spv", "-o", "out.spv", "--strict"]).ended(1);
        let said = scratch.run(&["compile", "module.spv", "-o", "out.spv"]).ended(0).stderr();
        assert_eq!(said, "", "to structurize a bare graph is the job");
        scratch.run(&["check", "out.spv"]).ended(0);
        scratch.run(&["compile", "out.spv", "-o", "again.spv", "--strict"]).ended(0);
    }
}

#[test]
fn a_kernel_need_not_be_structured() {
    let scratch = Scratch::new();
    let text = format!("{PREAMBLE}{MISSING}").replace("capability Shader", "capability Kernel");
    scratch.file("module.ir", text.replace("GLSL450", "OpenCL"));
    let compile = ["compile", "module.ir", "-o", "kernel.spv", "-O0", "--strict", "--stop-after", "remove_unreachable"];
    scratch.run(&compile).ended(0);
    scratch.run(&["check", "kernel.spv"]).ended(0);
}

#[test]
fn a_shader_that_is_not_structured_is_written_as_text_only() {
    let scratch = Scratch::new();
    scratch.file("module.ir", format!("{PREAMBLE}{MISSING}"));
    for passes in [&["--passes", "forget_structure"], &["--stop-after", "remove_dead_ends"]] {
        for output in ["out.spv", "out.spvasm"] {
            let compile = ["compile", "-O0", "module.ir", "-o", output, passes[0], passes[1], "--error-format=json"];
            let said = scratch.run(&compile).ended(2).json();
            assert_eq!(said.last().map(|last| last["code"].clone()), Some("write-unstructured".into()), "{said:?}");
            assert!(!scratch.path(output).exists());
        }
        scratch.run(&["compile", "-O0", "module.ir", "-o", "out.ir", passes[0], passes[1]]).ended(0);
    }
    let again = ["compile", "module.ir", "-o", "out.spv", "--passes", "forget_structure,structurize"];
    scratch.run(&again).ended(0);
    scratch.run(&["check", "out.spv"]).ended(0);
}
