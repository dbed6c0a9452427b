//! Properties of an entry point: tags with values.

use reconverge_diagnostic::Diagnostic;

use super::ShaderKind;
use super::list::List;
use crate::module::MetadataId;

/// Tags that every kind of shader has.
const FLAGS: u32 = 0;
const THREAD_GROUP: u32 = 4;
const KIND: u32 = 8;
const WAVE_SIZE: u32 = 11;

/// Bits of the flags.
const EARLY_DEPTH_STENCIL: u64 = 1 << 3;
const NATIVE_LOW_PRECISION: u64 = 1 << 23;

/// The properties of an entry point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties {
    /// The features that the shader uses, one bit for each.
    pub flags: u64,
    /// The numbers of threads of a group, in three dimensions.
    pub thread_group: Option<[u32; 3]>,
    /// The kind of an entry point of a library.
    pub kind: Option<ShaderKind>,
    /// The number of lanes that the shader must have.
    pub wave_size: Option<u32>,
    /// Properties with other tags, in order.
    pub others: Vec<Property>,
}

/// A property that is kept as metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    /// 1 geometry, 2 domain, 3 hull, 9 mesh, 10 amplification.
    pub tag: u32,
    /// Its value; none if it is null.
    pub value: Option<MetadataId>,
}

impl Properties {
    /// Returns whether depth and stencil are tested before the shader runs, whatever it does.
    pub fn has_early_depth_stencil(&self) -> bool {
        self.flags & EARLY_DEPTH_STENCIL != 0
    }

    /// Returns whether types of 16 bits have exactly 16 bits; without it they have at least 16.
    pub fn has_native_low_precision(&self) -> bool {
        self.flags & NATIVE_LOW_PRECISION != 0
    }

    pub(super) fn read(list: List<'_>) -> Result<Properties, Diagnostic> {
        let mut properties = Properties::default();
        for tag in list.tags() {
            let (tag, index) = tag?;
            match tag {
                FLAGS => properties.flags = list.integer(index, "flags")?,
                KIND => properties.kind = Some(list.kind(index, "a kind of shader", ShaderKind::of_number)?),
                THREAD_GROUP => {
                    let Some(sizes) = list.list(index)? else {
                        return Err(list.error("expected the numbers of threads of a group"));
                    };
                    let size = |index| sizes.word(index, "a number of threads");
                    properties.thread_group = Some([size(0)?, size(1)?, size(2)?]);
                }
                WAVE_SIZE => {
                    let Some(size) = list.list(index)? else {
                        return Err(list.error("expected a number of lanes"));
                    };
                    properties.wave_size = Some(size.word(0, "a number of lanes")?);
                }
                _ => properties.others.push(Property { tag, value: list.member(index) }),
            }
        }
        Ok(properties)
    }
}
