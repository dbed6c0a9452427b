uint odd(uint x) { return 3 * x + 1; }
