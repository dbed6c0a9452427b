//! Classes of pointers that may point to the same objects, by unification.
//!
//! ```text
//! select %c, %p, %q                     one class of %p, %q and the result
//! store %p where %r points to     ⇒     %p's class joins the contents of %r's class
//! ```
//!
//! Steensgaard, *Points-to analysis in almost linear time* (POPL 1996): equality instead of inclusion. Every pointer is an element of a
//! union-find structure; a class has its objects (variables) and at most one *contents*: the pointers in the memory that its pointers point
//! to. If two classes are united, so are their contents. Unlike in the paper, contents are a *bag* of up to five classes, one for each
//! storage class of the pointers in it, so that a struct with a pointer to local and one to global memory does not unite the two. Integers
//! that were converted from pointers have a bag too.
//!
//! All memory from outside the module is one object: a pointer that is stored in it may be read through any other pointer. Its contents are
//! one bag, and pointers that are read from it point to outside memory.
//!
//! Invariant: a class never has objects of two kinds that need different pointers ([`Kinds`]). A union that would violate this is an error,
//! at the instruction that requires it.
//!
//! Amortized nearly constant for each union; a worklist, no recursion.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

use super::kinds::{Kinds, Traits, mixed};
use super::space::Space;

const NONE: u32 = u32::MAX;

/// A class: not necessarily the representative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Class(u32);

/// A bag: classes of pointers by space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bag(u32);

#[derive(Debug, Default)]
struct Contents {
    bag: Option<Bag>,
    /// Integers that were read from the memory before it was known to contain pointers.
    waiting: Vec<Inst>,
}

#[derive(Debug)]
struct ClassRecord {
    parent: u32,
    size: u32,
    kinds: Kinds,
    spaces: u8,
    traits: Traits,
    objects: Vec<Inst>,
    contents: Contents,
}

#[derive(Debug)]
struct BagRecord {
    parent: u32,
    slots: [u32; 5],
    readers: [Option<Inst>; 5],
    written: u8,
    outside: bool,
}

/// All classes and bags of a module.
#[derive(Debug, Default)]
pub(super) struct Classes {
    classes: Vec<ClassRecord>,
    bags: Vec<BagRecord>,
    outside: Contents,
    pending: Vec<Union>,
    tainted: Vec<(Inst, Bag)>,
    unions: usize,
    host: Host,
}

/// The accesses to memory of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Host {
    /// Through addresses: all of it is one object.
    #[default]
    Addresses,
    /// Through bindings: each is an object, and pointers cannot be stored in them.
    Bindings,
}

impl Host {
    /// The kind of the objects of the host.
    pub(super) fn kind(self) -> Kinds {
        match self {
            Host::Addresses => Kinds::OUTSIDE,
            Host::Bindings => Kinds::BINDING,
        }
    }
}

#[derive(Debug)]
enum Union {
    Classes(Class, Class),
    Bags(Bag, Bag),
    Outside(Class),
}

impl Classes {
    /// No classes yet.
    pub(super) fn new(host: Host) -> Classes {
        Classes { host, ..Classes::default() }
    }

    /// The accesses to memory of the host.
    pub(super) fn host(&self) -> Host {
        self.host
    }

    /// A new class of one pointer of that space. A pointer to global memory may come from the host, unless pointers are bindings.
    pub(super) fn add_class(&mut self, space: Space) -> Class {
        let is_outside = space == Space::Global && self.host == Host::Addresses;
        let kinds = if is_outside { Kinds::OUTSIDE } else { Kinds::default() };
        self.classes.push(ClassRecord {
            parent: NONE,
            size: 1,
            kinds,
            spaces: space.bit(),
            traits: Traits::default(),
            objects: Vec::new(),
            contents: Contents::default(),
        });
        Class(self.classes.len() as u32 - 1)
    }

    /// A new, empty bag.
    pub(super) fn add_bag(&mut self) -> Bag {
        self.bags.push(BagRecord { parent: NONE, slots: [NONE; 5], readers: [None; 5], written: 0, outside: false });
        Bag(self.bags.len() as u32 - 1)
    }

    /// The representative of a class.
    pub(super) fn find(&mut self, class: Class) -> Class {
        let mut current = class.0;
        while self.classes[current as usize].parent != NONE {
            let parent = self.classes[current as usize].parent;
            let grandparent = self.classes[parent as usize].parent;
            if grandparent != NONE {
                self.classes[current as usize].parent = grandparent;
            }
            current = parent;
        }
        Class(current)
    }

    fn find_bag(&mut self, bag: Bag) -> Bag {
        let mut current = bag.0;
        while self.bags[current as usize].parent != NONE {
            let parent = self.bags[current as usize].parent;
            let grandparent = self.bags[parent as usize].parent;
            if grandparent != NONE {
                self.bags[current as usize].parent = grandparent;
            }
            current = parent;
        }
        Bag(current)
    }

    fn record(&mut self, class: Class) -> &mut ClassRecord {
        let root = self.find(class);
        &mut self.classes[root.0 as usize]
    }

    pub(super) fn kinds(&mut self, class: Class) -> Kinds {
        self.record(class).kinds
    }

    /// Returns whether a pointer of the class has that space in its type.
    pub(super) fn has_space(&mut self, class: Class, space: Space) -> bool {
        self.record(class).spaces & space.bit() != 0
    }

    pub(super) fn traits(&mut self, class: Class) -> Traits {
        self.record(class).traits
    }

    pub(super) fn add_trait(&mut self, class: Class, added: Traits) {
        let record = self.record(class);
        record.traits = record.traits.and(added);
    }

    /// The variables that pointers of the class may point into, in the order of their handles.
    pub(super) fn objects(&mut self, class: Class) -> Vec<Inst> {
        let mut objects = self.record(class).objects.clone();
        objects.sort_unstable();
        objects
    }

    /// Adds a variable to the objects of a class.
    pub(super) fn add_object(&mut self, class: Class, object: Inst, kinds: Kinds) -> Result<(), Diagnostic> {
        self.record(class).objects.push(object);
        self.add_kinds(class, kinds, object)
    }

    /// Adds a kind of object to those that pointers of the class may point to.
    pub(super) fn add_kinds(&mut self, class: Class, kinds: Kinds, at: Inst) -> Result<(), Diagnostic> {
        let record = self.record(class);
        let all = record.kinds.and(kinds);
        if !all.is_possible() {
            return Err(mixed(all, at));
        }
        record.kinds = all;
        if all.contains(Kinds::OUTSIDE) {
            self.move_contents_outside(class);
        }
        self.settle(at)
    }

    /// Unites two classes.
    pub(super) fn unite(&mut self, a: Class, b: Class, at: Inst) -> Result<(), Diagnostic> {
        self.pending.push(Union::Classes(a, b));
        self.settle(at)
    }

    /// Unites two bags.
    pub(super) fn unite_bags(&mut self, a: Bag, b: Bag, at: Inst) -> Result<(), Diagnostic> {
        self.pending.push(Union::Bags(a, b));
        self.settle(at)
    }

    /// Counts a change other than a union.
    pub(super) fn note_change(&mut self) {
        self.unions += 1;
    }

    /// The number of changes.
    pub(super) fn union_count(&self) -> usize {
        self.unions
    }

    /// Integers that were read from memory that contains pointers; those that are new since the last call.
    pub(super) fn take_tainted(&mut self) -> Vec<(Inst, Bag)> {
        std::mem::take(&mut self.tainted)
    }

    /// Returns whether [`Classes::take_tainted`] has new ones.
    pub(super) fn has_tainted(&self) -> bool {
        !self.tainted.is_empty()
    }

    /// The bag of the memory that the class points to.
    pub(super) fn contents(&mut self, class: Class) -> Bag {
        let root = self.find(class);
        let is_outside = self.classes[root.0 as usize].kinds.contains(Kinds::OUTSIDE);
        let known = if is_outside { self.outside.bag } else { self.classes[root.0 as usize].contents.bag };
        if let Some(bag) = known {
            return bag;
        }
        let bag = self.add_bag();
        let contents = if is_outside { &mut self.outside } else { &mut self.classes[root.0 as usize].contents };
        contents.bag = Some(bag);
        let waiting = std::mem::take(&mut contents.waiting);
        self.tainted.extend(waiting.into_iter().map(|inst| (inst, bag)));
        if is_outside {
            self.bags[bag.0 as usize].outside = true;
        }
        bag
    }

    /// Returns whether the memory that the class points to contains addresses of outside memory.
    pub(super) fn holds_addresses(&mut self, class: Class) -> bool {
        let root = self.find(class);
        let Some(bag) = self.classes[root.0 as usize].contents.bag else { return false };
        let bag = self.find_bag(bag);
        let slots = self.bags[bag.0 as usize].slots;
        let constant = slots[Space::Constant as usize];
        slots[Space::Global as usize] != NONE
            || (constant != NONE && self.kinds(Class(constant)).contains(self.host.kind()))
    }

    /// Records that an integer is read from the memory that the class points to. It gets a bag once that memory contains pointers.
    pub(super) fn read_integer(&mut self, class: Class, inst: Inst) {
        let root = self.find(class);
        let contents = match self.classes[root.0 as usize].kinds.contains(Kinds::OUTSIDE) {
            true => &mut self.outside,
            false => &mut self.classes[root.0 as usize].contents,
        };
        match contents.bag {
            Some(bag) => self.tainted.push((inst, bag)),
            None => contents.waiting.push(inst),
        }
    }

    /// The class of the pointers to a space that are read from a bag.
    pub(super) fn read(&mut self, bag: Bag, space: Space, at: Inst) -> Result<Class, Diagnostic> {
        let class = self.slot(bag, space);
        let root = self.find_bag(bag);
        let record = &mut self.bags[root.0 as usize];
        record.readers[space as usize].get_or_insert(at);
        if record.outside && comes_from_outside(space) {
            self.add_kinds(class, Kinds::OUTSIDE, at)?;
        }
        Ok(class)
    }

    /// Adds the pointers of a class to a bag.
    pub(super) fn write(&mut self, bag: Bag, space: Space, class: Class, at: Inst) -> Result<(), Diagnostic> {
        let slot = self.slot(bag, space);
        let root = self.find_bag(bag);
        self.bags[root.0 as usize].written |= space.bit();
        self.unite(slot, class, at)
    }

    fn slot(&mut self, bag: Bag, space: Space) -> Class {
        let root = self.find_bag(bag);
        let slot = self.bags[root.0 as usize].slots[space as usize];
        if slot != NONE {
            return Class(slot);
        }
        let class = self.add_class(space);
        self.bags[root.0 as usize].slots[space as usize] = class.0;
        class
    }

    /// Pointers that are read in a space in which none were written come from the other spaces that fit.
    ///
    /// Linear in the bags for each round; rounds repeat until nothing changes.
    pub(super) fn settle_reads(&mut self) -> Result<(), Diagnostic> {
        loop {
            let before = self.unions;
            for index in 0..self.bags.len() {
                let record = &self.bags[index];
                if record.parent == NONE && !record.outside {
                    self.settle_bag(index)?;
                }
            }
            if self.unions == before {
                return Ok(());
            }
        }
    }

    fn settle_bag(&mut self, index: usize) -> Result<(), Diagnostic> {
        let record = &self.bags[index];
        let (slots, readers, written) = (record.slots, record.readers, record.written);
        for space in Space::ALL {
            let Some(at) = readers[space as usize].filter(|_| written & space.bit() == 0) else { continue };
            let fits = |other: Space| other != space && (space == Space::Generic || other == Space::Generic);
            for other in Space::ALL.into_iter().filter(|&other| fits(other) && written & other.bit() != 0) {
                self.unite(Class(slots[space as usize]), Class(slots[other as usize]), at)?;
            }
        }
        Ok(())
    }

    fn settle(&mut self, at: Inst) -> Result<(), Diagnostic> {
        while let Some(union) = self.pending.pop() {
            match union {
                Union::Classes(a, b) => self.unite_roots(a, b, at)?,
                Union::Bags(a, b) => self.unite_bag_roots(a, b),
                Union::Outside(class) => {
                    let record = self.record(class);
                    let all = record.kinds.and(Kinds::OUTSIDE);
                    if !all.is_possible() {
                        return Err(mixed(all, at));
                    }
                    record.kinds = all;
                    self.move_contents_outside(class);
                }
            }
        }
        Ok(())
    }

    fn unite_roots(&mut self, a: Class, b: Class, at: Inst) -> Result<(), Diagnostic> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let (big, small) = match self.classes[a.0 as usize].size >= self.classes[b.0 as usize].size {
            true => (a, b),
            false => (b, a),
        };
        let both = self.classes[a.0 as usize].kinds.and(self.classes[b.0 as usize].kinds);
        if !both.is_possible() {
            return Err(mixed(both, at));
        }
        self.unions += 1;
        let record = &mut self.classes[small.0 as usize];
        record.parent = big.0;
        let (size, spaces, traits) = (record.size, record.spaces, record.traits);
        let (mut objects, contents) = (std::mem::take(&mut record.objects), std::mem::take(&mut record.contents));
        let kept = &mut self.classes[big.0 as usize];
        kept.kinds = both;
        kept.size += size;
        kept.spaces |= spaces;
        kept.traits = kept.traits.and(traits);
        if kept.objects.len() < objects.len() {
            std::mem::swap(&mut kept.objects, &mut objects);
        }
        kept.objects.append(&mut objects);
        self.join_contents(big, contents);
        if both.contains(Kinds::OUTSIDE) {
            self.move_contents_outside(big);
        }
        Ok(())
    }

    /// Adds contents to those of a representative.
    fn join_contents(&mut self, class: Class, mut added: Contents) {
        let kept = &mut self.classes[class.0 as usize].contents;
        kept.waiting.append(&mut added.waiting);
        match (kept.bag, added.bag) {
            (Some(bag), Some(other)) => self.pending.push(Union::Bags(bag, other)),
            (None, Some(other)) => kept.bag = Some(other),
            _ => {}
        }
        if let Some(bag) = kept.bag {
            let waiting = std::mem::take(&mut kept.waiting);
            self.tainted.extend(waiting.into_iter().map(|inst| (inst, bag)));
        }
    }

    /// Moves the contents of the class to the contents of outside memory.
    fn move_contents_outside(&mut self, class: Class) {
        let Contents { bag, mut waiting } = std::mem::take(&mut self.record(class).contents);
        if bag.is_none() && waiting.is_empty() {
            return;
        }
        self.outside.waiting.append(&mut waiting);
        match (self.outside.bag, bag) {
            (Some(outside), Some(bag)) => self.pending.push(Union::Bags(outside, bag)),
            (None, Some(bag)) => {
                self.outside.bag = Some(bag);
                self.mark_bag_outside(bag);
            }
            _ => {}
        }
        if let Some(bag) = self.outside.bag {
            let waiting = std::mem::take(&mut self.outside.waiting);
            self.tainted.extend(waiting.into_iter().map(|inst| (inst, bag)));
        }
    }

    fn mark_bag_outside(&mut self, bag: Bag) {
        let root = self.find_bag(bag);
        let record = &mut self.bags[root.0 as usize];
        record.outside = true;
        for space in Space::ALL.into_iter().filter(|&space| comes_from_outside(space)) {
            if record.readers[space as usize].is_some() {
                self.pending.push(Union::Outside(Class(record.slots[space as usize])));
            }
        }
    }

    fn unite_bag_roots(&mut self, a: Bag, b: Bag) {
        let (a, b) = (self.find_bag(a), self.find_bag(b));
        if a == b {
            return;
        }
        self.unions += 1;
        let record = &mut self.bags[b.0 as usize];
        record.parent = a.0;
        let (slots, readers, written, outside) = (record.slots, record.readers, record.written, record.outside);
        let kept = &mut self.bags[a.0 as usize];
        kept.written |= written;
        for index in 0..slots.len() {
            kept.readers[index] = kept.readers[index].or(readers[index]);
            match (kept.slots[index], slots[index]) {
                (NONE, slot) => kept.slots[index] = slot,
                (_, NONE) => {}
                (kept, slot) => self.pending.push(Union::Classes(Class(kept), Class(slot))),
            }
        }
        if kept.outside || outside {
            self.mark_bag_outside(a);
        }
    }
}

/// Returns whether the host may store a pointer of that space in outside memory.
fn comes_from_outside(space: Space) -> bool {
    matches!(space, Space::Constant | Space::Global | Space::Generic)
}
