package document

import (
	"crypto/sha256"
	"encoding/hex"
)

// Version is the SHA-256 of a document's content, and of nothing else.
type Version [sha256.Size]byte

const (
	versionPrefix = "sha256:"
	versionLength = len(versionPrefix) + 2*sha256.Size
	fileDigits    = 12 // of a version, in the name of its file
)

// VersionOf returns the version of a content.
func VersionOf(content []byte) Version { return sha256.Sum256(content) }

// ParseVersion reads what [Version.String] writes, and nothing else: upper-case
// digits are not a version.
func ParseVersion(s string) (Version, bool) { return parseVersion(s) }

// parseVersion reads bytes too, to leave a document file's text uncopied.
func parseVersion[T string | []byte](s T) (v Version, ok bool) {
	if len(s) != versionLength || string(s[:len(versionPrefix)]) != versionPrefix {
		return Version{}, false
	}
	digits := s[len(versionPrefix):]
	for i := range v {
		high, low := digit(digits[2*i]), digit(digits[2*i+1])
		if high > 15 || low > 15 {
			return Version{}, false
		}
		v[i] = high<<4 | low
	}
	return v, true
}

// digit returns the value of a lower-case hexadecimal digit, or 255.
func digit(c byte) byte {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c-'a' <= 5:
		return c - 'a' + 10
	}
	return 255
}

// String returns "sha256:" and 64 lower-case hexadecimal digits.
func (v Version) String() string { return string(v.Append(make([]byte, 0, versionLength))) }

// Append appends what String returns.
func (v Version) Append(dst []byte) []byte {
	return hex.AppendEncode(append(dst, versionPrefix...), v[:])
}

// FileName returns the name, inside a cache's folder of documents, of the file
// that holds the document: the first 12 digits and ".json".
func (v Version) FileName() string {
	return hex.EncodeToString(v[:fileDigits/2]) + ".json"
}
