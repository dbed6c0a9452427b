uint even(uint x) { return x / 2; }
