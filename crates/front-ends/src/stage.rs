//! Stages of shaders, with the names that the front ends have for them.

/// A stage of a graphics, compute or ray tracing pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Vertex shaders.
    Vertex,
    /// Tessellation control shaders; in Direct3D: hull shaders.
    TessellationControl,
    /// Tessellation evaluation shaders; in Direct3D: domain shaders.
    TessellationEvaluation,
    /// Geometry shaders.
    Geometry,
    /// Fragment shaders; in Direct3D: pixel shaders.
    Fragment,
    /// Compute shaders.
    Compute,
    /// Task shaders; in Direct3D: amplification shaders.
    Task,
    /// Mesh shaders.
    Mesh,
    /// Ray generation shaders.
    RayGeneration,
    /// Intersection shaders.
    Intersection,
    /// Any-hit shaders.
    AnyHit,
    /// Closest-hit shaders.
    ClosestHit,
    /// Miss shaders.
    Miss,
    /// Callable shaders.
    Callable,
}

/// The names of a stage.
struct Names {
    stage: Stage,
    /// On the command line, and of slangc.
    name: &'static str,
    /// The extension of files in GLSL, which is also the name that glslang has.
    extension: &'static str,
    /// The start of a profile of Direct3D; none for the stages of libraries.
    profile: Option<&'static str>,
    /// Other names in use.
    aliases: &'static [&'static str],
}

const fn row(stage: Stage, name: &'static str, extension: &'static str, profile: Option<&'static str>) -> Names {
    Names { stage, name, extension, profile, aliases: &[] }
}

const NAMES: [Names; 14] = [
    row(Stage::Vertex, "vertex", "vert", Some("vs")),
    Names { aliases: &["tesscontrol"], ..row(Stage::TessellationControl, "hull", "tesc", Some("hs")) },
    Names { aliases: &["tesseval"], ..row(Stage::TessellationEvaluation, "domain", "tese", Some("ds")) },
    row(Stage::Geometry, "geometry", "geom", Some("gs")),
    Names { aliases: &["pixel"], ..row(Stage::Fragment, "fragment", "frag", Some("ps")) },
    row(Stage::Compute, "compute", "comp", Some("cs")),
    Names { aliases: &["task"], ..row(Stage::Task, "amplification", "task", Some("as")) },
    row(Stage::Mesh, "mesh", "mesh", Some("ms")),
    row(Stage::RayGeneration, "raygeneration", "rgen", None),
    row(Stage::Intersection, "intersection", "rint", None),
    row(Stage::AnyHit, "anyhit", "rahit", None),
    row(Stage::ClosestHit, "closesthit", "rchit", None),
    row(Stage::Miss, "miss", "rmiss", None),
    row(Stage::Callable, "callable", "rcall", None),
];

impl Stage {
    /// Every stage, in the order of a pipeline.
    pub fn all() -> impl Iterator<Item = Stage> {
        NAMES.iter().map(|names| names.stage)
    }

    fn names(self) -> &'static Names {
        &NAMES[self as usize]
    }

    /// The name on the command line: `compute`.
    pub fn name(self) -> &'static str {
        self.names().name
    }

    /// The extension of files in GLSL: `comp`.
    pub fn extension(self) -> &'static str {
        self.names().extension
    }

    /// The start of a profile of Direct3D: `cs`. None for stages that only libraries have.
    pub fn profile(self) -> Option<&'static str> {
        self.names().profile
    }

    /// The stage of files with this extension.
    pub(crate) fn from_extension(extension: &str) -> Option<Stage> {
        Stage::all().find(|stage| stage.extension() == extension)
    }

    /// The stage of a name, an extension or a name of another front end.
    pub fn from_name(name: &str) -> Option<Stage> {
        let is_called = |names: &&Names| names.name == name || names.extension == name || names.aliases.contains(&name);
        NAMES.iter().find(is_called).map(|names| names.stage)
    }

    /// The stage that GLSL itself names, with the line `#pragma shader_stage(NAME)`. Linear.
    pub fn of_pragma(text: &[u8]) -> Option<Stage> {
        let lines = text.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let pragmas = lines.filter_map(|line| line.trim_start().strip_prefix('#'));
        let stages = pragmas.filter_map(|line| line.trim_start().strip_prefix("pragma"));
        let mut names = stages.filter_map(|line| line.trim().strip_prefix("shader_stage")?.trim().strip_prefix('('));
        Stage::from_name(names.next()?.split_once(')')?.0.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_is_found_by_each_of_its_names() {
        for (index, names) in NAMES.iter().enumerate() {
            assert_eq!(names.stage as usize, index);
            for name in [names.name, names.extension].iter().chain(names.aliases) {
                assert_eq!(Stage::from_name(name), Some(names.stage), "{name}");
            }
        }
        assert_eq!(Stage::from_name("vert.glsl"), None);
    }

    #[test]
    fn a_stage_is_read_from_its_pragma() {
        assert_eq!(Stage::of_pragma(b"#version 450\n# pragma shader_stage( fragment )\n"), Some(Stage::Fragment));
        assert_eq!(Stage::of_pragma(b"\xff\n#pragma shader_stage(tesscontrol)"), Some(Stage::TessellationControl));
        assert_eq!(Stage::of_pragma(b"#version 450\n#pragma optimize(on)\n"), None);
    }
}
