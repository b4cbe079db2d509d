package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lightbar/catalog"
	"lightbar/internal/config"
	"lightbar/internal/sso"
	"lightbar/internal/store"
)

// providers are the clients of the configured identity providers; answers come back to the public address alone.
// A mapping that is no id, or gives no role, is refused: what a name means is for every tenant to change.
func providers(e *env, cfg *config.Server) ([]*sso.Client, error) {
	if cfg.SSO == "" {
		return nil, nil
	}
	list, err := sso.ReadProviders(cfg.SSO)
	if err != nil {
		return nil, place("%s.", err)
	}
	for _, p := range list {
		for _, m := range p.Mappings {
			if mappingFault(m, nil) == "" {
				continue
			}
			organizations, _ := organizationNames(e) // only for the words
			return nil, config.Error(fmt.Sprintf("The file of identity providers %s: provider %s: %s.", cfg.SSO, p.ID,
				mappingFault(m, organizations)))
		}
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
	organizations, known := organizationNames(d.e)
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
		d.warn("sign-on", noProvider, "%s lists no provider", d.server.SSO)
	}
	for _, p := range list {
		state := good
		for _, text := range mappingFaults(p, organizations, known) {
			state = wrong
			d.say("sign-on", wrong, "provider %s: %s", p.ID, text)
		}
		switch {
		case p.ClientSecret == "":
			d.warn("sign-on", noClientSecret, "provider %s has no client_secret: it must know this server as a public client", p.ID)
		case state == good && !known:
			d.warn("sign-on", ssoUnchecked, "provider %s (%s) reads well; its organizations were not looked up, as the database cannot be read yet",
				p.ID, p.Issuer)
		case state == good:
			d.say("sign-on", good, "provider %s (%s), %s mapped; it was not asked", p.ID, p.Issuer, counted(len(p.Mappings), "group"))
		}
	}
}

// mappingFault is what is wrong with a mapping in itself, with the id to write
// instead of a name; empty when nothing is. organizations may be nil: not known yet.
func mappingFault(m sso.Mapping, organizations []store.OrganizationName) string {
	if role, ok := catalog.RoleByName(m.Role); !ok || role.Order == nil {
		return fmt.Sprintf("group %s is mapped to the role %s, which cannot be assigned", m.Group, m.Role)
	}
	if id, err := uuid.Parse(m.Organization); err == nil && id.String() == m.Organization {
		return ""
	}
	var named []string
	for _, o := range organizations {
		if strings.EqualFold(o.Name, m.Organization) {
			named = append(named, o.ID)
		}
	}
	fault := fmt.Sprintf("group %s is mapped to the organization %q, which is not an id", m.Group, m.Organization)
	slices.Sort(named)
	switch len(named) {
	case 0:
		return fault + "; write the organization's id"
	case 1:
		return fault + "; write its id instead: " + named[0]
	}
	return fmt.Sprintf("%s but the name of %d organizations; write the id of the right one: %s", fault, len(named),
		strings.Join(named, " or "))
}

// mappingFaults are sentences about mappings that would let nobody in.
func mappingFaults(p sso.Provider, organizations []store.OrganizationName, known bool) []string {
	var out []string
	for _, m := range p.Mappings {
		fault := mappingFault(m, organizations)
		there := func(o store.OrganizationName) bool { return o.ID == m.Organization }
		if fault == "" && known && !slices.ContainsFunc(organizations, there) {
			fault = fmt.Sprintf("group %s is mapped to the organization %s, which is not there", m.Group, m.Organization)
		}
		if fault != "" {
			out = append(out, fault)
		}
	}
	return out
}

// organizationNames reads the organizations of the database; known is false when it cannot be
// read, which the check of the database has said.
func organizationNames(e *env) (list []store.OrganizationName, known bool) {
	if e.common.Database == "" {
		if _, err := os.Stat(e.common.SQLitePath()); err != nil {
			return nil, false
		}
	}
	ctx, cancel := context.WithTimeout(e.ctx, 30*time.Second)
	defer cancel()
	s, err := store.Open(ctx, storeOptions(e, true))
	if err != nil {
		return nil, false
	}
	defer func() { _ = s.Close() }()
	list, err = store.ListOrganizationNames(ctx, s.Reader())
	return list, err == nil
}
