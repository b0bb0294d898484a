# The static binary without a shell, for a user who is not root. 'make image' fills the folder that it is built from.
FROM scratch
COPY . /
ENV PATH=/usr/local/bin
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/capgraph"]
LABEL org.opencontainers.image.title="capgraph" \
      org.opencontainers.image.licenses="Apache-2.0 AND CC-BY-SA-4.0"
