package server_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wireStatements are the requirements on servers that the transcripts promise
// to cover: a family, and its numbers.
var wireStatements = map[string]string{
	"ERR":   "1-5",
	"BASE":  "1 2 4-12",
	"ERA":   "1 2 4-8",
	"LIFE":  "2 5-10",
	"MOD":   "2-6 8-10",
	"DISC":  "1-2",
	"MRTR":  "1 2 5-9",
	"SUB":   "1-6 8 9",
	"CACHE": "1-3",
	"TOOL":  "1-12 14 15 17 21",
	"RES":   "1-4 7 8",
	"PRM":   "1-3",
	"CMP":   "1-3",
	"LOG":   "1-3",
	"PROG":  "1",
	"CAN":   "1 2 4 5",
	"PING":  "1",
	"PAG":   "1 2",
	"CLI":   "4 9",
	"EXT":   "2",
	"SCH":   "1-3",
	"STD":   "1 4 5 8",
	"AMB":   "1 7",
}

// TestWireStatements fails when a promised requirement is cited by no
// transcript, or when one is cited that was not promised.
func TestWireStatements(t *testing.T) {
	promised := map[string]bool{}
	for family, numbers := range wireStatements {
		for list := range strings.FieldsSeq(numbers) {
			first, last, isRange := strings.Cut(list, "-")
			if !isRange {
				last = first
			}
			from, _ := strconv.Atoi(first)
			to, _ := strconv.Atoi(last)
			for n := from; n <= to; n++ {
				promised[fmt.Sprintf("%s-%d", family, n)] = true
			}
		}
	}
	cited := map[string][]string{}
	for _, tr := range readTranscripts(t, "testdata/wire") {
		for _, id := range tr.statements {
			cited[id] = append(cited[id], tr.name())
			if !promised[id] {
				t.Errorf("%s cites %s, which is not in the table", tr.path, id)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(promised)) {
		if len(cited[id]) == 0 {
			t.Errorf("no transcript is about %s", id)
		}
		t.Logf("%s: %s", id, strings.Join(cited[id], ", "))
	}
}
