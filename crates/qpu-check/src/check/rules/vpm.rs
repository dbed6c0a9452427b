//! E10: the vertex pipe memory. AG100 section 7: a setup says where the data of reads and writes are, and another where the DMA finds them.
//! File A has the addresses of reads, file B those of writes. What a setup says is a value, which the words do not show: neither which of the
//! setups of a file it is, nor how many vectors it asks for.
//!
//! Between a setup for reads and the first read lie three words (AG100 section 7, "QPU Read of VPM"). The DMA does one load and one store at a
//! time, and they are awaited before the mutex is released and before the program ends. What was set up before the mutex is taken is lost.

use super::super::flow::Point;
use super::super::state::starts_dma;
use super::super::word::{File, Instruction};
use super::first;

/// How far a read is behind its setup at least.
const READ_DISTANCE: u8 = 4;

pub(super) fn is_set_up(word: &Instruction, point: &Point) -> Option<String> {
    let [has_read_setup, has_write_setup] = point.before.has_setup;
    let [is_loading, is_storing] = point.before.is_dma_busy;
    let [loads, stores] = [File::A, File::B].map(|file| starts_dma(word, file));
    let writes = word.writes().any(|part| part.address == 48);
    let is_left = word.ends_program() || word.writes().any(|part| part.address == 51);
    let is_early = point.before.since_read_setup.words() < READ_DISTANCE;
    first(&[
        (word.reads(48) && !has_read_setup, "reads the VPM, which some path does not set up for reads"),
        (writes && !has_write_setup, "writes to the VPM, which some path does not set up for writes"),
        (loads && !has_read_setup, "starts a load of the DMA, which some path does not set up"),
        (stores && !has_write_setup, "starts a store of the DMA, which some path does not set up"),
        (word.reads(48) && is_early, "reads the VPM less than four behind its setup"),
        (loads && is_loading, "starts a load of the DMA, which may have one that was not awaited"),
        (stores && is_storing, "starts a store of the DMA, which may have one that was not awaited"),
        (is_left && (is_loading || is_storing), "ends the use of the DMA, which some path does not await"),
    ])
}
