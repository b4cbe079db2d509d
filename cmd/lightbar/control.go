package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Operators' verbs (user create, key create, …) change what a running server
// holds in memory. So they never write behind its back: when a server runs on
// the data folder they are sent to it through a socket that only the folder's
// owner can open, else they run here while holding the server's lock.

const (
	controlName  = "control.sock"
	controlLimit = 2 * time.Minute
	controlBody  = 64 << 20
	controlWait  = 3 * time.Second // for somebody who owns the database and does not answer yet
	controlRetry = 100 * time.Millisecond
)

// verb is one operator's action: arguments in, result out, both JSON.
type verb func(ctx context.Context, a *app.App, args json.RawMessage) (any, error)

// verbOf wraps a typed function.
func verbOf[In, Out any](fn func(ctx context.Context, a *app.App, in In) (Out, error)) verb {
	return func(ctx context.Context, a *app.App, args json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, err
		}
		return fn(ctx, a, in)
	}
}

// controlAnswer is what the socket answers: a result or a refusal.
type controlAnswer struct {
	Result  json.RawMessage `json:"result,omitempty"`
	Refusal *fleet.Refusal  `json:"refusal,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// call runs the verb in the server of the data folder, or here when none runs.
// A server that is just starting or stopping, or another command, is waited for.
func call(e *env, name string, in, out any) error {
	args, err := json.Marshal(in)
	if err != nil {
		return err
	}
	tick := time.NewTicker(controlRetry)
	defer tick.Stop()
	for end := time.Now().Add(controlWait); ; {
		result, err := callOnce(e, name, args)
		var locked *engine.LockedError
		if !errors.As(err, &locked) {
			if err != nil {
				return err
			}
			return json.Unmarshal(result, out)
		}
		if time.Now().After(end) {
			return place("This database is in use (%s), which does not answer on %s; run the command with the --data folder of that server, "+
				"or stop it first.",
				locked.Holder, filepath.Join(e.common.Data, controlName))
		}
		select {
		case <-e.ctx.Done():
			return e.ctx.Err()
		case <-tick.C:
		}
	}
}

// callOnce answers a *engine.LockedError when somebody owns the database who does not answer.
func callOnce(e *env, name string, args json.RawMessage) (json.RawMessage, error) {
	answer, err := askServer(e.ctx, e.common.Data, name, args)
	switch {
	case errors.Is(err, errNoServer):
		return callHere(e, name, args)
	case err != nil:
		return nil, err
	case answer.Refusal != nil:
		return nil, answer.Refusal
	case answer.Error != "":
		return nil, errors.New(answer.Error)
	}
	return answer.Result, nil
}

// firstVerb makes an installation where there is none. The others need an
// organization at least, so for them a folder without a database is a mistyped one.
const firstVerb = "organization-create"

func callHere(e *env, name string, args json.RawMessage) (json.RawMessage, error) {
	if name == auditVerb || name == auditHeadVerb {
		return auditHere(e, name, args)
	}
	c, err := openCore(e, "lightbar "+name, streets{}, name != firstVerb)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.close(context.WithoutCancel(e.ctx)) }()
	result, err := verbs[name](e.ctx, c.app, args)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

var errNoServer = errors.New("no server runs on this data folder")

func askServer(ctx context.Context, data, name string, args json.RawMessage) (controlAnswer, error) {
	var answer controlAnswer
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		path, done, err := shortPath(filepath.Join(data, controlName))
		if err != nil {
			return nil, err
		}
		defer done()
		return (&net.Dialer{Timeout: 2 * time.Second}).DialContext(ctx, "unix", path)
	}
	client := &http.Client{Timeout: controlLimit, Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://lightbar/"+name, bytes.NewReader(args))
	if err != nil {
		return answer, err
	}
	res, err := client.Do(req)
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || errors.Is(err, os.ErrNotExist) {
		return answer, errNoServer // no socket, or one that a killed server left
	}
	if err != nil {
		return answer, fmt.Errorf("the running server did not answer: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(io.LimitReader(res.Body, controlBody)).Decode(&answer); err != nil {
		return answer, fmt.Errorf("the running server's answer is not understood (%s): %w", res.Status, err)
	}
	return answer, nil
}

// control serves the verbs on the socket until ctx ends.
type control struct {
	server *http.Server
	path   string
	done   chan struct{}
}

func startControl(a *app.App, data string) (*control, error) {
	path := filepath.Join(data, controlName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, place("The socket %s left by an earlier server cannot be removed: %v.", path, errors.Unwrap(err))
	}
	short, done, err := shortPath(path)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
	if errors.Is(err, syscall.ENOSPC) {
		return nil, err // the caller may do without
	}
	if err != nil {
		return nil, place("The socket %s cannot be made: %v.", path, err)
	}
	l.SetUnlinkOnClose(false) // the short name is gone by then
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	c := &control{path: path, done: make(chan struct{}), server: &http.Server{
		Handler: controlHandler(a), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: controlLimit, WriteTimeout: controlLimit,
	}}
	go func() {
		defer close(c.done)
		_ = c.server.Serve(l)
	}()
	return c, nil
}

func (c *control) stop(ctx context.Context) error {
	err := c.server.Shutdown(ctx)
	<-c.done
	return errors.Join(err, os.Remove(c.path))
}

func controlHandler(a *app.App) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		run, ok := verbs[r.URL.Path[1:]]
		if !ok || r.Method != http.MethodPost {
			answerControl(w, controlAnswer{Error: "The running server does not know this command; it may be of another version."})
			return
		}
		args, err := io.ReadAll(http.MaxBytesReader(w, r.Body, controlBody))
		if err != nil {
			answerControl(w, controlAnswer{Error: err.Error()})
			return
		}
		result, err := run(r.Context(), a, args)
		var refusal *fleet.Refusal
		if errors.As(err, &refusal) {
			answerControl(w, controlAnswer{Refusal: refusal})
			return
		}
		if err != nil {
			answerControl(w, controlAnswer{Error: err.Error()})
			return
		}
		b, err := json.Marshal(result)
		if err != nil {
			answerControl(w, controlAnswer{Error: err.Error()})
			return
		}
		answerControl(w, controlAnswer{Result: b})
	})
}

func answerControl(w http.ResponseWriter, a controlAnswer) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a) // the caller is gone when this fails
}

// shortPath gives a name of the socket that fits the 107 bytes of a socket
// address: through an open handle of its folder where the path is longer.
func shortPath(path string) (short string, done func(), err error) {
	if len(path) < 100 {
		return path, func() {}, nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path)), func() { _ = dir.Close() }, nil
}
