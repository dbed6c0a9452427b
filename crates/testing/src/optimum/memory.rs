//! The memory of a kernel as described to other compilers: for each variable at module level some numbers of 32 bits, and which of them
//! an address is of.

use reconverge_interpret::Value;
use reconverge_ir::{Inst, Module, Op, view};
use spirv::{Decoration, StorageClass};

use super::cost::contents;

/// A variable at module level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The variable.
    pub variable: Inst,
    /// Whether others that say so too may be the same memory.
    pub is_aliased: bool,
    /// Whether all of it exists for certain; a buffer may be bound too short.
    pub is_whole: bool,
    /// The numbers that it holds at first when [`measure`](super::measure) runs a function.
    pub numbers: Vec<u32>,
}

/// The variables at module level, in their order.
///
/// # Errors
/// A variable of something else than integers of 32 bits, or an input.
pub fn memory(module: &Module) -> Result<Vec<Memory>, String> {
    let contents = contents(module);
    let variables = module.globals().filter(|&inst| module.op(inst) == Op::Variable);
    let memory = variables.map(|variable| {
        let held = contents.iter().find(|contents| contents.variable == variable);
        let numbers = held.and_then(|contents| numbers(&contents.value)).ok_or("a variable of other than numbers")?;
        let is_aliased = module.decorated(variable).has(Decoration::Aliased);
        let is_whole = !module.is_variable_of(variable, StorageClass::StorageBuffer);
        Ok(Memory { variable, is_aliased, is_whole, numbers })
    });
    memory.collect()
}

/// The integers of 32 bits that a value is made of, in their order; `None` if it is made of anything else.
pub fn numbers(value: &Value) -> Option<Vec<u32>> {
    let (mut numbers, mut rest) = (Vec::new(), vec![value]);
    while let Some(value) = rest.pop() {
        match value.elements() {
            Some(elements) => rest.extend(elements.iter().rev()),
            None => numbers.push(value.as_u32()?),
        }
    }
    Some(numbers)
}

/// The index of the number of 32 bits that an access chain leads to: the last one of the chain, where the others are 0.
///
/// # Errors
/// A chain in which another index is not 0.
pub fn last_index(module: &Module, chain: Inst) -> Result<Inst, String> {
    let mut indexes = view::Chain::of(module, chain).ok_or("no access chain")?.indexes.iter();
    let last = indexes.next_back().ok_or("an access chain without an index")?;
    match indexes.all(|index| module.constant_word(index) == Some(0)) {
        true => Ok(last),
        false => Err("an access chain with several indices".to_owned()),
    }
}
