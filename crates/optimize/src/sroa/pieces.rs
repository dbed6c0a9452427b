//! The pieces of variables, and their types.
//!
//! A piece extends from cut to cut. Pieces that copies connect have one type: a pointer type if any of them is accessed as a pointer, else
//! the type that most of their accesses have. Without accesses, the declared type of the variable determines the type; without that, the
//! piece is cut into integers of at most 32 bits, which every device supports. Leaves that the program only copies are never combined,
//! since some of their bytes, such as padding, may be undefined. A piece that is never written, or never read, needs no variable.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::accesses::{Candidate, Copy, End};
use super::cuts::{Cuts, Slices};
use super::leaves::{LEAF_LIMIT, Leaf, components, leaf_size};
use reconverge_rewrite::disjoint_sets::DisjointSets;

/// A part of a variable that is read and written as a whole.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) start: u64,
    pub(super) size: u64,
    /// The type that its accesses have; an integer type if there is none.
    pub(super) ty: Option<Inst>,
    pub(super) is_read: bool,
    pub(super) is_written: bool,
    /// Its variable, once it is created.
    pub(super) variable: Option<Inst>,
}

impl Piece {
    /// The chosen type.
    pub(super) fn ty(&self) -> Inst {
        self.ty.expect("invariant: types are settled before anything is rewritten")
    }

    pub(super) fn end(&self) -> u64 {
        self.start + self.size
    }
}

/// The pieces of every candidate, ascending; none for one that is not split.
pub(super) fn compute_pieces(module: &Module, candidates: &[Candidate], copies: &[Copy]) -> Vec<Option<Vec<Piece>>> {
    let mut cuts = Cuts::compute(module, candidates, copies);
    let declared: Vec<Vec<(u64, Inst, usize)>> = candidates
        .iter()
        .map(|candidate| candidate.declared.iter().map(|leaf| (leaf.start, leaf.ty, 1)).collect())
        .collect();
    loop {
        let mut all: Vec<Option<Vec<Piece>>> = cuts.slices.iter().map(pieces).collect();
        let connections = connect(&all, copies);
        let mut groups = Groups::new(&all);
        connections.iter().for_each(|&(left, right)| groups.join(left, right));
        settle_types(module, cuts.slices.iter().map(|slices| &slices.leaves), &mut groups, &mut all);
        settle_types(module, declared.iter(), &mut groups, &mut all);
        let unsettled = awkward(candidates, &all);
        if unsettled.is_empty() {
            settle_use(module, candidates, copies, &connections, &mut all);
            return all;
        }
        unsettled.into_iter().for_each(|(number, at)| cuts.cut(number, at));
        cuts.spread();
    }
}

/// The pieces between the cuts, for accessed bytes.
fn pieces(slices: &Slices) -> Option<Vec<Piece>> {
    if slices.is_given_up {
        return None;
    }
    let mut covered = slices.covered.iter().peekable();
    let between = slices.cuts.iter().zip(slices.cuts.iter().skip(1)).filter_map(|(&start, &end)| {
        while covered.next_if(|&&(_, last)| last <= start).is_some() {}
        let is_covered = covered.peek().is_some_and(|&&(first, _)| first <= start);
        is_covered.then_some(Piece {
            start,
            size: end - start,
            ty: None,
            is_read: false,
            is_written: false,
            variable: None,
        })
    });
    Some(between.collect())
}

/// The pieces of a range of bytes.
pub(super) fn within(pieces: &[Piece], start: u64, end: u64) -> std::ops::Range<usize> {
    let first = pieces.partition_point(|piece| piece.start < start);
    first..first + pieces[first..].partition_point(|piece| piece.end() <= end)
}

/// A piece: the number of its candidate, and its number in it.
type PieceIndex = (usize, usize);

/// The copies between pieces: source and target.
fn connect(all: &[Option<Vec<Piece>>], copies: &[Copy]) -> Vec<(PieceIndex, PieceIndex)> {
    let mut connections = Vec::new();
    for copy in copies {
        let (Some(target), Some(source)) = (copy.target, copy.source) else { continue };
        let (Some(into), Some(from)) = (&all[target.candidate], &all[source.candidate]) else { continue };
        for &(distance, size) in &copy.runs {
            let run = |pieces: &[Piece], end: End| within(pieces, end.start + distance, end.start + distance + size);
            let pairs = run(from, source).zip(run(into, target));
            connections.extend(pairs.map(|(from, into)| ((source.candidate, from), (target.candidate, into))));
        }
    }
    connections
}

/// Gives connected pieces without a type the type that most leaves have, if any. Each leaf has a weight.
fn settle_types<'l>(
    module: &Module,
    leaves: impl Iterator<Item = &'l Vec<(u64, Inst, usize)>>,
    groups: &mut Groups,
    all: &mut [Option<Vec<Piece>>],
) {
    let mut votes: FxHashMap<usize, FxHashMap<Inst, usize>> = FxHashMap::default();
    for (number, leaves) in leaves.enumerate() {
        let Some(pieces) = &all[number] else { continue };
        for &(start, ty, count) in leaves {
            for (piece, ty) in exact(module, pieces, start, ty) {
                *votes.entry(groups.find((number, piece))).or_default().entry(ty).or_default() += count;
            }
        }
    }
    for (number, pieces) in all.iter_mut().enumerate() {
        for (index, piece) in pieces.iter_mut().flatten().enumerate().filter(|(_, piece)| piece.ty.is_none()) {
            piece.ty = votes.get(&groups.find((number, index))).and_then(|votes| elected(module, votes));
        }
    }
}

/// The pieces that have exactly the range of a leaf, or of a component of it, with the type that it has there.
fn exact(module: &Module, pieces: &[Piece], start: u64, ty: Inst) -> Vec<(usize, Inst)> {
    let size = leaf_size(module, ty).expect("invariant: only leaves are kept");
    let inside = within(pieces, start, start + size);
    if let [only] = &pieces[inside.clone()]
        && (only.start, only.size) == (start, size)
    {
        return vec![(inside.start, ty)];
    }
    let Some((component, _)) = components(module, ty) else { return Vec::new() };
    let size = leaf_size(module, component).expect("invariant: a leaf has components that are leaves");
    let is_component =
        |&piece: &usize| pieces[piece].size == size && (pieces[piece].start - start).is_multiple_of(size);
    inside.filter(is_component).map(|piece| (piece, component)).collect()
}

fn elected(module: &Module, votes: &FxHashMap<Inst, usize>) -> Option<Inst> {
    let rank = |(&ty, &count): (&Inst, &usize)| (module.op(ty) == Op::TypePointer, count, std::cmp::Reverse(ty));
    votes.iter().max_by_key(|&vote| rank(vote)).map(|(&ty, _)| ty)
}

/// The cuts of pieces without a type: where the declared type changes, else at multiples of powers of two.
fn awkward(candidates: &[Candidate], all: &[Option<Vec<Piece>>]) -> Vec<(usize, u64)> {
    let mut cuts = Vec::new();
    for (number, pieces) in all.iter().enumerate() {
        for piece in pieces.iter().flatten().filter(|piece| piece.ty.is_none()) {
            let before = cuts.len();
            cuts.extend(changes(&candidates[number].declared, piece).map(|at| (number, at)));
            if cuts.len() == before && !matches!(piece.size, 1 | 2 | 4) {
                cuts.extend(multiples(piece).map(|at| (number, at)));
            }
        }
    }
    cuts
}

/// The starts and ends of leaves inside a piece.
fn changes<'l>(declared: &'l [Leaf], piece: &Piece) -> impl Iterator<Item = u64> + 'l {
    let (start, end) = (piece.start, piece.end());
    let first = declared.partition_point(|leaf| leaf.start < start).saturating_sub(1);
    let near = declared[first..].iter().take_while(move |leaf| leaf.start < end);
    near.flat_map(|leaf| [leaf.start, leaf.end]).filter(move |&at| start < at && at < end)
}

/// The cuts of a piece into naturally aligned integers; enough of them to exceed the limit if there are too many.
fn multiples(piece: &Piece) -> impl Iterator<Item = u64> {
    let end = piece.end();
    let next = move |at: &u64| {
        let step = [4, 2, 1].into_iter().find(|&step| at.is_multiple_of(step) && at + step <= end);
        step.map(|step| at + step).filter(|&at| at < end)
    };
    std::iter::successors(next(&piece.start), next).take(LEAF_LIMIT + 1)
}

/// Determines which pieces are written and read. Copies between candidates propagate both.
fn settle_use(
    module: &Module,
    candidates: &[Candidate],
    copies: &[Copy],
    connections: &[(PieceIndex, PieceIndex)],
    all: &mut [Option<Vec<Piece>>],
) {
    let mut uses = Uses { all, pending: Vec::new() };
    for (number, candidate) in candidates.iter().enumerate() {
        for access in &candidate.accesses {
            let use_of = if module.op(access.inst) == Op::Load { Use::Read } else { Use::Write };
            for leaf in &access.leaves {
                uses.mark_range(number, leaf.start, leaf.end, use_of);
            }
        }
    }
    for copy in copies {
        let is_piecewise = |end: Option<End>| end.is_some_and(|end| uses.all[end.candidate].is_some());
        let alone = match (is_piecewise(copy.target), is_piecewise(copy.source)) {
            (true, false) => copy.target.map(|end| (end, Use::Write)),
            (false, true) => copy.source.map(|end| (end, Use::Read)),
            _ => None,
        };
        for &(distance, size) in &copy.runs {
            let Some((end, use_of)) = alone else { continue };
            let start = end.start + distance;
            uses.mark_range(end.candidate, start, start + size, use_of);
        }
    }
    let mut onward: FxHashMap<(PieceIndex, Use), Vec<PieceIndex>> = FxHashMap::default();
    for &(from, into) in connections {
        onward.entry((from, Use::Write)).or_default().push(into);
        onward.entry((into, Use::Read)).or_default().push(from);
    }
    while let Some((place, use_of)) = uses.pending.pop() {
        for &next in onward.get(&(place, use_of)).into_iter().flatten() {
            uses.mark(next, use_of);
        }
    }
}

/// The accesses of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Read,
    Write,
}

/// Pieces with their known accesses, and those that are not propagated yet.
struct Uses<'a> {
    all: &'a mut [Option<Vec<Piece>>],
    pending: Vec<(PieceIndex, Use)>,
}

impl Uses<'_> {
    fn mark_range(&mut self, candidate: usize, start: u64, end: u64, use_of: Use) {
        let inside = self.all[candidate].as_ref().map_or(0..0, |pieces| within(pieces, start, end));
        inside.for_each(|piece| self.mark((candidate, piece), use_of));
    }

    fn mark(&mut self, place: PieceIndex, use_of: Use) {
        let Some(pieces) = &mut self.all[place.0] else { return };
        let flag = match use_of {
            Use::Read => &mut pieces[place.1].is_read,
            Use::Write => &mut pieces[place.1].is_written,
        };
        if !std::mem::replace(flag, true) {
            self.pending.push((place, use_of));
        }
    }
}

/// Connected pieces.
struct Groups {
    /// The first piece of each candidate.
    starts: Vec<usize>,
    sets: DisjointSets,
}

impl Groups {
    fn new(all: &[Option<Vec<Piece>>]) -> Groups {
        let mut count = 0;
        let starts = all.iter().map(|pieces| {
            let start = count;
            count += pieces.as_ref().map_or(0, Vec::len);
            start
        });
        let starts = starts.collect();
        Groups { starts, sets: DisjointSets::new(count) }
    }

    fn find(&mut self, place: PieceIndex) -> usize {
        self.sets.root(self.starts[place.0] + place.1)
    }

    fn join(&mut self, left: PieceIndex, right: PieceIndex) {
        self.sets.unite(self.starts[left.0] + left.1, self.starts[right.0] + right.1);
    }
}
