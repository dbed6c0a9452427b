//! A call that is replaced by the body does what the body did: random structured programs, behind a call and inlined again.

use reconverge_ir::{Block, Builder, Copies, Function, Inst, Module, Op, Position, Stage};
use reconverge_optimize::{InlineLimits, inline_worthwhile};
use reconverge_testing::generators::lanes::LaneOptions;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Idempotence, PassTrial, judge_pass};

const LIMITS: InlineLimits = InlineLimits { body: usize::MAX, module: usize::MAX };

/// Where the call stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Site {
    Straight,
    LoopHeader,
}

/// Moves the body of a function to another one, and calls that.
///
/// ```text
/// straight:  call; return          loop header:  loop ^h … ^h: call; branch_if false ^c ^out     ^out: return
/// ```
fn put_behind_a_call(module: &mut Module, function: Function, site: Site) -> Inst {
    let result = module.ty(function).expect("a function has a type");
    let parameters: Vec<Inst> = module.parameters(function).map(Inst::from).collect();
    let types: Vec<Inst> = parameters.iter().map(|&inst| module.ty(inst).expect("a parameter has a type")).collect();
    let blocks: Vec<Block> = module.blocks(function).collect();
    let mut build = Builder::new(module);
    let callee = build.add_function(result, &types);
    build.editor().set_stage(callee, Stage::Structured);
    let images: Vec<Inst> = build.module().parameters(callee).map(Inst::from).collect();
    let mut copies = Copies::new();
    parameters.iter().zip(images).for_each(|(&parameter, image)| copies.set(parameter, image));
    let roots: Vec<Inst> = blocks.iter().copied().map(Inst::from).collect();
    for copy in build.editor().copy(&roots, &mut copies) {
        build.editor().move_to(copy, Position::AtEnd(callee.into()));
    }
    blocks.into_iter().rev().for_each(|block| build.editor().delete(block));
    let mut entry = build.add_block(function);
    let operands: Vec<Inst> = [callee.inst()].into_iter().chain(parameters).collect();
    if site == Site::LoopHeader {
        let [header, next, out, done] =
            [Op::Block, Op::Block, Op::EdgeBlock, Op::Block].map(|op| build.editor().append(function, op, None, &[]));
        let zero = build.editor().word(0);
        build.at_end(entry);
        build.r#loop(&[header, done, next, zero]);
        let never = build.constant_bool(false);
        build.at_end(header);
        let call = build.function_call(result, &operands);
        build.branch_if(&[never, next, out]);
        build.at_end(next);
        build.branch(&[header]);
        build.at_end(out);
        build.branch(&[done]);
        entry = build.module().cast(done).expect("it is a block");
        return end(&mut build, entry, call, result);
    }
    build.at_end(entry);
    let call = build.function_call(result, &operands);
    end(&mut build, entry, call, result)
}

fn end(build: &mut Builder<'_>, block: Block, call: Inst, result: Inst) -> Inst {
    build.at_end(block);
    match build.module().op(result) {
        Op::TypeVoid => build.r#return(&[]),
        _ => build.return_value(&[call]),
    };
    call
}

/// Gives a function a name for other modules, so that those it calls are its own.
fn export(module: &mut Module, function: Function) {
    const LINKAGE_ATTRIBUTES: u32 = 41;
    let mut editor = module.edit();
    let operands = [editor.word(LINKAGE_ATTRIBUTES), editor.text("entered"), editor.word(0)];
    let linkage = editor.unique(Op::Decorate, None, &operands);
    editor.decorate(function, linkage);
}

/// The body behind a call at the last of these places, that behind one at the place before it, and so on.
fn hold(sites: &[Site]) {
    let options = LaneOptions::default();
    let trial = PassTrial { options, lanes: vec![1, 4, 16], idempotence: Idempotence::NotHeld, ..PassTrial::default() };
    let mut inlined = 0;
    let mut pass = |module: &mut Module, function: Function| {
        // A call may move behind the next one, and is another instruction then.
        let made = sites.iter().rev().map(|&site| {
            let call = put_behind_a_call(module, function, site);
            (call, module.operand(call, 0))
        });
        let (calls, callees): (Vec<Inst>, Vec<Inst>) = made.unzip();
        if sites.len() > 1 {
            export(module, function);
        }
        let functions: Vec<Function> =
            module.functions().filter(|&function| module.entry(function).is_some()).collect();
        inline_worthwhile(module, &functions, LIMITS);
        inlined += usize::from(calls.iter().all(|&call| !module.is_live(call)));
        let mut both = calls.iter().zip(&callees);
        let is_moved = sites.len() == 1 || both.all(|(&call, &callee)| module.is_live(call) == module.is_live(callee));
        assert!(is_moved, "a body goes with its only call");
        Ok(true)
    };
    let programs = if is_deep() { 20_000 } else { 150 };
    let figures = judge_pass(0..programs, &trial, &mut pass).unwrap_or_else(|message| panic!("{message}"));
    assert!(figures.records > 1_000, "{figures:?}");
    // Bodies that end the invocation, and those that never return, stay where they are.
    assert!(inlined as u64 * 2 > programs, "{inlined} of {programs} calls went");
}

#[test]
fn a_call_that_is_alone() {
    hold(&[Site::Straight]);
}

#[test]
fn a_call_in_a_loop_header() {
    hold(&[Site::LoopHeader]);
}

#[test]
fn bodies_that_move_one_after_the_other() {
    use Site::{LoopHeader, Straight};
    for outer in [Straight, LoopHeader] {
        for inner in [Straight, LoopHeader] {
            hold(&[outer, inner]);
        }
    }
}
