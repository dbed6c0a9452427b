//! Modules that break rules: each command verifies before it changes anything.

use crate::common::{INVALID, PREAMBLE, Scratch, content};

/// A switch without operands, as no text can have it.
const SWITCH: &[u8] = include_bytes!("invalid_switch.rcv");

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("switch.rcv", SWITCH);
    scratch.file("value.ir", format!("{PREAMBLE}{}", INVALID.replace("stage graph", "stage structured")));
    scratch.module();
    scratch
}

#[test]
fn merges_are_removed_from_valid_modules_alone() {
    let scratch = scratch();
    for (module, rule) in [("switch.rcv", "I03]"), ("value.ir", "R4]")] {
        let commands = [
            vec!["compile", module, "--strip-merges", "-o", "out.spv"],
            vec!["compile", module, "--strip-merges", "-O0", "--stop-after", "structurize", "-o", "out.ir"],
            vec!["compile", module, "--strip-merges", "--passes", "forget_structure,gvn", "-o", "out.ir"],
            vec!["compile", module, "--policy", "wgsl", "-o", "out.ir"],
            vec!["compile", module, "--assume", "merges=hints", "-o", "out.ir"],
            vec!["compile", module, "--strict", "-o", "out.ir"],
            vec!["compile", module, "--target", "input", "-o", "out.rcv"],
            vec!["report", module, "--strip-merges", "-o", "out.html"],
            vec!["check", module, "--strip-merges"],
            vec!["check", module],
            vec!["link", module, "--library", "-o", "out.ir"],
            vec!["link", module, "module.ir", "--library", "-o", "out.spv"],
            vec!["compile", "module.ir", module, "-o", "out.spv"],
        ];
        for command in commands {
            let said = scratch.run(&command).ended(1).stderr();
            assert!(said.starts_with(&format!("error[{rule}")), "{command:?}: {said}");
        }
    }
    assert!(!scratch.names().iter().any(|name| name.ends_with(".crash") || name == "out.spv"), "{:?}", scratch.names());
}

#[test]
fn a_structure_that_breaks_only_its_own_rules_is_removed() {
    let scratch = Scratch::new();
    // The merge block is not dominated by the branch.
    let text = "
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  if %true ^left ^right merge ^left control 0
block ^left:
  branch ^end
block ^right:
  branch ^end
block ^end:
  return
}
";
    scratch.file("wrong.ir", format!("{PREAMBLE}{text}"));
    scratch.run(&["check", "wrong.ir"]).ended(1);
    scratch.run(&["check", "wrong.ir", "--strip-merges"]).ended(0);
    scratch
        .run(&["compile", "wrong.ir", "--strip-merges", "-O0", "--stop-after", "missing_conversions", "-o", "o.ir"])
        .ended(0);
    let written = String::from_utf8(content(&scratch.path("o.ir"))).expect("the output is text");
    assert!(written.contains("branch_if %true ^left ^right") && !written.contains("merge"), "{written}");
}
