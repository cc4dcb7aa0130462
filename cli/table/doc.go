// Package table prints tables: typed rows in, aligned text, TSV, CSV, one JSON
// object a line or a spreadsheet out (cli/README.md, "Output"). Rows leave as they come, in
// constant memory, and a row once warm allocates nothing.
//
// A format is one file and one line in [Formats]. A [Sorter] puts rows in order
// before they are printed, and keeps no more than its limit.
//
// Start reading at Row, then Writer.
package table
