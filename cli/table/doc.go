// Package table prints typed rows as aligned text, TSV, CSV, JSON lines, spreadsheets and other formats
// (cli/README.md, "Output"). It writes rows as they come and keeps no rows, so memory does not grow. Once a
// row has been used, using it again allocates nothing.
//
// Each format has one file, and one line in [Formats]. A [Sorter] sorts rows before they are printed. If it
// has a limit, it keeps no more rows than it needs.
//
// Start reading at Row, then Writer.
package table
