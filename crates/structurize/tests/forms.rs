//! What a plan is shown as: JSON and back, listing, pictures; and the constructs that they go by.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common;
use crate::common::{Lists, Random, generate};
use reconverge_diagnostic::Place;
use reconverge_structurize::json::Document;
use reconverge_structurize::{
    Constructs, DocumentCode, Listing, Merge, NamedGraph, Options, Origin, Plan, PlanBlock, Selector, dot, structurize,
    text,
};

fn named(lists: &Lists) -> NamedGraph {
    NamedGraph::copy_of(lists, |block| format!("n{}", block.index())).unwrap()
}

fn plan_of(graph: &NamedGraph) -> Plan {
    structurize(graph, &Options::default()).unwrap()
}

/// Random graphs with all kinds of added blocks, some flat ones among them.
fn for_each_random(count: u64, mut look: impl FnMut(u64, NamedGraph, Plan)) {
    for seed in 0..count {
        let random = &mut Random::new(seed);
        let size = 1 + random.below(14);
        let graph = named(&generate::wild(random, size));
        let options = Options::new().nesting_limit([64, 2, 0][random.below(3)]);
        let plan = structurize(&graph, &options).unwrap();
        look(seed, graph, plan);
    }
}

#[test]
fn graphs_and_plans_come_back_from_json() {
    for_each_random(1_500, |seed, graph, plan| {
        assert_eq!(plan.check(), Ok(()), "seed {seed}");
        for document in [
            Document { graph: Some(graph.clone()), plan: Some(plan.clone()) },
            Document { graph: Some(graph), plan: None },
            Document { graph: None, plan: Some(plan) },
        ] {
            let json = document.to_json();
            let again = Document::from_json(&json).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{json}"));
            assert_eq!(again, document, "seed {seed}\n{json}");
            assert_eq!(again.to_json(), json, "seed {seed}");
        }
    });
}

#[test]
fn a_small_document_is_this_text() {
    let graph = text::parse("a condbr b c | b br c, quad | c ret, convergent, weight 9").unwrap();
    let plan = plan_of(&graph);
    let expected = r#"{
  "format": 1,
  "graph": {
    "entry": 0,
    "blocks": [
      {"name":"a","branch":"conditional","successors":[1,2],"convergent":false,"weight":1,"hints":null},
      {"name":"b","branch":"jump","successors":[2],"convergent":false,"quad":true,"weight":1,"hints":null},
      {"name":"c","branch":"exit","successors":[],"convergent":true,"weight":9,"hints":null}
    ]
  },
  "plan": {
    "nesting_depth": 1,
    "fell_back": null,
    "assumptions": [],
    "blocks": [
      {"origin":{"input":0},"has_selector":false,"merge":{"selection":{"merge":2}},"terminator":{"conditional":{"test":{"input":0},"then":{"target":1,"carries":[{"source":0,"successor":0}],"selector":null},"otherwise":{"target":2,"carries":[{"source":0,"successor":1}],"selector":null}}}},
      {"origin":{"input":1},"has_selector":false,"merge":"none","terminator":{"branch":{"target":2,"carries":[{"source":1,"successor":0}],"selector":null}}},
      {"origin":{"input":2},"has_selector":false,"merge":"none","terminator":"exit"}
    ]
  }
}
"#;
    assert_eq!(Document { graph: Some(graph), plan: Some(plan) }.to_json(), expected);
}

#[test]
fn hints_stand_in_json() {
    let graph = text::parse("a condbr a b, merge b, loop - a | b ret").unwrap();
    let document = Document { graph: Some(graph), plan: None };
    let json = document.to_json();
    assert!(json.contains(r#""hints":{"selection_merge":1,"repeats":{"merge":null,"continue_target":0}}}"#), "{json}");
    assert_eq!(Document::from_json(&json).unwrap(), document);
    let lost = json.replace(r#""selection_merge":1"#, r#""selection_merge":2"#);
    assert_eq!(Document::from_json(&lost).expect_err("b2 is no block").code.name, "graph-json-graph");
}

#[test]
fn what_can_be_told_may_be_left_out() {
    let json =
        r#"{"format":1,"graph":{"blocks":[{"successors":[1,2]},{"successors":[2,0,1],"name":"x"},{"successors":[]}]}}"#;
    let graph = Document::from_json(json).unwrap().graph.unwrap();
    assert_eq!(graph.to_string(), "b0 condbr x b2\nx switch b2 b0 x\nb2 ret\n");
    assert_eq!(Document::from_json(r#"{"format":1}"#).unwrap(), Document::default());
}

#[test]
fn what_is_wrong_with_json_is_said() {
    let cases = [
        ("", "graph-json", "EOF"),
        ("[]", "graph-json", "invalid"),
        ("{}", "graph-json", "format"),
        (r#"{"format":2}"#, "graph-json-format", "format 2"),
        (r#"{"format":1,"grapf":{}}"#, "graph-json", "grapf"),
        (r#"{"format":1,"graph":{"blocks":[{"successors":[],"wieght":3}]}}"#, "graph-json", "wieght"),
        (r#"{"format":1,"graph":{"blocks":[{"successors":[-1]}]}}"#, "graph-json", "-1"),
        (r#"{"format":1,"graph":{"blocks":[]}}"#, "graph-json-graph", "no block"),
        (r#"{"format":1,"graph":{"entry":1,"blocks":[{"successors":[]}]}}"#, "graph-json-graph", "entry"),
        (r#"{"format":1,"graph":{"blocks":[{"successors":[4]}]}}"#, "graph-json-graph", "successor 0 of b0"),
        (r#"{"format":1,"graph":{"blocks":[{"branch":"jump","successors":[]}]}}"#, "graph-json-graph", "number of"),
        (r#"{"format":1,"plan":{"nesting_depth":0,"fell_back":null,"blocks":[]}}"#, "graph-json-plan", "no block"),
    ];
    for (json, code, part) in cases {
        let error = Document::from_json(json).expect_err(json);
        assert_eq!(error.code.name, code, "{json}: {error}");
        assert!(error.to_string().contains(part), "{json}: {error}");
    }
    let error = Document::from_json("{\n  \"format\": x\n}").expect_err("it is not JSON");
    assert_eq!((error.code, error.place), (DocumentCode::Syntax.declared(), Place::Line(2, 13)));
}

#[test]
fn a_plan_that_does_not_hang_together_is_refused() {
    let graph = text::parse("a condbr b c | b condbr c d | c condbr b d | d ret").unwrap();
    let plan = plan_of(&graph);
    let at = |wanted: fn(&Plan, usize) -> bool| (0..plan.blocks.len()).find(|&index| wanted(&plan, index)).unwrap();
    let added = at(|plan, index| matches!(plan.blocks[index].origin, Origin::Added(_)));
    let mut cases: Vec<(Plan, &[&str])> = Vec::new();
    let mut change = |edit: &dyn Fn(&mut Plan), expected: &'static [&str]| {
        let mut plan = plan.clone();
        edit(&mut plan);
        cases.push((plan, expected));
    };
    change(&|plan| plan.blocks.clear(), &["the plan has no block"]);
    change(&|plan| plan.blocks.truncate(2), &["which is not a block", "which is not in the plan"]);
    change(&|plan| plan.blocks[added].origin = plan.blocks[0].origin.clone(), &["which also occurs earlier"]);
    change(
        &|plan| plan.blocks.iter_mut().for_each(|block| block.has_selector = false),
        &["passes or reads a selector"],
    );
    change(&|plan| plan.blocks[0].merge = Merge::Selection { merge: PlanBlock::new(99) }, &["which is not a block"]);
    for (plan, expected) in cases {
        let error = plan.check().expect_err("changed");
        assert_eq!(error.code, DocumentCode::Plan);
        assert!(expected.iter().any(|part| error.message.contains(part)), "{error}");
    }
    let other = Document { graph: Some(text::parse("a ret").unwrap()), plan: Some(plan) };
    let error = Document::from_json(&other.to_json()).expect_err("the plan is of another graph");
    assert_eq!(error.code, DocumentCode::Mismatch);
}

/// By definition: a header is around a block if every path to the block passes the header, where the way from a header to its
/// merge block counts as an edge, and not every such path passes its merge block.
#[test]
fn constructs_are_those_of_the_definition() {
    for_each_random(150, |seed, _, plan| {
        let count = plan.blocks.len();
        let successors: Vec<Vec<usize>> = plan.blocks.iter().map(structural_successors).collect();
        let dominates = |above: usize, below: usize| {
            let mut seen = vec![false; count];
            let mut stack = if above == 0 { vec![] } else { vec![0] };
            while let Some(block) = stack.pop() {
                if !std::mem::replace(&mut seen[block], true) {
                    stack.extend(successors[block].iter().filter(|&&target| target != above));
                }
            }
            !seen[below]
        };
        let constructs = Constructs::compute(&plan);
        for block in 0..count {
            let around: Vec<usize> = (0..count)
                .filter(|&header| header != block && dominates(header, block))
                .filter(|&header| merge_of(&plan, header).is_some_and(|merge| !dominates(merge, block)))
                .collect();
            assert_eq!(constructs.depth(PlanBlock::new(block)) as usize, around.len(), "seed {seed}, p{block}");
            let innermost = around.iter().copied().find(|&header| around.iter().all(|&other| dominates(other, header)));
            assert_eq!(
                constructs.header(PlanBlock::new(block)).map(PlanBlock::index),
                innermost,
                "seed {seed}, p{block}"
            );
        }
    });
}

fn structural_successors(block: &reconverge_structurize::Block) -> Vec<usize> {
    let mut successors: Vec<usize> = block.terminator.edges().map(|edge| edge.target.index()).collect();
    match block.merge {
        Merge::None => {}
        Merge::Selection { merge } => successors.push(merge.index()),
        Merge::Loop { merge, continue_target } => successors.extend([merge.index(), continue_target.index()]),
    }
    successors
}

fn merge_of(plan: &Plan, block: usize) -> Option<usize> {
    match plan.blocks[block].merge {
        Merge::None => None,
        Merge::Selection { merge } | Merge::Loop { merge, .. } => Some(merge.index()),
    }
}

/// The plan is taken from JSON, so that this says what a listing looks like and not what the structurizer does.
#[test]
fn a_listing_has_a_line_for_each_block() {
    let Document { graph: Some(graph), plan: Some(plan) } = Document::from_json(LISTED).unwrap() else { panic!() };
    let listing = Listing::new(&plan, &graph);
    assert_eq!(listing.to_string(), LISTING);
    assert_eq!(listing.explain(), REASONS);
}

const LISTING: &str = "\
entry: goto #1 with @7 by entry/0, @6 by entry/1
#1 (irreducible dispatch, selector): loop merge #5 continue test; if #1 = @6: step else test
  step: if step: test else missing
  missing: goto #5 with done
  test: if test: #5 with found else #1 with @6
#5 (loop exit dispatch, selector): selection merge done; if #5 = found: found else done
  found: goto done
done: exit
";

const REASONS: [&str; 2] = [
    "#1: irreducible dispatch: a cycle is entered at step, test",
    "#5: loop exit dispatch: missing → done and test → found leave the loop of step, which has only one merge block",
];

const LISTED: &str = r#"{
  "format": 1,
  "graph": {
    "entry": 0,
    "blocks": [
      {"name":"entry","branch":"conditional","successors":[1,2],"convergent":false,"weight":1,"hints":null},
      {"name":"test","branch":"conditional","successors":[3,2],"convergent":false,"weight":1,"hints":null},
      {"name":"step","branch":"conditional","successors":[1,4],"convergent":false,"weight":1,"hints":null},
      {"name":"found","branch":"jump","successors":[5],"convergent":false,"weight":1,"hints":null},
      {"name":"missing","branch":"jump","successors":[5],"convergent":false,"weight":1,"hints":null},
      {"name":"done","branch":"exit","successors":[],"convergent":false,"weight":1,"hints":null}
    ]
  },
  "plan": {
    "nesting_depth": 1,
    "fell_back": null,
    "assumptions": [],
    "blocks": [
      {"origin":{"input":0},"has_selector":false,"merge":"none","terminator":{"branch":{"target":1,"carries":[{"source":0,"successor":0},{"source":0,"successor":1}],"selector":{"choose":[7,6]}}}},
      {"origin":{"added":{"irreducible_dispatch":{"entries":[2,1]}}},"has_selector":true,"merge":{"loop":{"merge":5,"continue_target":4}},"terminator":{"conditional":{"test":{"selector":{"block":1,"equals":6}},"then":{"target":2,"carries":[],"selector":null},"otherwise":{"target":4,"carries":[],"selector":null}}}},
      {"origin":{"input":2},"has_selector":false,"merge":"none","terminator":{"conditional":{"test":{"input":2},"then":{"target":4,"carries":[{"source":2,"successor":0}],"selector":null},"otherwise":{"target":3,"carries":[{"source":2,"successor":1}],"selector":null}}}},
      {"origin":{"input":4},"has_selector":false,"merge":"none","terminator":{"branch":{"target":5,"carries":[{"source":4,"successor":0}],"selector":{"constant":5}}}},
      {"origin":{"input":1},"has_selector":false,"merge":"none","terminator":{"conditional":{"test":{"input":1},"then":{"target":5,"carries":[{"source":1,"successor":0}],"selector":{"constant":3}},"otherwise":{"target":1,"carries":[{"source":1,"successor":1}],"selector":{"constant":6}}}}},
      {"origin":{"added":{"loop_exit_dispatch":{"header":2,"witnesses":[{"edge":{"source":4,"successor":0},"target":5},{"edge":{"source":1,"successor":0},"target":3}]}}},"has_selector":true,"merge":{"selection":{"merge":7}},"terminator":{"conditional":{"test":{"selector":{"block":5,"equals":3}},"then":{"target":6,"carries":[],"selector":null},"otherwise":{"target":7,"carries":[],"selector":null}}}},
      {"origin":{"input":3},"has_selector":false,"merge":"none","terminator":{"branch":{"target":7,"carries":[{"source":3,"successor":0}],"selector":null}}},
      {"origin":{"input":5},"has_selector":false,"merge":"none","terminator":"exit"}
    ]
  }
}
"#;

#[test]
fn listings_and_pictures_hold_every_block_once() {
    for_each_random(300, |seed, graph, plan| {
        let listing = Listing::new(&plan, &graph).to_string();
        assert_eq!(listing.lines().count(), plan.blocks.len(), "seed {seed}");
        for (index, line) in listing.lines().enumerate() {
            let name = Listing::new(&plan, &graph).name(PlanBlock::new(index));
            let said = line.trim_start();
            assert!(said.starts_with(&name) && said[name.len()..].starts_with([':', ' ']), "seed {seed}: {line}");
        }
        let picture = dot::plan(&plan, &graph);
        let opened = picture.matches('{').count();
        assert_eq!(opened, picture.matches('}').count(), "seed {seed}\n{picture}");
        let headers = plan.blocks.iter().filter(|block| block.merge != Merge::None).count();
        assert_eq!(picture.matches("subgraph cluster_").count(), headers, "seed {seed}\n{picture}");
        for index in 0..plan.blocks.len() {
            assert_eq!(picture.matches(&format!("  p{index} [label=")).count(), 1, "seed {seed}, p{index}\n{picture}");
        }
        let edges: usize = plan.blocks.iter().map(|block| structural_successors(block).len()).sum();
        assert_eq!(picture.matches(" -> ").count(), edges, "seed {seed}\n{picture}");
    });
}

#[test]
fn pictures_quote_what_graphviz_would_misread() {
    let graph = text::parse("\"a\\ br \"a\\").unwrap();
    assert!(dot::graph(&graph).contains(r#"label="\"a\\""#));
    let plan = plan_of(&graph);
    assert!(dot::plan(&plan, &graph).contains(r#"label="\"a\\""#));
}

#[test]
fn every_way_to_pass_a_selector_is_met() {
    let mut met = [0; 4];
    for_each_random(1_500, |_, _, plan| {
        for selector in
            plan.blocks.iter().flat_map(|block| block.terminator.edges()).filter_map(|edge| edge.selector.as_ref())
        {
            let kind = match selector {
                Selector::Constant(_) => 0,
                Selector::Forward { .. } => 1,
                Selector::Choose(_) => 2,
                Selector::Translate { .. } => 3,
            };
            met[kind] += 1;
        }
    });
    assert!(met.iter().all(|&count| count > 0), "{met:?}");
}

/// Depth and breadth on a small stack.
#[test]
fn large_plans_are_shown() {
    let work = || {
        let graph = named(&common::shapes::nest_loops(1_500));
        let options = Options::new().nesting_limit(4_000);
        let plan = structurize(&graph, &options).unwrap();
        assert!(plan.nesting_depth >= 1_500);
        assert!(Listing::new(&plan, &graph).to_string().lines().count() >= 3_000);
        assert!(dot::plan(&plan, &graph).len() > 100_000);
        let document = Document { graph: Some(graph), plan: Some(plan) };
        assert_eq!(Document::from_json(&document.to_json()).unwrap(), document);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}
