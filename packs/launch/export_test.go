package launch

// Open is New with another executor.
var Open = open

// Catalogue says for each tool whether it is deprecated.
func Catalogue() map[string]bool {
	tools := map[string]bool{}
	for _, name := range Tools() {
		_, tools[name], _ = find(name)
	}
	return tools
}
