// Package sample holds the documentation of Fernpost, a product that does not
// exist: Markdown files for trying the context engine without documents of
// one's own, and questions to them with judged answers, by which the quality of
// a ranking is measured (17.4). Both are part of the program; nothing is read
// from outside.
package sample

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed docs
var docs embed.FS

// Write puts the documents below dir, which is made when it is missing. A
// document that is already there is an error, and stays as it is.
func Write(dir string) error {
	tree, err := fs.Sub(docs, "docs")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, tree)
}
