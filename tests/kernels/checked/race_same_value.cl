// All work-items write the same value: a race too.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  if (get_global_id(0) % 2 == 0)
    out[0] = 7; // expect: run-race
}
