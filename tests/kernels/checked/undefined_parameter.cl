// A function reads a variable without a value through a pointer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
uint get(const uint *p) { return *p; }
kernel void k(global uint *out) {
  uint x;
  out[get_global_id(0)] = get(&x); // expect: U15
}
