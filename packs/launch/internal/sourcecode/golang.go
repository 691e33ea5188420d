package sourcecode

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
)

func scanGo(file *File, name, text string) error {
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if parsed.Name.Name == "main" || strings.HasSuffix(name, "_test.go") {
		return nil
	}
	line := func(at token.Pos) int { return positions.Position(at).Line }
	doc := func(groups ...*ast.CommentGroup) Doc {
		for _, group := range groups {
			if group != nil {
				text, count := paragraph(strings.Split(group.Text(), "\n"))
				return Doc{text, line(group.Pos()), min(line(group.Pos())+max(count, 1)-1, line(group.End()))}
			}
		}
		return Doc{}
	}
	file.Module, file.Doc = path.Dir(name), doc(parsed.Doc)
	for _, declaration := range parsed.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				file.Symbols = append(file.Symbols, Symbol{d.Name.Name, Function, line(d.Pos()), doc(d.Doc)})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
					file.Symbols = append(file.Symbols, Symbol{s.Name.Name, Class, line(s.Name.Pos()), doc(s.Doc, d.Doc)})
				}
			}
		}
	}
	return nil
}
