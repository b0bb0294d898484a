# Builds what is handed to others; the commands of the README need Go alone.
#
#   make wheel      dist/*.whl for this machine ($(ARCH)): the static binary, the one with CUDA, and
#                   the Python of python/. Needs pip.
#   make image      a container image of the static binary, by $(BUILDER): docker, podman or buildah.
#   make release    dist/release: binaries and wheels for Linux on x86-64 and arm64, an SBOM
#                   (CycloneDX) of each binary, and SHA256SUMS. It fails unless all of it is of the
#                   commit that is checked out, which every binary names.
#
# All read object stores (-tags stores). CGO_ENABLED and GOFLAGS are those of the README, so that its
# builds and these share what is compiled.
VERSION := $(shell sed -n 's/^const Version = "\(.*\)"$$/\1/p' capgraph.go)
ARCHS := amd64 arm64
ARCH ?= $(shell go env GOARCH)
BUILDER ?= docker
IMAGE ?= capgraph:$(VERSION)
BUILD = GOOS=linux GOARCH=$* go build -buildvcs=true -ldflags '-s -w'
CYCLONEDX = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

export CGO_ENABLED = 0
export GOFLAGS = -trimpath

.PHONY: wheel image release committed FORCE
.SECONDARY:

dist/linux-%/capgraph: FORCE
	$(BUILD) -tags stores -o $@ ./cmd/capgraph

dist/linux-%/capgraph-cuda: FORCE
	$(BUILD) -tags cuda,stores -o $@ ./cmd/capgraph

dist/wheels/%: dist/linux-%/capgraph dist/linux-%/capgraph-cuda FORCE
	rm -rf $@
	CAPGRAPH_GOARCH=$* SOURCE_DATE_EPOCH=315532800 python3 -m pip wheel --quiet --no-deps --wheel-dir $@ .

wheel: dist/wheels/$(ARCH)
	rm -f dist/*.whl
	cp dist/wheels/$(ARCH)/*.whl dist

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

release: committed $(addprefix dist/wheels/,$(ARCHS))
	rm -rf dist/release
	mkdir dist/release
	cp dist/wheels/*/*.whl dist/release
	for arch in $(ARCHS); do for program in capgraph capgraph-cuda; do \
	  name=dist/release/$$program-$(VERSION)-linux-$$arch; \
	  cp dist/linux-$$arch/$$program $$name && \
	  go version -m $$name | grep -q "vcs.revision=$$(git rev-parse HEAD)$$" && go version -m $$name | grep -q 'vcs.modified=false' || \
	    { echo "$$name does not name its commit: build in a clone, as Go names none in a worktree of git"; exit 1; }; \
	  go run $(CYCLONEDX) bin -json -noserial -notimestamp -version $(VERSION) -output $$name.cdx.json $$name || exit 1; \
	done; done
	cd dist/release && sha256sum * >SHA256SUMS
