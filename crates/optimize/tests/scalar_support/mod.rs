//! Random programs with much to compute: filled graphs, and programs of lanes, seasoned with operations on constants.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use reconverge_ir::{Class, Function, Inst, Module, Op, Position, Slot, terminator, terminator::operand, text};
use reconverge_testing::generators::lanes::{LaneModule, LaneOptions, Outside, SubgroupUse, lanes_program, lower};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Ended, Inputs, Machine, compare_runs};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph;
use reconverge_testing::random::Random;
use reconverge_verify::verify;

use reconverge_testing::programs::{check_equal, check_verified, functions};

/// How many programs of each kind.
pub(crate) fn programs() -> u64 {
    if is_deep() { 10_000 } else { 60 }
}

/// Runs a pass over a function. Whether anything changed.
pub(crate) type Pass = fn(&mut Module, Function) -> bool;

/// The pass at stage Graph: verified, equal, says whether it changed something, and has nothing to do a second time.
pub(crate) fn check_on_graphs(name: &str, pass: Pass) {
    let mut changes = 0;
    for seed in 0..programs() {
        let before = seasoned_graphs(seed);
        let mut after = before.clone();
        for function in functions(&before) {
            changes += usize::from(check_run(name, seed, &mut after, function, pass));
        }
        check_verified(&after);
        assert!(check_equal(&before, &after) > 0, "{name}, seed {seed}: nothing was run");
    }
    println!("{name}: {changes} functions changed");
    assert!(changes > programs() as usize / 2, "{name} has too little to do");
}

/// The same at stage Structured, lane by lane.
pub(crate) fn check_on_structured(name: &str, pass: Pass) {
    let (mut changes, mut compared) = (0, 0);
    for seed in 0..programs() {
        let lowered = seasoned_lanes(seed);
        let inputs = [1, 5, 16].map(|lanes| Inputs::new(lanes, seed));
        let mut after = lowered.module.clone();
        for &function in &lowered.functions {
            changes += usize::from(check_run(name, seed, &mut after, function, pass));
        }
        check_verified(&after);
        for inputs in &inputs {
            match same(&lowered, &after, inputs) {
                Ok(is_run) => compared += u64::from(is_run),
                Err(message) => {
                    let (before, after) = (text::print(&lowered.module), text::print(&after));
                    panic!("{name}, seed {seed}: {message}\n{before}\nafter\n{after}");
                }
            }
        }
    }
    println!("{name}: {changes} functions changed, {compared} runs");
    assert!(changes > programs() as usize / 2 && compared > programs(), "{name}: {changes} changes, {compared} runs");
}

/// Whether lanes do the same; false if they do not come to an end, or trap, before the pass.
fn same(lowered: &LaneModule, after: &Module, inputs: &Inputs) -> Result<bool, String> {
    const FUEL: u64 = 10_000;
    let run = |module: &Module, fuel: u64| Machine::new(lowered, module).with_fuel(fuel).run(inputs);
    let before = run(&lowered.module, FUEL)?;
    if before.ends.iter().any(|end| matches!(end, Ended::Otherwise(_))) {
        return Ok(false);
    }
    compare_runs(&before, &run(after, 2 * FUEL)?).map(|()| true)
}

fn check_run(name: &str, seed: u64, module: &mut Module, function: Function, pass: Pass) -> bool {
    let before = text::print(module);
    let changed = pass(module, function);
    let once = text::print(module);
    assert_eq!(changed, before != once, "{name}, seed {seed}: says changed = {changed}\n{before}\nthen\n{once}");
    let again = pass(module, function);
    let twice = text::print(module);
    assert!(!again && once == twice, "{name}, seed {seed}, goes on:\n{once}\nthen\n{twice}");
    changed
}

fn seasoned_graphs(seed: u64) -> Module {
    let graphs: Vec<PlainGraph> = (0..4)
        .map(|index| match index % 2 {
            0 => wild(seed * 10 + index, 4 + index as usize * 5),
            _ => random(seed * 10 + index, 12, Cycles::Irreducible),
        })
        .collect();
    let mut module = program_from_graph::with_calls(&graphs, seed).module;
    let mut random = Random::new(seed ^ 0x5ea5);
    for function in functions(&module) {
        season(&mut module, function, &mut random);
        season_conditions(&mut module, function, &mut random);
    }
    check_verified(&module);
    module
}

fn seasoned_lanes(seed: u64) -> LaneModule {
    let few = LaneOptions { subgroup: SubgroupUse::None, ..LaneOptions::default() };
    let options = if seed.is_multiple_of(2) { few } else { LaneOptions::default() };
    let size = 3 + (seed as usize * 7) % 30;
    let mut lowered = lower(&lanes_program(seed, size, &options), Outside::Calls);
    let mut random = Random::new(seed ^ 0x5ea5);
    for &function in &lowered.functions {
        season(&mut lowered.module, function, &mut random);
    }
    if let Some(finding) = verify(&lowered.module).first() {
        panic!("seed {seed}: seasoning broke it: {finding}\n{}", text::print(&lowered.module));
    }
    lowered
}

/// Replaces some operands and arguments by constants, and hangs chains of operations behind some values.
pub(crate) fn season(module: &mut Module, function: Function, random: &mut Random) {
    let insts: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
    let mut near: Vec<(Inst, Inst)> = Vec::new();
    for inst in insts {
        let op = module.op(inst);
        let first = terminator::first_argument(op);
        let is_value = matches!(op.class(), Class::Arithmetic | Class::Logical | Class::Bit);
        for index in 0..module.operand_count(inst) {
            let may =
                (is_value && random.chance(15)) || (first.is_some_and(|first| index >= first) && random.chance(10));
            let operand = module.operand(inst, index);
            let is_divisor = matches!(op, Op::UDiv | Op::UMod | Op::SDiv | Op::SRem | Op::SMod) && index == 1;
            if let Some(constant) = constant_like(module, operand, random).filter(|_| may && !is_divisor) {
                module.edit().set_operand(inst, index, constant);
            }
        }
        let Some(block) = module.block_of(inst).map(Inst::from) else { continue };
        near.retain(|&(other, _)| other == block);
        if op != Op::BlockParameter && is_word(module, inst) && random.chance(40) {
            let last = chain(module, inst, &near, random);
            near.push((block, last));
        } else if is_word(module, inst) {
            near.push((block, inst));
        }
    }
}

fn is_word(module: &Module, value: Inst) -> bool {
    let width = |ty: Inst| module.op(ty) == Op::TypeInt && module.literal_word(module.operand(ty, 0)) == Some(32);
    module.ty(value).is_some_and(width)
}

/// A constant of the type of a value.
fn constant_like(module: &mut Module, value: Inst, random: &mut Random) -> Option<Inst> {
    let ty = module.ty(value)?;
    match module.op(ty) {
        Op::TypeBool => {
            let op = if random.chance(50) { Op::ConstantTrue } else { Op::ConstantFalse };
            Some(module.edit().unique(op, Some(ty), &[]))
        }
        Op::TypeInt if is_word(module, value) => Some(word(module, ty, random)),
        _ => None,
    }
}

fn word(module: &mut Module, ty: Inst, random: &mut Random) -> Inst {
    const WORDS: [u32; 10] = [0, 1, 2, 3, 4, 7, 8, 16, 31, u32::MAX];
    let literal = module.edit().word(WORDS[random.below(WORDS.len())]);
    module.edit().unique(Op::Constant, Some(ty), &[literal])
}

/// Puts operations behind a value, and the last of them in the place of the value wherever it was used. The last one comes back.
fn chain(module: &mut Module, value: Inst, near: &[(Inst, Inst)], random: &mut Random) -> Inst {
    const OPS: [Op; 20] = [
        Op::IAdd,
        Op::IAdd,
        Op::ISub,
        Op::IMul,
        Op::BitwiseAnd,
        Op::BitwiseOr,
        Op::BitwiseXor,
        Op::ShiftLeftLogical,
        Op::ShiftRightLogical,
        Op::ShiftRightArithmetic,
        Op::UDiv,
        Op::UMod,
        Op::SDiv,
        Op::SMod,
        Op::Not,
        Op::SNegate,
        Op::Select,
        Op::IEqual,
        Op::ULessThan,
        Op::SGreaterThanEqual,
    ];
    let ty = module.ty(value).unwrap();
    let bool_type = module.edit().unique(Op::TypeBool, None, &[]);
    let uses: Vec<_> = module.uses(value).collect();
    let same: Vec<Inst> = near.iter().map(|&(_, other)| other).filter(|&other| module.ty(other) == Some(ty)).collect();
    let mut last = value;
    for _ in 0..1 + random.below(5) {
        let op = OPS[random.below(OPS.len())];
        let constant = word(module, ty, random);
        let other = match random.below(4) {
            0 if !same.is_empty() => same[random.below(same.len())],
            1 => value,
            _ => constant,
        };
        let number = module.literal_word(constant);
        let place = Position::After(last);
        let mut editor = module.edit();
        last = match op {
            Op::ShiftLeftLogical
            | Op::ShiftRightLogical
            | Op::ShiftRightArithmetic
            | Op::UDiv
            | Op::UMod
            | Op::SDiv
            | Op::SMod => match number {
                Some(0 | u32::MAX) => last,
                _ => editor.insert(place, op, Some(ty), &[last, constant]),
            },
            Op::Not | Op::SNegate => editor.insert(place, op, Some(ty), &[last]),
            Op::IEqual | Op::ULessThan | Op::SGreaterThanEqual | Op::Select => {
                let op = if op == Op::Select { Op::INotEqual } else { op };
                let compared = editor.insert(place, op, Some(bool_type), &[last, other]);
                let negated = match random.chance(40) {
                    true => editor.insert(Position::After(compared), Op::LogicalNot, Some(bool_type), &[compared]),
                    false => compared,
                };
                editor.insert(Position::After(negated), Op::Select, Some(ty), &[negated, last, constant])
            }
            _ if random.chance(30) => editor.insert(place, op, Some(ty), &[other, last]),
            _ => editor.insert(place, op, Some(ty), &[last, other]),
        };
    }
    for used in uses {
        if let Slot::Operand(index) = used.slot {
            module.edit().set_operand(used.user, index, last);
        }
    }
    last
}

/// Makes some conditions constants.
fn season_conditions(module: &mut Module, function: Function, random: &mut Random) {
    let terminators: Vec<Inst> =
        module.blocks(function).filter_map(|block| module.terminator(block)).map(Inst::from).collect();
    for terminator in terminators {
        if matches!(module.op(terminator), Op::BranchIf | Op::Switch) && random.chance(20) {
            let condition = module.operand(terminator, operand::CONDITION);
            let constant = constant_like(module, condition, random);
            constant
                .into_iter()
                .for_each(|constant| module.edit().set_operand(terminator, operand::CONDITION, constant));
        }
    }
}
