//! The sequences for SIMD control flow as they are published for the VC4 in Mesa, beside ours: the same bodies, the same masks, the same results.
//!
//! The published sequences, with their lines:
//!
//! ```text
//! 01 mov execute, 0                         01 mov execute, 0
//! 02 or.sf null, execute, condition         02 loop:
//! 03 mov.zs execute, ELSE                   03 sub.sf null, execute, LOOP
//! 04 mov.sf null, execute                   04 mov.zs execute, 0
//! 05 branch.all_zc ELSE                     05 …
//! 06 then: …                                06 mov.sf null, execute               inside an if
//! 08 mov.sf null, execute                   07 mov.zs execute, TARGET             LOOP or BREAK
//! 09 mov.zs execute, AFTER                  08 sub.sf null, execute, TARGET
//! 10 sub.sf null, execute, AFTER            09 branch.all_zs TARGET
//! 11 branch.all_zs AFTER                    10 …
//! 13 else:                                  11 mov.sf null, execute
//! 14 sub.sf null, execute, ELSE             12 sub.zc.sf null, execute, LOOP
//! 15 mov.zs execute, 0                      13 branch.any_zs LOOP
//! 18 after:                                 15 break:
//! ```
//!
//! They are given every advantage: only values that live across divergence are written under a condition, with one `mov.sf` before them, as Mesa
//! does; line 02 has `execute` where the published one forgets it, which an `if` inside a loop needs; and they are allocated, scheduled and
//! encoded as ours. What surrounds them, from the uniforms to the store of the result and the loop over work-groups, is ours.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use reconverge_codegen::VC4_MACHINE;
use reconverge_codegen::pipeline::{self, LAUNCH, LOOPS, SCALARS};
use reconverge_ir::text;
use reconverge_lanes::LaunchFacts;
use reconverge_qpu::machine::{
    AddOp, BlockId, Branch, BranchCondition, Condition, Destination, Inst, MachineBlock, MachineFunction, MulOp,
    Operation, ReadPort, SmallImmediate, Source, VReg, WritePort,
};
use reconverge_qpu::{Selection, Specialization, Uniform, assemble, select};
use reconverge_qpu_emulate::{Launch, Memory, run};
use reconverge_testing::filetest::folder;

const LANES: u32 = 16;
/// Where the memory of the work-group is.
const MEMORY: u32 = 0x2000_0000;

/// A filetest whose condition is changed so that the number of the work-group decides the masks.
struct Case {
    name: &'static str,
    edits: &'static [(&'static str, &'static str)],
    /// The published sequence around the body.
    write: fn(&mut Writer),
    /// What lane and work-group give.
    expected: fn(u32, u32) -> u32,
    /// Work-groups, and the masks that they stand for.
    masks: [(u32, &'static str); 3],
}

const CASES: [Case; 4] = [
    Case {
        name: "if_else",
        edits: &[("u_less_than %lane, %two", "u_less_than %lane, %group")],
        write: write_if_else,
        expected: |lane, group| if lane < group { (lane * group).pow(2) } else { group * group * lane },
        masks: [(0, "no lane goes to then"), (8, "half of the lanes"), (16, "all lanes")],
    },
    Case {
        name: "loop",
        edits: &[("u_less_than %i, %n", "u_less_than %i, %group")],
        write: write_loop,
        expected: |lane, group| (lane..group.max(lane)).step_by(2).sum(),
        masks: [(0, "all lanes leave at once"), (16, "lanes leave in turn"), (64, "lanes stay, then leave in turn")],
    },
    Case {
        name: "break",
        edits: &[("i_equal %i, %lane", "u_less_than %lane, %i"), ("loop ^h(%zero)", "loop ^h(%group)")],
        write: write_break,
        expected: |lane, group| group.max(lane + 1) * group,
        masks: [
            (0, "first no lane breaks, then one by one"),
            (8, "first half of the lanes"),
            (16, "all lanes at once"),
        ],
    },
    Case {
        name: "continue",
        edits: &[("u_less_than %i, %lane", "u_less_than %lane, %group")],
        write: write_continue,
        expected: |lane, group| if lane < group { 0 } else { (0..16).map(|i| i * i).sum() },
        masks: [(0, "no lane continues"), (8, "half of the lanes"), (16, "all lanes")],
    },
];

/// What code costs: its words, and the cycles for each of the masks.
struct Cost {
    words: usize,
    cycles: [u64; 3],
}

#[test]
fn no_sequence_takes_more_cycles_than_the_published_one() {
    println!("| | words: published | ours | lanes | cycles: published | ours |\n|---|---:|---:|---|---:|---:|");
    for case in &CASES {
        let selection = case.selection();
        let published = case.cost(Writer::write(&selection, case.write), &selection.uniforms);
        let ours = case.cost(selection.function, &selection.uniforms);
        for (place, (_, lanes)) in case.masks.iter().enumerate() {
            let head = match place {
                0 => format!("{} | {} | {}", case.name, published.words, ours.words),
                _ => " | | ".to_owned(),
            };
            println!("| {head} | {lanes} | {} | {} |", published.cycles[place], ours.cycles[place]);
        }
        let [before, after] = [&published, &ours].map(|cost| cost.cycles.iter().sum::<u64>());
        assert!(after <= before, "{}: {after} cycles, and the published sequence takes {before}", case.name);
    }
}

impl Case {
    fn selection(&self) -> Selection {
        let path = folder().join("qpu").join(format!("{}.ir", self.name));
        let file = std::fs::read_to_string(&path).unwrap();
        let mut input = file.split("; ----").next().unwrap().to_owned();
        for (from, to) in self.edits {
            assert_eq!(input.matches(from).count(), 1, "{}: {from}", self.name);
            input = input.replace(from, to);
        }
        let mut module = text::parse(&input).unwrap();
        let function = module.functions().next().unwrap();
        let specialization = Specialization { local: [LANES, 1, 1] };
        let facts = LaunchFacts { inputs: specialization.facts(), ..LaunchFacts::default() };
        pipeline::run(&mut module, function, facts, VC4_MACHINE, &[LAUNCH, SCALARS, LOOPS]).unwrap();
        select(&module, function, &specialization).unwrap()
    }

    fn cost(&self, function: MachineFunction, uniforms: &[Uniform]) -> Cost {
        let code = assemble(function).unwrap();
        let cycles = self.masks.map(|(group, _)| {
            let (cycles, results) = execute(&code.words, uniforms, group);
            let expected: Vec<u32> = (0..LANES).map(|lane| (self.expected)(lane, group)).collect();
            assert_eq!(results, expected, "{}: work-group {group}", self.name);
            cycles
        });
        Cost { words: code.words.len(), cycles }
    }
}

/// The cycles of one work-group, and what it leaves in its memory.
fn execute(words: &[u64], uniforms: &[Uniform], group: u32) -> (u64, Vec<u32>) {
    const ONLY: u32 = 1000;
    let word = |uniform: &Uniform| match uniform {
        Uniform::Group(0) => group,
        Uniform::Step | Uniform::Count(0) => ONLY,
        Uniform::Count(_) => 1,
        Uniform::Local => MEMORY,
        _ => 0,
    };
    let uniforms = [uniforms.iter().map(word).collect()];
    let mut memory = Memory::new();
    memory.add(MEMORY, vec![0; 4 * LANES as usize]).unwrap();
    let report = run(&Launch::new(words, &uniforms), &mut memory).unwrap();
    (report.cycles, (0..LANES).map(|lane| memory.word(MEMORY + 4 * lane).unwrap()).collect())
}

/// Writes a published sequence between the begin and the end of our code.
struct Writer {
    blocks: Vec<MachineBlock>,
    insts: Vec<Inst>,
    /// The block of each label; a branch has the label as its target until the end.
    labels: Vec<u32>,
    registers: u32,
    execute: VReg,
    lane: VReg,
    group: VReg,
    result: VReg,
}

use Condition::{Always, CarryClear, CarrySet, ZeroClear, ZeroSet};

impl Writer {
    fn write(ours: &Selection, sequence: fn(&mut Writer)) -> MachineFunction {
        let function = &ours.function;
        let insts = || function.blocks.iter().flat_map(|block| &block.insts);
        let reads = |inst: &Inst, port: ReadPort| inst.ports().any(|read| read == port);
        let written = |port: ReadPort| insts().filter(move |inst| reads(inst, port)).map(Inst::definition);
        let group = ours.uniforms.iter().position(|&uniform| uniform == Uniform::Group(0)).unwrap();
        let stored = insts().find(|inst| inst.destination == Destination::Port(WritePort::Vpm)).unwrap();
        let store = function
            .blocks
            .iter()
            .position(|block| block.insts.first().is_some_and(|inst| reads(inst, ReadPort::MutexAcquire)));
        let store = store.unwrap();
        let mut writer = Writer {
            blocks: function.blocks[..1].to_vec(),
            insts: Vec::new(),
            labels: Vec::new(),
            registers: function.registers + 1,
            execute: VReg(function.registers),
            lane: written(ReadPort::ElementNumber).next().flatten().unwrap(),
            group: written(ReadPort::Uniform).nth(group).flatten().unwrap(),
            result: stored.uses().next().unwrap(),
        };
        // The unit begins with the address of the result, and ends its common part where the result has no value yet.
        let begin = &function.blocks[1].insts;
        let common = begin.iter().position(|inst| inst.operation == Operation::Undefine).unwrap();
        writer.insts.extend(&begin[..common]);
        writer.emit(Inst::plain(Operation::Undefine, Destination::Register(writer.result)));
        sequence(&mut writer);
        writer.end_block(None);
        writer.finish(function, store)
    }

    /// The function, with our blocks from `store` on behind those that are written.
    fn finish(mut self, ours: &MachineFunction, store: usize) -> MachineFunction {
        let end = self.blocks.len() as u32;
        for branch in self.blocks.iter_mut().filter_map(|block| block.branch.as_mut()) {
            branch.target = BlockId(self.labels[branch.target.0 as usize]);
        }
        let mut behind = ours.blocks[store..].to_vec();
        for branch in behind.iter_mut().filter_map(|block| block.branch.as_mut()) {
            if branch.target.0 > 1 {
                branch.target.0 = branch.target.0 - store as u32 + end;
            }
        }
        self.blocks.append(&mut behind);
        MachineFunction { blocks: self.blocks, registers: self.registers, ..ours.clone() }
    }

    fn register(&mut self) -> VReg {
        self.registers += 1;
        VReg(self.registers - 1)
    }

    fn emit(&mut self, inst: Inst) {
        self.insts.push(inst);
    }

    fn end_block(&mut self, branch: Option<Branch>) {
        if branch.is_some() || !self.insts.is_empty() {
            self.blocks.push(MachineBlock {
                insts: std::mem::take(&mut self.insts),
                branch,
                ..MachineBlock::default()
            });
        }
    }

    fn label(&mut self) -> u32 {
        self.labels.push(0);
        self.labels.len() as u32 - 1
    }

    fn place(&mut self, label: u32) {
        self.end_block(None);
        self.labels[label as usize] = self.blocks.len() as u32;
    }

    fn branch(&mut self, condition: BranchCondition, label: u32) {
        self.end_block(Some(Branch { condition, target: BlockId(label) }));
    }

    fn compute(&mut self, operation: Operation, left: Source, right: Source) -> VReg {
        let register = self.register();
        self.emit(Inst::binary(operation, Destination::Register(register), left, right));
        register
    }

    /// A product of 32 bits, as ours.
    fn multiply(&mut self, left: VReg, right: VReg) -> VReg {
        let product = Operation::Multiply(MulOp::Mul24);
        let [a, b] = [left, right].map(Source::Register);
        let low = self.compute(product, a, b);
        let high = self.compute(Operation::Add(AddOp::Shr), a, small(-8));
        let first = self.compute(product, Source::Register(high), b);
        let high = self.compute(Operation::Add(AddOp::Shr), b, small(-8));
        let second = self.compute(product, Source::Register(high), a);
        let sum = self.add(first, Source::Register(second));
        let high = self.compute(Operation::Add(AddOp::Shl), Source::Register(sum), small(-8));
        self.add(low, Source::Register(high))
    }

    fn add(&mut self, left: VReg, right: Source) -> VReg {
        self.compute(Operation::Add(AddOp::Add), Source::Register(left), right)
    }

    fn copy(&mut self, to: VReg, from: Source) {
        self.emit(Inst::copy(Destination::Register(to), from));
    }

    /// A condition: whether `left` is less than `right`, or not less, as zero or minus one.
    fn boolean(&mut self, left: VReg, condition: Condition, right: Source) -> VReg {
        let register = self.register();
        let difference = Inst::binary(Operation::Add(AddOp::Sub), Destination::Null, Source::Register(left), right);
        self.emit(difference.setting_flags());
        self.copy(register, small(0));
        self.emit(Inst::copy(Destination::Register(register), small(-1)).when(condition));
        register
    }

    fn test_active(&mut self) {
        self.emit(Inst::copy(Destination::Null, Source::Register(self.execute)).setting_flags());
    }

    fn test_index(&mut self, condition: Condition, index: i32) {
        let execute = Source::Register(self.execute);
        let difference = Inst::binary(Operation::Add(AddOp::Sub), Destination::Null, execute, small(index));
        self.emit(difference.setting_flags().when(condition));
    }

    fn move_to(&mut self, index: i32) {
        self.emit(Inst::copy(Destination::Register(self.execute), small(index)).when(ZeroSet));
    }

    /// A value that lives across divergence.
    fn write_active(&mut self, to: VReg, from: VReg) {
        self.test_active();
        self.emit(Inst::copy(Destination::Register(to), Source::Register(from)).when(ZeroSet));
    }

    /// Lines 02 to 05 of the if: lanes without the condition wait at a block.
    fn begin_if(&mut self, condition: VReg, index: i32, label: u32) {
        let sources = [self.execute, condition].map(Source::Register);
        let either = Inst::binary(Operation::Add(AddOp::Or), Destination::Null, sources[0], sources[1]);
        self.emit(either.setting_flags());
        self.move_to(index);
        self.test_active();
        self.branch(BranchCondition::All(ZeroClear), label);
    }

    /// Lines 08 to 11 of the if, and 06 to 09 of the loop: active lanes go to a block.
    fn jump(&mut self, index: i32, label: u32) {
        self.test_active();
        self.move_to(index);
        self.test_index(Always, index);
        self.branch(BranchCondition::All(ZeroSet), label);
    }

    /// Lines 14 and 15 of the if, and 03 and 04 of the loop: lanes that wait at a block wake.
    fn wake(&mut self, index: i32, label: u32) {
        self.place(label);
        self.test_index(Always, index);
        self.move_to(0);
    }

    /// Lines 11 to 13 of the loop.
    fn end_loop(&mut self, index: i32, label: u32) {
        self.test_active();
        self.test_index(ZeroClear, index);
        self.branch(BranchCondition::Any(ZeroSet), label);
    }
}

fn small(value: i32) -> Source {
    Source::Small(SmallImmediate::of(value as u32).unwrap())
}

fn write_if_else(to: &mut Writer) {
    const ELSE: i32 = 1;
    const AFTER: i32 = 2;
    let (other, after) = (to.label(), to.label());
    let (lane, group, result) = (to.lane, to.group, to.result);
    to.copy(to.execute, small(0));
    let condition = to.boolean(lane, CarrySet, Source::Register(group));
    to.begin_if(condition, ELSE, other);
    let product = to.multiply(lane, group);
    let square = to.multiply(product, product);
    to.write_active(result, square);
    to.jump(AFTER, after);
    to.wake(ELSE, other);
    let square = to.multiply(group, group);
    let product = to.multiply(square, lane);
    to.write_active(result, product);
    to.place(after);
}

const LOOP: i32 = 1;
const BREAK: i32 = 2;
const AFTER: i32 = 3;

/// An if with a break: lanes with the condition leave the loop with a value.
fn write_break_if(to: &mut Writer, condition: VReg, value: impl FnOnce(&mut Writer) -> VReg, out: u32) {
    let after = to.label();
    to.begin_if(condition, AFTER, after);
    let value = value(to);
    to.write_active(to.result, value);
    to.jump(BREAK, out);
    to.wake(AFTER, after);
}

fn write_loop(to: &mut Writer) {
    let (head, out) = (to.label(), to.label());
    let (counter, sum) = (to.register(), to.register());
    to.copy(counter, Source::Register(to.lane));
    to.copy(sum, small(0));
    to.copy(to.execute, small(0));
    to.wake(LOOP, head);
    let condition = to.boolean(counter, CarryClear, Source::Register(to.group));
    write_break_if(to, condition, |_| sum, out);
    let next = to.add(sum, Source::Register(counter));
    to.copy(sum, Source::Register(next));
    let next = to.add(counter, small(2));
    to.copy(counter, Source::Register(next));
    to.end_loop(LOOP, head);
    to.place(out);
}

fn write_break(to: &mut Writer) {
    let (head, out) = (to.label(), to.label());
    let counter = to.register();
    to.copy(counter, Source::Register(to.group));
    to.copy(to.execute, small(0));
    to.wake(LOOP, head);
    let condition = to.boolean(to.lane, CarrySet, Source::Register(counter));
    write_break_if(to, condition, |to| to.multiply(counter, to.group), out);
    let next = to.add(counter, small(1));
    to.copy(counter, Source::Register(next));
    to.end_loop(LOOP, head);
    to.place(out);
}

/// A continue goes to the head of the loop, so the counter is counted and tested there.
fn write_continue(to: &mut Writer) {
    let (head, after, out) = (to.label(), to.label(), to.label());
    let (counter, next, sum, limit) = (to.register(), to.register(), to.register(), to.register());
    to.copy(next, small(0));
    to.copy(sum, small(0));
    to.copy(to.execute, small(0));
    to.wake(LOOP, head);
    to.copy(counter, Source::Register(next));
    to.emit(Inst::immediate(Destination::Register(limit), LANES));
    let condition = to.boolean(counter, CarryClear, Source::Register(limit));
    write_break_if(to, condition, |_| sum, out);
    let increment = to.add(counter, small(1));
    to.copy(next, Source::Register(increment));
    let condition = to.boolean(to.lane, CarrySet, Source::Register(to.group));
    to.begin_if(condition, AFTER, after);
    to.jump(LOOP, head);
    to.wake(AFTER, after);
    let square = to.multiply(counter, counter);
    let added = to.add(square, Source::Register(sum));
    to.write_active(sum, added);
    to.end_loop(LOOP, head);
    to.place(out);
}
