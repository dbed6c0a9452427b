// A pointer to a variable of a function that has returned is kept.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
uint *place(uint value) {
  uint variable = value;
  uint *p = &variable;
  return p;
}
kernel void k(global uint *out) {
  uint *p = place(3);
  out[get_global_id(0)] = *p; // expect: U09
}
