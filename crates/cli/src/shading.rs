//! Options of the output formats that people read: WGSL, GLSL, HLSL and MSL.

use reconverge::Format;
use reconverge::shading::{Stage as WrittenStage, TextOptions};
use reconverge_front_ends::Stage;

use crate::source::{Reading, stage_parser};

/// Options of the languages.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "WGSL, GLSL, HLSL and MSL")]
pub(crate) struct ShadingFlags {
    /// Write only the entry points of this stage; of a source: its stage, if neither the name of the file nor the text says it
    ///
    /// GLSL has one entry point in each file.
    #[arg(long, hide_short_help = true, value_name = "STAGE", value_parser = stage_parser())]
    stage: Option<Stage>,
    /// Write only the entry point of this name; of a source: the function where the shader begins
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    entry: Option<String>,
    /// Version of the language [default: `core 450` for GLSL, 6.0 for HLSL, 2.4 for MSL]
    ///
    /// GLSL: `core 330` to `core 450`, `es 300` to `es 320`. HLSL: the shader model, 5.0 to 6.7. MSL: 1.0 to 3.0.
    #[arg(long, hide_short_help = true, value_name = "VERSION")]
    shader_version: Option<String>,
}

impl ShadingFlags {
    /// The error if a flag is given that neither a text nor a source has.
    pub(crate) fn contradiction(&self, is_text: bool, has_sources: bool) -> Option<String> {
        let flags = [
            ("--stage", self.stage.is_some() && !has_sources),
            ("--entry", self.entry.is_some() && !has_sources),
            ("--shader-version", self.shader_version.is_some()),
        ];
        if let Some((flag, _)) = flags.into_iter().find(|(_, is_said)| *is_said && !is_text) {
            return Some(format!("{flag} is for the output formats wgsl, glsl, hlsl and msl"));
        }
        let stage = self.stage.filter(|&stage| is_text && written_stage(stage).is_none())?;
        let known = WrittenStage::ALL.map(WrittenStage::name).join(", ");
        Some(format!("--stage {} is not written as text; {known} are", stage.name()))
    }

    /// The reading of sources, with stage and entry point.
    pub(crate) fn apply(&self, reading: Reading) -> Reading {
        reading.with_stage(self.stage, self.entry.clone())
    }

    /// Returns the options with which a format is written, if it is one of the languages.
    pub(crate) fn options(&self, format: Format) -> Option<TextOptions> {
        let of_format = format.text_options()?;
        let stage = self.stage.and_then(written_stage).or(of_format.stage);
        Some(TextOptions { entry: self.entry.clone(), stage, version: self.shader_version.clone(), ..of_format })
    }
}

/// The stage in the words of the writer, if it writes it.
fn written_stage(stage: Stage) -> Option<WrittenStage> {
    WrittenStage::ALL.into_iter().find(|written| written.name() == stage.name())
}
