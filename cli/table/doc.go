// Package table prints typed rows as aligned text, TSV, CSV, JSON lines, spreadsheets and other formats
// (cli/README.md, "Output"). It writes rows as they come, so memory does not grow with the table. A [Row]
// that is filled again allocates nothing.
//
// Each format has one file, and one line in [Formats]. A [Sorter] sorts rows before they are printed. If it
// has a limit, it keeps no more rows than it needs.
//
// Start reading at Row, then Writer.
package table
