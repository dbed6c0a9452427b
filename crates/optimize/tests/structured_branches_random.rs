//! The passes over branches on random programs whose lanes go different ways: verified, idempotent, equal records and ballots; each
//! alone, each on programs that were bent so that there is more for it to do, and all of them round robin until nothing changes.
//!
//! A slice by default; `RECONVERGE_DEEP=1` gives each pass 20,000 programs.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use reconverge_control_tree::{ConstructData, ConstructKind, ControlTree, Jump, Node};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, Position, Terminator, terminator::operand, text};
use reconverge_optimize::structured::{
    SelectLimits, fold_constant_branches, if_conversion, if_conversion_within, invert_empty_arms, join_equal_jumps,
    merge_terminators, remove_dead_control_flow,
};
use reconverge_testing::generators::lanes::{
    LaneModule, LaneOptions, Outside, Records, SubgroupUse, lanes_program, lower,
};
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Idempotence, Inputs, PassTrial, compare, judge_pass};
use reconverge_testing::random::Random;
use reconverge_verify::verify;

type Pass = fn(&mut Module, Function) -> Result<bool, Diagnostic>;

const PASSES: [(&str, Pass); 7] = [
    ("remove_dead_control_flow", remove_dead_control_flow),
    ("fold_constant_branches", fold_constant_branches),
    ("invert_empty_arms", invert_empty_arms),
    ("join_equal_jumps", join_equal_jumps),
    ("merge_terminators", merge_terminators),
    ("if_conversion", if_conversion),
    ("if_conversion, generous", |module, function| {
        if_conversion_within(module, function, SelectLimits { plain: 1000, flatten: 1000 })
    }),
];

/// How many programs each pass gets.
fn programs() -> u64 {
    if is_deep() { 20_000 } else { 240 }
}

/// Programs with few records, so that constructs without effect occur, and with many.
fn options() -> [LaneOptions; 2] {
    let few = LaneOptions { subgroup: SubgroupUse::None, records: Records::Some, kill: true, ..LaneOptions::default() };
    [few, LaneOptions::default()]
}

fn judge(name: &str) {
    let &(_, pass) = PASSES.iter().find(|(known, _)| *known == name).unwrap();
    for (options, lanes) in options().into_iter().zip([vec![1, 7], vec![4, 16]]) {
        let idempotence = Idempotence::Held;
        let trial = PassTrial { options, lanes, idempotence, validated: 0, ..PassTrial::default() };
        let mut run =
            |module: &mut Module, function: Function| pass(module, function).map_err(|error| error.to_string());
        match judge_pass(0..programs() / 3, &trial, &mut run) {
            Ok(figures) => println!("{name}: {figures:?}"),
            Err(message) => panic!("{name}: {message}"),
        }
    }
    judge_bent(name, pass);
}

/// The same on bent programs.
fn judge_bent(name: &str, pass: Pass) {
    let mut changes = 0;
    for seed in 0..programs() / 3 {
        let lowered = bent(seed);
        let mut after = lowered.module.clone();
        for &function in &lowered.functions {
            let changed = pass(&mut after, function).unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            changes += usize::from(changed);
            let once = after.clone();
            let again = pass(&mut after, function).unwrap();
            let differs = again || text::print(&once) != text::print(&after);
            assert!(!differs, "{name}, seed {seed}, goes on:\n{}\nthen\n{}", text::print(&once), text::print(&after));
        }
        check_same(name, seed, &lowered, &after);
    }
    println!("{name}: {changes} functions of bent programs changed");
    assert!(changes > 0, "the bent programs have nothing for {name}");
}

/// The verifier finds nothing, and lanes do the same.
fn check_same(name: &str, seed: u64, lowered: &LaneModule, after: &Module) {
    let prints = || format!("before\n{}\nafter\n{}", text::print(&lowered.module), text::print(after));
    if let Some(finding) = verify(after).first() {
        panic!("{name}, seed {seed}: {finding}\n{}", prints());
    }
    for lanes in [1, 5, 16] {
        if let Err(message) = compare(lowered, after, &Inputs::new(lanes, seed)) {
            panic!("{name}, seed {seed}: {message}\n{}", prints());
        }
    }
}

/// A random program in which some conditions are constants, and some exits stand twice.
fn bent(seed: u64) -> LaneModule {
    let [few, many] = options();
    let size = 3 + (seed as usize * 7) % 40;
    let mut lowered =
        lower(&lanes_program(seed, size, if seed.is_multiple_of(2) { &few } else { &many }), Outside::Calls);
    let mut random = Random::new(seed ^ 0xbe27);
    for &function in &lowered.functions {
        bend(&mut lowered.module, function, &mut random);
    }
    if let Some(finding) = verify(&lowered.module).first() {
        panic!("seed {seed}: bending broke it: {finding}\n{}", text::print(&lowered.module));
    }
    lowered
}

fn bend(module: &mut Module, function: Function, random: &mut Random) {
    let tree = ControlTree::compute(module, function).unwrap();
    let bool_type = module.edit().unique(Op::TypeBool, None, &[]);
    let constants = [Op::ConstantFalse, Op::ConstantTrue].map(|op| module.edit().unique(op, Some(bool_type), &[]));
    for construct in tree.constructs() {
        let Some(terminator) = module.terminator(construct.opener) else { continue };
        if construct.kind == ConstructKind::If && random.chance(40) {
            turn_round(module, terminator, !decides_a_loop(module, &tree, construct) && random.chance(50));
        }
        let breaking = breaking_way(module, &tree, construct, terminator);
        match construct.kind {
            ConstructKind::If | ConstructKind::Exit if !decides_a_loop(module, &tree, construct) => {
                let fixed = random.chance(25).then(|| constants[random.below(2)]);
                fixed.into_iter().for_each(|fixed| module.edit().set_operand(terminator, operand::CONDITION, fixed));
            }
            ConstructKind::Exit if breaking.is_some() && random.chance(8) => {
                let leaves = constants[usize::from(breaking == Some(operand::TRUE))];
                module.edit().set_operand(terminator, operand::CONDITION, leaves);
            }
            ConstructKind::Switch if !decides_a_loop(module, &tree, construct) && random.chance(40) => {
                fix_selector(module, terminator, random);
            }
            ConstructKind::Exit if random.chance(60) => double_exit(module, &tree, construct.opener, constants, random),
            _ => {}
        }
    }
}

/// Exchanges the arms of a selection; the condition is negated unless it does not matter where lanes go.
fn turn_round(module: &mut Module, selection: Terminator, may_go_elsewhere: bool) {
    let mut operands: Vec<Inst> = module.operands(selection).collect();
    operands.swap(operand::TRUE, operand::FALSE);
    if !may_go_elsewhere {
        let condition = operands[operand::CONDITION];
        let (ty, place) = (module.ty(condition), Position::Before(selection.into()));
        operands[operand::CONDITION] = module.edit().insert(place, Op::LogicalNot, ty, &[condition]);
    }
    module.edit().set_operands(selection, &operands);
}

/// Whether a construct holds a jump of a loop around it: what leads out must not be all that goes.
fn decides_a_loop(module: &Module, tree: &ControlTree, construct: &ConstructData) -> bool {
    let inside = tree.blocks_of(Node::Construct(construct.name())).iter().copied();
    let edges = [construct.opener].into_iter().chain(inside).flat_map(|block| module.out_edges(block));
    let mut jumps = edges.filter_map(|edge| tree.jump(edge));
    jumps.any(|jump| matches!(jump, Jump::Break(_) | Jump::Continue(_) | Jump::Back(_)))
}

/// The way of a conditional exit that breaks a loop, if the other one does not go back.
fn breaking_way(module: &Module, tree: &ControlTree, construct: &ConstructData, exit: Terminator) -> Option<usize> {
    let jump = |way: usize| match tree.jump(Edge { terminator: exit, operand: way })? {
        Jump::Enter(list) => module.out_edges(tree.last_block(list)).find_map(|edge| tree.jump(edge)),
        jump => Some(jump),
    };
    let ways = [(operand::TRUE, operand::FALSE), (operand::FALSE, operand::TRUE)];
    let is_exit = construct.kind == ConstructKind::Exit;
    let breaks = |&(way, other): &(usize, usize)| {
        matches!(jump(way), Some(Jump::Break(_))) && !matches!(jump(other), Some(Jump::Back(_)))
    };
    ways.into_iter().filter(|_| is_exit).find(breaks).map(|(way, _)| way)
}

fn fix_selector(module: &mut Module, switch: Terminator, random: &mut Random) {
    let ty = module.ty(module.operand(switch, operand::CONDITION));
    let mut literals: Vec<Inst> = module.cases(switch).map(|(literal, _)| literal).collect();
    let default = module.cast::<Block>(module.operand(switch, operand::DEFAULT)).unwrap();
    // No lane may come to what the cases leave over, where they are all there are.
    let is_complete = module.terminator(default).is_some_and(|last| module.op(last) == Op::Unreachable);
    literals.extend((!is_complete).then(|| module.edit().word(77)));
    let constant = module.edit().unique(Op::Constant, ty, &[literals[random.below(literals.len())]]);
    module.edit().set_operand(switch, operand::CONDITION, constant);
}

/// Puts an exit behind an exit, to the same place.
fn double_exit(module: &mut Module, tree: &ControlTree, opener: Block, constants: [Inst; 2], random: &mut Random) {
    let Some(exit) = module.terminator(opener) else { return };
    let condition = module.operand(exit, operand::CONDITION);
    for way in [operand::TRUE, operand::FALSE] {
        let block = |way: usize| module.cast::<Block>(module.operand(exit, way)).unwrap();
        let (leaving, staying) = (block(way), block(operand::TRUE + operand::FALSE - way));
        let Some(jump) = module.terminator(leaving).filter(|_| module.is_bare_edge(leaving)) else { continue };
        let goes_back = module.out_edges(leaving).any(|edge| matches!(tree.jump(edge), Some(Jump::Back(_))));
        if goes_back || module.is_bare_edge(staying) || module.parameters(leaving).next().is_some() {
            continue;
        }
        let operands: Vec<Inst> = module.operands(jump).collect();
        let mut editor = module.edit();
        let between = editor.insert(Position::After(opener.into()), Op::Block, None, &[]);
        let edge = editor.insert(Position::After(between), Op::EdgeBlock, None, &[]);
        editor.append(edge, Op::Branch, None, &operands);
        let never = if way == operand::TRUE { constants[0] } else { constants[1] };
        let second = [condition, never, constants[random.below(2)]][random.below(3)];
        let mut ways = [edge, staying.into()];
        if way == operand::FALSE {
            ways.swap(0, 1);
        }
        editor.append(between, Op::BranchIf, None, &[second, ways[0], ways[1]]);
        editor.set_operand(exit, operand::TRUE + operand::FALSE - way, between);
        return;
    }
}

#[test]
fn remove_dead_control_flow_on_random_programs() {
    judge("remove_dead_control_flow");
}

#[test]
fn fold_constant_branches_on_random_programs() {
    judge("fold_constant_branches");
}

#[test]
fn invert_empty_arms_on_random_programs() {
    judge("invert_empty_arms");
}

#[test]
fn join_equal_jumps_on_random_programs() {
    judge("join_equal_jumps");
}

#[test]
fn merge_terminators_on_random_programs() {
    judge("merge_terminators");
}

#[test]
fn if_to_select_on_random_programs() {
    judge("if_conversion");
    judge("if_conversion, generous");
}

/// What every change of any of the passes makes smaller, compared from the left: ways to choose from, jumps out of constructs,
/// blocks, selections whose true arm alone is empty, instructions.
type Measure = [usize; 5];

fn measure(module: &Module, function: Function) -> Measure {
    let blocks: Vec<Block> = module.blocks(function).collect();
    let mut measure = [0, 0, blocks.len(), 0, 0];
    for &block in &blocks {
        let Some(last) = module.terminator(block) else { continue };
        let op = module.op(last);
        measure[0] += module.out_edges(block).count().saturating_sub(1);
        measure[1] += usize::from(module.successors(block).next().is_none() && op != Op::Unreachable);
        let closed = match op {
            Op::StructuredSwitch => vec![module.merge_block(last)],
            Op::Loop => vec![module.merge_block(last), module.continue_block(last)],
            _ => Vec::new(),
        };
        measure[1] += closed.into_iter().flatten().map(|block| module.in_edges(block).count()).sum::<usize>();
        measure[3] += usize::from(op == Op::If && is_turned(module, last));
        measure[4] += module.children(block).count();
    }
    measure
}

fn is_turned(module: &Module, selection: Terminator) -> bool {
    let merge = module.merge_block(selection);
    let [yes, no] = [operand::TRUE, operand::FALSE].map(|way| {
        let target = module.cast::<Block>(module.operand(selection, way)).unwrap();
        let is_jump = module.children(target).count() == 1 && module.successors(target).next() == merge;
        Some(target) == merge || (is_jump && module.successors(target).count() == 1)
    });
    yes && !no
}

/// Round robin, in any order of the passes: there is a fixpoint, every change makes the measure smaller, and few rounds do.
#[test]
fn the_passes_do_not_undo_each_other() {
    const ROUNDS: usize = 8;
    let (mut most, mut changes) = (0, 0);
    for seed in 0..programs() {
        let lowered = bent(seed);
        let mut module = lowered.module.clone();
        let mut random = Random::new(seed);
        for &function in &lowered.functions {
            let mut rounds = 0;
            loop {
                let mut order: Vec<usize> = (0..PASSES.len()).collect();
                (1..order.len()).rev().for_each(|last| order.swap(last, random.below(last + 1)));
                let mut changed = false;
                for &(name, pass) in order.iter().map(|&index| &PASSES[index]) {
                    let before = measure(&module, function);
                    if pass(&mut module, function).unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}")) {
                        let now = measure(&module, function);
                        assert!(
                            now < before,
                            "{name}, seed {seed}: {before:?} became {now:?}\n{}",
                            text::print(&module)
                        );
                        (changed, changes) = (true, changes + 1);
                    }
                }
                if !changed {
                    break;
                }
                rounds += 1;
                assert!(rounds <= ROUNDS, "seed {seed}: no end\n{}", text::print(&module));
            }
            most = most.max(rounds);
        }
        check_same("all", seed, &lowered, &module);
    }
    println!("{} programs, {changes} changes, at most {most} rounds", programs());
}
