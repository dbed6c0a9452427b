// An access past an array of structs.
// run: --global 4 --local 4 --arg 'out:u32[15]=zero'
struct item { uint key, values[3]; };
kernel void k(global struct item *out) {
  uint i = get_global_id(0);
  out[i].key = i;
  out[i].values[2] = i; // expect: U08
}
