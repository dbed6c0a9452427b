//! Parameters that are copies of one value. Passes that pass variables through all blocks leave them.
//!
//! ```text
//! if %c ^a ^m(%v) …      ^a: branch ^b(%v)      ^b(%w): branch ^m(%w)      ^m(%x): only the value %v arrives
//! ```
//!
//! A parameter is a copy if all its arguments are one value, copies of that value, or the parameter itself. The value then dominates the
//! block, and lanes cannot have executed its definition again since. An undefined argument counts as a different value: in a loop it may be
//! the value of the previous iteration.
//!
//! They are found in one pass over the parameters in order, and again over those that a copy is passed to; linear, as each is processed a
//! few times at most.

use reconverge_ir::{Inst, Module, Op, terminator};
use rustc_hash::FxHashMap;

use super::body::Body;

/// The maximum number of times that a parameter is processed.
const LOOKS: u8 = 4;

/// For each parameter that is a copy, the value, which may be a copy itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    values: FxHashMap<Inst, Inst>,
}

impl Copies {
    pub(super) fn compute(module: &Module, body: &Body) -> Copies {
        let mut copies = Copies::default();
        let is_parameter = |&number: &u32| body.op(number) == Op::BlockParameter;
        let mut pending: Vec<u32> = (0..body.len() as u32).filter(is_parameter).collect();
        let mut looks = vec![0; if pending.is_empty() { 0 } else { body.len() }];
        pending.reverse();
        while let Some(parameter) = pending.pop() {
            let looked: &mut u8 = &mut looks[parameter as usize];
            if *looked == LOOKS {
                continue;
            }
            *looked += 1;
            if let Some(value) = copies.sole_value(module, body, parameter) {
                *looked = LOOKS;
                copies.values.insert(body.inst(parameter), value);
                let users = body.users(parameter).iter();
                let jumps = users.filter(|&&(user, _)| terminator::first_argument(body.op(user)).is_some());
                pending.extend(jumps.filter_map(|&(jump, operand)| body.parameter_of_argument(jump, operand)));
            }
        }
        copies
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The only argument value, apart from the parameter itself.
    fn sole_value(&self, module: &Module, body: &Body, parameter: u32) -> Option<Inst> {
        let own = body.inst(parameter);
        let mut sole = None;
        for (jump, operand) in body.arguments(parameter) {
            let value = self.original(module.operand(body.inst(jump), operand as usize));
            if value == own || sole == Some(value) {
                continue;
            }
            if sole.is_some() {
                return None;
            }
            sole = Some(value);
        }
        sole
    }

    /// The value that a value is finally a copy of; itself if it is no copy.
    pub(super) fn original(&self, value: Inst) -> Inst {
        let mut original = value;
        while let Some(&next) = self.values.get(&original) {
            original = next;
        }
        original
    }
}
