// The padding of a struct has no value.
// run: --global 4 --local 4 --arg 'out:u8[32]=zero'
struct padded { uchar small; uint large; };
kernel void k(global struct padded *out) {
  struct padded p;
  p.small = 1;
  p.large = 2;
  out[get_global_id(0)] = p;
}
