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
    uses.sort_by_key(|used| (used.user, matches!(used.slot, Slot::Operand(_)), format!("{:?}", used.slot)));
    uses
}

fn check(module: &Module, value: Inst, place: &str) {
    let found = sorted(module.uses(value).collect());
    assert_eq!(found, uses_by_search(module, value), "uses of {value} {place}");
    assert_eq!(module.is_used(value), !found.is_empty());
}

/// One random edit: `users` are typed instructions with any number of operands out of `values`.
fn edit(module: &mut Module, random: &mut Random, values: &[Inst], users: &mut Vec<Inst>) {
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
        }
        4 => module.edit().set_type(user, pick(random)),
        _ if module.operand_count(user) > 0 => {
            let index = random.below(module.operand_count(user));
            module.edit().set_operand(user, index, pick(random));
        }
        _ => {}
    }
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
            edit(module, &mut random, &values, &mut users);
            let value = values[random.below(values.len())];
            if step % 8 == 0 {
                check(module, value, &format!("after step {step} of seed {seed}"));
            }
        }
        for &value in values.iter().chain([&start.u32_type]) {
            check(module, value, &format!("at the end of seed {seed}"));
        }
    }
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

/// What an instruction of sixty thousand operands uses is found, and given up, without a look at all the others.
#[test]
fn operands_of_a_wide_instruction_are_used_by_it_alone() {
    const COUNT: u32 = 60_000;
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
