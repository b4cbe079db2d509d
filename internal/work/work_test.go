package work

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
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
		}}})
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
