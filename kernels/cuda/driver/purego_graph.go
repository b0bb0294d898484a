//go:build cuda && !gorgonia && linux && (amd64 || arm64)

package driver

import (
	"errors"
	"unsafe"
)

func (c *context) StreamWaitEvent(s Stream, e Event) error {
	return c.call("cuStreamWaitEvent", c.d.streamWaitEvent, uintptr(s), uintptr(e), 0)
}

// relaxed is the mode of a capture that may end on another thread than it began on, because
// goroutines change threads.
const relaxed = 2

func (c *context) BeginCapture(s Stream) error {
	return c.call("cuStreamBeginCapture", c.d.beginCapture, uintptr(s), relaxed)
}

func (c *context) EndCapture(s Stream) (g Graph, err error) {
	var kept uintptr
	if err := c.call("cuStreamEndCapture", c.d.endCapture, uintptr(s), uintptr(unsafe.Pointer(&kept))); err != nil {
		return 0, err
	}
	err = c.call("cuGraphInstantiateWithFlags", c.d.graphInstantiate, uintptr(unsafe.Pointer(&g)), kept, 0)
	return g, errors.Join(err, c.call("cuGraphDestroy", c.d.graphDestroy, kept))
}

func (c *context) LaunchGraph(g Graph, s Stream) error {
	return c.call("cuGraphLaunch", c.d.graphLaunch, uintptr(g), uintptr(s))
}

func (c *context) FreeGraph(g Graph) error {
	return c.call("cuGraphExecDestroy", c.d.graphExecDestroy, uintptr(g))
}
