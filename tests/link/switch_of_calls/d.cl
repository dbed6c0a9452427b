uint mul(uint x, uint y) { return x * y; }
