//! What holds for every picture: nothing overlaps, boxes nest, edges have right angles and end at their blocks, and those of a branch leave it in
//! their order.

use std::path::{Path, PathBuf};

use reconverge::{CompileOptions, Format, pipeline::Level};
use reconverge_report::{FunctionVersion, Recorder, Report, Route, Shape};

use crate::{MODULES, long_module, recorded, report_of};

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
    let (mut paths, mut branches) = (Vec::new(), 0);
    for folder in ["tests", "examples"] {
        modules_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), &mut paths);
    }
    for path in paths {
        let bytes = std::fs::read(&path).expect("the file is readable");
        // Some are there because they are refused.
        let Ok(module) = reconverge::read(&bytes, Format::SPIRV) else { continue };
        let report = Recorder::new(&module).finish();
        assert_drawn(&report, &path.display().to_string());
        let labels = report.functions.iter().flat_map(|picture| &picture.routes).map(|route| route.label.as_str());
        branches += labels.filter(|&label| label == "true").count();
    }
    assert!(branches > 1_000, "{branches}");
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
