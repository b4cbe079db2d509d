package people_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	post "lightbar/internal/mail"
	"lightbar/internal/wire"
)

// What lay in the folder is sent once a mail server is set up: not what has run out, nor a link that was used or replaced, or
// that leads nowhere because its user was removed. It is sent once.
func TestLettersOfTheFolderAreSentLater(t *testing.T) {
	p := newPosted(t)
	ctx, server, administrator := t.Context(), p.App.Post, p.Actor("administrator")
	dir := filepath.Join(t.TempDir(), "outbox")
	p.App.Post = &post.Folder{Dir: dir, From: post.From{Address: "map@fleet.example"}, Log: p.App.Log}
	invite := func(name string) wire.Member {
		t.Helper()
		m, err := p.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: name, LastName: "Ek", Email: name + "@county.example",
			RoleID: wire.ID(p.Users["viewer"].RoleID)})
		must(t, err)
		return m
	}
	waits, here, again, gone := invite("waits"), invite("here"), invite("again"), invite("gone")
	must(t, p.App.ForgotPassword(ctx, "viewer@demo.example", caller())) // good for half an hour
	must(t, p.App.RunMail(ctx))
	files, err := filepath.Glob(filepath.Join(dir, "*-invitation-*.eml"))
	must(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		must(t, err)
		if l := readLetter(t, string(text)); l.To == here.Email {
			must(t, p.App.AcceptInvitation(ctx, l.token(), "Quiet+Marsh#4 otter", caller()))
		}
	}
	p.Clock.Advance(time.Hour)
	_, err = p.App.InviteUser(ctx, p.Actor("administrator"), again.ID)
	must(t, err)
	must(t, p.App.DeleteUser(ctx, p.Actor("administrator"), gone.ID))
	must(t, p.App.RunMail(ctx))
	for _, m := range p.mailRows(t, "viewer") {
		if m.Body != "" {
			t.Errorf("a letter with a link that has run out still says it: %+v", m)
		}
	}
	p.App.Post = server
	must(t, p.App.RunMail(ctx))
	var to []string
	for _, l := range p.letters(t) {
		to = append(to, l.To)
	}
	slices.Sort(to)
	if want := []string{again.Email, waits.Email}; !slices.Equal(to, want) {
		t.Errorf("sent to %v, want %v", to, want)
	}
	if more := p.letters(t); len(more) > 0 {
		t.Errorf("sent twice: %+v", more)
	}
}
