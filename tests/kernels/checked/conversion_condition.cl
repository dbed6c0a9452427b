// A branch on a conversion that is out of range.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg f32=1e20
kernel void k(global uint *out, float x) {
  int n = (int)x;
  if (n > 3) // expect: U02
    out[0] = 1;
}
