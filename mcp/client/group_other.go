//go:build !unix

package client

import (
	"os"
	"os/exec"
	"strconv"
)

// Where there are no process groups, the tree below the server is ended by the
// system's own program for that, as well as it can.

func setGroup(*exec.Cmd) {}

func terminateGroup(p *os.Process) { killGroup(p) }

func killGroup(p *os.Process) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() != nil {
		_ = p.Kill()
	}
}

func killLeftovers(int) bool { return false }

func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode()} }
