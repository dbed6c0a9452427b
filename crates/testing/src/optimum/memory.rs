//! The memory of a kernel as described to other compilers: for each module-level variable an array of 32-bit integers, and the index for an
//! address.

use reconverge_interpret::Value;
use reconverge_ir::{Inst, Module, Op, view};
use spirv::{Decoration, StorageClass};

use super::cost::contents;

/// A variable at module level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The variable.
    pub variable: Inst,
    /// True if it may alias other variables that are declared so.
    pub is_aliased: bool,
    /// True if all of it is certainly valid; a buffer may be bound too short.
    pub is_whole: bool,
    /// Its initial contents when [`measure`](super::measure) runs a function.
    pub numbers: Vec<u32>,
}

/// The module-level variables, in order.
///
/// # Errors
/// A variable of another type than 32-bit integers, or an input.
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

/// The 32-bit integers of a value, in order; `None` if it contains anything else.
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

/// The index of the 32-bit integer that an access chain points to: the last index of the chain, if the others are 0.
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
