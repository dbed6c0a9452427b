//! Debug lines stay with the instruction that they stand before.

use crate::common::assemble;
use reconverge_ir::Inst;
use reconverge_spirv::{ReadOptions, WriteOptions, read, same_program, write};

/// A line before a terminator, and a block behind it without a line of its own.
const TWO_BLOCKS: &str = "
    Capability 1
    MemoryModel 0 1
    EntryPoint 5 %10 \"main\"
    ExecutionMode %10 17 1 1 1
    %50 = String \"file.comp\"
    %1 = TypeVoid
    %2 = TypeFunction %1
    %10 = Function %1 0 %2
    %20 = Label
    Line %50 7 0
    Branch %21
    %21 = Label
    Line %50 8 0
    Return
    FunctionEnd
";

#[test]
fn the_line_of_a_terminator_is_not_the_next_label_s() {
    let bytes = assemble(3, TWO_BLOCKS);
    let module = read(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(module.explicit_location(Inst::new(21)), None);
    let block = module.cast(Inst::new(20)).unwrap();
    assert!(module.explicit_location(module.terminator(block).unwrap()).is_some());
    let written = write(&module, &WriteOptions::default()).unwrap();
    same_program(&bytes, &written).unwrap();
    assert_eq!(written.len(), bytes.len());
}
