"""Puts the binary into the wheel and names the machine that it runs on."""
import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        if "CAPGRAPH_GOARCH" not in os.environ:
            raise SystemExit("the wheel is built with 'make wheel', which compiles the binary that it carries")
        arch = os.environ["CAPGRAPH_GOARCH"]
        machine = MACHINES[arch]
        build_data["pure_python"] = False
        # The binary is static: any Linux of that machine will do, with glibc or musl. The one with CUDA needs glibc, as CUDA does.
        build_data["tag"] = f"py3-none-manylinux2014_{machine}.musllinux_1_1_{machine}"
        build_data["shared_scripts"] = {os.path.join(self.root, "dist", f"linux-{arch}", name): name for name in ("capgraph", "capgraph-cuda")}
