//! The levels of the instruction set of this CPU.

/// A level of instructions. Each level contains the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// One lane: VEX forms on `xmm`, and BMI. Needs AVX, BMI1, BMI2, LZCNT and POPCNT, so that shifts, bit scans and three-operand
    /// arithmetic have one form only. In practice such a CPU has AVX2 too, unless a hypervisor hides it.
    Scalar,
    /// Eight 32-bit lanes a register. Needs AVX2, FMA and F16C besides.
    Avx2,
    /// Sixteen 32-bit lanes a register, masks in `k` registers, 32 vector registers. Needs AVX-512 F, DQ, BW, VL and CD besides.
    Avx512,
}

impl Level {
    /// The highest level of this CPU; `None` if it has not even the lowest, or is not an x86-64.
    pub fn of_this_cpu() -> Option<Level> {
        detect()
    }

    /// The extensions of x86-64 that its instructions are of, by their names in compilers.
    pub fn extensions(self) -> impl Iterator<Item = &'static str> {
        /// What each level adds to the one before it.
        const ADDED: [(Level, &[&str]); 3] = [
            (Level::Scalar, &["avx", "bmi1", "bmi2", "lzcnt", "popcnt"]),
            (Level::Avx2, &["avx2", "fma", "f16c"]),
            (Level::Avx512, &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]),
        ];
        ADDED.iter().filter(move |&&(level, _)| level <= self).flat_map(|&(_, names)| names.iter().copied())
    }

    /// The 32-bit lanes of a vector register.
    pub fn lanes(self) -> u32 {
        match self {
            Level::Scalar => 1,
            Level::Avx2 => 8,
            Level::Avx512 => 16,
        }
    }
}

/// Returns whether this CPU counts the bits of all lanes at once.
#[cfg(target_arch = "x86_64")]
pub fn has_vector_popcnt() -> bool {
    std::is_x86_feature_detected!("avx512vpopcntdq")
}

/// Returns whether this CPU counts the bits of all lanes at once.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_vector_popcnt() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Option<Level> {
    use std::is_x86_feature_detected as has;
    if !(has!("avx") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")) {
        return None;
    }
    if !(has!("avx2") && has!("fma") && has!("f16c")) {
        return Some(Level::Scalar);
    }
    let has_avx512 = has!("avx512f") && has!("avx512dq") && has!("avx512bw") && has!("avx512vl") && has!("avx512cd");
    Some(if has_avx512 { Level::Avx512 } else { Level::Avx2 })
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Option<Level> {
    None
}
