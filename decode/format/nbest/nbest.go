// Package nbest reads the n-best lists of Charniak's parser and its rerankers:
//
//	2 id
//	-8.88 -30.39
//	(S1 (S (NP (DT This)) (VP …)))
//	-13.93 -46.43
//	(S1 (S (NP (NNP This)) (VP …)))
//
// A count and an id, then for each candidate a line of one or more scores and a line
// with its tree, as package ptb reads it; a blank line after the list, or none. The
// candidates are numbered from 1 and named by the id, which need not be unique.
package nbest

import (
	"bytes"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/ptb"
	"fstore/index"
)

// Format is the registry's entry.
var Format = format.Format{
	Name:  "nbest",
	Kind:  index.Constituency,
	Sniff: sniff,
	Open:  func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
}

// sniff looks at the first three lines that are not blank: a head, scores, a tree. What
// is not there yet may be so.
func sniff(file string, head []byte) int {
	score := format.NameScore(file, ".nbest")
	seen, scores := 0, true
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		switch seen++; seen {
		case 1:
			if !MayBegin(line) {
				return score / 2
			}
		case 2:
			if line[0] == '(' {
				return score
			}
			scores = isScores(line)
		default:
			switch {
			case line[0] != '(':
				return score
			case scores:
				return score + 60
			}
			return score + 30 // a head and a tree, at least
		}
	}
	if seen == 1 && len(bytes.Fields(head)) > 2 {
		return score // more like words of something else
	}
	return score + 8*seen
}

// parseHead reads a count and an id.
func parseHead(line []byte) (count int, id []byte, ok bool) {
	i := bytes.IndexAny(line, " \t")
	if i < 1 || i > 9 {
		return 0, nil, false
	}
	n, err := strconv.ParseUint(string(line[:i]), 10, 31)
	id = bytes.TrimSpace(line[i:])
	return int(n), id, err == nil && len(id) > 0
}

// MayBegin says whether a line may be the head of a list. It is no whole sample of
// any other format: more has to be read to tell.
func MayBegin(line []byte) bool {
	_, id, ok := parseHead(bytes.TrimSpace(line))
	return ok && !bytes.ContainsAny(id, "\t|:")
}

// isScores says whether a line is nothing but numbers.
func isScores(line []byte) bool {
	for _, f := range bytes.Fields(line) {
		if _, ok := format.Decimal(f); !ok {
			return false
		}
	}
	return len(line) > 0
}

// Append appends a list of one candidate: a tree with its score, and its name as the id.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	dst = append(append(append(dst, "1 "...), t.Name...), '\n')
	dst = append(strconv.AppendFloat(dst, t.Score, 'g', -1, 64), '\n')
	return ptb.Append(dst, t, s)
}
