package api

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/geo"
)

// Words is a what3words address.
type Words struct {
	Words string `json:"words" doc:"\"filled.count.soap\""`
}

type wordsInput struct {
	Lat string `query:"lat" required:"true" doc:"degrees, -90 to 90"`
	Lng string `query:"lng" required:"true" doc:"degrees, -180 to 180"`
}

func (in *wordsInput) at() (geo.LatLng, error) { return parsePlace(in.Lat, in.Lng, true) }

// wordsAt asks what3words for a signed-in user. Where somebody looks is told to
// that service alone, and is neither stored nor logged.
func (s *server) wordsAt(ctx context.Context, _ *access.Actor, at geo.LatLng) (Words, error) {
	if s.options.Words == nil {
		return Words{}, fail("not_found")
	}
	found, err := s.options.Words.At(ctx, at.Lat, at.Lng)
	if err != nil {
		s.app.Log.Warn("what3words", "error", err)
		return Words{}, fail("words_unreachable")
	}
	return Words{Words: found}, nil
}
