//! Functions of one extended instruction, to run it on many operands.

use reconverge_interpret::Value;
use reconverge_ir::{Builder, Inst, Op};

use crate::common::{Ty, Unit};

pub(crate) const F16: Ty = Ty::Float(16);

/// A set of extended instructions, imported.
pub(crate) fn import(build: &mut Builder<'_>, set: &str) -> Inst {
    let name = build.editor().text(set);
    build.editor().append_global(Op::ExtInstImport, None, &[name])
}

/// The instruction `number` of a set on the parameters of a function, which returns the result.
pub(crate) fn instruction(set: &str, number: u32, parameters: &[Ty], result: Ty) -> Unit {
    Unit::new(parameters, result, |build, parameters| {
        let import = import(build, set);
        let (ty, number) = (result.build(build), build.editor().word(number));
        let operands: Vec<Inst> = [import, number].iter().chain(parameters).copied().collect();
        build.ext_inst(ty, &operands)
    })
}

pub(crate) fn open_cl(number: u32, parameters: &[Ty], result: Ty) -> Unit {
    instruction("OpenCL.std", number, parameters, result)
}

pub(crate) fn glsl(number: u32, parameters: &[Ty], result: Ty) -> Unit {
    instruction("GLSL.std.450", number, parameters, result)
}

/// Equal, or neither is a number.
pub(crate) fn same(found: &Value, expected: &Value) -> bool {
    let is_nan = |value: &Value| value.as_f64().is_some_and(f64::is_nan);
    found == expected || is_nan(found) && is_nan(expected)
}

/// Random words, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
