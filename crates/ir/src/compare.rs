//! Comparison of modules up to numbering.
//!
//! Starting at the two module instructions, instructions are paired: paired instructions must agree in op, payload, type, operands,
//! decorations, location and children, which are paired in turn; nothing is paired twice. Nominal instructions are paired by their index
//! among their kind (the third `variable` with the third `variable`), hoistable ones by their users, and, if there are none, by their
//! contents. So neither numbers nor the order of types and constants matter, and names are compared separately from the other decorations.
//! Linear; no recursion.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::hoist::{self, Key};
use crate::text::Printer;
use crate::{Class, Inst, Location, Module, Op};

/// A place where two modules differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The part that differs.
    pub what: &'static str,
    /// The instruction on the left, printed.
    pub left: String,
    /// The instruction on the right, printed.
    pub right: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} differ:\n  left:  {}\n  right: {}", self.what, self.left, self.right)
    }
}

impl std::error::Error for Difference {}

/// Compares two modules up to numbering.
///
/// # Errors
///
/// The first difference.
pub fn compare(left: &Module, right: &Module) -> Result<(), Difference> {
    let mut pairing =
        Pairing { left, right, images: FxHashMap::default(), origins: FxHashMap::default(), open: Vec::new() };
    let outcome =
        pairing.pair(left.root(), right.root()).and_then(|()| pairing.close()).and_then(|()| pairing.unused());
    outcome.map_err(|mismatch| Difference {
        what: mismatch.what,
        left: Printer::new(left).line(mismatch.left),
        right: Printer::new(right).line(mismatch.right),
    })
}

struct Mismatch {
    what: &'static str,
    left: Inst,
    right: Inst,
}

struct Pairing<'a> {
    left: &'a Module,
    right: &'a Module,
    images: FxHashMap<Inst, Inst>,
    origins: FxHashMap<Inst, Inst>,
    /// Pairs whose parts were not looked at yet.
    open: Vec<(Inst, Inst)>,
}

impl Pairing<'_> {
    fn pair(&mut self, left: Inst, right: Inst) -> Result<(), Mismatch> {
        match (self.images.get(&left), self.origins.get(&right)) {
            (Some(&image), Some(&origin)) if image == right && origin == left => Ok(()),
            (None, None) => {
                self.images.insert(left, right);
                self.origins.insert(right, left);
                self.open.push((left, right));
                Ok(())
            }
            _ => Err(Mismatch { what: "uses of instructions", left, right }),
        }
    }

    fn close(&mut self) -> Result<(), Mismatch> {
        while let Some((left, right)) = self.open.pop() {
            let differs = |what| Err(Mismatch { what, left, right });
            if self.left.op(left) != self.right.op(right) {
                return differs("ops");
            }
            if self.left.literal_words(left) != self.right.literal_words(right) {
                return differs("literals");
            }
            if self.left.op(left).class() == Class::Removed {
                continue;
            }
            for part in ComparedPart::ALL {
                let (ours, theirs) = (part.of(self.left, left), part.of(self.right, right));
                if ours.len() != theirs.len() {
                    return differs(part.name());
                }
                for (&ours, &theirs) in ours.iter().zip(&theirs) {
                    if self.pair(ours, theirs).is_err() {
                        return differs(part.name());
                    }
                }
            }
            if !same_place(self.left.explicit_location(left), self.right.explicit_location(right)) {
                return differs("locations");
            }
            if hoistable_children(self.left, left).len() != hoistable_children(self.right, right).len() {
                return differs("numbers of types and constants");
            }
        }
        Ok(())
    }

    /// Pairs the unused types and constants. Their numbers are already known to be equal.
    ///
    /// Each is identified by its operands, once these are paired. Cyclic ones, which are possible only through decorations, are paired by
    /// index.
    fn unused(&mut self) -> Result<(), Mismatch> {
        loop {
            let waiting = unpaired(self.left, &self.images);
            let Some(&first) = waiting.first() else { return Ok(()) };
            let before = self.images.len();
            for &inst in &waiting {
                if let Some(other) = self.equal_on_the_right(inst).filter(|_| !self.images.contains_key(&inst)) {
                    self.pair(inst, other).and_then(|()| self.close())?;
                }
            }
            if self.images.len() == before {
                let same_op = |other: &&Inst| self.right.op(**other) == self.left.op(first);
                let candidates = unpaired(self.right, &self.origins);
                let other = candidates.iter().find(same_op).copied();
                let missing = Mismatch { what: "types and constants", left: first, right: self.right.root() };
                self.pair(first, other.ok_or(missing)?).and_then(|()| self.close())?;
            }
        }
    }

    fn equal_on_the_right(&self, inst: Inst) -> Option<Inst> {
        let decorations: Option<Vec<Inst>> =
            identity(self.left, inst).map(|decoration| self.image(decoration)).collect();
        let operands: Option<Vec<Inst>> = self.left.operands(inst).map(|operand| self.image(operand)).collect();
        let ty = match self.left.ty(inst) {
            Some(ty) => Some(self.image(ty)?),
            None => None,
        };
        let key = Key { op: self.left.op(inst), ty, operands: &operands?, decorations: &decorations? };
        hoist::lookup(self.right, &key)
    }

    /// The partner of an instruction, if it is known, or if the instruction is a literal or a decoration, which need no place.
    fn image(&self, inst: Inst) -> Option<Inst> {
        if let Some(&image) = self.images.get(&inst) {
            return Some(image);
        }
        let op = self.left.op(inst);
        match op.class() {
            Class::Literal => hoist::lookup_literal(self.right, op, self.left.literal_words(inst)),
            Class::Decoration | Class::Position => {
                let known = |operand: Inst| match self.left.op(operand) {
                    op if op.is_literal() => hoist::lookup_literal(self.right, op, self.left.literal_words(operand)),
                    _ => self.images.get(&operand).copied(),
                };
                let operands: Option<Vec<Inst>> = self.left.operands(inst).map(known).collect();
                hoist::lookup(self.right, &Key { op, ty: None, operands: &operands?, decorations: &[] })
            }
            _ => None,
        }
    }
}

/// The parts of an instruction.
#[derive(Clone, Copy)]
enum ComparedPart {
    Type,
    Operands,
    Names,
    Decorations,
    Children,
    Location,
}

impl ComparedPart {
    const ALL: [ComparedPart; 6] = [
        ComparedPart::Type,
        ComparedPart::Operands,
        ComparedPart::Names,
        ComparedPart::Decorations,
        ComparedPart::Children,
        ComparedPart::Location,
    ];

    const fn name(self) -> &'static str {
        match self {
            ComparedPart::Type => "types",
            ComparedPart::Operands => "operands",
            ComparedPart::Names => "names",
            ComparedPart::Decorations => "decorations",
            ComparedPart::Children => "children",
            ComparedPart::Location => "locations",
        }
    }

    fn of(self, module: &Module, inst: Inst) -> Vec<Inst> {
        match self {
            ComparedPart::Type => module.ty(inst).into_iter().collect(),
            ComparedPart::Operands => module.operands(inst).collect(),
            ComparedPart::Names => {
                let all = module.decorations(inst).iter().copied();
                all.filter(|&decoration| is_name(module.op(decoration))).collect()
            }
            ComparedPart::Decorations => identity(module, inst).collect(),
            ComparedPart::Children => nominal_children(module, inst),
            ComparedPart::Location => module.explicit_location(inst).into_iter().flat_map(Location::parts).collect(),
        }
    }
}

fn is_name(op: Op) -> bool {
    matches!(op, Op::Name | Op::MemberName)
}

fn identity(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.decorations(inst).iter().copied().filter(|&decoration| !is_name(module.op(decoration)))
}

/// The children that have a place of their own; those of the module by kind.
pub(crate) fn nominal_children(module: &Module, container: Inst) -> Vec<Inst> {
    if container != module.root() {
        return module.children(container).filter(|&child| !module.op(child).is_hoistable()).collect();
    }
    let mut children = module.ordered_globals();
    let ordered = children.len();
    children.extend(module.children(container).skip(ordered));
    children.retain(|&child| !module.op(child).is_hoistable());
    children.sort_by_key(|&child| module.op(child));
    children
}

/// The children that are unique, each after what it uses.
pub(crate) fn hoistable_children(module: &Module, container: Inst) -> Vec<Inst> {
    let children = match container == module.root() {
        true => module.ordered_globals(),
        false => module.children(container).collect(),
    };
    children.into_iter().filter(|&child| module.op(child).is_hoistable()).collect()
}

/// The types and constants that have no partner, each after what it uses.
fn unpaired(module: &Module, partners: &FxHashMap<Inst, Inst>) -> Vec<Inst> {
    let containers = module.descendants(module.root()).filter(|&inst| module.op(inst).is_container());
    let hoistable = containers.flat_map(|container| hoistable_children(module, container));
    hoistable.filter(|inst| !partners.contains_key(inst)).collect()
}

fn same_place(left: Option<Location>, right: Option<Location>) -> bool {
    let place = |location: Option<Location>| {
        let line = |location: Location| location.line.map(|line| (line.line, line.column));
        location.map(|location| (line(location), location.range.is_some(), location.scope.is_some()))
    };
    place(left) == place(right)
}
