package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) feedSubscriptionRoutes() {
	feeds := s.noun("Incoming feeds", "Feeds of closures and hazards that an organization reads.")
	const path = "/organization/feed_subscriptions"
	resource(feeds, "FeedSubscription", "FeedSubscriptions", path, "feed subscription", s.app.Subscriptions)
	do(feeds, http.MethodPost, "fetchFeedSubscription", path+"/{id}/fetch",
		"Fetch a feed soon. The answer doesn't wait for it; watch last_fetched_at.", byID, s.app.FetchFeedSubscription)
	undo(feeds, "FeedSubscription", path, "a feed subscription. A deleted one comes back with its address, and its closures and hazards "+
		"with the next fetch; undoing that deletes it again", s.app.Subscriptions.Undo)
	do(feeds, http.MethodPost, "acceptFeedSubscription", path+"/{id}/accept", "Accept that what a held feed no longer lists is gone. "+
		"It is fetched at once, and what is still missing ends. If more is missing than given, the feed is held again.", whole[acceptOf],
		func(ctx context.Context, actor *access.Actor, in *acceptOf) (wire.FeedSubscription, error) {
			return s.app.AcceptFeedSubscription(ctx, actor, in.ID.String(), in.Body)
		}, http.StatusConflict)
}

type acceptOf struct {
	At
	Once
	Body wire.FeedAccept
}
