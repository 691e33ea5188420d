//go:build unix

package client

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// setGroup makes a command the head of a process group of its own.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }
func killGroup(p *os.Process)      { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// killLeftovers ends what is left of a group whose head has ended, and reports
// whether anybody was left after a moment. The number of a group is not given
// away while it has members, and hardly ever within the moment after.
func killLeftovers(group int) bool {
	for until := time.Now().Add(lingerGrace); time.Now().Before(until); time.Sleep(lingerGrace / 10) {
		if !isAlive(group) {
			return false
		}
	}
	_ = syscall.Kill(-group, syscall.SIGKILL)
	return true
}

// isAlive says whether a group has members that run. Those that have ended and
// wait to be noticed by their parent do not count, where that can be known.
func isAlive(group int) bool {
	if syscall.Kill(-group, 0) == syscall.ESRCH {
		return false
	}
	states, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(states) == 0 {
		return true
	}
	for _, path := range states {
		stat, _ := os.ReadFile(path) // pid (name) state parent group …
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 2 && string(fields[2]) == strconv.Itoa(group) && string(fields[0]) != "Z" {
			return true
		}
	}
	return false
}

func exitOf(state *os.ProcessState) Exit {
	exit := Exit{Code: state.ExitCode()}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Signal = status.Signal().String()
	}
	return exit
}
