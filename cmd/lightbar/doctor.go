package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "time/tzdata" // time zones must not depend on the machine

	"golang.org/x/sys/unix"

	"lightbar/catalog"
	"lightbar/internal/config"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

type doctorCmd struct {
	JSON          bool     `help:"Print JSON: a list of {check, state, text}; a warning also has {id, accepted}." name:"json"`
	Accept        []string `help:"Warning that may stay, by id: shown, but not counted. Can be repeated." placeholder:"ID"`
	config.Server `embed:""`
}

// Help implements kong.HelpProvider.
func (doctorCmd) Help() string {
	return `Use the same settings as for serve. It writes only a small probe file in the data folder, and the server can keep
running. Exit code 0: all good, 1: something to check, 2: something is broken. If a warning may stay, accept it by the id
that stands behind it. Failures can't be accepted.

  lightbar doctor --data /var/lib/lightbar --config /etc/lightbar/lightbar.json
  lightbar doctor --data /var/lib/lightbar --accept no-region,clock-unsynchronized`
}

// doctor collects findings.
type doctor struct {
	e        *env
	server   *config.Server
	accepted []string // ids of warnings
	now      func() time.Time
	holder   string            // who owns the database, as the database says it; "" = nobody
	brand    map[string]string // what the database says of the operator; nil = it could not be read
	findings []finding
}

func (c *doctorCmd) Run(e *env) error {
	if err := checkAccepted(c.Accept); err != nil {
		return err
	}
	d := &doctor{e: e, server: &c.Server, accepted: c.Accept, now: time.Now}
	d.examine()
	if c.JSON {
		if err := json.NewEncoder(e.stdout).Encode(d.findings); err != nil {
			return err
		}
	} else {
		for _, f := range d.findings {
			if _, err := io.WriteString(e.stdout, f.line()); err != nil {
				return err
			}
		}
	}
	if code := d.code(); code != 0 {
		return quietExit(code)
	}
	return nil
}

func (d *doctor) code() int {
	has := func(state string) bool {
		return slices.ContainsFunc(d.findings, func(f finding) bool { return f.State == state && f.counts() })
	}
	switch {
	case has(wrong):
		return 2
	case has(warns):
		return 1
	}
	return 0
}

func (d *doctor) say(check, state, format string, args ...any) {
	d.findings = append(d.findings, finding{Check: check, State: state, Text: fmt.Sprintf(format, args...)})
}

func (d *doctor) examine() {
	b := thisBuild()
	d.say("version", good, "lightbar %s, %s, schema %d", b.Version, b.Go, b.Schema)
	d.configuration()
	d.certificate()
	d.folder()
	d.keys()
	d.database()
	d.port()
	d.openFiles()
	d.maps()
	d.mail()
	d.support()
	d.singleSignOn()
	d.clock()
}

func (d *doctor) configuration() {
	if err := d.server.Check(); err != nil {
		d.say("config", wrong, "%v", err)
		return
	}
	d.say("config", good, "listens on %s, public address %s", d.server.Listen, d.server.PublicURL)
	if !config.Loopback(d.server.Listen) && d.server.AllowHTTP && !d.server.DoesTLS() && len(d.server.TrustedProxies) == 0 {
		d.warn("config", allowHTTP, "--allow-http: passwords travel in the clear")
	}
}

// port tries the addresses to serve on. One that a healthy server has is no fault, on
// either engine: nobody shall be told to stop that server.
func (d *doctor) port() {
	if d.server.Check() != nil {
		return // said already
	}
	d.try("port", "--listen", d.server.Listen, func(r running) string { return r.Listen })
	if d.server.MQTTListen != "" {
		d.try("mqtt", "--mqtt-listen", d.server.MQTTListen, func(r running) string { return r.MQTT })
	}
}

// try tries one address; of is where a server that runs has it.
func (d *doctor) try(check, flag, address string, of func(running) string) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		_ = l.Close()
		d.say(check, good, "%s is free", address)
		return
	}
	switch r, runs := runningIn(d.e.common.Data); {
	case !errors.Is(err, unix.EADDRINUSE):
		d.say(check, wrong, "%s", portWords(flag, address, err))
	case runs && samePort(of(r), address):
		d.say(check, good, "%s is in use, and a server runs on this data folder (process %d)", address, r.PID)
	case !runs && d.holder != "":
		d.warn(check, portInUse, "%s is in use, perhaps by the server that owns the database (%s); "+
			"give the --data folder of that server to be sure", address, d.holder)
	default:
		d.say(check, wrong, "%s", portWords(flag, address, err))
	}
}

// runningIn tells where the server of a data folder is. The file alone proves
// nothing, as a killed server leaves it; who answers on the socket is alive.
func runningIn(data string) (running, bool) {
	var r running
	b, err := os.ReadFile(filepath.Join(data, runFile))
	if err != nil || json.Unmarshal(b, &r) != nil {
		return r, false
	}
	path, done, err := shortPath(filepath.Join(data, controlName))
	if err != nil {
		return r, false
	}
	defer done()
	conn, err := net.DialTimeout("unix", path, 2*time.Second)
	if err != nil {
		return r, false
	}
	_ = conn.Close()
	return r, true
}

// samePort compares two addresses HOST:PORT; the server's own has numbers where the setting may have names.
func samePort(a, b string) bool {
	port := func(address string) int {
		_, text, _ := net.SplitHostPort(address)
		n, err := net.LookupPort("tcp", text)
		if err != nil {
			return -1
		}
		return n
	}
	return port(a) == port(b)
}

// folder looks at the disk below the data.
func (d *doctor) folder() {
	dir := d.e.common.Data
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		d.say("folder", good, "%s does not exist yet; the first start makes it", dir)
		return
	}
	if err != nil || !st.IsDir() {
		d.say("folder", wrong, "%s is not a folder that can be read", dir)
		return
	}
	if st.Mode().Perm()&0o077 != 0 {
		d.warn("folder", folderOpen, "%s is open to others (mode %04o); run chmod 700 on it", dir, st.Mode().Perm())
	}
	disk, err := engine.DiskOf(dir)
	switch {
	case err != nil:
		d.say("disk", wrong, "%s cannot be examined: %v", dir, err)
		return
	case disk.ReadOnly:
		d.say("disk", wrong, "%s is on a read-only file system", dir)
		return
	case disk.Network && d.e.common.Database == "":
		d.say("disk", wrong, "%s is on a network file system (%s), where SQLite loses data", dir, disk.Kind)
	case disk.Free < disk.Total/100*15:
		d.warn("disk", diskLow, "%d MB of %d MB free (%s); below 15 %%", disk.Free>>20, disk.Total>>20, disk.Kind)
	default:
		d.say("disk", good, "%d MB of %d MB free (%s)", disk.Free>>20, disk.Total>>20, disk.Kind)
	}
	d.fsync(dir)
}

func (d *doctor) keys() {
	key, err := serverKey(d.e.common.Data)
	switch {
	case err != nil:
		d.say("key", wrong, "%v", err)
	case key == nil:
		d.say("key", good, "%s does not exist; the first start makes it", keyPath(d.e))
	default:
		d.say("key", good, "%s is readable by its owner alone", keyPath(d.e))
	}
	if !missing(nextKeyPath(d.e)) {
		d.warn("key", rotationCutOff, "%s is left of a rotation that was cut off; run lightbar server-key rotate again", nextKeyPath(d.e))
	}
}

// keyOf looks whether the key is that of the database.
func (d *doctor) keyOf(ctx context.Context, s *store.Store, schema int64) {
	key, err := serverKey(d.e.common.Data)
	if err != nil {
		return // said before
	}
	if err := keyFits(ctx, d.e, s.Reader(), schema, key); err != nil {
		if d.holder != "" {
			d.warn("key", keyElsewhere, "%v", err) // a server has it, perhaps in another folder
			return
		}
		d.say("key", wrong, "%v", err)
	}
}

func (d *doctor) database() {
	if d.e.common.Database == "" {
		if _, err := os.Stat(d.e.common.SQLitePath()); errors.Is(err, fs.ErrNotExist) {
			d.say("database", good, "%s does not exist yet; the first start makes it", d.e.common.SQLitePath())
			d.brand = map[string]string{}
			return
		}
	}
	if hosts, err := engine.InsecureHosts(d.e.common.Database.Reveal()); d.e.common.Insecure && d.e.common.Database != "" && err == nil &&
		len(hosts) > 0 {
		d.warn("database", insecureDatabase, "--allow-insecure-database: whoever is on the way to %s can read and rewrite everything; "+
			"use sslmode=verify-full", strings.Join(hosts, ", "))
	}
	ctx, cancel := context.WithTimeout(d.e.ctx, 30*time.Second)
	defer cancel()
	s, err := store.Open(ctx, storeOptions(d.e, true))
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		d.warn("database", databaseUnchecked,
			"its check did not end within 30 s, which says nothing of it; try again when the disk has less to do")
		return
	}
	if err != nil {
		d.say("database", wrong, "%v", err)
		return
	}
	defer func() { _ = s.Close() }()
	facts, err := s.Facts(ctx)
	if err != nil {
		d.say("database", wrong, "%v", err)
		return
	}
	d.warnIf(facts.SchemaVersion < engine.SchemaVersion(), "database", schemaEarlier, "%s, schema %d of %d, %d MB",
		facts.Engine, facts.SchemaVersion, engine.SchemaVersion(), facts.Bytes>>20)
	if d.holder = facts.Holder; d.holder != "" {
		d.say("server", good, "owned by %s", d.holder)
	}
	d.keyOf(ctx, s, facts.SchemaVersion)
	if d.brand, err = store.Settings(ctx, s.Reader(), "brand."); err != nil {
		d.say("database", wrong, "its settings can't be read: %v", err)
	}
	if facts.WALBytes > 256<<20 {
		d.warn("journal", journalLarge, "the journal has %d MB; a reader holds it open", facts.WALBytes>>20)
	}
	for _, w := range facts.Warnings {
		d.warn("database", warning(w.ID), "%s", w.Text)
	}
	d.rows(s, facts.SchemaVersion)
	d.points(s, facts.SchemaVersion)
	d.storage(ctx, s, facts.SchemaVersion)
	d.audit(ctx, s, facts.SchemaVersion)
	d.apiKeys(ctx, s, facts.SchemaVersion)
}

// keysEnd is how long before their end the doctor names keys, as mails do.
var keysEnd = catalog.LimitMs("session", "keyNoticeMs")

// apiKeys warns of keys that end: on that day, everything that uses them is refused.
func (d *doctor) apiKeys(ctx context.Context, s *store.Store, schema int64) {
	if schema < engine.SchemaVersion() {
		return
	}
	now := fleet.InstantOf(d.now())
	switch n, err := store.CountEndingKeys(ctx, s.Reader(), now, now.Add(keysEnd)); {
	case err != nil:
		d.warn("api keys", keysUncounted, "they could not be counted: %v", err)
	case n > 0:
		d.warn("api keys", keysEnding, "%d end within 30 days, and what uses them is refused then; Accounts, API keys, names them", n)
	}
}

// rowsNamed bounds how many rows are named that cannot be read.
const rowsNamed = 5

// rows reads every row that keeps a document: the check of pages doesn't find what is wrong inside one.
func (d *doctor) rows(s *store.Store, schema int64) {
	if schema < engine.SchemaVersion() {
		return
	}
	ctx, cancel := context.WithTimeout(d.e.ctx, 30*time.Second)
	defer cancel()
	found, err := store.FindUnread(ctx, s.Reader())
	if err != nil {
		d.warn("rows", rowsUnread, "not all were read within 30 s, which says nothing of the rest: %v", err)
	}
	for _, row := range found[:min(len(found), rowsNamed)] {
		d.say("rows", wrong, "%s %s can't be read (column %s) and is left out everywhere; a backup made before may have it",
			row.Table, row.Key, row.Column)
	}
	if more := len(found) - rowsNamed; more > 0 {
		d.say("rows", wrong, "%d more can't be read", more)
	}
}

// blocksSince is the schema that has blocks of points.
const blocksSince = 37

// points says where they lie, and reads every block. That may take long, so the time is its own.
func (d *doctor) points(s *store.Store, schema int64) {
	if schema < blocksSince {
		return
	}
	ctx, cancel := context.WithTimeout(d.e.ctx, 30*time.Second)
	defer cancel()
	kept, err := points.CountStored(ctx, s.Reader())
	if err != nil {
		d.warn("points", pointsUncounted, "they could not be counted: %v", err)
		return
	}
	orMore := ""
	if kept.Table == points.CountLimit {
		orMore = " or more"
	}
	d.say("points", good, "%d%s in their table, %d at rest in %s (%d MB)", kept.Table, orMore, kept.Sealed,
		counted(kept.Blocks, "block"), kept.Bytes>>20)
	damaged, err := points.DamagedBlocks(ctx, s.Reader())
	switch {
	case err != nil:
		d.warn("points", pointsUnread, "not all blocks were read within 30 s, which says nothing of the rest: %v", err)
	case len(damaged) > 0:
		d.say("points", wrong, "damaged are %d of %s, the first: %s; the rest can be read; a backup made before has them",
			len(damaged), counted(kept.Blocks, "block"), damaged[0])
	}
}

func (d *doctor) maps() {
	dir := mapDir(d.e.common.Data)
	found, _ := filepath.Glob(filepath.Join(dir, "*.pmtiles"))
	if len(found) == 0 {
		d.warn("map", noRegion, "no region in %s; the map shows the world base only (lightbar map import)", dir)
		return
	}
	for _, part := range []struct {
		file string
		id   warning
		lost string
	}{
		{geo.RoadsFile, noRoads, "closures are not routed along roads, and streets have no names"},
		{places.PlacesFile, noPlaces, "streets and places cannot be searched"},
	} {
		if missing(filepath.Join(dir, part.file)) {
			d.warn("map", part.id, "%s is there, %s is not: %s; import the region again (lightbar map import)", filepath.Base(found[0]),
				part.file, part.lost)
			return
		}
	}
	d.say("map", good, "%s", filepath.Base(found[0]))
}

// support warns where nobody is named for questions. A database that can't be read may name somebody.
func (d *doctor) support() {
	switch email := people.Helper(d.brand, d.server.Brand.Settings()); {
	case email != "":
		d.say("support", good, "people are sent to %s", email)
	case d.brand != nil:
		d.warn("support", noSupportEmail, "no address of who helps is set (--brand-support-email, brand.support_email in the file): "+
			"screens and emails name none")
	}
}
