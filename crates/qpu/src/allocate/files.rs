//! The preferred register file, A or B, of each register.
//!
//! An instruction reads one register of each file. So two registers that one instruction reads prefer different files: an edge of a graph with a
//! weight. A register that is read together with a small immediate, which takes the place of the register of file B, prefers file A; one that is
//! read with a port of one file prefers the other. The files are a cut of the graph that should be heavy: each register is put, heaviest first,
//! which its neighbours that have a file prefer for it; then registers change sides where that gains, a few times over all.

use crate::encode::{ReadAddress, read_address};
use crate::machine::{Inst, MachineFunction, Source, VReg};

/// The preferred files of registers.
pub(crate) struct Wishes {
    /// For each register how much it prefers file A, or B if it is negative.
    bias: Vec<i64>,
    /// For each register the place of its first neighbour.
    first: Vec<u32>,
    neighbours: Vec<Neighbour>,
}

#[derive(Clone, Copy)]
struct Neighbour {
    register: VReg,
    weight: u32,
}

struct Edge {
    ends: [VReg; 2],
    weight: u32,
}

impl Wishes {
    fn of(function: &MachineFunction, frequencies: &[u32]) -> Wishes {
        let count = function.registers as usize;
        let mut bias = vec![0; count];
        let mut edges = Vec::new();
        for (block, &weight) in function.blocks.iter().zip(frequencies) {
            for inst in &block.insts {
                note(inst, weight, &mut bias, &mut edges);
            }
        }
        let mut first = vec![0_u32; count + 1];
        for end in edges.iter().flat_map(|edge| edge.ends) {
            first[end.0 as usize + 1] += 1;
        }
        for register in 0..count {
            first[register + 1] += first[register];
        }
        let mut next = first.clone();
        let mut neighbours = vec![Neighbour { register: VReg(0), weight: 0 }; edges.len() * 2];
        for edge in &edges {
            for (end, other) in [(edge.ends[0], edge.ends[1]), (edge.ends[1], edge.ends[0])] {
                let place = &mut next[end.0 as usize];
                neighbours[*place as usize] = Neighbour { register: other, weight: edge.weight };
                *place += 1;
            }
        }
        Wishes { bias, first, neighbours }
    }

    fn neighbours(&self, register: usize) -> &[Neighbour] {
        &self.neighbours[self.first[register] as usize..self.first[register + 1] as usize]
    }
}

fn note(inst: &Inst, weight: u32, bias: &mut [i64], edges: &mut Vec<Edge>) {
    if inst.source_count() < 2 {
        return;
    }
    match inst.sources {
        [Source::Register(left), Source::Register(right)] if left != right => {
            edges.push(Edge { ends: [left, right], weight });
        }
        [Source::Register(register), other] | [other, Source::Register(register)] => {
            bias[register.0 as usize] += match other {
                Source::Small(_) => i64::from(weight),
                Source::Port(port) => match read_address(port) {
                    ReadAddress::A(_) => -i64::from(weight),
                    ReadAddress::B(_) => i64::from(weight),
                    ReadAddress::Either(_) | ReadAddress::Mux(_) => 0,
                },
                Source::Register(_) => 0,
            };
        }
        _ => {}
    }
}

/// For each register whether it prefers file A: positive if so, negative for file B, zero if it does not matter. Registers with an accumulator
/// have no wish and no other register depends on them.
pub(crate) fn preferences(function: &MachineFunction, frequencies: &[u32], has_accumulator: &[bool]) -> Vec<i8> {
    let wishes = Wishes::of(function, frequencies);
    let count = function.registers as usize;
    let total = |register: usize| {
        let edges = wishes.neighbours(register).iter().map(|neighbour| u64::from(neighbour.weight)).sum::<u64>();
        edges + wishes.bias[register].unsigned_abs()
    };
    let mut order: Vec<usize> = (0..count).filter(|&register| !has_accumulator[register]).collect();
    order.sort_by_cached_key(|&register| std::cmp::Reverse(total(register)));
    let mut sides = vec![0_i8; count];
    for _ in 0..3 {
        let mut changed = false;
        for &register in &order {
            let pull = wishes.neighbours(register).iter().fold(wishes.bias[register], |pull, neighbour| {
                pull - i64::from(neighbour.weight) * i64::from(sides[neighbour.register.0 as usize])
            });
            let side = pull.signum() as i8;
            if side != 0 && side != sides[register] {
                sides[register] = side;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    sides
}
