//! Kernels with unrolled breaks, through clspv and through clang and ours: bytes, blocks, time.
//!
//! ```text
//! python3 -m venv clspv && clspv/bin/pip install pyclspv
//! cargo run --release --bin against_clspv -- clspv/bin/python [clang-22]
//! ```
//!
//! The kernel is one loop whose body is written out N times; each copy leaves it in three ways: out of the loop, to its next round, and
//! out of the loop around it. clspv makes Vulkan SPIR-V of the source; ours makes it of what clang makes of the source. All times are
//! of whole processes, the best of some runs, taken in turn.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use source::kernel;

mod source;

const COPIES: [usize; 5] = [4, 16, 64, 128, 256];
const ROUNDS: usize = 5;
/// clspv takes more than a minute beyond this.
const CLSPV_LIMIT: usize = 128;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let python = arguments.next().unwrap_or_else(|| {
        eprintln!("usage: against_clspv PYTHON-WITH-PYCLSPV [CLANG]");
        std::process::exit(2)
    });
    let clang = arguments.next().unwrap_or_else(|| "clang-22".to_owned());
    let folder = std::env::temp_dir().join("reconverge-against-clspv");
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let bench = Bench { python, clang, reconverge: built_command(), folder };
    println!(
        "{:>4} {:>9} {:>8} {:>8}   {:>9} {:>8} {:>9}   {:>6} {:>6}",
        "N", "clang ms", "ours ms", "clspv ms", "ours B", "clspv B", "ours/N B", "blocks", "clspv"
    );
    for copies in COPIES {
        bench.measure(copies);
    }
}

/// Builds the command in release, since a debug build would be measured otherwise.
fn built_command() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("benches is a folder of the project");
    let status = Command::new("cargo").current_dir(root).args(["build", "--release", "--quiet"]).status();
    assert!(status.is_ok_and(|status| status.success()), "the command does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("release/reconverge")
}

struct Bench {
    python: String,
    clang: String,
    reconverge: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn measure(&self, copies: usize) {
        let source = self.folder.join(format!("breaks{copies}.cl"));
        let [kernel_path, ours, theirs] =
            ["spv", "ours.spv", "clspv.spv"].map(|extension| source.with_extension(extension));
        fs::write(&source, kernel(copies)).expect("the source can be written");
        let mut front = Command::new(&self.clang);
        front.args(["-O2", "-cl-std=CL2.0", "--target=spirv64", "-Xclang", "-finclude-default-header", "-c"]);
        front.arg(&source).arg("-o").arg(&kernel_path);
        let mut compile = Command::new(&self.reconverge);
        compile.arg("compile").arg(&kernel_path).arg("-o").arg(&ours);
        let mut clspv = Command::new(&self.python);
        let script =
            "import pyclspv, sys; open(sys.argv[2], 'wb').write(pyclspv.compile(open(sys.argv[1]).read(), False))";
        clspv.args(["-c", script]).arg(&source).arg(&theirs);
        let runs_clspv = copies <= CLSPV_LIMIT;
        let rounds = if copies >= CLSPV_LIMIT { 2 } else { ROUNDS };
        let mut best = [Duration::MAX; 3];
        for _ in 0..rounds {
            best[0] = best[0].min(timed(&mut front));
            best[1] = best[1].min(timed(&mut compile));
            if runs_clspv {
                best[2] = best[2].min(timed(&mut clspv));
            }
        }
        let size = |path: &Path| fs::read(path).map_or(0, |bytes| bytes.len());
        let text = |number: usize| if runs_clspv { number.to_string() } else { "-".to_owned() };
        let milliseconds = best.map(|time| time.as_secs_f64() * 1e3);
        let theirs_time = if runs_clspv { format!("{:.1}", milliseconds[2]) } else { "-".to_owned() };
        println!(
            "{copies:>4} {:>9.1} {:>8.1} {theirs_time:>8}   {:>9} {:>8} {:>9.1}   {:>6} {:>6}",
            milliseconds[0],
            milliseconds[1],
            size(&ours),
            text(size(&theirs)),
            size(&ours) as f64 / copies as f64,
            blocks(&ours),
            text(if runs_clspv { blocks(&theirs) } else { 0 }),
        );
    }
}

fn timed(command: &mut Command) -> Duration {
    let start = Instant::now();
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let time = start.elapsed();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    time
}

/// The labels of a module.
fn blocks(path: &Path) -> usize {
    const LABEL: u32 = 248;
    let bytes = fs::read(path).expect("the module was written");
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
    let (mut at, mut count) = (5, 0);
    while at < words.len() {
        count += usize::from(words[at] & 0xffff == LABEL);
        at += (words[at] >> 16).max(1) as usize;
    }
    count
}
