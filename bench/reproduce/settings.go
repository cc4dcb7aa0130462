package main

// settings are the values of the flags.
type settings struct {
	data, out string
	workers   int
	seed      uint64

	tested  int
	price   float64
	lambdas string
}
