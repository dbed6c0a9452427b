uint triple(uint x) { return x * 3; }
