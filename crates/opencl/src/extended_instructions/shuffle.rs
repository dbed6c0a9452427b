//! `shuffle` and `shuffle2`: components chosen by a mask that need not be constant.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::call::Call;
use crate::formula::{FormulaWriter, Value};

/// `shuffle(x, mask)`: component `i` is component `mask[i]` of `x`, modulo the number of components.
pub(super) fn shuffle<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Result<Option<Value<'w>>, Diagnostic> {
    let (x, mask) = (call.choices(writer, 0)?, call.integer(writer, 1)?);
    let count = x.shape().count;
    let pick = |mask: Value<'w>| extract(x, mask & u64::from(count - 1));
    Ok(Some(known(writer, call, [x, x], mask).unwrap_or_else(|| each(writer, mask, pick))))
}

/// `shuffle2(x, y, mask)`: the components of `y` follow those of `x`.
pub(super) fn shuffle_two<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Result<Option<Value<'w>>, Diagnostic> {
    let (x, y, mask) = (call.choices(writer, 0)?, call.choices(writer, 1)?, call.integer(writer, 2)?);
    if x.shape() != y.shape() {
        return Err(call.wrong(1));
    }
    let count = u64::from(x.shape().count);
    let pick = |mask: Value<'w>| {
        let index = mask & (count - 1);
        (mask & count).equals(0).select(extract(x, index), extract(y, index))
    };
    Ok(Some(known(writer, call, [x, y], mask).unwrap_or_else(|| each(writer, mask, pick))))
}

fn extract<'w>(x: Value<'w>, index: Value<'w>) -> Value<'w> {
    x.writer().emit(Op::VectorExtractDynamic, x.shape().times(1), &[x, index])
}

fn each<'w>(writer: &'w FormulaWriter<'w>, mask: Value<'w>, pick: impl Fn(Value<'w>) -> Value<'w>) -> Value<'w> {
    let picked: Vec<Value<'w>> = (0..mask.shape().count).map(|index| pick(mask.component(index))).collect();
    writer.vector(&picked)
}

/// The shuffle with a constant mask.
fn known<'w>(writer: &'w FormulaWriter<'w>, call: &Call, [x, y]: [Value<'w>; 2], mask: Value<'w>) -> Option<Value<'w>> {
    let is_one = call.operands.len() == 2;
    let count = x.shape().count * if is_one { 1 } else { 2 };
    let operands = writer.build(|build| {
        let module = build.module();
        let words: Vec<u32> = match module.op(mask.inst()) {
            Op::ConstantNull => vec![0; mask.shape().count as usize],
            Op::ConstantComposite => module
                .operands(mask.inst())
                .map(|component| match module.op(component) {
                    Op::ConstantNull => Some(0),
                    Op::Constant => module.literal_word(component),
                    // A component with an undefined index is undefined.
                    Op::Undef => Some(0),
                    _ => None,
                })
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let vectors = [x.inst(), y.inst()];
        let indices = words.iter().map(|word| build.editor().word(word & (count - 1)));
        Some(vectors.into_iter().chain(indices.collect::<Vec<_>>()).collect::<Vec<Inst>>())
    })?;
    Some(writer.emit_raw(Op::VectorShuffle, x.shape().times(mask.shape().count), &operands))
}
