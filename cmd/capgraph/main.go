// Command capgraph turns caption corpora into scene graphs and into positive
// and hard-negative texts for training vision–language models.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"capgraph/internal/redact"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/store/objectstore"
)

// Exit codes.
const (
	exitFailed   = 1 // bad data, or a failed run
	exitUsage    = 2 // wrong command line or configuration
	exitNotReady = 3 // incomplete input of a pass or of an export
)

// exitCoder is an error with an exit code.
type exitCoder interface{ ExitCode() int }

// streams are the standard streams of a command and its files, local or in object stores.
type streams struct {
	in       io.Reader
	out, err io.Writer
	files    *objectstore.Files
}

// warn prints a warning.
func (s streams) warn(text string) {
	fmt.Fprintf(inspect.NewPrinter(s.err), "capgraph: warning: %s\n", redact.Text(text))
}

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	log.SetOutput(io.Discard)    // errors of libraries say the same as their logs
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// run runs the program and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	var c cli
	out := &outputPipe{Writer: std.out}
	std.out, std.files = out, objectstore.New(ctx, objectstore.Defaults())
	exited, exitCode := false, 0
	parser, err := kong.New(&c,
		kong.Name("capgraph"),
		kong.Description(description),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(std.out, std.err),
		kong.Exit(func(code int) { exited, exitCode = true, code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
		exportVars(),
	)
	if err != nil {
		fmt.Fprintln(std.err, "capgraph:", err)
		return exitUsage
	}
	if kongcompletion.Register(parser); exited {
		return exitCode
	}
	args = replaceOldFlags(moveCommandFirst(parser.Model.Node, rewriteCommonArgs(args)))
	if err := checkEncoding(args); err != nil {
		return exitCodeOf(err, std.err)
	}
	k, err := parser.Parse(args)
	if exited {
		return exitCode
	}
	if err != nil {
		hint := "run 'capgraph --help' for the commands"
		var parse *kong.ParseError
		if errors.As(err, &parse) && parse.Context.Selected() != nil {
			hint = fmt.Sprintf("run '%s --help' for its arguments", parse.Context.Selected().FullPath())
		}
		fmt.Fprintf(std.err, "capgraph: %s\n%s\n", redact.Text(err.Error()), hint)
		return exitUsage
	}
	command := k.Selected().Target.Addr().Interface()
	if !usesModel(command) {
		limitMemory(1)
	}
	ended := make(chan struct{})
	defer close(ended)
	context.AfterFunc(ctx, func() { exitAfterGrace(command, ended, std.err) })
	err = explainStop(ctx, command, k.Run())
	if errors.Is(err, syscall.EPIPE) && out.closed {
		return 0
	}
	if err != nil {
		return exitCodeOf(err, std.err)
	}
	return 0
}

// rewriteCommonArgs rewrites arguments that are common in other programs: "help CMD" to "CMD --help",
// "--version" to "version", and none to "--help".
func rewriteCommonArgs(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case args[0] == "--version":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// moveCommandFirst returns args with the command and its subcommand moved before the flags in front of
// them: "capgraph --progress none run" becomes "capgraph run --progress none".
func moveCommandFirst(node *kong.Node, args []string) []string {
	if len(args) == 0 {
		return args
	}
	at := 0
	if strings.HasPrefix(args[0], "-") {
		at = slices.IndexFunc(args, func(arg string) bool { return findSubcommand(node, arg) != nil })
	}
	if at < 0 || findSubcommand(node, args[at]) == nil {
		return args
	}
	rest := slices.Delete(slices.Clone(args), at, at+1)
	return slices.Insert(moveCommandFirst(findSubcommand(node, args[at]), rest), 0, args[at])
}

// findSubcommand returns the command called name directly below a node, or nil.
func findSubcommand(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && child.Name == name {
			return child
		}
	}
	return nil
}

// checkEncoding refuses arguments that are not UTF-8. Folders record file names as UTF-8, so another
// file than the named one would be read or written.
func checkEncoding(args []string) error {
	for i, arg := range args {
		if !utf8.ValidString(arg) {
			return usage.Errorf("argument %d is not UTF-8 (%q): rename the file or folder that it names", i+1, redact.Text(arg))
		}
	}
	return nil
}

// usesModel reports whether a command computes with the weights of a model. Such a command has no
// memory limit.
func usesModel(command any) bool {
	switch command.(type) {
	case *trainCommand, *embedCommand, *neighboursCommand, *evalClip, *doctorCommand:
		return true
	}
	return false
}

// outputPipe is standard output. closed is set once its reader has exited, as in "capgraph cat … |
// head", which is no error. The same error of a network connection is one.
type outputPipe struct {
	io.Writer
	closed bool
}

func (p *outputPipe) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	p.closed = p.closed || errors.Is(err, syscall.EPIPE)
	return n, err
}

// exitCodeOf prints err and returns its exit code.
func exitCodeOf(err error, w io.Writer) int {
	fmt.Fprintln(inspect.NewPrinter(w), "capgraph:", redact.Text(err.Error()))
	var c exitCoder
	if errors.As(err, &c) {
		return c.ExitCode()
	}
	return exitFailed
}
