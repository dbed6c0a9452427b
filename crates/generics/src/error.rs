//! Codes of generics that cannot be replaced. After an error the module may be changed, and must be discarded.

use std::fmt::Write as _;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;

reconverge_diagnostic::codes! {
    /// Codes of this crate. The place is an instruction.
    pub enum GenericsCode in "Compiling" {
        Open = "generics-open" Rejected
            "A generic or witness table is requested that this module only declares."
            "link the module that defines it";
        Limit = "generics-limit" Limit
            "Requests for generics lead to more requests without end, or to more copies than the limit. The message has the chain of requests."
            "let the generic not request itself for a type made of its parameter";
        Cycle = "generics-cycle" Rejected
            "What a request for a generic returns, or what a witness table has for a requirement, is defined by itself."
            "define one of them by something else";
        Malformed = "generics-malformed" Rejected
            "A request or lookup that the verifier rejects: a wrong number of arguments, or a requirement without entry."
            "verify the module first";
        NoType = "generics-no-type" Rejected
            "A call through a value of interface type, and no type that implements the interface reaches it."
            "make a value with make_existential, or remove the call";
        Value = "generics-value" Unsupported
            "A value of interface type holds, or is in, what cannot be words: a logical pointer, an image, a buffer; or its parts are accessed where its type is not known."
            "pass the value on as a whole; a generic that is called with it can take it apart";
    }
}

/// A longer chain prints as its first and its last steps.
const PRINTED_STEPS: usize = 8;

/// An error at an instruction, with the requests that lead there, each made by what the one before it returned: the first by a function of the
/// module, the last at the place of the error. A request is a generic and its arguments by name: `twice(circle, circle.Shape)`.
pub(crate) fn in_chain(code: GenericsCode, at: Inst, mut message: String, chain: &[String]) -> Diagnostic {
    let half = PRINTED_STEPS / 2;
    let left_out = chain.len().saturating_sub(PRINTED_STEPS);
    for (place, request) in chain.iter().enumerate() {
        if left_out > 0 && place == half {
            let _ = write!(message, " → … {left_out} more …");
        }
        if left_out > 0 && (half..half + left_out).contains(&place) {
            continue;
        }
        message += if place == 0 { "; requested by " } else { " → " };
        message += request;
    }
    Diagnostic::new(code, at, message)
}
