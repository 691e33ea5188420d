package manifest

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"
)

// text is a string; anything else is as good as nothing.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = text(s)
	}
	return nil
}

// names are the members of an object; anything else has none.
type names map[string]json.RawMessage

func (n *names) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) == nil {
		*n = members
	}
	return nil
}

func readPackageJSON(m *Manifest, source string) error {
	var file struct {
		Name, Version, Description, License text
		Engines                             names
		Dependencies, Scripts, Bin          names
		PeerDependencies                    names `json:"peerDependencies"`
		Private                             any
		Main                                text
		Exports                             json.RawMessage
	}
	if err := json.Unmarshal([]byte(source), &file); err != nil {
		return err
	}
	m.Platform, m.RuntimeName = "node", "Node"
	m.Entry = path.Clean(cmp.Or(string(file.Main), entry(file.Exports, 0), "index.js"))
	m.describe(source, file.Name, file.Version, file.Description, file.License)
	var engine text
	if raw := file.Engines["node"]; raw != nil {
		_ = engine.UnmarshalJSON(raw)
	}
	m.Runtime = locate(source, `"node"`, string(engine))
	m.Dependencies = append(keys(file.Dependencies), keys(file.PeerDependencies)...)
	m.Scripts = append(keys(file.Scripts), keys(file.Bin)...)
	m.Private = file.Private == true
	return nil
}

// entry is the file that is exported for the package itself: by that name, or by
// the condition that fits most.
func entry(raw json.RawMessage, depth int) string {
	var file text
	if _ = file.UnmarshalJSON(raw); file != "" || depth > 3 {
		return string(file)
	}
	var members names
	_ = members.UnmarshalJSON(raw)
	for _, key := range []string{".", "import", "require", "default"} {
		if member, ok := members[key]; ok {
			return entry(member, depth+1)
		}
	}
	return ""
}

func readComposer(m *Manifest, source string) error {
	var file struct {
		Name, Version, Description, License text
		Require, Scripts                    names
	}
	if err := json.Unmarshal([]byte(source), &file); err != nil {
		return err
	}
	m.Platform, m.RuntimeName = "php", "PHP"
	m.describe(source, file.Name, file.Version, file.Description, file.License)
	for name, raw := range file.Require {
		if name == "php" {
			var version text
			_ = version.UnmarshalJSON(raw)
			m.Runtime = locate(source, `"php"`, string(version))
		} else if strings.Contains(name, "/") { // others are parts of the platform
			m.Dependencies = append(m.Dependencies, name)
		}
	}
	m.Scripts = keys(file.Scripts)
	return nil
}

func (m *Manifest) describe(source string, name, version, description, license text) {
	m.Name, m.Version = locate(source, `"name"`, string(name)), locate(source, `"version"`, string(version))
	m.Description, m.License = locate(source, `"description"`, string(description)), locate(source, `"license"`, string(license))
}
