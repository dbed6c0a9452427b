//! Comparison of types of two modules.
//!
//! ```text
//! u32 (u32, Function %node*)          %node  = struct {u32, Function %node*}
//! u32 (u32, Function %knot*)          %knot  = struct {u32, Function %knot*}      equal, if both have one name
//! ```
//!
//! Pairs of types are compared by op, literals, decorations without names, and the pairs of types that they name, by a worklist. A pair
//! that is under comparison counts as equal: two types differ only if some path leads to a difference, so types that name themselves are
//! compared like all others (Amadio and Cardelli, *Subtyping recursive types*, 1993). Structs also must have equal names, except for a
//! number that the front end adds; structs that are symbols are compared by their definitions. Linear in the types; no recursion.
//!
//! Generics and interfaces are compared in the same way, by the parts in which modules must agree (`contract.rs`). The parameters of two
//! generics are equal pair by pair; the parts of two interfaces were bound to each other when they were reached.

use std::fmt;

use reconverge_ir::{Class, Inst, Module, Op, view};
use rustc_hash::FxHashSet;

use crate::contract;
use crate::error::Site;
use crate::reach::Reached;
use crate::{Input, Symbol, type_text};

/// The first difference of two types.
#[derive(Debug)]
pub(crate) struct Difference {
    /// The path from the whole types to the parts that differ.
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

/// Compares types, and records equal pairs.
pub(crate) struct Comparison<'a, I> {
    inputs: &'a [I],
    reached: &'a Reached,
    equal: FxHashSet<(Site, Site)>,
}

/// A pair to compare, and its origin.
struct Pair {
    left: Site,
    right: Site,
    /// The pair that names it, and its role there.
    origin: Option<(usize, String)>,
}

/// Parts of two instructions that have to be equal.
struct Parts {
    left: Site,
    right: Site,
    /// Their role.
    step: String,
}

/// The number of steps of the path to a difference that are shown.
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
            // The compared types are used as given, and the types that they name are replaced by their definitions.
            let definition = |site: Site| if number == 0 { site } else { self.reached.definition(site) };
            let [left, right] = [pairs[number].left, pairs[number].right].map(definition);
            if left == right || self.equal.contains(&(left, right)) || !met.insert((left, right)) {
                continue;
            }
            let parts = match number {
                0 => self.whole_parts(left, right),
                _ => self.inner_parts(left, right),
            };
            let parts = match parts {
                Ok(parts) => parts,
                Err(what) => return Err(difference(&pairs, number, what)),
            };
            let first = pairs.len();
            pairs.extend(parts.into_iter().map(|parts| Pair {
                left: parts.left,
                right: parts.right,
                origin: Some((number, parts.step)),
            }));
            open.extend((first..pairs.len()).rev());
        }
        self.equal.extend(met);
        Ok(())
    }

    /// The pairs that decide whether two instructions in others are equal, if they agree otherwise. Generics and interfaces are known by
    /// their contents if they are in a generic; otherwise each is only equal to itself.
    fn inner_parts(&mut self, left: Site, right: Site) -> Result<Vec<Parts>, String> {
        let (ours, theirs) = (self.inputs[left.input].module(), self.inputs[right.input].module());
        let is_global = ours.parent(left.inst) == Some(ours.root());
        match [ours.op(left.inst), theirs.op(right.inst)] {
            [Op::Generic, Op::Generic] | [Op::Interface, Op::Interface] if is_global => self.parts(left, right),
            _ => self.whole_parts(left, right),
        }
    }

    /// The same for the instructions that are compared themselves: generics and interfaces are known by their contents.
    fn whole_parts(&mut self, left: Site, right: Site) -> Result<Vec<Parts>, String> {
        let (ours, theirs) = (self.inputs[left.input].module(), self.inputs[right.input].module());
        match [ours.op(left.inst), theirs.op(right.inst)] {
            [Op::Generic, Op::Generic] | [Op::Interface, Op::Interface] => self.contract(left, right),
            [Op::GenericParameter, _] | [_, Op::GenericParameter] | [Op::Requirement, _] | [_, Op::Requirement] => {
                Err(format!("{} and {}", shown(ours, left.inst), shown(theirs, right.inst)))
            }
            _ => self.parts(left, right),
        }
    }

    /// The pairs that determine whether two generics or interfaces are equal.
    fn contract(&mut self, left: Site, right: Site) -> Result<Vec<Parts>, String> {
        let (ours, theirs) = (self.inputs[left.input].module(), self.inputs[right.input].module());
        let is_interface = ours.op(left.inst) == Op::Interface;
        let parts = [(ours, left), (theirs, right)].map(|(module, site)| contract::parts(module, site.inst).collect());
        let [our_parts, their_parts]: [Vec<Inst>; 2] = parts;
        if our_parts.len() != their_parts.len() {
            let what = if is_interface { "parts" } else { "parameters" };
            return Err(format!("{} {what} and {}", our_parts.len(), their_parts.len()));
        }
        for (number, (&ours_here, &theirs_here)) in (1..).zip(our_parts.iter().zip(&their_parts)) {
            let names = [(ours, ours_here), (theirs, theirs_here)].map(|(module, part)| module.name(part));
            if let ([Some(one), Some(other)], true) = (&names, is_interface)
                && one != other
            {
                return Err(format!("part {number}: {one} and {other}"));
            }
            if ours.op(ours_here) != theirs.op(theirs_here) {
                let [one, other] = [ours.op(ours_here), theirs.op(theirs_here)].map(Op::name);
                return Err(format!("part {number}: {one} and {other}"));
            }
            self.equal.insert((Site { inst: ours_here, ..left }, Site { inst: theirs_here, ..right }));
        }
        let agreed = [(ours, left), (theirs, right)].map(|(module, site)| contract::agreed(module, site.inst));
        if agreed[0].len() != agreed[1].len() {
            return Err("a generic that returns nothing".to_owned());
        }
        let pairs = agreed[0].iter().zip(&agreed[1]).enumerate();
        let step = |number: usize| match (is_interface, our_parts.get(number)) {
            (true, _) => format!("part {}", number + 1),
            (false, Some(_)) => format!("parameter {}", number + 1),
            (false, None) => "what it returns".to_owned(),
        };
        // An opaque type of an import represents any type that the definition returns.
        let pairs = pairs.filter(|(_, (inst, _))| !is_opaque_result(ours, left.inst, **inst));
        let pairs = pairs.map(|(number, (&ours, &theirs))| Parts {
            left: Site { inst: ours, ..left },
            right: Site { inst: theirs, ..right },
            step: step(number),
        });
        Ok(pairs.collect())
    }

    /// The pairs that determine whether two types, constants or type-level instructions are equal.
    fn parts(&self, left: Site, right: Site) -> Result<Vec<Parts>, String> {
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
        let pair = |left_inst, right_inst, step: &str| Parts {
            left: Site { inst: left_inst, ..left },
            right: Site { inst: right_inst, ..right },
            step: step.to_owned(),
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

fn is_opaque_result(module: &Module, generic: Inst, inst: Inst) -> bool {
    module.op(inst) == Op::TypeOpaque && module.parent(inst) == Some(generic)
}

fn difference(pairs: &[Pair], number: usize, what: String) -> Difference {
    let origins = std::iter::successors(pairs[number].origin.as_ref(), |(parent, _)| pairs[*parent].origin.as_ref());
    let mut path: Vec<String> = origins.map(|(_, step)| step.clone()).collect();
    path.reverse();
    path.truncate(STEPS);
    Difference { path, what }
}

/// The role of an operand of a type.
fn step(op: Op, operand: usize) -> String {
    match (op, operand) {
        (Op::TypeFunction, 0) => "result".to_owned(),
        (Op::TypeFunction, _) => format!("parameter {operand}"),
        (Op::TypeStruct, _) => format!("member {operand}"),
        (Op::TypePointer, _) => "pointee".to_owned(),
        (Op::TypeArray, 1) => "length".to_owned(),
        (Op::TypeArray | Op::TypeRuntimeArray, _) => "element".to_owned(),
        (Op::TypeWitness, 0) => "subject".to_owned(),
        (Op::TypeWitness | Op::TypeExistential, _) => "interface".to_owned(),
        (Op::Specialize, 0) => "generic".to_owned(),
        (Op::Specialize, _) => format!("argument {operand}"),
        _ => format!("operand {operand}"),
    }
}

fn shown(module: &Module, inst: Inst) -> String {
    match module.constant_bits(inst) {
        Some(value) => value.to_string(),
        None => type_text(module, inst),
    }
}

/// The name of a struct without the number that front ends add to a name that is in use: `struct.anon.3` is `struct.anon`.
pub(crate) fn base_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// The decorations that belong to a type, in a fixed order: all except names, and the linkage of nominal types, which were bound before.
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

/// Returns whether a decoration is part of the identity of a type.
pub(crate) fn belongs_to_identity(module: &Module, inst: Inst, note: Inst) -> bool {
    let is_name = matches!(module.op(note), Op::Name | Op::MemberName);
    let is_bound = !module.op(inst).is_hoistable() && is_linkage(module, note);
    module.op(note).class() == Class::Decoration && !is_name && !is_bound
}

/// Returns whether a decoration is a name for other modules.
pub(crate) fn is_linkage(module: &Module, note: Inst) -> bool {
    let kind = view::Decorate::of(module, note).and_then(|note| note.decoration);
    kind == Some(spirv::Decoration::LinkageAttributes)
}
