uint place(void) { return (uint)(get_local_id(0) + get_local_size(0)); }
