//! The remaining uses of stage Generic, for code that needs a later stage.
//!
//! ```text
//! func %main … { %r = function_call %twice.circle }        %twice.circle ◀ %r ◀ %main ◀ entry_point
//! ```
//!
//! The chain of uses is found by breadth-first search from the instruction along its uses, so it is a shortest one. An instruction is used
//! by its users, and what is in a function also by the function. Linear.

use std::collections::VecDeque;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::text::Printer;
use crate::{Inst, Module, Op};

/// An instruction that only modules at stage Generic have, and why it is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericUse {
    /// The instruction.
    pub inst: Inst,
    /// The users: of the instruction, of its user, and so on to a function or an entry point. Empty if neither needs it.
    pub chain: Vec<Inst>,
    /// The chain in words.
    text: String,
}

/// The longest chain that is printed whole.
const PRINTED_CHAIN: usize = 8;

reconverge_diagnostic::codes! {
    /// Codes of modules at a stage that is not accepted.
    pub enum StageCode in "Compiling" {
        Generic = "stage-generic" Unsupported
            "The module has generics or interfaces, and the step needs concrete types. The message has the chain of uses that needs them."
            "specialize the module; link the modules that define what it imports";
    }
}

impl fmt::Display for GenericUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Module {
    /// The first instruction that only stage Generic has ([`Op::is_generic`]), with the shortest chain of uses from an entry point, or else
    /// from a function; `None` for a module that later stages accept. Linear.
    ///
    /// ```
    /// let generic = reconverge_ir::text::parse("%kind = type_kind").unwrap();
    /// let found = generic.generic_use().unwrap();
    /// assert_eq!(found.to_string(), "`%kind = type_kind` is left of stage generic");
    /// assert_eq!(reconverge_ir::Module::new().generic_use(), None);
    /// ```
    pub fn generic_use(&self) -> Option<GenericUse> {
        // The arena in order is the fastest look at all ops, and nearly every module has none of these.
        if !self.storage.records.iter().any(|record| record.op.is_generic()) {
            return None;
        }
        let all: Vec<Inst> = self.descendants(self.root()).filter(|&inst| self.op(inst).is_generic()).collect();
        let unused = || all.first().map(|&first| (first, Vec::new()));
        let (inst, chain) = self.chain_from_roots(&all).or_else(unused)?;
        let mut found = GenericUse { inst, chain, text: String::new() };
        found.text = self.chain_in_words(&found);
        Some(found)
    }

    /// The shortest chain from one of these instructions to an entry point, or else to a function.
    fn chain_from_roots(&self, sources: &[Inst]) -> Option<(Inst, Vec<Inst>)> {
        let mut origins: FxHashMap<Inst, Option<Inst>> = sources.iter().map(|&source| (source, None)).collect();
        let mut queue: VecDeque<Inst> = sources.iter().copied().collect();
        let mut function = None;
        while let Some(inst) = queue.pop_front() {
            match self.op(inst) {
                Op::EntryPoint => return Some(self.chain_to(inst, &origins)),
                Op::Function if self.parent(inst) == Some(self.root()) => function = function.or(Some(inst)),
                _ => {}
            }
            let holder = self.function_of(inst).map(Inst::from).filter(|&function| function != inst);
            for user in self.uses(inst).map(|used| used.user).chain(holder) {
                if self.is_live(user) && !origins.contains_key(&user) {
                    origins.insert(user, Some(inst));
                    queue.push_back(user);
                }
            }
        }
        function.map(|function| self.chain_to(function, &origins))
    }

    fn chain_to(&self, end: Inst, origins: &FxHashMap<Inst, Option<Inst>>) -> (Inst, Vec<Inst>) {
        let steps = std::iter::successors(Some(end), |step| origins.get(step).copied().flatten());
        let mut chain: Vec<Inst> = steps.collect();
        chain.reverse();
        let inst = chain.remove(0);
        (inst, chain)
    }

    fn chain_in_words(&self, found: &GenericUse) -> String {
        let printer = Printer::new(self);
        let mut text = format!("`{}` is left of stage {}", printer.line(found.inst), crate::Stage::Generic);
        let skipped = found.chain.len().saturating_sub(PRINTED_CHAIN);
        for (place, &step) in found.chain.iter().enumerate() {
            match place {
                _ if place + 1 < PRINTED_CHAIN || place + 1 == found.chain.len() => {
                    text.push_str(&format!("; used by `{}`", printer.line(step)));
                }
                _ if place + 1 == PRINTED_CHAIN => text.push_str(&format!("; … {skipped} more")),
                _ => {}
            }
        }
        text
    }
}
