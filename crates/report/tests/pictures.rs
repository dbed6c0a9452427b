//! What holds for every picture: nothing overlaps, boxes nest, edges have right angles and end at their blocks, and those of a branch leave it in
//! their order.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reconverge::{CompileOptions, Format, pipeline::Level};
use reconverge_report::{FunctionVersion, Recorder, Report, Route, Shape};

use crate::{MODULES, graph_report_of, long_module, recorded, report_of};

fn is_apart(one: Shape, other: Shape) -> bool {
    one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y || other.y + other.h <= one.y
}

fn is_inside(inner: Shape, outer: Shape) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.x + inner.w <= outer.x + outer.w
        && inner.y + inner.h <= outer.y + outer.h
}

/// What is wrong with a picture.
fn problem(picture: &FunctionVersion) -> Option<String> {
    let whole = Shape { x: 0, y: 0, w: picture.width, h: picture.height };
    let shapes: Vec<Shape> = picture.nodes.iter().map(|node| node.shape).collect();
    for (index, &shape) in shapes.iter().enumerate() {
        if shape.w == 0 || !is_inside(shape, whole) {
            return Some(format!("block {index} is not in the picture: {shape:?}"));
        }
        if let Some(other) = shapes[..index].iter().find(|&&other| !is_apart(shape, other)) {
            return Some(format!("block {index} at {shape:?} overlaps {other:?}"));
        }
        if let Some(outer) =
            picture.boxes.iter().find(|outer| !is_apart(shape, outer.shape) && !is_inside(shape, outer.shape))
        {
            return Some(format!("block {index} at {shape:?} crosses {outer:?}"));
        }
    }
    for (index, inner) in picture.boxes.iter().enumerate() {
        for outer in &picture.boxes[..index] {
            let [one, other] = [inner.shape, outer.shape];
            if !is_apart(one, other) && !is_inside(one, other) {
                return Some(format!("{inner:?} crosses {outer:?}"));
            }
            if !is_apart(one, other) && inner.depth <= outer.depth {
                return Some(format!("{inner:?} is in {outer:?} and not deeper"));
            }
        }
    }
    wrong_route(picture, &shapes).or_else(|| wrong_branch(picture))
}

/// The corners of an edge.
fn corners(route: &Route) -> Vec<[u32; 2]> {
    route.points.chunks(2).map(|point| [point[0], point[1]]).collect()
}

/// An edge that is bent, or does not end at its blocks.
fn wrong_route(picture: &FunctionVersion, shapes: &[Shape]) -> Option<String> {
    picture.routes.iter().find_map(|route| {
        let points = corners(route);
        let is_bent = points.windows(2).any(|pair| pair[0][0] != pair[1][0] && pair[0][1] != pair[1][1]);
        let [from, to] = [route.from, route.to].map(|node| shapes[node as usize]);
        let touches = |[x, y]: [u32; 2], shape: Shape| {
            x >= shape.x && x <= shape.x + shape.w && y >= shape.y && y <= shape.y + shape.h
        };
        let ends = touches(points[0], from) && touches(*points.last()?, to);
        (is_bent || !ends).then(|| format!("{route:?} from {from:?} to {to:?}"))
    })
}

/// Two edges of a block that leave it in another order than they have, or two edges of a branch with a common corner.
fn wrong_branch(picture: &FunctionVersion) -> Option<String> {
    picture.routes.chunk_by(|one, other| one.from == other.from).find_map(|edges| {
        let is_ordered = edges.windows(2).all(|pair| pair[0].points[0] < pair[1].points[0]);
        let is_apart = match edges {
            [yes, no] => corners(yes).iter().all(|corner| !corners(no).contains(corner)),
            _ => true,
        };
        let is_swapped = matches!(edges, [yes, no] if is_swapped([yes, no], picture));
        (!is_ordered || !is_apart || is_swapped).then(|| format!("the edges of a block read as others: {edges:?}"))
    })
}

fn assert_drawn(report: &Report, name: &str) {
    for picture in &report.functions {
        assert_eq!(problem(picture), None, "{name}: {}", picture.name);
    }
}

#[test]
fn pictures_of_the_modules_of_this_project() {
    for path in MODULES {
        let report = report_of(path);
        assert!(report.functions.iter().any(|picture| !picture.boxes.is_empty() || picture.nodes.len() < 4), "{path}");
        assert_drawn(&report, path);
    }
}

/// Returns whether the first of two edges that go down, one of them far, crosses the other below their block.
fn is_swapped(edges: [&Route; 2], picture: &FunctionVersion) -> bool {
    let gap = |route: &Route| {
        let [from, to] = [route.from, route.to].map(|node| picture.nodes[node as usize].shape);
        to.y.checked_sub(from.y + from.h)
    };
    let [Some(one), Some(other)] = edges.map(gap) else { return false };
    let [yes, no] = edges.map(corners);
    // To its turn, each goes down at its port.
    let crosses = |one: &[[u32; 2]], other: &[[u32; 2]]| {
        let [from, to] = [one[1][0].min(one[2][0]), one[1][0].max(one[2][0])];
        from <= other[0][0] && other[0][0] <= to && one[1][1] <= other[1][1]
    };
    one.max(other) > 110 && (crosses(&yes, &no) || crosses(&no, &yes))
}

/// Numbers from a seed: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// What edges hide or cross, in many pictures.
#[derive(Default, PartialEq, Eq, Debug)]
struct Faults {
    pictures: usize,
    /// Edges with a segment through a block that is none of its ends, or through an end behind its side.
    behind_blocks: usize,
    /// Labels that an edge crosses.
    crossed_labels: usize,
    /// Branches whose two edges cross.
    crossed_branches: usize,
}

/// A rectangle by its sides: left, top, right, bottom.
type Sides = [u32; 4];

impl Faults {
    fn count(&mut self, report: &Report, picture: &FunctionVersion) {
        self.pictures += 1;
        let blocks: Vec<Sides> = picture.nodes.iter().map(|node| sides(node.shape)).collect();
        let labels: Vec<Sides> = picture.routes.iter().filter_map(|route| label(report, picture, route)).collect();
        let is_crossed = |segments: &[Sides], shape: &Sides| segments.iter().any(|segment| is_through(segment, shape));
        let mut is_label_crossed = vec![false; labels.len()];
        for route in &picture.routes {
            let segments = segments(route);
            self.behind_blocks += usize::from(blocks.iter().any(|block| is_crossed(&segments, block)));
            for (label, is_label_crossed) in labels.iter().zip(&mut is_label_crossed) {
                *is_label_crossed |= is_crossed(&segments, label);
            }
        }
        self.crossed_labels += is_label_crossed.into_iter().filter(|crossed| *crossed).count();
        for edges in picture.routes.chunk_by(|one, other| one.from == other.from) {
            let [yes, no] = edges else { continue };
            self.crossed_branches += usize::from(crossings(yes, no) > 0);
        }
    }
}

fn sides(Shape { x, y, w, h }: Shape) -> Sides {
    [x, y, x + w, y + h]
}

/// The segments of an edge.
fn segments(route: &Route) -> Vec<Sides> {
    let corners = corners(route);
    let between = |pair: &[[u32; 2]]| {
        let [[x, y], [z, w]] = [pair[0], pair[1]];
        [x.min(z), y.min(w), x.max(z), y.max(w)]
    };
    corners.windows(2).map(between).collect()
}

/// Returns whether a segment passes through the inside of a rectangle.
fn is_through(segment: &Sides, shape: &Sides) -> bool {
    segment[0] < shape[2]
        && shape[0] < segment[2].max(segment[0] + 1)
        && segment[1] < shape[3]
        && shape[1] < segment[3].max(segment[1] + 1)
        && !(segment[0] == segment[2] && segment[0] == shape[0])
        && !(segment[1] == segment[3] && segment[1] == shape[1])
}

/// Where the page draws the label of an edge, if it does.
fn label(report: &Report, picture: &FunctionVersion, route: &Route) -> Option<Sides> {
    let node = &picture.nodes[route.from as usize];
    let edges = report.blocks[node.block as usize].edges.len() as u32;
    let width = 6 * route.label.chars().count() as u32;
    let is_drawn = width > 0 && edges > 1 && width + 2 <= node.shape.w / edges;
    let [x, y] = [route.points[0], route.points[1]];
    is_drawn.then(|| [x - width / 2, y - 14, x + width / 2, y - 3])
}

/// How often two edges cross.
fn crossings(one: &Route, other: &Route) -> usize {
    let is_crossing = |across: &Sides, down: &Sides| {
        across[1] == across[3]
            && down[0] == down[2]
            && across[0] < down[0]
            && down[0] < across[2]
            && down[1] < across[1]
            && across[1] < down[3]
    };
    let [one, other] = [one, other].map(segments);
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs.filter(|(one, other)| is_crossing(one, other) || is_crossing(other, one)).count()
}

/// The modules in a folder of this project and in those below.
fn modules_below(folder: &Path, modules: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    for path in entries.map(|entry| entry.expect("the folder is readable").path()) {
        if path.is_dir() {
            modules_below(&path, modules);
        } else if path.extension().is_some_and(|extension| extension == "spv") {
            modules.push(path);
        }
    }
}

#[test]
fn pictures_of_all_inputs_of_the_tests() {
    let (mut paths, mut branches, mut faults) = (Vec::new(), 0, Faults::default());
    for folder in ["tests", "examples"] {
        modules_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), &mut paths);
    }
    for path in paths {
        let bytes = std::fs::read(&path).expect("the file is readable");
        // Some are there because they are refused.
        let Ok(module) = reconverge::read(&bytes, Format::SPIRV) else { continue };
        let report = Recorder::new(&module).finish();
        assert_drawn(&report, &path.display().to_string());
        report.functions.iter().for_each(|picture| faults.count(&report, picture));
        let labels = report.functions.iter().flat_map(|picture| &picture.routes).map(|route| route.label.as_str());
        branches += labels.filter(|&label| label == "true").count();
    }
    assert_eq!(faults, Faults { pictures: faults.pictures, ..Faults::default() });
    assert!(branches > 1_000, "{branches}");
}

/// A random graph of so many blocks: exits, jumps, branches and switches.
fn random_graph(random: &mut Random, blocks: usize) -> String {
    let mut text = String::new();
    for block in 0..blocks {
        let targets = match random.below(12) {
            0 => 0,
            1..3 => 1,
            3..10 => 2,
            _ => 3 + random.below(5),
        };
        let word = ["ret", "br", "condbr", "switch"][targets.min(3)];
        write!(text, "b{block} {word}").expect("a string takes everything");
        (0..targets).for_each(|_| write!(text, " b{}", random.below(blocks)).expect("a string takes everything"));
        text.push('\n');
    }
    text
}

#[test]
fn no_edge_passes_through_a_block_of_a_random_graph() {
    let (mut random, mut faults) = (Random(7), Faults::default());
    for number in 0..3_000 {
        let graph = random_graph(&mut random, 3 + number % 14);
        let report = graph_report_of(&graph);
        assert_drawn(&report, &graph);
        report.functions.iter().for_each(|picture| faults.count(&report, picture));
    }
    assert_eq!(faults, Faults { pictures: 6_000, ..Faults::default() });
}

#[test]
fn a_wrong_picture_is_noticed() {
    let report = recorded(long_module(40), &CompileOptions::new().level(Level::None));
    let picture = report.functions.last().expect("there is a function");
    assert_eq!(problem(picture), None);
    let mut overlapping = picture.clone();
    overlapping.nodes[1].shape = overlapping.nodes[0].shape;
    let mut crossing = picture.clone();
    crossing.boxes[0].shape.w = 20;
    let mut slanted = picture.clone();
    slanted.routes[0].points[1] += 1;
    let mut lost = picture.clone();
    lost.routes[0].to = lost.routes.last().expect("there are edges").to;
    let mut swapped = picture.clone();
    let branch = swapped.routes.iter().position(|route| route.label == "true").expect("there is a branch");
    let [yes, no] = &mut swapped.routes[branch..branch + 2] else { panic!("a branch has two edges") };
    std::mem::swap(yes, no);
    for wrong in [overlapping, crossing, slanted, lost, swapped] {
        assert!(problem(&wrong).is_some());
    }
    // A block across the picture hides edges, and so does one across their labels.
    let mut hidden = picture.clone();
    hidden.nodes[3].shape = Shape { x: 0, y: 0, w: picture.width, h: picture.height };
    let mut faults = Faults::default();
    faults.count(&report, &hidden);
    assert!(faults.behind_blocks > 20, "{faults:?}");
    let mut crossed = picture.clone();
    let [x, y] = [crossed.routes[branch].points[0], crossed.routes[branch].points[1]];
    crossed.routes[0].points = vec![x - 9, y - 6, x + 9, y - 6];
    crossed.routes[branch + 1].points = vec![x + 9, y, x + 9, y + 5, x - 9, y + 5, x - 9, y + 9];
    let mut faults = Faults::default();
    faults.count(&report, &crossed);
    assert!(faults.crossed_labels > 0 && faults.crossed_branches > 0, "{faults:?}");
}

#[test]
fn what_a_pass_does_not_change_stays_where_it_is() {
    let report = report_of("tests/kernels/barrier_break.spv");
    for pair in report.passes.windows(2).filter(|pair| !pair[1].is_changed) {
        assert_eq!(pair[0].functions, pair[1].functions);
    }
    // A function that grows at its end keeps its beginning.
    let [short, long] = [40, 80].map(|blocks| recorded(long_module(blocks), &CompileOptions::new().level(Level::None)));
    let [short, long] =
        [&short, &long].map(|report| &report.functions[report.passes.last().unwrap().functions[0] as usize]);
    let places = short.nodes.iter().zip(&long.nodes).take(20);
    assert!(places.clone().count() == 20 && places.clone().all(|(one, other)| one.shape == other.shape));
}

#[test]
fn twenty_thousand_blocks_are_drawn() {
    let options = CompileOptions::new().level(Level::None);
    let [small, large] = [5_000, 20_000].map(|blocks| recorded(long_module(blocks), &options));
    let size = |report: &Report| report.functions.iter().map(|picture| picture.routes.len()).max().unwrap_or(0);
    assert!(size(&large) > 20_000 && size(&large) < 5 * size(&small));
}
