package people_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// counting is a database that counts what it is asked.
type counting struct {
	store.Reader
	n int
}

func (c *counting) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c.n++
	return c.Reader.QueryContext(ctx, query, args...)
}

func (c *counting) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	c.n++
	return c.Reader.QueryRowContext(ctx, query, args...)
}

// Many organizations in reach cost a profile no further statements, and each still says who manages it.
func TestAProfileAsksAsOftenForManyOrganizations(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	profile := func() (wire.Profile, int) {
		t.Helper()
		r := &counting{Reader: w.App.Store.Reader()}
		p, err := people.ProfileIn(w.App.Accounts, ctx, r, w.Actor("administrator"))
		must(t, err)
		return p, r.n
	}
	_, few := profile()
	for i := range 5 {
		o, err := w.App.CreateOrganization(ctx, access.System(), fleet.Organization{Name: fmt.Sprint("Town ", i)})
		must(t, err)
		must(t, w.App.RelateOrganizations(ctx, access.System(), o.ID, w.Own.ID, "manager"))
	}
	p, many := profile()
	if few != many || many > 6 {
		t.Errorf("%d statements, then %d", few, many)
	}
	if len(p.ManagedOrganizations) != 6 {
		t.Fatalf("%d organizations are managed", len(p.ManagedOrganizations))
	}
	for _, o := range p.ManagedOrganizations {
		if len(o.OrganizationManagers) != 1 || o.OrganizationManagers[0].ID != w.Own.ID {
			t.Errorf("%s is managed by %v", o.Name, o.OrganizationManagers)
		}
	}
}
