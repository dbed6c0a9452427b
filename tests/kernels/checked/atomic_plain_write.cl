// A plain write to a word that others change atomically.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  if (get_local_id(0) == 3)
    out[get_group_id(0)] = 0; // expect: run-race
  else
    atomic_inc(out + get_group_id(0)); // expect: run-race
}
