// Command jobschema checks a manifest on standard input against the types that Kubernetes publishes
// for a batch/v1 Job, as strictly as its server does: every field is known, is given once, and has a
// value of its type. It also checks names, and the rules of an Indexed Job that the types do not
// tell. It prints the names of the jobs.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "jobschema:", err)
		os.Exit(1)
	}
}

func check(in io.Reader) error {
	manifest, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	documents := bytes.Split(manifest, []byte("\n---\n"))
	if len(documents) == 1 {
		return errors.New("no document behind ---")
	}
	for _, document := range documents[1:] { // comments stand before the first
		j, err := read(document)
		if err == nil {
			err = indexed(j)
		}
		if err != nil {
			return fmt.Errorf("%w in\n%s", err, document)
		}
		fmt.Println(j.Name)
	}
	return nil
}

// read reads a document.
func read(document []byte) (*batch.Job, error) {
	asJSON, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, err
	}
	j := new(batch.Job)
	unknown, err := json.UnmarshalStrict(asJSON, j)
	return j, errors.Join(append(unknown, err)...)
}

// indexed checks what the server asks of an Indexed Job beside its types.
func indexed(j *batch.Job) error {
	var wrong []error
	must := func(ok bool, what string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(what, args...))
		}
	}
	named := func(name string) {
		for _, why := range validation.IsDNS1123Label(name) {
			must(false, "name %q: %s", name, why)
		}
	}
	s, pod := &j.Spec, &j.Spec.Template.Spec
	must(j.APIVersion == batch.SchemeGroupVersion.String() && j.Kind == "Job", "%s %s", j.APIVersion, j.Kind)
	must(s.CompletionMode != nil && *s.CompletionMode == batch.IndexedCompletion, "not Indexed")
	must(s.Completions != nil && s.Parallelism != nil && *s.Completions > 0 && *s.Parallelism > 0, "no completions, no parallelism")
	must(s.BackoffLimitPerIndex != nil && *s.BackoffLimitPerIndex >= 0, "no backoffLimitPerIndex")
	must(pod.RestartPolicy == core.RestartPolicyNever, "backoffLimitPerIndex with restartPolicy %q", pod.RestartPolicy)
	if s.Completions != nil { // the name of a pod's host
		named(fmt.Sprintf("%s-%d", j.Name, *s.Completions-1))
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		named(v.Name)
		must(v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName != "", "volume %s: no claim", v.Name)
		volumes[v.Name] = true
	}
	must(len(pod.Containers) > 0, "no container")
	for _, c := range pod.Containers {
		named(c.Name)
		must(c.Image != "", "container %s: no image", c.Name)
		for _, m := range c.VolumeMounts {
			must(volumes[m.Name] && m.MountPath != "", "container %s: mount %q of volume %q", c.Name, m.MountPath, m.Name)
		}
	}
	return errors.Join(wrong...)
}
