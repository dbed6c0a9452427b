//! Functions of work-groups (OpenCL C 3.0, section 6.15.16) and of subgroups (6.15.19 and the extensions `cl_khr_subgroup_*`).
//!
//! A kernel writes what each function returns to each work-item. Which work-items form a subgroup is the engine's choice; the kernel
//! writes that too, and the definition checks that it is a partition of the work-group into subgroups that are numbered from zero.

use std::collections::BTreeMap;

use super::case::{Case, Sizes};
use super::fold::{FOLDS, Fold, INTEGER_FOLDS, LOGICAL_FOLDS, Members, of};
use super::judge::LOCAL;
use super::number::{Number, Type, signed, unsigned};
use super::row::Wanted;
use super::source::ITEMS;
use crate::random::Random;

/// A call, and its result for a member.
pub(super) type Function = (String, Box<dyn Fn(&Members<'_>) -> Wanted>);

fn function(text: impl Into<String>, definition: impl Fn(&Members<'_>) -> Wanted + 'static) -> Function {
    (text.into(), Box::new(definition))
}

/// A kernel for each type and kind of function.
pub(super) fn cases() -> Vec<Case> {
    let wide = [signed(32), unsigned(32), signed(64), unsigned(64)];
    let narrow = [signed(8), unsigned(8), signed(16), unsigned(16)];
    let mut cases = Vec::new();
    for ty in wide.into_iter().chain(Type::FLOATS) {
        cases.push(case("group", ty, of_work_group(), Group::WorkGroup));
        cases.push(case("lanes", ty, of_subgroup(), Group::Subgroup));
    }
    for ty in wide.into_iter().chain(narrow).chain(Type::FLOATS) {
        cases.push(case("shuffle", ty, shuffles(), Group::Subgroup));
        cases.push(case("some", ty, non_uniform(ty), Group::Subgroup));
        cases.push(case("cluster", ty, clustered(ty), Group::Subgroup));
    }
    cases.push(case("vote", signed(32), votes(), Group::Subgroup));
    cases.push(case("ballot", signed(32), ballots(), Group::Subgroup));
    cases
}

/// The values of the blocks that say which subgroup a work-item is in.
const PLACES: [&str; 4] =
    ["get_sub_group_id()", "get_sub_group_local_id()", "get_sub_group_size()", "get_max_sub_group_size()"];

/// The group that executes a function together.
#[derive(Clone, Copy)]
enum Group {
    WorkGroup,
    Subgroup,
}

fn case(kind: &str, ty: Type, functions: Vec<Function>, group: Group) -> Case {
    let name = format!("{kind}_{}", ty.name());
    let mut source = format!("kernel void {name}(global const {0} *p, global {0} *r) {{\n", ty.name());
    source += &format!(
        "    size_t i = get_global_id(0);\n    {} a = p[i];\n    uint lane = get_sub_group_local_id();\n",
        ty.name()
    );
    let (places, groups) = match group {
        Group::WorkGroup => (&[][..], "work-groups"),
        Group::Subgroup => (&PLACES[..], "subgroups"),
    };
    let calls = places.iter().map(|&place| place.to_owned()).chain(functions.iter().map(|(text, _)| text.clone()));
    for (index, text) in calls.enumerate() {
        source += &format!("    r[{} + i] = ({})({text});\n", index * ITEMS, ty.name());
    }
    let mut random = Random::new(u64::from(ty.bits()));
    let least = if ty.is_float() || ty.is_signed() { -3 } else { 0 };
    let values: Vec<i128> = (0..ITEMS).map(|_| random.below(7) as i128 + least).collect();
    let number = |&value: &i128| if ty.is_float() { Number::Float(value as f64) } else { Number::Int(value) };
    Case {
        name,
        what: format!("functions of {} on {}, {} …", groups, ty.name(), functions[0].0),
        source: source + "}\n",
        inputs: vec![(ty, values.iter().map(number).collect())],
        output: (ty, (places.len() + functions.len()) * ITEMS),
        before: Vec::new(),
        sizes: Sizes::LINE,
        definition: Box::new(move |found| {
            let (parts, mut wanted, most) = match group {
                Group::WorkGroup => (work_groups(), Vec::new(), LOCAL as usize),
                Group::Subgroup => {
                    let parts = subgroups(found);
                    let wanted = partition(ty, found, &parts);
                    (parts, wanted, whole(found[3 * ITEMS]))
                }
            };
            wanted.extend(functions.iter().flat_map(|(_, definition)| results(ty, &values, &parts, most, definition)));
            wanted
        }),
    }
}

fn whole(number: Number) -> usize {
    match number {
        Number::Int(value) => value.max(0) as usize,
        Number::Float(value) => value as usize,
    }
}

fn work_groups() -> Vec<Vec<usize>> {
    let items: Vec<usize> = (0..ITEMS).collect();
    items.chunks(LOCAL as usize).map(<[usize]>::to_vec).collect()
}

/// The work-items of each subgroup, in the order of their numbers.
fn subgroups(found: &[Number]) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (item, &number) in found.iter().take(ITEMS).enumerate() {
        parts.entry((item / LOCAL as usize, whole(number))).or_default().push(item);
    }
    let in_order = |mut items: Vec<usize>| {
        items.sort_by_key(|&item| whole(found[ITEMS + item]));
        items
    };
    parts.into_values().map(in_order).collect()
}

/// The numbers of subgroups and of their members: each counts from zero; a size is the number of members, and at most the greatest size.
fn partition(ty: Type, found: &[Number], parts: &[Vec<usize>]) -> Vec<Wanted> {
    let mut wanted = vec![Wanted::Any; PLACES.len() * ITEMS];
    let mut counts: BTreeMap<usize, i128> = BTreeMap::new();
    for part in parts {
        let number = counts.entry(part[0] / LOCAL as usize).or_default();
        let most = whole(found[3 * ITEMS + part[0]]).max(part.len());
        for (rank, &item) in part.iter().enumerate() {
            let values = [*number, rank as i128, part.len() as i128, most as i128];
            values.into_iter().enumerate().for_each(|(block, value)| wanted[block * ITEMS + item] = of(ty, value));
        }
        *number += 1;
    }
    wanted
}

fn results(
    ty: Type,
    values: &[i128],
    parts: &[Vec<usize>],
    most: usize,
    definition: &dyn Fn(&Members<'_>) -> Wanted,
) -> Vec<Wanted> {
    let mut wanted = vec![Wanted::Any; ITEMS];
    for part in parts {
        let members: Vec<i128> = part.iter().map(|&item| values[item]).collect();
        for (place, &item) in part.iter().enumerate() {
            wanted[item] = definition(&Members { ty, values: &members, place, most });
        }
    }
    wanted
}

/// A fold of all members, and of those up to one, with or without it.
fn folds(prefix: &str, fold: Fold) -> [Function; 3] {
    let name = fold.name;
    [
        function(format!("{prefix}_reduce_{name}(a)"), move |of| fold.over(of.ty, of.values)),
        function(format!("{prefix}_scan_inclusive_{name}(a)"), move |of| fold.over(of.ty, &of.values[..=of.place])),
        function(format!("{prefix}_scan_exclusive_{name}(a)"), move |of| fold.over(of.ty, &of.values[..of.place])),
    ]
}

fn of_work_group() -> Vec<Function> {
    let mut functions: Vec<Function> = FOLDS.into_iter().flat_map(|fold| folds("work_group", fold)).collect();
    functions.push(function("work_group_broadcast(a, 5)", |members| of(members.ty, members.values[5])));
    functions.push(function("work_group_all(a != 0) != 0", |members| {
        truth(members, members.values.iter().all(|&value| value != 0))
    }));
    functions.push(function("work_group_any(a == 2) != 0", |members| truth(members, members.values.contains(&2))));
    functions
}

fn truth(members: &Members<'_>, is_true: bool) -> Wanted {
    of(members.ty, is_true.into())
}

fn of_subgroup() -> Vec<Function> {
    let mut functions: Vec<Function> = FOLDS.into_iter().flat_map(|fold| folds("sub_group", fold)).collect();
    functions.push(function("sub_group_broadcast(a, get_sub_group_size() - 1)", |members| {
        of(members.ty, *members.values.last().expect("invariant: a subgroup has members"))
    }));
    functions.push(function("sub_group_all(a != 0) != 0", |members| {
        truth(members, members.values.iter().all(|&value| value != 0))
    }));
    functions.push(function("sub_group_any(a == 2) != 0", |members| truth(members, members.values.contains(&2))));
    functions
}

/// The value of another member; open if there is none.
fn at(members: &Members<'_>, place: usize) -> Wanted {
    members.values.get(place).map_or(Wanted::Any, |&value| of(members.ty, value))
}

fn shuffles() -> Vec<Function> {
    vec![
        function("sub_group_shuffle(a, (lane + 3) % get_sub_group_size())", |of| {
            at(of, (of.place + 3) % of.values.len())
        }),
        function("sub_group_shuffle_xor(a, 1u)", |of| at(of, of.place ^ 1)),
        function("sub_group_shuffle_up(a, 1u)", |of| at(of, of.place.wrapping_sub(1))),
        function("sub_group_shuffle_down(a, 1u)", |of| at(of, of.place + 1)),
        function("sub_group_rotate(a, 1)", |of| at(of, (of.place + 1) % of.most)),
        function("sub_group_clustered_rotate(a, 1, 2u)", |of| at(of, of.place ^ 1)),
        function("sub_group_non_uniform_broadcast(a, 0u)", |of| at(of, 0)),
        function("sub_group_broadcast_first(a)", |of| at(of, 0)),
    ]
}

fn non_uniform(ty: Type) -> Vec<Function> {
    let mut functions: Vec<Function> =
        FOLDS.into_iter().flat_map(|fold| folds("sub_group_non_uniform", fold)).collect();
    if !ty.is_float() {
        functions.extend(INTEGER_FOLDS.into_iter().flat_map(|fold| folds("sub_group_non_uniform", fold)));
    }
    functions
}

/// Folds of members whose numbers differ in their lowest bits alone; such a part may have fewer members at the end of a subgroup.
fn clustered(ty: Type) -> Vec<Function> {
    let folds = FOLDS.into_iter().chain(INTEGER_FOLDS.into_iter().filter(|_| !ty.is_float()));
    let of_size = |fold: Fold, size: usize| {
        function(format!("sub_group_clustered_reduce_{}(a, {size}u)", fold.name), move |members| {
            let first = members.place / size * size;
            let is_whole = first + size <= members.values.len();
            if is_whole { fold.over(members.ty, &members.values[first..first + size]) } else { Wanted::Any }
        })
    };
    folds.flat_map(|fold| [1, 2, 4].map(|size| of_size(fold, size))).collect()
}

/// Votes, and folds of booleans.
fn votes() -> Vec<Function> {
    let mut functions = vec![
        function("sub_group_elect() != 0", |members| truth(members, members.place == 0)),
        function("sub_group_non_uniform_all(a != 0) != 0", |members| {
            truth(members, members.values.iter().all(|&value| value != 0))
        }),
        function("sub_group_non_uniform_any(a == 2) != 0", |members| truth(members, members.values.contains(&2))),
        function("sub_group_non_uniform_all_equal(a) != 0", |members| {
            truth(members, members.values.iter().all(|&value| value == members.values[0]))
        }),
        function("sub_group_non_uniform_all_equal(7) != 0", |members| truth(members, true)),
    ];
    for fold in LOGICAL_FOLDS {
        let name = fold.name;
        let prefix = "sub_group_non_uniform";
        functions
            .push(function(format!("{prefix}_reduce_{name}(a) != 0"), move |of| fold.over_truths(of.ty, of.values)));
        functions.push(function(format!("{prefix}_scan_inclusive_{name}(a) != 0"), move |of| {
            fold.over_truths(of.ty, &of.values[..=of.place])
        }));
        functions.push(function(format!("{prefix}_scan_exclusive_{name}(a) != 0"), move |of| {
            fold.over_truths(of.ty, &of.values[..of.place])
        }));
        functions.push(function(format!("sub_group_clustered_reduce_{name}(a, 1u) != 0"), move |of| {
            fold.over_truths(of.ty, &of.values[of.place..=of.place])
        }));
    }
    functions
}

/// The members with a positive value, as bits of a word.
fn positive(members: &Members<'_>) -> u32 {
    let bits = members.values.iter().enumerate().filter(|&(_, &value)| value > 0).map(|(place, _)| 1 << place);
    bits.fold(0, |all, bit: u32| all | bit)
}

fn ballots() -> Vec<Function> {
    let ballot = "sub_group_ballot(a > 0)";
    let word = |members: &Members<'_>, bits: u32| of(members.ty, i128::from(bits));
    let lower = |members: &Members<'_>| (1u32 << members.place) - 1;
    let all = |members: &Members<'_>| u32::MAX >> (32 - members.values.len().min(32));
    let open =
        |members: &Members<'_>, bit: u32| if positive(members) == 0 { Wanted::Any } else { of(members.ty, bit.into()) };
    vec![
        function(format!("{ballot}.x"), move |members| word(members, positive(members))),
        function(format!("{ballot}.y"), move |members| word(members, 0)),
        function(format!("sub_group_inverse_ballot({ballot}) != 0"), |members| {
            truth(members, members.values[members.place] > 0)
        }),
        function(format!("sub_group_ballot_bit_extract({ballot}, 1u) != 0"), |members| {
            truth(members, members.values.get(1).is_some_and(|&value| value > 0))
        }),
        function(format!("sub_group_ballot_bit_count({ballot})"), move |members| {
            word(members, positive(members).count_ones())
        }),
        function(format!("sub_group_ballot_inclusive_scan({ballot})"), move |members| {
            word(members, (positive(members) & (lower(members) << 1 | 1)).count_ones())
        }),
        function(format!("sub_group_ballot_exclusive_scan({ballot})"), move |members| {
            word(members, (positive(members) & lower(members)).count_ones())
        }),
        function(format!("sub_group_ballot_find_lsb({ballot})"), move |members| {
            open(members, positive(members).trailing_zeros())
        }),
        function(format!("sub_group_ballot_find_msb({ballot})"), move |members| {
            open(members, 31 - positive(members).leading_zeros().min(31))
        }),
        function("get_sub_group_eq_mask().x", move |members| word(members, 1 << members.place)),
        function("get_sub_group_lt_mask().x", move |members| word(members, lower(members))),
        function("get_sub_group_le_mask().x", move |members| word(members, lower(members) << 1 | 1)),
        // Whether the masks above a member end at the size of the subgroup or at the greatest size differs.
        function("get_sub_group_gt_mask().x & sub_group_ballot(1).x", move |members| {
            word(members, all(members) & !(lower(members) << 1 | 1))
        }),
        function("get_sub_group_ge_mask().x & sub_group_ballot(1).x", move |members| {
            word(members, all(members) & !lower(members))
        }),
    ]
}
