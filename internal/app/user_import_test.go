package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

const usersHead = "E-Mail;First name;Last name;Role\n"

// importsUsers is a world in which Ann invites people of a file, and somebody elsewhere has an address already.
type importsUsers struct {
	*apptest.Kit
	t                    *testing.T
	organization         string
	ann, elsewhere       *access.Actor
	annsAddress, takenAt string
}

func newImportsUsers(t *testing.T) *importsUsers {
	k := apptest.New(t, storetest.SQLite(t))
	k.PublicURL = "https://fleet.example"
	o, other := k.Organization("Harbor County"), k.Organization("Elsewhere")
	w := &importsUsers{Kit: k, t: t, organization: o.ID, ann: k.User(o.ID, "administrator"), elsewhere: k.User(other.ID, "viewer")}
	w.annsAddress, w.takenAt = w.ann.UserID+"@kit.example", w.elsewhere.UserID+"@kit.example"
	return w
}

func (w *importsUsers) load(who *access.Actor, csv, digest string) (wire.UserImport, error) {
	return w.ImportUsers(w.t.Context(), who, wire.UsersImport{CSV: csv, Digest: digest})
}

// look is a preview by Ann.
func (w *importsUsers) look(csv string) wire.UserImport {
	w.t.Helper()
	out, err := w.load(w.ann, csv, "")
	must(w.t, err)
	return out
}

// members are the addresses of the organization's users, with how their invitations stand.
func (w *importsUsers) members() map[string]string {
	w.t.Helper()
	rows, err := store.MembersOf(w.t.Context(), w.Store.Reader(), w.organization, w.At())
	must(w.t, err)
	out := map[string]string{}
	for _, m := range rows {
		out[m.Email] = m.InvitationMail
	}
	return out
}

// A file invites many people by the law of one: what it shows is what it does, nobody changes who is there already, and for a
// while those can be taken back who have not accepted.
func TestUsersAreImported(t *testing.T) {
	w := newImportsUsers(t)
	file := "\ufeff" + usersHead + "bo@county.example;Bo;Li;viewer\n\nCY@county.example;Cy;Ng;Operator\n" + w.annsAddress + ";;;Viewer\n"
	preview := w.look(file)
	if preview.Invite != 2 || preview.Unchanged != 1 || preview.Refused != 0 || preview.Applied || preview.Rows[1].Line != 4 ||
		preview.Rows[1].Action != "invite" || preview.Invitations != "waiting" {
		t.Fatalf("%+v", preview)
	}
	administrator, _ := catalog.RoleByName("administrator")
	if ann := preview.Rows[2]; ann.Action != "unchanged" || ann.RoleID != administrator.ID || len(ann.Errors) > 0 {
		t.Errorf("who is there already: %+v", ann)
	}
	if len(w.members()) != 1 {
		t.Fatalf("a preview made users: %v", w.members())
	}
	done, err := w.load(w.ann, file, preview.Digest)
	if err != nil || !done.Applied || done.ImportID == "" || len(w.members()) != 3 {
		t.Fatalf("%+v %v %v", done, err, w.members())
	}
	for _, email := range []string{"bo@county.example", "CY@county.example"} {
		if letter := w.members()[email]; letter != store.InvitationQueued {
			t.Errorf("the letter of %s: %q", email, letter)
		}
	}
	if again := w.look(file); again.Invite != 0 || again.Unchanged != 3 {
		t.Errorf("the same file again: %+v", again)
	}
	tamper(t, w.Store, `UPDATE app_user SET password_hash = 'x' WHERE email = $1`, "bo@county.example")
	undo := func(who *access.Actor) (wire.UserImportUndo, error) {
		return w.UndoUserImport(t.Context(), who, done.ImportID)
	}
	if undone, err := undo(w.ann); err != nil || undone.Deleted != 1 || len(undone.Left) != 1 || undone.Left[0].Email != "bo@county.example" ||
		len(w.members()) != 2 {
		t.Errorf("%+v %v %v", undone, err, w.members())
	}
	if _, err := undo(w.ann); refusalOf(t, err).Code != "import_undone" {
		t.Errorf("twice: %v", err)
	}
	if _, err := undo(w.elsewhere); refusalOf(t, err).Code != "forbidden" {
		t.Errorf("a viewer: %v", err)
	}
}

// What is wrong with a row stands at its column, and costs that row alone.
func TestARowOfAFileOfUsersIsRefusedAlone(t *testing.T) {
	w := newImportsUsers(t)
	manager := w.User(w.organization, "manager")
	preview := w.look(usersHead + "bo@county.example;Bo;;Chief\nnobody;No;Body;Viewer\nbo@county.example;Bo;Li;Viewer\n" +
		"cy@county.example;1/2/2026;Ng;Viewer\ndi@county.example;Di\n" + w.takenAt + ";El;Se;Viewer\ned@county.example;Ed;Ox;Viewer\n")
	for at, fields := range [][]string{{"last_name", "role"}, {"email"}, {"email"}, {"first_name"}, {"row"}, {"email"}, nil} {
		row := preview.Rows[at]
		if action := map[bool]string{true: "refused", false: "invite"}[fields != nil]; row.Action != action {
			t.Errorf("line %d: %+v", row.Line, row)
		}
		for _, field := range fields {
			if row.Errors[field] == "" {
				t.Errorf("line %d says nothing of %s: %+v", row.Line, field, row)
			}
		}
	}
	done, err := w.load(w.ann, usersHead+"nobody;No;Body;Viewer\ned@county.example;Ed;Ox;Viewer\n", w.look(usersHead+
		"nobody;No;Body;Viewer\ned@county.example;Ed;Ox;Viewer\n").Digest)
	if err != nil || done.Refused != 1 || done.Invite != 1 || len(w.members()) != 3 {
		t.Errorf("%+v %v %v", done, err, w.members())
	}
	if _, err := w.load(manager, usersHead, ""); refusalOf(t, err).Code != "forbidden" {
		t.Errorf("who may not invite: %v", err)
	}
}

// Only what a preview showed is done, by whoever has proved who they are: a preview tells which addresses others have.
func TestAFileOfUsersIsWhatWasShown(t *testing.T) {
	w := newImportsUsers(t)
	file := usersHead + "bo@county.example;Bo;Li;Viewer\n"
	digest := w.look(file).Digest
	refuse := func(code, csv, digest string) {
		t.Helper()
		_, err := w.load(w.ann, csv, digest)
		if got := refusalOf(t, err); got.Code != code {
			t.Errorf("%s, want %s: %v", got.Code, code, err)
		}
		if n := len(w.members()); n != 1 {
			t.Errorf("%s made users: %v", code, w.members())
		}
	}
	refuse("import_changed", file+"di@county.example;Di;Oh;Viewer\n", digest)
	w.Pass(time.Hour)
	refuse("step_up_required", file, "")
	refuse("step_up_required", file, digest)
}

// A file invites as many people as may be invited within an hour; the same file goes on later.
func TestAFileOfUsersGoesOnInTheNextHour(t *testing.T) {
	w := newImportsUsers(t)
	file := usersHead
	for i := range 60 {
		file += fmt.Sprintf("u%d@county.example;U;X;Viewer\n", i)
	}
	preview := w.look(file)
	if last := preview.Rows[59]; preview.Invite != 50 || preview.Refused != 10 || !strings.Contains(last.Errors["row"], "within this hour") {
		t.Fatalf("%d invited, %d refused, the last: %+v", preview.Invite, preview.Refused, last)
	}
	_, err := w.load(w.ann, file, preview.Digest)
	must(t, err)
	w.Pass(61 * time.Minute)
	w.Prove(w.ann)
	if preview = w.look(file); preview.Invite != 10 || preview.Unchanged != 50 || preview.Refused != 0 {
		t.Errorf("an hour later: %d, %d there, %d refused", preview.Invite, preview.Unchanged, preview.Refused)
	}
}
