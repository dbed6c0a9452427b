//! Wrong moves of every kind are found by `verify` or `verify_motion`, all of them; and of every kind that changes what a program does, the
//! interpreter shows some.
//!
//! A slice by default, a hundred times as much with `RECONVERGE_DEEP=1`.

use reconverge_testing::is_deep;
use reconverge_testing::motion::{Mutant, judge_mutants};

/// Kinds that lanes need not notice: what the move breaks is what could happen, or no program at all comes out.
const QUIET: [Mutant; 6] = [
    Mutant::AboveOperand,
    Mutant::BelowUse,
    Mutant::OneArmForBoth,
    Mutant::DerivativeDown,
    Mutant::VolatileMoved,
    Mutant::TrapsMerged,
];

#[test]
fn every_wrong_move_is_found() {
    let (count, wanted) = if is_deep() { (30_000, 3_000) } else { (1_000, 15) };
    let mut missing = Vec::new();
    for (number, kind) in (0..).zip(Mutant::ALL) {
        let first = number << 40;
        let caught = judge_mutants(kind, first..first + count, wanted).unwrap_or_else(|message| panic!("{message}"));
        eprintln!("{kind:?}: {caught:?}");
        if caught.made < 10 || caught.shown == 0 && !QUIET.contains(&kind) {
            missing.push((kind, caught));
        }
    }
    assert!(missing.is_empty(), "too few: {missing:?}");
}
