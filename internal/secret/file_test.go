package secret

import (
	"io/fs"
	"testing"
)

func TestExposedFiles(t *testing.T) {
	t.Setenv("CREDENTIALS_DIRECTORY", "/run/credentials/lightbar.service/")
	for _, c := range []struct {
		path string
		mode fs.FileMode
		want bool
	}{
		{"/etc/lightbar/key.pem", 0o600, false},
		{"/etc/lightbar/key.pem", 0o400, false},
		{"/etc/lightbar/key.pem", 0o640, true},
		{"/etc/lightbar/key.pem", 0o604, true},
		{"/run/credentials/lightbar.service/key.pem", 0o440, false},
		{"/run/credentials/lightbar.service/key.pem", 0o444, true},
		{"/run/credentials/lightbar.service/more/key.pem", 0o440, true},
		{"/run/credentials/lightbar.service/../key.pem", 0o440, true},
	} {
		if got := Exposed(c.path, c.mode); got != c.want {
			t.Errorf("%s %04o: %v", c.path, c.mode, got)
		}
	}
	t.Setenv("CREDENTIALS_DIRECTORY", "")
	if !Exposed("key.pem", 0o440) {
		t.Error("without a service manager, the group's bits count")
	}
}
