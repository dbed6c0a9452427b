//! Kinds of operations, with their names in LLVM's assembly.

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $( $(#[$row:meta])* $variant:ident = $text:literal, )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $( $(#[$row])* $variant, )* }

        impl $name {
            /// All of them, in the order of their numbers.
            pub const ALL: &'static [$name] = &[ $( $name::$variant, )* ];

            /// The name in LLVM's assembly.
            pub const fn name(self) -> &'static str {
                match self { $( $name::$variant => $text, )* }
            }
        }
    };
}

names! {
    /// Binary operations.
    BinaryOp {
        /// Integer addition.
        Add = "add",
        /// Integer subtraction.
        Sub = "sub",
        /// Integer multiplication.
        Mul = "mul",
        /// Division without sign.
        UDiv = "udiv",
        /// Division with sign.
        SDiv = "sdiv",
        /// Remainder without sign.
        URem = "urem",
        /// Remainder with the sign of the dividend.
        SRem = "srem",
        /// Shift to higher bits.
        Shl = "shl",
        /// Shift to lower bits, with zeros.
        LShr = "lshr",
        /// Shift to lower bits, with the sign.
        AShr = "ashr",
        /// Bits of both.
        And = "and",
        /// Bits of either.
        Or = "or",
        /// Bits of one alone.
        Xor = "xor",
        /// Floating-point addition.
        FAdd = "fadd",
        /// Floating-point subtraction.
        FSub = "fsub",
        /// Floating-point multiplication.
        FMul = "fmul",
        /// Floating-point division.
        FDiv = "fdiv",
        /// Floating-point remainder.
        FRem = "frem",
    }
}

names! {
    /// Conversions.
    CastOp {
        /// The low bits.
        Trunc = "trunc",
        /// With zeros above.
        ZExt = "zext",
        /// With the sign above.
        SExt = "sext",
        /// To an integer without sign.
        FPToUI = "fptoui",
        /// To an integer with sign.
        FPToSI = "fptosi",
        /// From an integer without sign.
        UIToFP = "uitofp",
        /// From an integer with sign.
        SIToFP = "sitofp",
        /// To a narrower floating-point number.
        FPTrunc = "fptrunc",
        /// To a wider floating-point number.
        FPExt = "fpext",
        /// An address as an integer.
        PtrToInt = "ptrtoint",
        /// An integer as an address.
        IntToPtr = "inttoptr",
        /// The same bits.
        BitCast = "bitcast",
        /// An address of another address space.
        AddrSpaceCast = "addrspacecast",
    }
}

names! {
    /// Comparisons of integers.
    IntPredicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Greater, without sign.
        Ugt = "ugt",
        /// Greater or equal, without sign.
        Uge = "uge",
        /// Less, without sign.
        Ult = "ult",
        /// Less or equal, without sign.
        Ule = "ule",
        /// Greater, with sign.
        Sgt = "sgt",
        /// Greater or equal, with sign.
        Sge = "sge",
        /// Less, with sign.
        Slt = "slt",
        /// Less or equal, with sign.
        Sle = "sle",
    }
}

names! {
    /// Comparisons of floating-point numbers: ordered ones are false, unordered ones true, if one side is NaN.
    FloatPredicate {
        /// Never.
        False = "false",
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and greater or equal.
        Oge = "oge",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and less or equal.
        Ole = "ole",
        /// Ordered and not equal.
        One = "one",
        /// Neither is NaN.
        Ord = "ord",
        /// One is NaN.
        Uno = "uno",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or greater or equal.
        Uge = "uge",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or less or equal.
        Ule = "ule",
        /// Unordered or not equal.
        Une = "une",
        /// Always.
        True = "true",
    }
}

names! {
    /// Atomic changes.
    AtomicOp {
        /// The operand replaces what is there.
        Exchange = "xchg",
        /// Addition.
        Add = "add",
        /// Subtraction.
        Sub = "sub",
        /// Bits of both.
        And = "and",
        /// Bits that are not in both.
        Nand = "nand",
        /// Bits of either.
        Or = "or",
        /// Bits of one alone.
        Xor = "xor",
        /// Maximum with sign.
        Max = "max",
        /// Minimum with sign.
        Min = "min",
        /// Maximum without sign.
        UMax = "umax",
        /// Minimum without sign.
        UMin = "umin",
    }
}

names! {
    /// Orders of memory accesses.
    Ordering {
        /// Not atomic.
        NotAtomic = "notatomic",
        /// Only atomic.
        Unordered = "unordered",
        /// One order for each address.
        Monotonic = "monotonic",
        /// Later accesses stay later.
        Acquire = "acquire",
        /// Earlier accesses stay earlier.
        Release = "release",
        /// Both.
        AcquireRelease = "acq_rel",
        /// One order for all addresses too.
        SequentiallyConsistent = "seq_cst",
    }
}

names! {
    /// The invocations that see an order of memory accesses.
    Scope {
        /// The same one.
        SingleThread = "singlethread",
        /// All of them.
        CrossThread = "crossthread",
    }
}
