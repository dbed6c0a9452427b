//! scratch
use reconverge_graph::*;
use std::time::Instant;
type L = Vec<Vec<usize>>;
fn g(l: &L) -> Graph {
    Graph::from_successors(Node::new(0), l.iter().map(|x| x.iter().map(|&t| Node::new(t))))
}
fn chain(n: usize) -> L {
    (0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] }).collect()
}
fn nested(n: usize) -> L {
    let h = n / 2;
    let mut l: L = (1..=h).map(|x| vec![x]).collect();
    for t in h..2 * h {
        l.push(vec![2 * h - 1 - t, t + 1]);
    }
    l.push(vec![]);
    l
}
fn twoway(n: usize) -> L {
    let mut l: L = (0..n).map(|i| vec![i + 1, i.saturating_sub(1)]).collect();
    l.push(vec![]);
    l
}
fn ladder(n: usize) -> L {
    let r = n / 2;
    let mut l = vec![vec![1, 2]];
    for i in 0..r {
        let x = vec![2 * i + 3, 2 * i + 4];
        l.extend([x.clone(), x]);
    }
    l.extend([vec![], vec![]]);
    l
}
fn irrladder(n: usize) -> L {
    let mut l = ladder(n);
    for (node, list) in l.iter_mut().enumerate().skip(3) {
        let r = (node - 1) / 2;
        list.extend([2 * r - 1, 2 * r]);
    }
    l
}
fn entered(n: usize) -> L {
    let h = n / 2;
    let mut l: L = (0..h).map(|i| vec![h + i, (i + 1).min(h - 1)]).collect();
    for i in 0..h {
        l.push(vec![h + (i + 1).min(h - 1), h + i.saturating_sub(1)]);
    }
    l
}
/// long chain, every node back to a node at distance growing: nested back edges to the first half, mirrored
fn backs(n: usize) -> L {
    (0..n)
        .map(|i| {
            let mut v = vec![];
            if i + 1 < n {
                v.push(i + 1)
            }
            if i % 2 == 1 {
                v.push(n - 1 - i.max(n - 1 - i));
            }
            v
        })
        .collect()
}
/// chain whose every node is also reached from a far earlier one and jumps to a far later one
fn crossing(n: usize) -> L {
    (0..n)
        .map(|i| {
            let mut v = vec![];
            if i + 1 < n {
                v.push(i + 1)
            }
            v.push((i * 2 + 1) % n);
            v.push((i * 7919 + 13) % n);
            v
        })
        .collect()
}
/// semi-NCA adversary: chain 0..k, then nodes v_i with preds (chain i) and v_{i-1}, etc
fn snca(n: usize) -> L {
    let k = n / 2;
    let mut l: L = vec![vec![]; 2 * k];
    for i in 0..k - 1 {
        l[i].push(i + 1);
    }
    l[k - 1].push(k);
    for i in k..2 * k - 1 {
        l[i].push(i + 1);
    }
    for i in 0..k {
        l[k - 1].push(k + i);
        l[i].push(2 * k - 1 - i);
    }
    l
}
fn random(n: usize) -> L {
    let mut s = 88172645463325252u64;
    let mut r = move || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        s as usize
    };
    (0..n)
        .map(|i| {
            let mut v = vec![(i + 1).min(n - 1)];
            v.push((i + r() % 64).saturating_sub(r() % 64).min(n - 1));
            if r() % 4 == 0 {
                v.push(r() % n)
            }
            v
        })
        .collect()
}
fn star(n: usize) -> L {
    let mut l: L = vec![(1..n).collect()];
    l.extend((1..n).map(|i| vec![(i + 1) % n, 0]));
    l
}
fn manylatch(n: usize) -> L {
    (0..n)
        .map(|i| {
            let mut v = vec![0];
            if i + 1 < n {
                v.push(i + 1)
            }
            v
        })
        .collect()
}
fn main() {
    let shapes: &[(&str, fn(usize) -> L)] = &[
        ("chain", chain),
        ("nested", nested),
        ("twoway", twoway),
        ("ladder", ladder),
        ("irrladder", irrladder),
        ("entered", entered),
        ("backs", backs),
        ("crossing", crossing),
        ("snca", snca),
        ("random", random),
        ("star", star),
        ("manylatch", manylatch),
    ];
    println!("{:10} {:>40} exponents; ms at largest", "shape", "order comps dom post cyc iter ipost entries1");
    for (name, f) in shapes {
        let sizes = [60_000usize, 240_000, 960_000];
        let mut rows = vec![];
        for n in sizes {
            let lists = f(n);
            let gr = g(&lists);
            let t = Instant::now();
            let o = Order::compute_reverse_post_order(&gr);
            let a = t.elapsed();
            let t = Instant::now();
            let c = Components::compute(&gr);
            let b = t.elapsed();
            let t = Instant::now();
            let d = DominatorTree::compute(&gr, &o);
            let e = t.elapsed();
            let t = Instant::now();
            let p = PostDominatorTree::compute(&gr);
            let h = t.elapsed();
            let t = Instant::now();
            let y = CycleForest::compute(&gr, &o, &d);
            let i = t.elapsed();
            let seeds: Vec<Node> = (0..gr.len()).step_by(7).map(Node::new).collect();
            let t = Instant::now();
            let j = compute_iterated_frontier(&gr, &d, &seeds);
            let k = t.elapsed();
            let t = Instant::now();
            let m = compute_iterated_post_frontier(&p, &seeds);
            let q = t.elapsed();
            let t = Instant::now();
            let z: usize = y.outermost().iter().map(|&c| y.entries(c).len()).sum();
            let w = t.elapsed();
            std::hint::black_box((c.count(), j.len(), m.len(), z));
            rows.push([a, b, e, h, i, k, q, w].map(|x| x.as_secs_f64() * 1e3));
        }
        print!("{name:10}");
        for col in 0..8 {
            let x = (rows[2][col] / rows[1][col]).ln() / 4f64.ln();
            print!("  {:.2}({:.0}ms)", x, rows[2][col]);
        }
        println!();
    }
}
