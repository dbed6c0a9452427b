//! Names of operations, registers and conditions, in the spelling of `vc4asm`.

use super::fields::NOWHERE;

/// Operations of the adder. An empty name is a reserved code.
pub(super) const ADD: [&str; 32] = [
    "anop", "fadd", "fsub", "fmin", "fmax", "fminabs", "fmaxabs", "ftoi", "itof", "", "", "", "add", "sub", "shr",
    "asr", "ror", "shl", "min", "max", "and", "or", "xor", "not", "clz", "", "", "", "", "", "av8adds", "av8subs",
];

/// Operations of the multiplier.
pub(super) const MUL: [&str; 8] = ["mnop", "fmul", "mul24", "v8muld", "v8min", "v8max", "mv8adds", "mv8subs"];

/// Signals below 14, as a further part of the line. None and the small immediate have no text.
pub(super) const SIGNALS: [&str; 14] = [
    "bkpt", "", "thrsw", "thrend", "sbwait", "sbdone", "lthrsw", "loadcv", "loadc", "ldcend", "ldtmu0", "ldtmu1",
    "loadam", "",
];

/// Conditions of a write.
pub(super) const CONDITIONS: [&str; 8] = [".never", "", ".ifz", ".ifnz", ".ifn", ".ifnn", ".ifc", ".ifcc"];

/// Conditions of a branch. `None` is a reserved code.
pub(super) const BRANCHES: [Option<&str>; 16] = [
    Some(".allz"),
    Some(".allnz"),
    Some(".anyz"),
    Some(".anynz"),
    Some(".alln"),
    Some(".allnn"),
    Some(".anyn"),
    Some(".anynn"),
    Some(".allc"),
    Some(".allcc"),
    Some(".anyc"),
    Some(".anycc"),
    None,
    None,
    None,
    Some(""),
];

/// Packs of a write to file A (pm = 0). The forms with a type never mean the multiplier's pack.
pub(super) const PACKS: [&str; 16] = [
    "", ".16a", ".16b", ".8888i", ".8ai", ".8bi", ".8ci", ".8di", ".32s", ".16as", ".16bs", ".8888si", ".8asi",
    ".8bsi", ".8csi", ".8dsi",
];

/// Packs of the multiplier's result (pm = 1) that have a name: 4 to 7. `vc4asm` gives code 3, which the manual has, the number 11.
pub(super) const MUL_PACKS: [&str; 4] = [".8asf", ".8bsf", ".8csf", ".8dsf"];

/// Unpacks of a read.
pub(super) const UNPACKS: [&str; 8] = ["", ".16a", ".16b", ".8dr", ".8a", ".8b", ".8c", ".8d"];

/// The register file of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum File {
    A,
    B,
}

impl File {
    /// The files that the adder and the multiplier write, without a swap.
    pub(super) const OF_UNITS: [File; 2] = [File::A, File::B];

    /// The files that the adder and the multiplier write, with a swap.
    pub(super) const SWAPPED: [File; 2] = [File::B, File::A];

    /// The name that is valid for any address, and that means only this file.
    pub(super) fn number(self, address: u8) -> String {
        match self {
            File::A => format!("ra{address}"),
            File::B => format!("rb{address}"),
        }
    }
}

/// The name of a register that is read. In file B the addresses that both files have are numbers: the assembler would choose file A.
pub(super) fn read(file: File, address: u8) -> String {
    let name = match (file, address) {
        (File::A, 32) => "unif",
        (File::A, 35) => "vary",
        (File::A, 38) => "elem_num",
        (File::B, 38) => "qpu_num",
        (File::A, 41) => "x_coord",
        (File::B, 41) => "y_coord",
        (File::A, 42) => "ms_mask",
        (File::B, 42) => "rev_flag",
        (File::A, 48) => "vpm",
        (File::A, 49) => "vr_busy",
        (File::B, 49) => "vw_busy",
        (File::A, 50) => "vr_wait",
        (File::B, 50) => "vw_wait",
        (File::A, 51) => "mutex",
        _ => return file.number(address),
    };
    name.to_owned()
}

/// The name of a register that is written, in either file.
pub(super) fn write(file: File, address: u8) -> String {
    let name = match (file, address) {
        (_, 32) => "r0",
        (_, 33) => "r1",
        (_, 34) => "r2",
        (_, 35) => "r3",
        (_, 36) => "tmurs",
        (File::A, 37) => "r5quad",
        (File::B, 37) => "r5rep",
        (_, 38) => "irq",
        (_, NOWHERE) => "-",
        (File::A, 40) => "unif_addr",
        (File::B, 40) => "unif_addr_rel",
        (File::A, 41) => "x_coord",
        (File::B, 41) => "y_coord",
        (File::A, 42) => "ms_mask",
        (File::B, 42) => "rev_flag",
        (File::A, 49) => "vr_setup",
        (File::B, 49) => "vw_setup",
        (File::A, 50) => "vr_addr",
        (File::B, 50) => "vw_addr",
        (_, 43..=63) => SHARED_WRITES[usize::from(address - 43)],
        _ => return file.number(address),
    };
    name.to_owned()
}

/// Names of the addresses from 43 on, which mean the same in both files.
const SHARED_WRITES: [&str; 21] = [
    "stencil",
    "tlbz",
    "tlbm",
    "tlbc",
    "tlbam",
    "vpm",
    "",
    "",
    "mutex",
    "recip",
    "recipsqrt",
    "exp",
    "log",
    "t0s",
    "t0t",
    "t0r",
    "t0b",
    "t1s",
    "t1t",
    "t1r",
    "t1b",
];

/// Returns whether the name of a write does not determine its file.
pub(super) fn is_shared(address: u8) -> bool {
    matches!(address, 32..=36 | 38 | 39 | 43..=48 | 51..)
}

/// The value of a small immediate.
pub(super) fn small_immediate(code: u8) -> String {
    match code {
        0..=15 => code.to_string(),
        32..=39 => format!("{}.0", 1u32 << (code - 32)),
        40..=47 => format!("{}", 1.0 / f64::from(1u32 << (48 - code))),
        _ => (i32::from(code & 15) - 16).to_string(),
    }
}
