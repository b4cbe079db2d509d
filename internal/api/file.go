package api

import (
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

const (
	// fileStall is how long a part of a file may wait for its reader.
	fileStall = 30 * time.Second
	filePart  = 64 << 10
)

// patient writes files. What the server allows an answer as a whole is too little for a large file on a thin line, so
// each part has a deadline of its own: only who stops reading is cut off.
type patient struct {
	http.ResponseWriter
}

func (w patient) Write(b []byte) (n int, err error) {
	control := http.NewResponseController(w.ResponseWriter)
	for {
		_ = control.SetWriteDeadline(time.Now().Add(fileStall)) // recorders in tests know none
		part := b[n:min(n+filePart, len(b))]
		wrote, err := w.ResponseWriter.Write(part)
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
	}
}

// fileWriter is the body of an answer that is a file.
func fileWriter(hc huma.Context) io.Writer {
	_, w := humago.Unwrap(hc)
	return patient{w}
}
