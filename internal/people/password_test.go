package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// spec: 5.password.01 5.password.02 5.password.03
func TestPasswordRules(t *testing.T) {
	for password, code := range map[string]string{
		"Blue*Heron7":                      "",
		"aB3*xyzw":                         "",
		"Blåbær*Heron7 🚒":                  "",
		strings.Repeat("aB3*", 50):         "",
		"aB3*xyz":                          "password_rules", // 7 characters
		"blue*heron7":                      "password_rules",
		"BLUE*HERON7":                      "password_rules",
		"Blue*Heron":                       "password_rules",
		"BlueHeron77":                      "password_rules",
		"Blue-Heron7":                      "password_rules", // - is not among the special characters
		strings.Repeat("aB3*", 300):        "password_rules",
		"":                                 "password_rules",
		"Password1!":                       "password_common",
		"P@ssw0rd1!":                       "password_common",
		"Qwerty123!":                       "password_common",
		"Welcome2026!":                     "password_common",
		"SafetyCloud1!":                    "password_common",
		"!Qaz2wsx":                         "password_common",
		"Lovelace99*":                      "password_common", // the own name
		"ada.lovelace1A*":                  "",
		"Dragon#Siren9 over Harbor County": "",
	} {
		err := checkPassword(password, "Ada", "Lovelace", "ada.lovelace")
		var refusal *fleet.Refusal
		got := ""
		if errors.As(err, &refusal) {
			got = refusal.Code
		}
		if got != code {
			t.Errorf("%q: %q, want %q", password, got, code)
		}
	}
	for _, special := range passwordSpecials {
		if err := checkPassword("tidalRiver7" + string(special)); err != nil {
			t.Errorf("%q: %v", special, err)
		}
	}
}

// Three thousand and more of the commonest passwords are refused however they are made to fulfill the rules: a capital letter, digits and
// signs around them, letters written as digits.
func TestTheCommonestPasswordsAreRefusedInDisguise(t *testing.T) {
	words := 0
	for word := range commonPasswords() {
		if !regexp.MustCompile(`^[a-z]{4,}$`).MatchString(word) {
			continue
		}
		words++
		last := len(word) - 1
		inner := strings.NewReplacer("o", "0", "e", "3", "a", "@").Replace(word[1:last])
		for _, password := range []string{strings.ToUpper(word[:1]) + word[1:] + "1984!", "#7" + word[:last] + strings.ToUpper(word[last:]) + "99", strings.ToUpper(word[:1]) + inner + word[last:] + "2026*"} {
			var refusal *fleet.Refusal
			if err := checkPassword(password); !errors.As(err, &refusal) || refusal.Code != "password_common" {
				t.Errorf("%s: %v", password, err)
			}
		}
	}
	if words < 5000 {
		t.Errorf("%d words", words)
	}
	for _, word := range []string{"Klaster77!", "Snappy#1234", "#1Biteme!", "L1verp00l(9)", "Manchester1{}", "Gfhjkm99*"} {
		var refusal *fleet.Refusal
		if !errors.As(checkPassword(word), &refusal) || refusal.Code != "password_common" {
			t.Errorf("%s is taken", word)
		}
	}
}

// The rules that a screen shows are those the server judges by: the web reads
// the same file (model/password.ts).
// spec: D.password.01
func TestPasswordVectors(t *testing.T) {
	text, err := catalog.Files.ReadFile("vectors/password.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Password        string
			Specified, Nist bool
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(file.Cases), err)
	}
	for _, c := range file.Cases {
		if got := checkPassword(c.Password) == nil; got != c.Specified {
			t.Errorf("specified, %q: %v", c.Password, got)
		}
		if got := checkPasswordNIST(c.Password) == nil; got != c.Nist {
			t.Errorf("nist, %q: %v", c.Password, got)
		}
	}
}

// Screens learn from the open answer which rules to show.
// spec: D.password.01
func TestSignInMethodsNameThePolicy(t *testing.T) {
	for policy, want := range map[PasswordProfile]string{"": "specified", PasswordsSpecified: "specified", PasswordsNIST: "nist"} {
		if got := New(Options{Passwords: policy}).SignInMethods(t.Context()).PasswordPolicy; got != want {
			t.Errorf("%q: %q", policy, got)
		}
	}
}

// fill takes all slots; leave gives one back.
func (h *hashing) fill(t *testing.T) (leave func()) {
	t.Helper()
	h.begin()
	for h.free > 0 {
		var err error
		if leave, err = h.enter(t.Context(), stranger); err != nil {
			t.Fatal(err)
		}
	}
	return leave
}

// waiting is how many wait in each line.
func (h *hashing) waiting() (out [standings]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for by, line := range h.lines {
		out[by] = len(line)
	}
	return out
}

// Known devices come before known networks, and both before strangers, who keep their order; who gives up keeps nobody's place.
func TestWhoIsKnownIsHashedFirst(t *testing.T) {
	var h hashing
	leave := h.fill(t)
	order := make(chan string, 10)
	var want [standings]int
	join := func(ctx context.Context, by standing, name string) {
		want[by]++
		go func() {
			if leave, err := h.enter(ctx, by); err == nil {
				order <- name
				leave()
			} else {
				order <- name + " gave up"
			}
		}()
		for h.waiting() != want {
			runtime.Gosched()
		}
	}
	gone, giveUp := context.WithCancel(t.Context())
	join(gone, stranger, "first stranger")
	join(t.Context(), stranger, "second stranger")
	join(t.Context(), stranger, "third stranger")
	join(t.Context(), knownNetwork, "network")
	join(t.Context(), knownDevice, "device")
	giveUp()
	got := []string{<-order}
	leave()
	for range 4 {
		got = append(got, <-order)
	}
	if fmt.Sprint(got) != "[first stranger gave up device network second stranger third stranger]" {
		t.Errorf("%q", got)
	}
}

// Only so many strangers wait; those who are known are not counted.
func TestFewStrangersWait(t *testing.T) {
	var h hashing
	var leave func()
	for range mostStrangers {
		var err error
		if leave, err = h.admit(stranger); err != nil {
			t.Fatal(err)
		}
	}
	for by, want := range map[standing]string{knownDevice: "", knownNetwork: "", stranger: "busy"} {
		_, err := h.admit(by)
		var refusal *fleet.Refusal
		if errors.As(err, &refusal) != (want != "") || refusal != nil && (refusal.Code != want || refusal.RetryAfterS == 0) {
			t.Errorf("%d: %v", by, err)
		}
	}
	leave()
	if _, err := h.admit(stranger); err != nil {
		t.Errorf("one has gone: %v", err)
	}
}

// Whether or not an account exists, the same work is done: with all hashing
// slots taken, both wait for one and are told so.
func TestUnknownAccountsCostAsMuch(t *testing.T) {
	a := &Accounts{}
	hash, err := a.hashPassword(t.Context(), "Blue*Heron7")
	if err != nil {
		t.Fatal(err)
	}
	leave := a.memory.hashing.fill(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, stored := range map[string]string{"known": hash, "unknown": ""} {
		_, _, err := a.matchPassword(gone, stranger, "Blue*Heron7", stored)
		var refusal *fleet.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "busy" || refusal.RetryAfterS == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	leave()
	if match, _, err := a.matchPassword(t.Context(), stranger, "no account has this password", ""); match || err != nil {
		t.Errorf("the stand-in hash opens an account: %v %v", match, err)
	}
	if match, stale, err := a.matchPassword(t.Context(), stranger, "Blue*Heron7", hash); !match || stale || err != nil {
		t.Errorf("the right password: %v %v %v", match, stale, err)
	}
}

// One password is sent as different bytes by different systems; those under which it was hashed before still open the account, once.
func TestAPasswordInEveryForm(t *testing.T) {
	a := &Accounts{}
	const composed, decomposed, wide = "F\u00e4hrschiff#26\u00fc", "Fa\u0308hrschiff#26u\u0308", "F\u00e4hrschiff#\uff12\uff16\u00fc"
	hash, err := a.hashPassword(t.Context(), decomposed)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{composed, decomposed, wide} {
		if match, stale, err := a.matchPassword(t.Context(), stranger, form, hash); !match || stale || err != nil {
			t.Errorf("%+q: %v %v %v", form, match, stale, err)
		}
		if same, err := a.sameAsFormer(t.Context(), form, hash); !same || err != nil {
			t.Errorf("%+q is not the former one: %v", form, err)
		}
	}
	if match, _, _ := a.matchPassword(t.Context(), stranger, "Fahrschiff#26u", hash); match {
		t.Error("letters without their marks open the account")
	}
	old, err := argon2id.CreateHash(decomposed, hashParams)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{composed, decomposed} {
		if match, stale, err := a.matchPassword(t.Context(), stranger, form, old); !match || !stale || err != nil {
			t.Errorf("hashed as it was sent, entered as %+q: %v %v %v", form, match, stale, err)
		}
	}
	if err := checkPassword("\uff30\uff41\uff53\uff53\uff57\uff4f\uff52\uff441!"); err == nil {
		t.Error("a common password in wide letters is taken")
	}
}
