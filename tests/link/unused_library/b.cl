uint not_there(uint x);
uint used(uint x) { return x - 7; }
