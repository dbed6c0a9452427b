//! Procedures: variables, and statements without branches.

use reconverge_ir::{Block, Builder, Enumerant, Function, Inst, Op};
use spirv::{MemorySemantics, StorageClass};

use super::super::outside::Surroundings;
use super::super::program::{Assignable, Expression, Leave, List, Procedure, Statement, Storage};
use super::super::value::{Local, Values};
use super::joins::Scope;
use super::{Outside, Shared};

/// Emits a procedure.
pub(super) struct ProcedureWriter<'a, 'm> {
    pub(super) build: &'a mut Builder<'m>,
    pub(super) shared: &'a Shared,
    pub(super) function: Function,
    /// The number of variables of the procedure.
    pub(super) variables: usize,
    /// The variables, then the counters of the enclosing loops, outermost first.
    pub(super) locals: Vec<Local>,
    /// The current block; `None` in unreachable code.
    pub(super) current: Option<Block>,
    /// True if it is a loop header, which must not open a selection.
    pub(super) is_header: bool,
    /// In a shader: the number of lanes, about which optimizers know nothing.
    pub(super) lanes: Option<Inst>,
    /// The number of emitted loops, with an offset for each earlier procedure.
    pub(super) loops: u32,
    /// The enclosing constructs, outermost first.
    pub(super) scopes: Vec<Scope>,
}

/// The place at which a procedure is written.
#[derive(Clone, Copy)]
pub(super) struct Place<'s> {
    pub(super) function: Function,
    /// The module's variables, for the variables of the procedure that live there.
    pub(super) storage: &'s [Option<Inst>],
    /// True if the program begins with it.
    pub(super) is_start: bool,
}

impl<'a, 'm> ProcedureWriter<'a, 'm> {
    /// Writes the blocks of a function.
    pub(super) fn write(build: &'a mut Builder<'m>, shared: &'a Shared, procedure: &Procedure, place: Place<'_>) {
        let Place { function, storage, is_start } = place;
        let entry = build.add_block(function);
        build.at_end(entry);
        let mut writer = ProcedureWriter {
            build,
            shared,
            function,
            variables: procedure.variables.len(),
            locals: Vec::new(),
            current: Some(entry),
            is_header: false,
            lanes: None,
            loops: 0x1_0000 * (shared.functions.len() as u32 + 1),
            scopes: Vec::new(),
        };
        writer.declare(procedure, storage);
        if is_start {
            writer.fill_globals();
        }
        writer.list(&procedure.body);
        if writer.current.is_some() {
            writer.leave(&Leave::Return(procedure.result.clone()));
        }
    }

    fn declare(&mut self, procedure: &Procedure, storage: &[Option<Inst>]) {
        let u32_type = self.shared.words.u32_type;
        let memory: Vec<Option<Inst>> = procedure
            .variables
            .iter()
            .zip(storage)
            .map(|(variable, stored)| match variable.storage {
                Storage::Function => {
                    let pointer = self.build.pointer_type(StorageClass::Function, u32_type);
                    let class = self.build.enumerant(StorageClass::Function);
                    Some(self.build.variable(pointer, &[class]))
                }
                _ => *stored,
            })
            .collect();
        if matches!(self.shared.outside, Outside::Shader { .. }) {
            self.lanes = Some(self.expression(&Expression::Uniform(0)));
        }
        let parameters: Vec<Inst> = self.build.module().parameters(self.function).map(Into::into).collect();
        self.locals = parameters.into_iter().map(Local::Value).collect();
        for (variable, stored) in procedure.variables.iter().zip(memory).skip(procedure.parameters) {
            let initial = self.expression(&variable.initial);
            let Some(stored) = stored else {
                self.locals.push(Local::Value(initial));
                continue;
            };
            let mut pointer = stored;
            if variable.storage == Storage::Shared {
                let ty = self.build.pointer_type(StorageClass::Workgroup, u32_type);
                let lane = self.build.load(u32_type, &[self.shared.around.lane]);
                pointer = self.build.access_chain(ty, &[stored, lane]);
            }
            self.build.store(&[pointer, initial]);
            self.locals.push(Local::Pointer(pointer));
        }
    }

    /// Gives the variables at module level their first values.
    fn fill_globals(&mut self) {
        let u32_type = self.shared.words.u32_type;
        for (index, &global) in self.shared.globals.iter().enumerate() {
            let initial = self.build.constant_word(u32_type, index as u32 + 1);
            self.build.store(&[global, initial]);
        }
    }

    /// Emits statements until control does not continue.
    pub(super) fn list(&mut self, list: &List) {
        for statement in list {
            if self.current.is_some() {
                self.statement(statement);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { place, value } => {
                let value = self.expression(value);
                self.assign(*place, value);
            }
            Statement::Record { point, value } => {
                let value = self.expression(value);
                let point = self.build.constant_word(self.shared.words.u32_type, *point);
                write_record(self.build, self.shared, point, value);
            }
            Statement::Call { procedure, arguments, result } => {
                let mut operands = vec![self.shared.functions[*procedure].inst()];
                for argument in arguments {
                    let argument = self.expression(argument);
                    operands.push(argument);
                }
                let value = self.build.function_call(self.shared.words.u32_type, &operands);
                self.assign(*result, value);
            }
            Statement::If(selection) => self.selection(selection),
            Statement::Switch(switch) => self.switch(switch),
            Statement::Loop(repeated) => self.repeat(repeated, statement),
            Statement::Leave(leave) => self.leave(leave),
            Statement::Exchange { place } => self.exchange(*place),
        }
    }

    pub(super) fn expression(&mut self, expression: &Expression) -> Inst {
        self.values().expression(expression)
    }

    pub(super) fn values(&mut self) -> Values<'_, 'm> {
        let trip = match self.locals[self.variables.min(self.locals.len())..].last() {
            Some(Local::Value(counter)) => Some(*counter),
            _ => None,
        };
        Values {
            build: self.build,
            words: &self.shared.words,
            around: &self.shared.around,
            locals: &self.locals,
            globals: &self.shared.globals,
            table: self.shared.table,
            trip,
        }
    }

    fn assign(&mut self, place: Assignable, value: Inst) {
        let pointer = match place {
            Assignable::Local(index) => match &mut self.locals[index] {
                Local::Value(old) => {
                    *old = value;
                    return;
                }
                Local::Pointer(pointer) => *pointer,
            },
            Assignable::Global(index) => self.shared.globals[index],
            Assignable::Element(index) => self.values().element(index),
        };
        self.build.store(&[pointer, value]);
    }

    /// `barrier; shared[lane] = place; barrier; place = shared[(lane + 1) % lanes]`
    fn exchange(&mut self, place: Assignable) {
        let (u32_type, bool_type) = (self.shared.words.u32_type, self.shared.words.bool_type);
        let value = self.values().read(place);
        let lanes = self.expression(&Expression::Uniform(0));
        let lane = self.expression(&Expression::Lane);
        let pointer = self.build.pointer_type(StorageClass::Workgroup, u32_type);
        let one = self.build.constant_word(u32_type, 1);
        let next = self.build.i_add(u32_type, &[lane, one]);
        let is_lane = self.build.u_less_than(bool_type, &[next, lanes]);
        let next = self.build.select(u32_type, &[is_lane, next, self.shared.words.zero]);
        let own = self.build.access_chain(pointer, &[self.shared.exchange, lane]);
        let other = self.build.access_chain(pointer, &[self.shared.exchange, next]);
        self.barrier();
        self.build.store(&[own, value]);
        self.barrier();
        let received = self.build.load(u32_type, &[other]);
        self.assign(place, received);
    }

    fn barrier(&mut self) {
        let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
        let [scope, semantics] = [spirv::Scope::Workgroup.word(), semantics.word()]
            .map(|word| self.build.constant_word(self.shared.words.u32_type, word));
        self.build.control_barrier(&[scope, scope, semantics]);
    }
}

/// Records the converged lanes, with a value.
pub(super) fn write_record(build: &mut Builder<'_>, shared: &Shared, point: Inst, value: Inst) {
    let around: &Surroundings = &shared.around;
    let all = build.constant_bool(true);
    let ballot = build.emit(Op::GroupNonUniformBallot, Some(shared.words.ballot_type), &[shared.words.subgroup, all]);
    let [low, high] = [0, 1].map(|index| {
        let index = build.editor().word(index);
        build.composite_extract(shared.words.u32_type, &[ballot, index])
    });
    build.function_call(shared.words.void_type, &[around.record.inst(), point, low, high, value]);
}
