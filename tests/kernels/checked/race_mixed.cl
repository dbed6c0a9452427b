// One work-item reads plainly what others change atomically.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  if (get_local_id(0) > 0)
    atomic_inc(out + get_group_id(0)); // expect: run-race
  else if (out[get_group_id(0)] > 100) // expect: run-race
    out[4] = 1;
}
