//! Attributes: of all that LLVM has, what functions do to memory.
//!
//! A group has attributes for the function, its result or one parameter; a list names groups; functions and calls name a list.

use std::collections::BTreeMap;

use reconverge_diagnostic::Diagnostic;

use super::operands::Operands;
use crate::bitstream::{Event, Record, Stream};
use crate::error::Code;
use crate::module::MemoryEffect;

/// The index of the function itself in a group.
const FUNCTION: u64 = 0xffff_ffff;

/// Numbers of attributes.
const READ_NONE: u64 = 20;
const READ_ONLY: u64 = 21;

/// The attributes of a module.
#[derive(Default)]
pub(super) struct Attributes {
    /// The memory effects of groups for functions, by their number.
    groups: BTreeMap<u64, MemoryEffect>,
    lists: Vec<MemoryEffect>,
}

impl Attributes {
    pub(super) fn read_groups(&mut self, stream: &mut Stream<'_>, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match stream.next(record)? {
                Event::Enter(_) => stream.skip(),
                Event::End => return Ok(()),
                Event::Record if record.code == 3 => self.group(Operands::new(record))?,
                Event::Record => {}
            }
        }
    }

    fn group(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (group, index) = (operands.number("a group")?, operands.number("an index of a parameter")?);
        let mut effect = MemoryEffect::Any;
        while operands.left() > 0 {
            match operands.number("a kind of attribute")? {
                0 => match operands.number("an attribute")? {
                    READ_NONE => effect = MemoryEffect::ReadNone,
                    READ_ONLY if effect == MemoryEffect::Any => effect = MemoryEffect::ReadOnly,
                    _ => {}
                },
                1 => {
                    operands.number("an attribute")?;
                    operands.number("a value")?;
                }
                3 => skip_text(&mut operands)?,
                4 => {
                    skip_text(&mut operands)?;
                    skip_text(&mut operands)?;
                }
                kind => return Err(operands.error(Code::Record, format!("expected a kind of attribute, found {kind}"))),
            }
        }
        if index == FUNCTION {
            self.groups.insert(group, effect);
        }
        Ok(())
    }

    pub(super) fn read_lists(&mut self, stream: &mut Stream<'_>, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match stream.next(record)? {
                Event::Enter(_) => stream.skip(),
                Event::End => return Ok(()),
                Event::Record if record.code == 2 => {
                    let effects = record.operands.iter().filter_map(|group| self.groups.get(group));
                    let effect = effects.copied().find(|&effect| effect != MemoryEffect::Any);
                    self.lists.push(effect.unwrap_or_default());
                }
                Event::Record if record.code == 1 => {
                    return Err(Operands::new(record).unsupported("attributes without groups"));
                }
                Event::Record => {}
            }
        }
    }

    /// The memory effect of the next operand, the number of a list or 0.
    pub(super) fn effect(&self, operands: &mut Operands<'_>) -> Result<MemoryEffect, Diagnostic> {
        let list = operands.number("a list of attributes")?;
        match list.checked_sub(1) {
            None => Ok(MemoryEffect::Any),
            Some(index) => match usize::try_from(index).ok().and_then(|index| self.lists.get(index)) {
                Some(&effect) => Ok(effect),
                None => {
                    let message =
                        format!("expected one of {} lists of attributes, found number {list}", self.lists.len());
                    Err(operands.error(Code::Reference, message))
                }
            },
        }
    }
}

/// Skips bytes up to a zero.
fn skip_text(operands: &mut Operands<'_>) -> Result<(), Diagnostic> {
    while operands.number("the end of a text")? != 0 {}
    Ok(())
}
