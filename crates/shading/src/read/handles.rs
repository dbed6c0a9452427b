//! The handles in expressions and statements of naga, which has no visitor, and the blocks in statements.
//!
//! Rewrites of naga's module use these: code that moves expressions within an arena renames every handle that names them.

use naga::{
    AtomicFunction, Block, Expression, Function, GatherMode, Handle, ImageQuery, Module, RayQueryFunction, SampleLevel,
    Statement,
};

/// The blocks directly inside of a statement.
pub(super) fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// The blocks directly inside of a statement, mutable.
pub(super) fn blocks_mut(statement: &mut Statement) -> Vec<&mut Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter_mut().map(|case| &mut case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// Calls a function on every statement of a block and of the blocks in it, from the outside to the inside.
pub(super) fn each_statement<'a>(block: &'a Block, mut visit: impl FnMut(&'a Statement)) {
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        for statement in block.iter() {
            visit(statement);
            open.extend(blocks(statement));
        }
    }
}

/// Calls a function on every statement of a block and of the blocks in it, mutable. The blocks of a changed statement are visited as well.
pub(super) fn each_statement_mut(block: &mut Block, mut visit: impl FnMut(&mut Statement)) {
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        for statement in block.iter_mut() {
            visit(statement);
            open.extend(blocks_mut(statement));
        }
    }
}

/// Changes every function and every entry point of a module. While one is changed, the module has an empty one in its place.
pub(super) fn rewrite_functions(module: &mut Module, mut rewrite: impl FnMut(&mut Function, &Module)) {
    let handles: Vec<_> = module.functions.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        let mut function = std::mem::take(module.functions.get_mut(handle));
        rewrite(&mut function, module);
        *module.functions.get_mut(handle) = function;
    }
    for entry in 0..module.entry_points.len() {
        let mut function = std::mem::take(&mut module.entry_points[entry].function);
        rewrite(&mut function, module);
        module.entry_points[entry].function = function;
    }
}

/// Replaces every statement of a block, and of the blocks in it, by a list of statements.
pub(super) fn replace_statements(block: &mut Block, mut replacement: impl FnMut(Statement) -> Vec<Statement>) {
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        for (statement, span) in std::mem::take(block).span_into_iter() {
            for statement in replacement(statement) {
                block.push(statement, span);
            }
        }
        open.extend(block.iter_mut().flat_map(blocks_mut));
    }
}

/// The operands of an expression.
pub(super) fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    let mut found = Vec::new();
    rename(&mut expression.clone(), |handle| {
        found.push(handle);
        handle
    });
    found
}

/// Renames the operands of an expression.
pub(super) fn rename(expression: &mut Expression, mut renamed: impl FnMut(Handle<Expression>) -> Handle<Expression>) {
    use Expression as E;
    let mut each = |handle: &mut Handle<Expression>| *handle = renamed(*handle);
    match expression {
        E::Literal(_) | E::Constant(_) | E::Override(_) | E::ZeroValue(_) | E::FunctionArgument(_) => {}
        E::GlobalVariable(_) | E::LocalVariable(_) | E::CallResult(_) | E::AtomicResult { .. } => {}
        E::WorkGroupUniformLoadResult { .. } | E::RayQueryProceedResult | E::SubgroupBallotResult => {}
        E::SubgroupOperationResult { .. } => {}
        E::Compose { components, .. } => components.iter_mut().for_each(each),
        E::Access { base, index } => [base, index].into_iter().for_each(each),
        E::AccessIndex { base: one, .. } | E::Splat { value: one, .. } | E::Swizzle { vector: one, .. } => each(one),
        E::Load { pointer: one } | E::Unary { expr: one, .. } | E::Derivative { expr: one, .. } => each(one),
        E::Relational { argument: one, .. } | E::As { expr: one, .. } | E::ArrayLength(one) => each(one),
        E::RayQueryVertexPositions { query: one, .. } | E::RayQueryGetIntersection { query: one, .. } => each(one),
        E::Binary { left, right, .. } => [left, right].into_iter().for_each(each),
        E::Select { condition, accept, reject } => [condition, accept, reject].into_iter().for_each(each),
        E::Math { arg, arg1, arg2, arg3, .. } => {
            each(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(each);
        }
        E::ImageSample { image, sampler, coordinate, array_index, offset, level, depth_ref, .. } => {
            [image, sampler, coordinate].into_iter().for_each(&mut each);
            [array_index, offset, depth_ref].into_iter().flatten().for_each(&mut each);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => each(level),
                SampleLevel::Gradient { x, y } => [x, y].into_iter().for_each(each),
            }
        }
        E::ImageLoad { image, coordinate, array_index, sample, level } => {
            [image, coordinate].into_iter().for_each(&mut each);
            [array_index, sample, level].into_iter().flatten().for_each(each);
        }
        E::ImageQuery { image, query } => {
            each(image);
            if let ImageQuery::Size { level: Some(level) } = query {
                each(level);
            }
        }
        E::CooperativeLoad { data, .. } => [&mut data.pointer, &mut data.stride].into_iter().for_each(each),
        E::CooperativeMultiplyAdd { a, b, c } => [a, b, c].into_iter().for_each(each),
    }
}

/// Renames the expressions of a statement, without those of the blocks in it and without ranges of [`Statement::Emit`].
pub(super) fn rename_in_statement(
    statement: &mut Statement,
    mut renamed: impl FnMut(Handle<Expression>) -> Handle<Expression>,
) {
    use Statement as S;
    let mut each = |handle: &mut Handle<Expression>| *handle = renamed(*handle);
    match statement {
        S::Emit(_) | S::Block(_) | S::Break | S::Continue | S::Kill | S::ControlBarrier(_) | S::MemoryBarrier(_) => {}
        S::If { condition: one, .. } | S::Switch { selector: one, .. } => each(one),
        S::Loop { break_if: one, .. } | S::Return { value: one } => one.iter_mut().for_each(each),
        S::Store { pointer, value } => [pointer, value].into_iter().for_each(each),
        S::ImageStore { image, coordinate, array_index, value } => {
            [image, coordinate, value].into_iter().for_each(&mut each);
            array_index.iter_mut().for_each(each);
        }
        S::Atomic { pointer, fun, value, result } => {
            [pointer, value].into_iter().for_each(&mut each);
            result.iter_mut().for_each(&mut each);
            rename_compared(fun, each);
        }
        S::ImageAtomic { image, coordinate, array_index, fun, value } => {
            [image, coordinate, value].into_iter().for_each(&mut each);
            array_index.iter_mut().for_each(&mut each);
            rename_compared(fun, each);
        }
        S::WorkGroupUniformLoad { pointer, result } => [pointer, result].into_iter().for_each(each),
        S::Call { arguments, result, .. } => arguments.iter_mut().chain(result).for_each(each),
        S::SubgroupBallot { result, predicate } => {
            each(result);
            predicate.iter_mut().for_each(each);
        }
        S::SubgroupGather { mode, argument, result } => {
            [argument, result].into_iter().for_each(&mut each);
            match mode {
                GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => {}
                GatherMode::Broadcast(lane) | GatherMode::Shuffle(lane) | GatherMode::ShuffleDown(lane) => each(lane),
                GatherMode::ShuffleUp(lane) | GatherMode::ShuffleXor(lane) | GatherMode::QuadBroadcast(lane) => {
                    each(lane);
                }
            }
        }
        S::SubgroupCollectiveOperation { argument, result, .. } => [argument, result].into_iter().for_each(each),
        S::CooperativeStore { target, data } => {
            [target, &mut data.pointer, &mut data.stride].into_iter().for_each(each);
        }
        S::RayQuery { query, fun } => {
            each(query);
            match fun {
                RayQueryFunction::Initialize { acceleration_structure, descriptor } => {
                    [acceleration_structure, descriptor].into_iter().for_each(each);
                }
                RayQueryFunction::Proceed { result: one } | RayQueryFunction::GenerateIntersection { hit_t: one } => {
                    each(one);
                }
                RayQueryFunction::ConfirmIntersection | RayQueryFunction::Terminate => {}
            }
        }
        S::RayPipelineFunction(naga::RayPipelineFunction::TraceRay { acceleration_structure, descriptor, payload }) => {
            [acceleration_structure, descriptor, payload].into_iter().for_each(each);
        }
    }
}

fn rename_compared(fun: &mut AtomicFunction, each: impl FnMut(&mut Handle<Expression>)) {
    if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
        std::iter::once(compare).for_each(each);
    }
}
