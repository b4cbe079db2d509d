package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// sharedWorld is an owner with three assets, two of which are shared with a
// partner by relations of their own, one of these with another one too.
type sharedWorld struct {
	*apptest.Kit
	owner, partner, other fleet.Organization
	ids                   []string
	admin                 *access.Actor
}

func newShared(t *testing.T, s *store.Store, related bool) *sharedWorld {
	t.Helper()
	k := apptest.New(t, s)
	x := &sharedWorld{Kit: k, owner: k.Organization("Owner"), partner: k.Organization("Partner"), other: k.Organization("Other")}
	x.admin = k.User(x.owner.ID, "administrator")
	if related {
		must(t, k.RelateOrganizations(t.Context(), access.System(), x.owner.ID, x.partner.ID, "manager"))
	}
	for i, th := range k.Things(x.owner.ID, "U", 3) {
		x.ids = append(x.ids, th.ID)
		var edits []wire.RelationshipWrite
		if i < 2 {
			edits = append(edits, wire.RelationshipWrite{OrganizationUUID: wire.ID(x.partner.ID), RelationshipType: "manager"})
		}
		if i == 1 {
			edits = append(edits, wire.RelationshipWrite{OrganizationUUID: wire.ID(x.other.ID), RelationshipType: "accessor"})
		}
		_, err := k.SetThingAssociations(t.Context(), access.System(), th.ID, edits)
		must(t, err)
	}
	return x
}

// check says what the partner has left: nothing, also after a start.
func (x *sharedWorld) check(t *testing.T, s *store.Store, since fleet.Instant) {
	t.Helper()
	for _, restarted := range []bool{false, true} {
		if restarted {
			x.Open(s, live.Options{})
		}
		if n := x.Live.Count([]string{x.partner.ID}); n != 0 {
			t.Errorf("restarted %v: the partner sees %d assets", restarted, n)
		}
		gone := x.Live.Things(live.Query{Organizations: []string{x.partner.ID}, Since: since, Page: 1, PerPage: 10})
		if len(gone.Things) != 2 || !gone.Things[0].IsDeleted || !gone.Things[1].IsDeleted {
			t.Errorf("restarted %v: the partner is told %+v", restarted, gone.Things)
		}
		partner := x.User(x.partner.ID, "administrator")
		for _, id := range x.ids {
			_, err := x.UpdateThing(t.Context(), partner, id, wire.ThingWrite{Nickname: text("theirs")})
			refused(t, err, "thing_not_found")
		}
		if left, _, _, _ := x.Live.Thing(x.ids[1]); len(left.Relations) != 1 || left.Relations[0].OrganizationID != x.other.ID {
			t.Errorf("restarted %v: what others have is %+v", restarted, left.Relations)
		}
		if n := x.Live.Count([]string{x.other.ID}); n != 1 {
			t.Errorf("restarted %v: the other one sees %d", restarted, n)
		}
	}
}

// With the relation of two organizations ends what single assets gave, in the
// same moment: the other side hears of each asset that it has gone.
func TestEndingARelationEndsWhatItsAssetsGave(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, related := range []bool{true, false} { // also what was given to single assets alone
			s := s
			if !related {
				s = storetest.SQLite(t)
			}
			x := newShared(t, s, related)
			kind := map[bool]string{true: "manager", false: "none"}[related]
			before, err := x.Relations(t.Context(), x.admin, x.owner.ID)
			if must(t, err); len(before.Partners) != 2 || before.Partners[1].OrganizationName != "Partner" || before.Partners[1].AssetsCount != 2 || before.Partners[1].RelationshipType != kind ||
				before.Partners[0].RelationshipType != "none" || before.Partners[0].AssetsCount != 1 {
				t.Fatalf("%+v", before.Partners)
			}
			x.Pass(time.Second)
			since := x.At()
			x.Pass(time.Second)
			said := onTheStream(t, x.Kit, 3, func() {
				got, err := x.SetOrganizationRelation(t.Context(), x.admin, x.owner.ID, x.partner.ID, "delete")
				if err != nil || got.Relation.State != "ended" || got.Relation.AssetsCount != 2 {
					t.Errorf("%+v %v", got.Relation, err)
				}
			})
			if said[x.partner.ID] != "admin removed gone,admin removed gone" || said[x.other.ID] != "thing " {
				t.Errorf("the stream says %q", said)
			}
			x.check(t, s, since)
			rows, err := store.SearchAudit(t.Context(), s.Reader(), store.AuditQuery{OrganizationID: x.owner.ID, To: 1 << 60, Verb: "associate", Noun: "thing", NounID: x.ids[0], Limit: 10})
			if err != nil || len(rows) != 2 || rows[0].ActorUserID != x.admin.UserID {
				t.Errorf("%+v %v", rows, err)
			}
			if after, err := x.Relations(t.Context(), x.admin, x.owner.ID); err != nil || len(after.Partners) != 1 {
				t.Errorf("%+v %v", after, err)
			}
		}
	})
}

// The command line has no picture: the next start reads the same.
func TestEndingARelationWithoutAServer(t *testing.T) {
	s := storetest.SQLite(t)
	x := newShared(t, s, true)
	x.Pass(time.Second)
	since := x.At()
	x.Pass(time.Second)
	x.App.Live = nil
	must(t, x.RelateOrganizations(t.Context(), access.System(), x.owner.ID, x.partner.ID, "delete"))
	x.Open(s, live.Options{})
	x.check(t, s, since)
}

// A removed organization keeps nothing either.
func TestRemovingAnOrganizationEndsWhatAssetsGaveIt(t *testing.T) {
	s := storetest.SQLite(t)
	x := newShared(t, s, true)
	x.Pass(time.Second)
	since := x.At()
	x.Pass(time.Second)
	must(t, x.DeleteOrganization(t.Context(), access.System(), x.partner.ID))
	x.check(t, s, since)
}
