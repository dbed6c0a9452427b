//! What holds for every picture: nothing overlaps, boxes nest, edges have right angles and end at their blocks.

use reconverge::{CompileOptions, pipeline::Level};
use reconverge_report::{FunctionVersion, Report, Shape};

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
    picture.routes.iter().find_map(|route| {
        let points: Vec<[u32; 2]> = route.points.chunks(2).map(|point| [point[0], point[1]]).collect();
        let is_bent = points.windows(2).any(|pair| pair[0][0] != pair[1][0] && pair[0][1] != pair[1][1]);
        let [from, to] = [route.from, route.to].map(|node| shapes[node as usize]);
        let touches = |[x, y]: [u32; 2], shape: Shape| {
            x >= shape.x && x <= shape.x + shape.w && y >= shape.y && y <= shape.y + shape.h
        };
        let ends = touches(points[0], from) && touches(*points.last()?, to);
        (is_bent || !ends).then(|| format!("{route:?} from {from:?} to {to:?}"))
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
    for wrong in [overlapping, crossing, slanted, lost] {
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
