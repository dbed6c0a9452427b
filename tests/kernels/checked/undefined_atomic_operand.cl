// An atomic addition of a value that is none.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint x;
  atomic_add(out, x); // expect: U16
}
