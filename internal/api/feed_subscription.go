package api

import (
	"net/http"

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
}
