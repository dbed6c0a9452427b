//! Statements and values of WGSL that naga's writer of SPIR-V loses, as calls of functions without contents, which `restore` replaces.
//!
//! ```text
//! discard;                              ⇒      wgsl.discard();
//! n = workgroupUniformLoad(&limit);     ⇒      wgsl.uniform_load(); n = workgroupUniformLoad(&limit);
//! … N …                                 ⇒      n = wgsl.override.0(); … n …
//! ```
//!
//! A name of WGSL has no dot, so no function of the text has such a name. The functions come first in the module, because naga requires
//! each function after its callees.
//!
//! An override whose value names other overrides becomes a function that computes it. So does the initial value of a private variable that
//! names one: the function stores it, and every entry point that uses the variable calls it first. Linear in the module.

use naga::valid::{GlobalUse, ModuleInfo};
use naga::{
    Arena, Block, Expression, Function, FunctionResult, GlobalVariable, Handle, LocalVariable, Module, Override, Range,
    Span, Statement, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::handles::{each_statement, operands, rename, replace_statements};
use super::pointers::{rename_callees, rename_functions};

/// The function that represents `discard`.
pub(super) const DISCARD: &str = "wgsl.discard";
/// The function whose call comes before a `workgroupUniformLoad`.
pub(super) const UNIFORM_LOAD: &str = "wgsl.uniform_load";

/// The function that represents an override.
pub(super) fn override_function(place: usize) -> String {
    format!("wgsl.override.{place}")
}

/// Inserts calls in place of everything that naga would lose, and removes the overrides. Returns whether the module changed and must be
/// validated again.
pub(super) fn mark(module: &mut Module, info: &ModuleInfo) -> bool {
    let mut marks = Marks { module, functions: Arena::new(), overrides: Vec::new() };
    let is_found = |kind: fn(&Statement) -> bool| {
        let mut found = false;
        let entries = marks.module.entry_points.iter().map(|entry| &entry.function);
        for function in marks.module.functions.iter().map(|(_, function)| function).chain(entries) {
            each_statement(&function.body, |statement| found |= kind(statement));
        }
        found
    };
    let has_discard = is_found(|statement| matches!(statement, Statement::Kill));
    let has_uniform_load = is_found(|statement| matches!(statement, Statement::WorkGroupUniformLoad { .. }));
    if !has_discard && !has_uniform_load && marks.module.overrides.is_empty() {
        return false;
    }
    let discard = has_discard.then(|| marks.empty_function(DISCARD));
    let uniform_load = has_uniform_load.then(|| marks.empty_function(UNIFORM_LOAD));
    let initializers = marks.add_overrides();
    let Marks { module, functions, overrides } = marks;
    put_functions_first(module, functions);
    for (number, entry) in module.entry_points.iter_mut().enumerate() {
        let used =
            initializers.iter().filter(|(variable, _)| info.get_entry_point(number)[*variable] != GlobalUse::empty());
        let calls = used.map(|&(_, function)| Statement::Call { function, arguments: Vec::new(), result: None });
        entry.function.body.splice(0..0, Block::from_vec(calls.collect()));
    }
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    for function in module.functions.iter_mut().map(|(_, function)| function).chain(entries) {
        call_overrides(function, &overrides);
        replace_statements(&mut function.body, |statement| match (&statement, discard, uniform_load) {
            (Statement::Kill, Some(function), _) => vec![call(function, None)],
            (Statement::WorkGroupUniformLoad { .. }, _, Some(function)) => vec![call(function, None), statement],
            _ => vec![statement],
        });
    }
    forget(module);
    true
}

struct Marks<'m> {
    module: &'m mut Module,
    functions: Arena<Function>,
    /// The function of each override.
    overrides: Vec<Handle<Function>>,
}

impl Marks<'_> {
    fn empty_function(&mut self, name: &str) -> Handle<Function> {
        self.functions.append(Function { name: Some(name.to_owned()), ..Function::default() }, Span::default())
    }

    /// Adds a function for each override, and one for each private variable whose initial value names one.
    fn add_overrides(&mut self) -> Vec<(Handle<GlobalVariable>, Handle<Function>)> {
        let overrides: Vec<Override> = self.module.overrides.iter().map(|(_, value)| value.clone()).collect();
        let named = naming_overrides(&self.module.global_expressions);
        for (place, value) in overrides.into_iter().enumerate() {
            let computed = value.init.filter(|init| named.contains(init));
            let mut function = match computed {
                Some(init) => self.returning(init),
                None => self.zero(value.ty),
            };
            function.result = Some(FunctionResult { ty: value.ty, binding: None });
            function.name = Some(match computed {
                Some(_) => value.name.unwrap_or_else(|| "override_value".to_owned()),
                None => override_function(place),
            });
            let handle = self.functions.append(function, Span::default());
            self.overrides.push(handle);
        }
        let mut initializers = Vec::new();
        let variables: Vec<Handle<GlobalVariable>> =
            self.module.global_variables.iter().map(|(handle, _)| handle).collect();
        for variable in variables {
            let init = self.module.global_variables[variable].init;
            let Some(init) = init.filter(|init| named.contains(init)) else { continue };
            self.module.global_variables.get_mut(variable).init = None;
            let function = self.storing(variable, init);
            initializers.push((variable, self.functions.append(function, Span::default())));
        }
        initializers
    }

    /// A function that returns zero.
    fn zero(&self, ty: Handle<Type>) -> Function {
        let mut function = Function::default();
        let value = Some(function.expressions.append(Expression::ZeroValue(ty), Span::default()));
        function.body.push(Statement::Return { value }, Span::default());
        function
    }

    /// A function that returns a global expression.
    fn returning(&self, expression: Handle<Expression>) -> Function {
        let mut function = Function::default();
        let value = Some(self.compute(expression, &mut function));
        function.body.push(Statement::Return { value }, Span::default());
        function
    }

    /// A function that stores a global expression to a variable.
    fn storing(&self, variable: Handle<GlobalVariable>, expression: Handle<Expression>) -> Function {
        let mut function = Function { name: Some("initialize".to_owned()), ..Function::default() };
        let pointer = function.expressions.append(Expression::GlobalVariable(variable), Span::default());
        let value = self.compute(expression, &mut function);
        function.body.push(Statement::Store { pointer, value }, Span::default());
        function
    }

    /// Copies a global expression, with its operands, into a function. Operands come first in an arena.
    fn compute(&self, expression: Handle<Expression>, function: &mut Function) -> Handle<Expression> {
        let global = &self.module.global_expressions;
        let mut needed: FxHashSet<Handle<Expression>> = FxHashSet::default();
        let mut open = vec![expression];
        while let Some(handle) = open.pop() {
            if needed.insert(handle) {
                open.extend(operands(&global[handle]));
            }
        }
        let mut renamed: FxHashMap<Handle<Expression>, Handle<Expression>> = FxHashMap::default();
        for (handle, expression) in global.iter().filter(|(handle, _)| needed.contains(handle)) {
            let mut expression = expression.clone();
            rename(&mut expression, |operand| renamed[&operand]);
            if let Expression::Override(value) = expression {
                let callee = self.overrides[value.index()];
                let result = function.expressions.append(Expression::CallResult(callee), Span::default());
                function.body.push(call(callee, Some(result)), Span::default());
                renamed.insert(handle, result);
                continue;
            }
            let is_declared = expression.needs_pre_emit();
            let copy = function.expressions.append(expression, Span::default());
            if !is_declared {
                function.body.push(Statement::Emit(Range::new_from_bounds(copy, copy)), Span::default());
            }
            renamed.insert(handle, copy);
        }
        renamed[&expression]
    }
}

/// Places new functions before those of the text, because naga requires each function after its callees.
pub(super) fn put_functions_first(module: &mut Module, mut functions: Arena<Function>) {
    let of_the_text = std::mem::replace(&mut module.functions, Arena::new());
    let spans: Vec<Span> = of_the_text.iter().map(|(handle, _)| of_the_text.get_span(handle)).collect();
    let renamed: Vec<Handle<Function>> = of_the_text
        .into_inner()
        .into_iter()
        .zip(spans)
        .map(|(function, span)| functions.append(function, span))
        .collect();
    rename_functions(module, |handle| renamed[handle.index()]);
    let first = functions.len() - renamed.len();
    for (_, function) in functions.iter_mut().skip(first) {
        rename_callees(function, |handle| renamed[handle.index()]);
    }
    module.functions = functions;
}

fn call(function: Handle<Function>, result: Option<Handle<Expression>>) -> Statement {
    Statement::Call { function, arguments: Vec::new(), result }
}

/// The expressions of an arena that depend on an override.
fn naming_overrides(expressions: &Arena<Expression>) -> FxHashSet<Handle<Expression>> {
    let mut named = FxHashSet::default();
    for (handle, expression) in expressions.iter() {
        let is_override = matches!(expression, Expression::Override(_));
        if is_override || operands(expression).iter().any(|operand| named.contains(operand)) {
            named.insert(handle);
        }
    }
    named
}

/// Calls the functions of the overrides that a function names, at its beginning, and stores initial values that depend on them where they
/// are computed.
fn call_overrides(function: &mut Function, overrides: &[Handle<Function>]) {
    let named = naming_overrides(&function.expressions);
    if named.is_empty() {
        return;
    }
    let Function { local_variables, expressions, body, .. } = function;
    let mut calls = Vec::new();
    for (handle, expression) in expressions.iter_mut() {
        if let Expression::Override(value) = expression {
            let callee = overrides[value.index()];
            *expression = Expression::CallResult(callee);
            calls.push(call(callee, Some(handle)));
        }
    }
    let mut stores: Vec<(Handle<Expression>, Statement)> = Vec::new();
    for (variable, LocalVariable { init, .. }) in local_variables.iter_mut() {
        let Some(value) = init.filter(|init| named.contains(init)) else { continue };
        *init = None;
        let pointer = expressions.append(Expression::LocalVariable(variable), Span::default());
        stores.push((value, Statement::Store { pointer, value }));
    }
    replace_statements(body, |statement| {
        let range = match &statement {
            Statement::Emit(range) => range.clone(),
            _ => return vec![statement],
        };
        let computed: FxHashSet<Handle<Expression>> = range.collect();
        let here = stores.extract_if(.., |(value, _)| computed.contains(value)).map(|(_, store)| store);
        [statement].into_iter().chain(here).collect()
    });
    calls.extend(stores.into_iter().map(|(_, store)| store));
    body.splice(0..0, Block::from_vec(calls));
}

/// Removes the overrides, which nothing names any more.
fn forget(module: &mut Module) {
    let named = naming_overrides(&module.global_expressions);
    for (handle, expression) in module.global_expressions.iter_mut() {
        if named.contains(&handle) {
            *expression = Expression::Literal(naga::Literal::U32(0));
        }
    }
    module.overrides = Arena::new();
}
