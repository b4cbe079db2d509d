package work

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTasksRunInTheirPeriodAndComplainOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		runs := 0
		wait := Start(ctx, slog.New(slog.NewTextHandler(&out, nil)), []Task{{"one", time.Second, func(context.Context) error {
			runs++
			if runs >= 2 && runs <= 4 {
				return errors.New("boom")
			}
			return nil
		}, 1}})
		time.Sleep(6*time.Second + time.Millisecond)
		cancel()
		wait()
		if runs != 6 {
			t.Errorf("%d runs in 6 s", runs)
		}
		if n := strings.Count(out.String(), "boom"); n != 1 || !strings.Contains(out.String(), "succeeds again") {
			t.Errorf("said %d times:\n%s", n, out.String())
		}
	})
}

// A slow call holds up its own worker alone.
func TestEachWorkerWaitsForItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var at atomic.Int32
		wait := Start(ctx, slog.New(slog.DiscardHandler), []Task{{"slow", time.Second, func(ctx context.Context) error {
			at.Add(1)
			<-ctx.Done()
			return ctx.Err()
		}, 3}})
		time.Sleep(5 * time.Second)
		if n := at.Load(); n != 3 {
			t.Errorf("%d calls at a time", n)
		}
		cancel()
		wait()
	})
}
