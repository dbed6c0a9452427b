//! Kernels of one file: their source, what they do on this machine, and their modules.

use std::fs;
use std::path::Path;

use reconverge_run::Launch;
use reconverge_testing::generators::kernels::{INPUT, Kernel, SUMS, WORDS, print};

use super::native::{Expected, Native, to_spirv};
use xtask_setup::workspace;

/// A kernel as OpenCL C: its name is `k` and its number.
pub(super) struct Source {
    pub(super) number: usize,
    pub(super) text: String,
    /// The size of a work-group.
    pub(super) local: [u32; 2],
    /// The number of work-groups.
    pub(super) groups: u32,
}

impl Source {
    /// The source of a kernel that is a tree.
    pub(super) fn new(number: usize, kernel: &Kernel) -> Source {
        Source { number, text: print(kernel, number), local: kernel.local, groups: kernel.groups }
    }
}

/// A kernel, and what it does.
pub(super) struct Case {
    /// Its number, which its name has too.
    pub(super) number: usize,
    /// Its launch.
    pub(super) launch: Launch,
    /// The expected results.
    pub(super) expected: Expected,
}

impl Case {
    /// The name of the kernel in its module.
    pub(super) fn name(&self) -> String {
        format!("k{}", self.number)
    }
}

/// A module, and which cases are in it.
pub(super) struct Compiled {
    pub(super) spirv: Vec<u8>,
    pub(super) cases: Vec<usize>,
    /// The complaint of clang or the validator: clang crashes at times, and its output is not always valid.
    pub(super) complaint: Option<String>,
}

/// The environment of kernels: the tools of this machine, and a folder for files.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) native: &'p Native,
    pub(super) folder: &'p Path,
}

/// Kernels of one file.
pub(super) struct Batch {
    pub(super) cases: Vec<Case>,
    pub(super) modules: Vec<Compiled>,
}

impl Batch {
    /// Compiles kernels, and what is before them, by clang for this machine and, at a level of clang's, to SPIR-V. All are
    /// one module; where that is not valid, each is one.
    pub(super) fn new(preamble: &str, kernels: &[Source], level: &str, place: Place<'_>) -> Result<Batch, String> {
        let Place { native, folder } = place;
        let path = folder.join("batch.cl");
        write_source(preamble, kernels, &path)?;
        let expected = native.run(&path, kernels)?;
        let cases = kernels.iter().zip(expected).map(|(kernel, expected)| {
            let launch = Launch::from_json(&launch(kernel)).map_err(|error| error.to_string())?;
            Ok(Case { number: kernel.number, launch, expected })
        });
        let cases = cases.collect::<Result<_, String>>()?;
        let whole = compiled(&path, level, (0..kernels.len()).collect());
        if whole.complaint.is_none() {
            return Ok(Batch { cases, modules: vec![whole] });
        }
        let one = |(index, kernel): (usize, &Source)| {
            write_source(preamble, std::slice::from_ref(kernel), &path)?;
            Ok(compiled(&path, level, vec![index]))
        };
        Ok(Batch { cases, modules: kernels.iter().enumerate().map(one).collect::<Result<_, String>>()? })
    }
}

/// Writes kernels to a file, and what is before them.
pub(super) fn write_source<'a>(
    preamble: &'a str,
    kernels: impl IntoIterator<Item = &'a Source>,
    path: &Path,
) -> Result<(), String> {
    let kernels = kernels.into_iter().map(|kernel| kernel.text.as_str());
    let source = std::iter::once(preamble).chain(kernels).collect::<Vec<_>>().join("\n");
    fs::write(path, source).map_err(|error| format!("{}: {error}", path.display()))
}

fn compiled(source: &Path, level: &str, cases: Vec<usize>) -> Compiled {
    // Clang crashes on some sources; alone, the kernel at fault is found.
    let spirv = match to_spirv(source, level) {
        Ok(spirv) => spirv,
        Err(complaint) => return Compiled { spirv: Vec::new(), cases, complaint: Some(complaint) },
    };
    let complaint = validate(&spirv, &source.with_extension("spv"), "spv1.6").err();
    Compiled { spirv, cases, complaint }
}

/// Has the validator judge a module, which is left in a file.
pub(super) fn validate(spirv: &[u8], file: &Path, environment: &str) -> Result<(), String> {
    fs::write(file, spirv).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut command = std::process::Command::new(workspace::spirv_val());
    let output = command.args(["--target-env", environment]).arg(file).output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).lines().take(2).collect::<Vec<_>>().join(" ")),
    }
}

/// The launch of a kernel as a document; the runner does the same.
pub(super) fn launch(kernel: &Source) -> String {
    let &Source { number, local: [x, y], groups, .. } = kernel;
    let items = (x * y * groups) as usize;
    let output =
        |count: usize| format!("{{\"kind\": \"buffer\", \"type\": \"u32\", \"count\": {count}, \"output\": true}}");
    let input = format!(
        "{{\"kind\": \"buffer\", \"type\": \"u32\", \"count\": {INPUT}, \"init\": {{\"rule\": \"lcg\", \"seed\": 1, \"mod\": 0}}}}"
    );
    let arguments = [
        output(items * WORDS),
        input,
        output(items),
        output(SUMS),
        "{\"kind\": \"scalar\", \"type\": \"u32\", \"value\": 5}".to_owned(),
        "{\"kind\": \"scalar\", \"type\": \"u64\", \"value\": \"0x123456789abcdef0\"}".to_owned(),
        "{\"kind\": \"local\", \"bytes\": 512}".to_owned(),
    ];
    format!(
        "{{\"kernel\": \"k{number}\", \"global\": [{}, {y}], \"local\": [{x}, {y}], \"expected\": \"k{number}.expected\", \"modules\": \
         [\"k{number}.spv\"], \"args\": [{}]}}\n",
        x * groups,
        arguments.join(", ")
    )
}
