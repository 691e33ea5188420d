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
	switch {
	case strings.HasSuffix(name, "_test.go"):
		return nil
	case parsed.Name.Name == "main":
		file.Module, file.Program = path.Dir(name), !strings.Contains(text, "\n//go:build ignore") && !strings.HasPrefix(text, "//go:build ignore")
		return nil
	}
	line := func(at token.Pos) int { return positions.Position(at).Line }
	doc := func(groups ...*ast.CommentGroup) Doc {
		for _, group := range groups {
			if group != nil {
				return goDoc(group, positions)
			}
		}
		return Doc{}
	}
	file.Module, file.Doc = path.Dir(name), doc(parsed.Doc)
	for _, declaration := range parsed.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			switch owner := receiver(d); {
			case !d.Name.IsExported():
			case d.Recv == nil:
				file.Symbols = append(file.Symbols, Symbol{Name: d.Name.Name, Kind: Function, Line: line(d.Pos()), Doc: doc(d.Doc)})
			case ast.IsExported(owner) && d.Doc != nil:
				file.Symbols = append(file.Symbols, Symbol{Name: d.Name.Name, Kind: Method, Line: line(d.Pos()), Doc: doc(d.Doc), Owner: owner})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						file.Symbols = append(file.Symbols, Symbol{Name: s.Name.Name, Kind: Class, Line: line(s.Name.Pos()), Doc: doc(s.Doc, d.Doc)})
					}
				case *ast.ValueSpec:
					above := []*ast.CommentGroup{s.Doc, s.Comment}
					if len(d.Specs) == 1 {
						above = append(above, d.Doc)
					}
					if name := s.Names[0]; name.IsExported() && doc(above...).Text != "" {
						file.Symbols = append(file.Symbols, Symbol{Name: name.Name, Kind: Value, Line: line(name.Pos()), Doc: doc(above...)})
					}
				}
			}
		}
	}
	return nil
}

// receiver is the name of the type that a method is of, or empty.
func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return ""
	}
	of := function.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.ParenExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// goDoc is the first paragraph of a comment. Comments between /* and */ may begin
// on a line of their own.
func goDoc(group *ast.CommentGroup, positions *token.FileSet) Doc {
	text, count := paragraph(strings.Split(group.Text(), "\n"))
	start, end := positions.Position(group.Pos()).Line, positions.Position(group.End()).Line
	opening, _, _ := strings.Cut(group.List[0].Text, "\n")
	last := start + max(count, 1) - 1
	if strings.TrimSpace(strings.TrimPrefix(opening, "/*")) == "" {
		last++
	}
	return Doc{text, start, min(last, end)}
}
