//! Families of graphs that grow with a parameter.

use super::Lists;

pub(crate) fn nestif(n: usize) -> Lists {
    // n nested ifs that share one merge: b0..b(n-1) test, b(n) body, b(n+1) merge.
    let mut lists: Vec<Vec<usize>> = (0..n).map(|at| vec![at + 1, n + 1]).collect();
    lists.push(vec![n + 1]);
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn seqif(n: usize) -> Lists {
    let mut lists = Vec::new();
    for at in 0..n {
        let base = at * 3;
        lists.extend([vec![base + 1, base + 2], vec![base + 3], vec![base + 3]]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn loopseq(n: usize) -> Lists {
    let mut lists = Vec::new();
    for at in 0..n {
        let base = at * 2;
        lists.extend([vec![base + 1, base + 2], vec![base]]);
    }
    lists.push(vec![]);
    let mut shifted: Vec<Vec<usize>> = vec![vec![1]];
    shifted.extend(lists.into_iter().map(|list: Vec<usize>| list.into_iter().map(|target| target + 1).collect()));
    Lists::new(&shifted)
}

pub(crate) fn earlyret(n: usize) -> Lists {
    let mut lists = Vec::new();
    for at in 0..n {
        lists.extend([vec![2 * at + 1, 2 * at + 2], vec![]]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn fallthrough(n: usize) -> Lists {
    // b0 switches to b1..bn, each falls into the next.
    let mut lists = vec![(1..=n).collect::<Vec<_>>()];
    lists[0].insert(0, n + 1);
    lists.extend((1..=n).map(|at| vec![at + 1]));
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn andor(n: usize) -> Lists {
    // (a && b) || (a && b) || ...: 2n tests, then, else, end.
    let (then, otherwise, end) = (2 * n, 2 * n + 1, 2 * n + 2);
    let mut lists = Vec::new();
    for at in 0..n {
        let next = if at + 1 < n { 2 * at + 2 } else { otherwise };
        lists.extend([vec![2 * at + 1, next], vec![then, next]]);
    }
    lists.extend([vec![end], vec![end], vec![]]);
    Lists::new(&lists)
}

pub(crate) fn duff(n: usize) -> Lists {
    // b0 switches into b1..bn; bi → b(i+1); bn loops to b1 or leaves.
    let mut lists = vec![(1..=n).collect::<Vec<_>>()];
    lists.extend((1..n).map(|at| vec![at + 1]));
    lists.push(vec![1, n + 1]);
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn irrcycle(n: usize) -> Lists {
    // A cycle of n blocks that is entered everywhere by a ladder.
    let cycle = |at: usize| n + at % n;
    let mut lists = Vec::new();
    for at in 0..n {
        let next = if at + 1 < n { at + 1 } else { cycle(0) };
        lists.push(vec![cycle(at), next]);
    }
    for at in 0..n {
        lists.push(if at == 0 { vec![cycle(1), 2 * n] } else { vec![cycle(at + 1)] });
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn switchweb(n: usize) -> Lists {
    // A ladder of blocks that each switch to three later ones.
    let last = n + 1;
    let mut lists: Vec<Vec<usize>> =
        (0..=n).map(|at| vec![(at + 1).min(last), (at + 2).min(last), (at + 5).min(last)]).collect();
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn complete(n: usize) -> Lists {
    // b0 enters, each of b1..bn switches to all of them and to the end.
    let mut lists = vec![(1..=n).collect::<Vec<_>>()];
    for _ in 0..n {
        lists.push((1..=n + 1).collect());
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn nest_loops(n: usize) -> Lists {
    // Loops n deep: headers b1..bn, latches behind, body in the middle.
    let (body, latch) = (n + 1, |at: usize| n + 1 + (n - at + 1));
    let end = 2 * n + 2;
    let mut lists = vec![vec![1]];
    for at in 1..=n {
        let out = if at == 1 { end } else { latch(at - 1) };
        lists.push(vec![if at == n { body } else { at + 1 }, out]);
    }
    lists.push(vec![latch(n)]);
    for at in (1..=n).rev() {
        lists.push(vec![at]);
    }
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn nest_returns(n: usize) -> Lists {
    // As `nest_loops`, and each loop can return.
    let graph = nest_loops(n);
    let mut lists: Vec<Vec<usize>> = (0..graph.successors.len()).map(|block| graph.targets(block)).collect();
    for at in 1..=n {
        let latch = n + 1 + (n - at + 1);
        lists.push(vec![]);
        let leave = lists.len() - 1;
        lists[latch] = vec![at, leave];
    }
    Lists::new(&lists)
}

pub(crate) fn nest_ifs(n: usize) -> Lists {
    // Ifs n deep, each with its own merge and an else arm.
    let merge = |at: usize| 3 * n - at;
    let mut lists = Vec::new();
    for at in 0..n {
        let inner = if at + 1 < n { at + 1 } else { merge(at) };
        lists.push(vec![inner, n + at]);
    }
    for at in 0..n {
        lists.push(vec![merge(at)]);
    }
    lists.push(vec![]);
    for at in (0..n).rev() {
        lists.push(if at == 0 { vec![] } else { vec![merge(at - 1)] });
    }
    super::generate::compact(&Lists::new(&lists))
}

pub(crate) fn three_break(n: usize) -> Lists {
    // A loop unrolled n times; each copy has three blocks of which each may leave to one of three exits.
    let first = 2;
    let latch = first + 3 * n;
    let exits = latch + 1;
    let end = exits + 3;
    let mut lists = vec![vec![1], vec![first]];
    for at in 0..3 * n {
        lists.push(vec![exits + at % 3, first + at + 1]);
    }
    lists.push(vec![1]);
    lists.extend([vec![end], vec![end], vec![end], vec![]]);
    Lists::new(&lists)
}

pub(crate) fn elseif_ladder(n: usize) -> Lists {
    // if … else if … else …, one merge.
    let end = 2 * n + 1;
    let mut lists = Vec::new();
    for at in 0..n {
        lists.extend([vec![2 * at + 1, 2 * at + 2], vec![end]]);
    }
    lists.push(vec![end]);
    lists.push(vec![]);
    Lists::new(&lists)
}

pub(crate) fn diamonds(n: usize) -> Lists {
    seqif(n)
}

pub(crate) fn two_exit_ladder(n: usize) -> Lists {
    // A chain of tests that leave to one of two joins in turn.
    let (left, right, end) = (n, n + 1, n + 2);
    let mut lists: Vec<Vec<usize>> = (0..n).map(|at| vec![if at % 2 == 0 { left } else { right }, at + 1]).collect();
    lists[n - 1][1] = right;
    lists.extend([vec![right], vec![end], vec![]]);
    Lists::new(&lists)
}
