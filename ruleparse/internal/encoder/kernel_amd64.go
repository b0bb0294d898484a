package encoder

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../kernel_amd64.s -stubs ../kernel_stubs_amd64.go -pkg encoder

func processorKernels() (k []*kernelSet) {
	if cpu.X86.HasAVX2 {
		k = append(k, &kernelSet{
			name: "AVX2", rows: 3, products: productsAVX2, finish: [...]finishFunc{store256, storeGELU256, addTo256},
			largest: largest256, round: round256, norm: norm256, scores: scores256, softmax: softmax256, context: context256,
		})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI {
		k = append(k, &kernelSet{
			name: "AVX-512 VNNI", unsigned: true, rows: 6, products: productsVNNI, finish: [...]finishFunc{store512, storeGELU512, addTo512},
			largest: largest512, round: round512, norm: norm512, scores: scores512, softmax: softmax512, context: context512,
		})
	}
	return k
}
