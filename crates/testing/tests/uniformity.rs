//! The uniformity analysis against lanes: random programs, and analyses that were made wrong on purpose.

use reconverge_analysis::uniformity::{ModuleUniformity, Scope};
use reconverge_interpret::{Interpreter, Value};
use reconverge_ir::Function;
use reconverge_testing::generators::lanes::{LaneModule, LaneOptions, Outside, lanes_program, lower};
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Inputs, Machine};
use reconverge_testing::uniformity_judge::{Claims, Figures, UniformityJudge};

fn many(default: u64, deep: u64) -> u64 {
    if is_deep() { deep } else { default }
}

/// Runs a program with a judge and answers what the judge found.
fn judge(lowered: &LaneModule, claims: &impl Claims, inputs: &Inputs, subgroup: usize) -> (Vec<String>, Figures) {
    let module = &lowered.module;
    let machine = Machine::new(lowered, module);
    let input = module.functions().find(|&f| module.name(f).as_deref() == Some("input"));
    let mut external = |lane: usize, function: Function, arguments: &[Value]| {
        Ok((Some(function) == input).then(|| {
            let index = arguments[0].as_u32().unwrap_or(0) as usize;
            Value::u32(inputs.per_lane(lane, index))
        }))
    };
    let mut judge = UniformityJudge::new(module, claims, subgroup);
    Interpreter::new(module).run_observed(lowered.start, &machine.launch(inputs), &mut external, &mut judge).unwrap();
    (judge.violations().to_vec(), judge.figures())
}

#[test]
fn claims_hold_on_random_structured_programs() {
    let mut total = Figures::default();
    for seed in 0..many(200, 20_000) {
        let options = LaneOptions { kill: seed % 7 == 3, ..LaneOptions::default() };
        let program = lanes_program(seed, 3 + seed as usize % 50, &options);
        let lowered = lower(&program, Outside::Calls);
        let claims = ModuleUniformity::compute(&lowered.module, Scope::Subgroup);
        for lanes in [4, 16] {
            let (violations, figures) = judge(&lowered, &claims, &Inputs::new(lanes, seed), usize::MAX);
            assert!(
                violations.is_empty(),
                "seed {seed}, {lanes} lanes:\n{}\n{program}\n{}",
                violations.join("\n"),
                reconverge_ir::text::print(&lowered.module)
            );
            total.held += figures.held;
            total.unclaimed += figures.unclaimed;
            total.differing += figures.differing;
            total.converged += figures.converged;
        }
    }
    println!("{total:?}");
    assert!(total.held > 100_000 && total.converged > 3_000, "{total:?}");
}
