//! Accesses to memory, and the rules that make two of them a race.

use std::fmt;

/// The kind of a memory access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation that only reads.
    AtomicRead,
    /// Any other atomic operation.
    AtomicWrite,
}

/// The reason why two accesses are a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceRule {
    /// Neither is atomic, and nothing orders them.
    Plain,
    /// One is atomic and the other is not, and nothing orders them.
    Mixed,
    /// Both lanes execute atomic operations, but without release and acquire these order nothing else.
    Relaxed,
    /// One is an asynchronous copy that is not complete.
    InFlight,
}

impl RaceRule {
    /// The rule in a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            RaceRule::Plain => "neither is atomic, and no barrier and no release and acquire orders them",
            RaceRule::Mixed => "only one of them is atomic, and no barrier and no release and acquire orders them",
            RaceRule::Relaxed => {
                "atomic operations order other accesses only if one releases and the other acquires; relaxed ones do not"
            }
            RaceRule::InFlight => "the copy is asynchronous, and its event was not awaited before the access",
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::AtomicRead => "atomic read",
            Access::AtomicWrite => "atomic write",
        })
    }
}
