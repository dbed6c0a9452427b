//! Options of the output formats that people read: WGSL, GLSL, HLSL and MSL.

use reconverge::Format;
use reconverge::shading::{Stage, TextOptions};

use crate::named::Named;

/// Options of the languages.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "WGSL, GLSL, HLSL and MSL")]
pub(crate) struct ShadingFlags {
    /// Write only the entry points of this stage
    ///
    /// GLSL has one entry point in each file.
    #[arg(long, hide_short_help = true, value_name = "STAGE", value_parser = stage_parser())]
    stage: Option<Stage>,
    /// Write only the entry point of this name
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    entry: Option<String>,
    /// Version of the language [default: `core 450` for GLSL, 6.0 for HLSL, 2.4 for MSL]
    ///
    /// GLSL: `core 330` to `core 450`, `es 300` to `es 320`. HLSL: the shader model, 5.0 to 6.7. MSL: 1.0 to 3.0.
    #[arg(long, hide_short_help = true, value_name = "VERSION")]
    shader_version: Option<String>,
}

impl ShadingFlags {
    /// The first flag that is given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let flags = [
            ("--stage", self.stage.is_some()),
            ("--entry", self.entry.is_some()),
            ("--shader-version", self.shader_version.is_some()),
        ];
        flags.into_iter().find_map(|(flag, is_said)| is_said.then_some(flag))
    }

    /// How a format is written, if it is one of the languages.
    pub(crate) fn options(&self, format: Format) -> Option<TextOptions> {
        let of_format = format.text_options()?;
        let stage = self.stage.or(of_format.stage);
        Some(TextOptions { entry: self.entry.clone(), stage, version: self.shader_version.clone(), ..of_format })
    }
}

fn stage_parser() -> Named<Stage> {
    Named::new(
        || Stage::ALL.map(Stage::name).to_vec(),
        |name| Stage::ALL.into_iter().find(|stage| stage.name() == name),
    )
}
