package selection

// Correction is how a selection by χ² corrects Alpha for many tests. A hypothesis is that a
// fragment within the limits of support and order does not go with a label, whether or not
// a bound spared looking at it. Where two labels divide the samples, a fragment is one
// hypothesis. P-values are exact given the margins, and take samples to be independent.
type Correction string

// The corrections. All but two control the chance of any false finding, which is at most
// Alpha.
const (
	// NoCorrection takes p-values as they are: of each hypothesis alone.
	NoCorrection Correction = "none"
	// BonferroniCorrection divides Alpha by the number of hypotheses.
	BonferroniCorrection Correction = "bonferroni"
	// FDRCorrection controls the expected share of false findings among all findings, over
	// all hypotheses (Benjamini & Hochberg 1995).
	FDRCorrection Correction = "fdr"
	// TaroneCorrection divides Alpha by the number of hypotheses that could be found at
	// all: those with a support that can attain so small a p-value (Tarone 1990; Terada et
	// al. 2013). It finds what Bonferroni finds, and more.
	TaroneCorrection Correction = "tarone"
	// WestfallYoungCorrection takes the level from how small the least p-value of all
	// hypotheses is under permutations of the labels (Westfall & Young 1993; Llinares-López
	// et al. 2015). It is exact for fragments that go together, as most do.
	WestfallYoungCorrection Correction = "westfall-young"
)

// Corrections returns the corrections.
func Corrections() []string {
	var names []string
	for _, c := range []Correction{NoCorrection, BonferroniCorrection, FDRCorrection, TaroneCorrection, WestfallYoungCorrection} {
		names = append(names, string(c))
	}
	return names
}

// Permuted is what permutations give labels to.
type Permuted string

// What permutations give labels to.
const (
	// PermuteSamples takes each sample by itself.
	PermuteSamples Permuted = "samples"
	// PermuteDocuments gives all samples of a document the labels of another document. It is
	// the careful choice, as sentences of one document are not independent. A document whose
	// samples differ in their labels keeps them. So does a sample without a document.
	PermuteDocuments Permuted = "documents"
)
