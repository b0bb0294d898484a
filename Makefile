# Builds what is handed to others; the commands of the README need Go alone.
#
#   make wheel      dist/*.whl for Linux on x86-64 and arm64: the static binary, the one with CUDA, and the Python of
#                   python/. Needs pip.
#   make image      a container image of the static binary, by $(BUILDER): docker, podman or buildah.
#   make release    dist/release: binaries, wheels, an SBOM (CycloneDX) of each binary, and SHA256SUMS. It fails unless
#                   all of it is of the commit that is checked out, which every binary names.
VERSION := $(shell sed -n 's/^const Version = "\(.*\)"$$/\1/p' capgraph.go)
ARCHS := amd64 arm64
ARCH ?= $(shell go env GOARCH)
BUILDER ?= docker
IMAGE ?= capgraph:$(VERSION)
BUILD = CGO_ENABLED=0 GOOS=linux GOARCH=$* go build -buildvcs=true -trimpath -ldflags '-s -w'
CYCLONEDX = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

.PHONY: wheel image release committed FORCE

dist/linux-%/capgraph: FORCE
	$(BUILD) -o $@ ./cmd/capgraph

dist/linux-%/capgraph-cuda: FORCE
	$(BUILD) -tags cuda -o $@ ./cmd/capgraph

wheel: export SOURCE_DATE_EPOCH = 315532800
wheel: $(foreach arch,$(ARCHS),dist/linux-$(arch)/capgraph dist/linux-$(arch)/capgraph-cuda)
	rm -f dist/*.whl
	for arch in $(ARCHS); do CAPGRAPH_GOARCH=$$arch python3 -m pip wheel --quiet --no-deps --wheel-dir dist . || exit 1; done

# What the image holds besides the binary: roots of TLS, and a folder for scratch files.
image: dist/linux-$(ARCH)/capgraph
	rm -rf dist/image
	mkdir -p dist/image/tmp
	chmod 1777 dist/image/tmp
	install -D dist/linux-$(ARCH)/capgraph dist/image/usr/local/bin/capgraph
	install -D -m 644 /etc/ssl/certs/ca-certificates.crt dist/image/etc/ssl/certs/ca-certificates.crt
	$(BUILDER) build --platform linux/$(ARCH) -f Dockerfile -t $(IMAGE) dist/image

committed:
	@[ -z "$$(git status --porcelain)" ] || { echo "a release is of a commit, and these files are not: commit or remove them"; git status --short; exit 1; }

release: committed wheel
	rm -rf dist/release
	mkdir dist/release
	cp dist/*.whl dist/release
	for arch in $(ARCHS); do for program in capgraph capgraph-cuda; do \
	  name=dist/release/$$program-$(VERSION)-linux-$$arch; \
	  cp dist/linux-$$arch/$$program $$name && \
	  go version -m $$name | grep -q "vcs.revision=$$(git rev-parse HEAD)$$" && go version -m $$name | grep -q 'vcs.modified=false' || \
	    { echo "$$name does not name its commit: build in a clone, as Go names none in a worktree of git"; exit 1; }; \
	  go run $(CYCLONEDX) bin -json -noserial -notimestamp -version $(VERSION) -output $$name.cdx.json $$name || exit 1; \
	done; done
	cd dist/release && sha256sum * >SHA256SUMS
