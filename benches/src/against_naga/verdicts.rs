//! What naga says of the conditions of a SPIR-V module: by the id of the condition, whether it is uniform, and on what that rests.
//!
//! naga keeps for each expression the bytes of the instruction that it was read from, and its validator says which of the
//! expressions have a non-uniform result. It takes what is read from a variable of the function, an argument of the function or the
//! result of a call as it takes the pointer or nothing at all, so a verdict that rests on one of these is no proof.

use std::collections::BTreeMap;

use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use naga::{Expression, Function, Handle, Statement};

/// Words before the first instruction.
const HEADER: usize = 5;

/// What naga says of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not uniform.
    NonUniform,
    /// Uniform, and it follows from the expression alone.
    Uniform,
    /// Uniform, but the expression reads something that naga does not follow.
    Assumed,
}

/// The verdicts by the id of the condition.
///
/// # Errors
/// What naga cannot read or does not accept.
pub fn verdicts(bytes: &[u8]) -> Result<BTreeMap<u32, Verdict>, String> {
    let module = naga::front::spv::parse_u8_slice(bytes, &naga::front::spv::Options::default())
        .map_err(|error| error.to_string())?;
    let info = Validator::new(ValidationFlags::all() - ValidationFlags::BINDINGS, Capabilities::all())
        .validate(&module)
        .map_err(|error| error.into_inner().to_string())?;
    let mut reader = Reader { bytes, starts: starts(bytes), verdicts: BTreeMap::new() };
    for (handle, function) in module.functions.iter() {
        reader.read(function, &info[handle]);
    }
    for (index, entry) in module.entry_points.iter().enumerate() {
        reader.read(&entry.function, info.get_entry_point(index));
    }
    Ok(reader.verdicts)
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// The words at which instructions start, ascending.
    starts: Vec<usize>,
    verdicts: BTreeMap<u32, Verdict>,
}

impl Reader<'_> {
    fn read(&mut self, function: &Function, info: &FunctionInfo) {
        let mut pending: Vec<&[Statement]> = vec![&function.body];
        while let Some(statements) = pending.pop() {
            for statement in statements {
                match statement {
                    Statement::Block(block) => pending.push(block),
                    Statement::If { condition, accept, reject } => {
                        self.write_down(function, info, *condition);
                        pending.extend([&**accept, &**reject]);
                    }
                    Statement::Switch { selector, cases } => {
                        self.write_down(function, info, *selector);
                        pending.extend(cases.iter().map(|case| &*case.body));
                    }
                    Statement::Loop { body, continuing, break_if } => {
                        break_if.iter().for_each(|&condition| self.write_down(function, info, condition));
                        pending.extend([&**body, &**continuing]);
                    }
                    _ => {}
                }
            }
        }
    }

    fn write_down(&mut self, function: &Function, info: &FunctionInfo, condition: Handle<Expression>) {
        let Some(id) = self.result_id(function, condition) else { return };
        let verdict = match info[condition].uniformity.non_uniform_result {
            Some(_) => Verdict::NonUniform,
            None if rests_on_the_unknown(function, condition) => Verdict::Assumed,
            None => Verdict::Uniform,
        };
        self.verdicts.insert(id, verdict);
    }

    /// The result id of the instruction that an expression was read from: the one in which its bytes end.
    fn result_id(&self, function: &Function, expression: Handle<Expression>) -> Option<u32> {
        let end = function.expressions.get_span(expression).to_range()?.end.checked_sub(1)? / 4;
        let start = *self.starts.get(self.starts.partition_point(|&start| start <= end).checked_sub(1)?)?;
        let length = word(self.bytes, start)? >> 16;
        (length >= 3).then(|| word(self.bytes, start + 2)).flatten()
    }
}

/// The words at which instructions start.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let next = |&start: &usize| Some(start + (word(bytes, start)? >> 16).max(1) as usize);
    std::iter::successors(Some(HEADER), next).collect()
}

fn word(bytes: &[u8], index: usize) -> Option<u32> {
    let bytes = bytes.get(4 * index..4 * index + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Whether an expression reads variables of the function, arguments, or results of calls.
fn rests_on_the_unknown(function: &Function, expression: Handle<Expression>) -> bool {
    let mut pending = vec![expression];
    while let Some(handle) = pending.pop() {
        match &function.expressions[handle] {
            Expression::LocalVariable(_) | Expression::FunctionArgument(_) | Expression::CallResult(_) => return true,
            Expression::Access { base, index } => pending.extend([*base, *index]),
            Expression::AccessIndex { base, .. } => pending.push(*base),
            Expression::Splat { value, .. } => pending.push(*value),
            Expression::Swizzle { vector, .. } => pending.push(*vector),
            Expression::Compose { components, .. } => pending.extend(components),
            Expression::Load { pointer } => pending.push(*pointer),
            Expression::Unary { expr, .. } | Expression::As { expr, .. } => pending.push(*expr),
            Expression::Binary { left, right, .. } => pending.extend([*left, *right]),
            Expression::Select { condition, accept, reject } => pending.extend([*condition, *accept, *reject]),
            Expression::Relational { argument, .. } => pending.push(*argument),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                pending.extend([Some(*arg), *arg1, *arg2, *arg3].into_iter().flatten());
            }
            _ => {}
        }
    }
    false
}
