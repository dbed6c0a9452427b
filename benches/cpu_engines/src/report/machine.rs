//! The machine, in a line.

use std::fs;

/// Name, family and model of the CPU, cores, and the load of the machine.
pub(super) fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or_else(String::new, |(_, value)| value.trim().to_owned())
    };
    let flags = field("flags");
    let has = |flag: &str| flags.split(' ').any(|one| one == flag);
    let level = if has("avx512bw") {
        "AVX-512"
    } else if has("avx2") {
        "AVX2"
    } else {
        "no AVX2"
    };
    let cores = info.lines().filter(|line| line.starts_with("processor")).count();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    let (name, family, model) = (field("model name"), field("cpu family"), field("model"));
    format!("{name} (family {family}, model {model}, {level}), {cores} cores, load {load}")
}
