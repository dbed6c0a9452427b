// A function that calls itself without an end.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
uint down(uint n) {
  return down(n + 1) + 1; // expect: run-depth
}
kernel void k(global uint *out) {
  out[get_global_id(0)] = down(0);
}
