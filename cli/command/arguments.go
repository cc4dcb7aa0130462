package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"fstore/decode/read"
	"fstore/index/spaces"
	"fstore/mine/query"
	"fstore/store"
)

// Argument returns the next argument or flag value. @FILE stands for the text in FILE, and @@TEXT for @TEXT.
// A value that begins with - is an error, unless LiteralMark or --NAME= comes before it.
func Argument(ctx *kong.DecodeContext) (string, error) {
	t := ctx.Scan.Pop()
	text, ok := t.Value.(string)
	if t.IsEOL() || !ok {
		return "", errors.New("a value is missing")
	}
	if literal, ok := strings.CutPrefix(text, LiteralMark); ok {
		return literal, nil
	}
	if t.Type == kong.UntypedToken && len(text) > 1 && text[0] == '-' {
		return "", fmt.Errorf("a value is missing (for the value %q write --%s=%s)", text, ctx.Value.Name, text)
	}
	text, err := expandAt(text)
	if err == nil && !utf8.ValidString(text) && !namesFile(ctx.Value.Tag) {
		return "", fmt.Errorf("%q is no UTF-8", text)
	}
	return text, err
}

// namesFile reports whether the tag t marks a file name. Such a name may have bytes that are not UTF-8.
func namesFile(t *kong.Tag) bool {
	p := t.Get("predictor")
	return p == "file" || p == "output" || p == "store"
}

// expandAt replaces @FILE by the contents of FILE, and @@ at the beginning by @.
func expandAt(text string) (string, error) {
	name, ok := strings.CutPrefix(text, "@")
	if !ok || strings.HasPrefix(name, "@") {
		return name, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return "", fmt.Errorf("@%s: %w (@FILE is what FILE holds: a text that begins with @ is written @@)", name, err)
	}
	text = strings.TrimSuffix(string(b), "\n")
	return strings.TrimSuffix(text, "\r"), nil
}

// DecodeArgument sets target, a text or a number, to the next argument. It is a mapper for kong.
func DecodeArgument(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := Argument(ctx)
	if err != nil {
		return err
	}
	switch target.Kind() {
	case reflect.String:
		target.SetString(text)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", text)
		}
		target.SetFloat(x)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, target.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is no whole number", text)
		}
		target.SetInt(n)
	default:
		n, err := strconv.ParseUint(text, 10, target.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is no whole number from 0", text)
		}
		target.SetUint(n)
	}
	return nil
}

// Ordinal is the value of a flag that counts from 1. It is 0 if the flag is not given.
type Ordinal int

func (o *Ordinal) Decode(ctx *kong.DecodeContext) error {
	text, err := Argument(ctx)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no whole number from 1", text)
	}
	*o = Ordinal(n)
	return nil
}

// IsOrdinal reports whether text can be the name or the number (from 1) of a sample.
func IsOrdinal(text string) bool {
	n, err := strconv.Atoi(text)
	return err != nil || n >= 1
}

// SampleID returns the id of a sample that the user names by its number from 1 or by its name (see
// query.SampleID). If several samples have the name, it returns the first, and the number of the others.
func SampleID(ctx context.Context, s *store.Store, wanted string) (id uint32, others int, err error) {
	if n, err := strconv.ParseUint(wanted, 10, 32); err == nil && n >= 1 && n <= uint64(s.Meta().Samples) {
		return uint32(n - 1), 0, nil
	}
	return query.SampleID(ctx, s, wanted)
}

// Amount is a count that may end in k, M or G, such as 50M.
type Amount uint64

func (a *Amount) Decode(ctx *kong.DecodeContext) error {
	text, err := Argument(ctx)
	if err != nil {
		return err
	}
	n, err := scaled(text, map[string]uint64{"": 1, "k": 1e3, "m": 1e6, "g": 1e9})
	*a = Amount(n)
	if err != nil {
		return fmt.Errorf("%q is no count such as 500000 or 50M", text)
	}
	return nil
}

// ByteSize is a number of bytes, such as 64MiB, 1GB or 500000.
type ByteSize int64

var byteUnits = map[string]uint64{
	"": 1, "b": 1,
	"k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
	"ki": 1 << 10, "kib": 1 << 10, "mi": 1 << 20, "mib": 1 << 20, "gi": 1 << 30, "gib": 1 << 30, "ti": 1 << 40, "tib": 1 << 40,
}

func (b *ByteSize) Decode(ctx *kong.DecodeContext) error {
	text, err := Argument(ctx)
	if err != nil {
		return err
	}
	n, err := scaled(text, byteUnits)
	*b = ByteSize(n)
	if err != nil || *b < 0 {
		return fmt.Errorf("%q is no size such as 64MiB or 1GB", text)
	}
	return nil
}

// scaled parses a number that may end in one of the units, in upper or lower case.
func scaled(text string, units map[string]uint64) (uint64, error) {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, ok := units[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	if !ok {
		return 0, strconv.ErrSyntax
	}
	if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
		if n*unit/unit != n {
			return 0, strconv.ErrRange
		}
		return n * unit, nil
	}
	x, err := strconv.ParseFloat(digits, 64)
	x *= float64(unit)
	if err != nil || !(x >= 0 && x < 1<<63) {
		return 0, strconv.ErrSyntax
	}
	return uint64(x), nil
}

// SpaceArg is the value of --space: NAME[:OPTION=VALUE[,OPTION=VALUE…]].
type SpaceArg struct{ spaces.Request }

func (s *SpaceArg) Decode(ctx *kong.DecodeContext) error {
	text, err := Argument(ctx)
	if err != nil {
		return err
	}
	s.Request, err = spaces.Parse(text)
	return err
}

// MarshalText returns the argument as the user wrote it.
func (s SpaceArg) MarshalText() ([]byte, error) { return []byte(s.Arg), nil }

// UnmarshalText parses a text that MarshalText returned.
func (s *SpaceArg) UnmarshalText(b []byte) (err error) {
	s.Request, err = spaces.Parse(string(b))
	return err
}

// InputFiles replaces globs by the files that match, and folders by the files in them.
func InputFiles(inputs []string) []string { return read.Files(ExpandGlobs(inputs)) }

// ExpandGlobs replaces each glob by the files that match it, in byte order. An input that exists or matches
// no file stays as it is.
func ExpandGlobs(inputs []string) []string {
	var out []string
	for _, input := range inputs {
		matches := []string{input}
		if _, err := os.Lstat(input); err != nil && strings.ContainsAny(input, "*?[") {
			if found, err := filepath.Glob(input); err == nil && len(found) > 0 {
				matches = found
			}
		}
		out = append(out, matches...)
	}
	return out
}

// LiteralMark marks an argument that begins with - but is not a flag. No argument of a process can contain
// this byte.
const LiteralMark = "\x00"
