//! Results of loops leave by parameters that an optimizer keeps, and programs do what they did.

use reconverge_ir::{Block, Inst, Module, Op, text};
use reconverge_opencl::{Context, Driver, KernelOptions, loop_results};
use reconverge_testing::filetest::input;
use reconverge_testing::programs::{check_equal, check_verified, functions, structurized};

fn swiftshader() -> Context {
    Context::new(KernelOptions::new().driver(Driver::SWIFTSHADER))
}

fn handed_out(before: &Module) -> (Module, bool) {
    let mut after = before.clone();
    let changed = loop_results(&mut after, &mut swiftshader()).expect("no loop is too much");
    check_verified(&after);
    let mut again = after.clone();
    assert_eq!(loop_results(&mut again, &mut swiftshader()), Ok(false), "once is enough");
    (after, changed)
}

/// The loops of all functions: the terminators that enter them.
fn loops(module: &Module) -> Vec<Inst> {
    let insts = functions(module).into_iter().flat_map(|function| module.descendants(function));
    insts.filter(|&inst| module.op(inst) == Op::Loop).collect()
}

/// By definition: what is loaded in a loop is used outside of its blocks by no instruction, and no parameter of the break block has
/// one and the same loaded argument on every edge. A block is in a loop if the header reaches it without passing the break block.
fn check_results_leave_by_parameters(module: &Module) {
    for entered in loops(module) {
        let header: Block = module.cast(module.operand(entered, 0)).expect("a header is a block");
        let merge: Block = module.cast(module.operand(entered, 1)).expect("a break block is a block");
        let mut inside: Vec<Block> = vec![header];
        let mut next = 0;
        while let Some(&block) = inside.get(next) {
            next += 1;
            for target in module.successors(block).filter(|&target| target != merge) {
                if !inside.contains(&target) {
                    inside.push(target);
                }
            }
        }
        for &block in &inside {
            for load in module.children(block).filter(|&inst| module.op(inst) == Op::Load) {
                for used in module.uses(load) {
                    let user = module.block_of(used.user).expect("a user stands in a block");
                    assert!(inside.contains(&user), "{}", text::print(module));
                }
            }
        }
        for index in 0..module.parameters(merge).count() {
            let arguments = module.in_edges(merge).filter_map(|edge| module.arguments(edge.terminator).nth(index));
            let mut arguments: Vec<Inst> = arguments.collect();
            arguments.sort();
            arguments.dedup();
            assert!(arguments.len() > 1 || module.op(arguments[0]) != Op::Load, "{}", text::print(module));
        }
    }
}

#[test]
fn results_leave_by_parameters_and_programs_do_the_same() {
    let rows = [("loaded", true, 1), ("nested", true, 2), ("parameters", false, 1), ("no_input", false, 1)];
    for (name, is_changed, count) in rows {
        let before = structurized(&input(&format!("kernel/loop_results/{name}.ir")));
        let (after, changed) = handed_out(&before);
        assert_eq!((changed, loops(&after).len()), (is_changed, count), "{name}");
        if changed {
            check_results_leave_by_parameters(&after);
        }
        assert!(check_equal(&before, &after) > 0, "{name}");
    }
}
