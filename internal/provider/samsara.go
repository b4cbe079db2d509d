package provider

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/outbound"
)

const samsaraServer = "api.samsara.com"

var (
	samsaraVehicles = int(catalog.LimitInt("provider", "samsaraVehicles"))
	samsaraWait     = catalog.LimitMs("provider", "samsaraWaitMs")
)

// samsara asks Samsara's REST API.
type samsara struct {
	api
	inputs inputs
	head   []pause // by feed
}

func newSamsara(a api) *samsara {
	a.name = "Samsara"
	if a.server == "" {
		a.server = samsaraServer
	}
	return &samsara{api: a, inputs: inputs{}, head: make([]pause, len(samsaraTypes))}
}

// get asks for a page and lets member have what the answer's members are.
func (s *samsara) get(ctx context.Context, path string, query url.Values, member func(in *reader, name string) error) error {
	if strings.ContainsFunc(s.account.Secret, func(r rune) bool { return r <= ' ' || r > '~' }) || s.account.Secret == "" {
		return s.failed(Unauthorized, 0, "This is no token of %s.", s.name)
	}
	call := outbound.Call{URL: "https://" + s.server + path + "?" + query.Encode(),
		Header: http.Header{"Authorization": {"Bearer " + s.account.Secret}}}
	return s.ask(ctx, call, func(said *answer) error { return s.heard(ctx, said, query.Has("after"), member) })
}

// heard reads an answer; goesOn tells that the call had a cursor.
func (s *samsara) heard(ctx context.Context, said *answer, goesOn bool, member func(in *reader, name string) error) error {
	if err := s.status(said); err != nil {
		return err
	}
	switch {
	case said.code == http.StatusOK:
	case said.code == http.StatusUnauthorized:
		return s.failed(Unauthorized, 0, "%s refuses the token.", s.name)
	case said.code == http.StatusForbidden:
		return s.failed(Unauthorized, 0, "The token of %s may not read vehicles and their statistics.", s.name)
	case said.isHTML():
		return s.failed(Unavailable, said.retryAfter, "%s answers %d from a server that stands before it.", s.name, said.code)
	case goesOn && lostCursor(said):
		return s.failed(CursorLost, 0, "%s no longer knows where it was read to.", s.name)
	default:
		return s.failed(Unreadable, 0, "%s answers %d %s.", s.name, said.code, http.StatusText(said.code))
	}
	in := read(ctx, said.body)
	err := in.object(func(name string) error { return member(in, name) })
	if err == nil {
		err = in.end()
	}
	return s.shaped(err)
}

// lostCursor reports whether a call was refused for where it wanted to go on: a
// cursor expires after 30 days. Samsara says so in a sentence that it does not
// document. So any refusal in its present form counts, but for those of other
// parameters: begun anew, the feed shows whether it was the cursor.
func lostCursor(said *answer) bool {
	if said.code != http.StatusBadRequest && said.code != http.StatusGone {
		return false
	}
	raw, err := io.ReadAll(io.LimitReader(said.body, 4<<10))
	var refusal struct {
		Message string `json:"message"`
	}
	if err != nil || json.Unmarshal(raw, &refusal) != nil || refusal.Message == "" {
		return false
	}
	message := strings.ToLower(refusal.Message)
	return !strings.Contains(message, "type") && !strings.Contains(message, "limit")
}

// samsaraPage is where a list goes on.
type samsaraPage struct {
	EndCursor   string `json:"endCursor"`
	HasNextPage bool   `json:"hasNextPage"`
}

// samsaraVehicle is what of a vehicle is read; all but the id may be missing.
type samsaraVehicle struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	VIN     string `json:"vin"`
	Serial  string `json:"serial"`
	Plate   string `json:"licensePlate"`
	Gateway struct {
		Serial string `json:"serial"`
	} `json:"gateway"`
	External struct {
		VIN string `json:"samsara.vin"`
	} `json:"externalIds"`
}

// Vehicles are all vehicles of the account.
func (s *samsara) Vehicles(ctx context.Context) ([]Vehicle, error) {
	all := &fleet{api: &s.api, ctx: ctx, seen: map[string]bool{}}
	query := url.Values{"limit": {strconv.Itoa(samsaraVehicles)}}
	for pages := 0; ; pages++ {
		var page samsaraPage
		hasData := false
		err := s.get(ctx, "/fleet/vehicles", query, func(in *reader, name string) error {
			switch name {
			case "data":
				hasData = true
				return in.list(func() error { return s.vehicle(in, all) })
			case "pagination":
				return in.value(&page)
			}
			return in.skip()
		})
		switch {
		case err != nil:
			return nil, err
		case !hasData:
			return nil, s.shaped(errShape)
		case !page.HasNextPage:
			return all.list, nil
		case page.EndCursor == "" || page.EndCursor == query.Get("after") || pages > vehiclesMax/10:
			return nil, s.failed(Unreadable, 0, "%s does not come to an end of its vehicles.", s.name)
		}
		query.Set("after", page.EndCursor)
	}
}

func (s *samsara) vehicle(in *reader, all *fleet) error {
	var v samsaraVehicle
	if err := shapeless(in.value(&v)); err != nil {
		return err
	}
	serial := said(v.Serial)
	if serial == "" {
		serial = said(v.Gateway.Serial)
	}
	return all.add(Vehicle{ExternalID: v.ID, Name: clean(v.Name), VIN: vin(v.VIN, v.External.VIN), Serial: serial, Plate: said(v.Plate)})
}
