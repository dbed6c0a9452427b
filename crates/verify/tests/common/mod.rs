//! Functions from tables: blocks with their merge instructions, spelled as in SPIR-V, one line a function.
//!
//! `e br h | h L m c if b m | b br c | c br h | m return`: blocks in order, the entry first; each is its name, then `S merge` or
//! `L merge continue` if it is a header, then `br to`, `if true false`, `sw default 0:case …`, `return`, `kill`, `terminate` or
//! `unreachable`. Loops get a preheader and critical edges an edge block, as the IR has it.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_ir::{Block, Builder, Edge, Function, Inst, Module, Op, Position, Stage};
use reconverge_verify::{Code, Finding, verify};

/// One block of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) merge: Option<Merge>,
    pub(crate) terminator: Terminator,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Merge {
    Selection(String),
    Loop { merge: String, continue_block: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Terminator {
    Branch(String),
    If(String, String),
    Switch(String, Vec<(u32, String)>),
    End(Op),
}

impl Row {
    pub(crate) fn targets(&self) -> Vec<String> {
        match &self.terminator {
            Terminator::Branch(target) => vec![target.clone()],
            Terminator::If(first, second) => vec![first.clone(), second.clone()],
            Terminator::Switch(default, cases) => {
                std::iter::once(default).chain(cases.iter().map(|(_, target)| target)).cloned().collect()
            }
            Terminator::End(_) => Vec::new(),
        }
    }

    fn structural_targets(&self) -> Vec<String> {
        let mut targets = self.targets();
        match &self.merge {
            Some(Merge::Selection(merge)) => targets.push(merge.clone()),
            Some(Merge::Loop { merge, continue_block }) => targets.extend([merge.clone(), continue_block.clone()]),
            None => {}
        }
        targets
    }
}

/// Reads a table.
pub(crate) fn rows(table: &str) -> Vec<Row> {
    table.split('|').map(row).collect()
}

fn row(text: &str) -> Row {
    let mut words = text.split_whitespace().map(str::to_owned).peekable();
    let name = words.next().expect("a block has a name");
    let merge = match words.peek().map(String::as_str) {
        Some("S") => words.next().and_then(|_| words.next()).map(Merge::Selection),
        Some("L") => {
            words.nth(1).zip(words.next()).map(|(merge, continue_block)| Merge::Loop { merge, continue_block })
        }
        _ => None,
    };
    let word = words.next().expect("a block has a terminator");
    let mut target = || words.next().expect("a terminator names its targets");
    let terminator = match word.as_str() {
        "br" => Terminator::Branch(target()),
        "if" => Terminator::If(target(), target()),
        "sw" => {
            let default = target();
            let case = |case: String| {
                let (literal, target) = case.split_once(':').expect("a case is literal:target");
                (literal.parse().expect("a literal is a number"), target.to_owned())
            };
            Terminator::Switch(default, words.map(case).collect())
        }
        "return" => Terminator::End(Op::Return),
        "kill" => Terminator::End(Op::Kill),
        "terminate" => Terminator::End(Op::TerminateInvocation),
        "unreachable" => Terminator::End(Op::Unreachable),
        other => panic!("unknown terminator {other}"),
    };
    Row { name, merge, terminator }
}

/// The function of a table at stage Structured, in a module of its own.
pub(crate) fn build(table: &str) -> Module {
    let rows = rows(table);
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    // SPIR-V 1.6, whose rules are the strictest.
    let header = [0x0001_0600, 0, 0].map(|word| build.editor().word(word));
    build.spirv_header(&header);
    let void = build.void_type();
    let int = build.int_type(32);
    let values = [build.constant_bool(true), build.constant_word(int, 0)];
    let function = build.add_function(void, &[]);
    build.editor().set_stage(function, Stage::Structured);
    let blocks: BTreeMap<String, Block> =
        rows.iter().map(|row| (row.name.clone(), build.add_block(function))).collect();
    for (name, &block) in &blocks {
        build.editor().set_name(block, name);
    }
    let entries = place_loops(&mut build, &rows, &blocks);
    for row in &rows {
        build.at_end(blocks[&row.name]);
        write_terminator(&mut build, row, &values, &blocks, |target| {
            *entries.get(&(row.name.clone(), target.to_owned())).unwrap_or(&blocks[target])
        });
    }
    // The table's order, then the terminators of preheaders that replaced a plain branch.
    for row in &rows {
        let Terminator::Branch(target) = &row.terminator else { continue };
        if entries.get(&(row.name.clone(), target.clone())) == Some(&blocks[&row.name]) {
            let operands = loop_operands(&mut build, &rows, &blocks, target);
            build.at_end(blocks[&row.name]);
            build.r#loop(&operands);
        }
    }
    split_critical_edges(&mut module, function);
    module
}

/// For each forward edge to a loop header the block to go to instead: the preheader, or the source itself where that is one.
fn place_loops(
    build: &mut Builder<'_>,
    rows: &[Row],
    blocks: &BTreeMap<String, Block>,
) -> BTreeMap<(String, String), Block> {
    let back = back_edges(rows);
    let mut entries = BTreeMap::new();
    for row in rows.iter().filter(|row| matches!(row.merge, Some(Merge::Loop { .. }))) {
        let into = rows.iter().filter(|source| source.targets().contains(&row.name));
        let forward: Vec<&Row> =
            into.filter(|source| !back.contains(&(source.name.clone(), row.name.clone()))).collect();
        if let [only] = forward[..]
            && matches!(only.terminator, Terminator::Branch(_))
        {
            entries.insert((only.name.clone(), row.name.clone()), blocks[&only.name]);
            continue;
        }
        let operands = loop_operands(build, rows, blocks, &row.name);
        let header = blocks[&row.name].inst();
        let preheader = build.editor().insert(Position::Before(header), Op::EdgeBlock, None, &[]);
        build.editor().append(preheader, Op::Loop, None, &operands);
        let preheader: Block = build.module().cast(preheader).expect("an edge block is a block");
        for source in forward {
            entries.insert((source.name.clone(), row.name.clone()), preheader);
        }
    }
    entries
}

fn loop_operands(build: &mut Builder<'_>, rows: &[Row], blocks: &BTreeMap<String, Block>, header: &str) -> Vec<Inst> {
    let row = rows.iter().find(|row| row.name == header).expect("the header is a row");
    let Some(Merge::Loop { merge, continue_block }) = &row.merge else { panic!("{header} is no loop header") };
    let control = build.editor().word(0);
    vec![blocks[header].inst(), blocks[merge].inst(), blocks[continue_block].inst(), control]
}

fn write_terminator(
    build: &mut Builder<'_>,
    row: &Row,
    values: &[Inst; 2],
    blocks: &BTreeMap<String, Block>,
    target: impl Fn(&str) -> Block,
) {
    let control = build.editor().word(0);
    let merge = match &row.merge {
        Some(Merge::Selection(merge)) => Some(blocks[merge].inst()),
        _ => None,
    };
    match (&row.terminator, merge) {
        (Terminator::Branch(to), _) => {
            // A block that is its own entry to the target is a preheader: its `loop` is written last.
            let to = target(to);
            if to != blocks[&row.name] {
                build.branch(&[to.inst()]);
            }
        }
        (Terminator::If(first, second), None) => {
            build.branch_if(&[values[0], target(first).inst(), target(second).inst()]);
        }
        (Terminator::If(first, second), Some(merge)) => {
            build.r#if(&[values[0], target(first).inst(), target(second).inst(), merge, control]);
        }
        (Terminator::Switch(default, cases), merge) => {
            let mut operands = vec![values[1], target(default).inst()];
            operands.extend(merge.into_iter().flat_map(|merge| [merge, control]));
            for (literal, to) in cases {
                operands.extend([build.editor().word(*literal), target(to).inst()]);
            }
            build.emit(if merge.is_some() { Op::StructuredSwitch } else { Op::Switch }, None, &operands);
        }
        (Terminator::End(op), _) => {
            build.emit(*op, None, &[]);
        }
    }
}

fn split_critical_edges(module: &mut Module, function: Function) {
    let mut critical: Vec<Edge> = Vec::new();
    for block in module.blocks(function) {
        let successors: BTreeSet<Block> = module.successors(block).collect();
        let edges = module.out_edges(block).filter(|_| successors.len() > 1);
        critical.extend(edges.filter(|&edge| {
            let target = module.target(edge).expect("a target is a block");
            module.predecessors(target).collect::<BTreeSet<_>>().len() > 1
        }));
    }
    for edge in critical {
        module.edit().split_edge(edge);
    }
}

/// The branch edges that go back in a depth-first search over structural edges, unreachable blocks last.
fn back_edges(rows: &[Row]) -> BTreeSet<(String, String)> {
    let by_name: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.name.as_str(), row)).collect();
    let (mut seen, mut open, mut back) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for root in rows {
        let mut stack = vec![(root.name.clone(), 0)];
        if !seen.insert(root.name.clone()) {
            continue;
        }
        open.insert(root.name.clone());
        while let Some((name, next)) = stack.pop() {
            let row = by_name[name.as_str()];
            let Some(target) = row.structural_targets().get(next).cloned() else {
                open.remove(&name);
                continue;
            };
            stack.push((name.clone(), next + 1));
            if open.contains(&target) && row.targets().contains(&target) {
                back.insert((name, target.clone()));
            }
            if seen.insert(target.clone()) {
                open.insert(target.clone());
                stack.push((target, 0));
            }
        }
    }
    back
}

/// The codes that fire, each once, in order.
pub(crate) fn codes(module: &Module) -> Vec<Code> {
    let codes: BTreeSet<Code> = verify(module).iter().map(|finding| finding.code).collect();
    codes.into_iter().collect()
}

/// Findings, one below the other, for messages of failed tests.
pub(crate) fn show(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("{finding}\n")).collect()
}
