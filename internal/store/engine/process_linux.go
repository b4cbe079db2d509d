package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// thisProcess identifies this process among all of all machines: the boot of its kernel, its namespace of process numbers, its
// number and when it started. Containers share the first and a host's name, but not the second. "" where the kernel does not show
// it.
func thisProcess() string {
	boot, namespace, err := kernelOf()
	if err != nil {
		return ""
	}
	started, _, err := statOf(os.Getpid())
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %s %d %s", boot, namespace, os.Getpid(), started)
}

// processGone reports that a process identified by thisProcess has ended for certain; false for any that cannot be seen from here.
func processGone(name string) bool {
	f := strings.Fields(name)
	if len(f) != 4 {
		return false
	}
	boot, namespace, err := kernelOf()
	pid, bad := strconv.Atoi(f[2])
	if err != nil || bad != nil || pid < 1 || boot != f[0] || namespace != f[1] {
		return false
	}
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) { // /proc may hide processes of others, this does not
		return true
	}
	started, state, err := statOf(pid)
	return err == nil && (started != f[3] || state == "Z" || state == "X")
}

func kernelOf() (boot, namespace string, err error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", "", err
	}
	namespace, err = os.Readlink("/proc/self/ns/pid")
	return strings.TrimSpace(string(b)), namespace, err
}

// statOf reads when a process started, in ticks since the boot, and its state.
func statOf(pid int) (started, state string, err error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", "", err
	}
	_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')')+1:]), " ") // the name before it may hold anything
	f := strings.Fields(rest)
	if len(f) < 20 {
		return "", "", errors.New("unknown form of /proc/PID/stat")
	}
	return f[19], f[0], nil
}
