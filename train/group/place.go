package group

import (
	"fmt"
	"hash/fnv"
	"net"
	"strconv"
)

// most is the largest world: every process has a connection to every other.
const most = 1024

// PortVariable names the variable with the port that rank 0 listens on, where the
// one that follows from the launcher's will not do.
const PortVariable = "CAPGRAPH_PORT"

// SecretVariable names the variable with what a process has to know to join. It is the same for
// all, and best long and random.
const SecretVariable = "CAPGRAPH_SECRET"

// Secret is shown by no print.
type Secret string

func (Secret) String() string   { return "(secret)" }
func (Secret) GoString() string { return "(secret)" }

// Place is where a process stands among those that train together.
type Place struct {
	Rank, World           int    // of all processes; one alone is rank 0 of 1
	LocalRank, LocalWorld int    // of those on the same machine
	Master                string // host:port that rank 0 listens on; "" of one alone
	Job                   string // what the launcher calls the job; "" where it has no name
	Secret                Secret // what all have to know; "" if whoever knows job and port may join
}

// FromEnvironment is the place that a launcher gave this process: torchrun and
// Kubeflow's PyTorchJob (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT), Open MPI
// (OMPI_COMM_WORLD_RANK, …) or Slurm's srun (SLURM_PROCID, …); without one, it is
// alone. Rank 0 listens on CAPGRAPH_PORT, else on the port after MASTER_PORT, which
// is the launcher's own, else on one that follows from the job. CAPGRAPH_SECRET is what
// all processes have to know. The error names variables that are missing or contradict each other.
func FromEnvironment(getenv func(string) string) (Place, error) {
	v := &variables{get: getenv}
	var p Place
	switch {
	case getenv("RANK") != "" || getenv("WORLD_SIZE") != "":
		p = v.torch()
	case getenv("OMPI_COMM_WORLD_RANK") != "":
		p = v.openMPI()
	// A batch script has SLURM_PROCID too, but is no step that srun started.
	case getenv("SLURM_PROCID") != "" && v.first("SLURM_STEP_ID", "SLURM_STEPID") != "":
		p = v.slurm()
	default:
		return Place{World: 1, LocalWorld: 1}, nil
	}
	if v.err == nil {
		v.err = p.check()
	}
	if v.err == nil && p.World > 1 {
		p.Master, p.Secret = v.master(p), Secret(getenv(SecretVariable))
	}
	if v.err != nil {
		return Place{}, v.err
	}
	return p, nil
}

func (p Place) check() error {
	switch {
	case p.World < 1 || p.World > most:
		return fmt.Errorf("the launcher started %d processes; 1 to %d can train together", p.World, most)
	case p.Rank < 0 || p.Rank >= p.World:
		return fmt.Errorf("the launcher says rank %d of %d processes; ranks are 0 to %d", p.Rank, p.World, p.World-1)
	case p.LocalWorld < 1 || p.LocalWorld > p.World:
		return fmt.Errorf("the launcher says that %d of %d processes are on this machine", p.LocalWorld, p.World)
	case p.LocalRank < 0 || p.LocalRank >= p.LocalWorld:
		return fmt.Errorf("the launcher says local rank %d of %d processes on this machine", p.LocalRank, p.LocalWorld)
	}
	return nil
}

// variables reads numbers of the environment; the first error stays.
type variables struct {
	get func(string) string
	err error
}

// first is the value of the first variable that is set.
func (v *variables) first(names ...string) string {
	for _, name := range names {
		if s := v.get(name); s != "" {
			return s
		}
	}
	return ""
}

// number is the value of a variable that has to be set.
func (v *variables) number(name string) int {
	s := v.get(name)
	n, err := strconv.Atoi(s)
	if err != nil && v.err == nil {
		v.err = fmt.Errorf("the environment variable %s is %q, not a number: the launcher sets it with the others of its kind, or unset them all to train in one process", name, s)
	}
	return n
}

// numberOr is the value of a variable, or another where it is not set.
func (v *variables) numberOr(name string, otherwise int) int {
	if v.get(name) == "" {
		return otherwise
	}
	return v.number(name)
}

func (v *variables) torch() Place {
	p := Place{Rank: v.number("RANK"), World: v.number("WORLD_SIZE"), LocalRank: v.numberOr("LOCAL_RANK", 0)}
	// Kubeflow starts one process a pod and names no local ones.
	p.LocalWorld = v.numberOr("LOCAL_WORLD_SIZE", p.LocalRank+1)
	if v.get("TORCHELASTIC_RUN_ID") != "" {
		// What is left of a run before a restart is of another job.
		p.Job = v.get("TORCHELASTIC_RUN_ID") + "/" + v.get("TORCHELASTIC_RESTART_COUNT")
	}
	return p
}

func (v *variables) openMPI() Place {
	return Place{
		Rank: v.number("OMPI_COMM_WORLD_RANK"), World: v.number("OMPI_COMM_WORLD_SIZE"),
		LocalRank: v.number("OMPI_COMM_WORLD_LOCAL_RANK"), LocalWorld: v.number("OMPI_COMM_WORLD_LOCAL_SIZE"),
		Job: v.first("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"),
	}
}

// master is where rank 0 listens.
func (v *variables) master(p Place) string {
	host := v.get("MASTER_ADDR")
	if host == "" && v.get("RANK") == "" {
		host = v.slurmHost()
	}
	if host == "" && p.LocalWorld == p.World {
		host = "127.0.0.1"
	}
	if host == "" {
		v.err = fmt.Errorf("%d processes are to train together, and the environment variable MASTER_ADDR does not name the host of rank 0: export it to all of them", p.World)
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(v.port(p.Job)))
}

func (v *variables) port(job string) int {
	given, launchers := v.get(PortVariable) != "", v.get("MASTER_PORT") != ""
	var port int
	switch {
	case given:
		port = v.number(PortVariable)
		if v.err == nil && launchers && port == v.number("MASTER_PORT") {
			v.err = fmt.Errorf("%s and MASTER_PORT are both %d: the launcher may listen there; choose another for %[1]s", PortVariable, port)
		}
	case launchers:
		port = v.number("MASTER_PORT") + 1
	case v.get("RANK") != "":
		v.number("MASTER_PORT")
	default:
		// Below the ports that systems give to outgoing connections.
		h := fnv.New32a()
		h.Write([]byte(job))
		port = 20000 + int(h.Sum32()%10000)
	}
	if v.err == nil && (port < 1 || port > 65535) {
		v.err = fmt.Errorf("rank 0 cannot listen on port %d: set %s to a port that is free on its machine", port, PortVariable)
	}
	return port
}
