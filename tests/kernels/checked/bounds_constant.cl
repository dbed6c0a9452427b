// An access past a table of constants.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
constant uint table[6] = {1, 2, 3, 4, 5, 6};
kernel void k(global uint *out) {
  uint i = get_global_id(0);
  out[i] = table[i]; // expect: U08
}
