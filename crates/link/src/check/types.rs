//! Comparison of types of two modules.
//!
//! ```text
//! u32 (u32, Function %node*)          %node  = struct {u32, Function %node*}
//! u32 (u32, Function %knot*)          %knot  = struct {u32, Function %knot*}      equal, if both have one name
//! ```
//!
//! Pairs of types are compared by op, literals, decorations without names, and the pairs of what they name, by a worklist. A pair that is
//! under comparison counts as equal: two types differ only if some path leads to a difference, so types that name themselves are compared
//! like all others (Amadio and Cardelli, *Subtyping recursive types*, 1993). Structs also have to have equal names, except for a number that
//! the front end adds; structs that are symbols are compared by their definitions. Linear in the types; no recursion.

use std::fmt;

use reconverge_ir::{Class, Inst, Module, Op, view};
use rustc_hash::FxHashSet;

use crate::error::Site;
use crate::reach::Reached;
use crate::{Input, Symbol, type_text};

/// The first difference of two types.
#[derive(Debug)]
pub(crate) struct Difference {
    /// From the whole types to the parts that differ.
    path: Vec<String>,
    what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path.join(", "))?;
        }
        formatter.write_str(&self.what)
    }
}

/// Compares types, and remembers which are equal.
pub(crate) struct Comparison<'a, I> {
    inputs: &'a [I],
    reached: &'a Reached,
    equal: FxHashSet<(Site, Site)>,
}

/// A pair to compare, and how it was found.
struct Pair {
    left: Site,
    right: Site,
    /// The pair that names it, and as what.
    origin: Option<(usize, String)>,
}

/// How many steps of the path to a difference are shown.
const STEPS: usize = 8;

impl<'a, I: Input> Comparison<'a, I> {
    pub(crate) fn new(inputs: &'a [I], reached: &'a Reached) -> Comparison<'a, I> {
        Comparison { inputs, reached, equal: FxHashSet::default() }
    }

    /// Compares two types.
    pub(crate) fn compare(&mut self, left: Site, right: Site) -> Result<(), Difference> {
        let mut pairs = vec![Pair { left, right, origin: None }];
        let mut open = vec![0];
        let mut met: FxHashSet<(Site, Site)> = FxHashSet::default();
        while let Some(number) = open.pop() {
            // What is compared is compared itself, and what it names by its definition.
            let definition = |site: Site| if number == 0 { site } else { self.reached.definition(site) };
            let [left, right] = [pairs[number].left, pairs[number].right].map(definition);
            if left == right || self.equal.contains(&(left, right)) || !met.insert((left, right)) {
                continue;
            }
            let parts = match self.parts(left, right) {
                Ok(parts) => parts,
                Err(what) => return Err(difference(&pairs, number, what)),
            };
            let first = pairs.len();
            pairs.extend(parts.into_iter().map(|(left, right, step)| Pair {
                left,
                right,
                origin: Some((number, step)),
            }));
            open.extend((first..pairs.len()).rev());
        }
        self.equal.extend(met);
        Ok(())
    }

    /// The pairs that decide whether two instructions are equal, if they agree otherwise.
    fn parts(&self, left: Site, right: Site) -> Result<Vec<(Site, Site, String)>, String> {
        let (ours, theirs) = (self.inputs[left.input].module(), self.inputs[right.input].module());
        let (op, other) = (ours.op(left.inst), theirs.op(right.inst));
        let texts = || format!("{} and {}", shown(ours, left.inst), shown(theirs, right.inst));
        if op != other || ours.operand_count(left.inst) != theirs.operand_count(right.inst) {
            return Err(texts());
        }
        if op == Op::TypeStruct || op == Op::TypeOpaque {
            let symbols = [(ours, left), (theirs, right)].map(|(module, site)| Symbol::of(module, site.inst).next());
            let names =
                [(ours, left), (theirs, right)].map(|(module, site)| module.name(site.inst).unwrap_or_default());
            let is_same = match &symbols {
                [Some(ours), Some(theirs)] => ours.name == theirs.name,
                _ => base_name(&names[0]) == base_name(&names[1]),
            };
            if !is_same {
                return Err(format!("a struct {:?} and a struct {:?}", names[0], names[1]));
            }
        } else if !op.is_hoistable() {
            return Err(format!("{} of its own in each module", op.name()));
        }
        if identity(ours, left.inst) != identity(theirs, right.inst) {
            return Err(format!("the decorations of {}", texts()));
        }
        let mut parts = Vec::new();
        let pair = |left_inst, right_inst, step: &str| {
            (Site { inst: left_inst, ..left }, Site { inst: right_inst, ..right }, step.to_owned())
        };
        if let (Some(left), Some(right)) = (ours.ty(left.inst), theirs.ty(right.inst)) {
            parts.push(pair(left, right, "type"));
        }
        for (number, (left, right)) in ours.operands(left.inst).zip(theirs.operands(right.inst)).enumerate() {
            let is_literal = [ours.op(left), theirs.op(right)].map(Op::is_literal);
            match is_literal {
                [true, true] if ours.literal_words(left) == theirs.literal_words(right) => {}
                [false, false] => parts.push(pair(left, right, &step(op, number))),
                _ => return Err(texts()),
            }
        }
        Ok(parts)
    }
}

fn difference(pairs: &[Pair], number: usize, what: String) -> Difference {
    let origins = std::iter::successors(pairs[number].origin.as_ref(), |(parent, _)| pairs[*parent].origin.as_ref());
    let mut path: Vec<String> = origins.map(|(_, step)| step.clone()).collect();
    path.reverse();
    path.truncate(STEPS);
    Difference { path, what }
}

/// What an operand of a type is.
fn step(op: Op, operand: usize) -> String {
    match (op, operand) {
        (Op::TypeFunction, 0) => "result".to_owned(),
        (Op::TypeFunction, _) => format!("parameter {operand}"),
        (Op::TypeStruct, _) => format!("member {operand}"),
        (Op::TypePointer, _) => "pointee".to_owned(),
        (Op::TypeArray, 1) => "length".to_owned(),
        (Op::TypeArray | Op::TypeRuntimeArray, _) => "element".to_owned(),
        _ => format!("operand {operand}"),
    }
}

fn shown(module: &Module, inst: Inst) -> String {
    match module.constant_bits(inst) {
        Some(value) => value.to_string(),
        None => type_text(module, inst),
    }
}

/// The name of a struct without the number that front ends add where a name is taken: `struct.anon.3` is `struct.anon`.
pub(crate) fn base_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// The decorations that belong to a type, in a fixed order: all except names, and the linkage of what is nominal, which was bound before.
fn identity(module: &Module, inst: Inst) -> Vec<(Op, Vec<Vec<u32>>)> {
    let notes = module.decorations(inst).iter().copied();
    let notes = notes.filter(|&note| belongs_to_identity(module, inst, note));
    let mut all: Vec<(Op, Vec<Vec<u32>>)> = notes
        .map(|note| {
            let words = module.operands(note).map(|operand| module.literal_words(operand).to_vec());
            (module.op(note), words.collect())
        })
        .collect();
    all.sort_unstable();
    all
}

/// Whether a decoration is part of what a type is.
pub(crate) fn belongs_to_identity(module: &Module, inst: Inst, note: Inst) -> bool {
    let is_name = matches!(module.op(note), Op::Name | Op::MemberName);
    let is_bound = !module.op(inst).is_hoistable() && is_linkage(module, note);
    module.op(note).class() == Class::Decoration && !is_name && !is_bound
}

/// Whether a decoration is a name for other modules.
pub(crate) fn is_linkage(module: &Module, note: Inst) -> bool {
    let kind = view::Decorate::of(module, note).and_then(|note| note.decoration);
    kind == Some(spirv::Decoration::LinkageAttributes)
}
