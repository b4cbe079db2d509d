package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

// watchMailRows is how many findings a mail lists.
var watchMailRows = int(catalog.LimitInt("watchdog", "mailRows"))

// findingLetter mails one person what was found, all of a pass at once.
type findingLetter struct {
	to    fleet.User
	zone  *time.Location
	found []*fleet.Finding
}

// letters decides who is mailed what. told are the findings that must be stored: those that changed, and open ones that are mailed
// now, because their rule was turned on or the quiet hours are over.
func (p *watchPass) letters(ctx context.Context, changed []fleet.Finding) (letters []findingLetter, told []fleet.Finding, err error) {
	isChanged := map[string]bool{}
	for i := range changed {
		isChanged[changed[i].ID] = true
	}
	told = changed
	p.watching.book.Open(func(f *fleet.Finding) {
		if isOn := p.of(f.OrganizationID).Mode(f.Rule) == fleet.WatchOn; !isChanged[f.ID] && (f.Held || f.Trial && isOn) {
			told = append(told, *f)
		}
	})
	toTell, wasHeld := map[string][]*fleet.Finding{}, map[string]bool{}
	for i := range told {
		f := &told[i]
		switch {
		case f.EndedAt != 0:
		case p.of(f.OrganizationID).Mode(f.Rule) != fleet.WatchOn:
			f.Held = false // its rule was turned off before anybody was mailed
		default:
			wasHeld[f.ID] = f.Held && !f.Trial
			f.Trial = false
			toTell[f.OrganizationID] = append(toTell[f.OrganizationID], f)
		}
	}
	if len(toTell) == 0 {
		return nil, told, nil
	}
	err = p.Store.Read(ctx, func(r store.Reader) error {
		for id, found := range toTell {
			of, err := p.lettersTo(ctx, r, id, found)
			if err != nil {
				return err
			}
			letters = append(letters, of...)
		}
		return nil
	})
	// Findings that still wait for the end of the quiet hours are already stored like that.
	told = slices.DeleteFunc(told, func(f fleet.Finding) bool { return wasHeld[f.ID] && f.Held && !isChanged[f.ID] })
	return letters, told, err
}

// lettersTo returns the mails to the people of an organization who requested them; in its quiet hours none, and the findings wait.
func (p *watchPass) lettersTo(ctx context.Context, r store.Reader, id string, found []*fleet.Finding) ([]findingLetter, error) {
	o, err := store.OrganizationByID(ctx, r, id)
	if err != nil {
		return nil, err
	}
	people, err := p.whoAsked(ctx, r, id)
	if err != nil {
		return nil, err
	}
	zone := zoneOf(o.Timezone)
	isHeld := len(people) > 0 && p.of(id).IsQuiet(p.now, zone)
	var out []findingLetter
	for _, u := range people {
		if !isHeld {
			out = append(out, findingLetter{u, zone, found})
		}
	}
	for _, f := range found {
		f.Held, f.Mailed = isHeld, slices.Clone(f.Mailed)
		for _, letter := range out {
			f.Mailed = append(f.Mailed, fleet.FindingMail{UserID: letter.to.ID, At: p.now})
		}
	}
	return out, nil
}

// whoAsked returns the people of an organization who requested mails, and who may still see its assets.
func (p *watchPass) whoAsked(ctx context.Context, r store.Reader, id string) (out []fleet.User, err error) {
	users, err := store.UsersMailedFindings(ctx, r, id)
	if err != nil {
		return nil, err
	}
	for _, userID := range users {
		u, actor, err := p.ActorOfMail(ctx, r, userID)
		if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
			continue // suspended, or deleted
		}
		if err != nil {
			return nil, err
		}
		if actor.Meets("VIEW_THINGS") && actor.Reach(id) == access.Full {
			out = append(out, u)
		}
	}
	return out, nil
}

// send queues a mail.
func (p *watchPass) send(ctx context.Context, tx *store.Tx, letter *findingLetter) error {
	data := map[string]string{"count": fmt.Sprint(len(letter.found)), "more": ""}
	if more := len(letter.found) - watchMailRows; more > 0 {
		data["more"] = fmt.Sprint(more)
	}
	for i, f := range letter.found[:min(len(letter.found), watchMailRows)] {
		no := fmt.Sprintf("%02d", i)
		data["rule_"+no], data["name_"+no], data["about_"+no] = f.Rule, p.assetName(f), f.About.Name
		data["since_"+no] = people.MailTime(f.BeganAt, letter.zone)
	}
	data["link"] = "list"
	link := p.PublicURL + "/dashboard/accounts/watchdog"
	if len(letter.found) == 1 && letter.found[0].ThingID != "" {
		data["link"] = "asset"
		link = p.PublicURL + "/dashboard/things/" + letter.found[0].ThingID
	}
	return p.QueueMail(ctx, tx, people.Mail{Kind: "findings", UserID: letter.to.ID, To: letter.to.Email, Data: data, Link: link})
}

// assetName is what people call the asset of a finding.
func (p *watchPass) assetName(f *fleet.Finding) string {
	t, ok := p.Live.ThingOf(f.OrganizationID, f.ThingID)
	if !ok {
		return ""
	}
	return strings.TrimSpace(cmp.Or(t.Nickname, t.SystemName))
}
