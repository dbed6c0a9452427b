//! What carrying values costs: block parameters before and after structurizing, by where they come from.

use reconverge_ir::Module;
use reconverge_passes::{Options, structurize};
use reconverge_testing::flesh::as_shader;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::shapes;
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::plain_graph::PlainGraph;

fn phis(module: &Module) -> usize {
    let bytes = reconverge_spirv::write(module, &Default::default()).unwrap();
    let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let (mut count, mut at) = (0, 5);
    while at < words.len() {
        count += usize::from(words[at] & 0xffff == 245);
        at += (words[at] >> 16) as usize;
    }
    count
}

fn median(values: &mut Vec<usize>) -> (usize, usize) {
    values.sort();
    (values[values.len() / 2], values[values.len() - 1])
}

fn main() {
    let sized = |generate: &dyn Fn(u64, usize) -> PlainGraph| -> Vec<PlainGraph> {
        (0..100).map(|index| generate(index as u64, 10 + index * 190 / 99)).collect()
    };
    let sets: Vec<(&str, Vec<PlainGraph>, u32)> = vec![
        ("reducible", sized(&|s, n| random(s, n, Cycles::Reducible)), 64),
        ("irreducible", sized(&|s, n| random(s, n, Cycles::Irreducible)), 64),
        ("structured", sized(&|s, n| structured(s, n, Form::Plain)), 64),
        ("loop-simplified", sized(&|s, n| structured(s, n, Form::LoopSimplified)), 64),
        ("multi 32", vec![shapes::multi_break(32)], 64),
        ("multi 128", vec![shapes::multi_break(128)], 64),
        ("multi 512", vec![shapes::multi_break(512)], 64),
        ("multi 128/1023", vec![shapes::multi_break(128)], 1023),
        ("multi 512/1023", vec![shapes::multi_break(512)], 1023),
        ("nested_loops 300", vec![shapes::nested_loops(300)], 64),
        ("nested_loops 1500", vec![shapes::nested_loops(1500)], 64),
    ];
    println!("set before after selectors slots repaired removed | final");
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for (name, graphs, limit) in sets.into_iter().filter(|set| set.0.contains(&wanted)) {
        let start = std::time::Instant::now();
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); 6];
        for graph in &graphs {
            let fleshed = as_shader(std::slice::from_ref(graph), 1);
            let before = phis(&fleshed.module);
            let mut module = fleshed.module.clone();
            let options = Options { nesting_limit: limit, ..Options::default() };
            let report = structurize(&mut module, fleshed.functions[0], &options).unwrap().unwrap();
            let after = phis(&module);
            let all = [
                before,
                after,
                report.values.selectors,
                report.values.slots,
                report.repair.parameters,
                report.values.removed,
            ];
            columns.iter_mut().zip(all).for_each(|(column, value)| column.push(value));
        }
        let text: Vec<String> = columns
            .iter_mut()
            .map(|c| {
                let (m, x) = median(c);
                format!("{m} ({x})")
            })
            .collect();
        println!("{name:20} {} {:?}", text.join("  "), start.elapsed());
    }
}
