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

// lockFile waits for nobody: it says whether the lock was free.
func lockFile(f *os.File) (bool, error) {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
	case nil:
		return true, nil
	case syscall.EWOULDBLOCK, syscall.EINTR:
		return false, nil
	default:
		return false, err
	}
}
