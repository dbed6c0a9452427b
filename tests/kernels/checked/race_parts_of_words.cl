// Words of four bytes are written at a distance of two.
// run: --global 4 --local 4 --arg 'out:u8[16]=zero'
kernel void k(global uchar *out) {
  uint i = get_global_id(0);
  vstore4((uchar4)(i), 0, out + 2 * i); // expect: run-race
}
