//! Codes of graphs and plans from elsewhere.

reconverge_diagnostic::codes! {
    /// Codes of graphs and plans from elsewhere: of a document that is read, or of blocks that a caller adds one by one.
    pub enum DocumentCode in "Graphs" {
        Syntax = "graph-json" Rejected
            "The document is not a graph as JSON."
            "see the schema in docs/graph.md";
        Format = "graph-json-format" Rejected
            "The document has a different format version."
            "write the document with this version";
        Graph = "graph-json-graph" Rejected
            "The blocks of the document do not form a graph."
            "see the rules in docs/graph.md";
        Plan = "graph-json-plan" Rejected
            "The plan of the document contradicts itself."
            "write the plan with `reconverge graph --to json`";
        Mismatch = "graph-json-mismatch" Rejected
            "The plan belongs to a different graph."
            "structurize the graph again";
    }
}
