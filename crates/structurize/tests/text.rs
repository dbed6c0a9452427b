//! The text form of a graph: what is read, what is refused and where, and that printing and reading are each other's opposite.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{Lists, Random, generate};
use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_structurize::text::{ErrorCode, parse};
use reconverge_structurize::{Branch, ControlFlow, Convergence, DocumentCode, Hints, InputBlock, LoopHint, NamedGraph};

fn blocks(indices: &[usize]) -> Vec<InputBlock> {
    indices.iter().map(|&index| InputBlock::new(index)).collect()
}

#[test]
fn every_terminator_and_attribute_is_read() {
    let text = "# a comment\n\n  a condbr b c ; another\nb switch d c c, convergent\r\n\tc br d , weight 7,entry| d ret, quad\n|\n";
    let graph = parse(text).unwrap();
    let names: Vec<&str> = graph.blocks().map(|block| graph.name(block)).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    let branches: Vec<Branch> = graph.blocks().map(|block| graph.branch(block)).collect();
    assert_eq!(branches, [Branch::Conditional, Branch::Switch, Branch::Jump, Branch::Exit]);
    let successors: Vec<&[InputBlock]> = (0..4).map(|block| graph.successors(InputBlock::new(block))).collect();
    assert_eq!(successors, [&blocks(&[1, 2])[..], &blocks(&[3, 2, 2]), &blocks(&[3]), &[]]);
    assert_eq!(graph.entry().index(), 2);
    let seen: Vec<Convergence> = graph.blocks().map(|block| graph.convergence(block)).collect();
    assert_eq!(seen, [Convergence::None, Convergence::Lanes, Convergence::None, Convergence::Quad]);
    let weights: Vec<u32> = graph.blocks().map(|block| graph.weight(block)).collect();
    assert_eq!(weights, [1, 1, 7, 1]);
    assert_eq!(graph.to_string(), "a condbr b c\nb switch d c c, convergent\nc br d, entry, weight 7\nd ret, quad\n");
    let graph = parse("a switch unreachable b | b ret | unreachable unreachable").unwrap();
    assert_eq!(graph.branch(InputBlock::new(2)), Branch::Unreachable);
    assert_eq!(graph.to_string(), "a switch unreachable b\nb ret\nunreachable unreachable\n");
}

#[test]
fn names_of_other_compilers_can_stand_as_they_are() {
    let text = "%12 br ^body\n^body br .LBB0_3\n.LBB0_3 br switch\nswitch switch ret \"q\"\nret ret\n\"q\" br größe→\ngröße→ ret\n";
    assert_eq!(parse(text).unwrap().to_string(), text);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    use ErrorCode as Code;
    let cases: [(&str, Code, usize, usize); 29] = [
        ("", Code::Empty, 1, 1),
        ("# nothing\n ; at all\n", Code::Empty, 3, 1),
        ("a ret\nb", Code::MissingTerminator, 2, 2),
        ("a ret | b , weight 3", Code::MissingTerminator, 1, 10),
        (", ret", Code::MissingTerminator, 1, 1),
        ("a jmp b", Code::UnknownTerminator, 1, 3),
        ("a RET", Code::UnknownTerminator, 1, 3),
        ("a br", Code::MissingTarget, 1, 5),
        ("größe condbr größe  # one", Code::MissingTarget, 1, 19),
        ("a switch", Code::MissingTarget, 1, 9),
        ("a ret b", Code::ExtraWord, 1, 7),
        ("a br a a", Code::ExtraWord, 1, 8),
        ("a condbr a a convergent", Code::ExtraWord, 1, 14),
        ("a ret, convergent yes", Code::ExtraWord, 1, 19),
        ("a ret, weight 3 4", Code::ExtraWord, 1, 17),
        ("a br b\nb br c\n", Code::UnknownTarget, 2, 6),
        ("a br b | b ret\n a ret", Code::DuplicateBlock, 2, 2),
        ("a br b, entry\nb ret, entry", Code::DuplicateEntry, 2, 8),
        ("a ret, hot", Code::Attribute, 1, 8),
        ("a ret, ", Code::Attribute, 1, 7),
        ("a ret, convergent, convergent", Code::Attribute, 1, 20),
        ("a ret, weight 4294967296", Code::Number, 1, 15),
        ("a ret, weight", Code::Number, 1, 14),
        ("a ret, merge", Code::MissingTarget, 1, 13),
        ("a ret, merge b", Code::UnknownTarget, 1, 14),
        ("a ret, loop a b", Code::UnknownTarget, 1, 15),
        ("a ret, loop a a a", Code::ExtraWord, 1, 17),
        ("- ret", Code::Character, 1, 1),
        ("a\u{1}b ret", Code::Character, 1, 1),
    ];
    for (text, code, line, column) in cases {
        let error = parse(text).expect_err(text);
        assert!(error.is(code), "{text:?}: {error}");
        assert_eq!(error.place, Place::Line(line, column), "{text:?}: {error}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")), "{error}");
    }
}

#[test]
fn codes_are_distinct() {
    let mut names: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ErrorCode::ALL.len());
}

/// A random graph with odd names, weights, convergent blocks and any entry.
fn random_graph(random: &mut Random) -> NamedGraph {
    let size = 1 + random.below(12);
    let lists = generate::wild(random, size);
    let letters = ["%", "^", ".", "a", "é", "_", "→", "\"", "ret", "0", "\\", "switch", "\u{202e}"];
    let mut graph = NamedGraph::copy_of(&lists, |block| {
        let letter = letters[(random.next() % letters.len() as u64) as usize];
        format!("{letter}{}", block.index())
    })
    .unwrap();
    for block in graph.blocks() {
        graph.set_convergence(block, [Convergence::Lanes, Convergence::Quad, Convergence::None][random.below(3)]);
        if random.chance(20) {
            graph.set_weight(block, random.next() as u32);
        }
        if random.chance(30) {
            graph.set_hints(block, random_hints(random, graph.block_count()));
        }
    }
    graph.set_entry(InputBlock::new(random.below(graph.block_count())));
    graph
}

fn random_hints(random: &mut Random, count: usize) -> Hints {
    let mut any = || random.chance(60).then(|| InputBlock::new(random.below(count)));
    let (selection_merge, merge, continue_target) = (any(), any(), any());
    let repeats = random.chance(50).then_some(LoopHint { merge, continue_target });
    Hints { selection_merge, repeats }
}

#[test]
fn hints_are_read() {
    let text =
        "a condbr b c, merge c\nb br b, weight 2, loop - b\nc br c, merge a, loop\nd br e, loop e\ne br d, loop d e\n";
    let graph = parse(text).unwrap();
    let hints: Vec<Hints> = graph.blocks().map(|block| graph.hints(block)).collect();
    let at = |index: usize| Some(InputBlock::new(index));
    let of_loop = |merge, continue_target| Some(LoopHint { merge, continue_target });
    assert_eq!(hints[0], Hints { selection_merge: at(2), repeats: None });
    assert_eq!(hints[1], Hints { selection_merge: None, repeats: of_loop(None, at(1)) });
    assert_eq!(hints[2], Hints { selection_merge: at(0), repeats: of_loop(None, None) });
    assert_eq!(hints[3], Hints { selection_merge: None, repeats: of_loop(at(4), None) });
    assert_eq!(hints[4], Hints { selection_merge: None, repeats: of_loop(at(3), at(4)) });
    assert_eq!(graph.to_string(), text);
    assert_eq!(parse("a br a, loop - -").unwrap(), parse("a br a, loop").unwrap());
}

#[test]
fn what_is_printed_reads_back() {
    for seed in 0..2_000 {
        let graph = random_graph(&mut Random::new(seed));
        let text = graph.to_string();
        assert_eq!(parse(&text).as_ref(), Ok(&graph), "seed {seed}\n{text}");
    }
}

#[test]
fn any_change_of_a_text_is_read_or_refused() {
    let pieces = [
        "|",
        ",",
        "#",
        ";",
        "\n",
        " ",
        "ret",
        "br",
        "weight",
        "entry",
        "a",
        "\u{feff}",
        "\r",
        "\u{85}",
        "é",
        "99999999999",
    ];
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        let mut text = random_graph(random).to_string();
        for _ in 0..=random.below(4) {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, pieces[random.below(pieces.len())]);
        }
        match parse(&text) {
            Ok(graph) => assert_eq!(parse(&graph.to_string()).as_ref(), Ok(&graph), "seed {seed}\n{text}"),
            Err(error) => {
                let lines = text.lines().count() + 1;
                let (line, column) = error.place.line_and_column().unwrap();
                assert!(line >= 1 && line <= lines && column >= 1, "seed {seed}: {error}\n{text}");
            }
        }
    }
}

#[test]
fn a_graph_is_checked_before_it_is_printed() {
    let block = InputBlock::new;
    let said = |checked: Result<(), Diagnostic>| {
        let error = checked.expect_err("it is no graph");
        assert_eq!(error.code, DocumentCode::Graph);
        error.message
    };
    let empty = NamedGraph::default();
    assert_eq!(said(empty.check()), "the graph has no block");
    let blank = NamedGraph::new("a b", Branch::Exit, &[]);
    assert!(said(blank.check()).starts_with("the name of b0 is invalid"));
    let mut twice = NamedGraph::new("a", Branch::Exit, &[]);
    twice.add_block("a", Branch::Exit, &[]);
    assert_eq!(said(twice.check()), "the name of b1 already belongs to another block");
    let counted = NamedGraph::new("a", Branch::Conditional, &[block(0)]);
    assert_eq!(said(counted.check()), "the number of successors of b0 does not fit its terminator");
    let lost = NamedGraph::new("a", Branch::Switch, &[block(0), block(1)]);
    assert_eq!(said(lost.check()), "successor 1 of b0 is not a block");
    let mut hinted = NamedGraph::new("a", Branch::Exit, &[]);
    hinted.set_hints(block(0), Hints { selection_merge: Some(block(1)), repeats: None });
    assert_eq!(said(hinted.check()), "a hint of b0 names something that is not a block");
    let mut elsewhere = NamedGraph::new("a", Branch::Exit, &[]);
    elsewhere.set_entry(block(1));
    assert_eq!(said(elsewhere.check()), "the entry is not a block");
    let copy = NamedGraph::copy_of(&Lists::new(&[vec![0]]), |_| ";".to_owned());
    assert!(said(copy.map(|_| ())).starts_with("the name of b0 is invalid"));
}

/// A million lines, on a small stack. A parser that is not linear does not come back from this.
#[test]
fn a_million_blocks_are_read_and_printed() {
    let work = || {
        let count = 1_000_000;
        let mut text = String::new();
        for block in 0..count - 1 {
            text += &format!("b{block} condbr b{} b{}\n", block + 1, count - 1 - block / 2);
        }
        text += &format!("b{} ret\n", count - 1);
        let graph = parse(&text).unwrap();
        assert_eq!(graph.block_count(), count);
        assert_eq!(graph.to_string(), text);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}
