//! Families made to be slow: each takes about how many blocks to make, and makes so many edges too.

use reconverge_graph::{DominatorTree, Graph, Node, Order};

use super::{Lists, Random};

/// A family by its name: what makes about so many blocks.
pub(crate) type Family = (&'static str, fn(usize) -> Lists);

/// All families of this file.
pub(crate) const ADVERSARIES: [Family; 26] = [
    ("nested-irreducible", nested_irreducible),
    ("irreducible-chain", irreducible_chain),
    ("irreducible-onion", irreducible_onion),
    ("two-way-path", two_way_path),
    ("two-way-path-twice", two_way_path_entered_twice),
    ("two-way-grid", two_way_grid),
    ("break-to-every-level", break_to_every_level),
    ("break-blocks-out-of-nest", break_blocks_out_of_nest),
    ("loops-with-exits-in-a-row", loops_with_exits),
    ("loop-of-many-exits", loop_of_many_exits),
    ("loop-of-many-latches", loop_of_many_latches),
    ("cases-to-joins", cases_to_joins),
    ("cases-to-two-joins", cases_to_two_joins),
    ("switches-of-switches", switches_of_switches),
    ("nested-switches", nested_switches),
    ("comb", comb),
    ("reversed-comb", reversed_comb),
    ("shuffled-joins", shuffled_joins),
    ("shuffled-joins-in-loop", shuffled_joins_in_loop),
    ("grid", grid),
    ("butterfly", butterfly),
    ("random-dag", random_dag),
    ("near-dag", near_dag),
    ("dag-in-loop", dag_in_loop),
    ("de-bruijn", de_bruijn),
    ("complete", complete),
];

fn root(count: usize) -> usize {
    count.isqrt().max(2)
}

/// Cycles of two entries, one in the other: both entries of each lead to both of the next.
pub(crate) fn nested_irreducible(count: usize) -> Lists {
    let depth = (count / 4).max(1);
    let end = 4 * depth + 1;
    let (left, right) = (|at: usize| 1 + 2 * at, |at: usize| 2 + 2 * at);
    let tail = |at: usize| 1 + 2 * depth + at;
    let mut lists = vec![Vec::new(); end + 1];
    lists[0] = vec![left(0), right(0)];
    for at in 0..depth {
        let inner = if at + 1 < depth { [left(at + 1), right(at + 1)] } else { [tail(at), tail(at)] };
        lists[left(at)] = vec![inner[0], right(at)];
        lists[right(at)] = vec![inner[1], left(at)];
        let out = if at == 0 { end } else { tail(at - 1) };
        lists[tail(at)] = vec![left(at), out];
        lists[tail(at) + depth] = vec![right(at), out];
    }
    for at in 0..depth {
        let out = if at == 0 { end } else { tail(at - 1) };
        lists[tail(at)] = vec![left(at), tail(at) + depth];
        lists[tail(at) + depth] = vec![right(at), out];
    }
    Lists::new(&lists)
}

/// Cycles of two entries, one behind the other.
pub(crate) fn irreducible_chain(count: usize) -> Lists {
    let length = (count / 2).max(1);
    let end = 2 * length + 1;
    let mut lists = vec![vec![1, 2]];
    for at in 0..length {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let next = |block: usize| (block + 2).min(end);
        lists.push(vec![right, next(left)]);
        lists.push(vec![left, next(right)]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// A path with an edge from each place back to its mirror image, entered in the middle as well.
pub(crate) fn irreducible_onion(count: usize) -> Lists {
    let length = count.max(6) - 1;
    let mut lists = vec![vec![1, length / 2]];
    for at in 1..length {
        lists.push(if at > length / 2 { vec![at + 1, length + 1 - at] } else { vec![at + 1] });
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// A path whose every edge also leads back: loops as deep as it is long.
pub(crate) fn two_way_path(count: usize) -> Lists {
    let length = count.max(3);
    let mut lists = vec![vec![1]];
    for at in 1..length - 1 {
        lists.push(if at == 1 { vec![2] } else { vec![at + 1, at - 1] });
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// The same, entered at both ends.
pub(crate) fn two_way_path_entered_twice(count: usize) -> Lists {
    let length = count.max(6);
    let mut lists = vec![vec![1, length - 2]];
    for at in 1..length - 1 {
        lists.push(match at {
            1 => vec![2],
            _ if at == length - 2 => vec![at - 1, length - 1],
            _ => vec![at + 1, at - 1],
        });
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// A grid whose every edge also leads back, entered at one corner.
pub(crate) fn two_way_grid(count: usize) -> Lists {
    let side = root(count);
    let at = |row: usize, column: usize| 1 + row * side + column;
    let mut lists = vec![vec![1]];
    for row in 0..side {
        for column in 0..side {
            let mut list = Vec::new();
            if column + 1 < side {
                list.push(at(row, column + 1));
            }
            if row + 1 < side {
                list.push(at(row + 1, column));
            }
            if column > 0 {
                list.push(at(row, column - 1));
            }
            if row > 0 {
                list.push(at(row - 1, column));
            }
            if row + 1 == side && column + 1 == side {
                list.push(side * side + 1);
            }
            lists.push(list);
        }
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// Loops one in the other, and in the innermost a test for every level that leaves to behind it.
pub(crate) fn break_to_every_level(count: usize) -> Lists {
    let depth = (count / 3).max(2);
    let (test, latch, end) = (|at: usize| depth + at, |at: usize| 2 * depth + at, 3 * depth + 1);
    let mut lists = vec![vec![1]];
    lists.extend((1..=depth).map(|at| vec![if at < depth { at + 1 } else { test(1) }]));
    for at in 1..=depth {
        let behind = if at == 1 { end } else { latch(at - 1) };
        lists.push(vec![behind, if at < depth { test(at + 1) } else { latch(depth) }]);
    }
    for at in 1..=depth {
        lists.push(vec![at, if at == 1 { end } else { latch(at - 1) }]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// The same with a block on each way out, which leaves all loops at once.
pub(crate) fn break_blocks_out_of_nest(count: usize) -> Lists {
    let depth = (count / 4).max(2);
    let (test, latch, out) = (|at: usize| depth + at, |at: usize| 2 * depth + at, |at: usize| 3 * depth + at);
    let end = 4 * depth + 1;
    let mut lists = vec![vec![1]];
    lists.extend((1..=depth).map(|at| vec![if at < depth { at + 1 } else { test(1) }]));
    for at in 1..=depth {
        lists.push(vec![out(at), if at < depth { test(at + 1) } else { latch(depth) }]);
    }
    for at in 1..=depth {
        lists.push(vec![at, if at == 1 { end } else { latch(at - 1) }]);
    }
    lists.extend((1..=depth).map(|_| vec![end]));
    lists.push(vec![]);
    Lists::new(&lists)
}

/// Loops in a row; each has exits to the next sixteen.
pub(crate) fn loops_with_exits(count: usize) -> Lists {
    let length = (count / 18).max(2);
    let header = |at: usize| 1 + 18 * at.min(length);
    let mut lists = vec![vec![1]];
    for at in 0..length {
        let first = header(at);
        for test in 0..17 {
            lists.push(vec![first + test + 1, header(at + 1 + test)]);
        }
        lists.push(vec![first]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// One loop of many tests, each of which leaves to a join of its own with the test after it.
pub(crate) fn loop_of_many_exits(count: usize) -> Lists {
    let length = (count / 2).max(2);
    let end = 2 * length + 2;
    let exit = |at: usize| length + 1 + at.min(length);
    let mut lists = vec![vec![1]];
    lists.extend((1..=length).map(|at| vec![exit(at), if at < length { at + 1 } else { exit(1) }]));
    lists[length] = vec![1, exit(1)];
    lists.push(vec![end]);
    lists.extend((1..=length).map(|at| vec![if at < length { exit(at + 1) } else { end }]));
    lists.push(vec![]);
    Lists::new(&lists)
}

/// One loop with many sources of back edges.
pub(crate) fn loop_of_many_latches(count: usize) -> Lists {
    let length = count.max(4);
    let mut lists = vec![vec![1]];
    lists.extend((1..length).map(|at| vec![1, at + 1]));
    lists.push(vec![]);
    Lists::new(&lists)
}

/// A switch whose cases meet two by two, then four by four, and so on.
pub(crate) fn cases_to_joins(count: usize) -> Lists {
    let cases = (count / 2).max(2).next_power_of_two();
    let mut lists = vec![(1..=cases).collect::<Vec<_>>()];
    // A heap upside down: place p of 1..=2·cases − 1 counted from the leaves.
    let total = 2 * cases - 1;
    for place in 1..=total {
        lists.push(if place == total { vec![] } else { vec![cases + place.div_ceil(2)] });
    }
    Lists::new(&lists)
}

/// A switch of many cases, each of which goes to one of two neighbouring joins.
pub(crate) fn cases_to_two_joins(count: usize) -> Lists {
    let cases = (count / 2).max(2);
    let (join, end) = (|at: usize| cases + 1 + at % cases, 2 * cases + 1);
    let mut lists = vec![(1..=cases).collect::<Vec<_>>()];
    lists.extend((0..cases).map(|at| vec![join(at), join(at + 1)]));
    lists.extend((0..cases).map(|_| vec![end]));
    lists.push(vec![]);
    Lists::new(&lists)
}

/// A switch of which every case is a switch, and all of those lead to the same joins.
pub(crate) fn switches_of_switches(count: usize) -> Lists {
    let width = root(count);
    let end = 2 * width + 1;
    let mut lists = vec![(1..=width).collect::<Vec<_>>()];
    lists.extend((0..width).map(|_| (width + 1..=2 * width).collect()));
    lists.extend((0..width).map(|_| vec![end]));
    lists.push(vec![]);
    Lists::new(&lists)
}

/// Switches one in the other; each has a case that leaves to a random one around.
pub(crate) fn nested_switches(count: usize) -> Lists {
    let mut random = Random::new(11);
    let depth = (count / 3).max(2);
    let (case, merge) = (|at: usize| depth + at, |at: usize| 3 * depth - 1 - at);
    let mut lists = Vec::new();
    for at in 0..depth {
        let inner = if at + 1 < depth { at + 1 } else { merge(at) };
        let near = at - random.below(at.min(9) + 1);
        lists.push(vec![inner, case(at), merge(near)]);
    }
    lists.extend((0..depth).map(|at| vec![merge(at)]));
    for at in (0..depth).rev() {
        lists.push(if at == 0 { vec![] } else { vec![merge(at - 1)] });
    }
    Lists::new(&lists)
}

/// A spine with a join for each tooth, in order.
pub(crate) fn comb(count: usize) -> Lists {
    let length = (count / 2).max(2);
    let join = |at: usize| length + at;
    let mut lists: Vec<Vec<usize>> =
        (0..length).map(|at| vec![join(at), if at + 1 < length { at + 1 } else { join(0) }]).collect();
    lists.extend((0..length).map(|at| if at + 1 < length { vec![join(at + 1)] } else { vec![] }));
    Lists::new(&lists)
}

/// The same, the last tooth's join first.
pub(crate) fn reversed_comb(count: usize) -> Lists {
    let length = (count / 2).max(2);
    let join = |at: usize| 2 * length - 1 - at;
    let mut lists: Vec<Vec<usize>> =
        (0..length).map(|at| vec![join(at), if at + 1 < length { at + 1 } else { join(at) }]).collect();
    lists.extend((0..length).rev().map(|at| if at > 0 { vec![join(at - 1)] } else { vec![] }));
    Lists::new(&lists)
}

/// The same, in no order.
pub(crate) fn shuffled_joins(count: usize) -> Lists {
    let mut random = Random::new(5);
    let length = (count / 2).max(2);
    let mut lists: Vec<Vec<usize>> = (0..length)
        .map(|at| vec![length + random.below(length), if at + 1 < length { at + 1 } else { length }])
        .collect();
    lists.extend((1..=length).map(|at| if at < length { vec![length + at] } else { vec![] }));
    Lists::new(&lists)
}

/// The same, and every other join leads back to the start.
pub(crate) fn shuffled_joins_in_loop(count: usize) -> Lists {
    let inner = shuffled_joins(count);
    let mut lists = vec![vec![1]];
    for block in 0..inner.successors.len() {
        let mut list: Vec<usize> = inner.targets(block).iter().map(|target| target + 1).collect();
        if list.len() == 1 && block % 2 == 0 {
            list.push(1);
        }
        lists.push(list);
    }
    Lists::new(&lists)
}

/// Each block of a square leads to the next in its row and in its column.
pub(crate) fn grid(count: usize) -> Lists {
    let side = root(count);
    let mut lists = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let at = row * side + column;
            let mut list = Vec::new();
            if column + 1 < side {
                list.push(at + 1);
            }
            if row + 1 < side {
                list.push(at + side);
            }
            lists.push(list);
        }
    }
    Lists::new(&lists)
}

/// Stages of a fast Fourier transform.
pub(crate) fn butterfly(count: usize) -> Lists {
    let mut stages = 2;
    while (stages + 1) << (stages + 1) <= count {
        stages += 1;
    }
    let width = 1 << stages;
    let mut lists = vec![(1..=width).collect::<Vec<_>>()];
    for stage in 0..stages {
        for at in 0..width {
            let next = 1 + (stage + 1) * width;
            lists.push(vec![next + at, next + (at ^ (1 << stage))]);
        }
    }
    lists.extend((0..width).map(|_| vec![]));
    Lists::new(&lists)
}

/// Each block leads to two later ones, anywhere.
pub(crate) fn random_dag(count: usize) -> Lists {
    let mut random = Random::new(3);
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for at in 0..count - 1 {
        let far = at + 1 + random.below(count - at - 1);
        lists.push(vec![at + 1, far]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// Each block leads to two later ones nearby.
pub(crate) fn near_dag(count: usize) -> Lists {
    let mut random = Random::new(4);
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for at in 0..count - 1 {
        let mut near = || (at + 1 + random.below(24)).min(count - 1);
        lists.push(vec![near(), near()]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// A loop around such a graph, with continues and breaks from anywhere.
pub(crate) fn dag_in_loop(count: usize) -> Lists {
    let mut random = Random::new(6);
    let end = count - 1;
    let mut lists: Vec<Vec<usize>> = vec![vec![1]];
    for at in 1..end {
        let near = (at + 1 + random.below(24)).min(end - 1).max(at);
        lists.push(match random.below(8) {
            0 => vec![at + 1, 1],
            1 => vec![at + 1, end],
            _ => vec![at + 1, near],
        });
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

/// Block i leads to 2i and 2i + 1: cycles everywhere.
pub(crate) fn de_bruijn(count: usize) -> Lists {
    let size = count.next_power_of_two() / 2;
    let mut lists: Vec<Vec<usize>> = (0..size).map(|at| vec![2 * at % size, (2 * at + 1) % size]).collect();
    lists[size - 1] = vec![0, size];
    lists.push(vec![]);
    Lists::new(&lists)
}

/// Every block leads to every other, so that there are as many edges as asked for.
pub(crate) fn complete(count: usize) -> Lists {
    super::shapes::complete(root(count))
}

/// Forward edges nearby and back edges to dominators, in linear time.
pub(crate) fn reducible(random: &mut Random, count: usize) -> Lists {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); count];
    for block in 1..count {
        let open: Vec<usize> = (block.saturating_sub(6)..block).filter(|&one| lists[one].len() < 2).collect();
        let source = if open.is_empty() { block - 1 } else { open[random.below(open.len())] };
        lists[source].push(block);
    }
    for (block, list) in lists.iter_mut().enumerate().take(count - 1) {
        if list.len() < 2 && random.chance(60) {
            list.push((block + 1 + random.below(8)).min(count - 1));
        }
    }
    let nodes = lists.iter().map(|list| list.iter().map(|&target| Node::new(target)).collect::<Vec<_>>());
    let graph = Graph::from_successors(Node::new(0), nodes);
    let order = Order::compute_reverse_post_order(&graph);
    let dominators = DominatorTree::compute(&graph, &order);
    for (block, list) in lists.iter_mut().enumerate().skip(1) {
        if list.len() < 2 && random.chance(35) {
            let mut target = Node::new(block);
            for _ in 0..random.below(6) {
                target = dominators.idom(target).filter(|node| node.index() > 0).unwrap_or(target);
            }
            let at = random.below(list.len() + 1);
            list.insert(at, target.index());
        }
    }
    Lists::new(&lists)
}

/// The same with edges to anywhere.
pub(crate) fn irreducible(random: &mut Random, count: usize) -> Lists {
    let graph = reducible(random, count);
    let mut lists: Vec<Vec<usize>> = (0..count).map(|block| graph.targets(block)).collect();
    for _ in 0..count / 12 + 1 {
        let (block, target) = (random.below(count), 1 + random.below(count - 1));
        lists[block].push(target);
    }
    Lists::new(&lists)
}

/// The same with edges to anywhere nearby.
pub(crate) fn locally_irreducible(random: &mut Random, count: usize) -> Lists {
    let graph = reducible(random, count);
    let mut lists: Vec<Vec<usize>> = (0..count).map(|block| graph.targets(block)).collect();
    for _ in 0..count / 12 + 1 {
        let block = random.below(count);
        let target = (block + random.below(40)).saturating_sub(20).clamp(1, count - 1);
        lists[block].push(target);
    }
    Lists::new(&lists)
}
