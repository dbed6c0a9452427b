// A promise that does not hold.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=5
kernel void k(global uint *out, uint n) {
  if (n == 5) __builtin_unreachable(); // expect: U01
  out[get_global_id(0)] = 1;
}
