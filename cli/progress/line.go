package progress

import (
	"encoding/json"
	"fmt"
	"time"

	"fstore/index"
)

// inBytes is the unit that is shown in MB.
const inBytes = "bytes"

// stage is one stage of the work, begun by Step, with its progress.
type stage struct {
	name, unit  string
	done, total int64
	start       time.Time
}

// line returns the stage as a line of text: "mine stk: 1,200 of 5,000 trees, 120/s, 31s left".
func (s stage) line(now time.Time) string { return s.name + ": " + s.numbers(now) }

// numbers returns the units done, the rate, and the time left if the total is known.
func (s stage) numbers(now time.Time) string {
	text := s.count(s.done)
	if s.total > 0 {
		text += " of " + s.count(s.total)
	}
	if s.unit != inBytes {
		text += " " + s.unit
	}
	elapsed := now.Sub(s.start)
	if s.done <= 0 || elapsed <= 0 {
		return text
	}
	rate := float64(s.done) / elapsed.Seconds()
	if s.unit == inBytes || rate >= 10 {
		text += fmt.Sprintf(", %s/s", s.count(int64(rate)))
	} else {
		text += fmt.Sprintf(", %.1f/s", rate)
	}
	if s.total > s.done {
		left := time.Duration(float64(s.total-s.done) / rate * float64(time.Second))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}

// count formats a number of units. Bytes are shown in MB.
func (s stage) count(n int64) string {
	if s.unit == inBytes {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return index.Thousands(n)
}

// record returns the stage as a JSON object for programs, on one line:
//
//	{"stage":"mine stk","unit":"nodes","done":1200,"total":5000,"seconds":10,"rate":120,"left":31.7}
//
// The keys "total" and "left" are missing if the total is unknown. The time left is in seconds.
func (s stage) record(now time.Time) []byte {
	r := struct {
		Stage   string   `json:"stage"`
		Unit    string   `json:"unit"`
		Done    int64    `json:"done"`
		Total   int64    `json:"total,omitempty"`
		Seconds float64  `json:"seconds"`
		Rate    float64  `json:"rate"` // units per second
		Left    *float64 `json:"left,omitempty"`
	}{Stage: s.name, Unit: s.unit, Done: s.done, Total: s.total}
	r.Seconds = now.Sub(s.start).Seconds()
	if r.Seconds > 0 {
		r.Rate = float64(s.done) / r.Seconds
	}
	if s.total > 0 && r.Rate > 0 {
		left := float64(max(s.total-s.done, 0)) / r.Rate
		r.Left = &left
	}
	b, _ := json.Marshal(&r) // no error is possible: r has only strings and finite numbers
	return append(b, '\n')
}
