package engine

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// InsecureHosts are the hosts of an address of PostgreSQL to which a connection could go over the network in the clear, or to an
// impostor: not loopback, not a socket, not verified by name. The environment and service files that pgx reads are included.
func InsecureHosts(at string) ([]string, error) {
	conf, err := pgxpool.ParseConfig(at)
	if err != nil {
		return nil, err
	}
	c := conf.ConnConfig
	tries := append([]*pgconn.FallbackConfig{{Host: c.Host, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	var out []string
	for _, try := range tries {
		if !onThisMachine(try.Host) && (try.TLSConfig == nil || try.TLSConfig.InsecureSkipVerify) && !slices.Contains(out, try.Host) {
			out = append(out, try.Host)
		}
	}
	return out, nil
}

// onThisMachine is true for a socket's folder and for loopback.
func onThisMachine(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// CheckWire refuses a way to PostgreSQL on which others can read or answer.
func CheckWire(o Options) error {
	if o.AllowInsecure {
		return nil
	}
	hosts, err := InsecureHosts(o.URL)
	if err != nil || len(hosts) == 0 {
		return err
	}
	return Unusablef(nil, "The connection to PostgreSQL on %s would not be encrypted, or not verified; add sslmode=verify-full to --database "+
		"(with sslrootcert=FILE for an authority of your own), or accept it with --allow-insecure-database.", strings.Join(hosts, ", "))
}

// oneSchema returns the schema of the tables, quoted for search_path: no schema that appears later can put its own tables before
// them.
func oneSchema(ctx context.Context, at string) (string, error) {
	conf, err := pgx.ParseConfig(at)
	if err != nil {
		return "", err
	}
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	var name string
	err = conn.QueryRow(ctx, `SELECT COALESCE(quote_ident(current_schema()), '')`, pgx.QueryExecModeSimpleProtocol).Scan(&name)
	return name, err
}
