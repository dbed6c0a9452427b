//! The roles of the words of a SPIR-V file, as far as mutations need them.

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};
use spirv::Op;

/// Words before the first instruction of a file.
pub(super) const HEADER: usize = 5;

/// The role of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    ResultType,
    Result,
    Id,
    Literal,
    Enumerant(OperandKind),
}

/// An instruction of a file.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) start: usize,
    pub(super) opcode: u16,
    pub(super) words: Vec<u32>,
    /// By word: its role; the first word has none.
    pub(super) roles: Vec<Option<Role>>,
}

impl Instruction {
    /// Its op, if its opcode is known.
    pub(super) fn op(&self) -> Option<Op> {
        Op::from_u32(self.opcode.into())
    }

    /// The words with that role.
    pub(super) fn places(&self, wanted: impl Fn(Role) -> bool) -> Vec<usize> {
        (1..self.words.len()).filter(|&at| self.roles[at].is_some_and(&wanted)).collect()
    }

    /// The result, if there is one.
    pub(super) fn result(&self) -> Option<u32> {
        self.places(|role| role == Role::Result).first().map(|&at| self.words[at])
    }

    /// The result type, if there is one.
    pub(super) fn ty(&self) -> Option<u32> {
        self.places(|role| role == Role::ResultType).first().map(|&at| self.words[at])
    }
}

/// The instructions of a file.
pub(super) fn instructions(words: &[u32]) -> Vec<Instruction> {
    let mut found = Vec::new();
    let mut at = HEADER;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        if length == 0 || at + length > words.len() {
            break;
        }
        let own = words[at..at + length].to_vec();
        let opcode = (own[0] & 0xFFFF) as u16;
        found.push(Instruction { start: at, opcode, roles: roles(opcode, &own), words: own });
        at += length;
    }
    found
}

/// The role of each word, from the grammar of the core instructions. Words after a string or a mask count as ids or literals.
fn roles(opcode: u16, words: &[u32]) -> Vec<Option<Role>> {
    let mut roles = vec![None; words.len()];
    let Some(row) = INSTRUCTION_TABLE.lookup_opcode(opcode.into()) else { return roles };
    let mut at = 1;
    for operand in row.operands {
        let many = operand.quantifier == OperandQuantifier::ZeroOrMore;
        while at < words.len() {
            at += take(operand.kind, &words[at..], &mut roles[at..]);
            if !many {
                break;
            }
        }
    }
    for role in roles.iter_mut().skip(at.min(words.len())) {
        *role = Some(Role::Literal);
    }
    roles
}

/// The roles of the first words, and their number.
fn take(kind: OperandKind, words: &[u32], roles: &mut [Option<Role>]) -> usize {
    let one = match kind {
        OperandKind::IdResultType => Role::ResultType,
        OperandKind::IdResult => Role::Result,
        OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => Role::Id,
        OperandKind::LiteralString => {
            let closing = words.iter().position(|word| word.to_le_bytes().contains(&0));
            return closing.map_or(words.len(), |closing| closing + 1);
        }
        OperandKind::PairIdRefIdRef => return pair(roles, [Role::Id, Role::Id]),
        OperandKind::PairIdRefLiteralInteger => return pair(roles, [Role::Id, Role::Literal]),
        OperandKind::PairLiteralIntegerIdRef => return pair(roles, [Role::Literal, Role::Id]),
        OperandKind::ImageOperands => {
            roles.iter_mut().for_each(|role| *role = Some(Role::Id));
            roles[0] = Some(Role::Enumerant(kind));
            return words.len();
        }
        OperandKind::LiteralInteger
        | OperandKind::LiteralContextDependentNumber
        | OperandKind::LiteralExtInstInteger
        | OperandKind::LiteralSpecConstantOpInteger => Role::Literal,
        kind => Role::Enumerant(kind),
    };
    roles[0] = Some(one);
    1
}

fn pair(roles: &mut [Option<Role>], both: [Role; 2]) -> usize {
    for (role, one) in roles.iter_mut().zip(both) {
        *role = Some(one);
    }
    2.min(roles.len())
}
