package fence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of common file systems.
const (
	maxPath    = 1024
	maxSegment = 255
)

// judgeName refuses names that lead elsewhere, or that a shell, an editor, a
// browser or another file system would read differently than this package.
// A path that passes is in its one normal form.
func judgeName(name string) error {
	refuse := func(code Code, reason string) error { return &Refusal{code, name, reason} }
	switch {
	case name == "":
		return refuse(Suspicious, "is empty")
	case len(name) > maxPath:
		return &Refusal{Suspicious, name[:64] + "…", "is too long"}
	case !utf8.ValidString(name):
		return refuse(Suspicious, "is not UTF-8")
	case strings.HasPrefix(name, "/"):
		return refuse(Traversal, "is absolute")
	case slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }), ".."):
		return refuse(Traversal, "has a segment ..")
	}
	if i := strings.IndexFunc(name, strange); i >= 0 {
		return refuse(Suspicious, "has a character that is not allowed")
	}
	for segment := range strings.SplitSeq(name, "/") {
		if reason := strangeSegment(segment); reason != "" {
			return refuse(Suspicious, reason)
		}
	}
	return nil
}

// strange are separators and expansions of other systems, and characters that
// are not seen: some file systems ignore them, so that a name with one of them
// in it can be that of another file.
func strange(r rune) bool {
	return strings.ContainsRune("\\~$%:*?\"<>|", r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r == utf8.RuneError
}

func strangeSegment(segment string) string {
	switch {
	case segment == "":
		return "has an empty segment"
	case segment == ".":
		return "has a segment ."
	case len(segment) > maxSegment:
		return "has a segment that is too long"
	case strings.TrimRight(segment, ". ") != segment || strings.TrimLeft(segment, " ") != segment:
		return "has a segment with a space or a dot at its end"
	case slices.Contains(devices, strings.ToLower(strings.SplitN(segment, ".", 2)[0])):
		return "has the name of a device"
	}
	return ""
}

// devices are no files on Windows, whatever their extension.
var devices = []string{
	"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
}
