//! Random sequences of passes of `spirv-opt`: they create modules that no front end writes.

use std::path::Path;
use std::process::Command;

use reconverge_testing::random::Random;

use xtask_setup::workspace;

/// Passes that change control flow, values or memory and leave a valid module valid.
const PASSES: [&str; 44] = [
    "--eliminate-dead-branches",
    "--merge-blocks",
    "--loop-unroll",
    "--loop-unroll-partial=2",
    "--loop-peeling",
    "--loop-fission=4",
    "--loop-fusion=8",
    "--loop-invariant-code-motion",
    "--loop-unswitch",
    "--ccp",
    "--if-conversion",
    "--ssa-rewrite",
    "--inline-entry-points-exhaustive",
    "--merge-return",
    "--redundancy-elimination",
    "--local-redundancy-elimination",
    "--simplify-instructions",
    "--strength-reduction",
    "--wrap-opkill",
    "--convert-local-access-chains",
    "--scalar-replacement=100",
    "--vector-dce",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-functions",
    "--eliminate-dead-const",
    "--eliminate-dead-inserts",
    "--eliminate-dead-variables",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--private-to-local",
    "--copy-propagate-arrays",
    "--reduce-load-size",
    "--combine-access-chains",
    "--code-sink",
    "--fix-storage-class",
    "--graphics-robust-access",
    "--replace-invalid-opcode",
    "--unify-const",
    "--flatten-decorations",
    "--compact-ids",
    "--cfg-cleanup",
    "--strip-debug",
    "--freeze-spec-const",
    "--fold-spec-const-op-composite",
];

/// The most passes of a sequence.
const LENGTH: usize = 8;

/// The sequence of that number.
pub(super) fn sequence(seed: u64, number: usize) -> Vec<&'static str> {
    let mut random = Random::new(seed.wrapping_add(number as u64));
    (0..random.between(1, LENGTH)).map(|_| *random.choose(&PASSES)).collect()
}

/// Runs the passes over the module in a file. An error if they fail.
pub(super) fn apply(passes: &[&str], from: &Path, to: &Path) -> Result<Vec<u8>, String> {
    let tool = workspace::spirv_val().with_file_name(workspace::executable("spirv-opt"));
    let mut command = Command::new(&tool);
    workspace::output(
        command.args(["--preserve-bindings", "--preserve-spec-constants"]).args(passes).arg(from).arg("-o").arg(to),
    )?;
    std::fs::read(to).map_err(|error| format!("{}: {error}", to.display()))
}
