package selection_test

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"mcpworks/packs/contextengine/internal/cachetest"
)

// This file is the engine once more, from the text of sections 2, 3 and 7 and
// with no thought of speed. It shares no line with the package under test.

// A scored document is one with what section 7 says of it.
type scored struct {
	id, content         string
	matches, totalWords int
	score               float32
	points              float64 // of bm25-v1
	tokens              int64
	frequencies         []int // of each distinct term
}

// naive is select(cache, query, budget) of ranking tf-v0.
func naive(docs cachetest.Docs, query string, budget int64) string {
	terms := naiveWords(naiveLower(query)) // SEL-3
	var all []scored
	for id, content := range docs {
		d := scored{id: id, content: content, tokens: int64(math.Ceil(float64(len(content)) / 4))} // SEL-12
		for _, word := range naiveWords(naiveLower(content)) {                                     // SEL-4
			d.totalWords++ // SEL-5
			for _, term := range terms {
				if word == term {
					d.matches++ // SEL-6
					break
				}
			}
		}
		if d.totalWords > 0 && len(terms) > 0 { // SEL-7
			d.score = float32(d.matches) / float32(d.totalWords)
		}
		all = append(all, d)
	}
	sort.Slice(all, func(i, j int) bool { // SEL-10
		if all[i].score != all[j].score {
			return all[i].score > all[j].score
		}
		return all[i].id < all[j].id
	})
	taken, used := naiveFill(all, budget)
	out := `{"documents":[`
	for i, d := range taken {
		if i > 0 {
			out += ","
		}
		out += fmt.Sprintf(`{"id":%s,"version":%q,"content":%s,"score":%s,"tokens":%d,"why":{"query_terms":[%s],"term_matches":%d,"total_words":%d}}`,
			cachetest.Quote(d.id), cachetest.Version(d.content), cachetest.Quote(d.content), naiveScore(d.score), d.tokens, naiveTerms(terms), d.matches, d.totalWords)
	}
	return out + naiveSelection(query, budget, used, len(all), len(taken)) + "}}"
}

// naiveFill is SEL-13 to SEL-15.
func naiveFill(sorted []scored, budget int64) (taken []scored, used int64) {
	for _, d := range sorted {
		if budget > 0 && d.tokens <= budget-used {
			used += d.tokens
			taken = append(taken, d)
		}
	}
	return taken, used
}

// naiveSelection is SEL-20 without its last brace.
func naiveSelection(query string, budget, used int64, considered, selected int) string {
	return fmt.Sprintf(`],"selection":{"query":%s,"budget":%d,"tokens_used":%d,"documents_considered":%d,"documents_selected":%d,"documents_excluded_by_budget":%d`,
		cachetest.Quote(query), budget, used, considered, selected, considered-selected)
}

func naiveTerms(terms []string) string {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = cachetest.Quote(term)
	}
	return strings.Join(quoted, ",")
}

// naiveWords is SEL-1.
func naiveWords(text string) (words []string) {
	word := ""
	for _, r := range text {
		space := false
		switch r {
		case 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
			0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a:
			space = true
		}
		if !space {
			word += string(r)
		} else if word != "" {
			words, word = append(words, word), ""
		}
	}
	if word != "" {
		words = append(words, word)
	}
	return words
}

// naiveLower is SEL-2.
func naiveLower(text string) string {
	runes := []rune(text)
	var lowered strings.Builder
	for i, r := range runes {
		switch {
		case r == 0x130:
			lowered.WriteString("\u0069\u0307")
		case r == 0x3a3 && casedNext(runes, i, -1) && !casedNext(runes, i, +1):
			lowered.WriteRune(0x3c2)
		case r == 0x3a3:
			lowered.WriteRune(0x3c3)
		default:
			lowered.WriteRune(unicode.ToLower(r))
		}
	}
	return lowered.String()
}

// casedNext says whether the next character that is not ignored has case.
func casedNext(runes []rune, i, step int) bool {
	for i += step; i >= 0 && i < len(runes); i += step {
		r := runes[i]
		isWithinWords := strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
		if isWithinWords || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) {
			continue
		}
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.Is(unicode.Other_Lowercase, r) || unicode.Is(unicode.Other_Uppercase, r)
	}
	return false
}

// naiveScore is JSON-6, with the point put in by hand.
func naiveScore(score float32) string {
	if score == 0 {
		return "0.0"
	}
	if score == 1 {
		return "1.0"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(float64(score), 'e', -1, 32), "e-")
	digits := strings.ReplaceAll(mantissa, ".", "")
	places, _ := strconv.Atoi(exponent)
	if places <= 6 {
		return "0." + strings.Repeat("0", places-1) + digits
	}
	return mantissa + "e-" + strconv.Itoa(places)
}

// naiveBM25 is ranking bm25-v1. It returns false where a score is so near the
// middle of two millionths that the order of additions decides.
func naiveBM25(docs cachetest.Docs, query string, budget int64) (string, bool) {
	terms := naivePlainWords(naiveLower(query))
	var distinct []string
	for _, term := range terms {
		known := false
		for _, other := range distinct {
			known = known || term == other
		}
		if !known {
			distinct = append(distinct, term)
		}
	}
	var all []scored
	words := 0
	documents := make([]int, len(distinct))
	for id, content := range docs {
		d := scored{id: id, content: content, tokens: int64(math.Ceil(float64(len(content)) / 4)), frequencies: make([]int, len(distinct))}
		for _, word := range naivePlainWords(naiveLower(content)) {
			d.totalWords++
			for i, term := range distinct {
				if word == term {
					d.matches++
					d.frequencies[i]++
				}
			}
		}
		for i, frequency := range d.frequencies {
			if frequency > 0 {
				documents[i]++
			}
		}
		words += d.totalWords
		all = append(all, d)
	}
	certain := true
	for i := range all {
		const k1, b = 1.2, 0.75
		sum := 0.0
		for t := range distinct {
			n, df, tf := float64(len(all)), float64(documents[t]), float64(all[i].frequencies[t])
			idf := math.Log(1 + (n-df+0.5)/(df+0.5))
			if tf > 0 {
				sum += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(all[i].totalWords)/(float64(words)/n)))
			}
		}
		_, part := math.Modf(sum * 1e6)
		certain = certain && math.Abs(part-0.5) > 1e-5
		all[i].points = math.Round(sum*1e6) / 1e6
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].points != all[j].points {
			return all[i].points > all[j].points
		}
		return all[i].id < all[j].id
	})
	taken, used := naiveFill(all, budget)
	out := `{"documents":[`
	for i, d := range taken {
		if i > 0 {
			out += ","
		}
		var why []string
		for t, term := range distinct {
			if d.frequencies[t] == 0 {
				continue
			}
			why = append(why, fmt.Sprintf(`{"term":%s,"frequency":%d,"documents":%d}`, cachetest.Quote(term), d.frequencies[t], documents[t]))
		}
		out += fmt.Sprintf(`{"id":%s,"version":%q,"content":%s,"score":%.6f,"tokens":%d,"why":{"query_terms":[%s],"term_matches":%d,"total_words":%d,"terms":[%s]}}`,
			cachetest.Quote(d.id), cachetest.Version(d.content), cachetest.Quote(d.content), d.points, d.tokens, naiveTerms(terms), d.matches, d.totalWords, strings.Join(why, ","))
	}
	return out + naiveSelection(query, budget, used, len(all), len(taken)) + `,"ranking":"bm25-v1"}}`, certain
}

// naivePlainWords are runs of letters, marks and numbers; a Han or Hiragana
// letter is a word by itself.
func naivePlainWords(text string) (words []string) {
	word := ""
	end := func() {
		if word != "" {
			words, word = append(words, word), ""
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r)):
			end()
			words = append(words, string(r))
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
			word += string(r)
		default:
			end()
		}
	}
	end()
	return words
}
