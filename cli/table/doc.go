// Package table prints tables: typed rows in, aligned text, TSV, CSV or one JSON
// object a line out (DESIGN.md §3). Rows leave as they come, in constant memory,
// and a row once warm allocates nothing.
//
// A format is one file and one line in [Formats]. A [Sorter] puts rows in order
// before they are printed, and keeps no more than its limit.
//
// Start reading at Row, then Writer.
package table
