//! Functions. Blocks are converted in the order of the control tree, so every value is defined before its uses.
//!
//! | part | file |
//! |---|---|
//! | values that need a variable, values that share one | `scoping.rs`, `coalescing.rs` |
//! | values as expressions | `values.rs` |
//! | constructs and edges | `flow.rs`, `jumps.rs`, `loops.rs`, `switches.rs` |
//! | memory | `memory.rs`, `stored.rs`, `addresses.rs` |
//! | inputs and outputs of each vertex | `vertices.rs` |
//! | instructions, one file for a group of ops | the others, and the folders of the languages |

pub(in crate::lower) mod addresses;
mod arithmetic;
mod ballots;
pub(crate) mod coalescing;
mod composites;
mod conversions;
pub(in crate::lower) mod extended;
mod flow;
mod instructions;
mod jumps;
mod loops;
mod memory;
pub(in crate::lower) mod numbers;
pub(crate) mod scoping;
mod stored;
mod switches;
pub(in crate::lower) mod textures;
mod values;
pub(in crate::lower) mod vertices;

use reconverge_control_tree::ControlTree;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, Terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Entry, Lowering, Place};
use crate::syntax::{self, Block, Expr, FunctionId, GlobalId, LocalId, Parameter, StatementKind, TypeShape};
use crate::write::{WriteCode, at_inst};
pub(super) use arithmetic::{Sign, integer_comparison, integer_operator};
use jumps::Breakable;
pub(crate) use values::Numbers;

/// A list of statements that is being filled.
struct Open {
    block: Block,
    /// The braces around its code.
    depth: u32,
    /// False if its code is complete, and it waits for the construct that contains it.
    is_current: bool,
}

/// What an interface variable is in a function.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    Whole(Expr),
    /// A block, by its members; none for one that is not used.
    Members(Vec<Option<Expr>>),
    /// A value or a block of each vertex or primitive.
    Vertices(vertices::Vertices),
}

/// What an entry point returns.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    /// The variable that is returned.
    pub(crate) result: LocalId,
    /// What is copied before: targets with their values.
    pub(crate) copies: Vec<(Expr, Expr)>,
}

/// A stream that a geometry shader appends vertices to.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// The number of the stream in the module.
    pub(crate) number: u32,
    /// The parameter.
    pub(crate) parameter: LocalId,
    /// The variable of the vertex that is appended next, and what is copied to it before.
    pub(crate) vertex: Outputs,
}

/// A function under conversion.
pub(crate) struct Body<'c, 'm> {
    pub(crate) cx: &'c mut Lowering<'m>,
    pub(crate) source: &'m Module,
    pub(crate) function: syntax::Function,
    pub(crate) tree: ControlTree,
    /// The declarations at the top of the function.
    declarations: Block,
    /// The lists that are being filled, the innermost last.
    open: Vec<Open>,
    /// The names of values.
    pub(in crate::lower) known: FxHashMap<Inst, LocalId>,
    /// The samplers of parameters that are images with samplers, where the language has them apart.
    pub(in crate::lower) samplers: FxHashMap<Inst, LocalId>,
    /// The entry point, if the function is that of one.
    pub(in crate::lower) entry: Option<Inst>,
    /// The names of the parts of a result that has several.
    parts: FxHashMap<Inst, Vec<LocalId>>,
    /// The variables of block parameters, and of values that are used where they cannot be named, by the class of the value.
    variables: FxHashMap<Inst, LocalId>,
    /// The values that need a variable besides that of a parameter.
    spilled: FxHashSet<Inst>,
    /// Inputs and outputs that are parameters or parts of them, or values that the language computes.
    pub(crate) interface: FxHashMap<Inst, Access>,
    /// What an entry point returns.
    pub(crate) outputs: Option<Outputs>,
    /// The streams that a function of a geometry shader appends to.
    pub(in crate::lower) streams: Vec<Stream>,
    /// The values that share a variable.
    classes: coalescing::Classes,
    /// Jumps whose arguments were assigned before their switch.
    assigned_early: FxHashSet<Terminator>,
    /// The statements that `break` leaves, the innermost last.
    breakables: Vec<Breakable>,
    /// The instruction that is converted.
    origin: Option<Inst>,
}

/// Converts a function: that of an entry point, or one that is called.
///
/// # Errors
/// [`Diagnostic`], with what the language cannot express.
pub(crate) fn lower(cx: &mut Lowering<'_>, function: Function, entry: Option<&Entry>) -> Result<(), Diagnostic> {
    let source = cx.source;
    let tree = ControlTree::compute(source, function)
        .map_err(|error| at_inst(WriteCode::Unstructured, function, error.to_string()))?;
    let mut spilled = scoping::compute_spilled(source, &tree);
    let classes = coalescing::compute(source, &tree, &mut spilled);
    let result = match source.ty(function) {
        Some(ty) if entry.is_none() => cx.ty(ty)?,
        _ => cx.text.types.of(TypeShape::Void),
    };
    let name = match entry {
        Some(entry) => cx.entry_name(entry),
        None => cx.name(function).unwrap_or_else(|| "function".to_owned()),
    };
    let function_of_text = syntax::Function {
        name,
        origin: Some(function.inst()),
        attributes: Vec::new(),
        workgroup_size: Vec::new(),
        prefix: String::new(),
        suffix: String::new(),
        parameters: Vec::new(),
        result,
        locals: Vec::new(),
        body: Block::new(),
        is_entry: entry.is_some(),
    };
    let mut body = Body {
        cx,
        source,
        function: function_of_text,
        tree,
        declarations: Block::new(),
        open: Vec::new(),
        known: FxHashMap::default(),
        samplers: FxHashMap::default(),
        entry: entry.map(|entry| entry.inst),
        parts: FxHashMap::default(),
        variables: FxHashMap::default(),
        spilled,
        interface: FxHashMap::default(),
        outputs: None,
        streams: Vec::new(),
        classes,
        assigned_early: FxHashSet::default(),
        breakables: Vec::new(),
        origin: None,
    };
    body.open_block(function.inst(), 1)?;
    body.add_parameters(function)?;
    body.enter(entry)?;
    if entry.is_some() {
        body.assign_first_values()?;
    }
    body.statements_of(body.tree.root())?;
    if result_is_owed(&body) || body.entry.is_some() && body.open.last().is_none_or(|open| !always_returns(&open.block))
    {
        body.leave_anyhow(function.inst())?;
    }
    let mut written = body.close_block();
    if matches!(written.last().map(|last| &last.kind), Some(StatementKind::Return(None))) {
        written.pop();
    }
    let mut statements = body.declarations;
    statements.append(&mut written);
    body.function.body = statements;
    let lowered = body.function;
    let id = FunctionId(cx.text.functions.len() as u32);
    cx.text.functions.push(lowered);
    cx.functions.insert(function, id);
    Ok(())
}

/// Returns whether the end of the function is reached by the rules of the language, and has to return a value.
fn result_is_owed(body: &Body<'_, '_>) -> bool {
    let is_void = body.cx.text.types[body.function.result] == TypeShape::Void;
    !is_void && body.open.last().is_none_or(|open| !always_returns(&open.block))
}

/// Returns whether a list ends in a `return` on all paths. Control does not reach the end of others, but readers require a `return` there.
fn always_returns(block: &Block) -> bool {
    let mut stack = vec![block];
    while let Some(block) = stack.pop() {
        match block.last().map(|last| &last.kind) {
            Some(StatementKind::Return(_)) => {}
            Some(StatementKind::If { accept, reject, .. }) => stack.extend([accept, reject]),
            _ => return false,
        }
    }
    true
}

impl Body<'_, '_> {
    fn add_parameters(&mut self, function: Function) -> Result<(), Diagnostic> {
        for parameter in self.source.parameters(function).collect::<Vec<_>>() {
            self.add_parameter(parameter.inst())?;
        }
        Ok(())
    }

    /// Assigns the outputs that have a value before the entry point runs.
    fn assign_first_values(&mut self) -> Result<(), Diagnostic> {
        let entry = self.entry.and_then(|inst| view::EntryPoint::of(self.source, inst));
        let interface = entry.map_or_else(Vec::new, |entry| entry.interface.to_vec());
        for (variable, constant) in self.cx.first_values.clone() {
            if !interface.contains(&variable) {
                continue;
            }
            match self.cx.globals.get(&variable).cloned() {
                Some(Place::Members(members)) => self.assign_members(variable, &members, constant)?,
                _ => {
                    let value = self.value(constant)?;
                    self.store_value(variable, value, variable)?;
                }
            }
        }
        Ok(())
    }

    /// Assigns the members of a block that are apart, as far as they are used.
    fn assign_members(
        &mut self,
        variable: Inst,
        members: &[Option<GlobalId>],
        constant: Inst,
    ) -> Result<(), Diagnostic> {
        for (number, global) in members.iter().enumerate() {
            let &Some(global) = global else { continue };
            let target = self.cx.global(global);
            let ty = self.type_of(target);
            let value = match self.source.op(constant) {
                Op::ConstantComposite => self.value(self.source.operand(constant, number))?,
                _ => self.cx.zero(ty, variable)?,
            };
            self.write_at(target, value, variable)?;
        }
        Ok(())
    }

    /// A parameter with the type of the module.
    pub(in crate::lower) fn plain_parameter(&mut self, parameter: Inst) -> Result<(), Diagnostic> {
        let ty = self.cx.type_of(parameter)?;
        let local = self.declare_parameter(parameter, ty)?;
        self.known.insert(parameter, local);
        Ok(())
    }

    /// Declares a parameter of a type.
    pub(in crate::lower) fn declare_parameter(
        &mut self,
        parameter: Inst,
        ty: syntax::Type,
    ) -> Result<LocalId, Diagnostic> {
        let name = self.cx.name(parameter).or_else(|| Some("parameter".to_owned()));
        let local = syntax::Local { name, ty, kind: syntax::LocalKind::Parameter, prefix: "" };
        let local = self.function.add(local);
        let is_written = self.is_written_parameter(parameter);
        let prefix = self.parameter_prefix(parameter)?.to_owned();
        self.function.parameters.push(Parameter { local, is_written, prefix, suffix: String::new() });
        Ok(local)
    }

    /// The blocks of the function, in the order of its control tree.
    pub(in crate::lower) fn tree_blocks(&self) -> &[reconverge_ir::Block] {
        self.tree.blocks()
    }

    /// Returns whether an edge begins the next iteration of a loop.
    pub(in crate::lower) fn goes_back(&self, edge: reconverge_ir::Edge) -> bool {
        matches!(self.tree.jump(edge), Some(reconverge_control_tree::Jump::Back(_)))
    }

    /// Nothing is left to do before a return.
    pub(in crate::lower) fn nothing_before_return(&mut self) -> Result<(), Diagnostic> {
        Ok(())
    }

    /// Returns whether a parameter is a pointer to memory that the function may write.
    fn is_written_parameter(&self, parameter: Inst) -> bool {
        use spirv::StorageClass as Class;
        matches!(
            self.source.storage_class(parameter),
            Some(class) if !matches!(class, Class::UniformConstant | Class::PhysicalStorageBuffer)
        )
    }

    pub(crate) fn refuse<T>(
        &self,
        code: WriteCode,
        inst: impl Into<Inst>,
        message: impl Into<String>,
    ) -> Result<T, Diagnostic> {
        Err(at_inst(code, inst, message))
    }

    /// The instruction that is converted, or the entry point.
    pub(in crate::lower) fn place_of_origin(&self) -> Option<Inst> {
        self.origin.or(self.entry)
    }

    /// An instruction that the language does not have.
    pub(crate) fn unknown<T>(&self, inst: Inst) -> Result<T, Diagnostic> {
        let name = match self.source.op(inst) {
            Op::ExtInst => "an extended instruction".to_owned(),
            op => op.name().to_owned(),
        };
        self.refuse(WriteCode::Op, inst, format!("{name} in {}", self.cx.target.language()))
    }
}
