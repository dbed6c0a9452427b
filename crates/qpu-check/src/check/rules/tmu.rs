//! Q08: the texture units as memory. AG100 section 4 and the vc4asm addendum: the swap of the two units is turned off before the first
//! request and three words between; four requests may be pending (the queue has eight places, of which four are reliable); a result has a
//! request.

use super::super::flow::Point;
use super::super::word::Instruction;
use super::first;

const RELIABLE_REQUESTS: u8 = 4;

pub(super) fn order(word: &Instruction, point: &Point) -> Option<String> {
    let before = &point.before;
    let writes_tmu = word.writes().any(|part| part.address >= 56);
    let writes_noswap = word.writes().any(|part| part.address == 36);
    let after = before.after(word);
    let requests = |tmu: u8| word.writes().any(|part| part.address == 56 + 4 * tmu);
    let is_full = [0u8, 1].into_iter().any(|tmu| requests(tmu) && after.requests[usize::from(tmu)] > RELIABLE_REQUESTS);
    let is_empty = [0u8, 1]
        .into_iter()
        .any(|tmu| word.is_alu() && word.signal == 10 + tmu && before.least_requests[usize::from(tmu)] == 0);
    first(&[
        (writes_noswap && before.used_tmu, "turns the swap of the TMUs off behind a request"),
        (writes_tmu && before.since_noswap.words() < 4, "writes to a TMU less than four behind the swap's end"),
        (is_full, "leaves more than four requests of a TMU waiting"),
        (is_empty, "fetches a result of a TMU that some path makes no request of"),
    ])
}
