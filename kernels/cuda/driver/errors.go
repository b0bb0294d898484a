package driver

import (
	"errors"
	"fmt"
)

// ErrNotBuilt is the error of a build without a driver.
var ErrNotBuilt = errors.New("this capgraph is built without CUDA: 'go build -tags cuda ./cmd/capgraph' builds one with it, for Linux on amd64 or arm64, and the wheel has it as capgraph-cuda")

// ErrNoGraphs is the error of a driver that does not support graphs.
var ErrNoGraphs = errors.New("gorgonia.org/cu keeps no graphs")

// Error is a failed call of the driver.
type Error struct {
	Call string // such as cuMemAlloc
	Code int    // CUresult
	Log  string // messages of the PTX compiler; "" for other calls
}

// OutOfMemory is the Code of an Error if the card has no memory left.
const OutOfMemory = 2

func (e *Error) Error() string {
	text, ok := texts[e.Code]
	if !ok {
		text = "an error that is not listed here"
	}
	text = fmt.Sprintf("%s: %s (CUDA error %d)", e.Call, text, e.Code)
	if e.Log != "" {
		text += ": " + e.Log
	}
	return text
}

// texts has the meaning of each code and, if known, what to do.
var texts = map[int]string{
	1:           "an argument is wrong: a mistake of capgraph, please report it",
	OutOfMemory: "out of memory",
	3:           "the driver is not initialised",
	4:           "the driver is shutting down",
	34:          "a stub of libcuda was loaded in place of the driver: take its folder out of LD_LIBRARY_PATH",
	35:          "the driver is too old: install a newer one",
	46:          "the card is used by another process, or not to be used: see nvidia-smi",
	100:         "no card is seen: see nvidia-smi and CUDA_VISIBLE_DEVICES",
	101:         "there is no card of that number",
	200:         "the kernels are no PTX: a mistake of capgraph, please report it",
	201:         "no context is current, or it was destroyed",
	205:         "memory cannot be mapped",
	209:         "the kernels do not run on this card: capgraph needs compute capability 8.0 (A100) or newer",
	214:         "the card's memory has an error that could not be corrected: see nvidia-smi -q -d ECC",
	218:         "the PTX cannot be compiled",
	220:         "the link between cards failed",
	221:         "the driver has no compiler of PTX",
	222:         "the driver is too old for this PTX: install one of CUDA 11.8 or newer",
	304:         "the operating system refused a call",
	400:         "a handle is wrong: a mistake of capgraph, please report it",
	500:         "a function is not there",
	600:         "not ready",
	700:         "a kernel touched memory that is not its own: please report it, with the output of capgraph doctor",
	701:         "a kernel needs more than the card has",
	702:         "a kernel ran too long, and the card's watchdog ended it",
	710:         "a kernel's assertion failed",
	715:         "a kernel has an illegal instruction",
	716:         "a kernel touched memory that is not aligned",
	718:         "a kernel went astray",
	719:         "a kernel failed: the card has to be used anew, by a new process",
	800:         "the driver does not permit this",
	801:         "the driver or the card does not support this",
	802:         "the system is not ready: is nvidia-fabricmanager running?",
	803:         "libcuda and the kernel's driver are of two versions: restart the machine, or its container with a newer toolkit",
	804:         "forward compatibility is not supported on this card",
	900:         "a stream that is being recorded does not take this call",
	999:         "an unknown error of the driver: see dmesg for Xid",
}
