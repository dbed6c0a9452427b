//! Software Vulkan drivers for the tests: lavapipe of Mesa, and SwiftShader.
//!
//! Lavapipe, the validation layer and the headers are packages of the system. SwiftShader is packaged only as a part of Chromium: one library is
//! taken out of that package, which needs no root, and put under `target/tools`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{install_by_apt, remove};
use crate::workspace::{find_program, output, tools};

const LIBRARY: &str = "libvk_swiftshader.so";

/// The manifest by which a Vulkan loader finds SwiftShader; the library is beside it.
const MANIFEST: &str = "vk_swiftshader_icd.json";

/// Folders of manifests in which the Vulkan loader looks on a Unix system, below which `icd.d` has drivers and `explicit_layer.d` layers.
const MANIFESTS: [&str; 3] = ["/usr/share/vulkan", "/usr/local/share/vulkan", "/etc/vulkan"];

/// Folders of libraries, or of folders of libraries that are named after the architecture.
const LIBRARIES: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"];

pub(super) fn is_lavapipe_present() -> bool {
    has_manifest("icd.d", "lvp_icd.") && has_library("libvulkan.so.1")
}

pub(super) fn install_lavapipe() -> Result<(), String> {
    install_by_apt(&["libvulkan1", "mesa-vulkan-drivers"])
}

pub(super) fn are_headers_present() -> bool {
    ["/usr/include", "/usr/local/include"].iter().any(|folder| Path::new(folder).join("vulkan/vulkan.h").is_file())
}

pub(super) fn is_layer_present() -> bool {
    has_manifest("explicit_layer.d", "VkLayer_khronos_validation.")
}

pub(super) fn install_layer() -> Result<(), String> {
    install_by_apt(&["vulkan-validationlayers"])
}

pub(super) fn is_swiftshader_present() -> bool {
    [LIBRARY, MANIFEST].iter().all(|file| swiftshader().join(file).is_file())
}

/// The folder is moved to its place as the last step, so that a broken install never looks whole.
pub(super) fn install_swiftshader() -> Result<(), String> {
    let work = tools().join("swiftshader.partial");
    remove(&work)?;
    fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let package = download(&work, "chromium-common")?;
    output(Command::new("dpkg-deb").arg("-x").arg(&package).arg(work.join("package")))?;
    let folder = work.join("swiftshader");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let library = work.join("package/usr/lib/chromium").join(LIBRARY);
    fs::rename(&library, folder.join(LIBRARY)).map_err(|_| format!("the package chromium-common lacks {LIBRARY}"))?;
    let manifest = format!(
        "{{\"file_format_version\": \"1.0.0\", \"ICD\": {{\"library_path\": \"./{LIBRARY}\", \"api_version\": \"1.0.5\"}}}}\n"
    );
    fs::write(folder.join(MANIFEST), manifest).map_err(|error| error.to_string())?;
    remove(&swiftshader())?;
    fs::rename(&folder, swiftshader()).map_err(|error| error.to_string())?;
    remove(&work)
}

fn swiftshader() -> PathBuf {
    tools().join("swiftshader")
}

/// Downloads a package of the system without installing it; lists of packages that are missing or old are fetched, which takes root.
fn download(folder: &Path, package: &str) -> Result<PathBuf, String> {
    if find_program("apt-get").is_none() {
        return Err("this system has no apt-get".to_owned());
    }
    let fetch = || output(Command::new("apt-get").current_dir(folder).args(["download", "--quiet", package]));
    fetch().or_else(|reason| {
        output(Command::new("apt-get").args(["update", "--quiet"])).map_err(|_| reason)?;
        fetch()
    })?;
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let is_package = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "deb");
    let mut packages = entries.flatten().map(|entry| entry.path()).filter(is_package);
    packages.next().ok_or_else(|| format!("apt-get did not leave {package} in {}", folder.display()))
}

fn has_manifest(kind: &str, prefix: &str) -> bool {
    MANIFESTS.iter().any(|folder| names(&Path::new(folder).join(kind)).any(|name| name.starts_with(prefix)))
}

fn has_library(name: &str) -> bool {
    LIBRARIES
        .iter()
        .map(Path::new)
        .any(|folder| folder.join(name).is_file() || names(folder).any(|inner| folder.join(inner).join(name).is_file()))
}

fn names(folder: &Path) -> impl Iterator<Item = String> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned())
}
