//! Operators and how tightly they bind: the levels of C, which all four languages share.

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Negate,
    /// `~`.
    Complement,
    /// `!`.
    Not,
}

/// An operator between its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// How tightly an expression binds, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// A list separated by commas accepts it.
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
    /// Names, calls, members.
    Postfix,
}

impl Unary {
    pub(crate) const fn symbol(self) -> &'static str {
        match self {
            Unary::Negate => "-",
            Unary::Complement => "~",
            Unary::Not => "!",
        }
    }
}

impl Binary {
    #[cfg(test)]
    pub(crate) const ALL: [Binary; 18] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Remainder,
        Binary::ShiftLeft,
        Binary::ShiftRight,
        Binary::Less,
        Binary::LessEqual,
        Binary::Greater,
        Binary::GreaterEqual,
        Binary::Equal,
        Binary::NotEqual,
        Binary::BitAnd,
        Binary::BitXor,
        Binary::BitOr,
        Binary::And,
        Binary::Or,
    ];

    pub(crate) const fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::BitAnd => "&",
            Binary::BitXor => "^",
            Binary::BitOr => "|",
            Binary::And => "&&",
            Binary::Or => "||",
        }
    }

    pub(crate) const fn level(self) -> Level {
        match self {
            Binary::Multiply | Binary::Divide | Binary::Remainder => Level::Product,
            Binary::Add | Binary::Subtract => Level::Sum,
            Binary::ShiftLeft | Binary::ShiftRight => Level::Shift,
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => Level::Relation,
            Binary::Equal | Binary::NotEqual => Level::Equality,
            Binary::BitAnd => Level::BitAnd,
            Binary::BitXor => Level::BitXor,
            Binary::BitOr => Level::BitOr,
            Binary::And => Level::And,
            Binary::Or => Level::Or,
        }
    }

    /// Returns whether it compares.
    pub(crate) const fn is_comparison(self) -> bool {
        matches!(self.level(), Level::Relation | Level::Equality)
    }

    /// The comparison that holds where this one does not, if its operands are not NaN.
    pub(crate) const fn opposite(self) -> Option<Binary> {
        Some(match self {
            Binary::Less => Binary::GreaterEqual,
            Binary::LessEqual => Binary::Greater,
            Binary::Greater => Binary::LessEqual,
            Binary::GreaterEqual => Binary::Less,
            Binary::Equal => Binary::NotEqual,
            Binary::NotEqual => Binary::Equal,
            _ => return None,
        })
    }

    /// Returns whether `a op= b` exists: for all but comparisons and the operators that need not compute their second operand.
    pub(crate) const fn is_compound(self) -> bool {
        !self.is_comparison() && !matches!(self, Binary::And | Binary::Or)
    }
}
