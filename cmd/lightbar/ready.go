package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// readyWait is longer than the server's own limit for the row that it writes.
const readyWait = 4 * time.Second

type readyCmd struct{}

// Help implements kong.HelpProvider.
func (readyCmd) Help() string {
	return `Asks the server of the data folder what its /readyz says: a row can be written and is on the disk within 2 s, and there is
room. It needs no other program, for health checks of containers. Exit code 0: ready, 1: not, and why.

  lightbar ready --data /var/lib/lightbar`
}

func (c *readyCmd) Run(e *env) error {
	r, runs := runningIn(e.common.Data)
	switch {
	case !runs:
		return fmt.Errorf("No server runs on %s.", e.common.Data) //nolint:staticcheck // shown to people as it is
	case r.Admin == "":
		//nolint:staticcheck // as above
		return errors.New("The server has no loopback listener (--admin-listen off); ask its address for /readyz.")
	}
	req, err := http.NewRequestWithContext(e.ctx, http.MethodGet, r.Admin+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	res, err := (&http.Client{Timeout: readyWait}).Do(req)
	if err != nil {
		return fmt.Errorf("The server does not answer: %w.", err) //nolint:staticcheck // as above
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		var refused struct{ Message string }
		_ = json.NewDecoder(io.LimitReader(res.Body, 1<<16)).Decode(&refused)              // the status alone says enough
		return fmt.Errorf("The server is not ready (%s). %s", res.Status, refused.Message) //nolint:staticcheck // as above
	}
	_, err = fmt.Fprintln(e.stdout, "ready")
	return err
}
