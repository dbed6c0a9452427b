//! Names of values.

use reconverge_diagnostic::Diagnostic;

use super::Reader;
use super::operands::Operands;
use crate::bitstream::{Event, Record};
use crate::error::Code;

impl Reader<'_> {
    /// Names of the values of the module: `[value, character…]`.
    pub(super) fn symbols(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        loop {
            match self.stream.next(record)? {
                Event::Enter(_) => self.stream.skip(),
                Event::End => return Ok(()),
                Event::Record if record.code == 1 => {
                    let mut operands = Operands::new(record);
                    let number = operands.small("a value")?;
                    let count = self.module.values.len();
                    let Some(value) = self.module.values.get_mut(number as usize) else {
                        let message = format!("expected one of {count} values, found number {number}");
                        return Err(operands.error(Code::Reference, message));
                    };
                    value.name = Some(operands.text().into());
                }
                Event::Record => {}
            }
        }
    }
}
