// Package procfs reads what Linux tells about a running process. On other
// systems it reports zeroes.
package procfs

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the unit of CPU time in /proc/<pid>/stat: USER_HZ, 100 on every
// architecture that Go runs on.
const tick = 10 * time.Millisecond

// CPU returns the user and system time that a process has used.
func CPU(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The command in parentheses may contain spaces; utime and stime are
	// fields 14 and 15, the state after the parenthesis being field 3.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * tick
}

// Memory returns the resident memory of a process in bytes, now and at its peak.
func Memory(pid int) (now, peak int64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	return kilobytes(data, "VmRSS:"), kilobytes(data, "VmHWM:")
}

func kilobytes(status []byte, key string) int64 {
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok {
			n, _ := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			return n << 10
		}
	}
	return 0
}
