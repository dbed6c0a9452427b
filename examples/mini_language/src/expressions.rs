//! Tokens to IR: expressions.
//!
//! A method of a struct is called directly; of a type parameter through its witness; of a value of interface type through the witness that
//! the value has. A generic function is specialized for the type of its first argument of that type, or for the type in a value of
//! interface type, which is known only at run time.

use reconverge_ir::{Inst, Op, Position};

use crate::compiler::{Compiler, Signature, Type, Witness};
use crate::lexer::Kind;

/// The maximal depth of expressions.
const DEEPEST: u32 = 100;

/// A value and its type.
type Typed = (Inst, Type);

/// A type with the witness that it implements an interface.
struct Implementor {
    ty: Inst,
    witness: Inst,
    interface: usize,
    /// Whether both come from a value of interface type.
    is_opened: bool,
}

/// What stands for the parameter of an interface or a function in a call: the type in the language, and in the IR.
struct Own {
    ty: Type,
    implementor: Implementor,
}

impl Compiler<'_> {
    /// `let`, `if`, or a sum.
    pub(crate) fn expression(&mut self) -> Result<Typed, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error(&format!("expressions at most {DEEPEST} deep"));
        }
        let result = match self.kind() {
            Kind::Word(word) if word == "if" => self.condition(),
            Kind::Word(word) if word == "let" => {
                self.next();
                let name = self.word()?;
                self.sign('=')?;
                let (value, ty) = self.expression()?;
                self.keyword("in")?;
                self.locals.push((name, value, ty));
                let result = self.expression();
                self.locals.pop();
                result
            }
            _ => self.sum(),
        };
        self.depth -= 1;
        result
    }

    /// `if a < b then c else d`: a branch, and a block where both values meet.
    fn condition(&mut self) -> Result<Typed, String> {
        self.next();
        let (left, left_type) = self.sum()?;
        self.sign('<')?;
        let (right, right_type) = self.sum()?;
        self.expect_type(left_type, Type::Float)?;
        self.expect_type(right_type, Type::Float)?;
        let boolean = self.build.bool_type();
        let is_less = self.build.f_ord_less_than(boolean, &[left, right]);
        let [yes, no, join] = std::array::from_fn(|_| self.build.editor().create(Op::Block, None, &[]));
        let branch = self.build.branch_if(&[is_less, yes, no]);
        let mut last = self.build.module().parent(branch);
        let mut values = Vec::new();
        for (block, keyword) in [(yes, "then"), (no, "else")] {
            self.keyword(keyword)?;
            self.place_after(block, last);
            let value = self.expression()?;
            let jump = self.build.branch(&[join, value.0]);
            last = self.build.module().parent(jump);
            values.push(value);
        }
        self.expect_type(values[1].1, values[0].1)?;
        let ty = self.lower(values[0].1);
        self.place_after(join, last);
        let result = self.build.editor().append(join, Op::BlockParameter, Some(ty), &[]);
        Ok((result, values[0].1))
    }

    fn place_after(&mut self, block: Inst, last: Option<Inst>) {
        let last = last.expect("invariant: an expression is compiled in a block");
        self.build.editor().move_to(block, Position::After(last));
        self.build.at_end(block);
    }

    fn sum(&mut self) -> Result<Typed, String> {
        let mut left = self.product()?;
        while let Kind::Sign(sign @ ('+' | '-')) = *self.kind() {
            self.next();
            let right = self.product()?;
            left = self.arithmetic(if sign == '+' { Op::FAdd } else { Op::FSub }, left, right)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Typed, String> {
        let mut left = self.postfix()?;
        while let Kind::Sign(sign @ ('*' | '/')) = *self.kind() {
            self.next();
            let right = self.postfix()?;
            left = self.arithmetic(if sign == '*' { Op::FMul } else { Op::FDiv }, left, right)?;
        }
        Ok(left)
    }

    fn arithmetic(&mut self, op: Op, left: Typed, right: Typed) -> Result<Typed, String> {
        self.expect_type(left.1, Type::Float)?;
        self.expect_type(right.1, Type::Float)?;
        let float = self.build.float_type(32);
        Ok((self.build.emit(op, Some(float), &[left.0, right.0]), Type::Float))
    }

    fn postfix(&mut self) -> Result<Typed, String> {
        let mut value = self.atom()?;
        while self.accept('.') {
            let name = self.word()?;
            value = if self.accept('(') { self.method(value, &name)? } else { self.field(value, &name)? };
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Typed, String> {
        match self.next() {
            Kind::Number(number) => {
                let float = self.build.float_type(32);
                Ok((self.build.constant_word(float, number.to_bits()), Type::Float))
            }
            Kind::Sign('(') => {
                let inner = self.expression()?;
                self.sign(')')?;
                Ok(inner)
            }
            Kind::Word(word) if word == "any" => self.any(),
            Kind::Word(name) if self.accept('(') => self.call(&name),
            Kind::Word(name) => match self.locals.iter().rev().find(|(known, ..)| *known == name) {
                Some(&(_, value, ty)) => Ok((value, ty)),
                None => self.error(&format!("a value, and not `{name}`, before this")),
            },
            _ => self.error("an expression before this"),
        }
    }

    /// `any Interface(value)`: a value of interface type.
    fn any(&mut self) -> Result<Typed, String> {
        let interface = self.interface_name()?;
        self.sign('(')?;
        let (value, ty) = self.expression()?;
        self.sign(')')?;
        let implementor = self.implementor((value, ty), Some(interface))?;
        let result = self.lower(Type::Any(interface));
        Ok((self.build.make_existential(result, &[value, implementor.witness]), Type::Any(interface)))
    }

    fn field(&mut self, (value, ty): Typed, name: &str) -> Result<Typed, String> {
        let Type::Struct(index) = ty else { return self.error("a struct before the field") };
        let found = self.structs[index].fields.iter().position(|(field, _)| field == name);
        let Some(place) = found else { return self.error("a field of the struct before this") };
        let ty = self.structs[index].fields[place].1;
        let (lowered, place) = (self.lower(ty), self.build.editor().word(place as u32));
        Ok((self.build.composite_extract(lowered, &[value, place]), ty))
    }

    /// `value.method(arguments)`, behind the opening sign.
    fn method(&mut self, value: Typed, name: &str) -> Result<Typed, String> {
        let implementor = self.implementor(value, None)?;
        let methods = &self.interfaces[implementor.interface].methods;
        let Some((signature, requirement)) = methods.iter().find(|(method, _)| method.name == name).cloned() else {
            return self.error("a method of the interface before this");
        };
        let callee = [implementor.witness, requirement];
        let callee = self.build.editor().unique(Op::LookupWitness, None, &callee);
        let receiver = self.opened(value, &implementor);
        let own = Own { ty: value.1, implementor };
        self.finish_call(vec![callee, receiver], &signature, Some(&own))
    }

    /// `function(arguments)` or `Struct(fields)`, behind the opening sign.
    fn call(&mut self, name: &str) -> Result<Typed, String> {
        if let Some(index) = self.struct_named(name) {
            let fields = self.structs[index].fields.clone();
            let mut values = Vec::new();
            for (_, ty) in fields {
                let (value, found) = self.expression()?;
                self.expect_type(found, ty)?;
                values.push(value);
                self.accept(',');
            }
            self.sign(')')?;
            let ty = self.structs[index].inst;
            return Ok((self.build.composite_construct(ty, &values), Type::Struct(index)));
        }
        let found = self.functions.iter().find(|function| function.signature.name == name);
        let Some((signature, inst, interface)) =
            found.map(|function| (function.signature.clone(), function.inst, function.interface))
        else {
            return self.error(&format!("a function, and not `{name}`, before this"));
        };
        let Some(interface) = interface else {
            return self.finish_call(vec![inst], &signature, None);
        };
        // The first parameter has the type parameter as its type.
        let first = self.expression()?;
        self.accept(',');
        let implementor = self.implementor(first, Some(interface))?;
        let callee = self.build.editor().unique(Op::Specialize, None, &[inst, implementor.ty, implementor.witness]);
        let receiver = self.opened(first, &implementor);
        let rest = Signature { parameters: signature.parameters[1..].to_vec(), ..signature };
        self.finish_call(vec![callee, receiver], &rest, Some(&Own { ty: first.1, implementor }))
    }

    /// Compiles the other arguments, and calls. A result of a type that was opened becomes a value of interface type again.
    fn finish_call(
        &mut self,
        mut operands: Vec<Inst>,
        signature: &Signature,
        own: Option<&Own>,
    ) -> Result<Typed, String> {
        for &(_, ty) in &signature.parameters {
            let value = self.expression()?;
            let own = own.filter(|_| ty == Type::Parameter);
            self.expect_type(value.1, own.map_or(ty, |own| own.ty))?;
            if own.is_some_and(|own| own.implementor.is_opened) {
                return self.error("no second value of unknown type: the types of two values may differ");
            }
            operands.push(value.0);
            self.accept(',');
        }
        self.sign(')')?;
        let Some(own) = own.filter(|_| signature.result == Type::Parameter) else {
            let ty = self.lower(signature.result);
            return Ok((self.build.function_call(ty, &operands), signature.result));
        };
        let value = self.build.function_call(own.implementor.ty, &operands);
        if !own.implementor.is_opened {
            return Ok((value, own.ty));
        }
        let any = self.lower(own.ty);
        Ok((self.build.make_existential(any, &[value, own.implementor.witness]), own.ty))
    }

    /// The type of a value with its witness for an interface, or for the only one that it implements.
    fn implementor(&mut self, (value, ty): Typed, wanted: Option<usize>) -> Result<Implementor, String> {
        let found = match ty {
            Type::Struct(index) => {
                let known = &self.structs[index];
                let table = known.tables.iter().find(|(interface, _)| wanted.is_none_or(|wanted| wanted == *interface));
                table.map(|&(interface, witness)| Implementor { ty: known.inst, witness, interface, is_opened: false })
            }
            Type::Parameter => self.parameter.zip(self.witness).map(|(ty, Witness { inst: witness, interface })| {
                Implementor { ty, witness, interface, is_opened: false }
            }),
            Type::Any(interface) => {
                let ty = self.build.editor().unique(Op::ExtractType, None, &[value]);
                let witness_type = self.witness_type(ty, interface);
                let witness = self.build.editor().unique(Op::ExtractWitness, Some(witness_type), &[value]);
                Some(Implementor { ty, witness, interface, is_opened: true })
            }
            Type::Float => None,
        };
        match found.filter(|found| wanted.is_none_or(|wanted| wanted == found.interface)) {
            Some(found) => Ok(found),
            None => self.error("a value whose type implements the interface before this"),
        }
    }

    /// The value of its own type.
    fn opened(&mut self, (value, _): Typed, implementor: &Implementor) -> Inst {
        match implementor.is_opened {
            true => self.build.extract_value(implementor.ty, &[value]),
            false => value,
        }
    }
}
