//! Codes of demands of the source that a structured pass cannot meet, such as unrolling a loop without a known trip count.

reconverge_diagnostic::codes! {
    /// Codes of demands that cannot be met. The place is the instruction with the demand.
    pub enum DemandCode in "Compiling" {
        UnrollShape = "unroll-shape" Rejected
            "A loop has the loop control Unroll, but loop_unroll does not support its form."
            "rewrite the loop, or remove the loop control";
        UnrollInfinite = "unroll-infinite" Rejected
            "A loop has the loop control Unroll, but never ends."
            "remove the loop control";
        UnrollUnknown = "unroll-unknown" Rejected
            "A loop has the loop control Unroll, but its trip count is not known."
            "give the loop constant bounds";
        UnrollGrowth = "unroll-growth" Rejected
            "Unrolling a loop would create too many instructions."
            "remove the loop control, or use PartialCount";
        PeelShape = "peel-shape" Rejected
            "A loop has the loop control PeelCount, but loop_peel does not support its form."
            "remove the loop control";
        PeelGrowth = "peel-growth" Rejected
            "Peeling a loop would create too many instructions."
            "peel fewer iterations";
        OpaqueReturn = "opaque-return" Rejected
            "The pass `lower_returns` gives a function one return. The returned value would need a block parameter (an OpPhi), and its type, such as an image, a sampler or a pointer, does not allow one."
            "store the result to a variable of the caller instead of returning it, or inline the function";
        OpaqueValue = "opaque-value" Rejected
            "An optional pass moved a definition so that it no longer dominates a use. The value would need a block parameter (an OpPhi), and its type, such as an image, a sampler or a pointer, does not allow one."
            "leave the pass out, or load or compute the value again in the block that uses it";
    }
}
