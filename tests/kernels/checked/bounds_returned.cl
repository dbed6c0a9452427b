// A pointer to a variable of a function that has returned.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
uint *place(uint value) {
  uint variable = value;
  uint *p = &variable;
  return p;
}
kernel void k(global uint *out) {
  out[get_global_id(0)] = *place(3); // expect: U09
}
