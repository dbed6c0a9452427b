//! temporary
use reconverge_passes::*;
use reconverge_testing::flesh::with_calls;
use reconverge_testing::generators::shapes::SHAPES;
use std::time::Instant;
fn main() {
    let want: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<usize> = want[1].split(',').map(|s| s.parse().unwrap()).collect();
    for &(name, shape) in SHAPES.iter().filter(|(n, _)| want[0] == "all" || *n == want[0]) {
        let mut last = None;
        for &n in &sizes {
            let g = shape(n);
            struct G<'a>(&'a reconverge_testing::plain_graph::PlainGraph);
            let _ = G(&g).0;
            let f = with_calls(&[g], 1);
            let mut best = f64::MAX;
            let mut rep = None;
            for _ in 0..3 {
                let mut m = f.module.clone();
                let t = Instant::now();
                let r = structurize(&mut m, f.functions[0], &Options::default());
                best = best.min(t.elapsed().as_secs_f64());
                rep = Some(r.map(|r| r.map(|r| r.repair)));
            }
            let e = last.map(|(ln, lt): (usize, f64)| (best / lt).ln() / (n as f64 / ln as f64).ln());
            println!("{name} {n}: {:.2} ms exponent {e:?} {rep:?}", best * 1e3);
            last = Some((n, best));
        }
    }
}
