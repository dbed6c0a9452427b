//! The assembly that is written is what `spirv-as` makes the same words of; and so is what is read, and what `spirv-dis` writes.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reconverge_spirv::{assemble, disassemble};
use reconverge_testing::judge::{Environment, Ids, Validator};
use reconverge_testing::random::Random;

/// Words of the header, of which the assembler makes its own.
const HEADER: usize = 5 * 4;

fn validator() -> Validator {
    Validator::find().expect("the validator is installed")
}

/// The assembly of a module, after a check that it gives the module back.
fn comes_back(name: &str, module: &[u8]) -> String {
    let assembly = disassemble(module).unwrap_or_else(|error| panic!("{name}: {error}"));
    let assembled = validator().assemble(&assembly, Environment::Universal);
    let assembled = assembled.unwrap_or_else(|error| panic!("{name}: {error}\n{assembly}"));
    assert!(assembled[HEADER..] == module[HEADER..], "{name}: other words came of\n{assembly}");
    assert!(assembled_by_us(name, &assembly) == module, "{name}: we make other words of\n{assembly}");
    assembly
}

/// The module that we make of a text.
fn assembled_by_us(name: &str, assembly: &str) -> Vec<u8> {
    let words = assemble(assembly).unwrap_or_else(|error| panic!("{name}: {error}\n{assembly}"));
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Assembly without comments and columns, its ids numbered as they come up.
fn renumbered(assembly: &str) -> String {
    let mut numbers = HashMap::new();
    let mut text = String::new();
    for word in assembly.lines().filter(|line| !line.starts_with("; ")).flat_map(str::split_whitespace) {
        match word.strip_prefix('%') {
            Some(id) => {
                let next = numbers.len();
                let _ = write!(text, "%{} ", numbers.entry(id).or_insert(next));
            }
            None => text.extend([word, " "]),
        }
    }
    text
}

/// The assembly of what `spirv-as` makes of a text, after the same check.
fn text_comes_back(text: &str) -> String {
    let module = validator().assemble(text, Environment::Universal);
    comes_back(text, &module.unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// Checks that a text is its own assembly.
fn stands(text: &str) {
    let assembly = text_comes_back(text);
    let lines = assembly.split_inclusive('\n').filter(|line| !line.starts_with("; "));
    assert_eq!(lines.collect::<String>(), text);
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "spv")).collect()
}

#[test]
fn modules_of_compilers_come_back() {
    let modules = [files("examples"), files("tests/kernels")].concat();
    assert!(modules.len() > 20, "{}", modules.len());
    for path in modules {
        let name = path.display().to_string();
        let assembly = comes_back(&name, &std::fs::read(&path).unwrap());
        assert!(!assembly.contains("\n!"), "{name}:\n{assembly}");
    }
}

#[test]
fn assembly_of_spirv_dis_is_read() {
    let mut read = 0;
    for path in [files("examples"), files("tests/kernels")].concat() {
        let (name, mut module) = (path.display().to_string(), std::fs::read(&path).unwrap());
        // Generators stand there by name.
        module[8..12].fill(0);
        let disassembled =
            |module: &[u8], ids| validator().disassemble(module, ids).unwrap_or_else(|error| panic!("{name}: {error}"));
        let by_numbers = disassembled(&module, Ids::Numbers);
        let mut again = assembled_by_us(&name, &by_numbers);
        again[8..12].fill(0);
        assert!(again == module, "{name}: other words came of\n{by_numbers}");
        let by_names = disassembled(&module, Ids::Names);
        let again = disassembled(&assembled_by_us(&name, &by_names), Ids::Numbers);
        assert!(renumbered(&again) == renumbered(&by_numbers), "{name}: other words came of\n{by_names}");
        read += 1;
    }
    assert!(read > 20, "{read}");
}

#[test]
fn damaged_assembly_means_what_it_means_to_spirv_as() {
    let seed = 0x5eed_00a5;
    let mut random = Random::new(seed);
    let modules = [files("examples"), files("tests/kernels")].concat();
    let mut both = 0;
    for round in 0..400 {
        let path = &modules[random.below(modules.len())];
        let assembly = validator().disassemble(&std::fs::read(path).unwrap(), Ids::Names).unwrap();
        let mut words: Vec<&str> = assembly.split_inclusive([' ', '\n']).collect();
        let (from, to) = (random.below(words.len()), random.below(words.len()));
        match random.below(3) {
            0 => words[to] = words[from],
            1 => words.insert(to, words[from]),
            _ => drop(words.remove(to)),
        }
        let text = words.concat();
        let Ok(theirs) = validator().assemble(&text, Environment::Universal) else { continue };
        let Ok(ours) = assemble(&text) else { continue };
        let ours: Vec<u8> = ours.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(ours[HEADER..] == theirs[HEADER..], "seed {seed:#x}, round {round}, {}:\n{text}", path.display());
        both += 1;
    }
    assert!(both > 20, "the damage leaves too little to read: {both}");
}

#[test]
fn names_of_debug_information_mean_what_they_mean_to_spirv_as() {
    let mut text = r#"%1 = OpExtInstImport "OpenCL.DebugInfo.100"
%2 = OpExtInstImport "DebugInfo"
%3 = OpTypeVoid
"#
    .to_owned();
    let flags = [
        "FlagIsProtected",
        "FlagIsPrivate",
        "FlagIsPublic",
        "FlagIsLocal",
        "FlagIsDefinition",
        "FlagFwdDecl",
        "FlagArtificial",
        "FlagExplicit",
        "FlagPrototyped",
        "FlagObjectPointer",
        "FlagStaticMember",
        "FlagIndirectVariable",
        "FlagLValueReference",
        "FlagRValueReference",
        "FlagIsOptimized",
    ];
    let newer =
        ["FlagIsEnumClass", "FlagTypePassByValue", "FlagTypePassByReference", "None", "FlagIsLocal|FlagIsEnumClass"];
    for (set, name) in [1, 2].iter().flat_map(|set| flags.map(|name| (set, name))).chain(newer.map(|name| (&1, name))) {
        let _ = writeln!(text, "%{} = OpExtInst %3 %{set} DebugTypePointer %9 Function {name}", 10 + text.len());
    }
    for name in ["Unspecified", "Address", "Boolean", "Float", "Signed", "SignedChar", "Unsigned", "UnsignedChar"] {
        let _ = writeln!(text, "%{} = OpExtInst %3 %1 DebugTypeBasic %9 %9 {name}", 10 + text.len());
    }
    for name in ["ConstType", "VolatileType", "RestrictType", "AtomicType"] {
        let _ = writeln!(text, "%{} = OpExtInst %3 %1 DebugTypeQualifier %9 {name}", 10 + text.len());
    }
    for name in ["Class", "Structure", "Union"] {
        let operands = format!("%9 {name} %9 1 1 %9 %9 %9 FlagIsPublic");
        let _ = writeln!(text, "%{} = OpExtInst %3 %1 DebugTypeComposite {operands}", 10 + text.len());
    }
    for name in [
        "Deref",
        "Plus",
        "Minus",
        "PlusUconst 1",
        "BitPiece 1 2",
        "Swap",
        "Xderef",
        "StackValue",
        "Constu 3",
        "Fragment 1 2",
    ] {
        let _ = writeln!(text, "%{} = OpExtInst %3 %1 DebugOperation {name}", 10 + text.len());
    }
    for name in ["ImportedModule", "ImportedDeclaration"] {
        let _ = writeln!(text, "%{} = OpExtInst %3 %1 DebugImportedEntity %9 {name} %9 %9 1 1 %9", 10 + text.len());
    }
    let theirs = validator().assemble(&text, Environment::Universal).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(assembled_by_us("debug information", &text)[HEADER..] == theirs[HEADER..]);
}

#[test]
fn extended_instructions_at_module_level_and_modes_by_id_stand() {
    stands(
        r#"OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%2 = OpExtInstImport "GLSL.std.450"
%3 = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpExecutionModeId %4 LocalSizeId %5 %5 %5
%6 = OpString "a.comp"
%7 = OpTypeVoid
%8 = OpTypeInt 32 0
%5 = OpConstant %8 1
%9 = OpExtInst %7 %1 DebugSource %6
%10 = OpExtInst %7 %1 DebugInfoNone
%11 = OpTypeFunction %7
%12 = OpTypeFloat 32
%13 = OpConstant %12 0.5
%14 = OpTypeImage %12 2D 0 0 0 1 Unknown
%4 = OpFunction %7 DontInline|Pure %11
%15 = OpLabel
%16 = OpExtInst %12 %2 FMix %13 %13 %13
%17 = OpExtInst %7 %3 !1 %6 %5
OpReturn
OpFunctionEnd
"#,
    );
    stands(
        r#"OpCapability Kernel
%1 = OpExtInstImport "OpenCL.std"
%2 = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Physical32 OpenCL
%3 = OpTypeVoid
%4 = OpString "a"
%5 = OpExtInst %3 %2 DebugSource %4
%6 = OpExtInst %3 %2 DebugCompilationUnit 1 4 %5 !3
%7 = OpExtInst %3 %2 DebugTypeBasic %4 %4 !6
%8 = OpExtInst %3 %1 vloadn %4 %4 3
"#,
    );
}

#[test]
fn negative_literals_stand() {
    let mut text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n".to_owned();
    for (index, (bits, least)) in
        [(8, "-128"), (16, "-32768"), (32, "-2147483648"), (64, "-9223372036854775808")].iter().enumerate()
    {
        let id = 10 * index + 1;
        let _ = writeln!(text, "%{id} = OpTypeInt {bits} 1\n%{} = OpConstant %{id} -3", id + 1);
        let _ = writeln!(text, "%{} = OpSpecConstant %{id} {least}\n%{} = OpTypeInt {bits} 0", id + 2, id + 3);
        let _ = writeln!(text, "%{} = OpConstant %{} 200", id + 4, id + 3);
        let _ = writeln!(text, "OpSwitch %{} %100 -1 %101 {least} %102 5 %103", id + 1);
        let _ = writeln!(text, "OpSwitch %{} %100 200 %101 255 %102", id + 4);
    }
    // A value whose type is not known yet has literals that stand as words.
    text += "OpSwitch %200 %100 !4294967295 %101 !5 %102\n%200 = OpUndef %21\n";
    stands(&text);
}

#[test]
fn words_that_no_literal_gives_stand_as_words() {
    stands(
        "%1 = OpTypeInt 16 1
%2 = OpConstant %1 !65535
%3 = OpTypeInt 8 0
%4 = OpConstant %3 !256
%5 = OpTypeFloat 16
%6 = OpConstant %5 !65536
%7 = OpTypeFloat 16 BFloat16KHR
%8 = OpConstant %7 !16256
OpDecorate %8 FPMaxErrorDecorationINTEL !1065353216
OpCapability !5128
%9 = OpTypeVoid
!0x0003ffff !9 !1
%10 = OpTypeBool
!0x0004003d %1 %13 %9
!0x0003ffff !9 !1
%11 = OpSpecConstantOp %1 CompositeExtract %6 0 1
%12 = OpSpecConstantOp !1 !72 !6
OpStore %2 %3 Aligned|Nontemporal 4
",
    );
}

#[test]
fn floats_stand() {
    let singles = [
        0_u32,
        1,
        0x8000_0000,
        0x0040_0000,
        0x007f_ffff,
        0x0080_0000,
        0x3dcc_cccd,
        0x7f7f_ffff,
        0x7f80_0000,
        0xff80_0000,
    ];
    let nans = [0x7fc0_0000_u32, 0x7f80_0001, 0xffff_ffff];
    let mut text = "%1 = OpTypeFloat 16\n%2 = OpTypeFloat 32\n%3 = OpTypeFloat 64\n".to_owned();
    for half in 0..=0xffff {
        let _ = writeln!(text, "%{} = OpConstant %1 !{half}", 10 + half);
    }
    for (index, single) in singles.into_iter().chain(nans).enumerate() {
        let _ = writeln!(text, "%{} = OpConstant %2 !{single}", 100_000 + index);
        let _ = writeln!(text, "%{} = OpConstant %3 !{index} !{single}", 110_000 + index);
        let _ = writeln!(text, "%{} = OpConstant %3 !{single} !{index}", 120_000 + index);
    }
    let assembly = text_comes_back(&text);
    assert!(!assembly.contains('!'));
    for (id, literal) in [
        (10, "0.0"),
        (10 + 0x8000, "-0.0"),
        (11, "0x1p-24"),
        (10 + 0x3800, "0.5"),
        (10 + 0x7c00, "0x1p+16"),
        (10 + 0xfe01, "-0x1.804p+16"),
        (100_001, "0x1p-149"),
        (100_006, "0.1"),
        (100_007, "3.4028235e38"),
        (100_010, "0x1.8p+128"),
    ] {
        assert!(
            assembly.contains(&format!("\n%{id} = OpConstant %{} {literal}\n", 1 + id / 100_000)),
            "{id} {literal}"
        );
    }
}

#[test]
fn strings_stand() {
    stands("OpName %1 \"a\nb\r\\\"\\\\n; %2 = \\\"\t ü\"\nOpSource GLSL 450 %2 \"\n\"\nOpName %1 \"\"\n");
    // A string with something behind its end, and one that is no UTF-8.
    stands("OpName !1 !1627414881\nOpName !1 !255\n");
}

#[test]
fn a_set_that_the_assembler_does_not_know_stands_as_words() {
    let assembly =
        text_comes_back("!0x0003000b !0x00000001 !0x00616161\n%2 = OpTypeVoid\n%3 = OpExtInst %2 !1 !7 !5\n");
    assert!(assembly.ends_with("%3 = OpExtInst %2 !1 !7 !5\n"), "{assembly}");
}
