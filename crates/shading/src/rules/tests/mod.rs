//! Each rule, where it applies and where it must not; and all rules on random functions.

mod build;
mod differential;
mod parse;
mod print;
mod random;
mod run;
mod statements;

use super::Dialect;

const WGSL: Dialect = Dialect {
    has_continuing: true,
    steps: 1,
    nests_continues: true,
    assigns_matrices: true,
    computes_both: false,
    continues_in_switch: true,
};
const C: Dialect = Dialect { has_continuing: false, steps: 2, nests_continues: false, ..WGSL };
const HLSL: Dialect = Dialect { computes_both: true, ..C };
const HLSL_5: Dialect = Dialect { continues_in_switch: false, ..HLSL };

/// The statements after the rules.
fn rearranged(source: &str, dialect: Dialect) -> String {
    let mut text = parse::parse(source);
    super::rearrange(&mut text, &dialect);
    print::print(&text)
}

/// Compares the statements after the rules in both dialects.
fn assert_both(before: &str, after: &str) {
    for dialect in [WGSL, C] {
        assert_as(before, dialect, after);
    }
}

/// Compares the statements after the rules.
fn assert_as(before: &str, dialect: Dialect, after: &str) {
    let lines =
        |text: &str| text.split('\n').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let (found, expected): (Vec<String>, Vec<String>) = (lines(&rearranged(before, dialect)), lines(after));
    assert_eq!(found, expected, "{dialect:?}\n{}", found.join("\n"));
}
