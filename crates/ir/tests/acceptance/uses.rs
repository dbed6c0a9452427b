//! Use lists against a search of everything, under random edits.

use reconverge_ir::{Inst, Module, Op, Position, Slot, Use};

use super::support::{Random, start};

/// The uses of a value by definition.
fn uses_by_search(module: &Module, value: Inst) -> Vec<Use> {
    let mut uses = Vec::new();
    for user in (0..module.capacity()).map(Inst::new).filter(|&user| module.is_live(user)) {
        if module.ty(user) == Some(value) {
            uses.push(Use { user, slot: Slot::Type });
        }
        let operands = module.operands(user).enumerate().filter(|&(_, operand)| operand == value);
        uses.extend(operands.map(|(index, _)| Use { user, slot: Slot::Operand(index) }));
    }
    sorted(uses)
}

fn sorted(mut uses: Vec<Use>) -> Vec<Use> {
    uses.sort_by_key(|used| match used.slot {
        Slot::Type => (used.user, None),
        Slot::Operand(index) => (used.user, Some(index)),
    });
    uses
}

fn check(module: &Module, value: Inst, place: &str) {
    let found = sorted(module.uses(value).collect());
    assert_eq!(found, uses_by_search(module, value), "uses of {value} {place}");
    assert_eq!(module.is_used(value), !found.is_empty());
}

/// An edit of one instruction leaves the uses of all others in the order in which they stood, behind those that are new.
fn check_order(module: &Module, before: Vec<Use>, value: Inst, edited: Inst, place: &str) {
    let others = |used: &Use| used.user != edited && module.is_live(used.user);
    let before: Vec<Use> = before.into_iter().filter(others).collect();
    let after: Vec<Use> = module.uses(value).filter(others).collect();
    assert!(after.ends_with(&before), "order of the uses of {value} {place}: {before:?}, then {after:?}");
}

/// One random edit: `users` are typed instructions with any number of operands out of `values`. The one that was edited comes back; none if
/// several were.
fn edit(module: &mut Module, random: &mut Random, values: &[Inst], users: &mut Vec<Inst>) -> Option<Inst> {
    // Half of all operands are the first value, so that its chain is long.
    let pick = |random: &mut Random| values[if random.below(2) == 0 { 0 } else { random.below(values.len()) }];
    let place = random.below(users.len());
    let user = users[place];
    match random.below(10) {
        0 => {
            let greatest = if random.below(20) == 0 { 300 } else { 7 };
            let count = random.below(greatest);
            let operands: Vec<Inst> = (0..count).map(|_| pick(random)).collect();
            module.edit().set_operands(user, &operands);
        }
        1 => {
            let operands: Vec<Inst> = (0..random.below(5)).map(|_| pick(random)).collect();
            let ty = module.ty(user);
            users.push(module.edit().insert(Position::After(user), Op::CompositeConstruct, ty, &operands));
        }
        2 if users.len() > 200 => {
            module.edit().delete(user);
            users.swap_remove(place);
        }
        3 if random.below(100) == 0 => {
            let (old, new) = (pick(random), pick(random));
            module.edit().replace_all_uses(old, new);
            return None;
        }
        4 => module.edit().set_type(user, pick(random)),
        _ if module.operand_count(user) > 0 => {
            let index = random.below(module.operand_count(user));
            module.edit().set_operand(user, index, pick(random));
        }
        _ => {}
    }
    Some(user)
}

#[test]
fn uses_are_those_that_a_search_finds() {
    for seed in 1..=6 {
        let mut random = Random::new(seed);
        let mut start = start(1);
        let module = &mut start.module;
        let block = start.blocks[0];
        let values: Vec<Inst> =
            (0..12).map(|_| module.edit().append(block, Op::Undef, Some(start.u32_type), &[])).collect();
        let first = module.edit().append(block, Op::CompositeConstruct, Some(start.u32_type), &[values[0]]);
        let mut users = vec![first];
        for _ in 0..300 {
            users.push(module.edit().append(block, Op::CompositeConstruct, Some(start.u32_type), &[values[0]]));
        }
        for step in 0..4_000 {
            let value = values[random.below(values.len())];
            let before: Vec<Use> = module.uses(value).collect();
            let edited = edit(module, &mut random, &values, &mut users);
            if step % 8 == 0 {
                let place = format!("after step {step} of seed {seed}");
                check(module, value, &place);
                if let Some(edited) = edited {
                    check_order(module, before, value, edited, &place);
                }
            }
        }
        for &value in values.iter().chain([&start.u32_type]) {
            check(module, value, &format!("at the end of seed {seed}"));
        }
    }
}

#[test]
fn the_newest_use_comes_first_and_those_of_a_new_instruction_in_order() {
    let mut start = start(1);
    let module = &mut start.module;
    let (value, block, ty) = (start.parameter, start.blocks[0], start.u32_type);
    let other = module.edit().append(block, Op::Undef, Some(ty), &[]);
    let uses =
        |module: &Module| -> Vec<(Inst, Slot)> { module.uses(value).map(|used| (used.user, used.slot)).collect() };
    let sum = module.edit().append(block, Op::IAdd, Some(ty), &[value; 2]);
    let not = module.edit().append(block, Op::Not, Some(ty), &[value]);
    let of_sum = [(sum, Slot::Operand(0)), (sum, Slot::Operand(1))];
    assert_eq!(uses(module), [(not, Slot::Operand(0)), of_sum[0], of_sum[1]]);
    module.edit().set_operand(sum, 1, other);
    module.edit().set_operand(sum, 1, value);
    assert_eq!(uses(module), [of_sum[1], (not, Slot::Operand(0)), of_sum[0]]);
    module.edit().set_operands(sum, &[other, value, value]);
    assert_eq!(uses(module), [of_sum[1], (sum, Slot::Operand(2)), (not, Slot::Operand(0))]);
    module.edit().delete(not);
    assert_eq!(uses(module), [of_sum[1], (sum, Slot::Operand(2))]);
}

/// Operand lists that grow again and again, and instructions that go, leave room behind, which is given back.
#[test]
fn the_room_of_what_is_gone_is_given_back() {
    let mut start = start(1);
    let module = &mut start.module;
    let (value, block, ty) = (start.parameter, start.blocks[0], start.u32_type);
    let grown = module.edit().append(block, Op::CompositeConstruct, Some(ty), &[]);
    let before = (module.memory().operand_bytes, module.uses(value).count());
    for count in 0..1_000 {
        module.edit().set_operands(grown, &vec![value; count]);
        let doomed = module.edit().append(block, Op::IAdd, Some(ty), &[value; 2]);
        module.edit().delete(doomed);
    }
    assert_eq!(module.uses(value).count(), before.1 + 999);
    assert!(module.uses(value).zip(0..999).all(|(used, index)| used.slot == Slot::Operand(index)));
    assert_eq!((module.ty(grown), module.operand_count(grown)), (Some(ty), 999));
    assert_eq!(module.children(block).collect::<Vec<_>>(), [grown]);
    assert!(module.memory().operand_bytes < before.0 + 16 * (2 * 999 + 1_100), "{:?}", module.memory());
}

/// A struct without members has no room of its own, and gets some after that of others was given back.
#[test]
fn what_had_no_operands_gets_some_after_room_was_given_back() {
    let mut start = start(1);
    let module = &mut start.module;
    let (value, block, ty) = (start.parameter, start.blocks[0], start.u32_type);
    let doomed: Vec<Inst> = (0..2_000).map(|_| module.edit().append(block, Op::IAdd, Some(ty), &[value; 2])).collect();
    let empty = module.edit().append_global(Op::TypeStruct, None, &[]);
    doomed.into_iter().for_each(|doomed| module.edit().delete(doomed));
    module.edit().set_operands(empty, &[ty, ty]);
    assert_eq!(module.operands(empty).collect::<Vec<_>>(), [ty, ty]);
    assert!(module.uses(ty).any(|used| used.user == empty));
}

#[test]
fn a_value_with_many_uses_can_lose_them_in_any_order() {
    let mut start = start(1);
    let module = &mut start.module;
    let (old, block, ty) = (start.parameter, start.blocks[0], start.u32_type);
    let other = module.edit().append(block, Op::Undef, Some(ty), &[]);
    let users: Vec<Inst> = (0..20_000).map(|_| module.edit().append(block, Op::Not, Some(ty), &[old])).collect();
    let mut order: Vec<usize> = (0..users.len()).collect();
    let mut random = Random::new(7);
    (1..order.len()).rev().for_each(|index| order.swap(index, random.below(index + 1)));
    let (moved, stay) = order.split_at(15_000);
    moved.iter().for_each(|&index| module.edit().set_operand(users[index], 0, other));
    assert_eq!(module.uses(old).count(), stay.len());
    assert_eq!(module.uses(other).count(), moved.len());
    moved.iter().for_each(|&index| module.edit().delete(users[index]));
    assert_eq!(module.uses(old).count(), stay.len());
    assert!(!module.is_used(other));
    module.edit().replace_all_uses(old, other);
    assert_eq!(module.uses(other).count(), stay.len());
}

#[test]
fn s02_the_type_is_an_operand_that_uses_know() {
    let mut start = start(1);
    let module = &mut start.module;
    let users: Vec<Inst> = (0..10)
        .map(|_| module.edit().append(start.blocks[0], Op::IAdd, Some(start.u32_type), &[start.parameter; 2]))
        .collect();
    let words = [module.edit().word(32), module.edit().word(1)];
    let i32_type = module.edit().unique(Op::TypeInt, None, &words);
    let function_type = module.operand(start.function, reconverge_ir::function::FUNCTION_TYPE);
    module.edit().replace_all_uses(start.u32_type, i32_type);
    assert!(users.iter().all(|&user| module.ty(user) == Some(i32_type)));
    assert_eq!(module.ty(start.function), Some(i32_type));
    assert_eq!(module.ty(start.parameter), Some(i32_type));
    assert!(module.operands(function_type).all(|operand| operand == i32_type), "types are operands of types too");
    assert!(!module.is_used(start.u32_type));
}

/// What an instruction of a hundred thousand operands uses is found, and given up, without a look at all the others. SPIR-V could not write it.
#[test]
fn operands_of_a_wide_instruction_are_used_by_it_alone() {
    const COUNT: u32 = 100_000;
    let mut start = start(1);
    let mut editor = start.module.edit();
    let values: Vec<Inst> = (0..COUNT).map(|number| editor.word(number)).collect();
    let wide = editor.append(start.blocks[0], Op::CompositeConstruct, Some(start.u32_type), &values);
    for (index, &value) in values.iter().enumerate() {
        let uses: Vec<Use> = start.module.uses(value).filter(|used| used.user == wide).collect();
        assert_eq!(uses, [Use { user: wide, slot: Slot::Operand(index) }]);
    }
    start.module.edit().set_operands(wide, &values[..3]);
    assert_eq!(values.iter().filter(|&&value| start.module.uses(value).any(|used| used.user == wide)).count(), 3);
}

#[test]
fn a_literal_has_any_number_of_words() {
    let words: Vec<u32> = (0..100_000).collect();
    let mut module = Module::new();
    let literal = module.edit().literal(&words);
    assert_eq!(module.literal_words(literal), words);
    assert_eq!(module.edit().literal(&words), literal);
}
