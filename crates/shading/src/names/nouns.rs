//! Nouns for the results of operators and of functions of the languages.

use crate::syntax::{Binary, Unary};

/// What the result of an operator between two operands is.
pub(super) const fn of_operator(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "sum",
        Binary::Subtract => "difference",
        Binary::Multiply => "product",
        Binary::Divide => "quotient",
        Binary::Remainder => "remainder",
        Binary::ShiftLeft | Binary::ShiftRight => "shifted",
        Binary::Less | Binary::LessEqual => "is_less",
        Binary::Greater | Binary::GreaterEqual => "is_greater",
        Binary::Equal => "is_equal",
        Binary::NotEqual => "is_different",
        Binary::BitAnd | Binary::BitXor | Binary::BitOr => "mask",
        Binary::And | Binary::Or => "condition",
    }
}

/// What the result of an operator before its operand is.
pub(super) const fn of_prefix(operator: Unary) -> &'static str {
    match operator {
        Unary::Negate => "negated",
        Unary::Complement => "complement",
        Unary::Not => "condition",
    }
}

/// What functions return, by their names.
const EXACT: [(&[&str], &str); 34] = [
    (&["Load<>", "Load2", "Load3", "Load4"], "loaded"),
    (&["abs", "fabs", "length", "fast::length"], "magnitude"),
    (&["min", "fmin", "min3"], "minimum"),
    (&["max", "fmax", "max3"], "maximum"),
    (&["clamp", "saturate"], "clamped"),
    (&["mix", "lerp"], "blend"),
    (&["fma", "mad"], "sum"),
    (&["sqrt"], "root"),
    (&["inversesqrt", "inverseSqrt", "rsqrt"], "inverse_root"),
    (&["sin", "asin", "sinh"], "sine"),
    (&["cos", "acos", "cosh"], "cosine"),
    (&["tan", "tanh"], "tangent"),
    (&["atan", "atan2"], "angle"),
    (&["exp", "exp2", "exp10", "pow", "powr"], "power"),
    (&["log", "log2", "log10"], "logarithm"),
    (&["floor", "ceil", "round", "roundEven", "rint", "trunc"], "rounded"),
    (&["fract", "frac"], "fraction"),
    (&["mod", "fmod"], "remainder"),
    (&["dot"], "projection"),
    (&["cross"], "normal"),
    (&["normalize"], "direction"),
    (&["distance"], "span"),
    (&["reflect"], "reflected"),
    (&["refract"], "refracted"),
    (&["step", "smoothstep"], "edge"),
    (&["transpose"], "transposed"),
    (&["determinant"], "det"),
    (&["inverse"], "inverted"),
    (&["mul"], "product"),
    (&["bitCount", "countbits", "popcount", "countOneBits", "arrayLength"], "count"),
    (&["dFdx", "ddx", "dpdx", "dfdx", "dFdy", "ddy", "dpdy", "dfdy"], "slope"),
    (&["fwidth"], "width"),
    (&["bitcast", "as_type", "asint", "asuint", "asfloat", "floatBitsToInt", "floatBitsToUint"], "bits"),
    (&["select"], "selected"),
];

/// What functions return whose names begin or end with a part.
const PARTS: [(&str, &str); 27] = [
    ("textureSize", "size"),
    ("imageSize", "size"),
    ("textureDimensions", "size"),
    ("GetDimensions", "size"),
    ("get_width", "width"),
    ("get_height", "height"),
    ("textureQuery", "level"),
    ("CalculateLevelOfDetail", "level"),
    ("textureNum", "count"),
    ("length", "count"),
    ("texture", "texel"),
    ("texelFetch", "texel"),
    ("imageLoad", "texel"),
    ("imageAtomic", "previous"),
    ("Sample", "texel"),
    ("sample", "texel"),
    ("Gather", "texels"),
    ("gather", "texels"),
    ("Load", "texel"),
    ("read", "texel"),
    ("atomic", "previous"),
    ("Interlocked", "previous"),
    ("pack", "packed"),
    ("unpack", "unpacked"),
    ("find", "position"),
    ("firstbit", "position"),
    ("bitfield", "field"),
];

/// What a function of subgroups returns, by a part of its name in lower case, in this order.
const GROUPS: [(&str, &str); 15] = [
    ("laneindex", "lane"),
    ("lanecount", "lane_count"),
    ("count", "count"),
    ("elect", "is_elected"),
    ("isfirst", "is_elected"),
    ("is_first", "is_elected"),
    ("equal", "are_equal"),
    ("ballot", "lanes"),
    ("shuffle", "shuffled"),
    ("broadcast", "shared_value"),
    ("readlane", "shared_value"),
    ("clusive", "prefix"),
    ("prefix", "prefix"),
    ("all", "are_all"),
    ("any", "is_any"),
];

/// What the result of a function of a language is, if its name says it.
pub(super) fn of_function(name: &str) -> Option<&'static str> {
    if let Some((_, noun)) = EXACT.iter().find(|(names, _)| names.contains(&name)) {
        return Some(noun);
    }
    let lower = name.to_ascii_lowercase();
    if ["subgroup", "wave", "simd_", "quad"].iter().any(|group| lower.starts_with(group)) {
        return Some(GROUPS.iter().find(|(part, _)| lower.contains(part)).map_or("total", |(_, noun)| noun));
    }
    PARTS.iter().find(|(part, _)| name.starts_with(part)).map(|(_, noun)| *noun)
}
