//! Names of the enumerations of `DebugInfo` and `OpenCL.DebugInfo.100`, whose contents the tables of the `rspirv` crate lack.

use rspirv::grammar::OperandKind;
use rspirv::grammar::debuginfo::ExtOperandKind as DebugInfo;
use rspirv::grammar::opencl_debuginfo_100::ExtOperandKind as OpenClDebugInfo;

use super::enumerants::{Unknown, mask};

/// Names and their values.
pub(super) type Names = [(&'static str, u32)];

const FLAGS: &Names = &[
    ("FlagIsProtected", 0x01),
    ("FlagIsPrivate", 0x02),
    ("FlagIsPublic", 0x03),
    ("FlagIsLocal", 0x04),
    ("FlagIsDefinition", 0x08),
    ("FlagFwdDecl", 0x10),
    ("FlagArtificial", 0x20),
    ("FlagExplicit", 0x40),
    ("FlagPrototyped", 0x80),
    ("FlagObjectPointer", 0x100),
    ("FlagStaticMember", 0x200),
    ("FlagIndirectVariable", 0x400),
    ("FlagLValueReference", 0x800),
    ("FlagRValueReference", 0x1000),
    ("FlagIsOptimized", 0x2000),
    ("FlagIsEnumClass", 0x4000),
    ("FlagTypePassByValue", 0x8000),
    ("FlagTypePassByReference", 0x1_0000),
];

const ENCODINGS: &Names = &[
    ("Unspecified", 0),
    ("Address", 1),
    ("Boolean", 2),
    ("Float", 3),
    ("Signed", 4),
    ("SignedChar", 5),
    ("Unsigned", 6),
    ("UnsignedChar", 7),
];

const COMPOSITES: &Names = &[("Class", 0), ("Structure", 1), ("Union", 2)];

const QUALIFIERS: &Names = &[("ConstType", 0), ("VolatileType", 1), ("RestrictType", 2), ("AtomicType", 3)];

const OPERATIONS: &Names = &[
    ("Deref", 0),
    ("Plus", 1),
    ("Minus", 2),
    ("PlusUconst", 3),
    ("BitPiece", 4),
    ("Swap", 5),
    ("Xderef", 6),
    ("StackValue", 7),
    ("Constu", 8),
    ("Fragment", 9),
];

const IMPORTS: &Names = &[("ImportedModule", 0), ("ImportedDeclaration", 1)];

/// The names for an operand of that kind; `None` if the kind does not belong to these sets.
pub(super) fn names(kind: OperandKind) -> Option<&'static Names> {
    Some(match kind {
        OperandKind::Debuginfo(kind) => match kind {
            DebugInfo::DebugInfoFlags => FLAGS,
            DebugInfo::DebugBaseTypeAttributeEncoding => ENCODINGS,
            DebugInfo::DebugCompositeType => COMPOSITES,
            DebugInfo::DebugTypeQualifier => QUALIFIERS,
            DebugInfo::DebugOperation => OPERATIONS,
        },
        OperandKind::OpenclDebuginfo100(kind) => match kind {
            OpenClDebugInfo::DebugInfoFlags => FLAGS,
            OpenClDebugInfo::DebugBaseTypeAttributeEncoding => ENCODINGS,
            OpenClDebugInfo::DebugCompositeType => COMPOSITES,
            OpenClDebugInfo::DebugTypeQualifier => QUALIFIERS,
            OpenClDebugInfo::DebugOperation => OPERATIONS,
            OpenClDebugInfo::DebugImportedEntity => IMPORTS,
        },
        _ => return None,
    })
}

/// The value of a name, or of names joined by `|`.
pub(super) fn word<'t>(kind: OperandKind, names: &Names, text: &'t str) -> Result<u32, Unknown<'t>> {
    let find = |name: &str| names.iter().find(|row| row.0 == name).map(|row| row.1);
    let is_mask = matches!(
        kind,
        OperandKind::Debuginfo(DebugInfo::DebugInfoFlags)
            | OperandKind::OpenclDebuginfo100(OpenClDebugInfo::DebugInfoFlags)
    );
    match is_mask {
        true => mask(text, |name| if name == "None" { Some(0) } else { find(name) }),
        false => find(text).ok_or((0, text)),
    }
}
