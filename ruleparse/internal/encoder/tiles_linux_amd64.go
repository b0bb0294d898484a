package encoder

import "syscall"

// requestTiles asks Linux for permission to use the AMX tile registers, and reports whether this process has it.
func requestTiles() bool {
	const requestPermission, tileData = 0x1023, 18
	_, _, e := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return e == 0
}
