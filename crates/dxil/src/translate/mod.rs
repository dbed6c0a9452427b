//! Translation: from a DXIL module to a Vulkan shader in the IR of this project, at stage Graph.
//!
//! ```text
//! metadata ─ handles ─ usage ─ resources ─┐
//!                                         ├─ functions, one by one ─ entry point ─ module
//! signatures ─ interface ─────────────────┘
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `handles.rs`, `usage.rs` | which resource each handle is, and how the shader uses it |
//! | `bindings.rs`, `resources.rs` | where resources go, and the variables that they become |
//! | `interface.rs` | signatures and built-ins |
//! | `function.rs`, `values.rs`, `emit.rs` | blocks, phis and edges; values; instructions of the shader |
//! | `instructions.rs` and those it calls, `memory.rs` | the instructions of LLVM |
//! | `operations/` | the operations of DXIL, by a table |
//! | `numbers.rs`, `words.rs` | scalar types, and what operations share |
//! | `shader.rs` | what belongs to the shader as a whole |
//!
//! What the translation cannot read off the module, it states as an assumption: a note with one of [`AssumptionCode`]. What it does not translate, it refuses by name.

mod apart;
mod arithmetic;
mod bindings;
mod casts;
mod comparisons;
mod composites;
mod emit;
mod function;
mod handles;
mod instructions;
mod interface;
mod memory;
mod numbers;
mod operations;
mod resources;
mod shader;
mod usage;
mod values;
mod words;

pub use bindings::{Bindings, DescriptorSlot, Register};
pub use operations::{Convergence, Effect, SupportedOperation, supported_operations};

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::decoration::Decorate;
use reconverge_ir::{Inst, Op};
use shader::Shader;
use spirv::{ExecutionMode, ExecutionModel};

use self::function::Body;
use self::handles::Handles;
use crate::error::{AssumptionCode, Code, at_bit, unsupported};
use crate::module::view::{EntryPoint, ResourceKind, SemanticKind, ShaderKind, Signatures};
use crate::module::{FunctionId, Module, Operation};

/// Most threads of a group in one dimension (Direct3D 12, `D3D12_CS_THREAD_GROUP_MAX_X`).
const MAX_THREADS: u32 = 1024;

/// Options for the translation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TranslateOptions {
    /// The places of resources.
    pub bindings: Bindings,
    /// True if accesses outside of buffers and arrays are defined. Of buffers, reads give zero and writes do nothing. Of groupshared and
    /// private arrays, the last element is accessed.
    pub is_robust: bool,
    /// The name of the entry point; not needed where there is only one.
    pub entry: Option<String>,
}

/// A translated shader.
#[derive(Debug)]
pub struct Translation {
    /// The shader.
    pub module: reconverge_ir::Module,
    /// The name of its entry point.
    pub entry: String,
    /// The kind of the shader.
    pub kind: ShaderKind,
    /// The numbers of threads of a group of a compute shader.
    pub thread_group: Option<[u32; 3]>,
    /// Inputs and outputs. Those of the user, and targets, have the location of their first row.
    pub signatures: Signatures,
    /// The places of its resources.
    pub placements: Vec<Placement>,
    /// The assumptions of the translation where DXIL is silent.
    pub assumptions: Vec<Diagnostic>,
}

/// The place of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The name in the source; may be empty.
    pub name: String,
    /// The first register.
    pub register: Register,
    /// The number of registers; `None` if the range has no end.
    pub count: Option<u32>,
    /// The kind of the resource.
    pub kind: ResourceKind,
    /// Its descriptor slot.
    pub slot: DescriptorSlot,
    /// The descriptor slot of its counter, if it has one.
    pub counter: Option<DescriptorSlot>,
    /// The kind of descriptor, as Vulkan calls it: `storage buffer`, `uniform buffer`, `sampled image`, …
    pub descriptor: &'static str,
}

/// Translates a module.
///
/// # Errors
/// Unsupported kinds of shaders, resources and operations by name, and resources that share a binding, each with the bit of the input.
///
/// # Complexity
/// Linear in the module, except what decorations and constants cost.
pub fn translate(module: &Module, options: &TranslateOptions) -> Result<Translation, Diagnostic> {
    let model = module.shader_model()?;
    let kind = model.kind;
    let execution_model = match kind {
        ShaderKind::Compute => ExecutionModel::GLCompute,
        ShaderKind::Pixel => ExecutionModel::Fragment,
        ShaderKind::Vertex => ExecutionModel::Vertex,
        ShaderKind::Library => return Err(unsupported(0, "libraries of shaders are not supported")),
        kind => return Err(unsupported(0, format!("{} shaders are not supported", kind.name()))),
    };
    let (entry, function) = entry_point(module, options)?;
    check_calls(module, function)?;
    let signatures = entry.signatures(module)?;
    let handles = Handles::find(module, module.resources()?)?;
    let usages = usage::find(module, &handles);
    let mut ir = reconverge_ir::Module::new();
    let mut shader = Shader::new(module, options, &mut ir, kind, (entry, function), signatures, handles)?;
    let placements = shader.declare_resources(&usages)?;
    shader.function(function, 0)?;
    while let Some(id) = shader.queue.pop() {
        let target = shader.functions[id.index()].expect("invariant: what is queued has a function");
        Body::translate(&mut shader, id, target)?;
    }
    shader.run_for_samples();
    shader.declare_entry(execution_model)?;
    shader.assume_properties(&usages);
    shader.finish_preamble();
    let stated = std::mem::take(&mut shader.assumptions).into_iter();
    let mut assumptions: Vec<Diagnostic> =
        stated.map(|(code, message)| Diagnostic::new(code, Place::Whole, message)).collect();
    assumptions.sort_by_key(|assumption| assumption.code.name);
    let (entry, thread_group) = (shader.entry.name.clone(), shader.properties.thread_group);
    let signatures = std::mem::take(&mut shader.signatures);
    Ok(Translation { module: ir, entry, kind, thread_group, signatures, placements, assumptions })
}

/// The entry point that the options name, or the only one.
fn entry_point(module: &Module, options: &TranslateOptions) -> Result<(EntryPoint, FunctionId), Diagnostic> {
    let entries = module.entry_points()?;
    let mut named = entries.iter().filter(|entry| options.entry.as_ref().is_none_or(|name| *name == entry.name));
    let Some(entry) = named.next() else {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let wanted = options.entry.as_deref().unwrap_or("main");
        let message = format!("expected an entry point with the name {wanted}, found {}", names.join(", "));
        return Err(at_bit(Code::Metadata, 0, message));
    };
    match entry.function.filter(|&function| module.functions[function.index()].is_defined()) {
        Some(function) => Ok((entry.clone(), function)),
        None => Err(at_bit(Code::Metadata, 0, "expected a function with a body as the entry point")),
    }
}

/// Checks that no function calls itself: a depth-first search over calls, with the callees that are left of each function on the way.
fn check_calls(module: &Module, entry: FunctionId) -> Result<(), Diagnostic> {
    let callees = |id: FunctionId| -> Vec<(FunctionId, u64)> {
        let calls =
            module.functions[id.index()].instructions.iter().filter_map(|instruction| match instruction.operation {
                Operation::Call { callee, .. } => Some((module.function_of(callee)?, instruction.offset)),
                _ => None,
            });
        calls.filter(|&(callee, _)| module.functions[callee.index()].is_defined()).collect()
    };
    let (mut is_open, mut is_done) = (vec![false; module.functions.len()], vec![false; module.functions.len()]);
    let mut way = vec![(entry, callees(entry))];
    is_open[entry.index()] = true;
    while let Some((function, left)) = way.last_mut() {
        match left.pop() {
            None => {
                (is_open[function.index()], is_done[function.index()]) = (false, true);
                way.pop();
            }
            Some((callee, offset)) if is_open[callee.index()] => {
                return Err(unsupported(offset, "functions that call themselves are not supported"));
            }
            Some((callee, _)) if is_done[callee.index()] => {}
            Some((callee, _)) => {
                is_open[callee.index()] = true;
                way.push((callee, callees(callee)));
            }
        }
    }
    Ok(())
}

impl Shader<'_> {
    fn declare_entry(&mut self, model: ExecutionModel) -> Result<(), Diagnostic> {
        let function = self.functions[self.entry_function.index()].expect("invariant: the entry point is translated");
        let is_plain = self.build.module().parameters(function).next().is_none()
            && self.build.module().ty(function).is_some_and(|ty| self.build.module().op(ty) == Op::TypeVoid);
        if !is_plain {
            return Err(at_bit(Code::Metadata, 0, "expected an entry point without parameters and result"));
        }
        let name = self.entry.name.clone();
        let mut operands =
            vec![self.build.enumerant(model), function.into(), self.build.editor().text(shader::until_nul(&name))];
        operands.extend(&self.interface.variables);
        self.build.editor().append_global(Op::EntryPoint, None, &operands);
        match model {
            ExecutionModel::GLCompute => {
                let Some(size) = self.properties.thread_group else {
                    return Err(at_bit(Code::Metadata, 0, "expected the numbers of threads of a group"));
                };
                if size.iter().any(|&threads| !(1..=MAX_THREADS).contains(&threads)) {
                    let message = format!("expected 1 to {MAX_THREADS} threads of a group in each dimension");
                    return Err(at_bit(Code::Metadata, 0, message));
                }
                self.execution_mode(function.into(), ExecutionMode::LocalSize, &size);
            }
            ExecutionModel::Fragment => self.fragment_modes(function.into()),
            _ => {}
        }
        Ok(())
    }

    /// States what the shader as a whole leaves open.
    fn assume_properties(&mut self, usages: &[usage::Usage]) {
        if let Some(lanes) = self.properties.wave_size {
            self.assume(
                AssumptionCode::WaveSize,
                &format!("the host runs the shader with {lanes} lanes in a wave, as it requires"),
            );
        }
        let buffers = usages.iter().filter(|usage| usage.is_used && (usage.is_read || usage.is_written)).count();
        if buffers > 1 && usages.iter().any(|usage| usage.is_written) {
            self.assume(AssumptionCode::NoAlias, "resources in different registers do not overlap in memory");
        }
        if self.kind == ShaderKind::Vertex {
            let message = "positions are those of Direct3D, with y up: the host gives the viewport a negative height";
            self.assume(AssumptionCode::ClipSpace, message);
        }
        if self.has_relaxed_numbers {
            self.assume(AssumptionCode::MinPrecision, "numbers of at least 16 bits have 32, with RelaxedPrecision");
        }
    }

    fn fragment_modes(&mut self, function: Inst) {
        self.execution_mode(function, ExecutionMode::OriginUpperLeft, &[]);
        if self.properties.has_early_depth_stencil() {
            self.execution_mode(function, ExecutionMode::EarlyFragmentTests, &[]);
        }
        let Some(depth) = self.interface.depth else { return };
        self.execution_mode(function, ExecutionMode::DepthReplacing, &[]);
        match depth {
            SemanticKind::DepthGreaterEqual => self.execution_mode(function, ExecutionMode::DepthGreater, &[]),
            SemanticKind::DepthLessEqual => self.execution_mode(function, ExecutionMode::DepthLess, &[]),
            _ => {}
        }
    }

    fn execution_mode(&mut self, function: Inst, mode: ExecutionMode, parameters: &[u32]) {
        let mut operands = vec![function, self.build.enumerant(mode)];
        operands.extend(parameters.operands(self.build.editor()));
        self.build.editor().append_global(Op::ExecutionMode, None, &operands);
    }
}
