// A saturating conversion.
// run: --global 4 --local 4 --arg 'out:u8[4]=zero' --arg f32=300
kernel void k(global uchar *out, float x) {
  out[get_global_id(0)] = convert_uchar_sat(x);
}
