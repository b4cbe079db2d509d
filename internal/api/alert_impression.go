package api

import (
	"io"
	"net/http"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

var (
	impressionsPerConsumer = int(catalog.LimitInt("alerts", "impressionsPerConsumerMinute"))
	impressionsPerAddress  = catalog.Setting("alerts", "impressionsPerAddressMinute")
)

const impressionsPath = "/feeds/{organization}/alerts/impressions"

// impressionBytes is the largest body: ids have 24 characters, and some room.
const impressionBytes = 16 << 10

// serveImpressions takes which alerts an app showed to its driver: POST
// /feeds/{organizationId}/alerts/impressions, by who may follow the alerts.
func (s *server) serveImpressions(w http.ResponseWriter, r *http.Request) {
	openToPages(w.Header())
	noStore(w)
	out, err := s.takeImpressions(w, r)
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_ = marshalJSON(w, map[string]any{"data": out}) // the sender has gone if this fails
}

// allowImpressions answers pages of others that ask whether they may send impressions.
func (s *server) allowImpressions(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	openToPages(h)
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

func (s *server) takeImpressions(w http.ResponseWriter, r *http.Request) (out wire.AlertImpressed, err error) {
	if ok, wait := s.impressions.allow(callOf(r.Context()).Network, s.app.Now()); !ok {
		return out, tooOften(wait)
	}
	actor, err := s.keyOf(r)
	if err != nil {
		return out, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, impressionBytes))
	if err != nil {
		if f := failureOfBody(err); f != nil {
			return out, f
		}
		return out, err
	}
	in, err := readImpressions(body)
	if err != nil {
		return out, err
	}
	organization := r.PathValue("organization")
	if ok, wait := s.impressions.consumers.allow(s.app.ConsumerName(organization, in.Consumer), 1, s.app.Now()); !ok {
		return out, tooOften(wait)
	}
	return s.app.RecordImpressions(r.Context(), actor, organization, in)
}

// readImpressions decodes the body of a POST of impressions.
func readImpressions(body []byte) (in wire.AlertImpressions, err error) {
	var sent struct {
		Consumer *string   `json:"consumer"`
		Alerts   *[]string `json:"alerts"`
	}
	if err := unmarshalStrict(body, &sent); err != nil {
		return in, fail("invalid_request")
	}
	fields := map[string]string{}
	if sent.Consumer == nil {
		fields["consumer"] = "Required"
	}
	if sent.Alerts == nil {
		fields["alerts"] = "Required"
	}
	if len(fields) > 0 {
		return in, fleet.RefuseFields(fields)
	}
	return wire.AlertImpressions{Consumer: *sent.Consumer, Alerts: *sent.Alerts}, nil
}
