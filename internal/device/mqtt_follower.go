package device

import (
	"context"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
	"golang.org/x/time/rate"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/budget"
)

// topicAlerts is where alerts to drivers are followed: alerts/{organization}/{cell}. No device has this topic, whatever its name: a
// client that follows alerts is no device.
const topicAlerts = topicRoot + "alerts/"

// The special names in place of a cell: all cells of an organization, as the two wildcards, and the topic that reports that all was
// sent.
const (
	allCells  = "all"
	wildLevel = "+"
	wildRest  = "#"
)

var (
	followersMost       = catalog.Setting("alerts", "followers")
	followersPerAddress = catalog.Setting("alerts", "followersPerAddress")
	cellsFollowed       = int(catalog.LimitInt("alerts", "cells"))
	cellsPerMinute      = catalog.LimitInt("alerts", "cellsPerMinute")
)

// mqttFollower is a connected drivers' app: it follows alerts, and can do nothing else.
type mqttFollower struct {
	client  *mqtt.Client
	secret  string // empty: it follows what is public
	network string
	gone    context.Context
	leave   context.CancelFunc
	pace    *rate.Limiter // of subscriptions
	written sync.Mutex    // held while alerts of one organization are written

	mu            sync.Mutex
	filters       map[string]packets.Subscription
	organizations map[string]*followed
	unheard       map[uint16]bool // messages that it has not acknowledged
	last          uint16          // packet identifier
	heard         chan struct{}   // holds one: it acknowledged
}

// followed is an organization whose alerts a connection follows.
type followed struct {
	keyID    string // that lets it; empty: everyone may
	follower *alerts.CellFollower
	leave    context.CancelFunc
}

// followerSeats are the connections of apps; the zero value works.
type followerSeats struct {
	mu        sync.Mutex
	all       int
	addresses map[netip.Prefix]int
}

func (p *followerSeats) take(address string) bool {
	household := budget.Household(address)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all >= followersMost.Int() || p.addresses[household] >= followersPerAddress.Int() {
		return false
	}
	if p.addresses == nil {
		p.addresses = map[netip.Prefix]int{}
	}
	p.all++
	p.addresses[household]++
	return true
}

func (p *followerSeats) give(address string) {
	household := budget.Household(address)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all--
	if p.addresses[household]--; p.addresses[household] == 0 {
		delete(p.addresses, household)
	}
}

func (p *followerSeats) count() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int64(p.all)
}

// isFollower reports whether a connecting client follows alerts: it has a key of an organization for that, or neither name nor key.
// A device without its key is not mistaken for one.
func (s *MQTTServer) isFollower(pk *packets.Packet, actor *access.Actor) bool {
	switch {
	case s.alerts == nil:
		return false
	case actor != nil:
		return actor.KeyThingID == "" && actor.MustReadAlerts() == nil
	}
	return len(pk.Connect.Username) == 0 && len(pk.Connect.Password) == 0
}

// admit lets a follower in; false: there is no place.
func (s *MQTTServer) admit(cl *mqtt.Client, pk *packets.Packet, conn *mqttConn, network string) bool {
	if !s.seats.take(network) {
		s.refuseBusy(cl)
		return false
	}
	f := &mqttFollower{client: cl, secret: string(pk.Connect.Password), network: network, filters: map[string]packets.Subscription{},
		pace:          rate.NewLimiter(rate.Limit(float64(cellsPerMinute)/60), 2*cellsFollowed),
		organizations: map[string]*followed{}, unheard: map[uint16]bool{}, heard: make(chan struct{}, 1)}
	cl.ID, cl.Properties.Clean, cl.Properties.Will = "follower/"+strconv.FormatInt(s.number.Add(1), 10), true, mqtt.Will{}
	f.gone, f.leave = context.WithCancel(context.Background())
	conn.follower = f
	conn.welcome()
	s.followers.Store(f, true)
	return true
}

// followerActor authenticates the key again each time; nil = it has none.
func (s *MQTTServer) followerActor(f *mqttFollower) (*access.Actor, error) {
	if f.secret == "" {
		return nil, nil
	}
	return s.app.AuthenticateKey(context.Background(), f.secret, f.network)
}

// followerLeft removes a connection that has ended, however it did.
func (s *MQTTServer) followerLeft(f *mqttFollower) {
	f.leave()
	s.followers.Delete(f)
	s.seats.give(f.network)
	s.broker.UnsubscribeClient(f.client)
	s.broker.Clients.Delete(f.client.ID)
}

// alertFilter reads a filter of alerts: an organization, and one of its cells or all.
func alertFilter(filter string) (organizationID string, cell alerts.Cell, isAll, ok bool) {
	rest, ok := strings.CutPrefix(filter, topicAlerts)
	organizationID, last, hasLast := strings.Cut(rest, "/")
	isID := len(organizationID) == len("01900000-0000-7000-8000-000000000000") && strings.Trim(organizationID, "0123456789abcdef-") == ""
	if !ok || !hasLast || !isID {
		return "", 0, false, false
	}
	if last == wildLevel || last == wildRest {
		return organizationID, 0, true, true
	}
	cell, ok = alerts.ParseCell(last)
	return organizationID, cell, false, ok
}

// mayFollow reports whether a follower may subscribe to a topic. Publishing, subscribing without permission, or too often ends the
// connection: each check costs a query of the database.
func (s *MQTTServer) mayFollow(f *mqttFollower, topic string, write bool) bool {
	organizationID, _, _, ok := alertFilter(topic)
	code, why := "forbidden", packets.ErrNotAuthorized
	switch {
	case write || !ok:
	case !f.pace.Allow():
		code, why = "rate_limited", packets.ErrQuotaExceeded
	default:
		f.mu.Lock()
		_, follows := f.organizations[organizationID]
		f.mu.Unlock()
		if follows { // if it may not any more, its board ends it
			return true
		}
		keyID, err := s.mayRead(f, organizationID)
		if err == nil {
			f.mu.Lock()
			f.organizations[organizationID] = &followed{keyID: keyID, leave: func() {}}
			f.mu.Unlock()
			return true
		}
		if refusal := refusalForGood(err); refusal != nil {
			code = refusal.Code
		} else {
			why = packets.ErrServerBusy
		}
	}
	s.refused.Add(1)
	s.app.Audit.NoteRefusal(f.network, code)
	s.end(f.client, why)
	return false
}

func (s *MQTTServer) mayRead(f *mqttFollower, organizationID string) (keyID string, err error) {
	actor, err := s.followerActor(f)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(f.gone, mqttTakes)
	defer cancel()
	keyID, _, err = s.app.FollowAlerts(ctx, actor, organizationID)
	return keyID, err
}

// subscribed begins to publish to a follower; it returns the code of its subscription when there is no place for it.
func (s *MQTTServer) subscribed(f *mqttFollower, filter packets.Subscription) (packets.Code, bool) {
	organizationID, cell, isAll, ok := alertFilter(filter.Filter)
	if !ok {
		return packets.ErrNotAuthorized, false
	}
	f.mu.Lock()
	if _, has := f.filters[filter.Filter]; !has && len(f.filters) >= cellsFollowed {
		f.mu.Unlock()
		s.refused.Add(1)
		return packets.ErrQuotaExceeded, false
	}
	of := f.organizations[organizationID]
	f.mu.Unlock()
	if of == nil {
		return packets.ErrNotAuthorized, false
	}
	if of.follower == nil {
		ctx, cancel := context.WithTimeout(f.gone, mqttTakes)
		follower, err := s.alerts.JoinCells(ctx, alerts.Request{OrganizationID: organizationID, KeyID: of.keyID, Address: f.network})
		cancel()
		if err != nil {
			f.mu.Lock()
			delete(f.organizations, organizationID)
			f.mu.Unlock()
			s.refused.Add(1)
			return packets.ErrQuotaExceeded, false
		}
		of.follower = follower
		var while context.Context
		while, of.leave = context.WithCancel(f.gone)
		go s.followOne(while, f, organizationID, of)
	}
	f.mu.Lock()
	f.filters[filter.Filter] = filter
	f.mu.Unlock()
	if isAll {
		of.follower.FollowAll()
	} else {
		of.follower.Follow(cell)
	}
	return packets.CodeSuccess, true
}

// unsubscribed stops publishing a filter to a follower, and an organization when it was its last filter.
func (f *mqttFollower) unsubscribed(filter string) {
	organizationID, cell, isAll, ok := alertFilter(filter)
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, has := f.filters[filter]; !ok || !has {
		return
	}
	delete(f.filters, filter)
	of, root := f.organizations[organizationID], topicAlerts+organizationID+"/"
	stays, staysAll := false, false
	for other := range f.filters {
		if strings.HasPrefix(other, root) {
			stays, staysAll = true, staysAll || other == root+wildLevel || other == root+wildRest
		}
	}
	switch {
	case !stays:
		of.leave()
		delete(f.organizations, organizationID)
	case isAll && !staysAll:
		of.follower.LeaveAll()
	case !isAll:
		of.follower.Leave(cell)
	}
}

// followOne publishes one organization's alerts to a follower until it ends, and ends the connection unless the follower left by
// itself.
func (s *MQTTServer) followOne(ctx context.Context, f *mqttFollower, organizationID string, of *followed) {
	err := of.follower.Run(ctx, func(messages []alerts.Message) error { return s.tellAlerts(ctx, f, organizationID, messages) })
	if ctx.Err() == nil {
		s.end(f.client, endOfFollower(err))
	}
}

// askFollowers ends the connections whose key was revoked, also of those that follow nothing.
func (s *MQTTServer) askFollowers() {
	s.followers.Range(func(x, _ any) bool {
		f := x.(*mqttFollower)
		if _, err := s.followerActor(f); err != nil && refusalForGood(err) != nil {
			s.end(f.client, packets.ErrNotAuthorized)
		}
		return true
	})
}

// heardOf notes that a follower acknowledged a message.
func (f *mqttFollower) heardOf(id uint16) {
	f.mu.Lock()
	delete(f.unheard, id)
	f.mu.Unlock()
	select {
	case f.heard <- struct{}{}:
	default:
	}
}

// refuseBusy refuses a connecting client for whom there is no place now.
func (s *MQTTServer) refuseBusy(cl *mqtt.Client) {
	s.refused.Add(1)
	busy := packets.ErrServerBusy
	if cl.Properties.ProtocolVersion < 5 {
		busy = packets.ErrServerUnavailable
	}
	_ = s.broker.SendConnack(cl, busy, false, nil)
	cl.Stop(busy)
}
