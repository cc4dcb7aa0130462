package pages

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/mine/count"
)

// strips is the largest number of strokes in a strip.
const strips = 600

// spread draws a strip for each label, and one with the key "" for all samples. The strokes in a strip stand
// for samples that have the fragment.
func (v *View) spread(text string, labels []string) map[string]template.HTML {
	ctx, end := context.WithDeadline(v.r.Context(), v.until)
	defer end()
	x, err := count.Open(v.State.Store, v.space())
	if err != nil {
		return nil
	}
	c, err := x.Parse(text)
	if err != nil {
		return nil
	}
	found, err := x.Find(ctx, []*count.Construction{c}, count.Options{HitsOnly: true, Workers: 1})
	if err != nil {
		return nil
	}
	ids, _, _ := found[0].Samples()
	has := roaring.BitmapOf(ids...)
	all := roaring.New()
	all.AddRange(0, uint64(v.Meta().Samples))
	drawn := map[string]template.HTML{"": strip(all, has)}
	for _, label := range labels {
		if of, err := v.State.LabelBitmap(label); err == nil {
			drawn[label] = strip(of, has)
		}
	}
	return drawn
}

// strip draws a strip for the samples in one bitmap. Samples that are also in the other bitmap get a stroke.
func strip(of, has *roaring.Bitmap) template.HTML {
	var b strings.Builder
	b.WriteString(fmt.Sprintf(`<svg class="disp" viewBox="0 0 %d 20" preserveAspectRatio="none" aria-hidden="true"><path d="`, strips))
	size, last := of.GetCardinality(), -1
	n := uint64(0)
	for samples := of.Iterator(); samples.HasNext(); n++ {
		if at := int(n * strips / size); has.Contains(samples.Next()) && at != last {
			fmt.Fprintf(&b, "M%d.5 0v20", at)
			last = at
		}
	}
	b.WriteString(`"/></svg>`)
	return template.HTML(b.String())
}

// share is a share of samples with its 95 % interval (Wilson 1927, score interval without continuity
// correction).
type share struct{ Of, Low, High float64 }

func shareOf(with, all float64) share {
	const z = 1.959963984540054
	if !(all > 0) {
		return share{}
	}
	p := with / all
	middle, half := p+z*z/(2*all), z*math.Sqrt(p*(1-p)/all+z*z/(4*all*all))
	return share{p, max(0, (middle-half)/(1+z*z/all)), min(1, (middle+half)/(1+z*z/all))}
}
