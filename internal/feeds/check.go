package feeds

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
	"lightbar/internal/outbound"
	"lightbar/internal/wire"
)

// CheckedFeed is what a check of a feed found.
type CheckedFeed = check.CheckedFeed

// The limits are far below those of subscriptions: someone waits for the answer.
var (
	checkContent = int(catalog.LimitInt("feedCheck", "contentBytes"))
	checkFetch   = catalog.LimitInt("feedCheck", "fetchBytes")
	checkWithin  = catalog.LimitMs("feedCheck", "timeoutMs")
	checkURL     = int(catalog.LimitInt("subscription", "urlText"))
	checkLimits  = read.Limits{Bytes: catalog.LimitInt("feedCheck", "unpackedBytes"), Features: int(catalog.LimitInt("feedCheck", "features"))}
)

// uncheckable are the codes of the catalog for why a document could not be fetched or read.
var uncheckable = map[string]string{
	outbound.BadAddress: "feed_address_invalid", outbound.Refused: "feed_address_refused", outbound.Unreachable: "feed_unreachable",
	outbound.NotSecure: "feed_certificate_invalid", outbound.TimedOut: "feed_timed_out", outbound.TooSlow: "feed_timed_out",
	outbound.TooLarge: "feed_too_large", outbound.Redirects: "feed_redirects", outbound.Status: "feed_status",
	read.Empty: "feed_empty", read.HTML: "feed_html", read.BadGzip: "feed_gzip_invalid", read.UnknownText: "feed_unknown",
	read.UnknownEncoding: "feed_encoding_unknown",
}

// MayCheckFeed refuses who neither looks after closures nor after an organization. Requires CHECK_FEED.
func (a *Incoming) MayCheckFeed(actor *access.Actor) error { return actor.Must("CHECK_FEED") }

// CheckFeed says what is wrong with a document of work zones, that of an address
// or one that is sent; nothing of it is kept. Requires CHECK_FEED. Refusals:
// validation_failed, and feed_… with the field (url, content) when there is
// nothing that could be checked. They never say what answered at the address.
func (a *Incoming) CheckFeed(ctx context.Context, actor *access.Actor, in wire.FeedCheck) (out CheckedFeed, err error) {
	if err := a.MayCheckFeed(actor); err != nil {
		return out, err
	}
	url := strings.TrimSpace(in.URL)
	field := "url"
	switch {
	case (url == "") == (in.Content == ""):
		return out, fleet.RefuseFields(map[string]string{"url": "Send either an address or a document"})
	case len(url) > checkURL:
		return out, noCheck("feed_address_invalid", field, 0)
	case len(in.Content) > checkContent:
		return out, noCheck("feed_too_large", "content", 0)
	}
	var document io.ReadCloser
	if url == "" {
		field, document = "content", io.NopCloser(strings.NewReader(in.Content))
	} else if document, err = a.fetchToCheck(ctx, url); err != nil {
		return out, whyNoCheck(err, field)
	}
	defer func() { _ = document.Close() }()
	report, err := check.Document(ctx, document, checkLimits, a.now())
	if err != nil {
		return out, whyNoCheck(err, field)
	}
	return report.Answer(), nil
}

func (a *Incoming) fetchToCheck(ctx context.Context, url string) (io.ReadCloser, error) {
	client := a.Outbound
	client.Limit, client.Timeout, client.Silence = checkFetch, checkWithin, checkWithin
	got, err := client.Get(ctx, outbound.Request{URL: url})
	if err != nil {
		return nil, err
	}
	return got.Body, nil
}

// whyNoCheck puts a failure into the catalog's words: those of outbound name what an address leads to.
func whyNoCheck(err error, field string) error {
	var fetch *outbound.Error
	var text *read.Unreadable
	switch {
	case errors.As(err, &fetch):
		return noCheck(uncheckable[fetch.Reason], field, fetch.Code)
	case errors.As(err, &text):
		return noCheck(uncheckable[text.Reason], field, 0)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case field == "url": // the line was cut
		return noCheck("feed_unreachable", field, 0)
	}
	return err
}

func noCheck(code, field string, status int) error {
	row, _ := catalog.ErrorByCode(code)
	return fleet.Refuse(code, field, strings.Replace(row.Message, "{status}", strconv.Itoa(status), 1))
}
