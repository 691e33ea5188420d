//go:build !unix

package gitrepo

import (
	"os"
	"os/exec"
)

func setGroup(*exec.Cmd) {}

func killGroup(p *os.Process) error { return p.Kill() }

// lockFile takes no lock here: one process has one data directory.
func lockFile(*os.File) (bool, error) { return true, nil }
