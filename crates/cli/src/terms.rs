//! Functions, blocks and instructions in the terms of the source: by name and line.
//!
//! A number of the compiler means nothing to the author of a source. So it stands only for what has neither a name nor a line and is part
//! of the module as it was read, where the number is what a disassembler prints.

use reconverge::ir::text::Printer;
use reconverge::ir::{Block, Function, Inst, Module, Op, view};
use reconverge_diagnose::{SourcePlace, Sources};

use crate::diagnostics::printable;

/// The prefix of the function that clang makes of the body of a kernel.
pub(crate) const BODY_OF_KERNEL: &str = "__clang_ocl_kern_imp_";

/// The largest number of instructions between an access and its variable.
const LONGEST_PATH: usize = 8;

/// Describes what a module contains.
#[derive(Debug)]
pub(crate) struct Terms<'m> {
    module: &'m Module,
    printer: Printer<'m>,
    sources: Sources<'m>,
    numbered: usize,
}

impl<'m> Terms<'m> {
    /// The terms of a module. Instructions whose index is below `numbered` are those of a module that the user can print.
    pub(crate) fn new(module: &'m Module, numbered: usize) -> Terms<'m> {
        Terms { module, printer: Printer::new(module), sources: Sources::new(module), numbered }
    }

    /// The name in the text form, for details: `%mul`, `^165`.
    pub(crate) fn id(&self, inst: impl Into<Inst>) -> String {
        self.printer.operand_text(inst.into())
    }

    /// The name of a function as the source has it.
    pub(crate) fn function(&self, function: Function) -> String {
        self.name(function.into()).unwrap_or_else(|| self.id(function))
    }

    /// A block with its line: `` `for.body` (a.cl:5)``. A block without a name is described by its neighbours.
    pub(crate) fn block(&self, block: Block) -> String {
        let begun = self.module.function_of(block).filter(|&function| self.module.entry(function) == Some(block));
        let place = self.place(block.into());
        match (self.name(block.into()), place) {
            (None, _) if let Some(function) = begun => format!("the start of `{}`", self.function(function)),
            (Some(name), Some(place)) => format!("`{name}` ({place})"),
            (Some(name), None) => format!("`{name}`"),
            (None, Some(place)) => format!("the block at {place}"),
            (None, None) => self.nameless_block(block),
        }
    }

    /// A loop with its line: ``the loop `for.body` (a.cl:5)``.
    pub(crate) fn loop_of(&self, header: Block) -> String {
        let (name, place) = (self.name(header.into()), self.place(header.into()));
        match (name, place) {
            (None, Some(place)) => format!("the loop at {place}"),
            _ => format!("the loop {}", self.block(header)),
        }
    }

    fn nameless_block(&self, block: Block) -> String {
        if Inst::from(block).index() < self.numbered {
            return self.id(block);
        }
        let named = self.module.successors(block).find_map(|target| self.name(target.into()));
        named.map_or_else(|| "a block that was added".to_owned(), |name| format!("a block before `{name}`"))
    }

    /// The result of an instruction, or the instruction: `` `mul` (a.cl:5)``, `the division at a.cl:5`, ``a conversion of `n` ``.
    pub(crate) fn value(&self, inst: Inst) -> String {
        let noun =
            self.noun(inst) + &self.variable(inst).map_or_else(String::new, |variable| format!(" of `{variable}`"));
        match (self.name(inst), self.place(inst)) {
            (Some(name), Some(place)) => format!("`{name}` ({place})"),
            (Some(name), None) => format!("`{name}`"),
            (None, Some(place)) => format!("the {noun} at {place}"),
            (None, None) if inst.index() < self.numbered && self.module.op(inst).has_result() => {
                format!("the {noun} {}", self.id(inst))
            }
            (None, None) if noun.contains(" of ") => format!("the {noun}"),
            (None, None) => format!("{} {noun}{}", article(&noun), self.operands(inst)),
        }
    }

    /// Returns whether an instruction has a name or a line, or is of a module that the user can print.
    pub(crate) fn is_known(&self, inst: Inst) -> bool {
        inst.index() < self.numbered || self.name(inst).is_some() || self.place(inst).is_some()
    }

    /// The variable that an instruction accesses, or the member of a block without a name.
    fn variable(&self, inst: Inst) -> Option<String> {
        let module = self.module;
        let is_access = matches!(module.op(inst), Op::Load | Op::Store) || is_address(module.op(inst));
        let (mut at, mut index) = (inst, None);
        for _ in 0..LONGEST_PATH {
            match module.op(at) {
                Op::Load | Op::Store => at = module.operands(at).next()?,
                op if is_address(op) => {
                    let mut operands = module.operands(at);
                    (at, index) = (operands.next()?, operands.next());
                }
                _ => break,
            }
        }
        let member = || {
            let ty = view::TypePointer::of(module, module.ty(at)?)?.pointee;
            let index = index.and_then(|index| module.literal_word(index))?;
            let names = module.decorations(ty).iter().filter_map(|&note| view::MemberName::of(module, note));
            names.filter(|name| name.member == index).map(|name| printable(&name.name.to_string()).into_owned()).next()
        };
        self.name(at).or_else(member).filter(|_| is_access)
    }

    /// The operands that have names.
    fn operands(&self, inst: Inst) -> String {
        let names: Vec<String> = self.module.operands(inst).filter_map(|operand| self.name(operand)).collect();
        let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        if quoted.is_empty() { String::new() } else { format!(" of {}", quoted.join(" and ")) }
    }

    /// What an instruction computes, as a noun.
    pub(crate) fn noun(&self, inst: Inst) -> String {
        noun(self.module.op(inst)).map_or_else(|| format!("{} instruction", self.module.op(inst).name()), str::to_owned)
    }

    /// The name as the source has it: of a function of C++ or GLSL without its parameters, of a kernel without the prefix of clang.
    fn name(&self, inst: Inst) -> Option<String> {
        let name = self.module.name(inst).filter(|name| !name.is_empty())?;
        let name = name.strip_prefix(BODY_OF_KERNEL).unwrap_or(&name);
        let name = name.split_once('(').map_or(name, |(name, _)| name);
        Some(printable(name).into_owned())
    }

    fn place(&self, inst: Inst) -> Option<String> {
        self.sources.place(inst).map(|SourcePlace { file, line, .. }| format!("{}:{line}", printable(&file)))
    }
}

fn is_address(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::PtrAccessChain | Op::InBoundsAccessChain | Op::InBoundsPtrAccessChain)
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The noun of an instruction that a source writes as an operator or an access.
fn noun(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::IAdd | Op::FAdd => "addition",
        Op::ISub | Op::FSub => "subtraction",
        Op::IMul | Op::FMul => "multiplication",
        Op::UDiv | Op::SDiv | Op::FDiv => "division",
        Op::UMod | Op::SMod | Op::SRem | Op::FMod | Op::FRem => "remainder",
        Op::SConvert
        | Op::UConvert
        | Op::FConvert
        | Op::ConvertFToS
        | Op::ConvertFToU
        | Op::ConvertSToF
        | Op::ConvertUToF => "conversion",
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => "shift",
        Op::Load => "load",
        Op::Store => "store",
        op if is_address(op) => "address",
        Op::FunctionCall => "call",
        Op::Select => "selection",
        Op::ControlBarrier => "barrier",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge::ir::text;

    const MODULE: &str = "capability Shader
capability Linkage
memory_model Logical GLSL450
%void = type_void
%u32 = type_int 32, 0
%two: %u32 = constant 2
func %__clang_ocl_kern_imp_f: %void (%n: %u32) stage graph {
block ^1:
  %q: %u32 = u_div %n, %two
  %9: %u32 = u_div %n, %two
  branch ^2
block ^2:
  branch ^body
block ^body:
  return
}
";

    /// The blocks and the values of the first block, as a user of a source and one of a module sees them.
    fn described(numbered: fn(&Module) -> usize) -> (Vec<String>, Vec<String>) {
        let module = text::parse(MODULE).expect("a module");
        let terms = Terms::new(&module, numbered(&module));
        let function = module.functions().next().expect("one function");
        assert_eq!(terms.function(function), "f");
        let entry = module.entry(function).expect("a body");
        let blocks = module.blocks(function).map(|block| terms.block(block)).collect();
        (blocks, module.children(entry).take(2).map(|inst| terms.value(inst)).collect())
    }

    #[test]
    fn the_author_of_a_source_sees_no_number() {
        let (blocks, values) = described(|_| 0);
        assert_eq!(blocks, ["the start of `f`", "a block before `body`", "`body`"]);
        assert_eq!(values, ["`q`", "a division of `n` and `two`"]);
    }

    #[test]
    fn numbers_are_those_of_the_module_that_was_read() {
        let (blocks, values) = described(Module::capacity);
        assert_eq!(blocks, ["the start of `f`", "^2", "`body`"]);
        assert_eq!(values, ["`q`", "the division %9"]);
    }
}
