// NaN has no integer.
// run: --global 4 --local 4 --arg 'out:i32[4]=zero' --arg f32=nan
kernel void k(global int *out, float x) {
  out[get_global_id(0)] = (int)x; // expect: U15
}
