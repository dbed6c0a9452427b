//! Modules broken at random: the verifier answers, whatever it is given, and the same each time.

use crate::common;
use reconverge_ir::{Inst, Module, Op, Position};
use reconverge_verify::verify;

const TABLES: [&str; 4] = [
    "e br h | h L m c if b m | b S j if x j | x br c | j br c | c br h | m return",
    "e S m sw d 0:x 1:y | x br y | y br m | d br m | m S k if y2 k | y2 return | k return",
    "e br h | h L m h if h m | m return",
    "e br o | o L om oc br i | i L im ic if b im | b S s if bx s | bx br im | s br ic | ic br i | im br oc | oc if o om | om return",
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }

    fn pick(&mut self, list: &[Inst]) -> Inst {
        list[self.below(list.len())]
    }
}

/// Everything that lives and may be broken: what is hoistable is kept whole by the editor.
fn breakable(module: &Module) -> Vec<Inst> {
    let all = (0..module.capacity()).map(Inst::new).filter(|&inst| module.is_live(inst) && inst != module.root());
    all.filter(|&inst| !module.op(inst).is_hoistable()).collect()
}

fn break_once(module: &mut Module, random: &mut Random) {
    let victims = breakable(module);
    let any: Vec<Inst> = (0..module.capacity()).map(Inst::new).filter(|&inst| module.is_live(inst)).collect();
    if victims.is_empty() {
        return;
    }
    let (victim, other) = (random.pick(&victims), random.pick(&any));
    let count = module.operand_count(victim);
    match random.below(7) {
        0 => module.edit().delete(victim),
        1 if module.op(victim).has_type() => module.edit().set_type(victim, other),
        2 => {
            let length = random.below(6);
            let operands: Vec<Inst> = (0..length).map(|_| random.pick(&any)).collect();
            module.edit().set_operands(victim, &operands);
        }
        3 if !module.op(victim).is_container() => {
            let containers: Vec<Inst> = victims.iter().copied().filter(|&inst| module.op(inst).is_block()).collect();
            if !containers.is_empty() {
                let place = random.pick(&containers);
                let position = if random.below(2) == 0 { Position::AtEnd(place) } else { Position::AtStart(place) };
                module.edit().move_to(victim, position);
            }
        }
        4 => module.edit().detach(victim),
        5 => {
            let container = module.block_of(victim).map_or(module.root(), Inst::from);
            module.edit().append(container, Op::BlockParameter, None, &[]);
        }
        _ if count > 0 => module.edit().set_operand(victim, random.below(count), other),
        _ => {}
    }
}

#[test]
fn broken_modules_are_answered() {
    let mut found = 0;
    for seed in 1..3000u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut module = common::build(TABLES[seed as usize % TABLES.len()]);
        for _ in 0..1 + random.below(4) {
            break_once(&mut module, &mut random);
        }
        let findings = std::panic::catch_unwind(|| verify(&module)).unwrap_or_else(|_| panic!("seed {seed} panics"));
        assert_eq!(findings, verify(&module), "seed {seed} gives two answers");
        found += usize::from(!findings.is_empty());
    }
    assert!(found > 1500, "only {found} of the broken modules are found broken");
}

/// Pointers may point to each other: I13 allows it, and every walk along pointers has an end.
#[test]
fn circles_of_pointers_have_an_end() {
    let circle = "type_forward_pointer %q, Private\n%p = type_pointer Private, %q\n%q = type_pointer Private, %p\n%v: %p = variable Private\n";
    for text in ["%p = type_pointer Private, %p\n%v: %p = variable Private\n", circle] {
        assert_eq!(reconverge_verify::verify(&reconverge_ir::text::parse(text).unwrap()), []);
    }
}
