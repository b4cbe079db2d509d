package outbound

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// body ends what is too long, too slow or silent.
type body struct {
	in           io.ReadCloser
	outer, inner context.Context
	end          func() // ends the request
	limit, left  int64
	silence      time.Duration
	alarm        *time.Timer
	quiet        atomic.Bool // nothing came for too long
	began        time.Time
	wrong        error // the first failure stays
	closing      sync.Once
}

// fits closes a body that says beforehand that it is too long.
func (b *body) fits(length int64) error {
	if length <= b.limit {
		return nil
	}
	_ = b.Close()
	return tooLarge(b.limit)
}

func (b *body) silent() {
	b.quiet.Store(true)
	b.end()
}

func (b *body) Read(p []byte) (int, error) {
	if b.wrong != nil {
		return 0, b.wrong
	}
	n, err := b.in.Read(p)
	b.alarm.Reset(b.silence)
	if b.left -= int64(n); b.left < 0 {
		n, err = 0, tooLarge(b.limit)
	}
	if past := time.Since(b.began); err == nil && past > grace && float64(b.limit-b.left) < past.Seconds()*slowest {
		n, err = 0, failed(TooSlow, "The server sends less than %d bytes in a second.", slowest)
	}
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	b.wrong = b.because(err)
	return n, b.wrong
}

// because leaves a cut line as it is: a reader keeps what was whole before it.
func (b *body) because(err error) error {
	switch {
	case b.quiet.Load():
		return failed(TooSlow, "The server sends nothing for %v.", b.silence)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return err
	}
	return because(b.outer, b.inner, err)
}

func (b *body) Close() error {
	b.closing.Do(func() {
		b.alarm.Stop()
		_ = b.in.Close()
		b.end()
	})
	return nil
}
