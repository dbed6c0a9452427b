//! Replaces small selections by selects.
//!
//! ```text
//!      if %c ^then ^else merge ^m                 ^then's and ^else's instructions
//!        ╱     ╲                                  %p = select %c, %x, %y
//!     ^then    ^else                   ⇒          (what stood in ^m)
//!  ^m(%x)╲     ╱ ^m(%y)
//!          ^m(%p)
//! ```
//!
//! *Requires* a structured function. *Preserves* stage Structured and every value. *Breaks* nothing: both arms contain only instructions
//! that may be speculated (`speculation.rs`), both lead to the merge block, and no other edge does. So every lane that reaches the
//! selection reaches the merge block together with the same lanes as before, and no tangled instruction moves.
//!
//! The limit of the cost is an option: the cost of both arms, plus one for each selected scalar. The selection control has priority:
//! `Flatten` raises the limit, `DontFlatten` forbids the conversion. A parameter that gets the same value from both arms needs no select,
//! and one that gets true and false is the condition. Types: scalars and pointers always; vectors by a vector of conditions before SPIR-V
//! 1.4 and by a scalar condition from 1.4 on; matrices, arrays and structs from SPIR-V 1.4 on (section 3.3.15, `OpSelect`).
//!
//! Inner selections first, so that an arm that contained one may be small after its conversion. The measure is the number of selections;
//! each change reduces it. Near-linear: an instruction moves once for each converted selection around it, and the limit bounds their
//! number.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::operand;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Function, Inst, Location, Module, Op, Position, Terminator};
use reconverge_rewrite::debug_values::forget_blocks;
use rustc_hash::FxHashSet;
use spirv::SelectionControl;

use super::shape::spirv_version;
use super::speculation::{cost, hoist, pin_locations};
use crate::merge_blocks::join_following;

/// Limits of the cost of a selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelectLimits {
    /// The maximal cost of the arms and selects of a selection without a control.
    pub plain: u32,
    /// The same for a selection with `Flatten`.
    pub flatten: u32,
}

impl Default for SelectLimits {
    fn default() -> SelectLimits {
        SelectLimits { plain: 8, flatten: 64 }
    }
}

/// [`if_conversion_within`] with the default limits.
///
/// # Errors
/// None.
pub fn if_conversion(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    if_conversion_within(module, function, SelectLimits::default())
}

/// Converts every selection whose cost is within the limits. Returns whether there was one.
///
/// # Errors
/// None.
pub fn if_conversion_within(module: &mut Module, function: Function, limits: SelectLimits) -> Result<bool, Diagnostic> {
    let terminators = module.blocks(function).filter_map(|block| module.terminator(block));
    let selections: Vec<Terminator> = terminators.filter(|&terminator| module.op(terminator) == Op::If).collect();
    if selections.is_empty() {
        return Ok(false);
    }
    let composites = match spirv_version(module) >= VERSION_1_4 {
        true => SelectShape::ByScalar,
        false => SelectShape::ByVector,
    };
    let mut headers: Vec<Block> = Vec::new();
    let mut pending: FxHashSet<Block> = FxHashSet::default();
    for &selection in selections.iter().rev() {
        for way in [operand::TRUE, operand::FALSE] {
            join_arm(module, selection, way, &mut pending);
        }
        if let Some(flat) = Flat::read(module, selection, composites)
            && flat.price <= limit(module, selection, limits)
        {
            let header = flat.write(module);
            headers.push(header);
            pending.insert(header);
        }
    }
    for &header in headers.iter().rev() {
        if module.is_live(header) {
            join_following(module, header);
        }
    }
    Ok(!headers.is_empty())
}

/// Merges the blocks of an arm that begins with a converted selection. Blocks are merged from first to last, here or at the end: in the
/// other order, one block would replace all those before it one by one.
fn join_arm(module: &mut Module, selection: Terminator, way: usize, pending: &mut FxHashSet<Block>) {
    let target: Option<Block> = module.cast(module.operand(selection, way));
    if let Some(header) = target.filter(|target| pending.remove(target)) {
        join_following(module, header);
    }
}

/// SPIR-V version 1.4 as a word of the header (section 2.3).
const VERSION_1_4: u32 = 0x0001_0400;

/// The maximal cost of a selection, by its selection control.
fn limit(module: &Module, selection: Terminator, limits: SelectLimits) -> u32 {
    match view::If::of(module, selection) {
        Some(selection) if selection.control.contains(SelectionControl::FLATTEN) => limits.flatten,
        _ => limits.plain,
    }
}

/// A selection that can be converted.
struct Flat {
    selection: Terminator,
    merge: Block,
    /// The blocks of the non-empty arms.
    arms: Vec<Block>,
    /// For each parameter of the merge block the arguments of the true and the false arm.
    passed: Vec<(Inst, Inst)>,
    by_vector: Vec<bool>,
    price: u32,
}

impl Flat {
    fn read(module: &Module, selection: Terminator, composites: SelectShape) -> Option<Flat> {
        let control = view::If::of(module, selection)?.control;
        let merge = module.merge_block(selection)?;
        if control.contains(SelectionControl::DONT_FLATTEN) || module.in_edges(merge).count() != 2 {
            return None;
        }
        let mut flat = Flat { selection, merge, arms: Vec::new(), passed: Vec::new(), by_vector: Vec::new(), price: 0 };
        let [yes, no] = [operand::TRUE, operand::FALSE].map(|way| flat.read_arm(module, way));
        flat.passed = yes?.into_iter().zip(no?).collect();
        for (&(yes, no), parameter) in flat.passed.iter().zip(module.parameters(merge)) {
            let ty = module.ty(parameter)?;
            let shape = SelectShape::of(module, ty, composites);
            if yes != no {
                flat.price = flat.price.saturating_add(shape?.scalars(module, ty));
            }
            flat.by_vector.push(shape == Some(SelectShape::ByVector));
        }
        (!flat.passed.is_empty()).then_some(flat)
    }

    /// The arguments of an arm, if it contains only instructions that may be speculated.
    fn read_arm(&mut self, module: &Module, way: usize) -> Option<Vec<Inst>> {
        let target: Block = module.cast(module.operand(self.selection, way))?;
        if target == self.merge {
            return Some(Vec::new());
        }
        let jump = module.terminator(target).filter(|&jump| module.op(jump) == Op::Branch)?;
        let is_arm =
            module.uses(target).take(2).count() == 1 && module.operand(jump, operand::TARGET) == self.merge.inst();
        for inst in module.children(target).filter(|&inst| inst != jump.inst()) {
            self.price = self.price.saturating_add(cost(module, inst).filter(|_| is_arm)?);
        }
        self.arms.push(target);
        is_arm.then(|| module.arguments(jump).collect())
    }

    /// Replaces the selection by selects. Returns its header, which now jumps to the merge block.
    fn write(self, module: &mut Module) -> Block {
        let header = module.block_of(self.selection).expect("invariant: a terminator stands in a block");
        let inside: Vec<Inst> = self.arms.iter().flat_map(|&arm| module.children(arm)).collect();
        let location = module.location(self.selection);
        let is_located = location.is_some() || inside.iter().any(|&inst| module.explicit_location(inst).is_some());
        for &arm in &self.arms {
            let inside: Vec<Inst> = module.children(arm).filter(|&inst| !module.op(inst).is_terminator()).collect();
            if is_located {
                pin_locations(module, &inside);
            }
            inside.into_iter().for_each(|inst| hoist(module, inst, self.selection.into()));
        }
        let is_hoisted = inside.len() > self.arms.len();
        if is_hoisted && is_located && module.explicit_location(self.selection).is_none() {
            module.edit().set_location(self.selection, Some(location.unwrap_or(Location::NONE)));
        }
        self.select(module);
        module.edit().replace_terminator(header, Op::Branch, &[self.merge.into()]);
        forget_blocks(module, &self.arms, self.merge);
        self.arms.iter().for_each(|&arm| module.edit().delete(arm));
        header
    }

    /// Replaces the parameters of the merge block by selects.
    fn select(&self, module: &mut Module) {
        let parameters: Vec<Inst> = module.parameters(self.merge).map(Inst::from).collect();
        let location = module.explicit_location(self.selection);
        let mut conditions = Conditions::new(module.operand(self.selection, operand::CONDITION), self.selection);
        for ((parameter, &(yes, no)), &by_vector) in parameters.into_iter().zip(&self.passed).zip(&self.by_vector) {
            let ty = module.ty(parameter).expect("invariant: a parameter has a type");
            let value = match (module.op(yes), module.op(no)) {
                _ if yes == no => yes,
                (Op::ConstantTrue, Op::ConstantFalse) => conditions.scalar,
                _ => {
                    let condition = if by_vector { conditions.vector(module, ty) } else { conditions.scalar };
                    let decorations = module.decorations(parameter).to_vec();
                    let mut editor = module.edit();
                    let place = Position::Before(self.selection.into());
                    let select = editor.insert(place, Op::Select, Some(ty), &[condition, yes, no]);
                    editor.set_location(select, location);
                    decorations.into_iter().for_each(|decoration| editor.decorate(select, decoration));
                    select
                }
            };
            module.edit().replace_all_uses(parameter, value);
            reconverge_rewrite::removal::remove(module, parameter);
        }
    }
}

/// The form of a selection between values of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SelectShape {
    /// By a scalar condition.
    ByScalar,
    /// By a vector of conditions, one for each component.
    ByVector,
}

impl SelectShape {
    /// The shape for a type, given that of composites: by a scalar since SPIR-V 1.4, before it by a vector, and vectors only.
    fn of(module: &Module, ty: Inst, composites: SelectShape) -> Option<SelectShape> {
        match module.op(ty) {
            Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer => Some(SelectShape::ByScalar),
            Op::TypeVector => Some(composites),
            Op::TypeMatrix | Op::TypeArray | Op::TypeStruct => {
                Some(composites).filter(|&shape| shape == SelectShape::ByScalar)
            }
            _ => None,
        }
    }

    /// The cost of selecting a value: one for each scalar; components of matrices, arrays and structs count as one.
    fn scalars(self, module: &Module, ty: Inst) -> u32 {
        match module.type_view(ty) {
            Some(TypeView::Vector { count, .. } | TypeView::Matrix { count, .. }) => count,
            Some(TypeView::Struct { members }) => members.len() as u32,
            Some(TypeView::Array { .. }) => {
                let length = reconverge_analysis::array_length(module, ty);
                length.ok().and_then(|length| u32::try_from(length).ok()).unwrap_or(u32::MAX)
            }
            _ => 1,
        }
    }
}

/// The condition of a selection, and the vectors of it.
struct Conditions {
    scalar: Inst,
    selection: Terminator,
    /// The vectors by number of components.
    vectors: Vec<(u32, Inst)>,
}

impl Conditions {
    fn new(scalar: Inst, selection: Terminator) -> Conditions {
        Conditions { scalar, selection, vectors: Vec::new() }
    }

    /// The vector with as many conditions as a type has components.
    fn vector(&mut self, module: &mut Module, ty: Inst) -> Inst {
        let (_, number) = module.components(ty);
        if let Some(&(_, vector)) = self.vectors.iter().find(|&&(known, _)| known == number) {
            return vector;
        }
        let boolean = module.ty(self.scalar).expect("invariant: a condition has a type");
        let location = module.explicit_location(self.selection);
        let mut editor = module.edit();
        let count = editor.word(number);
        let ty = editor.unique(Op::TypeVector, None, &[boolean, count]);
        let place = Position::Before(self.selection.into());
        let vector = editor.insert(place, Op::CompositeConstruct, Some(ty), &vec![self.scalar; number as usize]);
        editor.set_location(vector, location);
        self.vectors.push((number, vector));
        vector
    }
}
