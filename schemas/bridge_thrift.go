package schemas

// The decoder of Parquet's metadata (Thrift's compact protocol) believes the
// lengths that it reads and allocates before it reads on. thriftSize walks over
// one struct first, without allocating, and refuses those that cannot be.
