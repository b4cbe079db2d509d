package device

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"lightbar/catalog"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
)

var (
	bodyBytes     = catalog.LimitInt("ingest", "bodyBytes")
	unpackedBytes = catalog.LimitInt("ingest", "unpackedBytes")
)

var (
	errTooLarge = errors.New("device: the body is too large")
	errEncoding = errors.New("device: the content encoding is not supported")
	errStalled  = errors.New("device: the sender stopped amid the body")
	errBody     = errors.New("device: the body could not be read")
)

// unpackerBytes is how much memory unpacking takes besides its result, mostly gzip's window.
const unpackerBytes = 48 << 10

var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// readBody reads a request's body, at most sent bytes as sent and unpacked
// bytes unpacked, whatever the headers claim; unpacked 0 = gzip is not taken.
// What it holds is counted in the budget, before it is held.
func readBody(w http.ResponseWriter, r *http.Request, sent, unpacked int64) (string, error) {
	if r.ContentLength > sent {
		return "", errTooLarge
	}
	body := budget.Of(r)
	if body == nil {
		return "", nil
	}
	body.SkipCounting()
	var from io.Reader = http.MaxBytesReader(w, body, sent)
	most := sent
	switch coding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); {
	case coding == "" || coding == "identity":
	case unpacked > 0 && (coding == "gzip" || coding == "x-gzip"):
		if err := body.Take(unpackerBytes); err != nil {
			return "", err
		}
		z := unpackers.Get().(*gzip.Reader)
		defer unpackers.Put(z)
		if err := z.Reset(from); err != nil {
			return "", readError(err)
		}
		from, most = z, unpacked
	default:
		return "", errEncoding
	}
	text, err := readText(from, most, body.Hold)
	if err == nil && fleet.IsUTF16(text) {
		err = body.Take(int64(len(text)) * 3 / 2)
	}
	if err != nil {
		return "", readError(err)
	}
	return fleet.PlainText(text), nil
}

// A body is collected in pieces, the first small and each further one twice as large: a sender that claims much and sends little
// gets little. Larger ones than these would not come back to the pools often enough.
const (
	firstPiece = 4 << 10
	pieceSizes = 5 // 4, 8, 16, 32, 64 KiB
)

var pieces [pieceSizes]sync.Pool

func init() {
	for i := range pieces {
		pieces[i].New = func() any { b := make([]byte, firstPiece<<i); return &b }
	}
}

// readText reads at most most bytes, each piece counted before it is taken.
func readText(from io.Reader, most int64, hold *budget.Hold) (string, error) {
	var held []*[]byte
	var length, counted int64
	defer func() {
		for i, p := range held {
			pieces[min(i, pieceSizes-1)].Put(p)
		}
		hold.Give(counted)
	}()
	for {
		size := min(len(held), pieceSizes-1)
		if err := hold.Take(firstPiece << size); err != nil {
			return "", err
		}
		counted += firstPiece << size
		p := pieces[size].Get().(*[]byte)
		held = append(held, p)
		n, err := fill(from, *p)
		length += int64(n)
		switch {
		case length > most:
			return "", errTooLarge
		case err == nil:
			continue
		case err != io.EOF: //nolint:errorlint // a wrapped one is not the end but a fault
			return "", err
		}
		if err := hold.Take(length); err != nil { // the text stays until the answer
			return "", err
		}
		return joined(held, int(length)), nil
	}
}

// fill reads until p is full or an error comes: io.ReadFull would give the end
// of the body and a body that was cut off the same name.
func fill(from io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = from.Read(p[n:])
		n += more
	}
	return n, err
}

func joined(held []*[]byte, length int) string {
	var text strings.Builder
	text.Grow(length)
	for _, p := range held {
		text.Write((*p)[:min(len(*p), length-text.Len())])
	}
	return text.String()
}

// readError names whatever went wrong while a body was read, so that nobody
// later has to guess from the error of a connection whose connection it was.
func readError(err error) error {
	var broken *budget.Broken
	switch {
	case err == nil, errors.As(err, new(*fleet.Refusal)), errors.Is(err, errTooLarge):
		return err
	case errors.As(err, new(*http.MaxBytesError)):
		return errTooLarge
	case errors.As(err, &broken) && broken.Stalled:
		return errStalled
	}
	return fmt.Errorf("%w: %v", errBody, err) //nolint:errorlint // its cause is told, not asked for
}
