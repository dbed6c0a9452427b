//! Assembly in: what it means, what comes back, what is refused and where.

use std::collections::BTreeSet;

use crate::common::{self, KERNEL, Numbers, SHADER, assemble_words, bytes};
use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_spirv::{AssemblyCode, assemble, disassemble, is_assembly};

/// The words behind the header.
fn words(text: &str) -> Vec<u32> {
    assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"))[5..].to_vec()
}

/// Checks that a text has the words of another.
#[track_caller]
fn same(text: &str, other: &str) {
    assert_eq!(words(text), words(other), "{text}");
}

/// The words of a literal of a type: `%1` is the type.
fn literal(ty: &str, literal: &str) -> Result<Vec<u32>, Diagnostic> {
    let words = assemble(&format!("%1 = {ty}\n%2 = OpConstant %1 {literal}"))?;
    let start = 5 + (words[5] >> 16) as usize + 3;
    Ok(words[start..].to_vec())
}

/// Modules with everything in them that these tests have.
fn modules() -> Vec<Vec<u32>> {
    let body = "%10 = Function %1 0 %2\n%20 = Label\nBranch %21\n%21 = Label\n%22 = Phi %4 %6 %20 %25 %24\n%23 = ULessThan %3 %22 %8
        LoopMerge %26 %24 256 4\nBranchConditional %23 %27 %26\n%27 = Label\nSwitch %22 %24 1 %24 4294967295 %24\n%24 = Label
        %25 = IAdd %4 %22 %7\nBranch %21\n%26 = Label\nReturn\nFunctionEnd";
    let annotations = "Capability 1\n%30 = ExtInstImport \"GLSL.std.450\"\nMemoryModel 0 1\nSource 2 450\nName %3 \"a\\b \"
        Decorate %5 6 16\nMemberDecorate %4 0 35 0\nDecorate %5 41 \"name\" 0\nTypeForwardPointer %3 5349
        %1 = TypeVoid\n%2 = TypeInt 64 1\n%6 = Constant %2 4294967295 4294967295\n%5 = TypeArray %3 %6\n%4 = TypeStruct %5
        %3 = TypePointer 5349 %4\n%7 = SpecConstantOp %2 128 %6 %6\n%8 = TypePointer 6 %2\n%9 = Variable %8 6 %6
        %31 = TypeFloat 32\n%32 = Constant %31 2143289344\n%33 = ExtInst %31 %30 46 %32 %32 %32\n%34 = Load %2 %9 2 8
        777 1 2\nConstant 3 4 5";
    vec![
        assemble_words(3, &format!("{SHADER}{body}")),
        assemble_words(6, &format!("{KERNEL}{body}")),
        assemble_words(0, annotations),
    ]
}

#[test]
fn what_is_disassembled_comes_back() {
    for module in modules() {
        let assembly = disassemble(&bytes(&module)).unwrap();
        assert_eq!(assemble(&assembly).unwrap(), module, "{assembly}");
    }
}

#[test]
fn lines_and_comments_mean_nothing() {
    let text = "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\nOpName %2 \"f\"\n";
    same(&text.replace('\n', " "), text);
    same(&text.replace(' ', "\r\n\t; a comment = \"\n"), text);
    same(&text.replace(" = ", "="), text);
}

#[test]
fn comments_at_the_beginning_tell_the_header() {
    let header = |text: &str| assemble(text).map(|words| words[..5].to_vec());
    assert_eq!(header("OpNop").unwrap(), [0x0723_0203, 0x0001_0300, 0, 1, 0]);
    let comments = "; SPIR-V\n\n  ; Version: 1.5\n; Generator: 0x00070001\n; Bound: 12\n; Schema: 1\n%5 = OpTypeVoid";
    assert_eq!(header(comments).unwrap(), [0x0723_0203, 0x0001_0500, 0x0007_0001, 12, 1]);
    let names = "; Generator: Khronos Glslang Reference Front End; 11\n; Version: of today\n; Bound: 2\n%5 = OpTypeVoid\n; Version: 1.6";
    assert_eq!(header(names).unwrap(), [0x0723_0203, 0x0001_0300, 0, 6, 0]);
    assert_eq!(header("; Bound: 4294967295").unwrap()[3], 1);
}

#[test]
fn names_get_numbers_that_no_id_has() {
    same(
        "OpName %main \"m\" OpName %2 \"\" OpName %0 \"\" OpName %main \"\" OpName %b_1 \"\" OpName %003 \"\"",
        "OpName %1 \"m\" OpName %2 \"\" OpName %4 \"\" OpName %1 \"\" OpName %5 \"\" OpName %3 \"\"",
    );
    assert_eq!(assemble("OpName %4294967294 \"\"").unwrap()[3], u32::MAX);
}

#[test]
fn strings_are_as_they_stand() {
    let text = |string: &str| words(&format!("OpSourceExtension {string}"))[1..].to_vec();
    assert_eq!(text(r#""""#), [0]);
    assert_eq!(text(r#""a\"\\\n;""#), [0x6e5c_2261, 0x3b]);
    assert_eq!(text("\"\n\""), [0x0a]);
    assert_eq!(text("\"ü€ \""), [0x82e2_bcc3, 0x20ac]);
}

#[test]
fn integers_are_as_wide_as_their_types() {
    for (ty, text, expected) in [
        ("OpTypeInt 32 0", "4294967295", &[u32::MAX][..]),
        ("OpTypeInt 32 0", "0xFFFFFFFF", &[u32::MAX]),
        ("OpTypeInt 32 1", "-1", &[u32::MAX]),
        ("OpTypeInt 32 1", "0X80000000", &[0x8000_0000]),
        ("OpTypeInt 8 1", "-128", &[0xffff_ff80]),
        ("OpTypeInt 8 1", "0xff", &[u32::MAX]),
        ("OpTypeInt 8 0", "255", &[255]),
        ("OpTypeInt 16 1", "-0x8000", &[0xffff_8000]),
        ("OpTypeInt 64 1", "-2", &[u32::MAX - 1, u32::MAX]),
        ("OpTypeInt 64 0", "18446744073709551615", &[u32::MAX, u32::MAX]),
        ("OpTypeInt 64 1", "9223372036854775807", &[u32::MAX, 0x7fff_ffff]),
        ("OpTypeInt 1 1", "-1", &[u32::MAX]),
        ("OpTypeInt 48 1", "-1", &[u32::MAX, u32::MAX]),
    ] {
        assert_eq!(literal(ty, text).unwrap(), expected, "{ty} {text}");
    }
    for (ty, text) in [
        ("OpTypeInt 32 0", "4294967296"),
        ("OpTypeInt 32 0", "-1"),
        ("OpTypeInt 32 1", "2147483648"),
        ("OpTypeInt 8 1", "128"),
        ("OpTypeInt 8 1", "-129"),
        ("OpTypeInt 8 1", "0x100"),
        ("OpTypeInt 64 1", "9223372036854775808"),
        ("OpTypeInt 64 0", "0x1ffffffffffffffff"),
    ] {
        assert_eq!(literal(ty, text).unwrap_err().code, AssemblyCode::LiteralRange, "{ty} {text}");
    }
    for text in ["1.0", "0x", "-", "1x", "0x+1", "--1", "True"] {
        assert_eq!(literal("OpTypeInt 32 1", text).unwrap_err().code, AssemblyCode::Literal, "{text}");
    }
}

#[test]
fn floats_are_decimal_or_hexadecimal() {
    for (ty, text, expected) in [
        ("OpTypeFloat 32", "1", &[0x3f80_0000][..]),
        ("OpTypeFloat 32", "-0.1", &[0xbdcc_cccd]),
        ("OpTypeFloat 32", "+1.5e3", &[0x44bb_8000]),
        ("OpTypeFloat 32", "-0.0", &[0x8000_0000]),
        ("OpTypeFloat 32", "0x1.8p+3", &[0x4140_0000]),
        ("OpTypeFloat 32", "0xcP0", &[0x4140_0000]),
        ("OpTypeFloat 32", "-0x1p+128", &[0xff80_0000]),
        ("OpTypeFloat 32", "0x1.8p+128", &[0x7fc0_0000]),
        ("OpTypeFloat 32", "-0x1.0002p+128", &[0xff80_0100]),
        ("OpTypeFloat 32", "0x1p-149", &[1]),
        ("OpTypeFloat 32", "0x1.fffffep-127", &[0x007f_ffff]),
        ("OpTypeFloat 32", "-0x1p-99999999999999999999", &[0x8000_0000]),
        ("OpTypeFloat 32", "0x0.0000000000000000000000000000000001p+136", &[0x3f80_0000]),
        ("OpTypeFloat 32", "0x10000000000000000000000000000000000p-136", &[0x3f80_0000]),
        ("OpTypeFloat 16", "0.5", &[0x3800]),
        ("OpTypeFloat 16", "0x1p+16", &[0x7c00]),
        ("OpTypeFloat 16", "0x1p-24", &[1]),
        ("OpTypeFloat 16", "65535", &[0x7bff]),
        ("OpTypeFloat 64", "0.1", &[0x9999_999a, 0x3fb9_9999]),
        ("OpTypeFloat 64", "0x1.8p+1024", &[0, 0x7ff8_0000]),
        ("OpTypeFloat 64", "0x1p-1074", &[1, 0]),
        ("OpTypeFloat 16 BFloat16KHR", "1.5", &[0x3fc0]),
        ("OpTypeFloat 8 Float8E5M2EXT", "-1", &[0xbc]),
        ("OpTypeFloat 8 Float8E4M3EXT", "448", &[0x7e]),
    ] {
        assert_eq!(literal(ty, text).unwrap(), expected, "{ty} {text}");
    }
    for (ty, text) in [
        ("OpTypeFloat 32", "1e39"),
        ("OpTypeFloat 32", "0x1p+129"),
        ("OpTypeFloat 32", "0x1p+99999999999999999999"),
        ("OpTypeFloat 64", "1e309"),
        ("OpTypeFloat 16", "65536"),
        ("OpTypeFloat 8 Float8E4M3EXT", "480"),
    ] {
        assert_eq!(literal(ty, text).unwrap_err().code, AssemblyCode::LiteralRange, "{ty} {text}");
    }
    for text in ["inf", "NaN", "1.0f", "0x1p", "0xp3", "0x1.2.3p0", "1..0", ".", "e5", "0x1p+-3"] {
        assert_eq!(literal("OpTypeFloat 32", text).unwrap_err().code, AssemblyCode::Literal, "{text}");
    }
}

#[test]
fn cases_are_as_wide_as_the_selector() {
    let text = "%1 = OpTypeInt 64 1\n%2 = OpUndef %1\nOpSwitch %2 %3 -1 %4 5 %5";
    assert_eq!(words(text)[7..], [0x0009_00fb, 2, 3, u32::MAX, u32::MAX, 4, 5, 0, 5]);
}

#[test]
fn enumerants_bring_parameters() {
    same("OpExecutionMode %1 LocalSize 8 4 1 OpNop", "OpExecutionMode %1 !17 8 4 1 OpNop");
    same("OpDecorate %1 LinkageAttributes \"f\" Export", "OpDecorate %1 !41 \"f\" !0");
    same("OpDecorate %1 BuiltIn FragCoord", "OpDecorate %1 !11 !15");
    same("OpDecorate %1 BankBitsINTEL 3 4 5", "OpDecorate %1 !5835 3 4 5");
    same("OpDecorate %1 FPMaxErrorDecorationINTEL 1.5", "OpDecorate %1 !6170 !0x3fc00000");
    same("OpStore %1 %2 Aligned|Volatile 4 OpReturn", "OpStore %1 %2 !3 4 OpReturn");
    same("OpStore %1 %2 NonPrivatePointerKHR|MakePointerAvailable|Aligned 4 %3", "OpStore %1 %2 !0x2a 4 %3");
    same(
        "%1 = OpImageSampleImplicitLod %2 %3 %4 Bias|Offset %5 %6",
        "%1 = OpImageSampleImplicitLod %2 %3 %4 !0x11 %5 %6",
    );
    same("OpLoopMerge %1 %2 Unroll|PartialCount 7", "OpLoopMerge %1 %2 !0x101 7");
    same("%1 = OpTypeImage %2 2D 0 0 0 1 Rgba8 ReadOnly", "%1 = OpTypeImage %2 !1 0 0 0 1 !4 !0");
    same("%1 = OpFunction %2 None %3", "%1 = OpFunction %2 !0 %3");
}

#[test]
fn operations_have_their_own_operands() {
    same("%1 = OpSpecConstantOp %2 CompositeExtract %3 0 1", "%1 = OpSpecConstantOp %2 !81 %3 0 1");
    same("%1 = OpSpecConstantOp %2 IAdd %3 %4", "%1 = OpSpecConstantOp %2 !128 %3 %4");
}

#[test]
fn extended_instructions_go_by_name_and_by_number() {
    let sets = "%1 = OpExtInstImport \"GLSL.std.450\"\n%2 = OpExtInstImport \"OpenCL.std\"\n%3 = OpExtInstImport \"NonSemantic.Mine\"
        %4 = OpExtInstImport \"Mine\" %5 = OpExtInstImport \"NonSemantic.ClspvReflection.5\"\n";
    let same = |text: &str, other: &str| same(&format!("{sets}{text}"), &format!("{sets}{other}"));
    same("%10 = OpExtInst %11 %1 FMix %12 %12 %13", "%10 = OpExtInst %11 %1 !46 %12 %12 %13");
    same("%10 = OpExtInst %11 %1 46 %12 %12 %13", "%10 = OpExtInst %11 %1 !46 %12 %12 %13");
    same("%10 = OpExtInst %11 %2 vloadn %12 %13 3", "%10 = OpExtInst %11 %2 !171 %12 %13 3");
    same("%10 = OpExtInst %11 %3 7 %12 %13", "%10 = OpExtInst %11 %3 !7 %12 %13");
    same("%10 = OpExtInst %11 %4 7 %12 8 \"a\"", "%10 = OpExtInst %11 %4 !7 %12 8 \"a\"");
    same("%10 = OpExtInst %11 %5 Kernel %12 %13", "%10 = OpExtInst %11 %5 !1 %12 %13");
}

#[test]
fn words_stand_for_themselves() {
    assert_eq!(words("!0x0002000b OpNop"), [0x0002_000b, 0x0001_0000]);
    assert_eq!(words("OpCapability !5128"), [0x0002_0011, 5128]);
    assert_eq!(words("%7 = OpIAdd !1 %2 -3 1.5 \"a\""), [0x0007_0080, 1, 7, 2, -3_i32 as u32, 0x3fc0_0000, 0x61]);
    assert_eq!(words("OpUnknown(21, 4) %1 32 0 !7 %2"), [0x0004_0015, 1, 32, 0, 7, 2]);
    let text = "%1 = OpTypeInt 16 0\n%2 = OpConstant %1 !0x12345678 7\n";
    assert_eq!(words(text)[4..], [0x0005_002b, 1, 2, 0x1234_5678, 7]);
}

#[test]
fn older_names_are_understood() {
    same("OpDecorateStringGOOGLE %1 UserSemantic \"a\"", "OpDecorateString %1 UserSemantic \"a\"");
    same("%1 = OpFixedSinINTEL %2 %3 1 2 3 4 5", "%1 = OpFixedSinALTERA %2 %3 1 2 3 4 5");
    same("%1 = OpFunction %2 OptNoneINTEL %3", "%1 = OpFunction %2 OptNoneEXT %3");
    same("OpDecorate %1 FPFastMathMode AllowContractFastINTEL", "OpDecorate %1 FPFastMathMode AllowContract");
    same("OpLoopMerge %1 %2 LoopCoalesceINTEL 2", "OpLoopMerge %1 %2 LoopCoalesceALTERA 2");
}

#[test]
fn assembly_is_told_from_other_text() {
    for text in ["OpNop", "; a comment\n\n  %1 = OpTypeVoid", "%a=OpTypeVoid\n\"", "; SPIR-V\nOpCapability Shader"] {
        assert!(is_assembly(text), "{text}");
    }
    for text in ["", "; OpNop", "%1 = type_void", "func @main", "opnop", "Option", "%1 OpNop", "\"OpNop\"", "\0"] {
        assert!(!is_assembly(text), "{text}");
    }
}

/// Texts that are refused: the place, the code, a part of the message.
const REFUSED: &[(&str, usize, usize, AssemblyCode, &str)] = &[
    ("OpNop\n  \0", 2, 3, AssemblyCode::Character, "a NUL character"),
    ("OpName %1 \"a\0\"", 1, 13, AssemblyCode::Character, "a NUL character"),
    ("OpNop\nOpName %1 \"ü\\\"\nOpNop", 2, 11, AssemblyCode::Text, "no `\"` that closes it"),
    ("  42", 1, 3, AssemblyCode::Syntax, "found `42`"),
    ("%1 OpTypeVoid", 1, 1, AssemblyCode::Syntax, "expected `=`"),
    ("%1 = typevoid", 1, 6, AssemblyCode::Syntax, "begins with `Op`"),
    ("%1 = !0x00020013", 1, 6, AssemblyCode::Syntax, "begins with `Op`"),
    ("%1 =", 1, 5, AssemblyCode::Syntax, "the end of the text"),
    ("OpUnknown 21", 1, 11, AssemblyCode::Syntax, "expected `(`"),
    ("OpUnknown(65536, 1)", 1, 11, AssemblyCode::Literal, "16 bits"),
    ("%1 = OpTypeFlaot 32", 1, 6, AssemblyCode::Opcode, "did you mean `OpTypeFloat`?"),
    ("OpXyzzyPlugh %1", 1, 1, AssemblyCode::Opcode, "word by word"),
    ("%1 = OpSpecConstantOp %2 OpIAdd %3 %3", 1, 26, AssemblyCode::OperandMissing, "without `Op`"),
    ("%1 = OpSpecConstantOp %2 IAddd %3 %3", 1, 26, AssemblyCode::Opcode, "did you mean `IAdd`?"),
    ("OpTypeVoid", 1, 1, AssemblyCode::Result, "expected a result, as in `%id = OpTypeVoid`"),
    ("OpNop\n%1 = OpReturn", 2, 1, AssemblyCode::Result, "remove the id"),
    ("%1 = OpTypeInt 32", 1, 18, AssemblyCode::OperandMissing, "a number as the next operand of `OpTypeInt`"),
    (
        "%1 = OpTypeInt 32\nOpNop",
        2,
        1,
        AssemblyCode::OperandMissing,
        "found `OpNop`, which begins the next instruction",
    ),
    ("%1 = OpLabel\n%2 = OpPhi %3 %4", 2, 17, AssemblyCode::OperandMissing, "an id"),
    ("OpUnknown(21, 4) %1 32", 1, 1, AssemblyCode::OperandMissing, "expected 4 words"),
    ("OpReturn %1", 1, 10, AssemblyCode::OperandSurplus, "remove it"),
    ("OpUnknown(21, 2) \"abcdef\"", 1, 1, AssemblyCode::OperandSurplus, "found 3"),
    ("OpName 5 \"a\"", 1, 8, AssemblyCode::OperandKind, "expected an id"),
    ("OpName %1 a", 1, 11, AssemblyCode::OperandKind, "a string in quotes"),
    ("%1 = OpTypeInt %2 0", 1, 16, AssemblyCode::OperandKind, "expected a number"),
    ("OpCapability %1", 1, 14, AssemblyCode::OperandKind, "a name of Capability"),
    ("OpCapability !1 Shader", 1, 17, AssemblyCode::OperandKind, "where the operands are not known"),
    ("OpCapability Shadre", 1, 14, AssemblyCode::Enumerant, "did you mean `Shader`?"),
    ("OpCapability 1", 1, 14, AssemblyCode::Enumerant, "a number is written `!0x…`"),
    ("OpStore %1 %2 Volatile|Alinged 4", 1, 24, AssemblyCode::Enumerant, "did you mean `Aligned`?"),
    ("%1 = OpTypeImage %2 2d 0 0 0 1 Rgba8", 1, 21, AssemblyCode::Enumerant, "did you mean `2D`?"),
    ("OpName %a-b \"\"", 1, 8, AssemblyCode::Id, "underscores"),
    ("OpName % \"\"", 1, 8, AssemblyCode::Id, "underscores"),
    ("%1 = OpTypeInt x 0", 1, 16, AssemblyCode::Literal, "an unsigned integer of 32 bits"),
    ("!x", 1, 1, AssemblyCode::Literal, "after `!`"),
    ("!0x100000000", 1, 1, AssemblyCode::LiteralRange, "after `!`"),
    ("OpCapability !1 4294967296", 1, 17, AssemblyCode::LiteralRange, "32 bits"),
    ("%1 = OpTypeInt 8 1\n%2 = OpConstant %1 200", 2, 20, AssemblyCode::LiteralRange, "a signed integer of 8 bits"),
    ("%2 = OpConstant %1 200", 1, 20, AssemblyCode::LiteralType, "define the type"),
    ("%1 = OpTypeInt 128 1\n%2 = OpConstant %1 2", 2, 20, AssemblyCode::LiteralType, "`!0x…`"),
    ("OpSwitch %1 %2 3 %4", 1, 16, AssemblyCode::LiteralType, "selector"),
    ("%1 = OpExtInst %2 %3 Cos %4", 1, 22, AssemblyCode::InstructionSet, "OpExtInstImport"),
    (
        "%1 = OpExtInstImport \"GLSL.std.450\"\n%2 = OpExtInst %3 %1 Fmax %4 %4",
        2,
        22,
        AssemblyCode::ExtendedInstruction,
        "did you mean `FMax`?",
    ),
    ("; Version: 2.0\nOpNop", 1, 1, AssemblyCode::Version, "from 1.0 to 1.6"),
];

#[test]
fn every_error_says_where_and_what() {
    let mut codes = BTreeSet::from([AssemblyCode::Limit]);
    for &(text, line, column, code, part) in REFUSED {
        let error = assemble(text).expect_err(text);
        assert!(error.is(code), "{error}\n{text}");
        assert_eq!(error.place, Place::Line(line, column), "{error}\n{text}");
        assert!(error.message.contains(part), "{error}\n{text}");
        assert!(error.to_string().contains(code.name()));
        codes.insert(code);
    }
    assert_eq!(codes, AssemblyCode::ALL.iter().copied().collect());
}

#[test]
fn an_instruction_has_a_limit() {
    let text = |operands: usize| format!("%1 = OpTypeStruct{}", " %2".repeat(operands));
    assert_eq!(words(&text(65_533))[0], 0xffff_001e);
    let error = assemble(&text(65_534)).unwrap_err();
    assert_eq!(error.code, AssemblyCode::Limit);
    assert_eq!(error.place, Place::Line(1, 1));
}

#[test]
fn damaged_texts_are_read_or_refused() {
    const ROUNDS: usize = 4_000;
    let mut numbers = Numbers(0x5eed_00a5);
    let mut seeds: Vec<String> = modules().iter().map(|words| disassemble(&bytes(words)).unwrap()).collect();
    seeds.extend(REFUSED.iter().map(|row| row.0.to_owned()));
    let pool: Vec<String> = seeds.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    let mut taken = 0;
    for round in 0..ROUNDS {
        let mut signs: Vec<char> =
            seeds[if round % 4 == 0 { round / 4 % seeds.len() } else { round % 3 }].chars().collect();
        for _ in 0..1 + numbers.below(3) {
            let at = numbers.below(signs.len() + 1);
            match numbers.below(4) {
                0 => drop(signs.splice(at..(at + numbers.below(6)).min(signs.len()), [])),
                1 => drop(signs.splice(at..at, pool[numbers.below(pool.len())].chars())),
                2 => signs.insert(
                    at,
                    ['"', '\\', '%', '!', '=', ';', '|', '-', '.', 'p', '\0', 'ü', '(', '\n'][numbers.below(14)],
                ),
                _ => {
                    let from = numbers.below(signs.len() + 1);
                    signs.extend_from_within(at.min(from)..at.max(from).min(at.min(from) + 20));
                }
            }
        }
        let text: String = signs.into_iter().collect();
        match assemble(&text) {
            Ok(words) => {
                assert!(words.len() >= 5 && words[3] > 0, "round {round}");
                taken += 1;
            }
            Err(error) => {
                let (line, column) = error.place.line_and_column().unwrap();
                let line = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("round {round}: {error}"));
                assert!((1..=line.chars().count() + 1).contains(&column), "round {round}: {error}");
            }
        }
    }
    assert!(taken > ROUNDS / 20, "the damage leaves too little to read: {taken}");
}

#[test]
fn the_small_assembler_of_these_tests_means_the_same() {
    let text = "%1 = TypeVoid\n%2 = TypeFunction %1\nName %2 \"f\"";
    let theirs = assemble(&text.replace("Type", "OpType").replace("Name", "OpName")).unwrap();
    assert_eq!(bytes(&theirs), common::assemble(3, text));
}
