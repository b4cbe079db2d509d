package people

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// UserLine is a line of a file of people to invite, with what is wrong with it already.
type UserLine struct {
	Line                             int
	Email, FirstName, LastName, Role string
	Errors                           map[string]string
}

// UserBatch requests invitations for many people at once.
type UserBatch struct {
	OrganizationID string // "" = the actor's own
	Digest         string // of a preview: execute exactly that; "" = preview
	Lines          []UserLine
}

// UserImportNote is what the audit stores about a file as a whole; the people whom it invited are in rows of the same request.
type UserImportNote struct {
	Invited   int           `json:"invited"`
	Unchanged int           `json:"unchanged"`
	Refused   int           `json:"refused"`
	BegunAt   fleet.Instant `json:"begun_at"`
}

// UserImportNoun is the audit's noun of such files.
const UserImportNoun = "user_import"

const (
	invited, unchanged, refused = "invite", "unchanged", "refused" // the possible results of a row
	rowOfLine                   = "row"                            // the key of a message about a whole line
)

// ImportUndoLife is for how long an import of people or assets can be undone.
var ImportUndoLife = catalog.LimitMs("import", "undoMs")

// userPlan is what a batch would do.
type userPlan struct {
	wire.UserImport
	users []fleet.User // beside Rows; without an id if nobody is invited
}

// InviteUsers shows whom a file would invite, or invites them if given the digest of that preview. Each row is judged like a person
// added by hand (CreateUser): the same rules, roles, limits of invitations, mails, and rows in the audit. An invalid row affects
// only itself, and people who already are users of the organization stay as they are. A preview reveals which addresses other
// organizations have, as a refusal of CreateUser does, so it needs the same: ADD_USER, full reach, and a fresh proof. Refusals:
// organization_not_found, import_changed (409), rate_limited, step_up_required, forbidden.
func (a *Accounts) InviteUsers(ctx context.Context, actor *access.Actor, in UserBatch) (wire.UserImport, error) {
	if err := actor.Must("ADD_USER"); err != nil {
		return wire.UserImport{}, err
	}
	in.OrganizationID = cmp.Or(in.OrganizationID, actor.OrganizationID)
	if err := actor.MustReachFully(in.OrganizationID); err != nil {
		return wire.UserImport{}, err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return wire.UserImport{}, err
	}
	if in.Digest == "" {
		plan, err := a.planUsers(ctx, a.Store.Reader(), actor, &in)
		return plan.UserImport, err
	}
	defer a.memory.signIns.Lock(invitationsOf(actor))()
	actor = actor.AsOneRequest(a.NewID)
	var plan userPlan
	err := a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if err := record.LockOrganizations(ctx, tx, in.OrganizationID); err != nil {
			return err
		}
		if plan, err = a.planUsers(ctx, tx, actor, &in); err != nil {
			return err
		}
		if plan.Digest != in.Digest {
			return usersChanged()
		}
		return a.inviteAll(ctx, tx, actor, &plan, in.OrganizationID)
	})
	if err != nil {
		return wire.UserImport{}, err
	}
	plan.Applied = true
	return plan.UserImport, nil
}

func usersChanged() error {
	return fleet.Refuse("import_changed", "", "The users or the file changed after the preview. Review the new preview.")
}

// inviteAll adds the people of a plan, each as CreateUser does, and notes the file as a whole.
func (a *Accounts) inviteAll(ctx context.Context, tx *store.Tx, actor *access.Actor, plan *userPlan, organizationID string) error {
	begun := a.now()
	for i := range plan.users {
		if plan.users[i].ID == "" {
			continue
		}
		if err := a.inviteOne(ctx, tx, actor, plan.users[i]); err != nil {
			return err
		}
	}
	if plan.Invite == 0 {
		return nil
	}
	plan.ImportID, plan.UndoUntil = a.NewID(), a.now().Add(ImportUndoLife)
	return a.Audit.Write(ctx, tx, actor, audit.Row{ID: plan.ImportID, Verb: "import", Noun: UserImportNoun, NounID: plan.ImportID,
		OrganizationID: organizationID,
		After:          UserImportNote{Invited: plan.Invite, Unchanged: plan.Unchanged, Refused: plan.Refused, BegunAt: begun}})
}

func (a *Accounts) inviteOne(ctx context.Context, tx *store.Tx, actor *access.Actor, u fleet.User) error {
	if err := tx.InsertUser(ctx, u); errors.Is(err, store.ErrEmailInUse) {
		return usersChanged() // since it was looked up
	} else if err != nil {
		return err
	}
	if err := a.Audit.Write(ctx, tx, actor, users.Made(u.ID, &u)); err != nil {
		return err
	}
	return a.welcomeUser(ctx, tx, actor, u)
}

// userJudge judges the lines of a file.
type userJudge struct {
	*Accounts
	r              store.Reader
	actor          *access.Actor
	organizationID string
	members        map[string]store.Member // by key of their address
	lines          map[string]int          // the first line with an address
	mails          bool                    // each is sent an invitation
	left           int                     // how many more
}

// planUsers judges every line.
func (a *Accounts) planUsers(ctx context.Context, r store.Reader, actor *access.Actor, in *UserBatch) (plan userPlan, err error) {
	j, err := a.judgeOfUsers(ctx, r, actor, in.OrganizationID)
	if err != nil {
		return plan, err
	}
	plan.Rows, plan.users = make([]wire.UserImportRow, len(in.Lines)), make([]fleet.User, len(in.Lines))
	for i := range in.Lines {
		row, u, err := j.judge(ctx, &in.Lines[i])
		if err != nil {
			return plan, err
		}
		switch plan.Rows[i] = row; row.Action {
		case refused:
			plan.Refused++
		case unchanged:
			plan.Unchanged++
		default:
			plan.Invite++
			plan.users[i] = u
		}
	}
	switch {
	case !j.mails:
		plan.Invitations = "none"
	case a.HasMailServer():
		plan.Invitations = "mailed"
	default:
		plan.Invitations = "waiting"
	}
	said, err := json.Marshal(plan.Rows)
	sum := sha256.Sum256(append([]byte("lightbar user import 1\x00"+in.OrganizationID+"\x00"), said...))
	plan.Digest = hex.EncodeToString(sum[:])
	return plan, err
}

func (a *Accounts) judgeOfUsers(ctx context.Context, r store.Reader, actor *access.Actor, organizationID string) (*userJudge, error) {
	o, err := store.OrganizationByID(ctx, r, organizationID)
	if err != nil {
		return nil, err
	}
	members, err := store.MembersOf(ctx, r, organizationID, a.now())
	if err != nil {
		return nil, err
	}
	sent, err := store.AttemptsSince(ctx, r, invitationsOf(actor), a.now().Add(-time.Hour))
	j := &userJudge{Accounts: a, r: r, actor: actor, organizationID: organizationID, members: map[string]store.Member{},
		lines: map[string]int{}, mails: !o.SSOOnly, left: max(0, invitationsPerSender.Int()-len(sent))}
	for _, m := range members {
		j.members[m.EmailKey] = m
	}
	return j, err
}

// judge returns what would happen to a line; u is the user who would be invited.
func (j *userJudge) judge(ctx context.Context, line *UserLine) (row wire.UserImportRow, u fleet.User, err error) {
	if row, u, err = j.byLaw(ctx, line); err != nil {
		return row, u, err
	}
	note := func(column, sentence string) { row.Errors[column] = cmp.Or(row.Errors[column], sentence) }
	key := fleet.EmailKey(row.Email)
	first := j.lines[key]
	if first != 0 {
		note("email", fmt.Sprintf("Line %d already has this address.", first))
	} else if row.Email != "" {
		j.lines[key] = row.Line
	}
	if m, is := j.members[key]; is && first == 0 && row.Errors[rowOfLine] == "" { // whatever else is in the row
		row.Action, row.FirstName, row.LastName, row.RoleID = unchanged, m.FirstName, m.LastName, m.RoleID
		row.Errors = map[string]string{}
		return row, u, nil
	}
	if len(row.Errors) == 0 {
		column, sentence, err := j.byOthers(ctx, key)
		if err != nil {
			return row, u, err
		}
		if sentence != "" {
			note(column, sentence)
		}
	}
	if row.Action = invited; len(row.Errors) > 0 {
		row.Action = refused
	}
	return row, u, nil
}

// byOthers returns why nobody can be invited at an address, because of what others have or were sent; empty = they can.
func (j *userJudge) byOthers(ctx context.Context, key string) (column, sentence string, err error) {
	if j.mails {
		if j.left == 0 {
			return rowOfLine, "You can send no more invitations within this hour. Upload the file again later.", nil
		}
		j.left-- // also for a taken address: nobody may look up more of them than they may invite
	}
	_, err = store.UserByEmailKey(ctx, j.r, key)
	switch {
	case err == nil:
		return "email", emailInUse, nil
	case !errors.Is(err, store.ErrNotFound):
		return "", "", err
	case !j.mails:
		return "", "", nil
	}
	sent, err := store.AttemptsSince(ctx, j.r, mailsTo(letterInvitation, key), j.now().Add(-time.Hour))
	if err == nil && len(sent) >= mailsPerAccount {
		return "email", "This address was already sent several invitations within an hour. Upload the file again later.", nil
	}
	return "", "", err
}

// fileColumns are the columns of a file whose fields have other names in the API.
var fileColumns = map[string]string{"firstname": "first_name", "lastname": "last_name"}

// byLaw judges a line by the law of a new user.
func (j *userJudge) byLaw(ctx context.Context, line *UserLine) (row wire.UserImportRow, u fleet.User, err error) {
	row = wire.UserImportRow{Line: line.Line, Email: line.Email, FirstName: line.FirstName, LastName: line.LastName,
		Errors: map[string]string{}}
	maps.Copy(row.Errors, line.Errors)
	note := func(column, sentence string) { row.Errors[column] = cmp.Or(row.Errors[column], sentence) }
	var refusal *fleet.Refusal
	if row.RoleID = roleIDNamed(line.Role); row.RoleID == "" {
		note("role", "Must be one of "+strings.Join(roleLabels(), ", "))
	} else if err := mayGrant(j.actor, row.RoleID); errors.As(err, &refusal) {
		note("role", refusal.Message)
	}
	u, err = j.newUser(ctx, wire.UserCreate{Email: line.Email, FirstName: line.FirstName, LastName: line.LastName, RoleID: wire.ID(row.RoleID),
		OrganizationID: wire.ID(j.organizationID)})
	if !errors.As(err, &refusal) {
		return row, u, err
	}
	for field, sentence := range refusal.Fields {
		note(cmp.Or(fileColumns[field], field), sentence)
	}
	return row, u, nil
}

// roleIDNamed is the id of a role that a file names by its label, its name, or its id; empty = there is none.
func roleIDNamed(text string) string {
	for _, r := range catalog.AllPermissions().Roles {
		if text != "" && r.Order != nil && (strings.EqualFold(text, r.Label) || strings.EqualFold(text, r.Name) || text == r.ID) {
			return r.ID
		}
	}
	return ""
}

func roleLabels() (out []string) {
	for _, r := range catalog.AllPermissions().Roles {
		if r.Order != nil {
			out = append(out, r.Label)
		}
	}
	return out
}

// Uninvite removes a user who has not accepted an invitation, as DeleteUser does; left = a user who stays, and why. Requires what
// that does.
func (a *Accounts) Uninvite(ctx context.Context, actor *access.Actor, id string) (left *wire.UserImportLeft, err error) {
	if err := actor.Must("DELETE_USER"); err != nil {
		return nil, err
	}
	email := ""
	err = record.Remove(ctx, a, actor, &users, id, nil, func(e *record.Editing[*Accounts, fleet.User]) error {
		m, err := store.MemberByID(e, e.Tx, id, e.At)
		if err != nil {
			return err
		}
		if email = m.Email; m.HasEntered {
			return fleet.Refuse("import_final", "", "They accepted the invitation.")
		}
		return removeUser(e)
	})
	var refusal *fleet.Refusal
	switch {
	case !errors.As(err, &refusal) || refusal.Code == "step_up_required":
		return nil, err
	case email == "":
		return &wire.UserImportLeft{Reason: "Somebody removed them, or moved them to another organization."}, nil
	}
	return &wire.UserImportLeft{Email: email, Reason: refusal.Message}, nil
}
