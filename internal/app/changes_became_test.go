package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Closures are told by whether they stand: also of those that the clock began or ended, before and after it has written
// them. A row that was only written again is no news.
func TestChangesTellWhatBecameOfClosures(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin, viewer := k.User(a.ID, "administrator"), k.User(a.ID, "viewer")
		_, err := k.UpdateOrganization(t.Context(), access.System(), a.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true)})
		must(t, err)
		made := func(name string, from, to time.Duration) string {
			t.Helper()
			in := newClosure(name)
			in.Direction = ref("N")
			if in.IsActive = ref(from == 0 && to != 0); from != 0 {
				in.StartTime = ref(k.At().Add(from))
			}
			if to != 0 {
				in.EndTime = ref(k.At().Add(to))
			}
			row, _, err := k.Closures.Create(t.Context(), admin, in)
			must(t, err)
			return row.ID
		}
		made("ends by the clock", 0, 2*time.Hour)
		made("starts by the clock", time.Hour, 9*time.Hour)
		made("comes and goes", time.Hour, 2*time.Hour)
		made("stays", 0, 9*time.Hour)
		hand, open, edited := made("ended by hand", 0, 9*time.Hour), made("begun by hand", 0, 0), made("edited", 0, 9*time.Hour)
		shown, gone := made("published", 0, 0), made("deleted", 0, 0)
		must(t, k.RunClosures(t.Context()))
		k.Pass(time.Second)
		since := k.At()
		tells(t, "nothing yet", happened(t, k, admin, since))

		k.Pass(time.Minute)
		update := func(id string, in wire.ClosureWrite) {
			t.Helper()
			_, err := k.Closures.Edit(t.Context(), admin, id, 0, in)
			must(t, err)
			k.Pass(time.Second)
		}
		update(edited, wire.ClosureWrite{AlertMessage: ref("Slow")})
		feeds := published(1)
		update(shown, wire.ClosureWrite{IsWZDxCompliant: ref(true), ExternalID: feeds.ExternalID, LocationMethod: feeds.LocationMethod,
			VehicleImpact: feeds.VehicleImpact})
		update(shown, wire.ClosureWrite{AlertMessage: ref("Slow")})
		update(hand, wire.ClosureWrite{IsActive: ref(false)})
		update(open, wire.ClosureWrite{IsActive: ref(true), EndTime: ref(k.At().Add(9 * time.Hour))})
		made("new", 0, 0)
		must(t, k.Closures.Remove(t.Context(), admin, gone))
		must(t, k.Closures.Remove(t.Context(), admin, made("mistake", 0, 0)))
		k.Pass(3 * time.Hour)

		want := []string{"closure ended comes and goes nobody", "closure ended ends by the clock nobody",
			"closure activated starts by the clock nobody", "closure created new You", "closure deleted deleted You",
			"closure activated begun by hand nobody", "closure ended ended by hand nobody",
			"closure published published You", "closure changed edited You"}
		tells(t, "before the clock has written", sorted(happened(t, k, admin, since)), sorted(want)...)
		must(t, k.RunClosures(t.Context()))
		tells(t, "after it has", sorted(happened(t, k, admin, since)), sorted(want)...)
		delete(viewer.Permissions, "closure:read")
		tells(t, "who may not see them", happened(t, k, viewer, since))
	})
}

// Hazards are told when they were first reported, confirmed, and how they ended; reports that repeat them are not.
func TestChangesTellWhatBecameOfHazards(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		named := func(id string) fleet.HazardReport {
			h := danger(k, id, "debris")
			h.HasDescription, h.Description, h.ExpiresAt = true, id, k.At().Add(9*time.Hour)
			return h
		}
		brief := named("expires")
		brief.ExpiresAt = k.At().Add(time.Hour)
		tellHazards(t, k, a.ID, named("stays"), named("repeated"), named("seen"), named("clear"), named("over"), brief)
		ids := map[string]string{}
		for _, h := range hazardsOf(t, k, admin) {
			ids[h.Description] = h.ID
		}
		k.Pass(time.Second)
		since := k.At()
		tells(t, "nothing yet", happened(t, k, admin, since))
		k.Pass(time.Minute)
		over := named("over")
		over.HasActive = true
		moved := named("repeated")
		moved.ExpiresAt = k.At().Add(10 * time.Hour)
		tellHazards(t, k, a.ID, moved, over, named("new"))
		_, err := k.ConfirmHazard(t.Context(), admin, ids["seen"])
		must(t, err)
		_, err = k.ClearHazard(t.Context(), admin, ids["clear"])
		must(t, err)
		k.Pass(2 * time.Hour)
		must(t, k.AgeDue(t.Context()))
		want := []string{"hazard expired expires nobody", "hazard opened new nobody", "hazard ended over nobody",
			"hazard confirmed seen nobody", "hazard cleared clear nobody"}
		tells(t, "all", sorted(happened(t, k, admin, since)), sorted(want)...)
	})
}

// Zones are told by whether drivers are warned: what only moves an asset within an active zone is no news.
func TestChangesTellWhatBecameOfZones(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		st := newStreet(t, s)
		zoneNews := func(since fleet.Instant) (out []string) {
			for _, line := range happened(t, st.Kit, st.admin, since) {
				if line[:4] == "zone" {
					out = append(out, line)
				}
			}
			return out
		}
		st.Pass(time.Second)
		begin := st.At()
		st.send(st.at("U-0", 0, hereLat, "on"))
		tells(t, "an asset alerts in it", zoneNews(begin), "zone activated School nobody")
		st.pass(2 * time.Second)
		later := st.At()
		st.send(st.at("U-1", 0, hereLat, "on"))
		tells(t, "another one comes", zoneNews(later))
		st.Pass(time.Second)
		st.send(st.at("U-0", 0, hereLat, "off"), st.at("U-1", 0, hereLat, "off"))
		st.pass(time.Duration(fleet.ZoneExpiryS()+2) * time.Second)
		tells(t, "all have left", zoneNews(later), "zone ended School nobody")
		st.Pass(time.Second)
		begin = st.At()
		st.edit(wire.ZoneWrite{AlertMessage: ref("Slow")})
		st.makeZone(thereShape)
		must(t, st.Zones.Remove(t.Context(), st.admin, st.makeZone(lineShape)))
		tells(t, "people", sorted(zoneNews(begin)), "zone changed School You", "zone created School You")
		_, err := st.Changes(t.Context(), st.admin, app.ChangesQuery{Since: begin})
		must(t, err)
	})
}
