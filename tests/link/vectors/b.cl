uint4 spread(uint x) { return (uint4)(x, x + 1, x * 2, x / 2); }
