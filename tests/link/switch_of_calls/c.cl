uint sub(uint x, uint y) { return x - y; }
