//! Unstructurers on programs of lanes, run by one lane: what it records before, it records after, and after structurizing again.
//!
//! Where lanes meet is another matter: a unstructurer takes the merges away that said it.

use reconverge_ir::{Function, text};
use reconverge_restructure::{Options, structurize};
use reconverge_testing::generators::lanes::{LaneOptions, Outside, lanes_program, lower};
use reconverge_testing::lanes::{Inputs, Machine, compare_runs};
use reconverge_testing::random::Random;
use reconverge_testing::unstructure::{Unstructurer, Values, unstructure};
use reconverge_verify::verify;

#[test]
fn one_lane_does_the_same() {
    let mut changes = 0;
    for seed in 0..150 {
        let program = lanes_program(seed, 4 + (seed as usize * 5) % 32, &LaneOptions::default());
        let lowered = lower(&program, Outside::Calls);
        let inputs = Inputs::new(1, seed);
        let expected = Machine::new(&lowered, &lowered.module).run(&inputs).expect("the program runs");
        let mut random = Random::new(seed);
        let unstructurers: Vec<Unstructurer> = (0..8).map(|_| *random.choose(&Unstructurer::ALL)).collect();
        let mut module = lowered.module.clone();
        let functions: Vec<Function> = module.functions().filter(|&one| module.entry(one).is_some()).collect();
        for &function in &functions {
            changes += unstructure(&mut module, function, &unstructurers, Values::InParameters, &mut random)
                .unwrap_or_else(|message| panic!("seed {seed}: {message}"));
        }
        for version in ["unstructured", "structurized"] {
            if version == "structurized" {
                for &function in &functions {
                    structurize(&mut module, function, &Options::default()).expect("within the limits");
                }
            }
            let fail = |message: String| -> ! {
                panic!("seed {seed}, {unstructurers:?}, {version}: {message}\n{program}\n{}", text::print(&module))
            };
            if let Some(finding) = verify(&module).first() {
                fail(finding.to_string());
            }
            let found = Machine::new(&lowered, &module).run(&inputs).unwrap_or_else(|message| fail(message));
            if let Err(message) = compare_runs(&expected, &found) {
                fail(message);
            }
        }
    }
    assert!(changes > 500, "{changes} changes");
}
