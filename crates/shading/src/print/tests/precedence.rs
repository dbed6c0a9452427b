use super::reader::read;
use super::*;
use crate::syntax::{Binary, Callee, Expr, Literal, LocalId, Scalar, Shape, Unary};

const UNARY: [Unary; 3] = [Unary::Negate, Unary::Complement, Unary::Not];

/// Builds every expression of some depth.
struct Forms {
    builder: Builder,
    local: LocalId,
}

impl Forms {
    fn new() -> Forms {
        let mut builder = Builder::new();
        let int = builder.numbers(Scalar::INT, 1);
        let local = builder.variable("a", int);
        Forms { builder, local }
    }

    fn name(&mut self) -> Expr {
        self.builder.read(self.local)
    }

    /// The number of forms of one operator, or none.
    const COUNT: usize = 2 + 3 + 18 + 5;

    /// A form: a name, a literal, an operator, or what follows an operand.
    fn form(&mut self, number: usize, operand: Expr) -> Expr {
        let other = self.name();
        let int = self.builder.numbers(Scalar::INT, 1);
        match number {
            0 => other,
            1 => self.builder.literal(Literal::Int(-7), Scalar::INT),
            2..5 => self.builder.unary(UNARY[number - 2], operand),
            5..23 => self.builder.binary(Binary::ALL[number - 5], operand, other),
            23 => self.builder.swizzle(operand, &[0]),
            24 => self.builder.add(Shape::Index { base: operand, index: other }, int),
            25 => self.builder.intrinsic("f", &[operand, other], int),
            26 => self.builder.intrinsic("f", &[other, operand], int),
            _ => {
                let last = self.name();
                self.builder.add(Shape::Choice { condition: operand, accept: other, reject: last }, int)
            }
        }
    }

    /// Every form on the left of every form on the right of every operator.
    fn pairs(&mut self) -> Vec<Expr> {
        let mut all = Vec::new();
        for operator in Binary::ALL {
            for (left, right) in (0..Self::COUNT).flat_map(|left| (0..Self::COUNT).map(move |right| (left, right))) {
                let (one, other) = (self.name(), self.name());
                let (left, right) = (self.form(left, one), self.form(right, other));
                all.push(self.builder.binary(operator, left, right));
            }
        }
        all
    }

    /// Every form of every form of every form.
    fn nests(&mut self) -> Vec<Expr> {
        let mut all = Vec::new();
        for number in 0..Self::COUNT.pow(3) {
            let mut expr = self.name();
            for form in [number, number / Self::COUNT, number / Self::COUNT.pow(2)] {
                expr = self.form(form % Self::COUNT, expr);
            }
            all.push(expr);
        }
        all
    }
}

/// The tree of an expression, as the readers write it.
fn tree(text: &Text, expr: Expr, language: Language) -> String {
    let part = |part: Expr| tree(text, part, language);
    match &text.expressions[expr].shape {
        Shape::Literal(Literal::Int(value)) if *value < 0 => format!("(- {})", -value),
        Shape::Unary { operator, operand } => format!("({} {})", operator.symbol(), part(*operand)),
        Shape::Binary { operator, left, right } => format!("({} {} {})", operator.symbol(), part(*left), part(*right)),
        Shape::Swizzle { base, .. } => format!("(. {} x)", part(*base)),
        Shape::Index { base, index } => format!("([ {} {})", part(*base), part(*index)),
        Shape::Choice { condition, accept, reject } if language == Language::Wgsl => {
            format!("(call select {} {} {})", part(*reject), part(*accept), part(*condition))
        }
        Shape::Choice { condition, accept, reject } => {
            format!("(? {} {} {})", part(*condition), part(*accept), part(*reject))
        }
        Shape::Call { callee: Callee::Intrinsic(name), arguments } => {
            format!("(call {name} {} {})", part(arguments[0]), part(arguments[1]))
        }
        _ => "a".to_owned(),
    }
}

#[test]
fn every_operator_inside_every_other_reads_back_the_same_and_no_tokens_join() {
    let mut forms = Forms::new();
    let mut all = forms.pairs();
    all.extend(forms.nests());
    assert!(all.len() > 30_000);
    let Builder { text, function } = forms.builder;
    for language in Language::ALL {
        let spelling = Spelling::default();
        let mut printer = Printer::new(&text, language, &spelling);
        printer.function = Some(&function);
        for &expr in &all {
            let written = lines::unbroken(&printer.expression(expr));
            assert_eq!(read(&written, language), tree(&text, expr, language), "{language}: {written}");
        }
    }
}

#[test]
fn parentheses_are_where_a_reader_has_them() {
    let mut builder = Builder::new();
    let int = builder.numbers(Scalar::INT, 1);
    let names = ["a", "b", "c"].map(|name| builder.variable(name, int));
    let [a, b, c] = names.map(|name| builder.read(name));
    let mut cases = Vec::new();
    let mut left = |outer, inner, expected| {
        let inside = builder.binary(inner, a, b);
        cases.push((builder.binary(outer, inside, c), expected));
    };
    left(Binary::Subtract, Binary::Subtract, "a - b - c");
    left(Binary::Add, Binary::Multiply, "a * b + c");
    left(Binary::Multiply, Binary::Add, "(a + b) * c");
    left(Binary::ShiftLeft, Binary::Add, "(a + b) << c");
    left(Binary::Or, Binary::And, "(a && b) || c");
    left(Binary::Or, Binary::Or, "a || b || c");
    left(Binary::And, Binary::Less, "a < b && c");
    left(Binary::Equal, Binary::BitAnd, "(a & b) == c");
    left(Binary::BitOr, Binary::BitOr, "a | b | c");
    left(Binary::BitOr, Binary::ShiftLeft, "(a << b) | c");
    let negated = builder.unary(Unary::Negate, a);
    cases.push((builder.binary(Binary::Subtract, b, negated), "b - (-a)"));
    let twice = builder.unary(Unary::Negate, negated);
    cases.push((twice, "-(-a)"));
    let minus = builder.literal(Literal::Int(-1), Scalar::INT);
    cases.push((builder.unary(Unary::Negate, minus), "-(-1)"));
    cases.push((builder.binary(Binary::Multiply, a, negated), "a * -a"));
    let Builder { text, function } = builder;
    for language in Language::ALL {
        let spelling = Spelling::default();
        let mut printer = Printer::new(&text, language, &spelling);
        printer.function = Some(&function);
        for &(expr, expected) in &cases {
            assert_eq!(lines::unbroken(&printer.expression(expr)), expected, "{language}");
        }
    }
}

#[test]
fn wgsl_reads_no_template_in_arguments() {
    let mut builder = Builder::new();
    let int = builder.numbers(Scalar::INT, 1);
    let names = ["a", "b"].map(|name| builder.variable(name, int));
    let mut read_all = || names.map(|name| builder.read(name));
    let ([a, b], [c, d]) = (read_all(), read_all());
    let less = builder.binary(Binary::Less, a, b);
    let greater = builder.binary(Binary::Greater, c, d);
    let call = builder.intrinsic("f", &[less, greater], int);
    let Builder { text, function } = builder;
    let spelling = Spelling::default();
    let mut printer = Printer::new(&text, Language::Wgsl, &spelling);
    printer.function = Some(&function);
    let written = lines::unbroken(&printer.expression(call));
    assert_eq!(written, "f((a < b), a > b)");
    read(&written, Language::Wgsl);
}
