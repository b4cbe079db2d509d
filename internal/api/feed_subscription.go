package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) feedSubscriptionRoutes() {
	feeds := group{s, "Feeds of others"}
	const path = "/organization/feed_subscriptions"
	quiet(feeds, "FeedSubscription", "FeedSubscriptions", path, "feed subscription",
		quietVerbs[wire.FeedSubscription, wire.FeedSubscriptionWrite]{
			s.app.ListFeedSubscriptions, s.app.FeedSubscription, s.app.CreateFeedSubscription, s.app.UpdateFeedSubscription,
			s.app.DeleteFeedSubscription})
	do(feeds, http.MethodPost, "fetchFeedSubscription", path+"/{id}/fetch",
		"Fetch a feed soon. Ours. The answer does not wait for it: last_fetched_at tells.", byID, s.app.FetchFeedSubscription)
	undo(feeds, "FeedSubscription", path, "a feed subscription. What was deleted comes back with its address, and its closures and hazards "+
		"with the next fetch; to undo that deletes it again", s.app.UndoFeedSubscription)
	do(feeds, http.MethodPost, "acceptFeedSubscription", path+"/{id}/accept", "Believe that what a held feed no longer has is gone. Ours. "+
		"It is fetched at once, and what is missing then ends; more than was seen is held again.", whole[acceptOf],
		func(ctx context.Context, actor *access.Actor, in *acceptOf) (wire.FeedSubscription, error) {
			return s.app.AcceptFeedSubscription(ctx, actor, in.ID.String(), in.Body)
		}, http.StatusConflict)
}

type acceptOf struct {
	At
	Once
	Body wire.FeedAccept
}
