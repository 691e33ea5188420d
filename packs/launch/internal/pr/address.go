package pr

import (
	"path"
	"strings"
)

// told is the address of a repository for readers elsewhere. Of a folder of this
// machine they get its name: the way to it is nobody's business (18.4).
func told(address string) string {
	if place, local := strings.CutPrefix(address, "file://"); local || path.IsAbs(address) {
		return path.Base(place)
	}
	return address
}
