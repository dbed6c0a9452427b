//! Small kernels with what the interpreter must say about them (`tests/kernels/checked`), and mutants of the right ones.
//!
//! A kernel is right, or a few lines of it break a rule; these say which one. The interpreter must report exactly that rule, and with debug
//! information one of these lines.

mod kernel;
mod mutants;

use kernel::{Checked, Finding};

/// clang 22 writes wrong modules for these: two copies at once, a local array that is only copied to, and an acquire whose order and
/// scope are exchanged.
const WRONG: [&str; 5] =
    ["async_double_buffer", "async_double_buffer_wrong", "async_forgotten", "async_one_of_two", "race_message_acquire"];

#[test]
fn every_kernel_gets_its_verdict_with_the_line() {
    let kernels = kernel::all();
    assert!(kernels.len() >= 120, "{}", kernels.len());
    let mut wrong = Vec::new();
    for kernel in &kernels {
        let found = kernel.findings(&kernel.module("spv"));
        let is_expected = |finding: &Finding| {
            finding
                .lines
                .iter()
                .all(|line| kernel.expected.iter().any(|(code, at)| *code == finding.code && at == line))
                && !finding.lines.is_empty()
        };
        let is_right = found.is_empty() == kernel.expected.is_empty() && found.iter().all(is_expected);
        if !is_right {
            wrong.push(format!("{}: {found:?}, expected {:?}", kernel.name, kernel.expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kernel_gets_its_verdict_without_lines() {
    let mut wrong = Vec::new();
    for kernel in kernel::all().iter().filter(|kernel| !WRONG.contains(&kernel.name.as_str())) {
        let found = kernel.findings(&kernel.module("22.spv"));
        let mut codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
        let mut expected: Vec<&str> = kernel.expected.iter().map(|(code, _)| code.as_str()).collect();
        for list in [&mut codes, &mut expected] {
            list.sort_unstable();
            list.dedup();
        }
        if codes != expected {
            wrong.push(format!("{}: {found:?}, expected {expected:?}", kernel.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn about_half_of_the_kernels_are_right() {
    let kernels = kernel::all();
    let right = kernels.iter().filter(|kernel: &&Checked| kernel.expected.is_empty()).count();
    assert!((kernels.len() * 2 / 5..=kernels.len() * 3 / 5).contains(&right), "{right} of {}", kernels.len());
}
