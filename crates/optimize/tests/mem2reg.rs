//! Variables become values, and what was asked for is what comes.

use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Slot, terminator};
use reconverge_optimize::{Promotion, mem2reg};
use reconverge_rewrite::ModuleFacts;
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph;
use reconverge_testing::programs::{HEAD, check_equal, check_verified, count, functions, module, plain_module};

/// Promotes in every function. The result is valid and does the same.
fn promoted(before: &Module) -> (Module, usize) {
    check_verified(before);
    let mut after = before.clone();
    let gone = functions(before)
        .into_iter()
        .map(|function| mem2reg(&mut after, function, &ModuleFacts::default(), Promotion::All))
        .sum();
    check_verified(&after);
    assert!(check_equal(before, &after) > 0, "nothing was run");
    let again: usize = functions(before)
        .into_iter()
        .map(|function| mem2reg(&mut after, function, &ModuleFacts::default(), Promotion::All))
        .sum();
    assert_eq!(again, 0, "nothing is left to do");
    (after, gone)
}

fn parameters(module: &Module) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.map(|block| module.parameters(block).count()).sum()
}

/// Every value and every block parameter through a variable of its own: the opposite of the pass.
///
/// ```text
/// branch ^m(%x)   ^m(%p): %y = op %p     ⇒     store %v, %x; branch ^m   ^m: %p' = load %v; %y = op %p'; store %w, %y
/// ```
fn demote(module: &mut Module, function: Function) {
    let entry = module.entry(function).expect("a body");
    let blocks: Vec<Block> = module.blocks(function).collect();
    let values: Vec<Inst> = blocks.iter().flat_map(|&block| module.children(block)).collect();
    let is_value = |module: &Module, inst: Inst| {
        let ty = module.ty(inst).map(|ty| module.op(ty));
        matches!(ty, Some(Op::TypeInt | Op::TypeBool)) && module.op(inst) != Op::Variable
    };
    let values: Vec<Inst> = values.into_iter().filter(|&inst| is_value(module, inst)).collect();
    let class = module.edit().word(7);
    let mut variables = Vec::new();
    for &value in &values {
        let ty = module.ty(value).expect("a value has a type");
        let pointer = module.edit().unique(Op::TypePointer, None, &[class, ty]);
        variables.push(module.edit().insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class]));
        for used in module.uses(value).collect::<Vec<_>>() {
            let Slot::Operand(index) = used.slot else { unreachable!("no type") };
            let load = module.edit().insert(
                Position::Before(used.user),
                Op::Load,
                Some(ty),
                &[*variables.last().expect("just made")],
            );
            module.edit().set_operand(used.user, index, load);
        }
    }
    for (&value, &variable) in values.iter().zip(&variables) {
        if module.op(value) != Op::BlockParameter {
            module.edit().insert(Position::After(value), Op::Store, None, &[variable, value]);
        }
    }
    for &block in &blocks {
        pass_through_variables(module, block, (&values, &variables));
    }
}

fn pass_through_variables(module: &mut Module, block: Block, (values, variables): (&[Inst], &[Inst])) {
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    let jumps: Vec<_> = module.in_edges(block).map(|edge| edge.terminator).collect();
    for jump in jumps {
        let Some(first) = terminator::first_argument(module.op(jump)) else { continue };
        for (number, parameter) in parameters.iter().enumerate() {
            let place = values.iter().position(|value| value == parameter).expect("every parameter is demoted");
            let argument = module.operand(jump, first + number);
            module.edit().insert(Position::Before(jump.into()), Op::Store, None, &[variables[place], argument]);
        }
        let kept: Vec<Inst> = module.operands(jump).take(first).collect();
        module.edit().set_operands(jump, &kept);
    }
    parameters.into_iter().for_each(|parameter| module.edit().delete(parameter));
}

fn check_round_trip(graphs: &[PlainGraph], seed: u64) {
    let before = program_from_graph::with_calls(graphs, seed);
    let mut after = before.module.clone();
    for &function in &before.functions {
        demote(&mut after, function);
    }
    check_verified(&after);
    for &function in &before.functions {
        mem2reg(&mut after, function, &ModuleFacts::default(), Promotion::All);
    }
    check_verified(&after);
    assert_eq!(count(&after, Op::Load) + count(&after, Op::Store) + count(&after, Op::Variable), 0, "seed {seed}");
    let versions = (Version::new(&before.module), Version::new(&after));
    for (&function, graph) in before.functions.iter().zip(graphs) {
        if let Err(message) = compare_walks(&versions.0, &versions.1, function, graph, seed) {
            panic!("seed {seed}, {graph}: {message}");
        }
    }
}

#[test]
fn random_graphs_come_back_from_memory() {
    for seed in 0..20 {
        let graphs: Vec<PlainGraph> = (0..10)
            .map(|index| match index % 2 {
                0 => wild(seed * 100 + index, 4 + index as usize * 3),
                _ => random(seed * 100 + index, 30, Cycles::Irreducible),
            })
            .collect();
        check_round_trip(&graphs, seed);
    }
}

#[test]
fn large_graphs_come_back_from_memory() {
    for seed in 0..4 {
        check_round_trip(&[wild(seed, 300), random(seed, 300, Cycles::Irreducible)], seed);
    }
}

/// Variables that all live from the entry to a step of their own, and one of which each step may change: a parameter is due where the
/// change may meet what was held before, if the variable is read behind it.
#[test]
fn variables_that_live_long_get_the_parameters_that_are_read() {
    let count_of = 500;
    let changed = |step: usize| (step * 7 + 3) % count_of;
    let mut source =
        String::from("%pointer = type_pointer Function, %u32\nfunc %f: %u32 (%n: %u32, %c: %bool) {\nblock ^entry:\n");
    for number in 0..count_of {
        source += &format!("  %v{number}: %pointer = variable Function, %two\n");
    }
    source += "  branch ^b0\n";
    for step in 0..count_of {
        source += &format!(
            "block ^b{step}:\n  %x{step}: %u32 = load %v{step}\n  branch_if %c ^t{step} ^e{step}\nblock ^t{step}:\n  store %v{}, %x{step}\n  branch ^b{next}\nedge ^e{step}:\n  branch ^b{next}\n",
            changed(step),
            next = step + 1
        );
    }
    source += &format!("block ^b{count_of}:\n  return_value %x{}\n}}\n", count_of - 1);
    let (after, gone) = promoted(&module(&source));
    let due = (0..count_of).filter(|&step| step < changed(step)).count();
    assert_eq!((gone, parameters(&after)), (count_of, due));
}

/// A variable that the innermost of many loops changes: a parameter in each of them for one load and one store. The optimizer makes a
/// value of it in a nest of usual depth; in deeper ones it stays in memory, but not where it is a pointer.
#[test]
fn a_variable_deep_in_a_nest_stays_where_measure_is_kept() {
    let loads_left = |loops: usize, (ty, value): (&str, &str), promotion: Promotion| {
        let mut source = format!(
            "%pointer = type_pointer Function, %u32\n%place = type_pointer Function, {ty}\nfunc %f: %u32 (%n: %u32, %c: %bool) {{\nblock ^entry:\n  %w: %pointer = variable Function\n  %v: %place = variable Function\n  branch ^h0\n"
        );
        for depth in 0..loops {
            source += &format!(
                "block ^h{depth}:\n  branch_if %c ^in{depth} ^by{depth}\nedge ^in{depth}:\n  branch ^h{}\nedge ^by{depth}:\n  branch ^l{depth}\n",
                depth + 1
            );
        }
        source += &format!("block ^h{loops}:\n  %x: {ty} = load %v\n  store %v, {value}\n  branch ^l{}\n", loops - 1);
        for depth in (0..loops).rev() {
            let out = if depth == 0 { "^end".to_owned() } else { format!("^l{}", depth - 1) };
            source += &format!(
                "block ^l{depth}:\n  branch_if %c ^back{depth} ^x{depth}\nedge ^back{depth}:\n  branch ^h{depth}\nedge ^x{depth}:\n  branch {out}\n"
            );
        }
        source += "block ^end:\n  return_value %n\n}\n";
        let mut nest = plain_module(&format!("capability Kernel\nmemory_model Physical64, OpenCL\n{HEAD}{source}"));
        check_verified(&nest);
        let function = functions(&nest)[0];
        mem2reg(&mut nest, function, &ModuleFacts::default(), promotion);
        check_verified(&nest);
        count(&nest, Op::Load)
    };
    let (number, pointer) = (("%u32", "%n"), ("%pointer", "%w"));
    assert_eq!(loads_left(10, number, Promotion::InMeasure), 0);
    assert_eq!(loads_left(40, number, Promotion::InMeasure), 1);
    assert_eq!(loads_left(40, number, Promotion::All), 0);
    assert_eq!(loads_left(40, pointer, Promotion::InMeasure), 0);
}

/// Many variables that arms of a wide switch change, and that are read far behind it: more edges into candidates than are pruned at once. Every
/// other one is written again in between, and needs no parameter.
#[test]
fn many_candidates_are_pruned_one_part_after_another() {
    let (variables, arms, distance) = (900, 100, 400);
    let mut source = "%pointer = type_pointer Function, %u32\nfunc %f: %u32 (%n: %u32) {\nblock ^entry:\n".to_owned();
    (0..variables).for_each(|v| source += &format!("  %v{v}: %pointer = variable Function\n"));
    (0..variables).for_each(|v| source += &format!("  store %v{v}, %zero\n"));
    source += "  switch %n default ^a0";
    (1..arms).for_each(|arm| source += &format!(" [{arm} ^a{arm}]"));
    for arm in 0..arms {
        source += &format!("\nblock ^a{arm}:\n");
        (arm..variables).step_by(arms).for_each(|v| source += &format!("  store %v{v}, %one\n"));
        source += "  branch ^b0";
    }
    for step in 0..distance {
        source += &format!("\nblock ^b{step}:\n");
        let written = (1..variables).step_by(2).filter(|_| step == 1);
        written.for_each(|v| source += &format!("  store %v{v}, %n\n"));
        source += &format!("  branch ^b{}", step + 1);
    }
    source += &format!("\nblock ^b{distance}:\n  %s0: %u32 = load %v0\n");
    for v in 1..variables {
        source += &format!("  %x{v}: %u32 = load %v{v}\n  %s{v}: %u32 = i_add %s{}, %x{v}\n", v - 1);
    }
    source += &format!("  return_value %s{}\n}}\n", variables - 1);
    let (after, gone) = promoted(&module(&source));
    assert_eq!((gone, parameters(&after)), (variables, variables / 2));
}

/// A ladder of diamonds with a variable that each changes, on a small stack.
#[test]
fn large_functions_need_no_stack() {
    let run = || {
        let mut source = String::from(
            "%pointer = type_pointer Function, %u32\nfunc %f: %u32 (%n: %u32, %c: %bool) {\nblock ^b0:\n  %v: %pointer = variable Function, %two\n",
        );
        let steps = 20_000;
        for step in 0..steps {
            source += &format!(
                "  branch_if %c ^l{step} ^r{step}\nblock ^l{step}:\n  store %v, %n\n  branch ^b{next}\nblock ^r{step}:\n  %x{step}: %u32 = load %v\n  branch ^b{next}\nblock ^b{next}:\n",
                next = step + 1
            );
        }
        source += "  %r: %u32 = load %v\n  return_value %r\n}\n";
        let mut ladder = module(&source);
        let function = functions(&ladder)[0];
        assert_eq!(mem2reg(&mut ladder, function, &ModuleFacts::default(), Promotion::All), 1);
        assert_eq!(parameters(&ladder), steps);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}
