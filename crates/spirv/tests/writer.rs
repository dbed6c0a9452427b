//! What the writer makes of modules that were built or changed: edge blocks that must stay, split headers, order, errors.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{KERNEL, assemble, kernel, shader};
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Stage};
use reconverge_spirv::{Header, ReadOptions, WriteCode, WriteOptions, read, same_program, write};

fn written(module: &Module) -> Vec<u8> {
    write(module, &WriteOptions::default()).unwrap()
}

/// A kernel with one function and an empty entry block, from which a test builds on.
fn started() -> (Module, Function, Block) {
    let module = read(&kernel("%20 = Label\nReturn"), &ReadOptions::default()).unwrap();
    let function = module.functions().next().unwrap();
    let entry = module.entry(function).unwrap();
    let mut module = module;
    let terminator = module.terminator(entry).unwrap();
    module.edit().delete(terminator);
    (module, function, entry)
}

const TRUE: Inst = Inst::new(5);
const ZERO: Inst = Inst::new(6);
const ONE: Inst = Inst::new(7);
const U32: Inst = Inst::new(4);

/// Adds a block, or an edge block, at the end of the function.
fn add(build: &mut Builder<'_>, function: Function, op: Op) -> Block {
    let inst = build.editor().append(function, op, None, &[]);
    build.at_end(inst);
    build.module().cast(inst).unwrap()
}

#[test]
fn edges_that_pass_different_values_keep_one_edge_block() {
    let (mut module, function, entry) = started();
    let mut build = Builder::new(&mut module);
    let end = add(&mut build, function, Op::Block);
    let parameter = build.add_parameter(end, U32);
    build.r#return(&[]);
    let _ = parameter;
    let edges = [ZERO, ONE].map(|value| {
        let edge = add(&mut build, function, Op::EdgeBlock);
        build.branch(&[end.into(), value]);
        edge
    });
    build.at_end(entry);
    build.branch_if(&[TRUE, edges[0].into(), edges[1].into()]);
    // Ids above the kernel's: 21 = parameter, 22 = the edge block that stays; it comes before the block that it dominates not.
    let expected = kernel(
        "%20 = Label
         BranchConditional %5 %21 %23
         %21 = Label
         %22 = Phi %4 %6 %20 %7 %23
         Return
         %23 = Label
         Branch %21",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn chains_of_edge_blocks_vanish_and_circles_do_not() {
    let (mut module, function, entry) = started();
    let mut build = Builder::new(&mut module);
    let first = add(&mut build, function, Op::EdgeBlock);
    let passed = build.add_parameter(first, U32);
    let second = add(&mut build, function, Op::EdgeBlock);
    let given = build.add_parameter(second, U32);
    let end = add(&mut build, function, Op::Block);
    build.add_parameter(end, U32);
    build.r#return(&[]);
    build.at_end(entry);
    build.branch(&[first.into(), ONE]);
    build.at_end(first);
    build.branch(&[second.into(), passed.into()]);
    build.at_end(second);
    build.branch(&[end.into(), given.into()]);
    let circle = [Op::EdgeBlock, Op::EdgeBlock].map(|op| add(&mut build, function, op));
    for (from, to) in [(0, 1), (1, 0)] {
        build.at_end(circle[from]);
        build.branch(&[circle[to].into()]);
    }
    let expected = kernel(
        "%20 = Label
         Branch %21
         %21 = Label
         %22 = Phi %4 %7 %20
         Return
         %23 = Label
         Branch %23",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn an_edge_block_whose_parameter_is_used_elsewhere_stays() {
    let (mut module, function, entry) = started();
    let mut build = Builder::new(&mut module);
    let edge = add(&mut build, function, Op::EdgeBlock);
    let parameter = build.add_parameter(edge, U32);
    let end = add(&mut build, function, Op::Block);
    build.i_add(U32, &[parameter.into(), ONE]);
    build.r#return(&[]);
    build.at_end(entry);
    build.branch(&[edge.into(), ZERO]);
    build.at_end(edge);
    build.branch(&[end.into()]);
    let expected = kernel(
        "%20 = Label
         Branch %21
         %21 = Label
         %22 = Phi %4 %6 %20
         Branch %23
         %23 = Label
         %24 = IAdd %4 %22 %7
         Return",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn a_header_with_a_selection_is_split() {
    let (mut module, function, entry) = started();
    let mut build = Builder::new(&mut module);
    let blocks: Vec<Block> = (0..6).map(|_| add(&mut build, function, Op::Block)).collect();
    let [header, left, right, after, latch, end] = blocks[..] else { unreachable!() };
    let none = build.editor().word(0);
    build.at_end(entry);
    build.r#loop(&[header.into(), end.into(), latch.into(), none]);
    build.at_end(header);
    build.r#if(&[TRUE, left.into(), right.into(), after.into(), none]);
    for (from, to) in [(left, after), (right, after), (latch, header)] {
        build.at_end(from);
        build.branch(&[to.into()]);
    }
    build.at_end(after);
    build.branch_if(&[TRUE, latch.into(), end.into()]);
    build.at_end(end);
    build.r#return(&[]);
    module.edit().set_stage(function, Stage::Structured);
    let expected = kernel(
        "%20 = Label
         Branch %21
         %21 = Label
         LoopMerge %26 %25 0
         Branch %27
         %27 = Label
         SelectionMerge %24 0
         BranchConditional %5 %22 %23
         %22 = Label
         Branch %24
         %23 = Label
         Branch %24
         %24 = Label
         BranchConditional %5 %25 %26
         %25 = Label
         Branch %21
         %26 = Label
         Return",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn a_case_never_goes_straight_to_a_loop_end() {
    // The same as SPIR-V would have it without the edge block: a switch whose case is the continue block of the loop.
    let bytes = shader(
        "%20 = Label
         Branch %21
         %21 = Label
         LoopMerge %26 %25 0
         Branch %22
         %22 = Label
         SelectionMerge %24 0
         Switch %6 %24 1 %25
         %24 = Label
         BranchConditional %5 %25 %26
         %25 = Label
         Branch %21
         %26 = Label
         Return",
    );
    let module = read(&bytes, &ReadOptions::default()).unwrap();
    let expected = shader(
        "%20 = Label
         Branch %21
         %21 = Label
         LoopMerge %26 %25 0
         Branch %22
         %22 = Label
         SelectionMerge %24 0
         Switch %6 %24 1 %27
         %27 = Label
         Branch %25
         %24 = Label
         BranchConditional %5 %25 %26
         %25 = Label
         Branch %21
         %26 = Label
         Return",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn blocks_come_after_their_dominators_and_variables_first() {
    let body = "%20 = Label
         Branch %21
         %22 = Label
         %23 = IAdd %4 %24 %7
         %25 = Variable %11 7
         Return
         %21 = Label
         %24 = IAdd %4 %7 %7
         Branch %22";
    let sorted = "%20 = Label
         %25 = Variable %11 7
         Branch %21
         %21 = Label
         %24 = IAdd %4 %7 %7
         Branch %22
         %22 = Label
         %23 = IAdd %4 %24 %7
         Return";
    let bytes = |body: &str| {
        assemble(3, &format!("{KERNEL}%11 = TypePointer 7 %4\n%10 = Function %1 0 %2\n{body}\nFunctionEnd"))
    };
    let module = read(&bytes(body), &ReadOptions::default()).unwrap();
    same_program(&bytes(sorted), &written(&module)).unwrap();
}

#[test]
fn an_order_that_is_legal_is_kept() {
    // Both predecessors of 23 come after it, its dominator before.
    let bytes = kernel(
        "%20 = Label
         BranchConditional %5 %21 %22
         %23 = Label
         Return
         %21 = Label
         Branch %23
         %22 = Label
         Branch %23",
    );
    let module = read(&bytes, &ReadOptions::default()).unwrap();
    same_program(&bytes, &written(&module)).unwrap();
}

#[test]
fn long_chains_of_edge_blocks_vanish() {
    const LENGTH: usize = 20_000;
    let (mut module, function, entry) = started();
    let mut build = Builder::new(&mut module);
    let [left, right] = [(); 2].map(|()| add(&mut build, function, Op::Block));
    let edges: Vec<Block> = (0..LENGTH).map(|_| add(&mut build, function, Op::EdgeBlock)).collect();
    // What is passed to the first is forgotten in the second, which has no parameters.
    build.add_parameter(edges[0], U32);
    for (index, &edge) in edges.iter().enumerate() {
        build.at_end(edge);
        let next = edges.get(index + 1).map_or(right.into(), |&next| Inst::from(next));
        build.branch(&if index + 1 == LENGTH { vec![next, ONE] } else { vec![next] });
    }
    let parameter = build.add_parameter(right, U32);
    build.at_end(left);
    build.branch(&[edges[0].into(), ZERO]);
    build.at_end(right);
    build.i_add(U32, &[parameter.into(), ONE]);
    build.r#return(&[]);
    build.at_end(entry);
    build.branch(&[left.into()]);
    let expected = kernel(
        "%20 = Label
         Branch %21
         %21 = Label
         Branch %22
         %22 = Label
         %23 = Phi %4 %7 %21
         %24 = IAdd %4 %23 %7
         Return",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn an_edge_block_that_heads_a_loop_stays() {
    let (mut module, function, entry) = started();
    let mut build = Builder::new(&mut module);
    let header = add(&mut build, function, Op::EdgeBlock);
    let body = add(&mut build, function, Op::Block);
    let next = add(&mut build, function, Op::Block);
    let end = add(&mut build, function, Op::Block);
    let control = build.editor().word(0);
    build.at_end(entry);
    build.r#loop(&[header.into(), end.into(), next.into(), control]);
    build.at_end(header);
    build.branch(&[body.into()]);
    build.at_end(body);
    build.branch_if(&[TRUE, next.into(), end.into()]);
    build.at_end(next);
    build.branch(&[header.into()]);
    build.at_end(end);
    build.r#return(&[]);
    let expected = kernel(
        "%20 = Label
         Branch %21
         %21 = Label
         LoopMerge %24 %23 0
         Branch %22
         %22 = Label
         BranchConditional %5 %23 %24
         %23 = Label
         Branch %21
         %24 = Label
         Return",
    );
    same_program(&expected, &written(&module)).unwrap();
}

#[test]
fn errors_name_the_instruction() {
    type Break = fn(&mut Module, Function, Block);
    let rows: &[(WriteCode, Break)] = &[
        (WriteCode::Block, |_, _, _| {}),
        (WriteCode::Arguments, |module, function, entry| {
            let mut build = Builder::new(module);
            let end = add(&mut build, function, Op::Block);
            build.add_parameter(end, U32);
            build.r#return(&[]);
            build.at_end(entry);
            build.branch(&[end.into()]);
        }),
        (WriteCode::Operand, |module, _, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            let doomed = build.i_add(U32, &[ONE, ONE]);
            build.i_add(U32, &[doomed, ONE]);
            build.r#return(&[]);
            build.editor().delete(doomed);
        }),
        (WriteCode::Operand, |module, _, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            build.branch(&[ONE]);
        }),
        (WriteCode::Op, |module, _, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            let words = [build.editor().word(70_000)];
            build.emit(Op::OpaquePlain, None, &words);
            build.r#return(&[]);
        }),
        (WriteCode::Op, |module, function, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            build.r#return(&[]);
            module.edit().set_stage(function, Stage::Masked);
        }),
        (WriteCode::Generic, |module, _, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            build.r#return(&[]);
            build.editor().append_global(Op::Interface, None, &[]);
        }),
        (WriteCode::Version, |module, _, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            build.r#return(&[]);
            Header { version: 0x0001_0700, generator: 0, schema: 0 }.store(module);
        }),
        (WriteCode::Layout, |module, _, _| {
            let model = module.globals().find(|&inst| module.op(inst) == Op::MemoryModel).unwrap();
            module.edit().delete(model);
        }),
        (WriteCode::Limit, |module, _, entry| {
            let mut build = Builder::new(module);
            build.at_end(entry);
            build.composite_construct(U32, &[ONE; 65_533]);
            build.r#return(&[]);
        }),
    ];
    for (number, (code, damage)) in rows.iter().enumerate() {
        let (mut module, function, entry) = started();
        damage(&mut module, function, entry);
        let error = write(&module, &WriteOptions::default()).unwrap_err();
        assert_eq!(error.code, *code, "row {number}: {error}");
    }
    let shown: std::collections::BTreeSet<WriteCode> = rows.iter().map(|row| row.0).collect();
    assert_eq!(shown.len(), WriteCode::ALL.len());
}

/// A decoration makes two types of one in the IR, and constants that are equal make two equal types that it does not know.
#[test]
fn types_that_look_alike_are_declared_once() {
    let text = "capability Kernel
        memory_model Logical, OpenCL
        %marked = type_int 32, 0 {decorate NoContraction}
        %plain = type_int 32, 0
        %pair = type_vector %marked, 2
        %other = type_vector %plain, 2
        %one: %plain = constant 1
        %tensor = opaque_result 4163, %marked, %one
        %again = opaque_result 4163, %plain, %one
        %array = type_array %pair, %one
        %alike = type_array %other, %one";
    let module = reconverge_ir::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let module = read(&written(&module), &ReadOptions::default()).unwrap();
    let count = |op: Op| module.globals().filter(|&global| module.op(global) == op).count();
    assert_eq!([Op::TypeInt, Op::TypeVector, Op::OpaqueResult].map(count), [1, 1, 1]);
}
