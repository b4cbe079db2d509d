package people

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/record"
)

// The vectors of RFC 6238, appendix B (SHA-1), in six digits.
func TestTOTPVectors(t *testing.T) {
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if got := totpCode([]byte("12345678901234567890"), at/30); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

func TestTOTPMatch(t *testing.T) {
	secret := []byte("12345678901234567890")
	const now = fleet.Instant(1_800_000_015_000)
	step := int64(now) / 30_000
	for _, row := range []struct {
		name string
		code string
		used int64
		want bool
	}{
		{"this step", totpCode(secret, step), 0, true},
		{"typed with a gap", totpCode(secret, step)[:3] + " " + totpCode(secret, step)[3:], 0, true},
		{"copied with a gap that does not break", totpCode(secret, step)[:3] + "\u00a0" + totpCode(secret, step)[3:] + "\u200b", 0, true},
		{"typed with a dash", totpCode(secret, step)[:3] + "–" + totpCode(secret, step)[3:], 0, true},
		{"typed in wide digits", wide(totpCode(secret, step)), 0, true},
		{"the step before", totpCode(secret, step-1), 0, true},
		{"the step after", totpCode(secret, step+1), 0, true},
		{"two steps before", totpCode(secret, step-2), 0, false},
		{"two steps after", totpCode(secret, step+2), 0, false},
		{"used", totpCode(secret, step), step, false},
		{"older than the one used", totpCode(secret, step-1), step, false},
		{"newer than the one used", totpCode(secret, step+1), step, true},
		{"nothing", "", 0, false},
		{"too long", totpCode(secret, step) + "0", 0, false},
	} {
		if _, ok := totpMatch(secret, row.code, now, row.used); ok != row.want {
			t.Errorf("%s: %v", row.name, ok)
		}
	}
}

// wide are digits as keyboards of East Asia write them.
func wide(code string) string {
	return strings.Map(func(r rune) rune { return r - '0' + '\uff10' }, code)
}

func TestSealedSecretsBelongToOneUserAndKey(t *testing.T) {
	a := New(Options{Base: record.Base{ServerKey: make([]byte, 32)}})
	secret := newTOTPSecret()
	sealed, err := a.ServerKey.Seal(totpPurpose, "u1", secret)
	if err != nil || strings.Contains(sealed, base32Plain.EncodeToString(secret)) {
		t.Fatalf("sealed %q: %v", sealed, err)
	}
	if got, err := a.ServerKey.Open(totpPurpose, "u1", sealed); err != nil || string(got) != string(secret) {
		t.Errorf("opened %x: %v", got, err)
	}
	if _, err := a.ServerKey.Open(totpPurpose, "u2", sealed); err == nil {
		t.Error("another user's secret opens")
	}
	other := New(Options{Base: record.Base{ServerKey: append(make([]byte, 31), 1)}})
	if _, err := other.ServerKey.Open(totpPurpose, "u1", sealed); err == nil {
		t.Error("it opens under another server key")
	}
}

func TestRecoveryCodesHoweverTyped(t *testing.T) {
	codes, hashes := newRecoveryCodes("u1")
	if len(codes) != 10 || len(hashes) != 10 {
		t.Fatalf("%d codes, %d hashes", len(codes), len(hashes))
	}
	seen := map[string]bool{}
	for i, code := range codes {
		if len(code) != 19 || strings.Contains(hashes[i], code) || seen[code] {
			t.Errorf("code %q, hash %q", code, hashes[i])
		}
		seen[code] = true
		for _, typed := range []string{strings.ToLower(code), " " + strings.ReplaceAll(code, "-", "") + " ", strings.ReplaceAll(code, "O", "0"),
			strings.ReplaceAll(code, "-", "–"), strings.ReplaceAll(code, "-", "\u00a0")} {
			if recoveryHash("u1", typed) != hashes[i] {
				t.Errorf("%q is not taken for %q", typed, code)
			}
		}
		if recoveryHash("u2", code) == hashes[i] {
			t.Error("a code has the same hash for another user")
		}
	}
}

func TestTOTPURL(t *testing.T) {
	got := totpURL("Safety: Cloud", "a+b@demo.example", []byte("12345678901234567890"))
	want := "otpauth://totp/Safety%20%20Cloud:a+b@demo.example?algorithm=SHA1&digits=6&issuer=Safety%3A%20Cloud&period=30&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// spec: D.auth.05
func TestWithdrawnAwarenessModeEndsAsOthersDo(t *testing.T) {
	s := fleet.Session{CreatedAt: 1000, Awareness: true}
	end := fleet.Instant(1000).Add(24 * time.Hour)
	for _, row := range []struct {
		name               string
		user, organization bool
		mode               bool
		end                fleet.Instant
	}{
		{"both allow it", true, true, true, 0},
		{"the organization no more", true, false, false, end},
		{"the user no more", false, true, false, end},
	} {
		got := lawful(s, fleet.User{Awareness: row.user}, fleet.Organization{InfiniteTimeout: row.organization})
		if got.Awareness != row.mode || got.AbsoluteAt != row.end {
			t.Errorf("%s: %+v", row.name, got)
		}
	}
}
