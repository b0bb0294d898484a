package group

import (
	"maps"
	"strings"
	"testing"
)

func getenv(v map[string]string) func(string) string {
	return func(name string) string { return v[name] }
}

func TestPlacesOfLaunchers(t *testing.T) {
	slurm := map[string]string{
		"SLURM_JOB_ID": "77", "SLURM_STEP_ID": "0", "SLURM_PROCID": "5", "SLURM_LOCALID": "1", "SLURM_NODEID": "2", "SLURM_NTASKS": "6",
		"SLURM_STEP_NUM_TASKS": "6", "SLURM_STEP_TASKS_PER_NODE": "2(x3)", "SLURM_STEP_NODELIST": "gpu[007-009]", "SLURM_LAUNCH_NODE_IPADDR": "10.0.0.1",
	}
	mpi := map[string]string{
		"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2", "PMIX_NAMESPACE": "prte-1",
	}
	torch := map[string]string{
		"RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "node0", "MASTER_PORT": "29500",
		"TORCHELASTIC_RUN_ID": "run", "TORCHELASTIC_RESTART_COUNT": "1",
	}
	kubeflow := map[string]string{"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "train-master-0", "MASTER_PORT": "23456", "PYTHONUNBUFFERED": "0"}
	with := func(m map[string]string, more ...string) map[string]string {
		m = maps.Clone(m)
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	for _, c := range []struct {
		name string
		env  map[string]string
		want Place
	}{
		{"none", nil, Place{World: 1, LocalWorld: 1}},
		{"a batch script of Slurm", map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_JOB_ID": "7"}, Place{World: 1, LocalWorld: 1}},
		{"torchrun", torch, Place{3, 4, 1, 2, "node0:29501", "run/1", ""}},
		{"torchrun under Slurm", with(slurm, "RANK", "0", "WORLD_SIZE", "1", "MASTER_ADDR", "a", "MASTER_PORT", "1"), Place{World: 1, LocalWorld: 1}},
		{"a secret", with(torch, "CAPGRAPH_SECRET", "s"), Place{3, 4, 1, 2, "node0:29501", "run/1", "s"}},
		{"a port of our own", with(torch, "CAPGRAPH_PORT", "4000"), Place{3, 4, 1, 2, "node0:4000", "run/1", ""}},
		{"a port beside one that the system chose", with(torch, "MASTER_PORT", "43117"), Place{3, 4, 1, 2, "node0:20611", "run/1", ""}},
		{"IPv6", with(torch, "MASTER_ADDR", "::1"), Place{3, 4, 1, 2, "[::1]:29501", "run/1", ""}},
		{"Kubeflow", kubeflow, Place{1, 2, 0, 1, "train-master-0:23457", "", ""}},
		{"Slurm", slurm, Place{5, 6, 1, 2, "gpu007:28501", "77.0", ""}},
		{"Slurm with a master", with(slurm, "MASTER_ADDR", "x", "MASTER_PORT", "29500"), Place{5, 6, 1, 2, "x:29501", "77.0", ""}},
		{"Open MPI on one machine", mpi, Place{1, 2, 1, 2, "127.0.0.1:20238", "prte-1", ""}},
		{"Open MPI on two", with(mpi, "OMPI_COMM_WORLD_LOCAL_SIZE", "1", "OMPI_COMM_WORLD_LOCAL_RANK", "0", "MASTER_ADDR", "n", "CAPGRAPH_PORT", "9"), Place{1, 2, 0, 1, "n:9", "prte-1", ""}},
	} {
		if p, err := FromEnvironment(getenv(c.env)); err != nil || p != c.want {
			t.Errorf("%s: %+v, %v, not %+v", c.name, p, err, c.want)
		}
	}
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"no world", map[string]string{"RANK": "0"}, "WORLD_SIZE"},
		{"no rank", map[string]string{"WORLD_SIZE": "2"}, "RANK"},
		{"no master", with(torch, "MASTER_ADDR", ""), "MASTER_ADDR"},
		{"no port", with(torch, "MASTER_PORT", ""), "MASTER_PORT"},
		{"a rank beyond the world", with(torch, "RANK", "4"), "rank 4 of 4"},
		{"a negative rank", with(torch, "RANK", "-1"), "rank -1"},
		{"no number", with(torch, "WORLD_SIZE", "four"), `WORLD_SIZE is "four"`},
		{"a world of none", with(torch, "WORLD_SIZE", "0"), "0 processes"},
		{"too large a world", with(torch, "WORLD_SIZE", "100000"), "1 to 1024"},
		{"a local rank beyond the local world", with(torch, "LOCAL_RANK", "2"), "local rank 2 of 2"},
		{"more here than anywhere", with(torch, "LOCAL_WORLD_SIZE", "5"), "5 of 4"},
		{"the launcher's port", with(torch, "CAPGRAPH_PORT", "29500"), "both 29500"},
		{"a port that is none", with(torch, "CAPGRAPH_PORT", "70000"), "port 70000"},
		{"no port after the last", with(torch, "MASTER_PORT", "65535"), "port 65536"},
		{"machines of Slurm that are none", with(slurm, "SLURM_STEP_TASKS_PER_NODE", "2(x"), "SLURM_STEP_TASKS_PER_NODE"},
		{"too few machines of Slurm", with(slurm, "SLURM_STEP_TASKS_PER_NODE", "2,2"), "node 2"},
		{"Open MPI on two without a master", with(mpi, "OMPI_COMM_WORLD_LOCAL_SIZE", "1", "OMPI_COMM_WORLD_LOCAL_RANK", "0"), "MASTER_ADDR"},
	} {
		if p, err := FromEnvironment(getenv(c.env)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v, without %q", c.name, p, err, c.want)
		}
	}
}

func TestFirstHostsOfSlurm(t *testing.T) {
	for list, want := range map[string]string{
		"": "", "a": "a", "a,b": "a", "gpu[007-012,20],login": "gpu007", "r[1-2]n[3-4]": "r1n3", "a[5]b,c": "a5b", "a[3,4]": "a3", "a[": "a", "[": "", "x]": "x]",
	} {
		if got := firstHost(list); got != want {
			t.Errorf("%q: %q, not %q", list, got, want)
		}
	}
}

func TestTasksOfMachinesOfSlurm(t *testing.T) {
	for _, c := range []struct {
		list        string
		node, tasks int
		ok          bool
	}{
		{"4", 0, 4, true}, {"2(x3),1", 2, 2, true}, {"2(x3),1", 3, 1, true}, {"2(x3),1", 4, 0, false}, {"", 0, 0, false}, {"2(x-1)", 0, 0, false}, {"a", 0, 0, false},
	} {
		if tasks, ok := tasksOfNode(c.list, c.node); ok != c.ok || ok && tasks != c.tasks {
			t.Errorf("%q of %d: %d, %v", c.list, c.node, tasks, ok)
		}
	}
}
