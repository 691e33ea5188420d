package selection

import (
	"context"
	"errors"
	"sync"

	"mcpworks/packs/contextengine/internal/cache"
	"mcpworks/packs/contextengine/internal/document"
)

// ErrTooLarge is an index that would take more memory than it may.
var ErrTooLarge = errors.New("the index would be too large")

// An Index knows in which documents of a cache each word occurs, and how often.
// It holds no contents. It is not changed once it is built.
type Index struct {
	docs  corpus
	words lexicon
}

// BuildIndex reads every document of the cache once. The index is for the words
// of one ranking. It may take the given memory, or as much as the text of the
// documents if that is more.
func BuildIndex(ctx context.Context, c *cache.Cache, ranking Ranking, memory int64) (*Index, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := newIndexBuilder(len(c.Manifest().Entries), ranking, memory)
	b.stop = cancel
	err := c.Each(ctx, len(b.chunks), b.visit)
	for i := range b.chunks {
		if err == nil {
			b.flush(&b.chunks[i])
		}
	}
	if b.isTooLarge {
		return nil, ErrTooLarge
	}
	if err != nil {
		return nil, err
	}
	docs := corpus{words: b.words, sizes: newSizes(b.tokens)}
	for _, words := range b.words {
		docs.total += uint64(words)
	}
	return &Index{docs, b.lexicon.finish()}, nil
}

// Size returns about how many bytes of memory the index takes.
func (ix *Index) Size() int64 { return ix.words.bytes() + int64(len(ix.docs.words))*12 }

// Select answers a query from the index; of the documents, only those that were
// selected are read. The query's ranking has to be that of the index.
func (ix *Index) Select(ctx context.Context, c *cache.Cache, q Query) (*Result, error) {
	parsed := parse(q)
	found := make([][]occurrence, len(parsed.distinct))
	for i, term := range parsed.distinct {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found[i] = ix.words.find(term)
	}
	return choose(ctx, c, parsed, &ix.docs, found)
}

// An indexBuilder takes documents from several workers.
type indexBuilder struct {
	split         splitter
	words, tokens []uint32 // of the documents
	chunks        []chunk  // one for each worker

	mu         sync.Mutex
	lexicon    growingLexicon
	text       int64 // bytes that were read
	memory     int64
	isTooLarge bool
	stop       func() // reading
}

func newIndexBuilder(documents int, ranking Ranking, memory int64) *indexBuilder {
	b := &indexBuilder{
		split: ranking.splitter(), words: make([]uint32, documents), tokens: make([]uint32, documents),
		chunks: make([]chunk, cache.Workers()), lexicon: newGrowingLexicon(), memory: memory,
	}
	for i := range b.chunks {
		b.chunks[i] = newChunk()
	}
	return b
}

func (b *indexBuilder) visit(worker, i int, d *document.Document) {
	c := &b.chunks[worker]
	b.words[i] = c.add(uint32(i), d.Content, b.split)
	b.tokens[i] = uint32(document.Tokens(d.Content))
	if c.text += int64(len(d.Content)); c.isLarge() {
		b.flush(c)
	}
}

// flush adds a chunk to the index of all.
func (b *indexBuilder) flush(c *chunk) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text += c.text
	c.text = 0
	c.flush(b.lexicon.add)
	if b.lexicon.isFull || b.lexicon.bytes() > max(b.memory, b.text) {
		b.isTooLarge = true
		b.stop()
	}
}
