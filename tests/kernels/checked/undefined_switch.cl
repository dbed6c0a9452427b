// A switch on a variable without a value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint x;
  switch (x) { // expect: U02
  case 1: out[0] = 1; break;
  case 2: out[0] = 2; break;
  }
}
