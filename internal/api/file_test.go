package api

import (
	"bytes"
	"net/http/httptest"
	"testing"
	"time"
)

// thin is a line on which each write takes its time.
type thin struct {
	*httptest.ResponseRecorder
	deadlines, most int
}

func (w *thin) SetWriteDeadline(time.Time) error {
	w.deadlines++
	return nil
}

func (w *thin) Write(b []byte) (int, error) {
	w.most = max(w.most, len(b))
	return w.ResponseRecorder.Write(b)
}

// A large file on a thin line is not cut off by the deadline of answers: each part of it has its own.
func TestEachPartOfAFileHasItsDeadline(t *testing.T) {
	w := &thin{ResponseRecorder: httptest.NewRecorder()}
	file := bytes.Repeat([]byte("0123456789"), 50_000)
	if n, err := (patient{w}).Write(file); n != len(file) || err != nil {
		t.Fatal(n, err)
	}
	if w.deadlines != 8 || w.most != filePart || !bytes.Equal(w.Body.Bytes(), file) {
		t.Errorf("%d deadlines, %d bytes at once", w.deadlines, w.most)
	}
}
