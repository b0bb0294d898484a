//go:build cuda && linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"fmt"

	"capgraph/kernels/cuda/cublaslt"
	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/library"
)

// Open opens the card of that number, and loads the kernels and cuBLASLt.
func Open(ordinal int, precision Precision) (*Device, error) {
	m, err := look(library.Here().Folders())
	if err != nil {
		return nil, err
	}
	return m.open(ordinal, precision)
}

// machine is what CUDA there is.
type machine struct {
	folders []string
	driver  driver.Driver
	cards   []driver.Info
}

// look opens the driver, which lies where the loader looks or in folders.
func look(folders []string) (*machine, error) {
	drv, err := driver.Open(folders)
	if err != nil {
		return nil, err
	}
	cards, err := drv.Devices()
	return &machine{folders, drv, cards}, err
}

// least is the compute capability that the kernels are compiled for.
const least = 8

// open opens a card.
func (m *machine) open(ordinal int, precision Precision) (*Device, error) {
	if ordinal < 0 || ordinal >= len(m.cards) {
		return nil, fmt.Errorf("there is no cuda:%d: %d cards are seen; see nvidia-smi and CUDA_VISIBLE_DEVICES", ordinal, len(m.cards))
	}
	card := m.cards[ordinal]
	if card.Major < least {
		return nil, fmt.Errorf("cuda:%d is a %s of compute capability %d.%d: capgraph needs %d.0 (A100) or newer", ordinal, card.Name, card.Major, card.Minor, least)
	}
	context, err := m.driver.Open(ordinal)
	if err != nil {
		return nil, err
	}
	d, err := newDevice(context, fmt.Sprintf("cuda/%s, %v", card.Name, precision), precision)
	if err != nil {
		return nil, err
	}
	workspace := d.take(cublaslt.Workspace)
	var handle *cublaslt.Handle
	err = context.Do(func() error {
		var err error
		handle, err = cublaslt.Open(m.driver.Version(), m.folders, workspace, cublaslt.Workspace)
		return err
	})
	if err = errors.Join(d.err, err); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.products = &products{context, handle}
	d.exchange.open, d.exchange.join = m.exchanges(context)
	return d, nil
}

// products are cuBLASLt's, with the context current where they are asked for.
type products struct {
	context driver.Context
	handle  *cublaslt.Handle
}

func (p *products) Multiply(of *cublaslt.Product, stream uintptr) error {
	return p.context.Do(func() error { return p.handle.Multiply(of, stream) })
}

func (p *products) Close() error { return p.context.Do(p.handle.Close) }
