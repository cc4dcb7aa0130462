package index

// Translate makes the ids of t, which are those of from, ids of to, where what is new
// is interned.
func Translate(t *Tree, from, to *Symbols) {
	for i := range t.Tokens {
		k := &t.Tokens[i]
		for _, id := range [...]*uint32{&k.Form, &k.Lemma, &k.UPOS, &k.XPOS, &k.Feats, &k.Rel, &k.Deps, &k.Misc} {
			if *id != 0 {
				*id = to.Intern(Words, from.Bytes(Words, *id))
			}
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		c := Labels
		if n.Word {
			c = Words
		}
		n.Sym = to.Intern(c, from.Bytes(c, n.Sym))
	}
	var kids []Child
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Size == 1 {
			continue
		}
		kids = kids[:0]
		for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
			kids = append(kids, Child{t.Nodes[k].Sym, t.Nodes[k].Word})
		}
		n.Prod = to.InternProduction(n.Sym, kids)
	}
}
