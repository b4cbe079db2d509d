// Command lightbar is the whole product in one binary: the server, the demo,
// the load generator and the operator's tools.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"lightbar/internal/config"
	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Exit codes; docs/operations.md explains them.
const (
	exitOK     = 0
	exitFailed = 1 // the work was refused or did not succeed
	exitUsage  = 2 // the command line or the configuration is wrong
	exitPlace  = 3 // the surroundings are: database, disk, port, lock
)

type cli struct {
	Config        config.File `help:"JSON file with settings, named like the flags with _ instead of -." env:"LIGHTBAR_CONFIG" placeholder:"FILE" type:"path"`
	config.Common `embed:""`

	Serve        serveCmd        `cmd:"" help:"Run the server."`
	Demo         demoCmd         `cmd:"" help:"Run a demo with a simulated fleet on this machine."`
	Map          mapCmd          `cmd:"" help:"Import streets from OpenStreetMap."`
	Device       deviceCmd       `cmd:"" help:"Be a reference light device of a running server."`
	Simulate     simulateCmd     `cmd:"" help:"Send simulated reports to a running server."`
	Organization organizationCmd `cmd:"" help:"Manage organizations."`
	User         userCmd         `cmd:"" help:"Manage users."`
	Key          keyCmd          `cmd:"" help:"Manage API keys for devices and programs."`
	Asset        assetCmd        `cmd:"" help:"Manage vehicles and equipment."`
	Mail         mailCmd         `cmd:"" help:"Try the mail server."`
	Feed         feedCmd         `cmd:"" help:"Check work zone feeds."`
	Audit        auditCmd        `cmd:"" help:"Verify the audit log."`
	ServerKey    serverKeyCmd    `cmd:"" name:"server-key" help:"Manage this installation's secret key."`
	Backup       backupCmd       `cmd:"" help:"Back up everything and check the copy. The server can keep running."`
	Restore      restoreCmd      `cmd:"" help:"Restore a backup into an empty data folder or database, or only check it."`
	Move         moveCmd         `cmd:"" help:"Move the installation between SQLite and PostgreSQL."`
	Ready        readyCmd        `cmd:"" help:"Ask the running server whether it is ready, for health checks."`
	Doctor       doctorCmd       `cmd:"" help:"Check configuration, disk, database, certificate, and clock."`
	Version      versionCmd      `cmd:"" help:"Print the version."`
	Openapi      openapiCmd      `cmd:"" help:"Print the HTTP API's OpenAPI document."`
}

// env is what a subcommand may touch of the process.
type env struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	common *config.Common
	log    *slog.Logger
	// skipBackup upgrades the schema without a copy, as the operator asked.
	skipBackup bool
	now        func() time.Time
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the first signal asks, a second one ends the process at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exited carries the exit code of --help out of the parser.
type exited int

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	var c cli
	parser, err := kong.New(&c, options(stdout, stderr)...)
	if err != nil {
		panic(err) // the structure above is wrong
	}
	defer func() {
		if r := recover(); r != nil {
			n, ok := r.(exited)
			if !ok {
				panic(r)
			}
			code = int(n)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return sayUsage(stderr, err)
	}
	if err := c.Common.Check(); err != nil {
		return say(stderr, err)
	}
	owner, err := becomeOwner(parsed.Command(), c.Data, c.Backup.To)
	if err != nil {
		return say(stderr, err)
	}
	e := &env{ctx: ctx, stdout: stdout, stderr: stderr, common: &c.Common, log: logger(stderr, &c.Common), now: time.Now}
	warnUnknown(e, parser.Model)
	code = say(stderr, parsed.Run(e))
	if code != exitOK && owner != "" {
		_, _ = fmt.Fprintf(stderr, "The command ran as %s, who owns %s, although root started it.\n", owner, c.Data)
	}
	return code
}

func options(stdout, stderr io.Writer) []kong.Option {
	return []kong.Option{
		kong.Name("lightbar"),
		kong.Description("Live map of emergency, maintenance, and towing fleets.\n\nStart with: lightbar demo\n\n" +
			"Each setting can also come from the environment (named in [$…]) or from the --config file; " +
			"a flag overrides the environment, and the environment overrides the file."),
		kong.Writers(stdout, stderr),
		kong.ValueFormatter(helpValue),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "Server", Title: "Server:"}, {Key: "Brand", Title: "Brand:"}, {Key: "Map", Title: "Map:"},
			{Key: "Mail", Title: "Mail:"}, {Key: "People", Title: "People:"},
		}),
	}
}

// helpValue adds the default to a flag's help.
func helpValue(v *kong.Value) string {
	shown := *v
	if v.HasDefault && v.Default != "" && !strings.Contains(v.Help, "0 = ") {
		shown.Help = strings.TrimSuffix(v.Help, ".") + "; default " + v.Default + "."
	}
	return kong.DefaultHelpValueFormatter(&shown)
}

func logger(w io.Writer, c *config.Common) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogJSON {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

func warnUnknown(e *env, app *kong.Application) {
	known := map[string]bool{}
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			for _, name := range flag.Envs {
				known[name] = true
			}
		}
		return next(nil)
	})
	if names := config.Unknown(known); len(names) > 0 {
		e.log.Warn("unknown LIGHTBAR_ variables", "names", strings.Join(names, ", "))
	}
}

// sayUsage prints what is wrong with the command line.
func sayUsage(w io.Writer, err error) int {
	var wrong config.Error
	if errors.As(err, &wrong) {
		return say(w, err)
	}
	hint := "lightbar --help"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		hint = "lightbar " + parse.Context.Selected().Path() + " --help"
	}
	_, _ = fmt.Fprintf(w, "lightbar: %s See %s.\n", sentence(err.Error()), hint)
	return exitUsage
}

// say prints one sentence for an error and chooses the exit code.
func say(w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	var (
		wrong    config.Error
		unusable *engine.Unusable
		locked   *engine.LockedError
		place    placeError
		refusal  *fleet.Refusal
		quiet    quietExit
	)
	if errors.As(err, &quiet) {
		return int(quiet)
	}
	text, code := err.Error(), exitFailed
	switch {
	case errors.As(err, &wrong):
		text, code = wrong.Error(), exitUsage
	case errors.As(err, &unusable):
		text, code = unusable.Error(), exitPlace
	case errors.As(err, &locked):
		text, code = locked.Error(), exitPlace
	case errors.As(err, &place):
		text, code = place.Error(), exitPlace
	case errors.As(err, &refusal):
		text = refusalWords(refusal)
	case errors.Is(err, engine.ErrFull):
		text, code = "The disk is full and nothing more can be written; make room and try again.", exitPlace
	case errors.Is(err, engine.ErrReadOnly):
		text, code = "The disk cannot be written any more; look at it (dmesg) and try again.", exitPlace
	case errors.Is(err, context.Canceled):
		text = "Interrupted."
	}
	_, _ = fmt.Fprintf(w, "lightbar: %s\n", text)
	return code
}

// refusalWords are a refusal in one line: its sentence and those of its fields.
func refusalWords(r *fleet.Refusal) string {
	text := r.Message
	if r.Field != "" {
		text = r.Field + ": " + text
	}
	text = sentence(text)
	for _, field := range slices.Sorted(maps.Keys(r.Fields)) {
		text += " " + field + ": " + sentence(r.Fields[field])
	}
	return text
}

// sentence ends a text with a full stop unless it has an end.
func sentence(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// placeError is a sentence about the surroundings: a port, a file, a right.
type placeError string

func (e placeError) Error() string { return string(e) }

func place(format string, args ...any) error { return placeError(fmt.Sprintf(format, args...)) }

// quietExit ends with a code after the subcommand has said everything itself.
type quietExit int

func (q quietExit) Error() string { return fmt.Sprintf("exit %d", int(q)) }
