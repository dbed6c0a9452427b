// Neighbouring bytes are different places.
// run: --global 8 --local 4 --arg 'out:u8[8]=zero'
kernel void k(global uchar *out) {
  uint i = get_global_id(0);
  out[i] = i;
  if (out[i] != i) out[i] = 0;
}
