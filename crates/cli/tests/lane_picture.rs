//! A run of lanes as a picture in SVG: for each block of a step, the lanes that are in it and those that wait.

use std::fmt::Write as _;

use serde_json::Value;

const STYLE: &str = "\
text{font:13px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1b1f24}\
.head{font:600 13px system-ui,sans-serif}\
.lane{text-anchor:middle}\
.waits{fill:#566070}\
.box{fill:none;stroke:#8d97a5;stroke-dasharray:3 3}\
.moves{fill:#c9ecdc;stroke:#0b6e4f;stroke-dasharray:none}\
.line{stroke:#d5d9e0}\
@media(prefers-color-scheme:dark){\
text{fill:#e4e8ee}.waits{fill:#aab3c0}.box{stroke:#7d8897}.moves{fill:#1d4d3b;stroke:#4cc38a}.line{stroke:#343b47}}";

/// The height of a row, the side of a lane, and where the columns begin.
const ROW: usize = 26;
const LANE: usize = 28;
const BLOCK: usize = 64;
const LANES: usize = 160;
const TOP: usize = 36;

/// The first run of the first launch of a report, in its JSON form.
pub(crate) fn svg(report: &Value) -> String {
    let run = &report["lanes"]["launches"][0]["runs"][0];
    let lanes = run["lanes"].as_u64().expect("lanes are counted") as usize;
    let name = |id: &Value| {
        let blocks = report["blocks"].as_array().expect("there are blocks");
        let block = blocks.iter().find(|block| block["id"] == *id).expect("moves name blocks");
        block["name"].as_str().expect("a block has a name").to_owned()
    };
    let mask = LANES + LANE * lanes + 20;
    let (mut inside, mut y) = (String::new(), TOP);
    for (x, head) in [(12, "step"), (BLOCK, "block"), (LANES, "lanes"), (mask, "mask")] {
        let _ = write!(inside, "<text class='head' x='{x}' y='22'>{head}</text>");
    }
    for (number, moves) in run["steps"].as_array().expect("a run has steps").iter().enumerate() {
        let _ = write!(
            inside,
            "<path class='line' d='M12 {y}H{}'/><text x='12' y='{}'>{}</text>",
            mask + 90,
            y + 18,
            number + 1
        );
        for entered in moves.as_array().expect("a step has moves") {
            let set = entered["lanes"].as_u64().expect("a set of lanes is a number");
            let _ = write!(inside, "<text x='{BLOCK}' y='{}'>{}</text>", y + 18, name(&entered["block"]));
            for lane in 0..lanes {
                let [rect, text] = if set >> lane & 1 == 1 { ["box moves", "lane"] } else { ["box", "lane waits"] };
                let x = LANES + LANE * lane;
                let _ = write!(
                    inside,
                    "<rect class='{rect}' x='{x}' y='{}' width='22' height='20' rx='3'/><text class='{text}' x='{}' y='{}'>{lane}</text>",
                    y + 3,
                    x + 11,
                    y + 18
                );
            }
            let bits: String = (0..lanes).map(|lane| if set >> lane & 1 == 1 { '1' } else { '0' }).collect();
            let _ = write!(inside, "<text x='{mask}' y='{}'>{bits}</text>", y + 18);
            y += ROW;
        }
    }
    let (width, height) = (mask + 102, y + 12);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\
         <style>{STYLE}</style>{inside}</svg>\n"
    )
}
