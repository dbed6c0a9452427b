//! Debug information: where it may stand, what it may name ahead, and what becomes of it where blocks end.

use crate::common::assemble;
use reconverge_diagnostic::Place;
use reconverge_ir::{Inst, Module, Op};
use reconverge_spirv::{ReadCode, ReadOptions, WriteOptions, read, same_program, write};

/// A shader up to its types, with the debug information of a set.
fn shader(set: &str, globals: &str, functions: &str) -> Vec<u8> {
    shader_with(set, ["", globals, functions])
}

/// The same with names and decorations.
fn shader_with(set: &str, [notes, globals, functions]: [&str; 3]) -> Vec<u8> {
    let text = format!(
        "Capability 1
        Extension \"SPV_KHR_non_semantic_info\"
        %9 = ExtInstImport \"{set}\"
        MemoryModel 0 1
        EntryPoint 5 %10 \"main\"
        ExecutionMode %10 17 1 1 1
        %50 = String \"file.comp\"
        {notes}
        %1 = TypeVoid
        %2 = TypeFunction %1
        {globals}
        {functions}"
    );
    assemble(5, &text)
}

fn round_trip(bytes: &[u8]) -> (Module, Vec<u8>) {
    let module = read(bytes, &ReadOptions::default()).expect("it can be read");
    let written = write(&module, &WriteOptions::default()).expect("it can be written");
    same_program(bytes, &written).expect("it is the same program");
    (module, written)
}

/// Words of the instructions with an opcode, in order.
fn instructions(bytes: &[u8], opcode: spirv::Op) -> Vec<Vec<u32>> {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut found, mut at) = (Vec::new(), 5);
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        if words[at] & 0xffff == opcode as u32 {
            found.push(words[at..at + count].to_vec());
        }
        at += count;
    }
    found
}

const SHADER_SET: &str = "NonSemantic.Shader.DebugInfo.100";

const SCOPES: &str = "
        %4 = TypeInt 32 0
        %5 = Constant %4 1
        %6 = Constant %4 7
        %60 = ExtInst %1 %9 35 %50
        %61 = ExtInst %1 %9 1 %5 %5 %60 %5
        %62 = ExtInst %1 %9 8 %5 %1
        %63 = ExtInst %1 %9 20 %50 %62 %60 %5 %5 %61 %50 %5 %5";

#[test]
fn marks_may_stand_wherever_lines_may() {
    let functions = "
        %10 = Function %1 0 %2
        %70 = ExtInst %1 %9 24
        Line %50 3 0
        %20 = Label
        %71 = ExtInst %1 %9 23 %63
        %72 = ExtInst %1 %9 103 %60 %6 %6 %5 %5
        Branch %21
        %73 = ExtInst %1 %9 24
        %74 = ExtInst %1 %9 104
        NoLine
        %21 = Label
        Return
        %75 = ExtInst %1 %9 24
        %76 = ExtInst %1 %9 104
        Line %50 9 0
        FunctionEnd";
    let (module, _) = round_trip(&shader(SHADER_SET, SCOPES, functions));
    let block = module.cast(Inst::new(20)).unwrap();
    let location = module.location(module.terminator(block).unwrap()).unwrap();
    assert_eq!(location.line.unwrap().line, 3, "a line holds over the label");
    assert_eq!(module.operand(location.scope.unwrap(), 1), Inst::new(63));
    assert_eq!(module.literal_word(module.operand(location.range.unwrap(), 2)), Some(7));
    let next = module.cast(Inst::new(21)).unwrap();
    assert_eq!(module.location(module.terminator(next).unwrap()), None, "nothing holds over the end of a block");
}

#[test]
fn scopes_that_are_said_twice_are_written_once() {
    let functions = "
        %10 = Function %1 0 %2
        %20 = Label
        %71 = ExtInst %1 %9 23 %63
        %80 = Undef %4
        %72 = ExtInst %1 %9 23 %63
        %81 = Undef %4
        %73 = ExtInst %1 %9 24
        %82 = Undef %4
        Return
        FunctionEnd";
    let (_, written) = round_trip(&shader(SHADER_SET, SCOPES, functions));
    let marks = instructions(&written, spirv::Op::ExtInst).into_iter().filter(|words| [23, 24].contains(&words[4]));
    assert_eq!(marks.map(|words| words[4]).collect::<Vec<_>>(), [23, 24]);
}

#[test]
fn a_scope_that_nothing_defines_is_refused() {
    let functions = "%10 = Function %1 0 %2\n%20 = Label\n%71 = ExtInst %1 %9 23 %99\nReturn\nFunctionEnd";
    let error = read(&shader(SHADER_SET, SCOPES, functions), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code, ReadCode::IdUndefined);
}

/// glslang 12 writes 0 for the type of a member that is a reference to a buffer.
#[test]
fn an_operand_that_is_no_id_is_refused() {
    let globals = format!("{SCOPES}\n%64 = ExtInst %1 %9 11 %50 %0 %60 %5 %5 %5 %5 %5");
    let module = shader(SHADER_SET, &globals, "%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd");
    assert_eq!(read(&module, &ReadOptions::default()).unwrap_err().code, ReadCode::IdRange);
}

#[test]
fn another_scope_is_another_program() {
    let functions = |scope: &str| {
        format!("%10 = Function %1 0 %2\n%20 = Label\n%71 = ExtInst %1 %9 23 {scope}\nReturn\nFunctionEnd")
    };
    let (first, second) = (functions("%63"), functions("%61"));
    let [first, second] = [first, second].map(|functions| shader(SHADER_SET, SCOPES, &functions));
    assert!(same_program(&first, &second).is_err());
    let without = shader(SHADER_SET, SCOPES, "%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd");
    assert!(same_program(&first, &without).is_err());
}

#[test]
fn no_debug_instruction_stands_in_front_of_phis() {
    let functions = "
        %10 = Function %1 0 %2
        %20 = Label
        Branch %21
        %21 = Label
        %71 = ExtInst %1 %9 23 %63
        %80 = Phi %4 %5 %20
        %81 = Phi %4 %6 %20
        %82 = IAdd %4 %80 %81
        Return
        FunctionEnd";
    let (_, written) = round_trip(&shader(SHADER_SET, SCOPES, functions));
    let words: Vec<u32> =
        written.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut at, mut order) = (5, Vec::new());
    while at < words.len() {
        order.push((words[at] & 0xffff) as u16);
        at += (words[at] >> 16) as usize;
    }
    let phi = order.iter().rposition(|&opcode| opcode == spirv::Op::Phi as u16).unwrap();
    assert_eq!(
        order[phi - 2..=phi + 1],
        [spirv::Op::Label, spirv::Op::Phi, spirv::Op::Phi, spirv::Op::ExtInst].map(|op| op as u16)
    );
}

#[test]
fn types_of_the_source_and_their_members_name_each_other() {
    let globals = "
        %60 = ExtInst %1 %9 35 %50
        %61 = ExtInst %1 %9 1 1 4 %60 5
        %62 = ExtInst %1 %9 10 %50 1 %60 1 1 %61 %50 %64 3 %63
        %63 = ExtInst %1 %9 11 %50 %62 %60 1 1 %62 %64 %64 3
        %64 = ExtInst %1 %9 0";
    let functions = "%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd";
    let bytes = shader("OpenCL.DebugInfo.100", globals, functions);
    let (_, written) = round_trip(&bytes);
    assert_eq!(instructions(&written, spirv::Op::ExtInst), instructions(&bytes, spirv::Op::ExtInst));
}

#[test]
fn instructions_that_say_that_they_name_others_ahead_keep_their_order() {
    let globals = "
        %4 = TypeInt 32 0
        %5 = Constant %4 1
        %60 = ExtInst %1 %9 35 %50
        %61 = ExtInst %1 %9 1 %5 %5 %60 %5
        %62 = ExtInstWithForwardRefsKHR %1 %9 10 %50 %5 %60 %5 %5 %61 %50 %5 %5 %63
        %63 = ExtInst %1 %9 11 %50 %62 %60 %5 %5 %5 %5 %5";
    let functions = "%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd";
    let bytes = shader(SHADER_SET, globals, functions);
    let (_, written) = round_trip(&bytes);
    let all = |bytes: &[u8]| instructions(bytes, spirv::Op::ExtInst).len();
    assert_eq!(all(&written), all(&bytes));
}

#[test]
fn what_is_said_of_variables_between_blocks_is_said_in_the_next() {
    let globals = format!(
        "{SCOPES}
        %64 = ExtInst %1 %9 2 %50 %5 %5 %5
        %65 = ExtInst %1 %9 26 %50 %64 %60 %5 %5 %63 %5
        %66 = ExtInst %1 %9 31
        %3 = TypePointer 7 %4
        %7 = TypeFunction %1 %4"
    );
    let functions = "
        %10 = Function %1 0 %2
        %20 = Label
        Return
        FunctionEnd
        %11 = Function %1 0 %7
        %70 = ExtInst %1 %9 29 %65 %5 %66
        %12 = FunctionParameter %4
        %21 = Label
        %30 = Variable %3 7
        Branch %22
        %71 = ExtInst %1 %9 28 %65 %30 %66
        %22 = Label
        Return
        %72 = ExtInst %1 %9 29 %65 %5 %66
        FunctionEnd";
    let bytes = shader(SHADER_SET, &globals, functions);
    let module = read(&bytes, &ReadOptions::default()).expect("it can be read");
    let block = |number: usize| module.parent(Inst::new(number)).map(|block| block.index());
    assert_eq!((block(70), block(71), block(72)), (Some(21), Some(22), Some(22)));
    assert_eq!(module.previous(Inst::new(70)), Some(Inst::new(30)));
    let written = write(&module, &WriteOptions::default()).expect("it can be written");
    let told = instructions(&written, spirv::Op::ExtInst).into_iter().filter(|words| [28, 29].contains(&words[4]));
    assert_eq!(told.map(|words| words[2]).collect::<Vec<_>>(), [70, 71, 72]);
}

#[test]
fn what_names_a_mark_is_refused() {
    let functions = "
        %10 = Function %1 0 %2
        %20 = Label
        %71 = ExtInst %1 %9 23 %63
        %72 = ExtInst %1 %9 23 %63 %71
        Return
        FunctionEnd";
    let error = read(&shader(SHADER_SET, SCOPES, functions), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code, ReadCode::IdUndefined);
    let functions = "
        %10 = Function %1 0 %2
        %20 = Label
        %71 = ExtInst %1 %9 23 %63
        %72 = ExtInst %1 %9 29 %71 %5 %5
        Return
        FunctionEnd";
    let error = read(&shader(SHADER_SET, SCOPES, functions), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code, ReadCode::IdUndefined);
}

#[test]
fn decoration_groups_are_written_out() {
    let notes = "
        Name %51 \"group\"
        Decorate %51 24
        Decorate %51 11 1
        %51 = DecorationGroup
        GroupDecorate %51 %31
        GroupMemberDecorate %51 %30 0 %30 1";
    let globals = "
        %4 = TypeInt 32 0
        %30 = TypeStruct %4 %4
        %33 = TypePointer 6 %4
        %31 = Variable %33 6";
    let functions = "%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd";
    let (module, written) = round_trip(&shader_with(SHADER_SET, [notes, globals, functions]));
    assert_eq!(module.decorations(Inst::new(31)).len(), 2);
    assert_eq!(module.decorations(Inst::new(30)).len(), 4);
    let members: Vec<Op> = module.decorations(Inst::new(30)).iter().map(|&note| module.op(note)).collect();
    assert_eq!(members, [Op::MemberDecorate; 4]);
    assert!(instructions(&written, spirv::Op::DecorationGroup).is_empty());
    assert_eq!(instructions(&written, spirv::Op::Decorate).len(), 2);
}

#[test]
fn an_error_behind_a_decoration_group_is_where_the_file_has_it() {
    let notes = "
        Decorate %51 24
        %51 = DecorationGroup
        GroupDecorate %51 %33 %33 %33";
    let globals = "
        %4 = TypeInt 32 0
        %33 = TypePointer 6 %40";
    let functions = "%10 = Function %1 0 %2\n%20 = Label\nReturn\nFunctionEnd";
    let bytes = shader_with(SHADER_SET, [notes, globals, functions]);
    let error = read(&bytes, &ReadOptions::default()).unwrap_err();
    // Function, label, return and end take ten words behind it.
    assert_eq!(error.code, ReadCode::IdUndefined);
    assert_eq!(error.place, Place::Word(bytes.len() / 4 - 10));
}

#[test]
fn arrays_that_are_declared_twice_are_copied_as_they_are() {
    let globals = "
        %4 = TypeInt 32 0
        %5 = Constant %4 3
        %40 = TypeArray %4 %5
        %41 = TypeArray %4 %5
        %42 = ConstantNull %40";
    let functions = "
        %10 = Function %1 0 %2
        %20 = Label
        %80 = CopyLogical %41 %42
        Return
        FunctionEnd";
    let (_, written) = round_trip(&shader(SHADER_SET, globals, functions));
    assert!(instructions(&written, spirv::Op::CopyLogical).is_empty());
    assert_eq!(instructions(&written, spirv::Op::CopyObject).len(), 1);
}
