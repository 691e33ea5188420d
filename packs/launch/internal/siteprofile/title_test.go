package siteprofile

import "testing"

func TestTitle(t *testing.T) {
	for _, test := range []struct{ readme, slug, want string }{
		{"# GJSON\n\ntext", "gjson", "GJSON"},
		{"# go-toml v2\n", "go-toml", "go-toml v2"},
		{"intro\n\n# Go Humanize\n", "go-humanize", "Go Humanize"},
		{"# Gopher Burrow\n", "gopher", "Gopher Burrow"},
		{"# Gopher Burrow digs tunnels\n", "gopher", ""},
		{"# [gjson](https://a.example)\n", "gjson", ""},
		{"# <img src=x>\n", "img", ""},
		{"# Other\n", "gjson", ""},
		{"no heading", "gjson", ""},
	} {
		if got := (Evidence{Readme: test.readme}).Title(test.slug); got != test.want {
			t.Errorf("%q of %s is %q, want %q", test.readme, test.slug, got, test.want)
		}
	}
}
