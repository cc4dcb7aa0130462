// Package python has the Python package of fstore, and the command that prints its class.
package python

import (
	"embed"
	"io/fs"

	"fstore/cli/command"
)

// PythonCommand is the command `python`. It prints a Python class that can be pasted into a notebook.
type PythonCommand struct{}

// Package holds the files of the Python package, in the directory fstore.
//
//go:embed fstore/*.py
var Package embed.FS

func (*PythonCommand) Help() string {
	return `Prints a Python module with the class FragmentVectorizer, a transformer for scikit-learn: fit builds a store of trees, transform makes a sparse matrix of them, get_feature_names_out names the fragments. It needs NumPy, SciPy and scikit-learn. The wheels have it too, beside the tables (fstore guide python).

Example:

    fstore python > fragments.py
`
}

func (c *PythonCommand) Run(env *command.Env) error {
	class, err := fs.ReadFile(Package, "fstore/vectorizer.py")
	if err != nil {
		return err
	}
	return env.Print(string(class))
}
