//! Modules that grow with one number, each of a family on which compiling is known to be slow, or could be.
//!
//! | file | the growing part |
//! |---|---|
//! | `control` | blocks: sequences and meshes of jumps, nests, one switch, one join, loops |
//! | `dialect` | the contents of these blocks: a kernel, with or without pointers as arguments, or a shader |
//! | `kernels` | the contents of kernels: kernels, variables, constants, long integers, wide vectors, calls |
//! | `shaders` | the contents of shaders: entry points, inputs, variables, calls |
//!
//! Each family takes the number of its parts and returns a module at stage Graph. `docs/optimization.md` has the measurements, and `cargo
//! xtask instructions --compile` repeats them.

mod control;
mod dialect;
mod kernels;
mod shaders;

use reconverge::CompileOptions;
use reconverge::opencl::{Driver, Int64, KernelOptions};
use reconverge::pipeline::Level;
use reconverge_ir::{Module, text};

use dialect::Dialect;

/// A family.
#[derive(Clone, Copy, Debug)]
pub struct GrowthShape {
    /// Its name in tables and on the command line.
    pub name: &'static str,
    /// True if it is a kernel, for which there are more ways to compile.
    pub is_kernel: bool,
    text: Text,
}

/// The definition of a family.
#[derive(Clone, Copy, Debug)]
enum Text {
    /// Blocks by their number, and their contents.
    Control(fn(&Dialect, usize) -> String, &'static Dialect),
    /// The whole module, by the number of its parts.
    Whole(fn(usize) -> String),
}

/// All families.
pub const GROWTH_SHAPES: &[GrowthShape] = &[
    control("kernel: ladder of gotos", control::ladder, &dialect::POINTERS),
    control("kernel: mesh of gotos", control::mesh, &dialect::POINTERS),
    control("kernel: wide mesh of gotos", control::wide_mesh, &dialect::POINTERS),
    control("kernel: cycles with two entries", control::tangle, &dialect::POINTERS),
    control("kernel: join", control::join, &dialect::POINTERS),
    control("kernel: nested ifs", control::nested_ifs, &dialect::KERNEL),
    control("kernel: row of ifs", control::row_of_ifs, &dialect::KERNEL),
    control("kernel: row of loops", control::row_of_loops, &dialect::KERNEL),
    control("kernel: switch", control::switch, &dialect::KERNEL),
    kernel("kernels", kernels::many_kernels),
    kernel("kernel: variables", kernels::variables),
    kernel("kernel: variables behind pointers", kernels::variables_behind_pointers),
    kernel("kernel: constants of the module", kernels::constants),
    kernel("kernel: local arrays", kernels::local_arrays),
    kernel("kernel: 64-bit integers", kernels::long_integers),
    kernel("kernel: 64-bit values at a join", kernels::values_at_a_join),
    kernel("kernel: wide vectors", kernels::wide_vectors),
    kernel("kernel: dynamic indices", kernels::dynamic_indices),
    kernel("kernel: casts", kernels::casts),
    kernel("kernel: calls", kernels::calls),
    control("shader: ladder of gotos", control::ladder, &dialect::SHADER),
    control("shader: wide mesh of gotos", control::wide_mesh, &dialect::SHADER),
    control("shader: cycles with two entries", control::tangle, &dialect::SHADER),
    control("shader: join", control::join, &dialect::SHADER),
    control("shader: nested ifs", control::nested_ifs, &dialect::SHADER),
    control("shader: row of ifs", control::row_of_ifs, &dialect::SHADER),
    control("shader: row of loops", control::row_of_loops, &dialect::SHADER),
    control("shader: switch", control::switch, &dialect::SHADER),
    shader("shaders", shaders::many_shaders),
    shader("shader: inputs", shaders::inputs),
    shader("shader: variables", shaders::variables),
    shader("shader: calls", shaders::calls),
];

const fn control(name: &'static str, write: fn(&Dialect, usize) -> String, dialect: &'static Dialect) -> GrowthShape {
    GrowthShape { name, is_kernel: dialect.is_kernel, text: Text::Control(write, dialect) }
}

const fn kernel(name: &'static str, write: fn(usize) -> String) -> GrowthShape {
    GrowthShape { name, is_kernel: true, text: Text::Whole(write) }
}

const fn shader(name: &'static str, write: fn(usize) -> String) -> GrowthShape {
    GrowthShape { name, is_kernel: false, text: Text::Whole(write) }
}

/// The ways to compile modules, by name.
pub const WAYS: [&str; 3] = ["O0", "O1", "Os"];

/// Further ways to compile kernels: without 64-bit integers, and for a driver with bugs.
pub const KERNEL_WAYS: [&str; 2] = ["split", "lavapipe"];

/// The options of a way to compile, by its name.
pub fn way(name: &str) -> Option<CompileOptions> {
    let of = |level, kernel| CompileOptions::new().level(level).kernel(kernel);
    let default = KernelOptions::default();
    Some(match name {
        "O0" => of(Level::None, default),
        "O1" => of(Level::Speed, default),
        "Os" => of(Level::Size, default),
        "split" => of(Level::Speed, default.int64(Int64::Split)),
        "lavapipe" => of(Level::Speed, default.driver(Driver::LAVAPIPE)),
        _ => return None,
    })
}

impl GrowthShape {
    /// The ways to compile it, by name.
    pub fn ways(&self) -> impl Iterator<Item = &'static str> {
        let further: &[&str] = if self.is_kernel { &KERNEL_WAYS } else { &[] };
        WAYS.iter().chain(further).copied()
    }

    /// The module of the family with about this number of parts.
    ///
    /// # Panics
    /// The text of the family cannot be read.
    pub fn module(&self, parts: usize) -> Module {
        let text = match self.text {
            Text::Control(write, dialect) => dialect.module(&write(dialect, parts)),
            Text::Whole(write) => write(parts),
        };
        text::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
