//! Bytes that are no module: each kind of error, and the word that it names.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use crate::common::{SHADER, assemble_words, bytes};
use reconverge_diagnostic::Place;
use reconverge_spirv::{ReadCode, ReadOptions, read};

/// The words of a shader whose one function has this body, and the word at which the body begins.
fn body(text: &str) -> (Vec<u32>, usize) {
    let head = format!("{SHADER}%10 = Function %1 0 %2\n");
    let start = assemble_words(3, &head).len();
    (assemble_words(3, &format!("{head}{text}\nFunctionEnd")), start)
}

/// What reading answers: the code, and the word counted from `start`.
#[track_caller]
fn error(words: &[u32], start: usize) -> (ReadCode, usize) {
    let error = read(&bytes(words), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains(error.code.name));
    let Place::Word(word) = error.place else { panic!("{error}") };
    (ReadCode::of(error.code).unwrap(), word - start)
}

#[test]
fn length_and_magic() {
    let good = bytes(&assemble_words(3, SHADER));
    for length in 0..20 {
        assert_eq!(read(&good[..length], &ReadOptions::default()).unwrap_err().code, ReadCode::Length);
    }
    assert_eq!(read(&good[..good.len() - 1], &ReadOptions::default()).unwrap_err().code, ReadCode::Length);
    let mut words = assemble_words(3, SHADER);
    words[0] += 1;
    assert_eq!(error(&words, 0), (ReadCode::Magic, 0));
    let most = 1 << 26;
    let mut large = vec![0; 4 * (most + 1)];
    large[..20].copy_from_slice(&good[..20]);
    let refused = read(&large, &ReadOptions::default()).unwrap_err();
    assert_eq!(refused.code, ReadCode::Limit);
    assert_eq!(refused.place, Place::Word(most));
}

#[test]
fn a_header_alone_and_what_has_no_memory_model_are_no_modules() {
    for text in ["", "Capability 1", "Capability 1\n%1 = TypeVoid"] {
        let words = assemble_words(3, text);
        assert_eq!(error(&words, 0), (ReadCode::Layout, words.len()), "{text}");
    }
    assert!(read(&bytes(&assemble_words(3, "MemoryModel 0 1")), &ReadOptions::default()).is_ok());
}

/// Sections stand one behind the other, and nothing names what is declared later.
#[test]
fn order() {
    let model = "Capability 1\nMemoryModel 0 1\n";
    let changes = [
        ("MemoryModel 0 1", ReadCode::Layout),
        ("Capability 9", ReadCode::Layout),
        ("%1 = TypeVoid\nSource 2 450", ReadCode::Layout),
        ("%1 = TypeVoid\nName %1 \"void\"", ReadCode::Layout),
        ("%1 = TypeVoid\nDecorate %1 0", ReadCode::Layout),
        ("%2 = TypeFunction %1\n%1 = TypeVoid", ReadCode::ForwardReference),
        ("%2 = Constant %1 7\n%1 = TypeInt 32 0", ReadCode::ForwardReference),
        ("%2 = TypeStruct %1\n%1 = TypeFloat 32", ReadCode::ForwardReference),
    ];
    for (text, code) in changes {
        let words = assemble_words(3, &format!("{model}{text}"));
        assert_eq!(read(&bytes(&words), &ReadOptions::default()).unwrap_err().code, code, "{text}");
    }
    let announced = "TypeForwardPointer %1 5349\n%2 = TypeStruct %1\n%3 = TypeStruct %2\n%1 = TypePointer 5349 %3";
    let words = assemble_words(3, &format!("{model}{announced}"));
    assert!(read(&bytes(&words), &ReadOptions::default()).is_ok());
}

#[test]
fn version() {
    let mut words = assemble_words(3, SHADER);
    for version in [0, 0x0002_0000, 0x0001_0700, 0x0001_0301, 0x0101_0300] {
        words[1] = version;
        assert_eq!(error(&words, 0), (ReadCode::Version, 1));
    }
}

#[test]
fn word_counts() {
    let mut words = assemble_words(3, "Capability 1\nCapability 2");
    words[7] = 0x0000_0011;
    assert_eq!(error(&words, 0), (ReadCode::WordCount, 7));
    words[7] = 0xffff_0011;
    assert_eq!(error(&words, 0), (ReadCode::WordCount, 7));
}

/// Bodies, the error that each gives, and its word counted from the start of the body.
const BODIES: &[(&str, ReadCode, usize)] = &[
    ("%20 = Label\n%21 = IAdd %4 %7\nReturn", ReadCode::OperandMissing, 6),
    ("%20 = Label\n%21 = IAdd\nReturn", ReadCode::OperandMissing, 3),
    ("%20 = Label\n%21 = IAdd %4 %7 %7 %7\nReturn", ReadCode::OperandSurplus, 7),
    ("%20 = Label\nReturn 1", ReadCode::OperandSurplus, 3),
    ("%20 = Label\n%21 = IAdd %4 %7 %0\nReturn", ReadCode::IdRange, 6),
    ("%0 = Label\nReturn", ReadCode::IdRange, 1),
    ("%20 = Label\n%19 = IAdd %4 %7 %18\nReturn", ReadCode::IdUndefined, 6),
    ("%20 = Label\n%7 = IAdd %4 %7 %7\nReturn", ReadCode::IdRedefined, 4),
    ("%20 = Label\n%21 = IAdd %22 %7 %7\n%22 = Undef %4\nReturn", ReadCode::ForwardReference, 3),
    ("Return", ReadCode::Layout, 0),
    ("%20 = Label\nCapability 1\nReturn", ReadCode::Layout, 2),
    ("%20 = Label\n%21 = TypeFloat 32\nReturn", ReadCode::Layout, 2),
    ("%20 = Label\nReturn\nReturn", ReadCode::Layout, 3),
    ("%20 = Label\n%21 = FunctionParameter %4\nReturn", ReadCode::Layout, 2),
    ("%20 = Label\n%21 = IAdd %4 %7 %7\n%22 = Phi %4\nReturn", ReadCode::Layout, 7),
    ("%20 = Label\n%30 = Function %1 0 %2", ReadCode::Layout, 2),
    ("%20 = Label", ReadCode::Terminator, 2),
    ("%20 = Label\n%21 = Label\nReturn", ReadCode::Terminator, 2),
    ("%20 = Label\nBranch %7", ReadCode::BranchTarget, 3),
    ("%20 = Label\nSelectionMerge %10 0\nBranchConditional %5 %20 %20", ReadCode::BranchTarget, 3),
    ("%20 = Label\nLoopMerge %20 %4 0\nBranch %20", ReadCode::BranchTarget, 4),
    ("%20 = Label\nSelectionMerge %20 0\nReturn", ReadCode::Merge, 2),
    ("%20 = Label\nSelectionMerge %20 0\nSelectionMerge %20 0\nBranchConditional %5 %20 %20", ReadCode::Merge, 5),
    ("%20 = Label\nSelectionMerge %20 0\nNop\nBranchConditional %5 %20 %20", ReadCode::Merge, 5),
    ("%20 = Label\nBranch %21\n%21 = Label\n%22 = Phi %4\nReturn", ReadCode::Phi, 6),
    ("%20 = Label\nBranch %21\n%21 = Label\n%22 = Phi %4 %7 %21\nReturn", ReadCode::Phi, 10),
    ("%20 = Label\nBranch %21\n%21 = Label\n%22 = Phi %4 %7 %20 %7 %20\nReturn", ReadCode::Phi, 12),
    ("%20 = Label\n%22 = Phi %4 %7 %20\nReturn", ReadCode::Phi, 6),
    ("%20 = Label\n%22 = Phi %4 %7\nReturn", ReadCode::OperandMissing, 6),
];

#[test]
fn bodies() {
    for &(text, code, word) in BODIES {
        let (words, start) = body(text);
        assert_eq!(error(&words, start), (code, word), "{text}");
    }
}

#[test]
fn outside_functions() {
    let rows = [
        ("Name %1 \"x\"\n%1 = TypeVoid\nReturn", ReadCode::Layout, 10),
        ("%1 = TypeVoid\n%2 = TypeFunction %1\n%3 = Function %1 0 %2", ReadCode::Layout, 10),
        ("FunctionEnd", ReadCode::Layout, 5),
        ("%1 = TypeInt 32 0\n%2 = Constant %1 1 2", ReadCode::LiteralWidth, 12),
        ("%1 = TypeInt 64 0\n%2 = Constant %1 1", ReadCode::LiteralWidth, 12),
        ("%1 = TypeArray %2 %2\n%2 = TypeArray %1 %1", ReadCode::ForwardReference, 5),
        ("%1 = Constant %2 1\n%2 = TypePointer 7 %2", ReadCode::ForwardReference, 5),
        ("Line %1 1 1\n%1 = String \"late\"", ReadCode::ForwardReference, 6),
        ("%1 = TypeVoid\n%2 = Function %1 0 %2\n%3 = Label\nReturn\nFunctionEnd", ReadCode::ForwardReference, 11),
        ("%1 = TypeVoid\n%2 = Function %1 0 %3\n%3 = Label\nReturn\nFunctionEnd", ReadCode::ForwardReference, 11),
    ];
    for (text, code, word) in rows {
        assert_eq!(error(&assemble_words(3, text), 0), (code, word), "{text}");
    }
    let mut words = assemble_words(3, "%1 = String \"abc\"");
    words[7] = u32::from_le_bytes(*b"abcd");
    assert_eq!(error(&words, 0), (ReadCode::Text, 7));
}

#[test]
fn limits_and_what_is_not_supported() {
    let phis: String = (0..65_001).map(|phi| format!("%{} = Phi %4\n", phi + 30)).collect();
    let (words, start) = body(&format!("%20 = Label\nReturn\n%21 = Label\n{phis}Return"));
    assert_eq!(error(&words, start), (ReadCode::Limit, 5 + 3 * 65_000));

    let cases = " 1 %20".repeat(32_766);
    let (words, start) = body(&format!("%20 = Label\nSelectionMerge %20 0\nSwitch %6 %20{cases}"));
    assert_eq!(error(&words, start), (ReadCode::Limit, 5));

    let (mut words, start) = body("%20 = Label\n60000 1\nReturn");
    words[3] = u32::MAX;
    assert_eq!(error(&words, start), (ReadCode::Unsupported, 2));
}

#[test]
fn every_code_is_shown_to_occur() {
    let elsewhere = [
        ReadCode::Length,
        ReadCode::Magic,
        ReadCode::Version,
        ReadCode::WordCount,
        ReadCode::LiteralWidth,
        ReadCode::Text,
        ReadCode::Limit,
        ReadCode::Unsupported,
    ];
    let shown: BTreeSet<ReadCode> = BODIES.iter().map(|&(_, code, _)| code).chain(elsewhere).collect();
    let missing: Vec<_> = ReadCode::ALL.iter().filter(|code| !shown.contains(code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let names: BTreeSet<&str> = ReadCode::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), ReadCode::ALL.len());
}
