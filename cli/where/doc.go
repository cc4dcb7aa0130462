// Package where is --where: an expression over the columns of a table, compiled once and asked of each row
// (cli/README.md, "Arguments"). The language is that of expr (expr-lang.org).
//
//	support >= 10 && order <= 3 && by["news"] > 3 && fragment contains "(DT the)"
//
// It imports package table, and usage for its errors. Start reading at Compile.
package where
