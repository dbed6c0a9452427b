//! Formats whose features a build does not have. Their names and extensions are known, so that a file of them is not taken for another
//! format; to read and to write them is refused by name.

use reconverge_diagnostic::{Diagnostic, Place};

use crate::error::ErrorCode;
use crate::format::Row;

fn not_in_build(formats: &str, feature: &str) -> Diagnostic {
    let message = format!("this build has no {formats}: it was built without the feature `{feature}`");
    Diagnostic::new(ErrorCode::NotInBuild, Place::Whole, message)
}

/// In place of the module `dxil`.
#[cfg(any(test, not(feature = "dxil")))]
pub(crate) mod dxil {
    use super::{Row, not_in_build};

    /// The magic number of a container.
    const MAGIC: &[u8] = b"DXBC";

    pub(crate) const ROW: Row = Row {
        declares_stages: true,
        recognizes: |bytes| bytes.starts_with(MAGIC),
        read: |_| Err(not_in_build("DXIL", "dxil")),
        is_written: false,
        write: |_, _| Err(not_in_build("DXIL", "dxil")),
        ..Row::MODULE
    };
}

/// In place of the module `shading`.
#[cfg(any(test, not(feature = "shading")))]
pub(crate) mod shading {
    use super::{Row, not_in_build};

    pub(crate) const WGSL: Row = Row {
        is_text: true,
        is_shading_language: true,
        read: |_| Err(not_in_build("shading languages", "shading")),
        write: |_, _| Err(not_in_build("shading languages", "shading")),
        ..Row::MODULE
    };
    pub(crate) const GLSL: Row = Row { is_read: false, ..WGSL };
    pub(crate) const COMPUTE: Row = GLSL;
    pub(crate) const FRAGMENT: Row = GLSL;
    pub(crate) const VERTEX: Row = GLSL;
    pub(crate) const HLSL: Row = GLSL;
    pub(crate) const MSL: Row = GLSL;
}

#[cfg(test)]
mod tests {
    use super::{Row, dxil, shading};
    use crate::format::Source;
    use crate::format_options::OptionValues;
    use reconverge_diagnostic::Kind;
    use reconverge_ir::Module;

    #[test]
    fn what_is_not_in_the_build_is_refused_with_the_feature_that_brings_it() {
        let rows: [(Row, &str); 8] = [
            (dxil::ROW, "`dxil`"),
            (shading::WGSL, "`shading`"),
            (shading::GLSL, "`shading`"),
            (shading::COMPUTE, "`shading`"),
            (shading::FRAGMENT, "`shading`"),
            (shading::VERTEX, "`shading`"),
            (shading::HLSL, "`shading`"),
            (shading::MSL, "`shading`"),
        ];
        for (row, feature) in rows {
            let read = (row.read)(Source::new(b"DXBC")).expect_err("no reader is there");
            let written = (row.write)(&Module::new(), OptionValues::NONE).expect_err("no writer is there");
            for error in [read, written] {
                assert_eq!(error.code.kind, Kind::Unsupported);
                assert!(error.message.contains(feature), "{}", error.message);
            }
        }
        assert!((dxil::ROW.recognizes)(b"DXBC\0"));
    }
}
