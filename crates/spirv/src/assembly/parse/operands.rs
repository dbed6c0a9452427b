//! One operand by its kind: ids, literals, strings, enumerants, and the operands that determine which others follow.

use rspirv::grammar::{OperandKind, OperandQuantifier};

use super::fault::{Fault, instead};
use super::float::Format;
use super::literal::{NumberType, Problem};
use super::tokens::{Token, TokenKind};
use super::{Assembler, enumerants, opcodes};
use crate::error::AssemblyCode;
use crate::grammar::results;

impl<'t> Assembler<'t> {
    /// Reads an operand of a kind.
    pub(super) fn operand(&mut self, kind: OperandKind, token: &Token<'t>) -> Result<(), Fault> {
        match kind {
            OperandKind::IdRef | OperandKind::IdResultType | OperandKind::IdScope | OperandKind::IdMemorySemantics => {
                self.id(token)
            }
            OperandKind::LiteralString => match token.kind {
                TokenKind::Text => {
                    self.string(token);
                    Ok(())
                }
                _ => Err(other_kind(kind, token)),
            },
            OperandKind::LiteralInteger => self.literal(NumberType::WORD, token),
            OperandKind::LiteralFloat => self.literal(NumberType::Float(Format::SINGLE), token),
            OperandKind::LiteralContextDependentNumber => self.typed_literal(token),
            OperandKind::PairLiteralIntegerIdRef => {
                self.expected.push((OperandKind::IdRef, OperandQuantifier::One));
                self.typed_literal(token)
            }
            OperandKind::PairIdRefLiteralInteger => {
                self.expected.push((OperandKind::LiteralInteger, OperandQuantifier::One));
                self.id(token)
            }
            OperandKind::PairIdRefIdRef => {
                self.expected.push((OperandKind::IdRef, OperandQuantifier::One));
                self.id(token)
            }
            OperandKind::LiteralExtInstInteger => self.extended_instruction(token),
            OperandKind::LiteralSpecConstantOpInteger => self.operation(token),
            _ => self.enumerant(kind, token),
        }
    }

    fn id(&mut self, token: &Token<'t>) -> Result<(), Fault> {
        if token.kind != TokenKind::Id {
            return Err(other_kind(OperandKind::IdRef, token));
        }
        let number = self.ids.number(token)?;
        self.words.push(number);
        Ok(())
    }

    /// A string, in words (SPIR-V section 2.2.1).
    pub(super) fn string(&mut self, token: &Token<'t>) {
        self.words.extend(reconverge_ir::literal::text_words(&token.unescaped()));
    }

    /// Reads a literal of the width of the type of the constant or the selector, which is the first word after the opcode.
    fn typed_literal(&mut self, token: &Token<'t>) -> Result<(), Fault> {
        let number = self.words.get(self.start + 1).and_then(|id| self.numbers.get(id)).copied();
        match number {
            Some(number) => self.literal(number, token),
            None => {
                let message = format!(
                    "expected {token} to have a numeric type that an earlier instruction defines; define the type of the \
                     constant or the selector first, or give the literal as words `!0x…`"
                );
                Err(Fault::new(token.offset, AssemblyCode::LiteralType, message))
            }
        }
    }

    fn literal(&mut self, number: NumberType, token: &Token<'t>) -> Result<(), Fault> {
        if token.kind != TokenKind::Word {
            return Err(other_kind(OperandKind::LiteralInteger, token));
        }
        let problem = match number.parse(token.text) {
            Ok(literal) => {
                self.words.extend(literal.words());
                return Ok(());
            }
            Err(problem) => problem,
        };
        let expected = number.expected();
        let (code, expected) = match problem {
            Problem::OutOfRange => (AssemblyCode::LiteralRange, format!("a number that fits into {expected}")),
            Problem::NoNumber => (AssemblyCode::Literal, expected),
            Problem::Unsupported => {
                (AssemblyCode::LiteralType, format!("{expected}, because literals of this type are not supported"))
            }
        };
        Err(Fault::new(token.offset, code, format!("expected {expected}, found {token}")))
    }

    /// Reads the name or number of an extended instruction, whose set is before it. Its row determines the remaining operands.
    fn extended_instruction(&mut self, token: &Token<'t>) -> Result<(), Fault> {
        let Some(set) = self.words.last().and_then(|set| self.sets.get(set)).copied() else {
            let message = format!(
                "expected the id of an extended instruction set before {token}; `OpExtInstImport` must define it earlier"
            );
            return Err(Fault::new(token.offset, AssemblyCode::InstructionSet, message));
        };
        let is_number = token.kind == TokenKind::Word && token.text.starts_with(|sign: char| sign.is_ascii_digit());
        let row = match is_number {
            true => {
                self.literal(NumberType::WORD, token)?;
                self.words.last().and_then(|&number| set.by_number(number))
            }
            false => {
                let row = set.by_name(token.text).filter(|_| token.kind == TokenKind::Word);
                let row = row.ok_or_else(|| {
                    let instead = instead(token.text, set.names(), "an instruction without a name is a number");
                    let message = format!("expected the name of an instruction of the set, found {token}{instead}");
                    Fault::new(token.offset, AssemblyCode::ExtendedInstruction, message)
                })?;
                self.words.push(row.opcode.into());
                Some(row)
            }
        };
        self.expected.clear();
        if set.is_open || row.is_none() && set.has_ids {
            self.expected.push((OperandKind::IdRef, OperandQuantifier::ZeroOrMore));
        }
        match row {
            Some(row) => self.expect(row.operands),
            None if set.has_ids => {}
            None => self.free_operands()?,
        }
        Ok(())
    }

    /// Reads the operation inside a specialization constant: a name without `Op`, and that instruction's operands after type and result.
    fn operation(&mut self, token: &Token<'t>) -> Result<(), Fault> {
        let row = opcodes::instruction(token.text).filter(|row| {
            token.kind == TokenKind::Word && results(row).is_typed() && row.opcode != spirv::Op::SpecConstantOp
        });
        let Some(row) = row else {
            let instead = instead(token.text, opcodes::names(), "it is written without `Op`, as in `IAdd`");
            let message = format!("expected the name of an operation, found {token}{instead}");
            return Err(Fault::new(token.offset, AssemblyCode::Opcode, message));
        };
        self.words.push(row.opcode as u32);
        self.expect(&row.operands[2..]);
        Ok(())
    }

    /// Reads an enumerant or a mask, and its parameters.
    fn enumerant(&mut self, kind: OperandKind, token: &Token<'t>) -> Result<(), Fault> {
        if token.kind != TokenKind::Word {
            return Err(other_kind(kind, token));
        }
        let word = enumerants::word(kind, token.text).map_err(|(offset, name)| {
            let names = enumerants::names(kind);
            let advice = "a number is written `!0x…`";
            let instead = instead(name, names.iter().map(String::as_str), advice);
            let unknown = Token { text: name, ..*token };
            let message = format!("expected {}, found {unknown}{instead}", expected(kind));
            Fault::new(token.offset + offset, AssemblyCode::Enumerant, message)
        })?;
        self.words.push(word);
        self.expect(&enumerants::parameters(kind, word));
        Ok(())
    }
}

/// The expected form of an operand of a kind, for messages.
pub(super) fn expected(kind: OperandKind) -> String {
    let text = match kind {
        OperandKind::IdRef
        | OperandKind::IdResultType
        | OperandKind::IdScope
        | OperandKind::IdMemorySemantics
        | OperandKind::PairIdRefIdRef
        | OperandKind::PairIdRefLiteralInteger => "an id, as in `%1` or `%name`",
        OperandKind::LiteralString => "a string in quotes",
        OperandKind::LiteralInteger
        | OperandKind::LiteralFloat
        | OperandKind::LiteralContextDependentNumber
        | OperandKind::PairLiteralIntegerIdRef => "a number",
        OperandKind::LiteralExtInstInteger => "the name of an extended instruction",
        OperandKind::LiteralSpecConstantOpInteger => "the name of an operation, without `Op`",
        _ => return format!("a name of {}", enumerants::kind_name(kind)),
    };
    text.to_owned()
}

fn other_kind(kind: OperandKind, token: &Token<'_>) -> Fault {
    let message = format!("expected {}, found {token}", expected(kind));
    Fault::new(token.offset, AssemblyCode::OperandKind, message)
}
