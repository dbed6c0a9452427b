//! The HTML file: style, program and data in one, for any browser, without a network.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::report::{InputFile, Report};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");
const NAMES: &str = include_str!("names.js");
const PLAYER: &str = include_str!("player.js");
const DIFFERENCE: &str = include_str!("difference.js");

impl Report {
    /// The report as JSON, one line.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("the report has no map with keys other than strings")
    }

    /// The report as an HTML page, with the JSON as gzip (RFC 1952) in base64. Linear in the report.
    pub fn page(&self) -> String {
        let data = BASE64.encode(compressed(self.json().as_bytes()));
        let parts = [
            ("/*STYLE*/", STYLE),
            ("/*DATA*/", &data),
            ("/*PROGRAM*/", PROGRAM),
            ("/*NAMES*/", NAMES),
            ("/*PLAYER*/", PLAYER),
            ("/*DIFFERENCE*/", DIFFERENCE),
        ];
        let mut page = String::with_capacity(PAGE.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
        let mut rest = PAGE;
        for (mark, part) in parts {
            let (before, after) = rest.split_once(mark).expect("the page has each mark once, in this order");
            page.push_str(before);
            page.push_str(part);
            rest = after;
        }
        page.push_str(rest);
        page
    }
}

/// The level of the compression: the default takes twice as long, and saves a twelfth of the bytes.
const LEVEL: Compression = Compression::new(3);

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), LEVEL);
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a list in memory takes everything")
}

impl InputFile {
    /// A file that was read.
    pub fn new(name: &str, bytes: &[u8]) -> InputFile {
        let mix = |digest: u64, &byte: &u8| (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let digest = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix);
        InputFile { name: name.to_owned(), bytes: bytes.len(), digest: format!("{digest:016x}") }
    }
}
