//! The example `own_ir` does what it says, for its own programs and for random ones.

#[path = "../examples/own_ir.rs"]
mod own_ir;

mod common;

use common::Random;

#[test]
fn the_example_runs() {
    own_ir::main();
}

/// Random lines, with jumps to anywhere.
fn random_program(random: &mut Random) -> String {
    let count = 2 + random.below(14);
    let mut text = String::new();
    for line in 1..=count {
        let variable = ["a", "b", "c"][random.below(3)];
        let target = |random: &mut Random| 10 * (1 + random.below(count));
        let words = match random.below(12) {
            0..=2 => format!("ADD {variable} {}", random.below(7) as i64 - 4),
            3..=4 => format!("PRINT {variable}"),
            5..=7 => format!("IF {variable} GOTO {}", target(random)),
            8..=9 => format!("ON {variable} GOTO {} {} {}", target(random), target(random), target(random)),
            10 => format!("GOTO {}", target(random)),
            _ => "END".to_owned(),
        };
        text += &format!("{} {words}\n", 10 * line);
    }
    text + &format!("{} END", 10 * (count + 1))
}

#[test]
fn random_programs_print_the_same_before_and_after() {
    for seed in 0..3_000 {
        own_ir::compile(&random_program(&mut Random::new(seed)));
    }
}
