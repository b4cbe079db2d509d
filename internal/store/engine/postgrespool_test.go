package engine

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"lightbar/internal/store/pgtest"
)

// through answers the address of a pooler before a database: connections to it are handled one by one.
func through(t *testing.T, at string, handle func(client, server net.Conn)) string {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	network, address := "tcp", u.Host
	if host := u.Query().Get("host"); strings.HasPrefix(host, "/") {
		port := u.Query().Get("port")
		if port == "" {
			port = "5432"
		}
		network, address = "unix", host+"/.s.PGSQL."+port
	}
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = port.Close() })
	go func() {
		for {
			client, err := port.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial(network, address)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() {
				defer func() { _, _ = client.Close(), server.Close() }()
				handle(client, server)
			}()
		}
	}()
	query := u.Query()
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	u.Host, u.RawQuery = port.Addr().String(), query.Encode()
	return u.String()
}

// start passes on how a connection begins, without the settings in drop.
func start(client, server net.Conn, drop ...string) error {
	backend := pgproto3.NewBackend(client, client)
	message, err := backend.ReceiveStartupMessage()
	if err != nil {
		return err
	}
	first, ok := message.(*pgproto3.StartupMessage)
	if !ok {
		return errors.New("no start")
	}
	for _, name := range drop {
		delete(first.Parameters, name)
	}
	frontend := pgproto3.NewFrontend(server, server)
	frontend.Send(first)
	return frontend.Flush()
}

func passOn(client, server net.Conn) {
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
	both.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
	both.Wait()
}

func refusedThrough(t *testing.T, at string) string {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: at, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err == nil {
		_ = s.Close()
		return ""
	}
	var unusable *Unusable
	if !errors.As(err, &unusable) {
		t.Errorf("not a refusal in words: %v", err)
	}
	return err.Error()
}

// A pooler that drops a setting is noticed at the start, in words: without synchronous_commit an acknowledged report could be lost.
func TestAPoolerThatDropsSettingsIsRefused(t *testing.T) {
	at := pgtest.URL(t, "", nil)
	s := onPostgres(t, at, 0)
	if _, err := s.pg.Exec(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ drop, says string }{
		{"synchronous_commit", "the setting synchronous_commit is off and must be on"}, {"application_name", ""}, {"statement_timeout", "the setting statement_timeout is 0 and must be 30000"},
		{"default_transaction_read_only", "default_transaction_read_only is off and must be on"}, {"lock_timeout", "lock_timeout"},
	} {
		says := refusedThrough(t, through(t, at, func(client, server net.Conn) {
			if start(client, server, c.drop) == nil {
				passOn(client, server)
			}
		}))
		if (says == "") != (c.says == "") || !strings.Contains(says, c.says) || c.says != "" && !strings.Contains(says, "connection pooler") {
			t.Errorf("%s: %q", c.drop, says)
		}
	}
}

// Settings that the address has, in units of a person, are nobody's fault.
func TestSettingsOfTheAddressAreTaken(t *testing.T) {
	at := pgtest.URL(t, "", nil)
	onPostgres(t, at, 0)
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("work_mem", "8MB")
	query.Set("client_encoding", "utf-8")
	query.Set("statement_timeout", "1min") // ours counts
	u.RawQuery = query.Encode()
	if says := refusedThrough(t, u.String()); says != "" {
		t.Error(says)
	}
}

// A pooler that gives each transaction another session is refused, in words.
func TestAPoolerThatSharesSessionsIsRefused(t *testing.T) {
	at := pgtest.URL(t, "", nil)
	onPostgres(t, at, 0)
	var one sync.Mutex // the one session that all have
	var shared net.Conn
	seen := 0
	says := refusedThrough(t, through(t, at, func(client, server net.Conn) {
		if start(client, server) != nil {
			return
		}
		mine := pgproto3.NewFrontend(server, server)
		back := pgproto3.NewBackend(client, client)
		answer := func(from *pgproto3.Frontend) error { // all until the session is ready again
			for {
				message, err := from.Receive()
				if err != nil {
					return err
				}
				back.Send(message)
				if _, ready := message.(*pgproto3.ReadyForQuery); ready {
					return back.Flush()
				}
			}
		}
		if answer(mine) != nil {
			return
		}
		one.Lock()
		of := server
		if seen++; seen == 2 { // the first one asks for the schema alone
			shared = server
			defer func() { <-t.Context().Done() }() // it outlives its client
		}
		if shared != nil {
			of = shared
		}
		session := pgproto3.NewFrontend(of, of)
		one.Unlock()
		for {
			message, err := back.Receive()
			if err != nil {
				return
			}
			query, ok := message.(*pgproto3.Query)
			if !ok {
				return
			}
			one.Lock()
			session.Send(query)
			err = session.Flush()
			if err == nil {
				err = answer(session)
			}
			one.Unlock()
			if err != nil {
				return
			}
		}
	}))
	if !strings.Contains(says, "session pooling") {
		t.Errorf("%q", says)
	}
}
