package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/config"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
)

// providers are the clients of the configured identity providers; answers come back to the public address alone.
func providers(cfg *config.Server) ([]*sso.Client, error) {
	if cfg.SSO == "" {
		return nil, nil
	}
	list, err := sso.ReadProviders(cfg.SSO)
	if err != nil {
		return nil, place("%s.", err)
	}
	out := make([]*sso.Client, len(list))
	for i, p := range list {
		out[i] = &sso.Client{Provider: p, RedirectURL: cfg.PublicURL + "/api/sso/" + p.ID + "/callback", Now: time.Now}
	}
	return out, nil
}

// singleSignOn examines the file of identity providers, and whether what it
// maps to is there. It asks no provider.
func (d *doctor) singleSignOn() {
	organizations, known := d.organizations()
	if d.server.SSO == "" {
		for _, o := range organizations {
			if o.SSOOnly {
				d.say("sign-on", wrong, "organization %s signs in by its provider alone, and there is no --sso: only break-glass users come in", o.Name)
			}
		}
		return
	}
	list, err := sso.ReadProviders(d.server.SSO)
	if err != nil {
		d.say("sign-on", wrong, "%v", err)
		return
	}
	if len(list) == 0 {
		d.say("sign-on", warn, "%s lists no provider", d.server.SSO)
	}
	for _, p := range list {
		state := good
		for _, text := range mappingFaults(p, organizations, known) {
			state = wrong
			d.say("sign-on", wrong, "provider %s: %s", p.ID, text)
		}
		switch {
		case p.ClientSecret == "":
			d.say("sign-on", warn, "provider %s has no client_secret: it must know this server as a public client", p.ID)
		case state == good && !known:
			d.say("sign-on", warn, "provider %s (%s) reads well; its organizations were not looked up, as the database cannot be read yet", p.ID, p.Issuer)
		case state == good:
			d.say("sign-on", good, "provider %s (%s), %d groups mapped; it was not asked", p.ID, p.Issuer, len(p.Mappings))
		}
	}
}

// mappingFaults are sentences about mappings that would let nobody in.
func mappingFaults(p sso.Provider, organizations []fleet.Organization, known bool) []string {
	var out []string
	for _, m := range p.Mappings {
		if role, ok := catalog.RoleByName(m.Role); !ok || role.Order == nil {
			out = append(out, fmt.Sprintf("group %s is mapped to the role %s, which cannot be assigned", m.Group, m.Role))
		}
		found := 0
		for _, o := range organizations {
			if o.ID == m.Organization || strings.EqualFold(o.Name, m.Organization) {
				found++
			}
		}
		switch {
		case known && found == 0:
			out = append(out, fmt.Sprintf("group %s is mapped to the organization %s, which is not there", m.Group, m.Organization))
		case found > 1:
			out = append(out, fmt.Sprintf("group %s is mapped to the organization %s, whose name %d organizations have: use its id", m.Group, m.Organization, found))
		}
	}
	return out
}

// organizations reads those of the database; known is false when it cannot be
// read, or is older than this binary, which the check of the database has said.
func (d *doctor) organizations() (list []fleet.Organization, known bool) {
	if d.e.common.Database == "" {
		if _, err := os.Stat(d.e.common.SQLitePath()); err != nil {
			return nil, false
		}
	}
	ctx, cancel := context.WithTimeout(d.e.ctx, 30*time.Second)
	defer cancel()
	s, err := store.Open(ctx, storeOptions(d.e, true))
	if err != nil {
		return nil, false
	}
	defer func() { _ = s.Close() }()
	list, err = store.ListOrganizations(ctx, s.Reader())
	return list, err == nil
}
