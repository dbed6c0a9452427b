//! Metadata of a body, and metadata on its instructions.

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::bitstream::{Event, Record};
use crate::error::Code;
use crate::module::{Metadata, MetadataEntry};
use crate::read::operands::Operands;

impl Body<'_, '_> {
    /// Values of the body as metadata: `[type, value]`.
    pub(super) fn local_metadata(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match self.reader.stream.next(record)? {
                Event::Enter(_) => self.reader.stream.skip(),
                Event::End => return Ok(()),
                Event::Record if record.code == 2 => {
                    let mut operands = Operands::new(record);
                    let (ty, number) = self.reader.typed_value(&mut operands)?;
                    if !self.types().is_sized(ty) {
                        return Err(operands.error(Code::Type, "expected the type of a value"));
                    }
                    let (value, _) = self.use_value(number, Some(ty), &operands)?;
                    self.metadata.push(MetadataEntry { metadata: Metadata::Value(value), offset: record.offset });
                }
                Event::Record => {
                    let message = "metadata of a body that is no value";
                    return Err(Operands::new(record).unsupported(message));
                }
            }
        }
    }

    /// `[(instruction), (kind, metadata)…]`; without an instruction, for the function.
    pub(super) fn attachments(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match self.reader.stream.next(record)? {
                Event::Enter(_) => self.reader.stream.skip(),
                Event::End => return Ok(()),
                Event::Record if record.code == 11 => {
                    let mut operands = Operands::new(record);
                    let instruction = match operands.left() % 2 {
                        0 => None,
                        _ => Some(operands.small("an instruction")? as usize),
                    };
                    let mut list = Vec::with_capacity(operands.left() / 2);
                    while operands.left() > 0 {
                        list.push(self.reader.attachment(&mut operands)?);
                    }
                    list.sort_by_key(|&(kind, _)| kind);
                    let count = self.instructions.len();
                    match instruction {
                        None => self.attachments.extend(list),
                        Some(index) => match self.instructions.get_mut(index) {
                            Some(instruction) => {
                                instruction.metadata.extend(list);
                                instruction.metadata.sort_by_key(|&(kind, _)| kind);
                            }
                            None => {
                                let message = format!("expected one of {count} instructions, found number {index}");
                                return Err(operands.error(Code::Reference, message));
                            }
                        },
                    }
                }
                Event::Record => {}
            }
        }
    }
}
