package people_test

import (
	"context"
	"slices"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/testkit"
)

// note is a record that is kept nowhere: the doors are looked at, not a store.
type note struct{ text string }

type noting = record.Editing[*people.Accounts, note]

// The doors ask in their order, stop at the first refusal, give back what was
// held, leave one row of the audit, and let effects follow a commit alone.
func TestDoorsForNewRecordsAndRemovals(t *testing.T) {
	w := testkit.New(t)
	ctx, fresh := t.Context(), w.Actor("administrator")
	stale := *fresh
	stale.SessionID = ""
	var steps []string
	at := func(step string) { steps = append(steps, step) }
	notes := record.Noun[*people.Accounts, note, note]{Name: "note", Adds: "ADD_USER", Removes: "DELETE_USER", Proved: true,
		Of:  func(*note) record.Header { return record.Header{Owner: w.Own.ID} },
		Doc: func(n *note) any { return n.text },
		Load: func(*noting) (note, error) {
			at("load")
			return note{"old"}, nil
		},
	}
	missing := notes
	missing.Load = func(*noting) (note, error) {
		return note{}, fleet.Refuse("note_not_found", "note_id", "Note not found")
	}
	step := func(name string, refuses bool) func(*noting) error {
		return func(e *noting) error {
			at(name)
			e.ID, e.Next = "n", note{"new"}
			e.Hold(func() { at("unlock") })
			e.Afterwards(func() error { at("effect"); return nil })
			if refuses {
				return fleet.Refuse("no_"+name, "", "")
			}
			return nil
		}
	}
	create := func(a *access.Actor, law, insert bool) func() error {
		return func() error {
			_, err := record.Create(ctx, w.App.Accounts, a, &notes, step("law", law), step("insert", insert))
			return err
		}
	}
	remove := func(a *access.Actor, n *record.Noun[*people.Accounts, note, note], may, end bool) func() error {
		return func() error {
			return record.Remove(ctx, w.App.Accounts, a, n, "n", step("may", may), step("end", end))
		}
	}
	for name, row := range map[string]struct {
		do    func() error
		code  string
		steps []string
	}{
		"create without the permission":  {create(w.Actor("viewer"), true, true), "forbidden", nil},
		"create against its law":         {create(&stale, true, true), "no_law", []string{"law", "unlock"}},
		"create without a proof":         {create(&stale, false, true), "step_up_required", []string{"law", "unlock"}},
		"create what cannot be inserted": {create(fresh, false, true), "no_insert", []string{"law", "insert", "unlock", "unlock"}},
		"create":                         {create(fresh, false, false), "", []string{"law", "insert", "effect", "effect", "unlock", "unlock"}},
		"remove without the permission":  {remove(w.Actor("viewer"), &notes, true, true), "forbidden", nil},
		"remove what one may not":        {remove(&stale, &notes, true, true), "no_may", []string{"may", "unlock"}},
		"remove without a proof":         {remove(&stale, &missing, false, true), "step_up_required", []string{"may", "unlock"}},
		"remove what is not there":       {remove(fresh, &missing, false, true), "not_found", []string{"may", "unlock"}},
		"remove what must stay":          {remove(fresh, &notes, false, true), "no_end", []string{"may", "load", "end", "unlock", "unlock"}},
		"remove":                         {remove(fresh, &notes, false, false), "", []string{"may", "load", "end", "effect", "effect", "unlock", "unlock"}},
	} {
		t.Run(name, func(t *testing.T) {
			steps = nil
			before := rowsOfNotes(t, ctx, w)
			if code := codeOf(t, row.do()); code != row.code || !slices.Equal(steps, row.steps) {
				t.Errorf("%q after %q, want %q after %q", code, steps, row.code, row.steps)
			}
			if left := len(rowsOfNotes(t, ctx, w)) - len(before); (left == 1) != (row.code == "") || left > 1 {
				t.Errorf("%d rows were left in the audit", left)
			}
		})
	}
	verbs := slices.Sorted(slices.Values(rowsOfNotes(t, ctx, w)))
	if !slices.Equal(verbs, []string{`create n of ` + w.Own.ID, `delete n of ` + w.Own.ID}) {
		t.Errorf("the audit says %q", verbs)
	}
}

func rowsOfNotes(t *testing.T, ctx context.Context, w *testkit.World) (out []string) {
	t.Helper()
	rows, _, err := w.App.Audit.List(ctx, w.Actor("super"), audit.Query{Noun: "note"})
	must(t, err)
	for _, row := range rows {
		out = append(out, row.Verb+" "+row.NounID+" of "+row.OrganizationID)
	}
	return out
}
