// Package where compiles and evaluates the expressions of --where, over the columns of a table
// (cli/README.md, "Arguments"). An expression is compiled once and evaluated for each row. The language is
// that of expr (expr-lang.org).
//
//	support >= 10 && order <= 3 && by["news"] > 3 && fragment contains "(DT the)"
//
// It imports only the packages table and index of the project. Start reading at Compile.
package where
