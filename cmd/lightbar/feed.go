package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"
	"time"

	"lightbar/internal/feed/check"
	feeds "lightbar/internal/feed/read"
	"lightbar/internal/fleet"
	"lightbar/internal/outbound"
)

type feedCmd struct {
	Check feedCheckCmd `cmd:"" help:"Check a work zone feed for errors."`
}

type feedCheckCmd struct {
	From    string `arg:"" help:"A file, an address (https://…) or - for standard input." name:"file|url|-"`
	JSON    bool   `help:"Print JSON." name:"json"`
	Private bool   `help:"Also fetch from private addresses, such as this machine's."`
}

// Help implements kong.HelpProvider.
func (feedCheckCmd) Help() string {
	return `Checks any WZDx 4.0 to 4.2, CWZ 1.0, or Waze CIFS (JSON or XML) feed, gzip or not, against the published schema of its
version and against rules that no schema covers. For each broken rule it prints the count, up to ten places, and the
fix. "Good" features are those that Lightbar itself would accept.

Exit codes: 0 no problems, 1 problems, 2 the document cannot be read.

  lightbar feed check https://example.org/wzdx.geojson`
}

// exitUnreadable is feed check's own.
const exitUnreadable = 2

func (c *feedCheckCmd) Run(e *env) error {
	report, err := c.check(e.ctx)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return err
		}
		_, _ = fmt.Fprintf(e.stderr, "lightbar: %s\n", sentence(unreadableWords(err)))
		return quietExit(exitUnreadable)
	}
	if c.JSON {
		out := json.NewEncoder(e.stdout)
		out.SetIndent("", "  ")
		err = out.Encode(report.Answer())
	} else {
		_, err = io.WriteString(e.stdout, reportWords(report))
	}
	if err == nil && !report.Clean() {
		return quietExit(exitFailed)
	}
	return err
}

func (c *feedCheckCmd) check(ctx context.Context) (*check.Report, error) {
	in, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	return check.Document(ctx, in, feeds.Limits{}, fleet.InstantOf(time.Now()))
}

func (c *feedCheckCmd) open(ctx context.Context) (io.ReadCloser, error) {
	if c.From == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	if !strings.Contains(c.From, "://") {
		return os.Open(c.From)
	}
	client := outbound.Client{}
	if c.Private {
		client.Allow = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}
	}
	document, err := client.Get(ctx, outbound.Request{URL: c.From})
	if err != nil {
		return nil, err
	}
	return document.Body, nil
}

// unreadableWords say why there is no report.
func unreadableWords(err error) string {
	var fetch *outbound.Error
	var file *os.PathError
	switch {
	case errors.As(err, &fetch) && fetch.Reason == outbound.Refused:
		return strings.Replace(fetch.Message, ": an operator must allow it (outbound_allow).", ": say --private if you mean it.", 1)
	case errors.As(err, &file):
		return fmt.Sprintf("The file %s cannot be read: %v", file.Path, file.Err)
	}
	return err.Error()
}

var formatWords = map[string]string{feeds.WZDx: "WZDx", feeds.CWZ: "CWZ", feeds.CIFS: "CIFS", feeds.GeoJSON: "GeoJSON"}

// reportWords are a report for people.
func reportWords(r *check.Report) string {
	var b strings.Builder
	what := strings.TrimSpace(formatWords[r.Format] + " " + r.Version)
	if r.Publisher != "" {
		what += " of " + r.Publisher
	}
	fmt.Fprintf(&b, "%s: %s, %d good.\n", what, counted(r.Features, "feature"), r.Good)
	errorCount, warnings := 0, 0
	for _, f := range r.Found {
		if f.Rule.Severity == check.Error {
			errorCount += f.Count
		} else {
			warnings += f.Count
		}
		fmt.Fprintf(&b, "\n%s %s, %d×: %s %s\n", f.Rule.Severity, f.Rule.ID, f.Count, f.Rule.Message, f.Rule.Way)
		for _, p := range f.Places {
			b.WriteString(placeWords(p))
		}
		if more := f.Count - len(f.Places); more > 0 {
			fmt.Fprintf(&b, "  and %d more\n", more)
		}
	}
	if r.Clean() {
		b.WriteString("Nothing is wrong.\n")
	} else {
		fmt.Fprintf(&b, "\n%s, %s.\n", counted(errorCount, "error"), counted(warnings, "warning"))
	}
	return b.String()
}

func placeWords(p check.Place) string {
	words := strings.Join(strings.Fields(p.Feature+" "+p.Path), " ")
	if words != "" && p.Detail != "" {
		words += ": "
	}
	if words += p.Detail; words == "" {
		return ""
	}
	return "  " + words + "\n"
}
