//! Work-item functions (OpenCL C 3.0, section 6.15.1), with dimensions that are out of range.

use std::fmt::Write;

use super::case::{Case, Sizes, integers};
use super::number::Type;

const ULONG: Type = Type::Int { is_signed: false, bits: 64 };

/// The dimensions that are requested; those from the third on do not exist.
const ASKED: [usize; 5] = [0, 1, 2, 3, 7];

/// A place in the launch: its sizes, and the coordinates of a work-item without the offset.
struct Place<'a> {
    sizes: &'a Sizes,
    at: [u64; 3],
}

impl Place<'_> {
    fn local_size(&self, dimension: usize) -> u64 {
        // The last group of a dimension may have fewer.
        let (size, first) = (self.enqueued(dimension), self.group(dimension) * self.enqueued(dimension));
        size.min(self.sizes.global[dimension] - first)
    }

    fn enqueued(&self, dimension: usize) -> u64 {
        self.sizes.local[dimension].into()
    }

    fn group(&self, dimension: usize) -> u64 {
        self.at[dimension] / self.enqueued(dimension)
    }
}

/// A function of a dimension, its result for a work-item, and the result for a dimension that does not exist.
type Function = (&'static str, fn(&Place<'_>, usize) -> u64, u64);

const FUNCTIONS: [Function; 8] = [
    ("get_global_id", |place, d| place.at[d] + place.sizes.offset[d], 0),
    ("get_local_id", |place, d| place.at[d] % place.enqueued(d), 0),
    ("get_group_id", |place, d| place.group(d), 0),
    ("get_global_size", |place, d| place.sizes.global[d], 1),
    ("get_local_size", |place, d| place.local_size(d), 1),
    ("get_enqueued_local_size", |place, d| place.enqueued(d), 1),
    ("get_num_groups", |place, d| place.sizes.global[d].div_ceil(place.enqueued(d)), 1),
    ("get_global_offset", |place, d| place.sizes.offset[d], 0),
];

/// A function without a dimension, and its result for a work-item.
type Linear = (&'static str, fn(&Place<'_>) -> u64);

const LINEAR: [Linear; 3] = [
    ("get_work_dim", |place| place.sizes.dimensions.into()),
    ("get_global_linear_id", |place| {
        let size = place.sizes.global;
        (place.at[2] * size[1] + place.at[1]) * size[0] + place.at[0]
    }),
    ("get_local_linear_id", |place| {
        let at = |d: usize| place.at[d] % place.enqueued(d);
        (at(2) * place.local_size(1) + at(1)) * place.local_size(0) + at(0)
    }),
];

/// Launches of one, two and three dimensions, with and without an offset, and with groups that are not full.
const LAUNCHES: [Sizes; 5] = [
    Sizes { global: [12, 1, 1], local: [4, 1, 1], offset: [0; 3], dimensions: 1 },
    Sizes { global: [6, 4, 1], local: [3, 2, 1], offset: [0; 3], dimensions: 2 },
    Sizes { global: [6, 4, 2], local: [3, 2, 1], offset: [0; 3], dimensions: 3 },
    Sizes { global: [6, 4, 2], local: [2, 2, 2], offset: [5, 3, 1], dimensions: 3 },
    Sizes { global: [7, 5, 3], local: [3, 2, 2], offset: [0; 3], dimensions: 3 },
];

/// A kernel for each launch and way to give the dimension: as a constant, and in a loop.
pub(super) fn cases() -> Vec<Case> {
    let ways = [Dimension::Constant, Dimension::Loop];
    LAUNCHES.iter().enumerate().flat_map(|(index, sizes)| ways.map(|way| case(index, *sizes, way))).collect()
}

/// The way in which a kernel gives the dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dimension {
    Constant,
    Loop,
}

fn case(index: usize, sizes: Sizes, dimension: Dimension) -> Case {
    let name = format!("place{index}_{}", dimension as u8);
    let each = FUNCTIONS.len() * ASKED.len() + LINEAR.len();
    let size = sizes.global;
    let mut source = format!("kernel void {name}(global const uint *asked, global ulong *r) {{\n");
    let offset = [0, 1, 2].map(|d| format!("(get_global_id({d}) - get_global_offset({d}))"));
    let [x, y, z] = &offset;
    writeln!(source, "    r += (({z} * {} + {y}) * {} + {x}) * {each};", size[1], size[0])
        .expect("a string takes everything");
    for (function, _, _) in FUNCTIONS {
        if dimension == Dimension::Loop {
            source += &format!("    for (int n = 0; n < {}; n++) *r++ = {function}(asked[n]);\n", ASKED.len());
        } else {
            ASKED.iter().for_each(|dimension| source += &format!("    *r++ = {function}({dimension});\n"));
        }
    }
    LINEAR.iter().for_each(|(function, _)| source += &format!("    *r++ = {function}();\n"));
    let asked = ASKED.iter().map(|&dimension| super::number::Number::Int(dimension as i128)).collect();
    let count = size.iter().product::<u64>() as usize * each;
    Case {
        name,
        what: "work-item functions".to_owned(),
        source: source + "}\n",
        inputs: vec![(Type::Int { is_signed: false, bits: 32 }, asked)],
        output: (ULONG, count),
        before: Vec::new(),
        sizes,
        definition: Box::new(move |_| integers(everywhere(&sizes))),
    }
}

/// The results of all work-items, in their order.
fn everywhere(sizes: &Sizes) -> Vec<i128> {
    let [x, y, z] = sizes.global;
    let places = (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])));
    let mut results = Vec::new();
    for at in places {
        let place = Place { sizes, at };
        for (_, of, beyond) in FUNCTIONS {
            results.extend(ASKED.iter().map(|&dimension| if dimension < 3 { of(&place, dimension) } else { beyond }));
        }
        results.extend(LINEAR.iter().map(|(_, of)| of(&place)));
    }
    results.into_iter().map(i128::from).collect()
}
