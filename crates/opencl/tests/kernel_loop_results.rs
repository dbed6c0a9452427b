//! Results of loops leave by parameters that an optimizer keeps, and programs do what they did.

use reconverge_ir::{Block, Inst, Module, Op, text};
use reconverge_opencl::{Context, Driver, KernelOptions, loop_results};
use reconverge_testing::programs::{functions, hold_equal, hold_verified, module, structurized};

/// An input, as the entry blocks of lowered kernels load one.
const INPUT: &str = "\
%input = type_pointer 1 %u32
%id: %input = variable 1 {decorate BuiltIn 41}
%private = type_pointer 6 %u32
%memory: %private = variable 6
";

fn swiftshader() -> Context {
    Context::new(KernelOptions { driver: Driver::SWIFTSHADER, ..KernelOptions::default() })
}

fn handed_out(before: &Module) -> (Module, bool) {
    let mut after = before.clone();
    let changed = loop_results(&mut after, &mut swiftshader()).expect("no loop is too much");
    hold_verified(&after);
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
fn hold_results_leave_by_parameters(module: &Module) {
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
fn a_loaded_result_leaves_by_a_parameter() {
    let before = module(&format!(
        "{INPUT}
         func %f: %u32 (%n: %u32) {{
         block ^entry:
           %lane: %u32 = load %id
           store %memory, %ten
           branch ^h(%zero)
         block ^h(%i: %u32):
           %v: %u32 = load %memory
           %w: %u32 = i_add %v, %i
           %more: %bool = u_less_than %i, %n
           store %memory, %w
           branch_if %more ^next ^out
         block ^next:
           %j: %u32 = i_add %i, %one
           branch ^h(%j)
         block ^out:
           %sum: %u32 = i_add %w, %lane
           return_value %sum
         }}"
    ));
    let before = structurized(&before);
    let (after, changed) = handed_out(&before);
    assert!(changed);
    hold_results_leave_by_parameters(&after);
    assert!(hold_equal(&before, &after) > 0);
}

#[test]
fn a_loop_of_one_block_and_one_around_it() {
    let before = module(&format!(
        "{INPUT}
         func %f: %u32 (%n: %u32) {{
         block ^entry:
           %lane: %u32 = load %id
           store %memory, %ten
           branch ^h(%zero, %zero)
         block ^h(%i: %u32, %last: %u32):
           branch ^g(%i)
         block ^g(%k: %u32):
           %v: %u32 = load %memory
           %w: %u32 = i_add %v, %k
           store %memory, %w
           %l: %u32 = i_add %k, %one
           %again: %bool = u_less_than %l, %three
           branch_if %again ^back ^left
         edge ^back:
           branch ^g(%l)
         block ^left:
           %sum: %u32 = i_add %w, %last
           %j: %u32 = i_add %i, %one
           %more: %bool = u_less_than %j, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^h(%j, %sum)
         block ^out:
           %all: %u32 = i_add %sum, %lane
           return_value %all
         }}"
    ));
    let before = structurized(&before);
    let (after, changed) = handed_out(&before);
    assert!(changed);
    assert_eq!(loops(&after).len(), 2);
    hold_results_leave_by_parameters(&after);
    assert!(hold_equal(&before, &after) > 0);
}

#[test]
fn what_comes_from_parameters_alone_stays() {
    let before = module(&format!(
        "{INPUT}
         func %f: %u32 (%n: %u32) {{
         block ^entry:
           %lane: %u32 = load %id
           branch ^h(%zero)
         block ^h(%i: %u32):
           %v: %u32 = i_mul %i, %three
           %more: %bool = u_less_than %i, %n
           branch_if %more ^next ^out
         block ^next:
           %j: %u32 = i_add %i, %one
           branch ^h(%j)
         block ^out:
           %sum: %u32 = i_add %v, %lane
           return_value %sum
         }}"
    ));
    let before = structurized(&before);
    let (_, changed) = handed_out(&before);
    assert!(!changed);
}

#[test]
fn without_an_unknown_number_nothing_is_done() {
    let before = module(&format!(
        "{INPUT}
         func %f: %u32 (%n: %u32) {{
         block ^entry:
           store %memory, %ten
           branch ^h(%zero)
         block ^h(%i: %u32):
           %v: %u32 = load %memory
           %more: %bool = u_less_than %i, %n
           branch_if %more ^next ^out
         block ^next:
           %j: %u32 = i_add %i, %one
           branch ^h(%j)
         block ^out:
           return_value %v
         }}"
    ));
    let (_, changed) = handed_out(&structurized(&before));
    assert!(!changed);
}
