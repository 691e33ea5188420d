package crooked

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"mcpworks/lint"
	"mcpworks/mcp"
)

var stdioFaults = []Fault{
	{Rule: "STD-001", Start: func() { fmt.Println("starting up") }},
	{Rule: "STD-002", Write: func(message []byte) []byte {
		var pretty bytes.Buffer
		if json.Indent(&pretty, message, "", "  ") != nil {
			return append(message, '\n')
		}
		return append(pretty.Bytes(), '\n')
	}},
	{Rule: "STD-003", Write: func(message []byte) []byte {
		if methodOf(message) == mcp.NotifyMessage {
			return []byte("\ufeff" + string(message) + "\n")
		}
		return append(message, '\n')
	}},
	{Rule: "STD-004", Start: func() { fmt.Print("Content-Length: 2\r\n\r\n") }},
	{Rule: "STD-005", End: func() { time.Sleep(time.Minute) }},
	{Rule: "STD-006", Level: lint.Probe, Deaf: true},
	{Rule: "STD-007", End: func() { os.Exit(3) }},
	{Rule: "STD-008", Start: func() { time.Sleep(10500 * time.Millisecond) }},
	{Rule: "STD-009", Start: leaveChild},
	{Rule: "STD-010", Start: func() { fmt.Fprintln(os.Stderr, strings.Repeat("all is well. ", 100_000)) }},
	{Rule: "STD-011", Write: func(message []byte) []byte { return []byte(string(message) + "\r\n") }},
	{Rule: "STD-012", Read: wholeLines()},
	{Rule: "STD-013", Say: when(isResultOf(mcp.MethodCallTool), func(_ *Chat, m Message) [][]byte { return [][]byte{[]byte("the tool is done"), m.Raw} })},
}

// Child is the name under which the program only waits.
const Child = "child"

// leaveChild starts a process that stays when the server has ended.
func leaveChild() {
	child := exec.Command(os.Args[0])
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); name != Variable {
			child.Env = append(child.Env, variable)
		}
	}
	child.Env = append(child.Env, Variable+"="+Child)
	if err := child.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// wholeLines drops what does not come with the end of its line.
func wholeLines() func([]byte) []byte {
	broken := false
	return func(chunk []byte) []byte {
		whole := bytes.HasSuffix(chunk, []byte("\n"))
		kept := chunk
		if broken || !whole {
			kept = nil
		}
		broken = !whole
		return kept
	}
}

// exit is how a server dies.
func exit() { os.Exit(1) }

func numeral(n int) string { return strconv.Itoa(n) }
