//! Kernels for this CPU, in the forms that may be the fastest.
//!
//! ```text
//! LAUNCH … SCALARS ──┬─────────────────────────────▶ select, assemble      one lane
//!                    └─ LOOPS ──┬─ mask, 16 lanes ─▶ select, assemble      one vector for a value
//!                               └─ mask, 32 lanes ─▶ select, assemble      two
//! ```
//!
//! All forms share what does not depend on the number of lanes. Which forms are made depends on the code of those before ([`KernelForms`]):
//! more vectors if no branch diverges and registers are left, one lane if lanes diverge. One form is made where only one can run: it is
//! requested, the kernel observes the size of its subgroups, or a launch has too few work-groups for a trial.

use std::fmt;
use std::sync::Arc;

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::{Function, Module, Op, OpGroup, decoration};
use reconverge_lanes::{Facts, LaunchFacts, MachineName};
use reconverge_lanes_cpu::machine::{Level, has_vector_popcnt};
use reconverge_lanes_cpu::select::arithmetic::Features;
use reconverge_lanes_cpu::select::{Isa, Pack, Specialization};
use reconverge_lanes_cpu::{CpuCode, FormRequest, Kernel, KernelForms, Why, check_size};
use reconverge_legalize::Machine;
use reconverge_opencl::{FloatAtomics, Fma, KernelOptions};
use spirv::BuiltIn;

use crate::pipeline::{self, LAUNCH, LOOPS, MASKS, OPTIMIZATIONS, SCALARS};
use crate::{CodegenError, Request};

/// The CPU in messages.
pub(crate) const NAME: MachineName = MachineName {
    title: "the CPU engine",
    unsupported: CpuCode::Unsupported.declared(),
    limit: CpuCode::Unsupported.declared(),
};

/// The integers of the CPU, as the passes of legalization see them. Its selector divides by constants: it knows which dividends are small, and
/// which quotients all lanes of a pack share.
pub const MACHINE: Machine = Machine::complete(CpuCode::Unsupported.declared());

/// One lane at a time.
const ONE_LANE: Pack = Pack { isa: Isa::Scalar, vectors: 1 };

/// Options for kernels of this CPU. Its fused product and sum rounds once, which makes `exp`, `log` and others faster. The engine forms no FMA of
/// its own: only an `fma` or `mad` of the front end is one.
pub fn kernel_options() -> KernelOptions {
    KernelOptions::new().fma(Fma::Fused).float_atomics(FloatAtomics::Exchanged)
}

/// Makes code of an entry point of a module, a compute shader at stage Structured, in the requested forms. The module is verified first.
/// Near-linear in the result of inlining.
///
/// # Errors
/// The module is invalid, the request does not fit it, the engine does not support it, or this CPU does not support the engine.
pub fn compile(module: &Module, request: &Request, forms: FormRequest) -> Result<KernelForms, CodegenError> {
    request.verify(module)?;
    let isa = requested_isa(forms.width)?;
    if let Some(vectors) = forms.vectors.filter(|vectors| !matches!(vectors, 1 | 2 | 4)) {
        return Err(no_cpu(format!("values have no {vectors} vectors, but 1, 2 or 4")));
    }
    let mut kernel = SharedForms::new(module, request)?;
    let first = Pack { isa, vectors: forms.vectors.filter(|_| isa != Isa::Scalar).unwrap_or(1) };
    let is_default = forms == FormRequest::default();
    let observes = kernel.observes_subgroup_size;
    let only = match () {
        () if !is_default => Some(Why::Requested),
        () if observes => Some(Why::ObservesSubgroupSize),
        () if Why::among_forms(count(request.groups)) == Why::FewGroups => Some(Why::FewGroups),
        () => None,
    };
    let made = match kernel.make(first) {
        // A function that is too large for many lanes may not be too large for one.
        Err(error) if error.is_unsupported() && is_default && !observes && isa != Isa::Scalar => {
            return Ok(KernelForms::new(vec![kernel.make(ONE_LANE)?], Some(Why::Only)));
        }
        made => vec![made?],
    };
    let has_choice = forms.vectors.is_none() && !observes && only != Some(Why::FewGroups) && isa != Isa::Scalar;
    let made = if has_choice { kernel.add_wider_forms(made, isa)? } else { made };
    let made = if has_choice && is_default { kernel.add_scalar_form(made)? } else { made };
    let only = if made.len() > 1 { None } else { only.or(Some(Why::Only)) };
    Ok(KernelForms::new(made, only))
}

/// The common part of the forms of a kernel.
struct SharedForms<'a> {
    request: &'a Request,
    function: Function,
    /// True if the kernel can observe the number of lanes that execute together. Such a kernel has one form.
    observes_subgroup_size: bool,
    /// The module after [`SCALARS`].
    scalars: Arc<Module>,
    /// The module after [`LOOPS`], once a form with several lanes is made.
    loops: Option<Module>,
}

impl<'a> SharedForms<'a> {
    fn new(module: &Module, request: &'a Request) -> Result<SharedForms<'a>, CodegenError> {
        let mut scalars = module.clone();
        let function = request.function(&scalars)?;
        checked_size(request)?;
        pipeline::run(&mut scalars, function, request.facts(NAME), MACHINE, &[LAUNCH])?;
        request.check_size(&scalars, function)?;
        // Operations of a work-group become those of subgroups later, whose result does not depend on the size.
        let observes_subgroup_size = observes_subgroup_size(&scalars, function);
        let facts = LaunchFacts { inputs: specialization(request, ONE_LANE).facts(), ..request.facts(NAME) };
        pipeline::run(&mut scalars, function, facts, MACHINE, &[OPTIMIZATIONS, SCALARS])?;
        Ok(SharedForms { request, function, observes_subgroup_size, scalars: Arc::new(scalars), loops: None })
    }

    /// Makes the code for a pack.
    fn make(&mut self, pack: Pack) -> Result<Kernel, CodegenError> {
        let specialization = specialization(self.request, pack);
        let function = self.function;
        let module = match pack.isa {
            Isa::Scalar => Arc::clone(&self.scalars),
            _ => Arc::new(self.masked(&specialization)?),
        };
        Kernel::new(Arc::clone(&module), function, specialization)
            .map_err(|error| CodegenError::new(error, &module, function))
    }

    fn masked(&mut self, specialization: &Specialization) -> Result<Module, CodegenError> {
        let facts = LaunchFacts { inputs: specialization.facts(), ..self.request.facts(NAME) };
        let loops = match self.loops.take() {
            Some(loops) => loops,
            None => {
                let mut module = Module::clone(&self.scalars);
                pipeline::run(&mut module, self.function, self.request.facts(NAME), MACHINE, &[LOOPS])?;
                module
            }
        };
        let mut masked = self.loops.insert(loops).clone();
        pipeline::run(&mut masked, self.function, facts, MACHINE, &[MASKS])?;
        Ok(masked)
    }

    /// Adds the forms with more vectors that may be faster than the first one.
    fn add_wider_forms(&mut self, mut made: Vec<Kernel>, isa: Isa) -> Result<Vec<Kernel>, CodegenError> {
        let has_barriers = any_group(&self.scalars, self.function, OpGroup::ControlBarrier);
        let local = self.request.local;
        let more = |vectors| Some(Pack { isa, vectors }).filter(|&pack| fits(pack, local));
        if let Some(pack) = more(if has_barriers { 4 } else { 2 }) {
            made.extend(unless_unsupported(self.make(pack))?);
        }
        if let Some(pack) = more(4).filter(|_| !has_barriers && made.last().is_some_and(Kernel::has_free_registers)) {
            made.extend(unless_unsupported(self.make(pack))?);
        }
        Ok(made)
    }

    /// Adds the form with one lane if it may be faster than the first one.
    fn add_scalar_form(&mut self, mut made: Vec<Kernel>) -> Result<Vec<Kernel>, CodegenError> {
        if made[0].scalar_may_win() {
            made.extend(unless_unsupported(self.make(ONE_LANE))?);
        }
        Ok(made)
    }
}

/// The inputs of a launch, for the widest pack of this CPU with one vector for a value.
pub(crate) fn inputs(request: &Request) -> Result<Facts, CodegenError> {
    checked_size(request)?;
    Ok(widest(request)?.facts())
}

/// Selects and assembles the code of a masked function for the widest pack of this CPU with one vector for a value.
pub(crate) fn assemble(module: &Module, function: Function, request: &Request) -> Result<Kernel, CodegenError> {
    let kernel = Kernel::new(Arc::new(module.clone()), function, widest(request)?);
    kernel.map_err(|error| CodegenError::new(error, module, function))
}

fn widest(request: &Request) -> Result<Specialization, CodegenError> {
    let isa = match requested_isa(None)? {
        // Masked code is for vectors: the error names what they need.
        Isa::Scalar => requested_isa(Some(Level::Avx2.lanes()))?,
        isa => isa,
    };
    Ok(specialization(request, Pack { isa, vectors: 1 }))
}

/// The specialization for a pack, with the features of this CPU.
fn specialization(request: &Request, pack: Pack) -> Specialization {
    let Request { local, groups, bounds, .. } = *request;
    let features =
        Features { has_vector_popcnt: has_vector_popcnt(), has_avx512: Level::of_this_cpu() == Some(Level::Avx512) };
    Specialization { local, groups, pack, features, bounds }
}

fn checked_size(request: &Request) -> Result<(), CodegenError> {
    check_size(request.local).map_err(|error| CodegenError::of_kernel(error, &request.entry_point))
}

/// The work-groups of all dimensions.
fn count(groups: [u32; 3]) -> u64 {
    groups.into_iter().map(u64::from).fold(1, u64::saturating_mul)
}

fn no_cpu(what: impl fmt::Display) -> CodegenError {
    let message = format!("the CPU engine cannot run here: {what}");
    CodegenError::whole(Diagnostic::new(CpuCode::Unsupported, Place::Whole, message))
}

/// A form that need not be there.
fn unless_unsupported(form: Result<Kernel, CodegenError>) -> Result<Option<Kernel>, CodegenError> {
    match form {
        Err(error) if error.is_unsupported() => Ok(None),
        form => form.map(Some),
    }
}

/// The instructions for vectors of a number of lanes, or the widest of this CPU.
fn requested_isa(width: Option<u32>) -> Result<Isa, CodegenError> {
    let Some(level) = Level::of_this_cpu() else {
        return Err(no_cpu("it needs an x86-64 with AVX, BMI1, BMI2, LZCNT and POPCNT"));
    };
    match width.unwrap_or(level.lanes()) {
        1 => Ok(Isa::Scalar),
        8 if level >= Level::Avx2 => Ok(Isa::Avx2),
        8 => Err(no_cpu("vectors of 8 lanes need AVX2, FMA and F16C")),
        16 if level >= Level::Avx512 => Ok(Isa::Avx512),
        16 => Err(no_cpu("vectors of 16 lanes need AVX-512 F, DQ, BW, VL and CD")),
        other => Err(no_cpu(format!("there are no vectors of {other} lanes, but of 1, 8 and 16"))),
    }
}

/// Returns true if the lanes of a pack are in one row of the work-group.
fn fits(pack: Pack, local: [u32; 3]) -> bool {
    let lanes = pack.lanes();
    if local[1] == 1 && local[2] == 1 { lanes <= local[0] } else { local[0].is_multiple_of(lanes) }
}

/// Returns true if a kernel can observe the number of lanes that execute together.
fn observes_subgroup_size(module: &Module, function: Function) -> bool {
    let is_subgroup = |built_in: BuiltIn| {
        matches!(
            built_in,
            BuiltIn::SubgroupSize
                | BuiltIn::SubgroupId
                | BuiltIn::NumSubgroups
                | BuiltIn::SubgroupLocalInvocationId
                | BuiltIn::SubgroupMaxSize
        )
    };
    let mut variables = module.globals().filter(|&inst| module.op(inst) == Op::Variable);
    let reads = variables.any(|variable| {
        module.decorated(variable).find().is_some_and(|decoration::BuiltIn(built_in)| is_subgroup(built_in))
    });
    reads || any_group(module, function, OpGroup::Subgroup)
}

fn any_group(module: &Module, function: Function, group: OpGroup) -> bool {
    let mut insts = module.blocks(function).flat_map(|block| module.children(block));
    insts.any(|inst| module.op(inst).group() == group)
}
