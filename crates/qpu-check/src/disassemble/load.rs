//! Text of loads of immediates and of semaphore accesses.

use super::alu::{packs, targets};
use super::fields::{Load, NOWHERE};
use super::names;

/// Bit 4 of a semaphore's immediate: 1 acquires, 0 releases.
const ACQUIRES: u32 = 0x10;

/// The line of a load, whether or not the assembler accepts it.
pub(super) fn text(load: &Load) -> String {
    let writes = &load.writes;
    let is_acquire = load.immediate & ACQUIRES != 0;
    let mut text = match load.mode {
        0 => "ldi".to_owned(),
        1 => "ldipes".to_owned(),
        3 => "ldipeu".to_owned(),
        4 if is_acquire => "sacq".to_owned(),
        4 => "srel".to_owned(),
        mode => format!("reserved{mode}"),
    };
    if writes.sets_flags {
        text += ".setf";
    }
    let ([add, mul], [add_pack, mul_pack]) = (targets(writes), packs(writes));
    let condition = if writes.waddr_add != NOWHERE || writes.sets_flags { writes.cond_add } else { 1 };
    text += &target(&add, condition, add_pack);
    if writes.waddr_mul != NOWHERE {
        text += &target(&mul, writes.cond_mul, mul_pack);
    }
    text += " ";
    text += &match load.mode {
        1 => lanes(load.immediate, -2),
        3 => lanes(load.immediate, 2),
        4 => format!("{:#x}", load.immediate & !ACQUIRES),
        _ => format!("{:#x}", load.immediate),
    };
    text
}

/// The name with condition and pack. The condition comes before the pack: after it, the assembler reads both as one word.
fn target(name: &str, condition: u8, pack: &str) -> String {
    format!(" {name}{}{pack},", names::CONDITIONS[usize::from(condition)])
}

/// Sixteen values of two bits: the high half of the immediate has the high bits, whose value is `high`.
fn lanes(immediate: u32, high: i32) -> String {
    let value = |lane: u32| {
        let [low_bit, high_bit] = [lane, lane + 16].map(|at| i32::from(immediate >> at & 1 == 1));
        (high * high_bit + low_bit).to_string()
    };
    format!("[{}]", (0..16).map(value).collect::<Vec<_>>().join(","))
}
