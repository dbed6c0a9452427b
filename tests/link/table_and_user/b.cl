extern constant uint squares[16];
uint look_up(uint at) { return squares[at & 15]; }
