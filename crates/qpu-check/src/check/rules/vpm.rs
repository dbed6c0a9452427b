//! E10: the vertex pipe memory. AG100 section 7: one setup states the position of the data of reads and writes, another its position for
//! the DMA. File A has the addresses of reads, file B those of writes. The content of a setup is a value, which the words do not show:
//! neither which of the setups of a file it is, nor the number of vectors.
//!
//! Three words are required between a setup for reads and the first read (AG100 section 7, "QPU Read of VPM"). The DMA executes one load
//! and one store at a time, and both are awaited before the mutex is released and before the program ends. A setup that was made before the
//! mutex is acquired is lost.

use super::super::flow::Point;
use super::super::state::starts_dma;
use super::super::word::{File, Instruction};
use super::first;

/// The minimum distance of a read from its setup.
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
