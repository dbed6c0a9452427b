//! A package for Debian and Ubuntu: an `ar` archive of the format's version, the description, and the files (`man 5 deb`).

use super::archive::{Entry, ar, gzip, tar};

/// What a package says of itself.
pub(crate) struct Control<'a> {
    pub(crate) package: &'a str,
    pub(crate) version: &'a str,
    pub(crate) architecture: &'a str,
    /// A line.
    pub(crate) summary: &'a str,
    /// Further lines.
    pub(crate) description: &'a [&'a str],
}

/// A package that installs these files, whose paths are absolute without the first slash. The time is in seconds since 1970.
pub(crate) fn deb(control: &Control<'_>, files: &[Entry], time: u64) -> Result<Vec<u8>, String> {
    let data = tar(files, time)?;
    let text = control_file(control, files);
    let description = tar(&[Entry::file("control", text)], time)?;
    let (description, data) = (gzip(&description)?, gzip(&data)?);
    ar(&[("debian-binary", b"2.0\n"), ("control.tar.gz", &description), ("data.tar.gz", &data)], time)
}

/// The size that the package states is in units of 1024 bytes.
fn control_file(control: &Control<'_>, files: &[Entry]) -> String {
    let Control { package, version, architecture, summary, description } = control;
    let size: usize = files.iter().map(|file| file.bytes.len().div_ceil(1024)).sum();
    let lines: String = description.iter().map(|line| format!(" {line}\n")).collect();
    format!(
        "Package: {package}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: The Reconverge authors <reconverge@example.invalid>\n\
         Installed-Size: {size}\nSection: devel\nPriority: optional\nDescription: {summary}\n{lines}"
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use xtask_setup::workspace::{find_program, output};

    use super::*;

    const CONTROL: Control<'_> = Control {
        package: "small",
        version: "1.2.3",
        architecture: "amd64",
        summary: "a small package",
        description: &["It has two files."],
    };

    fn files() -> [Entry; 2] {
        [Entry::program("usr/bin/small", vec![0; 1025]), Entry::file("usr/share/doc/small/copyright", "MIT\n")]
    }

    #[test]
    fn the_description_has_the_size_of_the_files() {
        let text = control_file(&CONTROL, &files());
        assert!(text.contains("\nInstalled-Size: 3\n"), "{text}");
        assert!(text.ends_with("Description: a small package\n It has two files.\n"), "{text}");
    }

    #[test]
    fn one_input_gives_one_package() {
        assert_eq!(deb(&CONTROL, &files(), 5).unwrap(), deb(&CONTROL, &files(), 5).unwrap());
        assert_ne!(deb(&CONTROL, &files(), 5).unwrap(), deb(&CONTROL, &files(), 6).unwrap());
    }

    /// Where there is Debian's own tool, it reads the package; elsewhere `ar` and `tar` do.
    #[test]
    fn the_package_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.deb");
        fs::write(&path, deb(&CONTROL, &files(), 5).unwrap()).unwrap();
        if find_program("dpkg-deb").is_some() {
            let field = |name| output(Command::new("dpkg-deb").arg("-f").arg(&path).arg(name)).unwrap();
            assert_eq!((field("Package"), field("Version")), ("small\n".to_owned(), "1.2.3\n".to_owned()));
            output(Command::new("dpkg-deb").arg("-x").arg(&path).arg(folder.path())).unwrap();
        } else {
            output(Command::new("ar").arg("x").arg(&path).current_dir(folder.path())).unwrap();
            output(Command::new("tar").args(["-xzf", "data.tar.gz"]).current_dir(folder.path())).unwrap();
        }
        assert_eq!(fs::read(folder.path().join("usr/bin/small")).unwrap(), vec![0; 1025]);
        assert_eq!(fs::read(folder.path().join("usr/share/doc/small/copyright")).unwrap(), b"MIT\n");
    }
}
