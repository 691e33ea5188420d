package resources

import (
	"strconv"

	"mcpworks/lint"
)

var size = lint.Rule{
	ID: "RES-015", Slug: "size",
	Title:    "the listed size is the number of bytes that are read",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Probe, Needs: "resources",
	What: "Reads those of the first three resources that are listed with a size, and counts the bytes of the text in UTF-8, or of the decoded blob. A resource that is answered with several contents is left out.",
	Why:  "Clients judge by the size whether a resource fits into the context of a model. Characters counted for bytes, or the size of an older version, mislead them.",
	Bad:  `listed with "size":5, read as "text":"hëllo" (6 bytes)`,
	Good: `listed with "size":6, read as "text":"hëllo" (6 bytes)`,
	Fix:  "Count bytes and not characters, before base64, or leave size out.",
	Check: func(v *lint.View) {
		for _, answer := range reads(v) {
			subject, all := resource(answer), contents(answer.Result)
			item, _ := listedAs(v, answer.Talk().Modern, subject.Name)
			promised, err := strconv.ParseInt(string(lint.Member(item.Raw, "size")), 10, 64)
			if err != nil || len(all) != 1 {
				continue
			}
			if data, ok := bytesOf(all[0]); ok {
				v.Saw()
				if int64(len(data)) != promised {
					v.Failf(answer, subject, "the listed size is not the number of bytes that are read")
				}
			}
		}
		if len(reads(v)) > 0 {
			v.NotApplicable("nothing that was read is listed with a size")
		}
		noneListed(v)
	},
}
