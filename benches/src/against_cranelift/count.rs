//! Runs a function of Cranelift's and counts what it executes.
//!
//! What counts is what counts for LLVM's IR (`reconverge_testing::llvm`). Not counted are:
//!
//! - constants, and parameters of blocks;
//! - what would not be there with addresses of 32 bits and accesses by index: an index made wider or narrower, and its product with the size
//!   of a number;
//! - an address at a fixed distance from another, which is part of what reads or writes there.
//!
//! In these functions what has 64 bits is an address. Cranelift's interpreter says what an instruction does; the loop around it is here,
//! since its own counts nothing. Memory lies where that keeps the stack.

use cranelift_codegen::data_value::DataValue;
use cranelift_codegen::ir::{Block, DataFlowGraph, Function, Inst, Opcode, Value, types};
use cranelift_interpreter::instruction::DfgInstructionContext;
use cranelift_interpreter::interpreter::InterpreterState;
use cranelift_interpreter::state::State;
use cranelift_interpreter::step::{ControlFlow, step};
use reconverge_testing::optimum::Cost;

/// How many instructions a run may take.
const FUEL: u64 = 1_000_000;

/// What came of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ran {
    /// What it cost.
    pub(crate) cost: Cost,
    /// What the function returned.
    pub(crate) result: Option<u32>,
    /// What memory holds afterwards, one part for each that was given.
    pub(crate) memory: Vec<Vec<u32>>,
}

/// Runs a function on numbers, and behind them pointers to parts of memory.
///
/// # Errors
/// An instruction that the interpreter does not know, a trap, or a run that does not end.
pub(crate) fn run(function: &Function, arguments: &[u32], memory: &[Vec<u32>]) -> Result<Ran, String> {
    let mut state = InterpreterState::default();
    let mut values: Vec<DataValue> = arguments.iter().map(|&number| DataValue::I32(number.cast_signed())).collect();
    for part in memory {
        values.push(DataValue::I64(state.stack.len() as i64));
        state.stack.extend(part.iter().flat_map(|number| number.to_ne_bytes()));
    }
    state.push_frame(function);
    let entry = function.layout.entry_block().ok_or("no block")?;
    let (cost, results) = execute(function, &mut state, (entry, values))?;
    let result = match results[..] {
        [] => None,
        [DataValue::I32(number)] => Some(number.cast_unsigned()),
        ref other => return Err(format!("returns {other:?}")),
    };
    let mut rest = state.stack.chunks_exact(4).map(|bytes| u32::from_ne_bytes(bytes.try_into().expect("four bytes")));
    let memory = memory.iter().map(|part| rest.by_ref().take(part.len()).collect()).collect();
    Ok(Ran { cost, result, memory })
}

fn execute(
    function: &Function,
    state: &mut InterpreterState<'_>,
    (mut block, mut arguments): (Block, Vec<DataValue>),
) -> Result<(Cost, Vec<DataValue>), String> {
    let (dfg, layout) = (&function.dfg, &function.layout);
    let mut cost = Cost::default();
    'blocks: loop {
        state.current_frame_mut().set_all(dfg.block_params(block), arguments);
        for inst in layout.block_insts(block) {
            cost.terminators += u64::from(dfg.insts[inst].opcode().is_terminator());
            cost.instructions += u64::from(is_counted(dfg, inst));
            if cost.instructions + cost.terminators > FUEL {
                return Err("does not end".to_owned());
            }
            let flow =
                step(state, DfgInstructionContext::new(inst, dfg)).map_err(|error| format!("{inst}: {error}"))?;
            match flow {
                ControlFlow::Assign(values) => {
                    state.current_frame_mut().set_all(dfg.inst_results(inst), values.to_vec());
                }
                ControlFlow::Continue => {}
                ControlFlow::ContinueAt(next, values) => {
                    (block, arguments) = (next, values.to_vec());
                    continue 'blocks;
                }
                ControlFlow::Return(values) => return Ok((cost, values.to_vec())),
                other => return Err(format!("{inst}: {other:?}")),
            }
        }
        return Err(format!("{block} has no end"));
    }
}

/// Whether an instruction counts, and not as a terminator.
fn is_counted(dfg: &DataFlowGraph, inst: Inst) -> bool {
    let is_address = |value: &Value| dfg.value_type(*value) == types::I64;
    let is_constant = |value: &Value| {
        let definition = dfg.value_def(dfg.resolve_aliases(*value)).inst();
        definition.is_some_and(|inst| dfg.insts[inst].opcode() == Opcode::Iconst)
    };
    let arguments = dfg.inst_args(inst);
    let of_address = dfg.inst_results(inst).first().is_some_and(is_address);
    match dfg.insts[inst].opcode() {
        Opcode::Iconst => false,
        Opcode::Uextend | Opcode::Sextend => !of_address,
        Opcode::Ireduce => !arguments.iter().all(is_address),
        Opcode::Ishl | Opcode::Iadd if of_address => !arguments.iter().any(is_constant),
        opcode => !opcode.is_terminator(),
    }
}
