package contextengine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"mcpworks/packs/contextengine"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sources, cache := filepath.Join(dir, "docs"), filepath.Join(dir, "cache")
	_ = os.Mkdir(sources, 0o755)
	_ = os.WriteFile(filepath.Join(sources, "Deploy.md"), []byte("How to deploy."), 0o644)
	_ = os.WriteFile(filepath.Join(sources, "faq.md"), []byte("deploy or not to deploy"), 0o644)

	ctx := context.Background()
	report, err := contextengine.Build(ctx, contextengine.BuildOptions{Sources: sources, Cache: cache, CreatedAt: time.Unix(0, 0)})
	if err != nil {
		panic(err)
	}
	selected, err := contextengine.Resolve(ctx, cache, contextengine.Query{Text: "deploy", Budget: 6})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Documents, "documents")
	fmt.Printf("%s\n", contextengine.Pretty(selected))
	// Output:
	// 2 documents
	// {
	//   "documents": [
	//     {
	//       "id": "faq.md",
	//       "version": "sha256:adf31eb9d0ac293ca81e535ad17173def312c219b8ddd9e3cfe993854488f90a",
	//       "content": "deploy or not to deploy",
	//       "score": 0.4,
	//       "tokens": 6,
	//       "why": {
	//         "query_terms": [
	//           "deploy"
	//         ],
	//         "term_matches": 2,
	//         "total_words": 5
	//       }
	//     }
	//   ],
	//   "selection": {
	//     "query": "deploy",
	//     "budget": 6,
	//     "tokens_used": 6,
	//     "documents_considered": 2,
	//     "documents_selected": 1,
	//     "documents_excluded_by_budget": 1
	//   }
	// }
}
