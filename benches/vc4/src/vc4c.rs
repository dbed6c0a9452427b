//! VC4C, and the modules that it writes as text.
//!
//! ```text
//! // Module with 1 kernels, global data with 17 words (64-bit each), starting at offset 18 words and 0 words of stack-frame
//! 0xdeadbeaf, 0xdeadbeaf,              a word of the module, the low half first
//! // Kernel 'sum' with 208 instructions, offset 36, with following parameters: … (lSize, lids, offX, unifAddr, maxGidX)
//! 0x15827d80, 0x10020027, //or ra0, unif, unif
//! ```

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::kernels::Kernel;

/// How long VC4C may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Who goes through the work-groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Groups {
    /// The code, as VC4C does by default.
    InCode,
    /// The host.
    ByHost,
}

/// A kernel in the code of VC4C.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) code: Vec<u64>,
    /// The initial contents of global memory, with the memory of work-groups and of work-items.
    pub(crate) data: Vec<u8>,
    /// The uniforms besides arguments, in order.
    pub(crate) uniforms: Vec<Implicit>,
}

/// A uniform besides arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Implicit {
    Dimensions,
    LocalSizes,
    LocalIds,
    GroupCount(usize),
    Group(usize),
    Offset(usize),
    Data,
    /// The address of the uniforms, which the code reads again for each work-group. This one and what follows is behind the arguments.
    Uniforms,
    /// The number of work-groups in a dimension.
    GroupLimit(usize),
}

impl Implicit {
    const ALL: [(&str, Implicit); 17] = [
        ("dims", Implicit::Dimensions),
        ("lSize", Implicit::LocalSizes),
        ("lids", Implicit::LocalIds),
        ("numX", Implicit::GroupCount(0)),
        ("numY", Implicit::GroupCount(1)),
        ("numZ", Implicit::GroupCount(2)),
        ("gidX", Implicit::Group(0)),
        ("gidY", Implicit::Group(1)),
        ("gidZ", Implicit::Group(2)),
        ("offX", Implicit::Offset(0)),
        ("offY", Implicit::Offset(1)),
        ("offZ", Implicit::Offset(2)),
        ("global", Implicit::Data),
        ("unifAddr", Implicit::Uniforms),
        ("maxGidX", Implicit::GroupLimit(0)),
        ("maxGidY", Implicit::GroupLimit(1)),
        ("maxGidZ", Implicit::GroupLimit(2)),
    ];

    fn from_name(name: &str) -> Option<Implicit> {
        Implicit::ALL.iter().find(|(text, _)| *text == name).map(|&(_, implicit)| implicit)
    }

    /// Whether it is behind the arguments.
    pub(crate) fn is_last(self) -> bool {
        matches!(self, Implicit::Uniforms | Implicit::GroupLimit(_))
    }
}

/// What VC4C makes of a kernel.
///
/// # Errors
/// Why it makes nothing.
pub(crate) fn compile(vc4c: &Path, cache: &Path, kernel: &Kernel, groups: Groups) -> Result<Module, String> {
    let (extensions, options): (_, &[&str]) = match groups {
        Groups::InCode => (["hex", "log"], &[]),
        Groups::ByHost => (["host.hex", "host.log"], &["--fno-loop-work-groups"]),
    };
    let [hex, log] = extensions.map(|extension| cache.join(format!("{}.{extension}", kernel.name)));
    if !hex.exists() && !log.exists() {
        let mut command = Command::new(vc4c);
        command.args(["--quiet", "--hex"]).args(options).arg("-o").arg(&hex).arg(&kernel.source);
        run(command, &hex, &log)?;
    }
    let text = fs::read_to_string(&hex).unwrap_or_default();
    if text.is_empty() {
        let log = fs::read(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        return Err(format!("VC4C does not compile it: {}", reason(&String::from_utf8_lossy(&log))));
    }
    read(&text, kernel.launch.kernel.as_deref()).ok_or_else(|| "VC4C: the module is not understood".to_owned())
}

fn run(mut command: Command, hex: &Path, log: &Path) -> Result<(), String> {
    let messages = fs::File::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
    command.stdout(Stdio::null()).stderr(messages);
    let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let start = Instant::now();
    loop {
        let status = child.try_wait().map_err(|error| error.to_string())?;
        if let Some(status) = status {
            return match status.success() {
                true => Ok(()),
                // What it has written until then is not a module.
                false => fs::write(hex, "").map_err(|error| format!("{}: {error}", hex.display())),
            };
        }
        if start.elapsed() > LIMIT {
            child.kill().map_err(|error| error.to_string())?;
            child.wait().map_err(|error| error.to_string())?;
            return fs::write(log, "  what():  it takes too long\n").map_err(|error| error.to_string());
        }
        sleep(Duration::from_millis(10));
    }
}

/// The reason in what VC4C has printed, without names of values.
fn reason(log: &str) -> String {
    match log.lines().find_map(|line| line.trim().strip_prefix("what():")) {
        Some(what) => what.split(':').take(2).map(str::trim).collect::<Vec<_>>().join(": "),
        None if log.contains("error") => "clang rejects the source".to_owned(),
        None => "it writes nothing".to_owned(),
    }
}

fn read(text: &str, name: Option<&str>) -> Option<Module> {
    let words: Vec<u64> = text.lines().filter_map(word).collect();
    let header = text.lines().find(|line| line.starts_with("// Module with"))?;
    let number = |line: &str, before: &str| -> Option<usize> {
        let rest = &line[line.find(before)? + before.len()..];
        rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
    };
    let (size, start) = (number(header, "global data with ")?, number(header, "starting at offset ")?);
    let mut kernels = text.lines().filter(|line| line.starts_with("// Kernel '"));
    let kernel = kernels.find(|line| name.is_none_or(|name| line.starts_with(&format!("// Kernel '{name}'"))))?;
    let (length, first) = (number(kernel, "' with ")?, number(kernel, "instructions, offset ")?);
    if kernel.contains("merge factor") {
        return None;
    }
    let mut lists = kernel.split('(').filter_map(|part| {
        let names = part.split(')').next()?.split(", ");
        names.map(Implicit::from_name).collect::<Option<Vec<Implicit>>>()
    });
    Some(Module {
        code: words.get(first..first + length)?.to_vec(),
        data: words.get(start..start + size)?.iter().flat_map(|word| word.to_le_bytes()).collect(),
        uniforms: lists.next().unwrap_or_default(),
    })
}

fn word(line: &str) -> Option<u64> {
    let mut halves = line.trim().split(", ");
    let mut half = || {
        let text = halves.next()?.trim_end_matches(',').strip_prefix("0x")?;
        u64::from_str_radix(text, 16).ok()
    };
    let (low, high) = (half()?, half()?);
    Some(high << 32 | low)
}
