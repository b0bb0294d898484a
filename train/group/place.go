package group

import (
	"fmt"
	"hash/fnv"
	"net"
	"strconv"
)

// maxWorld is the maximum number of processes. Each has a connection to every other.
const maxWorld = 1024

// PortVariable is the name of the environment variable with the port of rank 0. It is needed only
// if the port derived from the launcher's variables cannot be used.
const PortVariable = "CAPGRAPH_PORT"

// SecretVariable is the name of the environment variable with the secret of the job. The secret is
// the same for all processes; a good one is long and random.
const SecretVariable = "CAPGRAPH_SECRET"

// Secret is a string whose String method hides it.
type Secret string

func (Secret) String() string   { return "(secret)" }
func (Secret) GoString() string { return "(secret)" }

// Place is the position of a process among those that train together, and how they find each other.
type Place struct {
	Rank, World           int    // of all processes; a single process is rank 0 of 1
	LocalRank, LocalWorld int    // of the processes on the same machine
	Master                string // host:port at which rank 0 listens; "" for a single process
	Job                   string // the launcher's name of the job; "" if it has none
	// the secret of the job; "" if everyone who knows job and port may join
	Secret Secret
}

// FromEnvironment returns the place of this process according to its launcher. It supports torchrun
// and Kubeflow's PyTorchJob (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT), Open MPI
// (OMPI_COMM_WORLD_RANK, …) and Slurm's srun (SLURM_PROCID, …). Without a launcher, the process is
// a group of one.
//
// Rank 0 listens on CAPGRAPH_PORT. If that is not set, it listens on the port after MASTER_PORT,
// since the launcher itself uses MASTER_PORT. If that port is one that Linux uses for outgoing
// connections, as with "torchrun --standalone", or if MASTER_PORT is not set, it listens on a port
// from 20000 to 29999 that is derived from MASTER_PORT or the job. CAPGRAPH_SECRET is the secret of
// the job. The error names variables that are missing or contradict each other.
func FromEnvironment(getenv func(string) string) (Place, error) {
	e := &environment{getenv: getenv}
	var p Place
	switch {
	case getenv("RANK") != "" || getenv("WORLD_SIZE") != "":
		p = e.torchPlace()
	case getenv("OMPI_COMM_WORLD_RANK") != "":
		p = e.openMPIPlace()
	// A batch script, which srun has not started, has SLURM_PROCID but no step.
	case getenv("SLURM_PROCID") != "" && e.firstSet("SLURM_STEP_ID", "SLURM_STEPID") != "":
		p = e.slurmPlace()
	default:
		return Place{World: 1, LocalWorld: 1}, nil
	}
	if e.err == nil {
		e.err = p.check()
	}
	if e.err == nil && p.World > 1 {
		p.Master, p.Secret = e.masterAddress(p), Secret(getenv(SecretVariable))
	}
	if e.err != nil {
		return Place{}, e.err
	}
	return p, nil
}

func (p Place) check() error {
	switch {
	case p.World < 1 || p.World > maxWorld:
		return fmt.Errorf("the launcher started %d processes; 1 to %d can train together", p.World, maxWorld)
	case p.Rank < 0 || p.Rank >= p.World:
		return fmt.Errorf("the launcher says rank %d of %d processes; ranks are 0 to %d", p.Rank, p.World, p.World-1)
	case p.LocalWorld < 1 || p.LocalWorld > p.World:
		return fmt.Errorf("the launcher says that %d of %d processes are on this machine", p.LocalWorld, p.World)
	case p.LocalRank < 0 || p.LocalRank >= p.LocalWorld:
		return fmt.Errorf("the launcher says local rank %d of %d processes on this machine", p.LocalRank, p.LocalWorld)
	}
	return nil
}

// environment reads environment variables and keeps the first error.
type environment struct {
	getenv func(string) string
	err    error
}

// firstSet returns the value of the first variable that is set.
func (e *environment) firstSet(names ...string) string {
	for _, name := range names {
		if s := e.getenv(name); s != "" {
			return s
		}
	}
	return ""
}

// intVar returns the integer in a variable, which must be set.
func (e *environment) intVar(name string) int {
	s := e.getenv(name)
	n, err := strconv.Atoi(s)
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("the environment variable %s is %q, not a number: the launcher sets it with the others of its kind, or unset them all to train in one process", name, s)
	}
	return n
}

// intVarOr returns the integer in a variable, or otherwise if it is not set.
func (e *environment) intVarOr(name string, otherwise int) int {
	if e.getenv(name) == "" {
		return otherwise
	}
	return e.intVar(name)
}

func (e *environment) torchPlace() Place {
	p := Place{Rank: e.intVar("RANK"), World: e.intVar("WORLD_SIZE"), LocalRank: e.intVarOr("LOCAL_RANK", 0)}
	// Kubeflow starts one process per pod and sets no local variables.
	p.LocalWorld = e.intVarOr("LOCAL_WORLD_SIZE", p.LocalRank+1)
	if e.getenv("TORCHELASTIC_RUN_ID") != "" {
		// The restart count makes processes that are left from before a restart belong to another
		// job.
		p.Job = e.getenv("TORCHELASTIC_RUN_ID") + "/" + e.getenv("TORCHELASTIC_RESTART_COUNT")
	}
	return p
}

func (e *environment) openMPIPlace() Place {
	return Place{
		Rank: e.intVar("OMPI_COMM_WORLD_RANK"), World: e.intVar("OMPI_COMM_WORLD_SIZE"),
		LocalRank: e.intVar("OMPI_COMM_WORLD_LOCAL_RANK"), LocalWorld: e.intVar("OMPI_COMM_WORLD_LOCAL_SIZE"),
		Job: e.firstSet("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"),
	}
}

// masterAddress returns the host:port at which rank 0 listens.
func (e *environment) masterAddress(p Place) string {
	host := e.getenv("MASTER_ADDR")
	if host == "" && e.getenv("RANK") == "" {
		host = e.slurmHost()
	}
	if host == "" && p.LocalWorld == p.World {
		host = "127.0.0.1"
	}
	if host == "" {
		e.err = fmt.Errorf("%d processes are to train together, and the environment variable MASTER_ADDR does not name the host of rank 0: export it to all of them", p.World)
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(e.masterPort(p.Job)))
}

func (e *environment) masterPort(job string) int {
	given, launchers := e.getenv(PortVariable) != "", e.getenv("MASTER_PORT") != ""
	var port int
	switch {
	case given:
		port = e.intVar(PortVariable)
		if e.err == nil && launchers && port == e.intVar("MASTER_PORT") {
			e.err = fmt.Errorf("%s and MASTER_PORT are both %d: the launcher may listen there; choose another for %[1]s", PortVariable, port)
		}
	case launchers:
		if port = e.intVar("MASTER_PORT") + 1; port >= firstOutgoingPort && port <= 65535 {
			port = derivePort(e.getenv("MASTER_PORT"))
		}
	case e.getenv("RANK") != "":
		e.intVar("MASTER_PORT")
	default:
		port = derivePort(job)
	}
	if e.err == nil && (port < 1 || port > 65535) {
		e.err = fmt.Errorf("rank 0 cannot listen on port %d: set %s to a port that is free on its machine", port, PortVariable)
	}
	return port
}

// firstOutgoingPort is the first port that Linux uses for outgoing connections.
const firstOutgoingPort = 32768

// derivePort returns a port from 20000 to 29999 that is the same for all ranks of a job.
func derivePort(job string) int {
	h := fnv.New32a()
	h.Write([]byte(job))
	return 20000 + int(h.Sum32()%10000)
}
