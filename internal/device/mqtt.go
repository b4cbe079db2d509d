package device

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
)

// Topics of a device (docs/mqtt.md): lightbar/v1/{system name}/report and
// ack, which it publishes, command and refused, to which it subscribes.
const (
	topicRoot    = "lightbar/v1/"
	topicReport  = "/report"
	topicAck     = "/ack"
	topicCommand = "/command"
	topicRefused = "/refused"
)

var (
	mqttClients = catalog.Setting("mqtt", "clients")
	mqttPacket  = uint32(catalog.LimitInt("mqtt", "packetBytes"))
	mqttHello   = catalog.Setting("mqtt", "helloMs")
	mqttHellos  = int(catalog.LimitInt("mqtt", "hellos"))
	mqttWrites  = catalog.Setting("mqtt", "writeMs")
	mqttTold    = int(catalog.LimitInt("mqtt", "refusals"))
	mqttPending = uint16(catalog.LimitInt("mqtt", "pending"))
)

// MQTTStats are the figures of the MQTT listener.
type MQTTStats struct {
	Connected int64
	Followers int64 // of them, apps that follow alerts
	Hellos    int64 // connections that have not authenticated yet
	Taken     int64 // messages that were stored: reports, and words on commands
	Refused   int64 // messages of which something was refused, connections that were, and topics that were
}

// MQTTServer accepts devices that speak MQTT 3.1.1 or 5, and drivers' apps that follow alerts. The broker implements the protocol;
// what a device may do and what happens to its messages is decided here. Nothing is passed from one device to another: system names
// are unique only in an organization, so the connection, and not the topic, determines the device.
type MQTTServer struct {
	app     *app.App
	budget  *budget.Budget
	port    *mqttPort
	broker  *mqtt.Server
	done    chan struct{}
	stops   atomic.Bool
	stopped sync.Once
	newest  sync.Map // *mqttDevice by asset
	devices atomic.Int64
	number  atomic.Int64
	taken   atomic.Int64
	refused atomic.Int64

	alerts    *alerts.Hub // nil = nobody follows them here
	seats     followerSeats
	followers sync.Map // *mqttFollower
}

// mqttDevice is a device that is connected.
type mqttDevice struct {
	client  *mqtt.Client
	secret  string
	thingID string
	root    string // of its topics, without a slash at the end
	network string
	gone    context.Context
	leave   context.CancelFunc

	turn     sync.Mutex // held while a message is taken, until it is acknowledged
	isTaking bool       // of the goroutine that reads

	excused atomic.Bool // it disconnected normally, or the server ended its connection: the end does not make it silent

	waiting atomic.Int64    // how often it had to be notified of commands since a goroutine began to do so
	handed  map[string]bool // open commands that it was sent; only the goroutine that sends them uses it

	mu        sync.Mutex
	topics    map[string]packets.Subscription // that it subscribed to
	following *app.Following                  // nil = it does not follow its commands
	unheard   map[uint16]bool                 // messages that it has not acknowledged
	last      uint16                          // packet identifier
}

// NewMQTT makes the server of a port. tlsConfig is nil on loopback alone, which the settings check.
func NewMQTT(a *app.App, o Options, port net.Listener, tlsConfig *tls.Config) (*MQTTServer, error) {
	s := &MQTTServer{app: a, budget: o.Budget, alerts: o.Alerts, done: make(chan struct{})}
	if s.budget == nil {
		s.budget = &budget.Budget{}
	}
	s.port = newMQTTPort(port, tlsConfig, a.Log, s.attach, s.left)
	capabilities := mqtt.NewDefaultServerCapabilities()
	capabilities.MaximumClients = int64(mqttClients.Int())
	if s.alerts != nil {
		capabilities.MaximumClients += int64(followersMost.Int()) // who follows alerts takes no device's place
	}
	capabilities.MaximumPacketSize = mqttPacket
	capabilities.MaximumClientWritesPending = 1 // nothing waits there: see tell
	capabilities.MaximumInflight, capabilities.ReceiveMaximum = mqttPending, mqttPending
	capabilities.TopicAliasMaximum = 0 // the broker checks access to a topic before it knows which one an alias names
	capabilities.MinimumProtocolVersion = 4
	capabilities.Compatibilities.NoInheritedPropertiesOnAck = true
	// What waits for a device is a row in the database; a session would deliver it late, and a retained message for ever.
	capabilities.MaximumSessionExpiryInterval, capabilities.RetainAvailable = 0, 0
	capabilities.SharedSubAvailable, capabilities.WildcardSubAvailable = 0, 0
	s.broker = mqtt.New(&mqtt.Options{Capabilities: capabilities, ClientNetReadBufferSize: 1024,
		ClientNetWriteBufferSize: 1024, SysTopicResendInterval: int64(24 * time.Hour / time.Second),
		Logger: slog.New(slog.DiscardHandler)}) // it would log what it could not read, secrets as well
	return s, errors.Join(s.broker.AddHook(&mqttHook{s: s}, nil), s.broker.AddListener(s.port))
}

// Listener returns the listener for the server to run.
func (s *MQTTServer) Listener() Listener {
	return Listener{Name: "mqtt", Serve: s.serve, Stop: s.stop}
}

// Stats are the figures since the start.
func (s *MQTTServer) Stats() MQTTStats {
	return MQTTStats{atomic.LoadInt64(&s.broker.Info.ClientsConnected), s.seats.count(), s.port.waiting(), s.taken.Load(), s.refused.Load()}
}

func (s *MQTTServer) serve() error {
	if err := s.broker.Serve(); err != nil {
		return err
	}
	again := time.NewTicker(mqttAsksAgain)
	defer again.Stop()
	for {
		select {
		case <-s.done:
			return nil
		case <-again.C:
			s.askAgain()
		}
	}
}

// mqttAsksAgain is how often the access of quiet devices is checked again; each message is checked by itself.
const mqttAsksAgain = time.Minute

// askAgain ends the connections of keys that were revoked.
func (s *MQTTServer) askAgain() {
	s.newest.Range(func(_, x any) bool {
		d := x.(*mqttDevice)
		if _, err := s.authenticate(d); err != nil && refusalForGood(err) != nil {
			s.end(d.client, packets.ErrNotAuthorized)
		}
		return true
	})
	s.askFollowers()
}

// stop closes the port, lets each device finish the message that is being stored, and notifies it that the server stops.
// Unacknowledged messages are sent again.
func (s *MQTTServer) stop(ctx context.Context) (err error) {
	s.stopped.Do(func() {
		defer close(s.done)
		s.stops.Store(true)
		s.port.Close(nil)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			var all sync.WaitGroup
			s.newest.Range(func(_, x any) bool {
				all.Go(func() {
					d := x.(*mqttDevice)
					d.turn.Lock()
					defer d.turn.Unlock()
					s.end(d.client, packets.ErrServerShuttingDown)
				})
				return true
			})
			s.followers.Range(func(x, _ any) bool {
				all.Go(func() { s.end(x.(*mqttFollower).client, packets.ErrServerShuttingDown) })
				return true
			})
			all.Wait()
			err = s.broker.Close()
		}()
		select {
		case <-closed:
		case <-ctx.Done():
			err = ErrCut
		}
	})
	return err
}

// end ends a connection. MQTT 5 gives the reason; in 3.1.1 only a client may disconnect normally.
func (s *MQTTServer) end(cl *mqtt.Client, why packets.Code) {
	if d := below(cl.Net.Conn).device; d != nil && why != packets.ErrUnspecifiedError { // that is a device that could not be written to
		d.excused.Store(true)
	}
	if cl.Properties.ProtocolVersion >= 5 {
		_ = s.broker.DisconnectClient(cl, why)
	}
	cl.Stop(why)
}

// connect admits a device: its user name is the asset's system name, its password the asset's own key. From then on, its access
// follows from the asset, so the client id that it chose does not matter: nobody takes over another's connection by it, and a
// second connection of the same asset ends the first.
func (s *MQTTServer) connect(cl *mqtt.Client, pk packets.Packet) bool {
	conn := below(cl.Net.Conn)
	host, _, err := net.SplitHostPort(cl.Net.Remote)
	if err != nil {
		host = cl.Net.Remote
	}
	d := &mqttDevice{client: cl, secret: string(pk.Connect.Password), network: host,
		topics: map[string]packets.Subscription{}, unheard: map[uint16]bool{}}
	var actor *access.Actor
	if len(d.secret) > 0 || s.alerts == nil {
		actor, err = s.app.AuthenticateKey(context.Background(), d.secret, d.network)
	}
	if err == nil && s.isFollower(&pk, actor) {
		return s.admit(cl, &pk, conn, host)
	}
	if err == nil {
		actor, err = s.authenticate(d)
	}
	name := ""
	if err == nil {
		name, err = s.app.DeviceOfKey(actor)
	}
	switch {
	case err != nil && refusalForGood(err) == nil: // not the device's fault: its key may be good
		s.refuseBusy(cl)
		return false
	case err != nil, name != string(pk.Connect.Username), strings.ContainsAny(name, "+#"): // which no topic can hold
		s.refused.Add(1)
		s.app.Audit.NoteRefusal(host, "invalid_key")
		return false
	case s.devices.Load() >= int64(mqttClients.Int()):
		s.refuseBusy(cl)
		return false
	}
	d.thingID, d.root = actor.KeyThingID, topicRoot+name
	cl.ID, cl.Properties.Clean = d.thingID+"/"+strconv.FormatInt(s.number.Add(1), 10), true
	// A will would be published without a check of its topic. Its purpose is fulfilled without it: see left.
	cl.Properties.Will = mqtt.Will{}
	d.gone, d.leave = context.WithCancel(context.Background())
	conn.device = d
	conn.welcome()
	s.app.NoteBack(d.thingID)
	if before, was := s.newest.Swap(d.thingID, d); was {
		s.end(before.(*mqttDevice).client, packets.ErrSessionTakenOver)
	} else {
		s.devices.Add(1)
	}
	return true
}

// authenticate checks the key again each time: a revoked key opens nothing more.
func (s *MQTTServer) authenticate(d *mqttDevice) (*access.Actor, error) {
	actor, err := s.app.AuthenticateKey(context.Background(), d.secret, d.network)
	if err == nil && (actor.KeyThingID == "" || d.thingID != "" && actor.KeyThingID != d.thingID) {
		err = fleet.Refuse("invalid_key", "", "Invalid API key.")
	}
	return actor, err
}

// left removes a connection that has ended, however it did.
func (s *MQTTServer) left(c *mqttConn) {
	if c.follower != nil {
		s.followerLeft(c.follower)
	}
	d := c.device
	if d == nil {
		return
	}
	d.leave()
	d.mu.Lock()
	s.app.LeaveCommands(d.following)
	d.mu.Unlock()
	if d.isTaking { // it ended amid a message
		d.isTaking = false
		d.turn.Unlock()
	}
	// One that was taken over is not the newest: its asset is connected.
	if s.newest.CompareAndDelete(d.thingID, d) {
		s.devices.Add(-1)
		if !d.excused.Load() && !s.stops.Load() {
			s.app.NoteCut(d.thingID)
		}
	}
	s.broker.UnsubscribeClient(d.client)
	s.broker.Clients.Delete(d.client.ID)
}

// mayUse reports whether a device may publish to or subscribe to a topic; an attempt on another's ends the connection.
func (s *MQTTServer) mayUse(cl *mqtt.Client, topic string, write bool) bool {
	conn := below(cl.Net.Conn)
	if conn.follower != nil {
		return s.mayFollow(conn.follower, topic, write)
	}
	d := conn.device
	if d == nil {
		return false
	}
	if isOwnTopic(d.root, topic, write) {
		return true
	}
	s.refused.Add(1)
	s.app.Audit.NoteRefusal(d.network, "forbidden")
	s.end(cl, packets.ErrNotAuthorized)
	return false
}

// isOwnTopic reports whether a device whose topics begin with root publishes or subscribes to a topic.
func isOwnTopic(root, topic string, write bool) bool {
	rest, isOwn := strings.CutPrefix(topic, root)
	if write {
		return isOwn && (rest == topicReport || rest == topicAck)
	}
	return isOwn && (rest == topicCommand || rest == topicRefused)
}

// refusalForGood is the refusal of something that will never be accepted; nil = it may be accepted later.
func refusalForGood(err error) *fleet.Refusal {
	var refusal *fleet.Refusal
	if app.StorageRefusal(err) != nil || !errors.As(err, &refusal) || refusal.RetryAfterS > 0 {
		return nil
	}
	return refusal
}
