//! A chain of causes, as steps.

use reconverge_analysis::uniformity::{Cause, Fact, Reason, Source};
use reconverge_ir::{Block, Inst, Op};

use crate::Step;
use crate::path::landing;
use crate::program::Program;

/// The steps of a chain: the claim first, the origin of the difference last. If a value differs in a use because the value itself differs,
/// this is reported once; a load is merged with the step about the last store if the chain continues with it.
pub(super) fn told(program: &Program<'_>, chain: &[Cause]) -> Vec<Step> {
    let following = chain.iter().skip(1).map(Some).chain([None]);
    let mut steps = Vec::new();
    for (cause, next) in chain.iter().zip(following) {
        let is_said_next = match (cause.fact, next) {
            (Fact::Use { user, operand }, Some(next)) => {
                program.module.operands(user).nth(operand).is_some_and(|value| next.fact == Fact::Value(value))
            }
            _ => false,
        };
        if !is_said_next {
            steps.push(Step { inst: cause.place, text: text(program, cause) });
        }
        steps.extend(next.and_then(|next| stored(program, cause, next)));
    }
    steps
}

/// The step from a load to the last store, if a chain takes it.
fn stored(program: &Program<'_>, cause: &Cause, next: &Cause) -> Option<Step> {
    let operand = match cause.reason {
        Reason::Operand(operand) => operand,
        Reason::Condition => 0,
        _ => return None,
    };
    let load = program.module.operands(cause.place).nth(operand)?;
    let Fact::Value(value) = next.fact else { return None };
    let is_other = value != load && program.module.op(load) == Op::Load;
    let text = format!("{} may differ: the last stored value is {}", program.name(load), program.name(value));
    is_other.then_some(Step { inst: load, text })
}

fn text(program: &Program<'_>, cause: &Cause) -> String {
    let reason = reason(program, cause);
    match cause.fact {
        Fact::Value(value) if program.module.op(value) == Op::Variable => {
            format!("the value in {} may differ: {reason}", program.name(value))
        }
        Fact::Value(value) => format!("{} may differ: {reason}", program.name(value)),
        Fact::Use { user, operand } => {
            let value = program.module.operands(user).nth(operand);
            let value = value.map_or_else(|| "a value".to_owned(), |value| program.name(value));
            format!("{value} may differ at this use: {reason}")
        }
        Fact::Branch(block) => {
            format!("invocations may diverge at {}: {reason}", block_name(program, block))
        }
        Fact::Block(block) => {
            format!("only some invocations may reach {}: {reason}", block_name(program, block))
        }
        Fact::Return(function) => format!("the return value of {} may differ: {reason}", program.name(function.into())),
        Fact::Function(function) => {
            format!("only some invocations may be in {}: {reason}", program.name(function.into()))
        }
    }
}

fn reason(program: &Program<'_>, cause: &Cause) -> String {
    match cause.reason {
        Reason::Source(Source::SharedMemory) if is_through_parameter(program, cause.place) => {
            "it is read through a pointer parameter".to_owned()
        }
        Reason::Source(source) => of_source(source).to_owned(),
        Reason::Operand(operand) | Reason::Argument { operand, .. } => {
            let value = program.module.operands(cause.place).nth(operand);
            let value = value.map_or_else(|| "an operand".to_owned(), |value| program.name(value));
            match cause.reason {
                Reason::Operand(_) => format!("it depends on {value}"),
                _ => format!("{value} is passed here"),
            }
        }
        Reason::Condition => match program.module.operands(cause.place).next() {
            Some(condition) => format!("the branch depends on {}", program.name(condition)),
            None => "the branch depends on a condition".to_owned(),
        },
        Reason::Paths { branch } => {
            format!(
                "the paths that diverge at {} bring different values",
                program.end_of(landing(program.module, branch))
            )
        }
        Reason::Instances { branch } => {
            format!(
                "invocations have values from different iterations, because they diverge at {}",
                program.end_of(landing(program.module, branch))
            )
        }
        Reason::Separated { branch } => {
            let who = if matches!(cause.fact, Fact::Block(_) | Fact::Function(_)) { "they" } else { "invocations" };
            format!("{who} diverge at {}", program.end_of(landing(program.module, branch)))
        }
        Reason::Contents => "it is read from memory".to_owned(),
        Reason::Returned { callee } => format!("it comes from {}", program.name(callee.into())),
        Reason::Called { call } => match program.module.block_of(call) {
            Some(block) => format!("it is called from {}", block_name(program, block)),
            None => "it is called from somewhere".to_owned(),
        },
    }
}

fn is_through_parameter(program: &Program<'_>, load: Inst) -> bool {
    let module = program.module;
    let mut pointer = module.operands(load).next();
    while let Some(chain) =
        pointer.filter(|&pointer| matches!(module.op(pointer), Op::AccessChain | Op::InBoundsAccessChain))
    {
        pointer = module.operands(chain).next();
    }
    module.op(load) == Op::Load && pointer.is_some_and(|pointer| module.op(pointer) == Op::FunctionParameter)
}

const fn of_source(source: Source) -> &'static str {
    match source {
        Source::Input => "it is an input that differs between invocations",
        Source::SharedMemory => "it is read from memory that other invocations may write",
        Source::Atomic => "an atomic operation may return a different value to each invocation",
        Source::Parameter => "it is a parameter of a function that unknown code may call",
        Source::Group => "the operation gives each invocation a value of its own",
        Source::UnknownFunction => "the callers of the function, or its body, are not known",
        Source::PrivateMemory => "its memory is accessed by operations other than loads and stores",
        Source::Unknown => "nothing is known about it",
        Source::Unstructured => "the function has no merges that say where invocations reconverge",
    }
}

fn block_name(program: &Program<'_>, block: Block) -> String {
    let block: Inst = landing(program.module, block).into();
    program.name(block)
}
