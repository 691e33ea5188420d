package redact

import (
	"maps"
	"slices"
	"strings"
)

const (
	// shortestNamed is the length from which on the value of a variable named
	// by the configuration is looked for. Whoever replaced each "a" of a page
	// would hide nothing and show the secret.
	shortestNamed = 4
	// shortestGuessed is the same for variables whose name sounds secret.
	shortestGuessed = 8
)

var secretVariables = []string{"_TOKEN", "_KEY", "_SECRET", "_PASSWORD"}

// Secrets picks the secret values of an environment in the form of os.Environ:
// those of the named variables, and those of variables whose names end as the
// names of secrets do.
func Secrets(environ, named []string) []string {
	found := map[string]bool{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		sounds := slices.ContainsFunc(secretVariables, func(ending string) bool {
			return strings.HasSuffix(strings.ToUpper(name), ending)
		})
		if slices.Contains(named, name) && len(value) >= shortestNamed || sounds && len(value) >= shortestGuessed {
			found[value] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// VariableNames collects from a decoded configuration the names of environment
// variables: the values of members whose names end in _env or are env.
func VariableNames(config any) []string {
	found := map[string]bool{}
	collect(config, found)
	return slices.Sorted(maps.Keys(found))
}

func collect(value any, found map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			collect(element, found)
		}
	case map[string]any:
		for name, member := range value {
			variable, isText := member.(string)
			if isText && variable != "" && (name == "env" || strings.HasSuffix(name, "_env")) {
				found[variable] = true
			}
			collect(member, found)
		}
	}
}
