package cluster

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/cluster"
	"fstore/mine/grow"
)

// notGiven is the text for an option without a value.
const notGiven = "not given"

// describe writes the flags into the job, and what they mean. Two sets of flags that ask for the same store
// make the same job. Files are recorded as inputs, not as options. The parameter format is the format of the
// inputs, if it is known.
func (c *initCommand) describe(j *cluster.Job, format string) (err error) {
	if j.Flags, err = json.Marshal(&c.BuildFlags); err != nil {
		return err
	}
	m := c.BuildFlags
	stored, err := c.stored(format)
	if err != nil {
		return err
	}
	if stored != "" {
		m.Space, m.MinSupport, m.MaxOrder, m.Closed = nil, nil, nil, nil
	}
	m.AsTag, m.AsWord = cmp.Or(m.AsTag, "upos"), cmp.Or(m.AsWord, "form")
	m.Tags = cmp.Or(m.Tags, string(read.TagsMajority))
	m.ScoreColumn = max(m.ScoreColumn, 1)
	paths := ""
	if m.LabelFrom == "path" || m.LabelsFile != "" { // labels depend on how the inputs are named
		for i := range j.Inputs {
			paths += " " + j.Inputs[i].Path
		}
	}
	m.Gold, m.LabelsFile = "", ""
	b, err := json.Marshal(&m)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for field, value := range fields {
		text := string(value)
		if slices.Contains([]string{"null", `""`, "0", "false"}, text) && field != "MaxFragments" { // MaxFragments 0 means any number
			text = notGiven
		}
		j.Options = append(j.Options, cluster.Option{Name: flagOf(field), Value: text})
	}
	slices.SortFunc(j.Options, func(a, b cluster.Option) int { return cmp.Compare(a.Name, b.Name) })
	j.Options = append(
		j.Options,
		cluster.Option{Name: "what is stored", Value: stored},
		cluster.Option{Name: "--whole-files", Value: strconv.FormatBool(c.WholeFiles)},
		cluster.Option{Name: "the list of inputs", Value: strings.TrimSpace(paths)},
	)
	return nil
}

// stored says which spaces the job stores for inputs of a format, and within which limits. It returns "" if
// the format does not tell the kind of the trees, and an error if the spaces need trees of another kind.
func (c *initCommand) stored(format string) (string, error) {
	f, err := read.FormatByName(format)
	if err != nil || format == "jsonl" {
		return "", nil
	}
	kind := f.Kind
	if c.As != "" {
		kind = index.Constituency
	}
	choice := c.Choice()
	spaces, err := choice.ForNew(kind)
	if err != nil {
		return "", err
	}
	var all []string
	for _, s := range spaces {
		all = append(all, grow.Describe(s.Space.ID(), s.Limits))
	}
	return cmp.Or(strings.Join(all, "; "), "no space"), nil
}

// flagOf returns the flag for a field: --min-support for MinSupport.
func flagOf(field string) string {
	capital := regexp.MustCompile("[A-Z]")
	return "-" + capital.ReplaceAllStringFunc(field, func(c string) string { return "-" + strings.ToLower(c) })
}
