package device_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/packets"
	"github.com/eclipse/paho.golang/paho"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// mqttRoom is a room whose devices speak MQTT.
type mqttRoom struct {
	*room
	server  *device.MQTTServer
	port    net.Listener
	stop    func()
	things  []wire.Thing
	options device.Options
}

func newMQTTRoom(t *testing.T) *mqttRoom {
	t.Helper()
	r := &mqttRoom{room: newRoom(t, storetest.SQLite(t))}
	r.listen()
	return r
}

// listen begins anew, as a restart of the server would.
func (r *mqttRoom) listen() {
	t := r.t
	t.Helper()
	var err error
	if r.port, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if r.server, err = device.NewMQTT(r.App, r.options, r.port, nil); err != nil {
		t.Fatal(err)
	}
	l := r.server.Listener()
	served := make(chan error, 1)
	go func() { served <- l.Serve() }()
	r.stop = sync.OnceFunc(func() {
		if err := l.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.stop)
	if r.things, _, err = r.ListThings(t.Context(), r.user, app.ThingQuery{}); err != nil {
		t.Fatal(err)
	}
}

// thing is an asset by its system name.
func (r *mqttRoom) thing(name string) wire.Thing {
	r.t.Helper()
	for _, x := range r.things {
		if x.HaasID == name {
			return x
		}
	}
	r.t.Fatal(name + " is not there")
	return wire.Thing{}
}

// mqttClient is the client of the Eclipse project, which knows nothing of us.
type mqttClient struct {
	t     *testing.T
	c     *paho.Client
	heard chan *paho.Publish
	ended chan struct{}
}

// connect signs in; its error is the server's no.
func (r *mqttRoom) connect(name, secret string, edit ...func(*paho.Connect)) (*mqttClient, error) {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.port.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	out := &mqttClient{t: r.t, heard: make(chan *paho.Publish, 100), ended: make(chan struct{})}
	out.c = paho.NewClient(paho.ClientConfig{Conn: packets.NewThreadSafeConn(conn), PacketTimeout: 20 * time.Second,
		OnPublishReceived: []func(paho.PublishReceived) (bool, error){func(p paho.PublishReceived) (bool, error) {
			out.heard <- p.Packet
			return true, nil
		}}})
	hello := &paho.Connect{ClientID: "tracker", KeepAlive: 30, CleanStart: true, Username: name, UsernameFlag: true,
		Password: []byte(secret), PasswordFlag: true}
	for _, e := range edit {
		e(hello)
	}
	if _, err = out.c.Connect(r.t.Context(), hello); err != nil {
		_ = conn.Close()
		return out, err
	}
	done := out.c.Done() // there is none before it has connected
	go func() {
		<-done
		close(out.ended)
	}()
	r.t.Cleanup(func() { _ = out.c.Disconnect(&paho.Disconnect{}) }) // it may be gone
	return out, nil
}

func (r *mqttRoom) device(name string) *mqttClient {
	r.t.Helper()
	c, err := r.connect(name, r.Key(r.org, r.thing(name).ID))
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// while ends with the connection: the client would wait for an answer that cannot come any more.
func (c *mqttClient) while() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(c.t.Context())
	go func() {
		select {
		case <-c.ended:
		case <-ctx.Done():
		}
		cancel()
	}()
	return ctx, cancel
}

// publish sends a message at QoS 1; its error says that it was not acknowledged.
func (c *mqttClient) publish(topic, body string) error {
	ctx, cancel := c.while()
	defer cancel()
	_, err := c.c.Publish(ctx, &paho.Publish{Topic: topic, QoS: 1, Payload: []byte(body)})
	return err
}

func (c *mqttClient) subscribe(topic string) error {
	ctx, cancel := c.while()
	defer cancel()
	_, err := c.c.Subscribe(ctx, &paho.Subscribe{Subscriptions: []paho.SubscribeOptions{{Topic: topic, QoS: 1}}})
	return err
}

// next is the next message on a topic.
func (c *mqttClient) next(topic string) []byte {
	c.t.Helper()
	select {
	case p := <-c.heard:
		if p.Topic != topic {
			c.t.Fatalf("%s %s, want %s", p.Topic, p.Payload, topic)
		}
		return p.Payload
	case <-time.After(30 * time.Second):
		c.t.Fatal("nothing came on " + topic)
	}
	return nil
}

func (c *mqttClient) mustEnd(why string) {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(30 * time.Second):
		c.t.Errorf("%s: the connection stays", why)
	}
}

// wasRefused asks the audit how often this machine was refused.
func (r *mqttRoom) wasRefused(code string, times int64) {
	r.t.Helper()
	if err := r.Audit.FlushRefusals(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	counts, err := r.Audit.Refusals(r.t.Context(), access.System(), 0)
	if err != nil || len(counts) != 1 || counts[0].Code != code || counts[0].Count != times || counts[0].Network != "127.0.0.0/24" {
		r.t.Errorf("%+v %v, want %d times %s", counts, err, times, code)
	}
}

// revoke ends the keys of an asset.
func revoke(r *mqttRoom, thingID string) {
	r.t.Helper()
	keys, _, err := r.ListKeys(r.t.Context(), access.System(), []string{r.org})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, k := range keys {
		if k.ThingID != nil && *k.ThingID == thingID {
			if err := r.RevokeKey(r.t.Context(), access.System(), k.ID); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}
