//! Functions. Blocks are converted in the order of the control tree, so every value is defined before its uses.
//!
//! | part | file |
//! |---|---|
//! | values that need a variable | `scoping.rs` |
//! | values and the blocks in which they can be named | `values.rs` |
//! | constructs and edges | `flow.rs`, `jumps.rs`, `loops.rs`, `switches.rs` |
//! | inputs and outputs of an entry point | `interface.rs` |
//! | instructions, one file for a group of ops | the others |

pub(crate) mod arithmetic;
mod atomics;
mod built_ins;

mod composites;
mod flow;
mod glsl_std_450;
mod images;
mod instructions;
mod interface;
mod jumps;
mod loops;
mod memory;

mod stores;
mod subgroups;
mod switches;
mod uniform_loads;
mod values;

use naga::{Block, EntryPoint, Expression, Handle, LocalVariable, Span};
use reconverge_control_tree::ControlTree;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Function, Inst, Module, Op, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entry_points::{Entry, naga_stage};
use super::module::Converter;
use super::{Language, WriteCode, at_inst};
use crate::lower::function::{coalescing, scoping};
use interface::Interface;
use jumps::Breakable;
use values::{Known, Open};

/// A converted function, with the data of an entry point.
pub(crate) struct Converted {
    pub(crate) function: naga::Function,
    workgroup: WorkgroupSize,
    is_early: bool,
}

/// The size of the workgroup, and its replacement when constants are specialized.
#[derive(Clone, Copy, Default)]
struct WorkgroupSize {
    size: [u32; 3],
    sizes: Option<[Option<Handle<Expression>>; 3]>,
}

impl Converted {
    /// The entry point.
    pub(crate) fn entry_point(self, entry: &Entry) -> EntryPoint {
        EntryPoint {
            name: entry.name.clone(),
            stage: naga_stage(entry.model),
            early_depth_test: self.is_early.then_some(naga::EarlyDepthTest::Force),
            workgroup_size: self.workgroup.size,
            workgroup_size_overrides: self.workgroup.sizes,
            function: self.function,
            mesh_info: None,
            task_payload: None,
            incoming_ray_payload: None,
        }
    }
}

/// A function under conversion.
pub(crate) struct Body<'c, 'm> {
    module: &'c mut Converter<'m>,
    source: &'m Module,
    function: naga::Function,
    tree: ControlTree,
    /// The blocks of naga that are being filled, the innermost last.
    open: Vec<Open>,
    /// For each block, by number, whether it is open: it is the current one or contains it.
    is_open: Vec<bool>,
    known: FxHashMap<Inst, Known>,
    /// The variables of block parameters, and of values that are used where they cannot be named.
    variables: FxHashMap<Inst, Handle<LocalVariable>>,
    /// The values that need a variable besides that of a parameter.
    spilled: FxHashSet<Inst>,
    /// The values that share a variable.
    classes: coalescing::Classes,
    /// The number of operators around the operands of an expression, as far as its text is one.
    depths: Vec<u16>,
    interface: Interface,
    /// Jumps whose arguments were assigned before their switch.
    assigned_early: FxHashSet<Terminator>,
    /// The statements that `break` leaves, the innermost last.
    breakables: Vec<Breakable>,
    /// Loads that are `workgroupUniformLoad`.
    uniform_loads: FxHashSet<Inst>,
    /// Barriers that are a part of such a load.
    left_out: FxHashSet<Inst>,
}

/// Converts a function: that of an entry point, or one that is called.
pub(crate) fn convert(
    module: &mut Converter<'_>,
    function: Function,
    entry: Option<&Entry>,
) -> Result<Converted, Diagnostic> {
    let source = module.source;
    module.check_values(function)?;
    let tree = ControlTree::compute(source, function)
        .map_err(|error| at_inst(WriteCode::Unstructured, function, error.to_string()))?;
    let spilled = scoping::compute_spilled(source, &tree);
    let classes = coalescing::compute(source, &tree, &spilled);
    let name = module.name(function.into());
    let mut body = Body {
        module,
        source,
        function: naga::Function { name, ..naga::Function::default() },
        tree,
        open: Vec::new(),
        is_open: Vec::new(),
        known: FxHashMap::default(),
        variables: FxHashMap::default(),
        spilled,
        classes,
        depths: Vec::new(),
        interface: Interface::default(),
        assigned_early: FxHashSet::default(),
        breakables: Vec::new(),
        uniform_loads: FxHashSet::default(),
        left_out: FxHashSet::default(),
    };
    body.open_block(function.into(), 1)?;
    match entry {
        Some(entry) => body.open_interface(entry)?,
        None => body.add_parameters(function)?,
    }
    body.statements_of(body.tree.root())?;
    if body.function.result.is_some() && !returns(body.block()) {
        body.leave_anyhow()?;
    }
    body.function.body = body.close_block();
    without_last_return(&mut body.function);
    let workgroup = if entry.is_some() { body.workgroup_size(function)? } else { WorkgroupSize::default() };
    let is_early = body.has_mode(function, spirv::ExecutionMode::EarlyFragmentTests);
    Ok(Converted { function: body.function, workgroup, is_early })
}

/// Returns whether a block ends in a `return` on all paths. Control does not reach the end of others, but readers require a `return` there.
fn returns(block: &Block) -> bool {
    let mut stack = vec![block];
    while let Some(block) = stack.pop() {
        match block.last() {
            Some(naga::Statement::Return { .. }) => {}
            Some(naga::Statement::If { accept, reject, .. }) => stack.extend([accept, reject]),
            Some(naga::Statement::Switch { cases, .. }) => {
                stack.extend(cases.iter().filter(|case| !case.fall_through).map(|case| &case.body));
            }
            _ => return false,
        }
    }
    true
}

/// Removes the last `return` of a function without a result, which ends there anyway.
fn without_last_return(function: &mut naga::Function) {
    if matches!(function.body.last(), Some(naga::Statement::Return { value: None })) {
        let last = function.body.len() - 1;
        function.body.cull(last..);
    }
}

impl Body<'_, '_> {
    fn add_parameters(&mut self, function: Function) -> Result<(), Diagnostic> {
        let source = self.source;
        for (number, parameter) in source.parameters(function).enumerate() {
            let parameter = parameter.inst();
            let ty = match source.ty(parameter).and_then(|ty| source.type_view(ty)) {
                Some(TypeView::Image(_) | TypeView::SampledImage { .. } | TypeView::Other(_)) => {
                    return self.refuse(WriteCode::Image, parameter, "an image or sampler as a parameter");
                }
                _ => self.module.type_of(parameter)?,
            };
            self.function.arguments.push(naga::FunctionArgument {
                name: self.module.name(parameter),
                ty,
                binding: None,
            });
            let handle = self.push(Expression::FunctionArgument(number as u32));
            self.know(parameter, handle);
        }
        let result = source.ty(function).filter(|&ty| source.op(ty) != Op::TypeVoid);
        if let Some(ty) = result {
            let ty = self.module.ty(ty)?;
            self.function.result = Some(naga::FunctionResult { ty, binding: None });
        }
        Ok(())
    }

    fn has_mode(&self, function: Function, wanted: spirv::ExecutionMode) -> bool {
        self.modes(function).any(|mode| mode.mode == Some(wanted))
    }

    fn modes(&self, function: Function) -> impl Iterator<Item = view::Mode<'_>> {
        let modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        modes.filter(move |mode| mode.function == function.inst())
    }

    /// The size of the workgroup, and its replacement when constants are specialized. The decoration `WorkgroupSize` takes precedence over
    /// the mode.
    fn workgroup_size(&mut self, function: Function) -> Result<WorkgroupSize, Diagnostic> {
        let is_size = |&inst: &Inst| {
            let built_in = self.source.decorated(inst).find::<reconverge_ir::decoration::BuiltIn>();
            built_in.is_some_and(|built_in| built_in.0 == spirv::BuiltIn::WorkgroupSize)
                && self.source.op(inst).is_constant()
        };
        let of_decoration =
            self.source.globals().find(is_size).map(|size| self.source.operands(size).collect::<Vec<Inst>>());
        let of_mode = self.modes(function).find_map(|mode| match mode.mode {
            Some(spirv::ExecutionMode::LocalSize | spirv::ExecutionMode::LocalSizeId) => Some(mode.parameters.to_vec()),
            _ => None,
        });
        let (mut size, mut sizes) = ([0; 3], [None; 3]);
        let Some(parts) = of_decoration.or(of_mode) else { return Ok(WorkgroupSize::default()) };
        for (axis, &part) in parts.iter().take(3).enumerate() {
            let words = self.source.constant_words(part).unwrap_or_else(|| self.source.literal_words(part));
            size[axis] = words.first().copied().unwrap_or(1);
            if self.source.op(part).is_constant() && self.source.constant_word(part).is_none() {
                if self.module.is_composed(part) {
                    return self.refuse(
                        WriteCode::Constant,
                        part,
                        "a size of the workgroup that is computed from specialization constants",
                    );
                }
                let constant = self.module.constant(part)?;
                self.module.name_size(constant, axis);
                let expression = constant.expression();
                sizes[axis] = Some(self.module.output.global_expressions.append(expression, Span::UNDEFINED));
            }
        }
        let is_specialized = self.module.language == Language::Wgsl && sizes.iter().any(Option::is_some);
        Ok(WorkgroupSize { size, sizes: is_specialized.then_some(sizes) })
    }

    fn refuse<T>(&self, code: WriteCode, inst: Inst, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(at_inst(code, inst, message))
    }

    fn block(&mut self) -> &mut Block {
        &mut self.open.last_mut().expect("invariant: a block is open while code is converted").block
    }
}
