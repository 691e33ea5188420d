package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// killTree kills a process and all that descend from it, the parents first. Where there is no /proc it kills the one.
func killTree(pid int) {
	for all, i := []int{pid}, 0; i < len(all); i++ {
		if process, err := os.FindProcess(all[i]); err == nil {
			_ = process.Signal(syscall.SIGSTOP) // it starts no other
			all = append(all, childrenOf(all[i])...)
			_ = process.Kill()
		}
	}
}

func childrenOf(pid int) (children []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) > 1 && string(fields[1]) == fmt.Sprint(pid) {
			if child, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
