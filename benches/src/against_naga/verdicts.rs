//! What naga says of the conditions of a SPIR-V module: by the id of the condition, whether it is uniform, and on what that rests.
//!
//! naga keeps for each expression the bytes of the instruction that it was read from, and its validator says which of the
//! expressions have a non-uniform result.
//!
//! **Which instruction.** naga's places are not those of the file, see [`places`]. It is checked that they are understood: the place of
//! each function must be that of a function, and whatever naga branches on must be the condition of a branch of the module.
//!
//! **What is no proof.** Variables of a function, and its arguments but for some built-in ones, are non-uniform for naga. Two things
//! are uniform for it that need not be, and a verdict that rests on one of them is an [`Assumption`]. [`counterexamples`] has
//! a shader for each.
//!
//! [`counterexamples`]: crate::counterexamples

use std::collections::{BTreeMap, BTreeSet};

use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, Function, GlobalVariable, Handle, Module, Statement};

use crate::places::{self, Instruction};

/// What naga says of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not uniform.
    NonUniform,
    /// Uniform, and it follows from the expression alone.
    Uniform,
    /// Uniform, but the expression uses something that need not be.
    Assumed(Assumption),
}

/// What naga takes for uniform though it need not be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// The result of a call is uniform if each value that the callee returns is. Which of them a lane gets does not count.
    ResultOfCall,
    /// What is read from workgroup memory is uniform if the place is. That lanes read at different times does not count, nor whether
    /// there is a barrier.
    WorkgroupMemory,
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
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
    let instructions = places::instructions(&words);
    for (handle, _) in module.functions.iter() {
        let place = module.functions.get_span(handle);
        assert!(places::is_function(&instructions, place), "naga has a function at {place:?} where none is counted");
    }
    let conditions = instructions.iter().filter_map(Instruction::condition).collect();
    let mut reader = Reader { module: &module, instructions: &instructions, conditions, verdicts: BTreeMap::new() };
    for (handle, function) in module.functions.iter() {
        reader.read(function, &info[handle]);
    }
    Ok(reader.verdicts)
}

struct Reader<'a> {
    module: &'a Module,
    instructions: &'a [Instruction<'a>],
    /// The conditions of the branches of the module.
    conditions: BTreeSet<u32>,
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
        let Some(id) = self.id(function, condition) else { return };
        assert!(self.conditions.contains(&id), "naga branches on %{id}, which is no condition");
        let verdict = match info[condition].uniformity.non_uniform_result {
            Some(_) => Verdict::NonUniform,
            None => self.assumption(function, condition).map_or(Verdict::Uniform, Verdict::Assumed),
        };
        self.verdicts.insert(id, verdict);
    }

    /// The id of a condition. What naga puts between a condition and its branch, a conversion or a negation, it puts at the place of
    /// the branch. `None` if naga reads the condition back from a variable of its own, which has no place.
    fn id(&self, function: &Function, condition: Handle<Expression>) -> Option<u32> {
        let instruction = places::at(self.instructions, function.expressions.get_span(condition))?;
        if instruction.condition().is_none() {
            return instruction.result();
        }
        match function.expressions[condition] {
            Expression::As { expr, .. } | Expression::Unary { expr, .. } => {
                places::at(self.instructions, function.expressions.get_span(expr))?.result()
            }
            ref other => panic!("naga branches on {other:?}, which it puts at the place of the branch"),
        }
    }

    /// What an expression uses that naga takes for uniform without proof.
    fn assumption(&self, function: &Function, expression: Handle<Expression>) -> Option<Assumption> {
        let mut pending = vec![expression];
        while let Some(handle) = pending.pop() {
            match &function.expressions[handle] {
                Expression::CallResult(_) => return Some(Assumption::ResultOfCall),
                Expression::GlobalVariable(variable) if self.is_shared(*variable) => {
                    return Some(Assumption::WorkgroupMemory);
                }
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
        None
    }

    fn is_shared(&self, variable: Handle<GlobalVariable>) -> bool {
        self.module.global_variables[variable].space == AddressSpace::WorkGroup
    }
}
