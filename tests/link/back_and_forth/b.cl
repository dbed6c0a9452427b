uint helper(uint x);
uint inner(uint x) { return helper(x) - helper(x / 2); }
