package secret

import (
	"bytes"
	"encoding/base64"
	"errors"
	"testing"
)

// A sealed text opens for its key, purpose and id, as it was; anything else is ErrSealed.
func FuzzOpen(f *testing.F) {
	key, other := Key(bytes.Repeat([]byte{7}, 32)), Key(bytes.Repeat([]byte{8}, 32))
	sealed, err := key.Seal("mail", "id", []byte("text"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("mail", "id", sealed, []byte("text"))
	f.Add("", "", "", []byte{})
	f.Add("totp", "0", "AAAAAAAAAAAAAAAA", []byte{0})
	f.Add("mail", "id", sealed+"=", []byte("\xff"))
	f.Add("mail", "id", sealed[:16]+"\n"+sealed[16:], []byte("a"))
	f.Fuzz(func(t *testing.T, purpose, id, text string, plain []byte) {
		if got, err := key.Open(purpose, id, text); err == nil {
			if purpose != "mail" || id != "id" || string(got) != "text" {
				t.Fatalf("%q opens for %q, %q", text, purpose, id)
			}
		} else if !errors.Is(err, ErrSealed) {
			t.Fatal(err)
		}
		box, err := key.Seal(purpose, id, plain)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := key.Open(purpose, id, box); err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("%q comes back as %q (%v)", plain, got, err)
		}
		for _, open := range []func() ([]byte, error){
			func() ([]byte, error) { return other.Open(purpose, id, box) },
			func() ([]byte, error) { return key.Open(purpose+"x", id, box) },
			func() ([]byte, error) { return key.Open(purpose, id+"x", box) },
			func() ([]byte, error) { return key.Open(purpose, id, turned(t, box, len(text))) },
		} {
			if got, err := open(); !errors.Is(err, ErrSealed) {
				t.Fatalf("opens as %q (%v)", got, err)
			}
		}
	})
}

// turned is a sealed text with one bit of one byte turned.
func turned(t *testing.T, sealed string, which int) string {
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	raw[which%len(raw)] ^= 1 << (which % 8)
	return base64.RawStdEncoding.EncodeToString(raw)
}
