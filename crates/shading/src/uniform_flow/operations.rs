//! The functions of WGSL that the rules are about. Source: WGSL, section 15.2.7.

use crate::source::UniformityRule;

/// What a function of the language needs and returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// The result depends on the arguments.
    Plain,
    /// The result depends on the address of the first argument, and on the others.
    OfPlace,
    /// It may return different results.
    Different,
    /// It loads a value for the whole workgroup.
    UniformLoad,
    /// It needs uniform control flow by a rule, and may return different results.
    Together(UniformityRule),
    /// The same, and the second argument has to be uniform.
    TogetherBy(UniformityRule),
    /// An operation of the subgroup with one result for all of them, if the arguments are the same for all.
    Reduced,
    /// It reads an image.
    ReadImage,
}

/// What a function needs and returns, by its name.
pub(super) fn operation(name: &str) -> Operation {
    match name {
        "workgroupBarrier" | "storageBarrier" | "textureBarrier" => Operation::Together(UniformityRule::Barrier),
        "workgroupUniformLoad" => Operation::UniformLoad,
        "dpdx"
        | "dpdxCoarse"
        | "dpdxFine"
        | "dpdy"
        | "dpdyCoarse"
        | "dpdyFine"
        | "fwidth"
        | "fwidthCoarse"
        | "fwidthFine"
        | "textureSample"
        | "textureSampleBias"
        | "textureSampleCompare" => Operation::Together(UniformityRule::Derivative),
        "subgroupShuffleDown" | "subgroupShuffleUp" | "subgroupShuffleXor" => {
            Operation::TogetherBy(UniformityRule::Subgroup)
        }
        "subgroupAdd"
        | "subgroupAll"
        | "subgroupAnd"
        | "subgroupAny"
        | "subgroupBallot"
        | "subgroupBroadcast"
        | "subgroupBroadcastFirst"
        | "subgroupMax"
        | "subgroupMin"
        | "subgroupMul"
        | "subgroupOr"
        | "subgroupXor" => Operation::Reduced,
        "textureLoad" => Operation::ReadImage,
        "arrayLength" => Operation::OfPlace,
        _ if name.starts_with("atomic") || name.starts_with("rayQuery") => Operation::Different,
        _ if name.starts_with("subgroup") || name.starts_with("quad") => Operation::Together(UniformityRule::Subgroup),
        _ => Operation::Plain,
    }
}
