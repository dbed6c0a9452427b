uint group(void) { return (uint)(get_group_id(0) * 7 + get_global_size(0)); }
