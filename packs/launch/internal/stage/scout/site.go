package scout

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// Defaults of Hugo.
const (
	defaultConfigDir = "configs"
	defaultLanguage  = "en"
)

// noBuild are configurations that others share, and that build nothing.
var noBuild = []string{"home", "page", "common"}

// site says how the site is built, and what decides the addresses of its pages.
func (s *scout) site(ctx context.Context) (artifact.SiteContext, artifact.HugoFacts, error) {
	site := artifact.SiteContext{SchemaVersion: artifact.Version, Site: resolved(s.in.Site)}
	if s.in.Workflows != nil {
		workflows := resolved(*s.in.Workflows)
		site.Workflows = &workflows
	}
	facts := artifact.HugoFacts{
		SchemaVersion: artifact.Version, Languages: []string{}, DefaultLanguage: defaultLanguage, Permalinks: map[string]string{},
		Outputs: map[string]any{}, Taxonomies: map[string]string{}, SourceFiles: []string{},
	}
	if s.in.Config.Generator != "hugo" {
		return site, facts, nil
	}
	root := path.Clean(strings.Trim(cmp.Or(s.in.Config.HugoConfigDir, defaultConfigDir), "/"))
	paths, err := s.configPaths(ctx, root)
	if err != nil {
		return site, facts, err
	}
	if len(paths) == 0 {
		s.report(issue.Error, CodeNoHugoConfig, root, "the site has no configuration for Hugo")
	}
	hugo := artifact.HugoContext{ConfigRoot: root, ConfigFiles: []artifact.ConfigFile{}, BuildMatrix: []artifact.BuildEntry{}}
	whole := sha256.New()
	for _, name := range paths {
		data, ok := s.content(s.in.Site.Files, name)
		if !ok {
			s.unreadable(name, "the configuration")
			continue
		}
		sum := sha256.Sum256(data)
		file := artifact.ConfigFile{Path: name, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data)), Ext: strings.TrimPrefix(path.Ext(name), ".")}
		hugo.ConfigFiles = append(hugo.ConfigFiles, file)
		whole.Write([]byte(name + "|" + file.SHA256 + "\n"))
		if entry, ok := buildEntry(root, name); ok {
			hugo.BuildMatrix = append(hugo.BuildMatrix, entry)
		}
	}
	hugo.HugoConfigFingerprint = hex.EncodeToString(whole.Sum(nil))
	site.Hugo = &hugo
	s.hugoFacts(&facts, paths)
	return site, facts, nil
}

func resolved(source Source) artifact.ResolvedRepo {
	return artifact.ResolvedRepo{RepoURL: source.URL, RequestedRef: source.RequestedRef, ResolvedSHA: source.SHA}
}

// configFormats are what configurations are written in, by extension.
var configFormats = map[string]string{".toml": "toml", ".yml": "yaml", ".yaml": "yaml", ".json": "json"}

// configPaths lists the configuration: the files below its folder, and those
// that Hugo itself looks for at the root.
func (s *scout) configPaths(ctx context.Context, root string) ([]string, error) {
	found, err := s.walk(ctx, s.in.Site.Files, root)
	if err != nil {
		return nil, err
	}
	if root != "config" {
		more, err := s.walk(ctx, s.in.Site.Files, "config/_default")
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	for _, base := range []string{"hugo", "config"} {
		for ext := range configFormats {
			if file, err := s.in.Site.Files.Open(base + ext); err == nil {
				file.Close()
				found = append(found, base+ext)
			}
		}
	}
	return set(slices.DeleteFunc(found, func(name string) bool { return configFormats[path.Ext(name)] == "" })), nil
}

// buildEntry reads <root>/<host>/<name>.<ext>.
func buildEntry(root, name string) (artifact.BuildEntry, bool) {
	rest, ok := strings.CutPrefix(name, root+"/")
	host, file, nested := strings.Cut(rest, "/")
	family := strings.TrimSuffix(file, path.Ext(file))
	if !ok || !nested || strings.Contains(file, "/") || slices.Contains(noBuild, family) || path.Ext(file) == ".json" {
		return artifact.BuildEntry{}, false
	}
	return artifact.BuildEntry{Subdomain: host, Family: family, ConfigPath: name}, true
}
