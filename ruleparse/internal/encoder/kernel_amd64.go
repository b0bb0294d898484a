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
		vnni := kernelSet{
			name: "AVX-512 VNNI", unsigned: true, rows: 6, products: productsVNNI, finish: [...]finishFunc{store512, storeGELU512, addTo512},
			largest: largest512, round: round512, norm: norm512, scores: scores512, softmax: softmax512, context: context512,
		}
		k = append(k, &vnni)
		if cpu.X86.HasAMXTile && cpu.X86.HasAMXInt8 && requestTiles() {
			amx := vnni
			amx.name, amx.rows, amx.products = "AMX", tileRows, productsTiles
			k = append(k, &amx)
		}
	}
	return k
}

// tileRows is how many rows productsAMX computes at once. For fewTileRows rows or fewer,
// productsVNNI is faster.
const tileRows, fewTileRows = 32, 18

// productsTiles is the function products of the AMX kernel. q is read as uint8.
func productsTiles(sums, start []int32, q, weights []int8, rows, inputs int) {
	done := rows / tileRows * tileRows
	if rows-done > fewTileRows {
		done += tileRows
	}
	if done > 0 {
		productsAMX(sums, start, q, weights, done, inputs)
	}
	if done < rows {
		productsVNNI(sums[done*columns:], start, q[done*inputs:], weights, rows-done, inputs)
	}
}

// productsAMX computes rows in tiles.
//
//go:noescape
func productsAMX(sums, start []int32, q, weights []int8, rows, inputs int)
