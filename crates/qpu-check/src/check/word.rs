//! A word in the form that the checker needs: its reads, its writes, and their conditions.
//!
//! AG100 section 3, "QPU Instruction Encoding"; the branch's bits as in Figure 6 there with the corrections of the `vc4asm` addendum.

/// A decoded word.
pub(super) struct Instruction {
    pub(super) form: Form,
    pub(super) signal: u8,
    pub(super) unpack: u8,
    pub(super) pack: u8,
    /// Pack mode: packs are of the multiplier and unpacks of r4, instead of register file A.
    pub(super) pm: bool,
    pub(super) sets_flags: bool,
    pub(super) add: Part,
    pub(super) mul: Part,
    raddr_a: u8,
    raddr_b: u8,
}

/// The kind of word that the signal selects.
pub(super) enum Form {
    Alu,
    Load { mode: u8 },
    Branch(Branch),
}

/// The branch part of a word.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    pub(super) condition: u8,
    pub(super) is_relative: bool,
    pub(super) uses_register: bool,
    pub(super) offset: i32,
    pub(super) reserved: u8,
}

/// The half of a word for one ALU. A load and a branch have only the write.
pub(super) struct Part {
    pub(super) operation: u8,
    pub(super) inputs: [u8; 2],
    pub(super) condition: Condition,
    pub(super) address: u8,
    pub(super) file: File,
    pub(super) is_mul: bool,
}

/// The condition under which a write takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Never,
    Always,
    /// A condition on flags, by its code. Two codes that differ in the low bit are opposites.
    Flags(u8),
    /// The write of a link register: it takes effect if the branch is taken.
    Taken,
}

/// One of the two register files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum File {
    A,
    B,
}

/// A multiplexer value: file A.
pub(super) const INPUT_A: u8 = 6;
/// A multiplexer value: file B, or the small immediate.
pub(super) const INPUT_B: u8 = 7;
/// The address without a register, for reads and writes.
const NOP_ADDRESS: u8 = 39;

fn field(word: u64, high: u32, low: u32) -> u8 {
    (word >> low & ((1 << (high - low + 1)) - 1)) as u8
}

impl Instruction {
    pub(super) fn decode(word: u64) -> Instruction {
        let signal = field(word, 63, 60);
        let form = match signal {
            14 => Form::Load { mode: field(word, 59, 57) },
            15 => Form::Branch(Branch::decode(word)),
            _ => Form::Alu,
        };
        let is_alu = matches!(form, Form::Alu);
        let is_branch = matches!(form, Form::Branch(_));
        Instruction {
            signal,
            unpack: if is_alu { field(word, 59, 57) } else { 0 },
            pack: if is_branch { 0 } else { field(word, 55, 52) },
            pm: !is_branch && field(word, 56, 56) == 1,
            sets_flags: field(word, 45, 45) == 1,
            add: Part::of_adder(word, &form),
            mul: Part::of_multiplier(word, &form),
            raddr_a: if is_branch { field(word, 49, 45) } else { field(word, 23, 18) },
            raddr_b: field(word, 17, 12),
            form,
        }
    }

    pub(super) fn is_alu(&self) -> bool {
        matches!(self.form, Form::Alu)
    }

    pub(super) fn branch(&self) -> Option<Branch> {
        match self.form {
            Form::Branch(branch) => Some(branch),
            _ => None,
        }
    }

    pub(super) fn is_semaphore(&self) -> bool {
        matches!(self.form, Form::Load { mode: 4.. })
    }

    /// The small immediate, which replaces the address of file B.
    pub(super) fn small_immediate(&self) -> Option<u8> {
        (self.is_alu() && self.signal == 13).then_some(self.raddr_b)
    }

    /// The rotation of the multiplier's result by 1 to 15, or by r5 (0).
    pub(super) fn rotation(&self) -> Option<u8> {
        self.small_immediate().and_then(|code| code.checked_sub(48))
    }

    pub(super) fn parts(&self) -> [&Part; 2] {
        [&self.add, &self.mul]
    }

    /// The writes of the word that have a target, under any condition.
    pub(super) fn writes(&self) -> impl Iterator<Item = &Part> {
        self.parts().into_iter().filter(|part| part.address != NOP_ADDRESS)
    }

    /// The writes that may take effect.
    pub(super) fn effective_writes(&self) -> impl Iterator<Item = &Part> {
        self.writes().filter(|part| part.condition != Condition::Never)
    }

    /// The multiplexer values that an operation uses. The second input of a unary operation is no use.
    pub(super) fn inputs(&self) -> impl Iterator<Item = u8> {
        self.parts().into_iter().flat_map(|part| part.used_inputs().iter().copied())
    }

    /// The address that the word reads in a file, whether or not an operation uses the value: a read of a peripheral takes effect anyway.
    pub(super) fn read_address(&self, file: File) -> Option<u8> {
        let address = match (&self.form, file) {
            (Form::Alu, File::A) => self.raddr_a,
            (Form::Alu, File::B) if self.signal != 13 => self.raddr_b,
            (Form::Branch(branch), File::A) if branch.uses_register => self.raddr_a,
            _ => return None,
        };
        (address != NOP_ADDRESS).then_some(address)
    }

    /// The register of a file whose value the word uses.
    pub(super) fn used_register(&self, file: File) -> Option<u8> {
        let address = self.read_address(file)?;
        (address < 32 && (!self.is_alu() || self.takes_from(file))).then_some(address)
    }

    /// Returns whether an operation has an operand from a file, and the file has no value there.
    pub(super) fn takes_nothing_from(&self, file: File) -> bool {
        let is_immediate = file == File::B && self.small_immediate().is_some();
        self.is_alu() && self.takes_from(file) && !is_immediate && self.read_address(file).is_none()
    }

    fn takes_from(&self, file: File) -> bool {
        let input = if file == File::A { INPUT_A } else { INPUT_B };
        self.inputs().any(|used| used == input)
    }

    /// The inputs whose values matter. Those of a difference of a value with itself, which is zero, do not, nor does that of a copy.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = u8> {
        let matters = |part: &&Part| !part.is_zero() && self.copied(part).is_none();
        self.parts().into_iter().filter(matters).flat_map(|part| part.used_inputs().iter().copied())
    }

    /// The input that an ALU copies to a register, if it only copies.
    pub(super) fn copied(&self, part: &Part) -> Option<u8> {
        let operation = if part.is_mul { 4 } else { 21 };
        let [a, b] = part.inputs;
        let is_copy = self.is_alu() && part.operation == operation && a == b && matches!(part.address, 0..=35 | 37);
        (is_copy && !self.sets_flags).then_some(a)
    }

    /// The addresses that the word reads in either file.
    pub(super) fn reads(&self, address: u8) -> bool {
        [File::A, File::B].into_iter().any(|file| self.read_address(file) == Some(address))
    }

    /// Returns whether a signal puts a value into r4.
    pub(super) fn loads_r4(&self) -> bool {
        self.is_alu() && matches!(self.signal, 7..=12)
    }

    /// Program end, alone or with a load of a color.
    pub(super) fn ends_program(&self) -> bool {
        self.is_alu() && matches!(self.signal, 3 | 9)
    }

    /// Returns whether the word sets the flags from a result: the adder's, or the multiplier's if the adder does nothing (vc4asm addendum).
    /// A word under the condition never has no result. Flags that a branch sets are not usable.
    pub(super) fn gives_flags(&self) -> bool {
        let has_result = match self.form {
            Form::Alu if self.add.operation != 0 => self.add.condition != Condition::Never,
            Form::Alu => self.mul.operation != 0 && self.mul.condition != Condition::Never,
            Form::Load { .. } => self.parts().into_iter().any(|part| part.condition != Condition::Never),
            Form::Branch(_) => false,
        };
        self.sets_flags && has_result
    }

    /// Returns whether the word depends on the flags that were set before it.
    pub(super) fn uses_flags(&self) -> bool {
        match self.form {
            Form::Branch(branch) => branch.condition != 15,
            _ => self.parts().into_iter().any(|part| matches!(part.condition, Condition::Flags(_))),
        }
    }
}

impl Branch {
    fn decode(word: u64) -> Branch {
        Branch {
            condition: field(word, 55, 52),
            is_relative: field(word, 51, 51) == 1,
            uses_register: field(word, 50, 50) == 1,
            offset: (word as u32).cast_signed(),
            reserved: field(word, 59, 56),
        }
    }

    pub(super) fn is_always(self) -> bool {
        self.condition == 15
    }
}

/// Returns whether the adder writes file B, and the multiplier file A.
fn is_swapped(word: u64) -> bool {
    field(word, 44, 44) == 1
}

impl Condition {
    fn of(form: &Form, code: u8) -> Condition {
        match (form, code) {
            (Form::Branch(_), _) => Condition::Taken,
            (_, 0) => Condition::Never,
            (_, 1) => Condition::Always,
            (_, code) => Condition::Flags(code),
        }
    }
}

impl Part {
    fn of_adder(word: u64, form: &Form) -> Part {
        let (operation, inputs) = match form {
            Form::Alu => (field(word, 28, 24), [field(word, 11, 9), field(word, 8, 6)]),
            _ => (0, [0, 0]),
        };
        let file = if is_swapped(word) { File::B } else { File::A };
        let condition = Condition::of(form, field(word, 51, 49));
        Part { operation, inputs, condition, address: field(word, 43, 38), file, is_mul: false }
    }

    fn of_multiplier(word: u64, form: &Form) -> Part {
        let (operation, inputs) = match form {
            Form::Alu => (field(word, 31, 29), [field(word, 5, 3), field(word, 2, 0)]),
            _ => (0, [0, 0]),
        };
        let file = if is_swapped(word) { File::A } else { File::B };
        let condition = Condition::of(form, field(word, 48, 46));
        Part { operation, inputs, condition, address: field(word, 37, 32), file, is_mul: true }
    }

    /// `sub`, `xor` and the saturating difference of bytes, of one value with itself.
    fn is_zero(&self) -> bool {
        let is_difference = if self.is_mul { self.operation == 7 } else { matches!(self.operation, 13 | 22 | 31) };
        is_difference && self.inputs[0] == self.inputs[1]
    }

    fn used_inputs(&self) -> &[u8] {
        // The multiplier's operations end at 7 and take two inputs. Of the adder's, these are unary: ftoi, itof, not, clz.
        let is_unary = !self.is_mul && matches!(self.operation, 7 | 8 | 23 | 24);
        match self.operation {
            0 => &[],
            _ if is_unary => &self.inputs[..1],
            _ => &self.inputs,
        }
    }
}
