//! `convert_half4_sat_rtz` and similar functions.
//!
//! The name states the result type, whether values outside its range saturate, and the rounding mode; the parameter has the source type.
//! The result is SPIR-V's conversion with the decorations for saturation and rounding; the pass `extended_instructions` lowers these.

use reconverge_ir::{Inst, Op, decoration};
use spirv::{Decoration, FPRoundingMode};

use super::Site;
use super::mangling::Element;

/// The rounding modes by their names.
const ROUNDING_MODES: [(&str, FPRoundingMode); 4] = [
    ("rte", FPRoundingMode::RTE),
    ("rtz", FPRoundingMode::RTZ),
    ("rtp", FPRoundingMode::RTP),
    ("rtn", FPRoundingMode::RTN),
];

/// The scalar types by their names.
const TYPES: [(&str, Element); 11] = [
    ("char", Element::Signed(8)),
    ("uchar", Element::Unsigned(8)),
    ("short", Element::Signed(16)),
    ("ushort", Element::Unsigned(16)),
    ("int", Element::Signed(32)),
    ("uint", Element::Unsigned(32)),
    ("long", Element::Signed(64)),
    ("ulong", Element::Unsigned(64)),
    ("half", Element::Float(16)),
    ("float", Element::Float(32)),
    ("double", Element::Float(64)),
];

/// The requested conversion.
struct Conversion {
    wanted: &'static Element,
    saturates: bool,
    rounding: Option<FPRoundingMode>,
}

/// Emits the conversion; `None` for every other function.
pub(super) fn write(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    let conversion = meaning(&site.mangled.name)?;
    let [argument] = site.arguments[..] else { return None };
    let source = site.mangled.parameters.first().filter(|parameter| parameter.pointers == 0)?.element.clone();
    if source == *conversion.wanted {
        return Some(Some(argument));
    }
    let op = op(&source, &conversion)?;
    let converted = site.build.emit(op, Some(site.result), &[argument]);
    let floats = matches!(source, Element::Float(_)) || matches!(conversion.wanted, Element::Float(_));
    if conversion.saturates && floats {
        site.build.add_decoration(converted, Decoration::SaturatedConversion);
    }
    if let Some(mode) = conversion.rounding.filter(|_| floats) {
        site.build.add_decoration(converted, decoration::FPRoundingMode(mode));
    }
    Some(Some(converted))
}

fn meaning(name: &str) -> Option<Conversion> {
    let mut parts = name.strip_prefix("convert_")?.split('_');
    let wanted = parts.next()?.trim_end_matches(|character: char| character.is_ascii_digit());
    let wanted = TYPES.iter().find(|(name, _)| *name == wanted).map(|(_, element)| element)?;
    let mut conversion = Conversion { wanted, saturates: false, rounding: None };
    for part in parts {
        match ROUNDING_MODES.iter().find(|(name, _)| *name == part) {
            Some(&(_, mode)) => conversion.rounding = Some(mode),
            None if part == "sat" => conversion.saturates = true,
            None => return None,
        }
    }
    Some(conversion)
}

fn op(source: &Element, conversion: &Conversion) -> Option<Op> {
    use Element::{Float, Signed, Unsigned};
    Some(match (source, conversion.wanted) {
        (Float(_), Float(_)) => Op::FConvert,
        (Float(_), Signed(_)) => Op::ConvertFToS,
        (Float(_), Unsigned(_)) => Op::ConvertFToU,
        (Signed(_), Float(_)) => Op::ConvertSToF,
        (Unsigned(_), Float(_)) => Op::ConvertUToF,
        // Front ends do not leave saturating conversions between integers of one sign, or of one width, as calls.
        (Signed(_) | Unsigned(_), _) if conversion.saturates => return None,
        (Signed(from), Signed(to) | Unsigned(to)) if from != to => Op::SConvert,
        (Unsigned(from), Signed(to) | Unsigned(to)) if from != to => Op::UConvert,
        _ => return None,
    })
}
