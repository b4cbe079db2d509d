package people

import (
	"context"
	"fmt"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// A key that ends stops every gateway that uses it, so people are notified twice beforehand.
var (
	keyNotice     = catalog.LimitMs("session", "keyNoticeMs")
	keyLastNotice = catalog.LimitMs("session", "keyLastNoticeMs")
	keyNoticeRows = int(catalog.LimitInt("session", "keyNoticeRows"))
)

// NoticeKeys mails, 30 and 7 days before an API key ends, the people of its organization who may create another: one mail per
// person for all keys of a pass. The server's own clock calls it every few minutes.
func (a *Accounts) NoticeKeys(ctx context.Context) error {
	due, err := store.KeysToTellOf(ctx, a.Store.Reader(), a.now(), keyNotice, keyLastNotice, noticeBatch)
	if err != nil {
		return err
	}
	var byOrganization [][]fleet.Key
	for i, k := range due {
		if i == 0 || k.OrganizationID != due[i-1].OrganizationID {
			byOrganization = append(byOrganization, nil)
		}
		last := &byOrganization[len(byOrganization)-1]
		*last = append(*last, k)
	}
	return store.EachOf(ctx, byOrganization, func(keys []fleet.Key) error { return a.noticeKeysOf(ctx, keys) })
}

// EndingKeys counts the keys that end within the next 30 days.
func (a *Accounts) EndingKeys(ctx context.Context) (int64, error) {
	now := a.now()
	return store.CountEndingKeys(ctx, a.Store.Reader(), now, now.Add(keyNotice))
}

// noticeKeysOf sends the notices about keys of one organization.
func (a *Accounts) noticeKeysOf(ctx context.Context, due []fleet.Key) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		var keys []fleet.Key
		for i := range due {
			stands, err := tx.NoteKeyNotice(ctx, &due[i], a.now())
			if err != nil {
				return err
			}
			if stands {
				keys = append(keys, due[i])
			}
		}
		o, err := store.OrganizationByID(ctx, tx, due[0].OrganizationID)
		if err != nil || o.DeletedAt != 0 || len(keys) == 0 {
			return err
		}
		zone, err := time.LoadLocation(o.Timezone)
		if err != nil {
			zone = time.UTC
		}
		return a.TellWhoMay(ctx, tx, o.ID, "ADD_KEY", "keys_end", keysEndData(keys, zone))
	})
}

func keysEndData(keys []fleet.Key, zone *time.Location) map[string]string {
	data := map[string]string{"count": fmt.Sprint(len(keys)), "more": ""}
	if more := len(keys) - keyNoticeRows; more > 0 {
		data["more"] = fmt.Sprint(more)
	}
	for i, k := range keys[:min(len(keys), keyNoticeRows)] {
		no := fmt.Sprintf("%02d", i)
		data["name_"+no], data["prefix_"+no], data["ends_"+no] = k.Description, k.Prefix, mailTime(k.ExpiresAt, zone)
		data["used_"+no] = ""
		if k.LastUsedAt != 0 {
			data["used_"+no] = mailTime(k.LastUsedAt, zone)
		}
	}
	return data
}
