//! Functions of a text, and the statements in them.

use super::expression::{is_of_word, matching, negated, without_parentheses};
use super::tree::{Case, List, Loop, Statement};

/// The maximum nesting of statements; a function beyond it is not changed. All walks over statements recurse, so this bounds them.
const MAX_DEPTH: usize = 256;

/// A part of a text.
pub(super) enum Piece<'a> {
    /// Anything outside of functions.
    Verbatim(&'a str),
    /// A function.
    Function {
        /// The text before the body.
        header: &'a str,
        /// The body, without its braces.
        body: &'a str,
        /// The whole text.
        source: &'a str,
    },
}

/// The parts of a text. Together they are the text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    // The end of the last piece, and the start of the current declaration.
    let (mut done, mut start, mut at) = (0, 0, 0);
    while let Some(next) = text[at..].find(['{', ';']) {
        let place = at + next;
        at = place + 1;
        if text[place..].starts_with('{') {
            let Some(close) = matching(text, place) else { break };
            at = close + 1;
            if is_function(&text[start..place]) {
                pieces.push(Piece::Verbatim(&text[done..start]));
                pieces.push(Piece::Function {
                    header: &text[start..place],
                    body: &text[place + 1..close],
                    source: &text[start..at],
                });
                done = at;
            }
        }
        start = at;
    }
    pieces.push(Piece::Verbatim(&text[done..]));
    pieces
}

/// Returns whether the text before a brace is the header of a function: it has parameters, and ends with them, a type, or a semantic.
fn is_function(header: &str) -> bool {
    let lines =
        header.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/', '@', '[']));
    let header: Vec<&str> = lines.collect();
    let is_other = ["struct", "cbuffer", "layout", "static", "constant", "const", "typedef", "uniform"];
    let Some(first) = header.first() else { return false };
    let word = first.split(|character| !is_of_word(character)).next().unwrap_or_default();
    let has_parameters = header.iter().any(|line| line.contains('('));
    has_parameters && !is_other.contains(&word) && !header.iter().any(|line| line.contains('='))
}

/// The statements of a body; `None` if it contains others than naga writes.
pub(super) fn body(text: &str) -> Option<List> {
    Parser { text, at: 0, depth: 0 }.list()
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Consumes a word or a character, if it comes next.
    fn take(&mut self, token: &str) -> bool {
        self.skip_space();
        let Some(after) = self.rest().strip_prefix(token) else { return false };
        let is_word = token.ends_with(is_of_word);
        let is_taken = !(is_word && after.starts_with(is_of_word));
        self.at += if is_taken { token.len() } else { 0 };
        is_taken
    }

    /// All statements up to the end of the text.
    fn list(&mut self) -> Option<List> {
        let mut list = List::new();
        loop {
            self.skip_space();
            if self.rest().is_empty() {
                return Some(list);
            }
            list.push(self.statement()?);
        }
    }

    /// The statements in braces.
    fn braces(&mut self) -> Option<List> {
        self.skip_space();
        let text = self.text;
        let close = matching(text, self.at).filter(|_| self.rest().starts_with('{'))?;
        let depth = self.depth + 1;
        let list = (depth < MAX_DEPTH).then(|| Parser { text: &text[..close], at: self.at + 1, depth }.list())??;
        self.at = close + 1;
        Some(list)
    }

    /// The text up to the next opening brace.
    fn head(&mut self) -> Option<String> {
        let end = self.until('{')?;
        let head = without_parentheses(&self.text[self.at..end]).to_owned();
        self.at = end;
        Some(head)
    }

    /// The position of a character outside of brackets.
    fn until(&self, character: char) -> Option<usize> {
        let mut at = self.at;
        loop {
            let next = self.text[at..].chars().next()?;
            match next {
                _ if next == character => return Some(at),
                '(' | '[' | '{' => at = matching(self.text, at)? + 1,
                ')' | ']' | '}' => return None,
                _ => at += next.len_utf8(),
            }
        }
    }

    fn statement(&mut self) -> Option<Statement> {
        if self.rest().starts_with('{') {
            return Some(Statement::Block(self.braces()?));
        }
        if self.take("if") {
            return self.selection();
        }
        if self.take("loop") {
            return self.wgsl_loop();
        }
        if self.take("while") {
            let condition = Some(self.head()?).filter(|condition| condition != "true");
            return Some(Statement::Loop(Box::new(Loop { condition, body: self.braces()?, ..Loop::default() })));
        }
        if self.take("do") {
            return self.do_while();
        }
        if self.take("switch") {
            let value = self.head()?;
            return Some(Statement::Switch { value, cases: self.cases()? });
        }
        let is_other = ["for", "case", "default", "continuing", "else"].into_iter().any(|word| self.take(word));
        (!is_other && !self.rest().starts_with(['#', '/', '@'])).then(|| self.simple())?
    }

    fn simple(&mut self) -> Option<Statement> {
        let end = self.until(';')?;
        let text = self.text[self.at..end].trim().to_owned();
        self.at = end + 1;
        Some(Statement::Simple(text))
    }

    fn selection(&mut self) -> Option<Statement> {
        let (condition, then) = (self.head()?, self.braces()?);
        let otherwise = match self.take("else") {
            false => List::new(),
            true if self.take("if") => {
                self.depth += 1;
                let inner = (self.depth < MAX_DEPTH).then(|| self.selection())??;
                self.depth -= 1;
                vec![inner]
            }
            true => self.braces()?,
        };
        Some(Statement::If { condition, then, otherwise })
    }

    /// `do { … } while (…);`
    fn do_while(&mut self) -> Option<Statement> {
        let body = self.braces()?;
        if !self.take("while") {
            return None;
        }
        let end = self.until(';')?;
        let break_if = Some(negated(without_parentheses(&self.text[self.at..end])));
        self.at = end + 1;
        Some(Statement::Loop(Box::new(Loop { body, break_if, ..Loop::default() })))
    }

    /// `loop { … continuing { … break if …; } }`
    fn wgsl_loop(&mut self) -> Option<Statement> {
        self.skip_space();
        let text = self.text;
        let close = matching(text, self.at).filter(|_| self.rest().starts_with('{'))?;
        let depth = self.depth + 1;
        let mut inner = (depth < MAX_DEPTH).then_some(Parser { text: &text[..close], at: self.at + 1, depth })?;
        let mut found = Loop::default();
        loop {
            inner.skip_space();
            if inner.rest().is_empty() {
                break;
            }
            if inner.take("continuing") {
                found.continuing = inner.braces()?;
            } else {
                found.body.push(inner.statement()?);
            }
        }
        let condition =
            found.continuing.last().and_then(Statement::simple).and_then(|last| last.strip_prefix("break if "));
        if let Some(condition) = condition {
            found.break_if = Some(without_parentheses(condition).to_owned());
            found.continuing.pop();
        }
        self.at = close + 1;
        Some(Statement::Loop(Box::new(found)))
    }

    fn cases(&mut self) -> Option<Vec<Case>> {
        self.skip_space();
        let text = self.text;
        let close = matching(text, self.at).filter(|_| self.rest().starts_with('{'))?;
        let mut inner = Parser { text: &text[..close], at: self.at + 1, depth: self.depth + 1 };
        let mut cases = Vec::new();
        loop {
            let mut labels = Vec::new();
            inner.skip_space();
            while inner.rest().starts_with("case") || inner.rest().starts_with("default") {
                let end = inner.until(':')?;
                labels.push(inner.text[inner.at..=end].to_owned());
                inner.at = end + 1;
                inner.skip_space();
            }
            if labels.is_empty() {
                self.at = close + 1;
                return inner.rest().is_empty().then_some(cases);
            }
            cases.push(Case { labels, body: inner.braces()? });
        }
    }
}
