package lists

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/internal/decodetest"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/learn/rerank"
	"fstore/store"
	"fstore/store/runfile"
)

// secondGold makes the second candidate of each list its gold tree.
type secondGold struct{ index.Source }

func (s secondGold) Next(t *index.Tree) error {
	err := s.Source.Next(t)
	if t.Candidate == 2 {
		t.Gold = index.GoldFound
	}
	return err
}

// Pretrain scores every candidate, counts the chosen trees, and needs two lists.
func TestPretrain(t *testing.T) {
	ctx := context.Background()
	for _, lists := range []int{1, 2, 7} {
		text := randomLists(1, [][2]int{{3, 6}, {4, 5}, {3, 9}, {3, 4}, {2, 6}, {5, 6}, {3, 7}}[:lists])
		fs := vfs.NewMem()
		space := decodetest.Request(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos")
		_, err := builder.Run(ctx, "s", builder.Options{
			FS: fs, Spaces: builder.Choice{Spaces: []spaces.Request{space}},
			Source: func(s *index.Symbols) (index.Source, error) {
				in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: s, Stdin: strings.NewReader(text), Format: "conllu"})
				return secondGold{in}, err
			},
			Event: func() store.Event { return store.Event{} },
		})
		if err != nil {
			t.Fatal(err)
		}
		s := decodetest.OpenStore(t, fs)
		p, err := Pretrain(ctx, s, space.Space, 0, nil, rerank.Scratch{Dir: runfile.Dir{FS: fs, Path: "vectors"}}, 1, index.NoProgress{})
		if lists == 1 {
			if choice := (*index.UsageError)(nil); !errors.As(err, &choice) {
				t.Errorf("one list: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		some := false
		for _, x := range p.Scores {
			some = some || x != 0
		}
		if uint32(len(p.Scores)) != s.Meta().Samples || lists > 2 && !some || p.Folds != min(lists, 5) || p.Features == 0 || p.Epochs < 1 || p.Counts.Gold == 0 {
			t.Errorf("%d lists: %+v", lists, *p)
		}
		if lists < 3 {
			continue
		}
		// The first list, which has three trees, is held out: it is not scored, and nothing is learned from
		// it.
		held, err := Pretrain(ctx, s, space.Space, 0, roaring.BitmapOf(0, 1, 2), rerank.Scratch{Dir: runfile.Dir{FS: fs, Path: "vectors"}}, 1, index.NoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		if held.Counts.Gold >= p.Counts.Gold || held.Scores[0] != 0 || held.Scores[1] != 0 || held.Scores[2] != 0 {
			t.Errorf("held out: %+v", *held)
		}
	}
	if got := (&Pretrained{Folds: 5, Epochs: 1}).String(); got != "orders, 5 folds, 1 epoch" {
		t.Error(got)
	}
}
