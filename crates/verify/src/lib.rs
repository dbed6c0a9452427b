//! The verifier: an independent checker of modules, which shares no code with the passes.
//!
//! [`verify`] checks every rule of the IR and, for functions at stage Structured, every structured control flow rule of SPIR-V (section
//! 2.11), and returns all findings. It recomputes dominance with its own code. Each file has one family of rules and lists them at the top;
//! [`Code`] lists all of them. The families share three tables: `layout.rs` has the positions in the module, `graph.rs` the control flow of
//! a function, `dominance.rs` its dominators.
//!
//! | file | family | codes |
//! |---|---|---|
//! | `frame.rs` | existence and placement | I01, I02 |
//! | `signatures.rs` | operands and types by the op table | I03, I04, R13 |
//! | `hoistables.rs` | uniqueness and scope | I05 |
//! | `containment.rs` | parts of types and constants | I13, I14 |
//! | `typing/` | operand and result types of each op | T01 to T14 |
//! | `requirements/` | capabilities, extensions and versions; of whole modules | N1 to N3 |
//! | `annotations/` | decorations and layouts; of whole modules | D01 to D03 |
//! | `entry_points.rs` | entry points, interfaces, modes; of whole modules | E01 to E03 |
//! | `locations.rs` | files of source locations; of whole modules | T14 |
//! | `generics/` | type-level code at stage Generic | G01 to G08, I04, I07 |
//! | `functions.rs` | heads, calls, variables, the order of functions | I06, I07, R7, R13, E05 |
//! | `joins.rs` | reconvergence under an execution mode | E03 |
//! | `models.rs` | instructions of some execution models | R10, E04 |
//! | `blocks.rs` | parameters, terminators, edges, arguments | I08 to I11, R1, R2, R5 |
//! | `terminators.rs` | operands of terminators | R8 to R10, R12 |
//! | `masked.rs` | explicit lanes | L1 to L3 |
//! | `ssa.rs` | definitions dominate uses | R4, R6 |
//! | `structured/merges.rs` | merge instructions | I12, R3, R8, R11, R15 to R17 |
//! | `structured/headers.rs` | headers, back edges, dominance | I12, R14, R18 to R23 |
//! | `structured/exits.rs` | edges that leave or enter constructs | R13, R24 to R28 |
//! | `structured/switches.rs` | case constructs | R24, R29 to R34 |
//!
//! | `motion/` | two versions of a module, before and after code motion; run by [`verify_motion`] | C1 to C6 |
//!
//! Later families depend on earlier ones: for example, a construct needs a header that dominates its merge block. So the families are
//! checked in this order, and a function that violates one is not checked for the next ones. Within a family all violations are found.
//!
//! R35 (return anywhere) permits, R36 (unreachable headers) exempts: neither can be violated.

mod annotations;
mod blocks;
mod calls;
mod code;
mod containment;
mod declared;
mod dominance;
mod entry_points;
mod finding;
mod frame;
mod functions;
mod generics;
mod graph;
mod hoistables;
mod joins;
mod layout;
mod locations;
mod masked;
mod models;
mod motion;
mod report;
mod requirements;
mod signatures;
mod ssa;
mod structured;
mod terminators;
mod typing;

pub use code::Code;
pub use finding::Finding;
pub use motion::{Claims, verify_motion};

use dominance::Dominance;
use graph::{Body, Features};
use layout::Layout;
use reconverge_ir::{Module, Stage};
use report::Report;

/// Checks a module. Returns all findings, in the order of the families in the crate's table, then in program order.
///
/// An empty result means that the module is valid at the stages of its functions. O(instructions · log blocks); no recursion.
///
/// ```
/// use reconverge_ir::{Builder, Module};
/// use reconverge_verify::{Code, verify};
///
/// let mut module = Module::new();
/// let mut build = Builder::new(&mut module);
/// let void = build.void_type();
/// let function = build.add_function(void, &[]);
/// let entry = build.add_block(function);
/// let findings = verify(&module);
/// assert_eq!(findings.len(), 1);
/// assert_eq!((findings[0].code, findings[0].block), (Code::R2, Some(entry)));
/// assert!(findings[0].to_string().starts_with("R2: "));
/// ```
pub fn verify(module: &Module) -> Vec<Finding> {
    judge(module, Extent::Parts)
}

/// Checks a whole module: the rules of [`verify`], and the rules of SPIR-V for complete modules. Capabilities and extensions are declared,
/// decorations have valid targets, entry points have their interfaces and modes.
///
/// Between passes these rules need not hold: a partly lowered kernel mixes OpenCL and Vulkan. A module without a memory model is a
/// fragment, which is not checked for them. A module without a header is checked as version 1.3, the version of the output. At most twice
/// the cost of [`verify`].
pub fn verify_whole(module: &Module) -> Vec<Finding> {
    judge(module, Extent::Whole)
}

/// The extent of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The contents of a module.
    Parts,
    /// The contents and the declarations.
    Whole,
}

fn judge(module: &Module, extent: Extent) -> Vec<Finding> {
    let mut report = Report::new(module);
    let layout = Layout::compute(module);
    let everything = layout.everything(module);
    frame::verify_frame(&mut report, &everything);
    signatures::verify_signatures(&mut report, &everything);
    if report.is_broken_outside_functions() {
        return report.finish();
    }
    hoistables::verify_hoistables(&mut report);
    let before = report.len();
    containment::verify_containment(&mut report, &layout);
    if report.len() > before {
        return report.finish();
    }
    if layout.is_generic() {
        generics::verify_generics(&mut report, &everything);
    }
    if report.is_broken_outside_functions() {
        return report.finish();
    }
    let context = typing::Context::of(module, &layout, extent);
    typing::verify_types(&mut report, &context, layout.declarations());
    if context.declared.is_whole {
        locations::verify_locations(&mut report, &everything);
        requirements::verify_needs(&mut report, &context.declared, &everything);
        annotations::verify_annotations(&mut report, &context, &layout, &everything);
        entry_points::verify_entry_points(&mut report, &context.declared, &layout);
        functions::verify_order(&mut report, &layout);
    }
    functions::verify_functions(&mut report, &layout);
    models::verify_models(&mut report, &context, &layout);
    let features = Features::of(module, &layout);
    for function in layout.functions() {
        verify_body(&mut report, &Body::of_extent(module, &layout, function), &features);
        if !report.is_broken(function.function) {
            typing::verify_types(&mut report, &context, layout.lines(function));
        }
    }
    if context.declared.is_whole {
        joins::verify_joins(&mut report, &layout);
    }
    report.finish()
}

fn verify_body(report: &mut Report<'_>, body: &Body<'_>, features: &Features) {
    if report.is_broken(body.function) || body.blocks.is_empty() {
        return;
    }
    let before = report.len();
    blocks::verify_shape(report, body);
    if report.len() > before {
        return;
    }
    let graph = body.flow_graph();
    blocks::verify_edges(report, body, features, &graph);
    terminators::verify_terminators(report, body);
    masked::verify_masked(report, body);
    let dominance = Dominance::compute(&graph, 0);
    ssa::verify_ssa(report, body, &dominance);
    if body.module.stage(body.function) == Stage::Structured && report.len() == before {
        structured::verify_structured(report, body, features, &graph, &dominance);
    }
}
