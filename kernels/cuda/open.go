//go:build cuda && linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"fmt"

	"capgraph/kernels/cuda/cublaslt"
	"capgraph/kernels/cuda/driver"
	"capgraph/kernels/cuda/library"
)

// Open opens card number ordinal, and loads the kernels and cuBLASLt. In a build without CUDA it
// returns ErrNotBuilt.
func Open(ordinal int, precision Precision) (*Device, error) {
	m, err := findCards(library.ThisMachine().Folders())
	if err != nil {
		return nil, err
	}
	return m.openCard(ordinal, precision)
}

// machine has the driver, cards and library folders of CUDA on this machine.
type machine struct {
	folders []string
	driver  driver.Driver
	cards   []driver.Info
}

// findCards opens the driver, from folders or the loader's own folders, and lists the cards.
func findCards(folders []string) (*machine, error) {
	drv, err := driver.Open(folders)
	if err != nil {
		return nil, err
	}
	cards, err := drv.Devices()
	return &machine{folders, drv, cards}, err
}

// minCapability is the major compute capability that a card must have at least.
const minCapability = 8

// openCard opens card number ordinal.
func (m *machine) openCard(ordinal int, precision Precision) (*Device, error) {
	if ordinal < 0 || ordinal >= len(m.cards) {
		return nil, fmt.Errorf("there is no cuda:%d: %d cards are seen; see nvidia-smi and CUDA_VISIBLE_DEVICES", ordinal, len(m.cards))
	}
	card := m.cards[ordinal]
	if card.Major < minCapability {
		return nil, fmt.Errorf("cuda:%d is a %s of compute capability %d.%d: capgraph needs %d.0 (A100) or newer", ordinal, card.Name, card.Major, card.Minor, minCapability)
	}
	context, err := m.driver.Open(ordinal)
	if err != nil {
		return nil, err
	}
	d, err := newDevice(context, fmt.Sprintf("cuda/%s, %v", card.Name, precision), precision)
	if err != nil {
		return nil, err
	}
	workspace := d.allocBytes(cublaslt.WorkspaceBytes)
	var handle *cublaslt.Handle
	err = context.Do(func() error {
		var err error
		handle, err = cublaslt.Open(m.driver.Version(), m.folders, workspace, cublaslt.WorkspaceBytes)
		return err
	})
	if err = errors.Join(d.err, err); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.products = &cublasProducts{context, handle}
	d.exchange.open, d.exchange.join = m.collectiveFuncs(context)
	return d, nil
}

// cublasProducts calls cuBLASLt with the card's context current.
type cublasProducts struct {
	context driver.Context
	handle  *cublaslt.Handle
}

func (p *cublasProducts) Multiply(of *cublaslt.Product, stream uintptr) error {
	return p.context.Do(func() error { return p.handle.Multiply(of, stream) })
}

func (p *cublasProducts) Close() error { return p.context.Do(p.handle.Close) }
