//! The references of records, collected without creating anything: a [`Sink`] that only records.

use super::decode::Sink;
use super::error::Fault;
use crate::{Inst, Op};

/// The references of records.
#[derive(Default)]
pub(super) struct Named {
    pub(super) globals: Vec<u32>,
    /// The globals in whose bodies a result is named.
    pub(super) holders: Vec<u32>,
}

impl Named {
    /// All globals, those that are named first.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.globals.drain(..).chain(self.holders.drain(..))
    }
}

impl Sink for Named {
    fn word(&mut self, _: u32) -> u32 {
        0
    }

    fn literal(&mut self, _: Op, _: &[u32]) -> u32 {
        0
    }

    fn global(&mut self, number: u32) -> Result<u32, Fault> {
        self.globals.push(number);
        Ok(0)
    }

    fn local(&mut self, _: u32) -> u32 {
        0
    }

    fn foreign(&mut self, global: u32, _: u32) -> Result<Option<u32>, Fault> {
        self.holders.push(global);
        Ok(Some(0))
    }

    fn missing(&mut self) -> u32 {
        0
    }

    fn note(&mut self, _: Op, _: &[Inst]) -> u32 {
        0
    }
}
