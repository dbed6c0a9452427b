//! Readers of expressions, by the grammars of C and of WGSL. A tree is written with each operator in brackets before its operands.

use crate::Language;

/// Reads an expression.
pub(super) fn read(text: &str, language: Language) -> String {
    let tokens = tokens(text);
    if language == Language::Wgsl {
        assert!(!has_template(&tokens), "a template in {text}");
    }
    let mut reader = Reader { tokens, position: 0, language };
    let tree = reader.expression();
    assert_eq!(reader.position, reader.tokens.len(), "{text} ends early, behind {tree}");
    tree
}

/// Tokens, each as long as it can be.
fn tokens(text: &str) -> Vec<String> {
    const LONG: [&str; 14] = ["<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "+="];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let word = rest.find(|found: char| !found.is_ascii_alphanumeric() && found != '_').unwrap_or(rest.len());
        let long = LONG.iter().find(|long| rest.starts_with(**long)).map_or(1, |long| long.len());
        let length = if word > 0 { word } else { long };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Whether WGSL finds a list of a template: the algorithm of chapter 3.9 of the specification.
fn has_template(tokens: &[String]) -> bool {
    let mut pending: Vec<usize> = Vec::new();
    let mut depth = 0;
    for (position, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "<" if position > 0 && is_word(&tokens[position - 1]) => pending.push(depth),
            ">" | ">=" | ">>" if pending.last() == Some(&depth) => return true,
            "(" | "[" => depth += 1,
            ")" | "]" => {
                pending.retain(|open| *open < depth);
                depth -= 1;
            }
            "&&" | "||" => pending.retain(|open| *open < depth),
            "=" | ";" | "{" | ":" => pending.clear(),
            _ => {}
        }
    }
    false
}

struct Reader {
    tokens: Vec<String>,
    position: usize,
    language: Language,
}

/// The operators of C, from the loosest.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader {
    fn next_is(&self, tokens: &[&str]) -> bool {
        self.tokens.get(self.position).is_some_and(|token| tokens.contains(&token.as_str()))
    }

    fn take(&mut self) -> String {
        self.position += 1;
        self.tokens[self.position - 1].clone()
    }

    fn expect(&mut self, token: &str) {
        assert_eq!(self.take(), token, "{:?}", self.tokens);
    }

    fn expression(&mut self) -> String {
        if self.language == Language::Wgsl { self.of_wgsl() } else { self.choice() }
    }

    fn choice(&mut self) -> String {
        let condition = self.level(0);
        if !self.next_is(&["?"]) {
            return condition;
        }
        self.take();
        let accept = self.choice();
        self.expect(":");
        let reject = self.choice();
        format!("(? {condition} {accept} {reject})")
    }

    fn level(&mut self, level: usize) -> String {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.level(level + 1);
        while self.next_is(operators) {
            let operator = self.take();
            let right = self.level(level + 1);
            left = format!("({operator} {left} {right})");
        }
        left
    }

    fn prefix(&mut self) -> String {
        if self.next_is(&["-", "!", "~", "*", "&"]) {
            let operator = self.take();
            return format!("({operator} {})", self.prefix());
        }
        self.postfix()
    }

    fn postfix(&mut self) -> String {
        let mut base = if self.next_is(&["("]) {
            self.take();
            let inside = self.expression();
            self.expect(")");
            inside
        } else {
            let token = self.take();
            assert!(token.starts_with(|first: char| first.is_ascii_alphanumeric()), "{token} in {:?}", self.tokens);
            token
        };
        while self.next_is(&[".", "[", "("]) {
            base = match self.take().as_str() {
                "." => format!("(. {base} {})", self.take()),
                "[" => {
                    let index = self.expression();
                    self.expect("]");
                    format!("([ {base} {index})")
                }
                _ => format!("(call {base}{})", self.arguments()),
            };
        }
        base
    }

    fn arguments(&mut self) -> String {
        let mut arguments = String::new();
        while !self.next_is(&[")"]) {
            arguments.push(' ');
            arguments.push_str(&self.expression());
            if self.next_is(&[","]) {
                self.take();
            }
        }
        self.take();
        arguments
    }

    /// `expression` of WGSL, chapter 8.19.
    fn of_wgsl(&mut self) -> String {
        let first = self.prefix();
        if self.next_is(&["&", "^", "|"]) {
            return self.chain(first, Reader::prefix);
        }
        let relation = self.relation(first);
        self.chain(relation, |reader| {
            let first = reader.prefix();
            reader.relation(first)
        })
    }

    /// Operands with one operator between them.
    fn chain(&mut self, mut left: String, operand: fn(&mut Reader) -> String) -> String {
        if !self.next_is(&["&", "^", "|", "&&", "||"]) {
            return left;
        }
        let operator = self.tokens[self.position].clone();
        while self.next_is(&[&operator]) {
            self.take();
            left = format!("({operator} {left} {})", operand(self));
        }
        left
    }

    fn relation(&mut self, first: String) -> String {
        let left = self.shift(first);
        if !self.next_is(&["<", "<=", ">", ">=", "==", "!="]) {
            return left;
        }
        let operator = self.take();
        let first = self.prefix();
        format!("({operator} {left} {})", self.shift(first))
    }

    fn shift(&mut self, first: String) -> String {
        if self.next_is(&["<<", ">>"]) {
            let operator = self.take();
            return format!("({operator} {first} {})", self.prefix());
        }
        let mut sum = self.product(first);
        while self.next_is(&["+", "-"]) {
            let operator = self.take();
            let first = self.prefix();
            sum = format!("({operator} {sum} {})", self.product(first));
        }
        sum
    }

    fn product(&mut self, mut left: String) -> String {
        while self.next_is(&["*", "/", "%"]) {
            let operator = self.take();
            left = format!("({operator} {left} {})", self.prefix());
        }
        left
    }
}
