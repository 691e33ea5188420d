package siteprofile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/profiles"
)

// DefaultName is the profile that has the values others leave out.
const DefaultName = "default"

// A Set is all profiles of a server: first those that come with the program,
// then others by name.
type Set struct{ all []*Profile }

// Load reads the profiles that come with the program and those of a directory,
// which may be nil. A file there stands in for the one that comes with the
// program. Each is called after its profile.
func Load(dir fs.FS) (*Set, error) {
	builtin, err := profiles.Files.ReadFile(DefaultName + ".yaml")
	if err != nil {
		return nil, err
	}
	base, err := Parse(builtin, nil)
	if err != nil {
		return nil, err
	}
	set := &Set{}
	if err := errors.Join(set.read(profiles.Files, base), set.read(dir, base)); err != nil {
		return nil, err
	}
	return set, nil
}

func (s *Set) read(dir fs.FS, base *Profile) error {
	if dir == nil {
		return nil
	}
	files, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return err
	}
	var faults []error
	for _, file := range files {
		if err := s.readFile(dir, file, base); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", file, err))
		}
	}
	return errors.Join(faults...)
}

func (s *Set) readFile(dir fs.FS, file string, base *Profile) error {
	info, err := fs.Stat(dir, file)
	if err != nil {
		return err
	}
	if info.Size() > maxProfile {
		return errors.New("profile is too large")
	}
	text, err := fs.ReadFile(dir, file)
	if err != nil {
		return err
	}
	p, err := Parse(text, base)
	if err != nil {
		return err
	}
	if want := strings.TrimSuffix(path.Base(file), ".yaml"); p.Name != want {
		return fmt.Errorf("name must be %q, as the file is called", want)
	}
	if at := slices.IndexFunc(s.all, func(other *Profile) bool { return other.Name == p.Name }); at >= 0 {
		s.all[at] = p
	} else {
		s.all = append(s.all, p)
	}
	return nil
}

// AllowLocal makes the profile default take repositories of this machine. That
// is a permission of this process, and no part of what a run is made from.
func (s *Set) AllowLocal() {
	p, _ := s.Get(DefaultName)
	p.localToo = true
}

// LocalRepos says whether the profile takes repositories of this machine.
func (p *Profile) LocalRepos() bool { return p.AllowLocalRepos || p.localToo }

// Get returns a profile by name.
func (s *Set) Get(name string) (*Profile, bool) {
	at := slices.IndexFunc(s.all, func(p *Profile) bool { return p.Name == name })
	if at < 0 {
		return nil, false
	}
	return s.all[at], true
}

// Names are all profiles in their order.
func (s *Set) Names() []string {
	var names []string
	for _, p := range s.all {
		names = append(names, p.Name)
	}
	return names
}
