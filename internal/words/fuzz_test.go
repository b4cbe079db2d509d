package words_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"lightbar/internal/words"
)

// transport answers each question with the same bytes.
type transport struct {
	status int
	body   string
}

func (a transport) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// FuzzAnswer reads any answer: three words of letters, or an error of one line without the key.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		`{"country":"GB","square":{"southwest":{"lng":-0.195543,"lat":51.520833},"northeast":{"lng":-0.195499,"lat":51.52086}},` +
			`"nearestPlace":"Bayswater, London","coordinates":{"lng":-0.195521,"lat":51.520847},"words":"filled.count.soap","language":"en",` +
			`"map":"https://w3w.co/filled.count.soap"}`,
		`{"error":{"code":"InvalidKey","message":"Authentication failed; invalid API key"}}`, `{"words":"<script>.a.b"}`, `{"words":"a.b.c\n"}`,
		`{"words":"größe.schöne.straße"}`, `{"words":["a.b.c"]}`, `{"error":{"code":"\r\nx"}}`, `null`, ``,
	} {
		f.Add(200, body)
		f.Add(402, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		c := words.Client{Key: "the-operators-key", Transport: transport{status, body}}
		said, err := c.At(t.Context(), 51.520847, -0.195521)
		if err != nil {
			if text := err.Error(); !errors.Is(err, words.ErrUnreachable) || said != "" || len(text) > 400 || strings.ContainsFunc(text, unicode.IsControl) {
				t.Fatalf("%d %q: %q, %v", status, body, said, err)
			}
			return
		}
		if status != http.StatusOK || strings.Count(said, ".") != 2 || len([]rune(said)) > 182 || strings.ContainsAny(said, "<>&\"/: ") ||
			strings.ContainsFunc(said, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
			t.Fatalf("%d %q: %q", status, body, said)
		}
	})
}
