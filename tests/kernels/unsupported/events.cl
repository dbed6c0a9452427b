// Unsupported: user events of the device queue (OpenCL 2.0).
kernel void events(global int *out)
{
    clk_event_t done = create_user_event();
    out[get_global_id(0)] = is_valid_event(done);
    set_user_event_status(done, CL_COMPLETE);
    release_event(done);
}
