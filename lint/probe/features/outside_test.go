package features

import (
	"os"
	"path/filepath"
	"testing"

	"mcpworks/lint/step"
)

// RES-012: the first variable of a template takes the way out, by its operator.
func TestExpand(t *testing.T) {
	for template, want := range map[string]string{
		"file:///{+path}":             "file:///../up",
		"db://{table}/{row}":          "db://../up/x",
		"x://y{/path*}":               "x://y/../up",
		"x://y{?q,r}{&s}":             "x://y?q=../up&s=x",
		"x://y{;q:3}{#part}{.ending}": "x://y;q=../up#x.x",
		"x://plain":                   "x://plain",
	} {
		if got := expand(template, "../up"); got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}

// RES-012: the file is put outside of what the server offers, or nowhere.
func TestPutOutside(t *testing.T) {
	file, remove := putOutside(nil)
	if file == "" {
		t.Fatal("there is no place for the file")
	}
	file = "/" + file
	if text, err := os.ReadFile(file); err != nil || string(text) != step.OutsideText+"\n" {
		t.Errorf("%q, %v", text, err)
	}
	if isWithin(file, os.TempDir()) {
		t.Errorf("%s is in the folder that the client claims to work in", file)
	}
	remove()
	if _, err := os.Stat(filepath.Dir(file)); !os.IsNotExist(err) {
		t.Errorf("the folder of %s is still there (%v)", file, err)
	}
	if file, _ := putOutside([]string{"/"}); file != "" {
		t.Errorf("%s was put where everything is offered", file)
	}
}

func TestIsWithin(t *testing.T) {
	for _, c := range []struct {
		place, folder string
		want          bool
	}{
		{"/no/a", "/no/a", true}, {"/no/a/b", "/no/a", true}, {"/no/a", "/", true},
		{"/no/ab", "/no/a", false}, {"/no", "/no/a", false}, {"/no/..a", "/no/a", false}, {"/no/a", "", false},
	} {
		if got := isWithin(c.place, c.folder); got != c.want {
			t.Errorf("%s in %q: %v", c.place, c.folder, got)
		}
	}
}
