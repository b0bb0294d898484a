# The commands of the README need Go alone; this builds what is handed to others.
.PHONY: wheel

# wheel builds, into dist/, a wheel for linux x86-64 and one for arm64 with the static binary, the one with CUDA and the Python of python/. It needs pip.
wheel: export SOURCE_DATE_EPOCH = 315532800
wheel:
	for arch in amd64 arm64; do \
	  CGO_ENABLED=0 GOOS=linux GOARCH=$$arch go build -trimpath -ldflags '-s -w' -o dist/linux-$$arch/capgraph ./cmd/capgraph && \
	  CGO_ENABLED=0 GOOS=linux GOARCH=$$arch go build -tags cuda -trimpath -ldflags '-s -w' -o dist/linux-$$arch/capgraph-cuda ./cmd/capgraph && \
	  CAPGRAPH_GOARCH=$$arch python3 -m pip wheel --quiet --no-deps --wheel-dir dist . || exit 1; \
	done
