package encoder

import "syscall"

// allowTiles asks the kernel for the registers of AMX, and reports whether this process may use them.
func allowTiles() bool {
	const requestPermission, tileData = 0x1023, 18
	_, _, e := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return e == 0
}
