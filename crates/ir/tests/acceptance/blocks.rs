//! Blocks, parameters and edges: S4 to S9.

use std::collections::BTreeMap;

use reconverge_ir::terminator::{first_argument, is_successor, operand};
use reconverge_ir::text::{parse, print};
use reconverge_ir::{Block, Class, Edge, Function, Inst, Module, Op, OperandKind, Terminator};

use super::support::{Random, start};

fn named(module: &Module, name: &str) -> Inst {
    let all = module.descendants(module.root());
    all.into_iter().find(|&inst| module.name(inst).as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
}

fn block(module: &Module, name: &str) -> Block {
    module.cast(named(module, name)).unwrap()
}

fn terminator(module: &Module, name: &str) -> Terminator {
    module.terminator(block(module, name)).unwrap()
}

const SWAP: &str = "
%u32 = type_int 32, 0
%bool = type_bool
%one: %u32 = constant 1
func %f: %u32 (%x: %u32, %y: %u32, %n: %u32) {
block ^entry:
  loop ^header(%n, %x, %y) break ^done continue ^latch
block ^header(%i: %u32, %a: %u32, %b: %u32):
  %more: %bool = u_less_than %one, %i
  branch_if %more ^latch ^exit
edge ^exit:
  branch ^done(%a)
block ^latch:
  %next: %u32 = i_sub %i, %one
  branch ^header(%next, %b, %a)
block ^done(%result: %u32):
  return_value %result
}
";

/// Runs `%f` of [`SWAP`], all arguments of a jump at once.
fn run_swap(module: &Module, x: u32, y: u32, n: u32) -> u32 {
    let function: Function = module.cast(named(module, "f")).unwrap();
    let mut values: BTreeMap<Inst, u32> = BTreeMap::from([(named(module, "one"), 1)]);
    values.extend(module.parameters(function).map(Inst::from).zip([x, y, n]));
    let mut at = module.entry(function).unwrap();
    loop {
        for inst in module.children(at) {
            let value = |index| values[&module.operand(inst, index)];
            match module.op(inst) {
                Op::ULessThan => _ = values.insert(inst, u32::from(value(0) < value(1))),
                Op::ISub => _ = values.insert(inst, value(0) - value(1)),
                Op::ReturnValue => return value(0),
                Op::Branch | Op::Loop => {
                    let terminator = module.cast(inst).unwrap();
                    let arguments: Vec<u32> = module.arguments(terminator).map(|argument| values[&argument]).collect();
                    at = module.successors(at).next().unwrap();
                    values.extend(module.parameters(at).map(Inst::from).zip(arguments));
                    break;
                }
                Op::BranchIf => {
                    let taken = if value(0) == 1 { operand::TRUE } else { operand::FALSE };
                    at = module.cast(module.operand(inst, taken)).unwrap();
                    break;
                }
                _ => {}
            }
        }
    }
}

#[test]
fn s04_blocks_have_parameters_and_no_phis() {
    assert!(Op::ALL.iter().all(|op| !op.name().contains("phi")));
    let phis: Vec<Op> = Op::ALL.iter().copied().filter(|op| op.opcode() == Some(245)).collect();
    assert_eq!(phis, [Op::BlockParameter], "OpPhi is what a block parameter becomes");
    let module = parse(SWAP).unwrap();
    let swapped = run_swap(&module, 10, 20, 2);
    assert_eq!((run_swap(&module, 10, 20, 1), swapped, run_swap(&module, 10, 20, 3)), (10, 20, 10));
    let again = parse(&print(&module)).unwrap();
    assert_eq!(run_swap(&again, 10, 20, 2), 20);
}

#[test]
fn s04_a_parameter_and_its_arguments_come_and_go_together() {
    let mut module = parse(SWAP).unwrap();
    let before = print(&module);
    let (header, n, u32_type) = (block(&module, "header"), named(&module, "n"), named(&module, "u32"));
    let mut passed = Vec::new();
    let parameter = module.edit().append_parameter(header, u32_type, |_, edge| {
        passed.push(edge.terminator);
        n
    });
    passed.sort();
    let mut expected = vec![terminator(&module, "entry"), terminator(&module, "latch")];
    expected.sort();
    assert_eq!(passed, expected);
    for edge in module.in_edges(header) {
        assert_eq!(module.arguments(edge.terminator).len(), 4);
        assert_eq!(module.arguments(edge.terminator).next_back(), Some(n));
    }
    assert_eq!(run_swap(&module, 10, 20, 2), 20);
    module.edit().remove_parameter(parameter);
    assert_eq!(print(&module), before);
}

#[test]
fn s05_only_branch_and_loop_carry_arguments() {
    for &op in Class::Terminator.ops() {
        let successors =
            op.signature().iter().filter(|entry| matches!(entry.kind, OperandKind::Successor | OperandKind::Case));
        let carries = first_argument(op).is_some();
        assert_eq!(carries, matches!(op, Op::Branch | Op::Loop), "{}", op.name());
        if successors.count() > 0 && !carries {
            let last = op.signature().last().unwrap().kind;
            assert!(!matches!(last, OperandKind::Value | OperandKind::Any), "{} has no place for arguments", op.name());
        }
    }
    let mut module = parse(
        "
        %u32 = type_int 32, 0
        %bool = type_bool
        func %f: %u32 (%c: %bool, %x: %u32) {
        block ^entry:
          branch_if %c ^then ^join
        block ^then:
          branch ^join
        block ^join:
          return_value %x
        }",
    )
    .unwrap();
    let (join, u32_type, x) = (block(&module, "join"), named(&module, "u32"), named(&module, "x"));
    let critical = Edge { terminator: terminator(&module, "entry"), operand: operand::FALSE };
    let edge = module.edit().split_edge(critical);
    assert_eq!(module.op(edge), Op::EdgeBlock);
    assert!(module.is_bare_edge(edge));
    module.edit().append_parameter(join, u32_type, |_, _| x);
    assert!(print(&module).contains("branch ^join(%x)"));
    assert_eq!(critical_edges(&module), 0);
}

fn critical_edges(module: &Module) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let edges =
        blocks.filter(|&source| module.successors(source).count() > 1).flat_map(|source| module.successors(source));
    edges.filter(|&target| module.predecessors(target).count() > 1).count()
}

/// The edges into a block by definition.
fn in_edges_by_search(module: &Module, target: Block) -> Vec<Edge> {
    let mut edges = Vec::new();
    for function in module.functions() {
        for source in module.blocks(function) {
            let Some(terminator) = module.terminator(source) else { continue };
            let op = module.op(terminator);
            let operands = module.operands(terminator).enumerate();
            let into = operands.filter(|&(index, inst)| inst == target.inst() && is_successor(op, index));
            edges.extend(into.map(|(operand, _)| Edge { terminator, operand }));
        }
    }
    edges.sort();
    edges
}

#[test]
fn s06_predecessors_are_those_that_a_search_finds() {
    let mut random = Random::new(11);
    let mut start = start(30);
    let module = &mut start.module;
    let mut blocks = start.blocks.clone();
    let condition = start.parameter;
    for step in 0..10_000 {
        let source = blocks[random.below(blocks.len())];
        let mut target = || blocks[random.below(blocks.len())].inst();
        let targets: Vec<Inst> = (0..4).map(|_| target()).collect();
        let word = module.edit().word(step as u32);
        match random.below(8) {
            0 => _ = module.edit().replace_terminator(source, Op::Branch, &targets[..1]),
            1 => _ = module.edit().replace_terminator(source, Op::BranchIf, &[condition, targets[0], targets[1]]),
            2 => {
                let operands = [condition, targets[0], word, targets[1], word, targets[0]];
                module.edit().replace_terminator(source, Op::Switch, &operands);
            }
            3 => {
                let operands = [condition, targets[0], targets[1], targets[2], word];
                module.edit().replace_terminator(source, Op::If, &operands);
            }
            4 => {
                _ = module.edit().replace_terminator(
                    source,
                    Op::Loop,
                    &[targets[0], targets[1], targets[2], word, targets[3]],
                )
            }
            5 => module.edit().replace_all_uses(targets[0], targets[1]),
            6 if blocks.len() < 60 => {
                let edges: Vec<Edge> = module.out_edges(source).collect();
                if let Some(&edge) = edges.first() {
                    blocks.push(module.edit().split_edge(edge));
                }
            }
            _ => {
                let edges: Vec<Edge> = module.out_edges(source).collect();
                if let Some(edge) = edges.last() {
                    module.edit().set_operand(edge.terminator, edge.operand, targets[0]);
                }
            }
        }
        let checked = if step % 500 == 0 { blocks.clone() } else { vec![module.cast(targets[0]).unwrap(), source] };
        for block in checked {
            let mut found: Vec<Edge> = module.in_edges(block).collect();
            found.sort();
            assert_eq!(found, in_edges_by_search(module, block), "step {step}, block {block:?}");
            assert_eq!(module.predecessors(block).count(), found.len());
        }
    }
}

#[test]
fn s07_edges_are_counted_one_by_one() {
    let module = parse(
        "
        %void = type_void
        %u32 = type_int 32, 0
        func %f: %void (%x: %u32) {
        block ^entry:
          switch %x default ^other [1 ^same] [2 ^same] [3 ^same]
        block ^same:
          return
        block ^other:
          return
        }",
    )
    .unwrap();
    let (entry, same) = (block(&module, "entry"), block(&module, "same"));
    assert_eq!(module.out_edges(entry).count(), 4);
    assert_eq!(module.in_edges(same).count(), 3);
    let mut predecessors: Vec<Block> = module.predecessors(same).collect();
    assert_eq!(predecessors, [entry; 3]);
    predecessors.dedup();
    assert_eq!(predecessors.len(), 1);
    assert_eq!(module.cases(terminator(&module, "entry")).count(), 3);
}

#[test]
fn s08_a_merge_block_is_an_operand_and_no_successor() {
    let mut module = parse(
        "
        %void = type_void
        %bool = type_bool
        func %f: %void (%c: %bool) stage structured {
        block ^entry:
          if %c ^left ^right merge ^join
        block ^left:
          return
        block ^right:
          return
        block ^join:
          unreachable
        block ^other:
          unreachable
        }",
    )
    .unwrap();
    let (entry, join, other) = (block(&module, "entry"), block(&module, "join"), block(&module, "other"));
    let successors: Vec<Block> = module.successors(entry).collect();
    assert_eq!(successors, [block(&module, "left"), block(&module, "right")]);
    assert_eq!(module.predecessors(join).count(), 0, "the join may be unreachable");
    module.edit().replace_all_uses(join, other);
    assert_eq!(module.merge_block(terminator(&module, "entry")), Some(other));
    assert!(!module.is_used(join));
}

#[test]
fn s09_a_loop_names_its_break_and_continue_block() {
    let module = parse(SWAP).unwrap();
    let entry = block(&module, "entry");
    let jump = terminator(&module, "entry");
    assert_eq!(module.successors(entry).collect::<Vec<_>>(), [block(&module, "header")]);
    assert_eq!(module.merge_block(jump), Some(block(&module, "done")));
    assert_eq!(module.continue_block(jump), Some(block(&module, "latch")));
    assert_eq!(module.arguments(jump).len(), 3);
    assert_eq!(module.predecessors(block(&module, "done")).count(), 1, "the break block's one edge is the exit");
}
