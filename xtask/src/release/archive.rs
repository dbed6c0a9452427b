//! Archives that depend on their files alone: `tar` (POSIX ustar), `gzip` and `ar`.
//!
//! Files have the order of the caller, one time, and the owner root. The crates `tar`, `flate2` and `ar` write the bytes.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

/// A file of an archive.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The path in the archive.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// The permissions: 0o755 for programs.
    pub(crate) mode: u32,
}

impl Entry {
    /// A file to read.
    pub(crate) fn file(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), bytes: bytes.into(), mode: 0o644 }
    }

    /// A file to run.
    pub(crate) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { mode: 0o755, ..Entry::file(path, bytes) }
    }
}

/// A `tar` archive of files and of the folders that contain them, all of one time (seconds since 1970).
pub(crate) fn tar(entries: &[Entry], time: u64) -> Result<Vec<u8>, String> {
    let mut archive = Builder::new(Vec::new());
    let mut folders: Vec<&str> = Vec::new();
    let mut put = |path: &str, bytes: &[u8], mode: u32| {
        let mut header = Header::new_ustar();
        header.set_entry_type(if path.ends_with('/') { EntryType::Directory } else { EntryType::Regular });
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        let named = header.set_username("root").and_then(|()| header.set_groupname("root"));
        let put = named.and_then(|()| archive.append_data(&mut header, path, bytes));
        put.map_err(|error| format!("{path}: {error}"))
    };
    for entry in entries {
        for (end, _) in entry.path.match_indices('/') {
            let folder = &entry.path[..=end];
            if !folders.contains(&folder) {
                folders.push(folder);
                put(folder, &[], 0o755)?;
            }
        }
        put(&entry.path, &entry.bytes, entry.mode)?;
    }
    archive.into_inner().map_err(|error| format!("tar: {error}"))
}

/// Bytes as `gzip`, without name and time.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    // The number for an unknown system: the default is that of this one.
    let mut encoder = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| format!("gzip: {error}"))
}

/// An `ar` archive of one time, as `.deb` is one: names of at most 16 bytes, without a table of symbols.
pub(crate) fn ar(members: &[(&str, &[u8])], time: u64) -> Result<Vec<u8>, String> {
    let mut archive = ar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(time);
        archive.append(&header, *bytes).map_err(|error| format!("ar: {name}: {error}"))?;
    }
    archive.into_inner().map_err(|error| format!("ar: {error}"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use xtask_setup::workspace::output;

    use super::*;

    fn entries() -> [Entry; 3] {
        [
            Entry::program("r/bin/run", "#!/bin/sh\necho ran\n"),
            Entry::file("r/text", vec![b'x'; 513]),
            Entry::file("r/empty", ""),
        ]
    }

    #[test]
    fn tar_unpacks_what_was_packed() {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("a.tar.gz");
        fs::write(&archive, gzip(&tar(&entries(), 1_000_000_000).unwrap()).unwrap()).unwrap();
        let listed = output(Command::new("tar").args(["--utc", "-tvzf"]).arg(&archive)).unwrap();
        let rows: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
        let of_row = |row: &Vec<&str>| format!("{} {} {} {} {}", row[0], row[1], row[2], row[3], row[5]);
        let expected = [
            "drwxr-xr-x root/root 0 2001-09-09 r/",
            "drwxr-xr-x root/root 0 2001-09-09 r/bin/",
            "-rwxr-xr-x root/root 19 2001-09-09 r/bin/run",
            "-rw-r--r-- root/root 513 2001-09-09 r/text",
            "-rw-r--r-- root/root 0 2001-09-09 r/empty",
        ];
        assert_eq!(rows.iter().map(of_row).collect::<Vec<_>>(), expected);
        output(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(folder.path())).unwrap();
        assert_eq!(output(&mut Command::new(folder.path().join("r/bin/run"))).unwrap(), "ran\n");
        assert_eq!(fs::read(folder.path().join("r/text")).unwrap(), vec![b'x'; 513]);
    }

    #[test]
    fn names_out_of_the_archive_are_refused() {
        assert!(tar(&[Entry::file("../x", "")], 0).is_err());
        assert!(tar(&[Entry::file("x", "")], 0).is_ok());
    }

    #[test]
    fn gzip_has_no_time_and_no_name() {
        let bytes = gzip(b"text").unwrap();
        assert_eq!(bytes[..4], [0x1f, 0x8b, 8, 0], "no flags, so no name");
        assert_eq!(bytes[4..8], [0; 4]);
        assert_eq!(bytes[9], 255);
    }

    #[test]
    fn members_of_ar_begin_at_even_bytes() {
        let archive = ar(&[("a", b"1"), ("b", b"22")], 7).unwrap();
        assert_eq!(archive.len(), 8 + 60 + 2 + 60 + 2);
        let second = &archive[8 + 60 + 2..];
        assert_eq!(&second[..16], b"b               ");
        assert_eq!(&second[58..], b"`\n22");
    }
}
