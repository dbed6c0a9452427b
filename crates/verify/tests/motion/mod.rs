//! Code motion is judged by rule: programs, one motion each, and the codes that fire. Each rule has motions that it allows beside those that
//! it refuses.

mod claims;

use reconverge_ir::{Block, Inst, Module, Op, Position, text};
use reconverge_verify::{Claims, Code, verify, verify_motion};

/// Where an instruction goes: to the start of a block, before its terminator, or right behind another instruction.
enum To {
    Start(&'static str),
    End(&'static str),
    Behind(&'static str),
}
use To::{Behind, End, Start};

/// One motion: what moves in which program, and what is said about it.
struct Row {
    program: &'static str,
    inst: &'static str,
    to: To,
    codes: &'static [Code],
}

const fn row(program: &'static str, inst: &'static str, to: To, codes: &'static [Code]) -> Row {
    Row { program, inst, to, codes }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // What is pure goes where its operands let it.
    row("diamond", "sum", End("e"), &[]),
    row("diamond", "sum", End("t"), &[]),
    // Divisions.
    row("diamond", "by_three", End("e"), &[]),
    row("diamond", "by_n", End("e"), &[Code::C4]),
    row("diamond", "by_n", End("t"), &[]),
    row("loop", "first", End("e"), &[]),
    row("loop", "inner", End("e"), &[Code::C4]),
    row("loop", "inner", Start("h"), &[Code::C4]),
    row("calls", "by_n", End("e"), &[]),
    row("calls", "by_n", End("m"), &[]),
    row("calls", "by_n", End("last"), &[]),
    row("calls", "by_n_later", Start("m"), &[Code::C4]),
    row("calls", "deep", End("m"), &[Code::C4]),
    // Reads of what is written.
    row("diamond", "old", End("e"), &[]),
    row("diamond", "old", End("t"), &[]),
    row("diamond", "new", End("e"), &[Code::C5]),
    row("diamond", "n", End("t"), &[Code::C5]),
    row("diamond", "n", Start("t"), &[]),
    row("loop", "k", End("e"), &[Code::C5]),
    row("loop", "k", End("body"), &[Code::C5]),
    row("loop", "k", Start("body"), &[]),
    row("loop", "n", End("h"), &[]),
    row("loop", "left", End("e"), &[Code::C4]),
    row("loop", "right", End("body"), &[Code::C5]),
    // Parts of variables are apart where a constant says so.
    row("parts", "l0", End("e"), &[Code::C5]),
    row("parts", "l1", End("e"), &[]),
    row("parts", "li", End("e"), &[Code::C5]),
    row("parts", "ld", End("e"), &[Code::C5]),
    row("parts", "e0", End("e"), &[]),
    row("parts", "e0", Behind("mark"), &[]),
    row("parts", "e1", End("e"), &[]),
    row("parts", "e1", Behind("mark"), &[Code::C5]),
    row("parts", "e2", End("e"), &[Code::C4]),
    // Buffers share memory only where they say so, or have one binding.
    row("shared", "from_a", Behind("behind_b"), &[]),
    row("shared", "from_a", Behind("behind_again"), &[Code::C5]),
    row("shared", "from_shared", Behind("behind_b"), &[Code::C5]),
    row("shared", "own", Behind("behind_barrier"), &[]),
    row("shared", "pushed", Behind("behind_barrier"), &[]),
    row("shared", "from_a_too", Behind("behind_barrier"), &[Code::C5]),
    // Lanes.
    row("diamond", "slope", End("e"), &[]),
    row("uniform", "slope", End("t"), &[]),
    row("uniform", "slope", End("i"), &[Code::C6]),
    row("diamond", "lanes", End("e"), &[Code::C2]),
    row("diamond", "lanes", End("t"), &[Code::C2]),
    // Atomics stay.
    row("shared", "atomic", Start("e"), &[Code::C2]),
];

/// The program of that name: a filetest below `tests/filetests/verify/motion`.
fn program(name: &str) -> Module {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/filetests/verify/motion/");
    let source =
        std::fs::read_to_string(format!("{folder}{name}.ir")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let module = text::parse(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
    let findings = verify(&module);
    assert!(findings.is_empty(), "{}", findings[0]);
    module
}

fn find(module: &Module, name: &str) -> Inst {
    let function = module.functions().next().expect("a program has a function");
    let blocks = module.blocks(function).map(Inst::from);
    let instructions = module.blocks(function).flat_map(|block| module.children(block));
    let mut all = blocks.chain(instructions).chain(module.globals());
    all.find(|&inst| module.name(inst).as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
}

fn move_to(module: &mut Module, inst: &str, to: &To) {
    let inst = find(module, inst);
    let position = match to {
        Start(block) => {
            let first = module.children(find(module, block)).find(|&inst| module.op(inst) != Op::BlockParameter);
            Position::Before(first.expect("a block is not empty"))
        }
        End(block) => {
            let block: Block = module.cast(find(module, block)).expect("it is a block");
            Position::Before(module.terminator(block).expect("a block ends").into())
        }
        Behind(other) => Position::After(find(module, other)),
    };
    module.edit().move_to(inst, position);
}

fn codes(before: &Module, after: &Module, claims: &Claims) -> Vec<Code> {
    let mut codes: Vec<Code> = verify_motion(before, after, claims).iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn each_motion_has_its_verdict() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let before = program(row.program);
        let mut after = before.clone();
        move_to(&mut after, row.inst, &row.to);
        let found = codes(&before, &after, &Claims::default());
        if found != row.codes {
            let (Start(to) | End(to) | Behind(to)) = &row.to;
            wrong.push(format!("{} to {to}: {found:?} for {:?}", row.inst, row.codes));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_stays_is_accepted() {
    for name in ["diamond", "loop", "parts", "shared", "uniform", "calls"] {
        let module = program(name);
        assert!(verify_motion(&module, &module, &Claims::default()).is_empty());
    }
}

#[test]
fn a_promise_moves_only_where_it_was_made() {
    let mut before = program("diamond");
    let sum = find(&before, "sum");
    let mut editor = before.edit();
    let word = editor.word(4469);
    let promise = editor.unique(Op::Decorate, None, &[word]);
    editor.decorate(sum, promise);
    let mut after = before.clone();
    move_to(&mut after, "sum", &End("e"));
    assert_eq!(codes(&before, &after, &Claims::default()), [Code::C4]);
    after.edit().retain_decorations(sum, |_, decoration| decoration != promise);
    assert_eq!(codes(&before, &after, &Claims::default()), []);
}

#[test]
fn the_frame_is_held() {
    let before = program("common");
    let change = |edit: &dyn Fn(&mut Module)| {
        let mut after = before.clone();
        edit(&mut after);
        codes(&before, &after, &Claims::default())
    };
    let swap_branch = |module: &mut Module| {
        let block: Block = module.cast(find(module, "e")).unwrap();
        let last = module.terminator(block).unwrap();
        let [left, right] = [1, 2].map(|index| module.operand(last, index));
        module.edit().set_operand(last, 1, right);
        module.edit().set_operand(last, 2, left);
    };
    assert_eq!(change(&swap_branch), [Code::C1]);
    assert_eq!(change(&|module| drop_store(module)), [Code::C2]);
    assert_eq!(change(&|module| move_to(module, "m", &Behind("h"))), [Code::C1]);
    let other_operand = |module: &mut Module| {
        let (sum, one) = (find(module, "sum"), find(module, "one"));
        module.edit().set_operand(sum, 0, one);
    };
    assert_eq!(change(&other_operand), [Code::C3]);
    let delete_function = |module: &mut Module| {
        let function = module.functions().next().unwrap();
        module.edit().delete(function);
    };
    assert_eq!(change(&delete_function), [Code::C1]);
}

fn drop_store(module: &mut Module) {
    let function = module.functions().next().expect("a program has a function");
    let store = module.blocks(function).flat_map(|block| module.children(block));
    let store = store.into_iter().find(|&inst| module.op(inst) == Op::Store).expect("the program stores");
    module.edit().delete(store);
}
