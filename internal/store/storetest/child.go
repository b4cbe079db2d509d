package storetest

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// ChildEnv makes a test binary play the part of another process.
const ChildEnv = "LIGHTBAR_STORE_CHILD"

// Child is this test binary again, as another process: its TestMain reads the part from ChildEnv.
func Child(t *testing.T, part string, wrap []string, args ...string) *exec.Cmd {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	argv := append(append(wrap, me), args...)
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), ChildEnv+"="+part)
	cmd.Stderr = os.Stderr
	return cmd
}

// Killed runs a child that prints a number a line and kills it after some of them; the last number that it said.
func Killed(t *testing.T, cmd *exec.Cmd, after int) (last int) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if n == after {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	return last
}
