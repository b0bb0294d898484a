//go:build cuda && linux && (amd64 || arm64)

package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/kernels/cuda/library"
	"capgraph/kernels/cuda/nccl"
	"capgraph/kernels/selfcheck"
)

// noFoldersFound is printed if no folder with CUDA's libraries is found.
const noFoldersFound = "none of CUDA's libraries, in LD_LIBRARY_PATH, CUDA_HOME, CUDA_PATH, the packages of Python and /usr/local/cuda*"

// Doctor writes which driver, libraries and cards of CUDA the machine has. Then it compares every
// operation of card number ordinal with the plain device, in both precisions. The error says what
// is missing, or which operations are wrong.
func Doctor(w io.Writer, ordinal int) error {
	return runDoctor(w, library.ThisMachine().Folders(), ordinal, selfcheck.Cases())
}

func runDoctor(w io.Writer, folders []string, ordinal int, cases []selfcheck.Case) error {
	fmt.Fprintf(w, "folders     %s\n", cmp.Or(strings.Join(folders, "\n            "), noFoldersFound))
	m, err := findCards(folders)
	if m != nil && m.driver != nil {
		fmt.Fprintf(w, "driver      %s, of CUDA %s\n", m.driver.Library(), formatVersion(m.driver.Version()/1000, m.driver.Version()%1000/10))
	}
	if err != nil {
		return err
	}
	for i, c := range m.cards {
		fmt.Fprintf(w, "cuda:%d      %s, %.1f GB, compute capability %d.%d, %d multiprocessors\n", i, c.Name, float64(c.Memory)/1e9, c.Major, c.Minor, c.Processors)
	}
	wrong := 0
	for _, precision := range []Precision{Float32, BFloat16} {
		d, err := m.openCard(ordinal, precision)
		if err != nil {
			return err
		}
		if precision == Float32 {
			err = d.writeVersions(w, folders)
		}
		some := cases
		if precision == BFloat16 {
			some = slices.DeleteFunc(slices.Clone(cases), func(c selfcheck.Case) bool { return !UsesBFloat16(c.Operation) })
		}
		wrong += selfcheck.WriteTable(w, precision.String(), d, some, precision.Bounds)
		if err = errors.Join(err, d.Close()); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d results are wrong on this card: please report them, with the output above", wrong)
	}
	return nil
}

// formatVersion writes a version such as "12.4".
func formatVersion(major, minor int) string { return fmt.Sprintf("%d.%d", major, minor) }

// writeVersions writes the card's memory, and the versions of cuBLASLt and NCCL.
func (d *Device) writeVersions(w io.Writer, folders []string) error {
	free, total, err := d.context.Memory()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "memory      %.1f GB free of %.1f GB\n", float64(free)/1e9, float64(total)/1e9)
	if p, ok := d.products.(*cublasProducts); ok {
		v := p.handle.Version()
		fmt.Fprintf(w, "cuBLASLt    %s, %s\n", p.handle.Library(), formatVersion(v/10000, v/100%100))
	}
	if l, err := nccl.Open(folders); err != nil {
		fmt.Fprintf(w, "NCCL        none: several cards exchange through the host, over TCP; 'pip install nvidia-nccl-cu12' installs it\n")
	} else if v, err := l.Version(); err == nil {
		fmt.Fprintf(w, "NCCL        %s, %s\n", l.Path(), formatVersion(v/10000, v/100%100))
	}
	_, err = fmt.Fprintf(w, "kernels     %d, compiled for the card\n", len(d.functions))
	return err
}
