package device

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// Topics of a device (decisions, "Devices"): lightbar/v1/{system name}/report and
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
	mqttHello   = catalog.LimitMs("mqtt", "helloMs")
	mqttPending = int32(catalog.LimitInt("mqtt", "pending"))
)

// MQTTStats are the figures of the MQTT listener.
type MQTTStats struct {
	Connected int64
	Reports   int64 // messages whose reports were stored
	Refused   int64 // messages that were refused, and connections that were
}

// MQTTServer takes devices that speak MQTT 3.1.1 or 5.
type MQTTServer struct {
	app     *app.App
	o       Options
	port    net.Listener
	broker  *mqtt.Server
	done    chan struct{}
	stopped sync.Once
	devices sync.Map // *mqttDevice by client id
	newest  sync.Map // *mqttDevice by asset
	number  atomic.Int64
	reports atomic.Int64
	refused atomic.Int64
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
	follows sync.Once
}

// NewMQTT makes the server of a port. tlsConfig is nil on loopback alone, which the settings check.
func NewMQTT(a *app.App, o Options, port net.Listener, tlsConfig *tls.Config) (*MQTTServer, error) {
	port = &helloListener{Listener: port}
	if tlsConfig != nil {
		port = tls.NewListener(port, tlsConfig)
	}
	s := &MQTTServer{app: a, o: o, port: port, done: make(chan struct{})}
	capabilities := mqtt.NewDefaultServerCapabilities()
	capabilities.MaximumClients = int64(mqttClients.Int())
	capabilities.MaximumPacketSize = mqttPacket
	capabilities.MaximumClientWritesPending = mqttPending
	capabilities.MaximumInflight, capabilities.ReceiveMaximum = 64, 64
	capabilities.TopicAliasMaximum = 8
	capabilities.MinimumProtocolVersion = 4
	// What waits for a device is a row in the database; a session would deliver it late, and a retained message for ever.
	capabilities.MaximumSessionExpiryInterval, capabilities.RetainAvailable = 0, 0
	capabilities.SharedSubAvailable, capabilities.WildcardSubAvailable = 0, 0
	s.broker = mqtt.New(&mqtt.Options{Capabilities: capabilities, InlineClient: true, ClientNetReadBufferSize: 1024,
		ClientNetWriteBufferSize: 1024, SysTopicResendInterval: int64(24 * time.Hour / time.Second),
		Logger: slog.New(slog.DiscardHandler)}) // it would log what it could not read, secrets as well
	return s, errors.Join(s.broker.AddHook(&mqttHook{s: s}, nil), s.broker.AddListener(listeners.NewNet("mqtt", s.port)))
}

// Listener is what the server runs.
func (s *MQTTServer) Listener() Listener {
	return Listener{Name: "mqtt", Serve: s.serve, Stop: s.stop}
}

// Stats are the figures since the start.
func (s *MQTTServer) Stats() MQTTStats {
	return MQTTStats{atomic.LoadInt64(&s.broker.Info.ClientsConnected), s.reports.Load(), s.refused.Load()}
}

func (s *MQTTServer) serve() error {
	if err := s.broker.Serve(); err != nil {
		return err
	}
	<-s.done
	return nil
}

// stop closes the port, ends all connections, and waits for what they have begun. What is not acknowledged comes again.
func (s *MQTTServer) stop(ctx context.Context) (err error) {
	s.stopped.Do(func() {
		close(s.done)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
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

// helloListener gives a new connection a few seconds to say who it is; the broker sets the next deadline by the device's keepalive.
type helloListener struct{ net.Listener }

func (l *helloListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.SetDeadline(time.Now().Add(mqttHello))
	}
	return c, err
}

// connect lets a device in: its user name is the asset's system name, its
// password the asset's own key. What it may do is known by the asset from then
// on, so the client id that it chose counts for nothing: nobody takes over
// another's connection by it, and a second connection of the same asset ends the first.
func (s *MQTTServer) connect(cl *mqtt.Client, pk packets.Packet) bool {
	host, _, err := net.SplitHostPort(cl.Net.Remote)
	if err != nil {
		host = cl.Net.Remote
	}
	d := &mqttDevice{client: cl, secret: string(pk.Connect.Password), network: host}
	actor, err := s.authenticate(d)
	if err != nil {
		s.refused.Add(1)
		return false
	}
	name, err := s.app.DeviceOfKey(actor)
	if err != nil || name != string(pk.Connect.Username) {
		s.refused.Add(1)
		return false
	}
	d.thingID, d.root = actor.KeyThingID, topicRoot+name
	cl.ID, cl.Properties.Clean = d.thingID+"/"+strconv.FormatInt(s.number.Add(1), 10), true
	// A will would be published without a question whose topic it names. A device that has gone is silent by what it no longer says.
	cl.Properties.Will = mqtt.Will{}
	d.gone, d.leave = context.WithCancel(context.Background())
	s.devices.Store(cl.ID, d)
	if before, was := s.newest.Swap(d.thingID, d); was {
		_ = s.broker.DisconnectClient(before.(*mqttDevice).client, packets.ErrSessionTakenOver)
	}
	return true
}

// authenticate asks anew each time: a key that was revoked opens nothing more.
func (s *MQTTServer) authenticate(d *mqttDevice) (*access.Actor, error) {
	actor, err := s.app.AuthenticateKey(context.Background(), d.secret, d.network)
	if err == nil && (actor.KeyThingID == "" || d.thingID != "" && actor.KeyThingID != d.thingID) {
		err = fleet.Refuse("invalid_key", "", "Invalid API key.")
	}
	return actor, err
}

func (s *MQTTServer) device(cl *mqtt.Client) *mqttDevice {
	if d, ok := s.devices.Load(cl.ID); ok {
		return d.(*mqttDevice)
	}
	return nil
}

// mayUse tells whether a device may publish to or subscribe to a topic; an attempt on another's ends the connection.
func (s *MQTTServer) mayUse(cl *mqtt.Client, topic string, write bool) bool {
	d := s.device(cl)
	if d == nil {
		return false
	}
	rest, isOwn := strings.CutPrefix(topic, d.root)
	switch {
	case isOwn && write && (rest == topicReport || rest == topicAck), isOwn && !write && (rest == topicCommand || rest == topicRefused):
		return true
	}
	s.refused.Add(1)
	_ = s.broker.DisconnectClient(cl, packets.ErrNotAuthorized)
	return false
}

// take handles what a device published. It returns after the commit: the broker acknowledges then. An error means that
// nothing was taken and the device is to send it again.
func (s *MQTTServer) take(cl *mqtt.Client, pk packets.Packet) error {
	d := s.device(cl)
	if d == nil {
		return packets.ErrNotAuthorized
	}
	actor, err := s.authenticate(d)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), mqttTakes)
	defer cancel()
	if pk.TopicName == d.root+topicAck {
		return s.takeWord(ctx, d, actor, pk.Payload)
	}
	batch, err := decodeMessage(string(pk.Payload))
	if err != nil {
		s.refuse(d, fleet.Refuse("invalid_request", "", "A message is one item or a list of items in JSON."))
		return nil
	}
	result, err := s.app.RecordPoints(ctx, actor, batch)
	if err != nil {
		return s.refuseUnlessBusy(d, err)
	}
	s.reports.Add(1)
	if len(result.Refused)+len(result.Ignored) > 0 {
		s.refused.Add(1)
		s.tell(d, topicRefused, wire.One[app.ReportResult]{Data: result})
	}
	return nil
}

const mqttTakes = 30 * time.Second

// takeWord is what a device says of a command: {"id", "at", "status", "message"}.
func (s *MQTTServer) takeWord(ctx context.Context, d *mqttDevice, actor *access.Actor, payload []byte) error {
	var said struct {
		ID string `json:"id"`
		wire.CommandWord
	}
	if err := json.Unmarshal(payload, &said); err != nil {
		s.refuse(d, errWord)
		return nil
	}
	err := checkWord(&said.CommandWord)
	if err != nil {
		return s.refuseUnlessBusy(d, err)
	}
	_, err = s.app.AcknowledgeCommand(ctx, actor, strings.ToLower(said.ID),
		fleet.CommandWord{Status: said.Status, Message: said.Message, At: said.At})
	return s.refuseUnlessBusy(d, err)
}

// refuseUnlessBusy tells a device what will never be taken; what may be taken later is an error, and is not acknowledged.
func (s *MQTTServer) refuseUnlessBusy(d *mqttDevice, err error) error {
	var refusal *fleet.Refusal
	if err == nil || app.StorageRefusal(err) != nil || !errors.As(err, &refusal) || refusal.RetryAfterS > 0 {
		return err
	}
	s.refuse(d, refusal)
	return nil
}

// refuse tells a device why something was not taken, as HTTP does.
func (s *MQTTServer) refuse(d *mqttDevice, refusal *fleet.Refusal) {
	s.refused.Add(1)
	f := IngestFailure{Error: refusal.Code, Message: refusal.Message, Fields: refusal.Fields}
	if row, ok := catalog.ErrorByCode(f.Error); ok && f.Message == "" {
		f.Message = row.Message
	}
	s.tell(d, topicRefused, f)
}

// tell publishes to a topic of a device; only the device itself can be subscribed to it.
func (s *MQTTServer) tell(d *mqttDevice, topic string, data any) {
	if body, err := json.Marshal(data); err == nil {
		_ = s.broker.Publish(d.root+topic, body, false, 1) // it has gone if this fails
	}
}

// follow hands a device its commands for as long as it is connected.
func (s *MQTTServer) follow(d *mqttDevice) {
	err := s.app.FollowCommands(d.gone, func() (*access.Actor, error) { return s.authenticate(d) },
		func(c *wire.PolledCommand) { s.tell(d, topicCommand, c) })
	if err != nil && d.gone.Err() == nil {
		_ = s.broker.DisconnectClient(d.client, packets.ErrServerBusy) // it comes again, and is asked anew who it is
	}
}

// decodeMessage reads one item, a list of items, or {"items": [...]}.
func decodeMessage(payload string) (app.ReportBatch, error) {
	body := strings.TrimLeft(strings.TrimPrefix(payload, "\ufeff"), " \t\r\n")
	switch {
	case strings.HasPrefix(body, "["):
		body = `{"items":` + body + "}"
	case strings.HasPrefix(body, "{") && !strings.HasPrefix(strings.TrimLeft(body[1:], " \t\r\n"), `"items"`):
		body = `{"items":[` + body + "]}"
	}
	return decodeItems(body)
}

// mqttHook is where the broker asks.
type mqttHook struct {
	mqtt.HookBase
	s *MQTTServer
}

// ID implements mqtt.Hook.
func (h *mqttHook) ID() string { return "lightbar" }

// Provides implements mqtt.Hook.
func (h *mqttHook) Provides(b byte) bool {
	switch b {
	case mqtt.OnConnectAuthenticate, mqtt.OnACLCheck, mqtt.OnPublish, mqtt.OnSubscribed, mqtt.OnDisconnect:
		return true
	}
	return false
}

// OnConnectAuthenticate implements mqtt.Hook.
func (h *mqttHook) OnConnectAuthenticate(cl *mqtt.Client, pk packets.Packet) bool {
	return h.s.connect(cl, pk)
}

// OnACLCheck implements mqtt.Hook.
func (h *mqttHook) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	return h.s.mayUse(cl, topic, write)
}

// OnPublish implements mqtt.Hook. What was not taken is not acknowledged; the connection ends, so that the device sends it again.
func (h *mqttHook) OnPublish(cl *mqtt.Client, pk packets.Packet) (packets.Packet, error) {
	if cl.Net.Inline {
		return pk, nil
	}
	if err := h.s.take(cl, pk); err != nil {
		_ = h.s.broker.DisconnectClient(cl, packets.ErrServerBusy)
		return pk, packets.ErrRejectPacket
	}
	return pk, nil
}

// OnSubscribed implements mqtt.Hook.
func (h *mqttHook) OnSubscribed(cl *mqtt.Client, pk packets.Packet, reasonCodes []byte) {
	d := h.s.device(cl)
	for i, f := range pk.Filters {
		if d != nil && i < len(reasonCodes) && reasonCodes[i] <= packets.CodeGrantedQos2.Code && f.Filter == d.root+topicCommand {
			d.follows.Do(func() { go h.s.follow(d) })
		}
	}
}

// OnDisconnect implements mqtt.Hook.
func (h *mqttHook) OnDisconnect(cl *mqtt.Client, _ error, _ bool) {
	if d := h.s.device(cl); d != nil {
		d.leave()
		h.s.devices.Delete(cl.ID)
		h.s.newest.CompareAndDelete(d.thingID, d)
	}
}
