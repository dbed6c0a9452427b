//! What is the same in every run becomes a constant, and what no run reaches goes.

use crate::scalar_support::{check_on_graphs, check_on_structured};
use reconverge_ir::{Module, Op};
use reconverge_optimize::sccp;
use reconverge_testing::programs::{functions, module};

/// What a function returns, as text, if it has one return.
fn returned(module: &Module) -> u32 {
    let blocks = functions(module).into_iter().flat_map(|function| module.blocks(function));
    let mut ends = blocks.filter_map(|block| module.terminator(block));
    let end = ends.find(|&end| module.op(end) == Op::ReturnValue).expect("a return");
    module.literal_word(module.operand(end, 0)).expect("a constant")
}

#[test]
fn random_graphs() {
    check_on_graphs("sccp", |module, function| sccp(module, function).is_changed());
}

#[test]
fn random_structured_programs() {
    check_on_structured("sccp", |module, function| sccp(module, function).is_changed());
}

/// A ladder of diamonds, each decided by the one before; one block that many jump to; on a small stack.
#[test]
fn large_functions_need_no_stack() {
    let run = || {
        let mut source = String::from("func %f: %u32 (%n: %u32) {\nblock ^entry:\n  branch ^b0(%one)\n");
        let steps = 30_000;
        for step in 0..steps {
            source += &format!(
                "block ^b{step}(%p{step}: %u32):\n  %c{step}: %bool = i_equal %p{step}, %one\n  branch_if %c{step} ^l{step} ^r{step}\nblock ^l{step}:\n  branch ^b{next}(%p{step})\nblock ^r{step}:\n  branch ^b{next}(%n)\n",
                next = step + 1
            );
        }
        source += &format!("block ^b{steps}(%r: %u32):\n  return_value %r\n}}\n");
        let mut ladder = module(&source);
        let function = functions(&ladder)[0];
        let report = sccp(&mut ladder, function);
        assert_eq!((report.branches, report.blocks, returned(&ladder)), (steps, steps, 1));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread").join().expect("no overflow");
}
