//! E10: the vertex pipe memory. AG100 section 7: a setup says where the data of reads and writes are, and another where the DMA finds them.
//! File A has the addresses of reads, file B those of writes. What a setup says is a value, which the words do not show.

use super::super::flow::Point;
use super::super::word::{File, Instruction};
use super::first;

pub(super) fn is_set_up(word: &Instruction, point: &Point) -> Option<String> {
    let [has_read_setup, has_write_setup] = point.before.has_setup;
    let starts = |file| word.writes().any(|part| part.address == 50 && part.file == file);
    let writes = word.writes().any(|part| part.address == 48);
    first(&[
        (word.reads(48) && !has_read_setup, "reads the VPM, which some path does not set up for reads"),
        (writes && !has_write_setup, "writes to the VPM, which some path does not set up for writes"),
        (starts(File::A) && !has_read_setup, "starts a load of the DMA, which some path does not set up"),
        (starts(File::B) && !has_write_setup, "starts a store of the DMA, which some path does not set up"),
    ])
}
