package schemas

// The decoder of Parquet's metadata (Thrift's compact protocol) trusts the lengths that it reads:
// it allocates before it reads on. thriftSize first walks over one struct, without allocating, and
// rejects impossible lengths.
