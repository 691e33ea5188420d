//go:build unix

package gitrepo

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup makes a command the head of a process group of its own.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a command and what it started: the helper that talks to the
// remote, and the one that unpacks.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// shareLock lets a command hold a lock as well. If this process is killed, the
// lock stays with the command until it ends.
func shareLock(cmd *exec.Cmd, lock *os.File) {
	if lock != nil {
		cmd.ExtraFiles = []*os.File{lock}
	}
}
