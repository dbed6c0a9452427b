//! Random functions do the same after the rules, in whatever order operands are computed.

use super::print::print;
use super::run::{Order, Stop, run};
use super::{C, HLSL_5, WGSL, random};
use crate::rules::{Dialect, rearrange};

const FUEL: u32 = 2_000;

/// Compares a function before and after. Returns whether it was executed to its end.
fn compare(seed: u64, dialect: Dialect) -> bool {
    let before = random::function(seed);
    // The tree before the rules is one of WGSL, where code after an iteration sees its declarations.
    let Ok(expected) = run(&before, WGSL, Order::Left, FUEL) else { return false };
    let mut after = random::function(seed);
    rearrange(&mut after, &dialect);
    for order in [Order::Left, Order::Right] {
        let found: Result<_, Stop> = run(&after, dialect, order, 10 * FUEL);
        assert_eq!(
            found,
            Ok(expected.clone()),
            "seed {seed}, {dialect:?}, {order:?}\n{}\n\n{}",
            print(&before),
            print(&after)
        );
    }
    true
}

#[test]
fn random_functions_do_the_same() {
    let seeds = 12_000;
    for dialect in [WGSL, C, HLSL_5] {
        let ended = (0..seeds).filter(|&seed| compare(seed, dialect)).count() as u64;
        assert!(ended > seeds / 3, "{ended}");
    }
}

#[test]
fn random_functions_need_each_rule() {
    let texts: Vec<String> = [WGSL, C]
        .into_iter()
        .flat_map(|dialect| {
            (0..1_000).map(move |seed| {
                let mut text = random::function(seed);
                rearrange(&mut text, &dialect);
                print(&text)
            })
        })
        .collect();
    for form in [
        "for (var",
        "for (i",
        "while (",
        "break if",
        "} continuing",
        "first = false",
        " && ",
        "+= ",
        "++",
        "write(pure",
        "switch (0",
    ] {
        let count = texts.iter().filter(|text| text.contains(form)).count();
        assert!(count > 3, "{form}: {count}");
    }
}
