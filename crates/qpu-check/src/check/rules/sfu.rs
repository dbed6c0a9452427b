//! Q06: the special function unit. AG100 section 3, "SFU": the result is in r4 for the third word after the request. The two words between
//! neither read r4 nor start anything else whose result is written there.

use super::super::flow::Point;
use super::super::word::Instruction;
use super::first;

pub(super) fn r4_is_left_alone(word: &Instruction, point: &Point) -> Option<String> {
    if point.before.since_sfu.words() > 2 {
        return None;
    }
    first(&[
        (word.inputs().any(|input| input == 4), "reads r4 before the result of the SFU is there"),
        (word.loads_r4(), "loads r4 while a result of the SFU is under way"),
        (word.writes().any(|part| matches!(part.address, 52..=55)), "asks the SFU while a result is under way"),
    ])
}
