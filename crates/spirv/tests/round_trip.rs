//! What is read and written comes back the same; and what the reader makes of control flow.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{KERNEL, SHADER, assemble, assemble_words, bytes, kernel, shader};
use reconverge_ir::{Block, Function, Module, Op, Stage};
use reconverge_spirv::{Header, Merges, ReadOptions, WriteOptions, read, same_program, write};

fn keep(bytes: &[u8]) -> Module {
    read(bytes, &ReadOptions::default()).unwrap()
}

fn strip(bytes: &[u8]) -> Module {
    read(bytes, &ReadOptions { merges: Merges::Strip }).unwrap()
}

/// Reads, writes and compares; the module that was read comes back.
#[track_caller]
fn round_trip(bytes: &[u8]) -> Module {
    let module = keep(bytes);
    let written = write(&module, &WriteOptions::default()).unwrap();
    same_program(bytes, &written).unwrap();
    let again = write(&keep(&written), &WriteOptions::default()).unwrap();
    assert_eq!(written, again, "writing is not stable");
    let stripped = strip(bytes);
    assert!(stripped.functions().all(|function| stripped.stage(function) == Stage::Graph));
    check_edges(&module);
    check_edges(&stripped);
    module
}

fn function(module: &Module) -> Function {
    module.functions().next().unwrap()
}

fn ops(module: &Module) -> Vec<Op> {
    module.blocks(function(module)).map(|block| module.op(block)).collect()
}

/// The terminator of the block with that id.
fn exit(module: &Module, id: usize) -> Op {
    let block = module.cast::<Block>(reconverge_ir::Inst::new(id)).unwrap();
    module.op(module.terminator(block).unwrap())
}

/// What the IR demands of edges, by its definition.
fn check_edges(module: &Module) {
    for block in module.functions().flat_map(|function| module.blocks(function)) {
        let targets: std::collections::BTreeSet<Block> = module.successors(block).collect();
        let jumps = matches!(module.op(module.terminator(block).unwrap()), Op::Branch | Op::Loop);
        for &target in &targets {
            let sources: std::collections::BTreeSet<Block> = module.predecessors(target).collect();
            assert!(targets.len() == 1 || sources.len() == 1, "critical edge {block:?} to {target:?}");
            let parameters = module.parameters(target).count();
            assert!(jumps || parameters == 0, "multi-way branch to a block with parameters");
            if jumps {
                assert_eq!(module.arguments(module.terminator(block).unwrap()).len(), parameters);
            }
        }
    }
}

#[test]
fn straight_line_shader_is_structured() {
    let module = round_trip(&shader("%20 = Label\n%21 = IAdd %4 %7 %8\nReturn"));
    assert_eq!(module.stage(function(&module)), Stage::Structured);
}

#[test]
fn kernel_with_branches_is_a_graph_with_edge_blocks() {
    let module = round_trip(&kernel(
        "%20 = Label
         BranchConditional %5 %21 %22
         %21 = Label
         Branch %22
         %22 = Label
         %23 = Phi %4 %6 %20 %7 %21
         Return",
    ));
    assert_eq!(module.stage(function(&module)), Stage::Graph);
    assert_eq!(ops(&module), [Op::Block, Op::EdgeBlock, Op::Block, Op::Block]);
    assert_eq!(exit(&module, 20), Op::BranchIf);
}

#[test]
fn selection_becomes_if() {
    let module = round_trip(&shader(
        "%20 = Label
         SelectionMerge %23 1
         BranchConditional %5 %21 %22 3 4
         %21 = Label
         Branch %23
         %22 = Label
         Branch %23
         %23 = Label
         %24 = Phi %4 %6 %21 %7 %22
         Return",
    ));
    assert_eq!(module.stage(function(&module)), Stage::Structured);
    assert_eq!(exit(&module, 20), Op::If);
    assert_eq!(ops(&module).len(), 4);
}

const LOOP: &str = "%20 = Label
     Branch %21
     %21 = Label
     %22 = Phi %4 %6 %20 %25 %24
     %23 = ULessThan %3 %22 %8
     LoopMerge %26 %24 256 4
     BranchConditional %23 %27 %26
     %27 = Label
     Branch %24
     %24 = Label
     %25 = IAdd %4 %22 %7
     Branch %21
     %26 = Label
     Return";

#[test]
fn loop_stands_in_the_preheader() {
    let module = round_trip(&shader(LOOP));
    assert_eq!(exit(&module, 20), Op::Loop);
    assert_eq!(exit(&module, 21), Op::BranchIf);
    assert_eq!(module.stage(function(&module)), Stage::Structured);
    let control = module.operand(module.terminator(module.blocks(function(&module)).next().unwrap()).unwrap(), 3);
    assert_eq!(module.literal_words(control), [256, 4]);
}

#[test]
fn stripped_loop_is_a_plain_graph() {
    let module = strip(&shader(LOOP));
    assert_eq!(exit(&module, 20), Op::Branch);
    assert_eq!(module.stage(function(&module)), Stage::Graph);
}

#[test]
fn kernel_keeps_loop_controls_at_stage_graph() {
    let body = LOOP.replace("BranchConditional %23 %27 %26", "Branch %27").replace(
        "%27 = Label",
        "%27 = Label
         BranchConditional %23 %28 %29
         %29 = Label
         Branch %26
         %28 = Label",
    );
    let module = round_trip(&kernel(&body));
    assert_eq!(module.stage(function(&module)), Stage::Graph);
    assert_eq!(exit(&module, 20), Op::Loop);
    assert_eq!(round_trip(&kernel(LOOP)).stage(function(&module)), Stage::Structured);
}

#[test]
fn single_block_loop_has_an_edge_block_as_latch() {
    let module = round_trip(&shader(
        "%20 = Label
         Branch %21
         %21 = Label
         %22 = Phi %4 %6 %20 %23 %21
         %23 = IAdd %4 %22 %7
         %24 = ULessThan %3 %23 %8
         LoopMerge %25 %21 0
         BranchConditional %24 %21 %25
         %25 = Label
         %26 = Phi %4 %23 %21
         Return",
    ));
    assert_eq!(ops(&module), [Op::Block, Op::Block, Op::EdgeBlock, Op::EdgeBlock, Op::Block]);
}

#[test]
fn header_with_several_entries_gets_a_joint_preheader() {
    let module = round_trip(&shader(
        "%20 = Label
         SelectionMerge %30 0
         BranchConditional %5 %21 %30
         %21 = Label
         Branch %30
         %30 = Label
         %31 = Phi %4 %6 %20 %7 %21 %33 %32
         LoopMerge %34 %32 0
         BranchConditional %5 %35 %34
         %35 = Label
         Branch %32
         %32 = Label
         %33 = IAdd %4 %31 %7
         Branch %30
         %34 = Label
         Return",
    ));
    let joints = module.blocks(function(&module)).filter(|&block| module.parameters(block).count() == 1);
    assert_eq!(joints.map(|block| module.op(block)).collect::<Vec<_>>(), [Op::EdgeBlock, Op::Block]);
    assert_eq!(module.predecessors(module.cast(reconverge_ir::Inst::new(30)).unwrap()).count(), 2);
}

#[test]
fn header_behind_a_switch_gets_an_edge_as_preheader() {
    round_trip(&shader(
        "%20 = Label
         SelectionMerge %40 0
         Switch %6 %40 1 %30
         %30 = Label
         LoopMerge %34 %32 0
         BranchConditional %5 %32 %34
         %32 = Label
         Branch %30
         %34 = Label
         Branch %40
         %40 = Label
         %41 = Phi %4 %6 %20 %7 %34
         Return",
    ));
}

#[test]
fn nested_headers_and_loops_that_nothing_enters() {
    round_trip(&shader(
        "%20 = Label
         Branch %21
         %21 = Label
         LoopMerge %22 %23 0
         Branch %24
         %24 = Label
         LoopMerge %25 %26 0
         Branch %27
         %27 = Label
         BranchConditional %5 %26 %25
         %26 = Label
         Branch %24
         %25 = Label
         Branch %22
         %23 = Label
         Branch %21
         %22 = Label
         Return
         %30 = Label
         %31 = Phi %4 %33 %32
         LoopMerge %34 %32 0
         Branch %32
         %32 = Label
         %33 = IAdd %4 %31 %7
         Branch %30
         %34 = Label
         Return",
    ));
}

#[test]
fn loop_merge_in_the_entry_block_is_kept() {
    let module =
        round_trip(&kernel("%20 = Label\nLoopMerge %21 %22 1\nBranch %21\n%21 = Label\nReturn\n%22 = Label\nReturn"));
    assert_eq!(ops(&module)[0], Op::EdgeBlock);
}

#[test]
fn switch_shares_edges_and_keeps_wide_literals() {
    let text = format!(
        "{SHADER}%11 = TypeInt 64 0
         %12 = Constant %11 1 2
         %10 = Function %1 0 %2
         %20 = Label
         SelectionMerge %23 0
         Switch %12 %23 1 0 %21 2 5 %21 3 0 %22 4 0 %23
         %21 = Label
         Branch %22
         %22 = Label
         %24 = Phi %4 %6 %20 %7 %21
         Branch %23
         %23 = Label
         %25 = Phi %4 %6 %20 %7 %22
         Return
         FunctionEnd"
    );
    let module = round_trip(&assemble(3, &text));
    assert_eq!(exit(&module, 20), Op::StructuredSwitch);
    assert_eq!(ops(&module).iter().filter(|&&op| op == Op::EdgeBlock).count(), 2);
}

#[test]
fn irreducible_graph_with_both_edges_to_one_block() {
    round_trip(&kernel(
        "%20 = Label
         BranchConditional %5 %21 %22
         %21 = Label
         %23 = Phi %4 %6 %20 %24 %22
         BranchConditional %5 %22 %22
         %22 = Label
         %24 = Phi %4 %7 %20 %23 %21
         Switch %24 %21 1 %25 2 %25
         %25 = Label
         %26 = Phi %4 %24 %22
         Unreachable",
    ));
}

#[test]
fn unreachable_blocks_and_phis_of_unreachable_parents() {
    round_trip(&kernel(
        "%20 = Label
         Branch %21
         %21 = Label
         %22 = Phi %4 %6 %20 %24 %23
         Return
         %23 = Label
         %24 = IAdd %4 %6 %7
         Branch %21
         %25 = Label
         Branch %25",
    ));
}

#[test]
fn lines_names_decorations_and_groups() {
    let text = "
        Capability 1
        Extension \"SPV_KHR_storage_buffer_storage_class\"
        %9 = ExtInstImport \"NonSemantic.Test\"
        MemoryModel 0 1
        EntryPoint 5 %10 \"main\"
        ExecutionMode %10 17 1 1 1
        %50 = String \"file.comp\"
        Source 2 450 %50 \"void main()\"
        SourceContinued \"{}\"
        SourceExtension \"ext\"
        Name %10 \"main\"
        Name %20 \"entry\"
        MemberName %30 0 \"member\"
        Name %4 \"uint\"
        ModuleProcessed \"by hand\"
        Decorate %51 24
        %51 = DecorationGroup
        GroupDecorate %51 %31 %32
        MemberDecorate %30 0 35 0
        DecorateString %30 5635 \"semantic\"
        Decorate %31 41 \"linked\" 0
        DecorateId %31 5634 %32
        %1 = TypeVoid
        %2 = TypeFunction %1
        Line %50 1 0
        %4 = TypeInt 32 0
        %30 = TypeStruct %4
        %33 = TypePointer 6 %4
        %6 = Constant %4 0
        Line %50 2 0
        %31 = Variable %33 6 %6
        NoLine
        %32 = Variable %33 6
        %34 = ExtInst %1 %9 1 %6
        Line %50 3 0
        %10 = Function %1 0 %2
        Line %50 4 1
        %20 = Label
        Line %50 5 1
        %21 = Load %4 %31 2 4
        NoLine
        %22 = IAdd %4 %21 %21
        Line %50 6 1
        Return
        FunctionEnd
        %60 = ExtInst %1 %9 2 %10 %34
    ";
    let module = round_trip(&assemble(6, text));
    let inst = reconverge_ir::Inst::new;
    assert_eq!(module.name(inst(10)).as_deref(), Some("main"));
    assert_eq!(module.decorations(inst(30)).len(), 3);
    assert!(module.explicit_location(inst(21)).is_some());
    assert_eq!(module.location(inst(22)), None);
}

#[test]
fn circle_through_a_forward_pointer() {
    let text = format!(
        "{SHADER}TypeForwardPointer %11 5349
         %12 = TypeArray %11 %8
         %13 = TypeStruct %12 %11
         %11 = TypePointer 5349 %13
         %14 = TypePointer 7 %12
         %10 = Function %1 0 %2
         %20 = Label
         %21 = Variable %14 7
         Return
         FunctionEnd"
    );
    let module = round_trip(&assemble(3, &text));
    let operands: Vec<usize> = module.operands(reconverge_ir::Inst::new(13)).map(|operand| operand.index()).collect();
    assert_eq!(operands, [12, 11]);
}

#[test]
fn equal_declarations_become_one() {
    let shader = SHADER.replace("%1 = TypeVoid", "Name %11 \"second\"\n%1 = TypeVoid");
    let text = format!(
        "{shader}%11 = Constant %4 1
         %10 = Function %1 0 %2
         %20 = Label
         %21 = IAdd %4 %7 %11
         Return
         FunctionEnd"
    );
    let module = round_trip(&assemble(3, &text));
    let sum = reconverge_ir::Inst::new(21);
    assert_eq!(module.operand(sum, 0), module.operand(sum, 1));
    assert_eq!(module.name(module.operand(sum, 0)).as_deref(), Some("second"));
}

#[test]
fn unknown_and_opaque_instructions_are_kept() {
    let text = format!(
        "{SHADER}%11 = TypeHitObjectNV
         %10 = Function %1 0 %2
         %20 = Label
         60000 %4 %22 7
         60001 123456 %22
         %21 = SConvert %4 %22
         Return
         FunctionEnd"
    );
    let module = round_trip(&assemble(3, &text));
    let unknown = reconverge_ir::Inst::new(22);
    assert_eq!(module.op(unknown), Op::OpaqueTyped);
    assert_eq!(module.op(reconverge_ir::Inst::new(11)), Op::OpaqueResult);
    assert!(module.is_used(unknown));
}

/// A mode of addressing that the op table does not know stands behind the memory model.
#[test]
fn the_addressing_mode_of_samplers_keeps_its_place() {
    let shader = SHADER.replace("MemoryModel 0 1", "MemoryModel 0 1\nSamplerImageAddressingModeNV 64");
    assert_ne!(shader, SHADER);
    round_trip(&assemble(3, &format!("{shader}%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd")));
}

#[test]
fn literals_of_extended_instructions_and_wrapped_operations() {
    let text = format!(
        "{}%11 = TypeVector %4 4
         %12 = ConstantComposite %11 %6 %6 %6 %6
         %13 = SpecConstantOp %4 81 %12 3
         %14 = TypePointer 5 %4
         %15 = TypeFunction %1 %14
         %10 = Function %1 0 %15
         %16 = FunctionParameter %14
         %20 = Label
         %21 = ExtInst %11 %9 171 %6 %16 4
         %22 = CompositeExtract %4 %21 2
         Return
         FunctionEnd",
        KERNEL.replace("MemoryModel", "%9 = ExtInstImport \"OpenCL.std\"\nMemoryModel")
    );
    let module = round_trip(&assemble(3, &text));
    let call = reconverge_ir::Inst::new(21);
    assert_eq!(module.op(module.operand(call, 2)), Op::Constant);
    assert_eq!(module.op(module.operand(call, 4)), Op::LiteralWords);
}

#[test]
fn calls_forwards_and_declarations() {
    let text = format!(
        "{KERNEL}%10 = Function %1 0 %2
         %20 = Label
         %21 = FunctionCall %1 %30
         %22 = FunctionCall %1 %31
         Return
         FunctionEnd
         %30 = Function %1 0 %2
         FunctionEnd
         %31 = Function %1 2 %2
         %32 = Label
         Return
         FunctionEnd"
    );
    round_trip(&assemble(0, &text));
}

#[test]
fn big_endian_files_read_the_same() {
    let shader = SHADER.replace("%1 = TypeVoid", "Name %10 \"a name\"\n%1 = TypeVoid");
    let words = assemble_words(3, &format!("{shader}%10 = Function %1 0 %2\n{LOOP}\nFunctionEnd"));
    let swapped: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    same_program(&bytes(&words), &swapped).unwrap();
    let written = write(&keep(&swapped), &WriteOptions::default()).unwrap();
    assert_eq!(written, write(&keep(&bytes(&words)), &WriteOptions::default()).unwrap());
}

#[test]
fn header_survives() {
    let mut words = assemble_words(5, SHADER);
    words[2] = 0x0008_000b;
    words.truncate(words.len());
    let text = format!("{SHADER}%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd");
    let mut words = assemble_words(5, &text);
    words[2] = 0x0008_000b;
    let mut module = round_trip(&bytes(&words));
    assert_eq!(Header::of(&module), Some(Header { version: 0x0001_0500, generator: 0x0008_000b, schema: 0 }));
    let changed = Header { version: Header::version_word(1, 6), ..Header::default() };
    changed.store(&mut module);
    assert_eq!(Header::of(&module), Some(changed));
    assert_eq!(&write(&module, &WriteOptions::default()).unwrap()[4..8], [0, 6, 1, 0]);
}

#[test]
fn absurd_bounds_are_numbered_anew() {
    let mut words = assemble_words(3, &format!("{SHADER}%10 = Function %1 0 %2\n{LOOP}\nFunctionEnd"));
    words[3] = u32::MAX;
    let module = keep(&bytes(&words));
    assert!(module.number_bound() < 64);
    let written = write(&module, &WriteOptions::default()).unwrap();
    same_program(&bytes(&words), &written).unwrap();
}

/// clang 22 gives a selector of 32 bits the type of 64 at times: literals of one word are read as such where only they have labels behind.
#[test]
fn cases_of_a_selector_that_is_typed_too_wide() {
    let text = "
        %20 = Label
        %21 = UConvert %18 %6
        Switch %21 %22 3 %22 200 %23
        %22 = Label
        Branch %23
        %23 = Label
        Return";
    let words = format!("{KERNEL}%18 = TypeInt 64 0\n%10 = Function %1 0 %2\n{text}\nFunctionEnd");
    let module = keep(&assemble(3, &words));
    let function = module.functions().next().unwrap();
    let terminator = module.terminator(module.entry(function).unwrap()).unwrap();
    let cases: Vec<&[u32]> = module.cases(terminator).map(|(literal, _)| module.literal_words(literal)).collect();
    assert_eq!(cases, [&[3][..], &[200]]);
}
