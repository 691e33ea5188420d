package facts

import (
	"regexp"
	"strings"
)

var (
	workNote   = regexp.MustCompile(`(?i)\b(?:TODO|FIXME|XXX|hack|workaround)\b`)
	byteDetail = regexp.MustCompile(`\b0[xX][0-9a-fA-F]{4,}\b|\(\d+ bytes?\):|(?i:\bsections? \d+\.\d)`)
	// toMachines is text that speaks to language models instead of readers.
	toMachines = regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|prior|above|earlier|all)\b.{0,30}\b(?:instructions?|prompts?|rules?)\b|\byou are now\b|\b(?:developer|jailbreak|god) mode\b|\bsystem prompt\b|^(?:system|assistant|user)\s*:|\bas an ai\b`)
	linkOut    = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://|\bwww\.`)
	// codeLike needs call syntax or an identifier with a dot, bracket or
	// underscore (18.13). Figures, versions and names such as Node.js are none.
	codeLike = regexp.MustCompile(`\w\(|[\[\]{}]|\w_|_\w|[A-Za-z]\w+\.[A-Za-z_]\w+`)
	properly = regexp.MustCompile(`(?i)^(?:[a-z]+\.(?:js|net|io|ai)|\.?[\d.]+\w*|e\.g|i\.e)\W*$`)
)

// audienceOf says who a statement is for (6.2(1)).
func audienceOf(text string) string {
	switch {
	case workNote.MatchString(text) || toMachines.MatchString(text):
		return developerInstruction
	case linkOut.MatchString(text):
		return developerInstruction // to read on elsewhere
	case byteDetail.MatchString(text) || moreCode(text) || strings.HasSuffix(text, "?"):
		return internalDetail
	}
	return userFacing
}

// moreCode is true if more than 15 % of the words are code.
func moreCode(text string) bool {
	fields := strings.Fields(text)
	code := 0
	for _, field := range fields {
		if codeLike.MatchString(field) && !properly.MatchString(strings.Trim(field, "`(),")) {
			code++
		}
	}
	return code*100 > 15*len(fields)
}
