//! The contents of tracked variables.

use super::Propagation;
use crate::uniformity::body::NONE;
use crate::uniformity::level::Level;
use crate::uniformity::origin::Origin;

impl Propagation<'_> {
    /// Processes a store, which changes the contents of a variable.
    pub(super) fn store(&mut self, number: u32) {
        let Some(variable) = self.memory.stored(number) else { return };
        let is_elsewhere = self.use_level(number, 0).differs();
        let (level, operand) = match is_elsewhere {
            true => (Level::Divergent, 0),
            false => (self.use_level(number, 1), 1),
        };
        self.raise_variable(variable, level, Origin::Argument(number, operand));
    }

    pub(super) fn raise_variable(&mut self, variable: u32, level: Level, origin: Origin) {
        if self.memory.raise(variable, level, origin) {
            for index in 0..self.memory.variable(variable).loads.len() {
                let load = self.memory.variable(variable).loads[index];
                self.update_loaded(load);
            }
        }
    }

    pub(super) fn update_loaded(&mut self, load: u32) {
        if load < self.evaluated {
            let (level, origin) = self.evaluate(load);
            self.raise(load, level, origin);
        }
    }

    /// Finds variables that only some lanes store into, which then have different contents. Returns whether there are new ones.
    pub(super) fn store_apart(&mut self) -> bool {
        if self.memory.iter().all(|(_, variable)| variable.level == Level::Divergent) {
            return false;
        }
        let separated = self.facts.shape.separations(self.body);
        let mut apart = Vec::new();
        for (number, variable) in self.memory.iter() {
            let is_followed = variable.level != Level::Divergent;
            let mut stores = variable.stores.iter().map(|&store| self.body.node(store));
            if let Some(node) = stores.find(|&node| is_followed && separated[node as usize] != NONE) {
                apart.push((number, node));
            }
        }
        for &(variable, node) in &apart {
            self.raise_variable(variable, Level::Divergent, Origin::Separated(node));
        }
        !apart.is_empty()
    }
}
