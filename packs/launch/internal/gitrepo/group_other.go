//go:build !unix

package gitrepo

import (
	"os"
	"os/exec"
)

func setGroup(*exec.Cmd) {}

func killGroup(p *os.Process) error { return p.Kill() }

func shareLock(*exec.Cmd, *os.File) {}
