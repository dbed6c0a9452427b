uint add(uint x, uint y) { return x + y; }
