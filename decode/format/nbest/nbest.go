// Package nbest reads the n-best lists of Charniak's parser and its rerankers:
//
//	2 id
//	-8.88 -30.39
//	(S1 (S (NP (DT This)) (VP …)))
//	-13.93 -46.43
//	(S1 (S (NP (NNP This)) (VP …)))
//
// A list has a head, with a number of candidates and an id. Each candidate has a line of scores, and a line
// with its tree, as package ptb reads it. A blank line can follow the list. Candidates are numbered from 1.
// The id is the name of every candidate of the list. Several lists can have the same id.
package nbest

import (
	"bytes"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/ptb"
	"fstore/index"
)

// Format is the entry of nbest in read.Formats.
var Format = format.Format{
	Name:  "nbest",
	Kind:  index.Constituency,
	Sniff: sniff,
	Open:  func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
}

// sniff expects a head, scores and a tree in the first three lines that are not blank.
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
			return score + 30 // at least a head and a tree
		}
	}
	if seen == 1 && len(bytes.Fields(head)) > 2 {
		return score // this is more like ordinary words
	}
	return score + 8*seen
}

// parseHead reads a head line: a number of candidates and an id.
func parseHead(line []byte) (count int, id []byte, ok bool) {
	i := bytes.IndexAny(line, " \t")
	if i < 1 || i > 9 {
		return 0, nil, false
	}
	n, err := strconv.ParseUint(string(line[:i]), 10, 31)
	id = bytes.TrimSpace(line[i:])
	return int(n), id, err == nil && len(id) > 0
}

// MayBegin says whether a line can be the head of a list. In other formats, such a line is never a whole
// sample.
func MayBegin(line []byte) bool {
	_, id, ok := parseHead(bytes.TrimSpace(line))
	return ok && !bytes.ContainsAny(id, "\t|:")
}

// isScores says whether a line consists of numbers.
func isScores(line []byte) bool {
	for _, f := range bytes.Fields(line) {
		if _, ok := format.Decimal(f); !ok {
			return false
		}
	}
	return len(line) > 0
}

// Append appends the tree as a list with one candidate. The id of the list is the name of the tree.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	dst = append(append(append(dst, "1 "...), t.Name...), '\n')
	dst = append(strconv.AppendFloat(dst, t.Score, 'g', -1, 64), '\n')
	return ptb.Append(dst, t, s)
}
