package people

import (
	"encoding/json"
	"io"
	"log/slog"
	"testing"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
)

// Whatever a browser sends as a passkey's answer, it neither crashes the server
// nor opens an account without the key's signature.
func FuzzPasskeyAnswers(f *testing.F) {
	for _, seed := range []string{``, `null`, `{}`, `[]`, `"x"`, `{"id":"a2V5","rawId":"a2V5","type":"public-key","response":{}}`,
		`{"id":"a2V5","rawId":"a2V5","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":"dTE"}}`,
		`{"id":"a2V5","rawId":"a2V5","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODA4MCJ9","authenticatorData":"SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ","signature":"MEQCIA","userHandle":"dTE"}}`,
		`{"id":"a2V5","rawId":"a2V5","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUEA"}}`} {
		f.Add([]byte(seed))
	}
	a := New(Options{Base: record.Base{Log: slog.New(slog.NewTextHandler(io.Discard, nil))}, PublicURL: "http://localhost:8080"})
	u := fleet.User{ID: "u1", Email: "a@x.example"}
	key, err := json.Marshal(webauthn.Credential{ID: []byte("key"), PublicKey: []byte{0xa0}})
	if err != nil {
		f.Fatal(err)
	}
	rows := []store.Passkey{{ID: passkeyID([]byte("key")), UserID: "u1", Credential: string(key)}}
	session := webauthn.SessionData{Challenge: "AAAAAAAAAAAAAAAAAAAAAA", RelyingPartyID: "localhost", UserID: []byte("u1"),
		AllowedCredentialIDs: [][]byte{[]byte("key")}, UserVerification: protocol.VerificationRequired}
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, ok, err := a.checkPasskey(u, rows, &session, body); ok || err != nil {
			t.Errorf("%q: %v %v", body, ok, err)
		}
		made, err := a.createPasskey(a.relyingParty(), u, "name", pendingPasskey{Ceremony: &session}, body)
		if err == nil {
			t.Errorf("%q registered %+v", body, made)
		}
	})
}

// What is typed as a code is taken for nothing but the code.
func FuzzTypedCodes(f *testing.F) {
	for _, seed := range []string{"", "000000", "287 082", "ABCD-EFGH-IJKL-MNOP", "\x00", "１２３４５６"} {
		f.Add(seed)
	}
	secret := []byte("12345678901234567890")
	f.Fuzz(func(t *testing.T, code string) {
		if step, ok := totpMatch(secret, code, 59_000, 0); ok && (step < 0 || step > 2) {
			t.Errorf("%q is taken for step %d", code, step)
		}
		if recoveryHash("u1", code) == recoveryHash("u2", code) {
			t.Errorf("%q has one hash for two users", code)
		}
	})
}
