// Package python has the command that prints the Python helper.
package python

import (
	_ "embed"
	"io"

	"fstore/cli/command"
	"fstore/cli/output"
)

// PythonCommand prints a class for notebooks.
type PythonCommand struct{}

//go:embed fragments.py
var pythonClass string

// Help is kong's hook.
func (*PythonCommand) Help() string {
	return `Prints a Python module with the class FragmentVectorizer, a transformer for scikit-learn: it pipes trees through fstore linearize, with transform for a sparse matrix and get_feature_names_out for the fragments. It needs NumPy, SciPy and scikit-learn.

Example:

    fstore python > fragments.py
`
}

// Run is kong's hook.
func (c *PythonCommand) Run(env *command.Env) error {
	out := output.Stdout(env.Stdout)
	defer out.Abort()
	if _, err := io.WriteString(out, pythonClass); err != nil {
		return err
	}
	return out.Commit()
}
