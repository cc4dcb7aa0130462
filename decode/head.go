package decode

import (
	"bytes"
	"io"

	"fstore/decode/format"
	"fstore/decode/nbest"
)

// maxHead bounds what is looked at to find the format.
const maxHead = 1 << 20

// readHead reads until the format can be told: a bracket as the first character, or
// the first line that is neither blank nor a comment, or two more where that can be
// the head of an n-best list; at most maxHead bytes, or the whole input.
func readHead(r io.Reader) ([]byte, error) {
	var head []byte
	buf := make([]byte, 4<<10)
	for len(head) < maxHead && !isTelling(format.TrimBOM(head)) {
		n, err := r.Read(buf)
		head = append(head, buf[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return head, nil
}

// content returns what follows the blank lines and comments that head starts
// with, and the line that it starts on.
func content(head []byte) (rest []byte, line int) {
	for line = 1; ; line++ {
		text := bytes.TrimLeft(head, " \t\r\v\f")
		if len(text) > 0 && text[0] != '#' && text[0] != '\n' {
			return text, line
		}
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return nil, line
		}
		head = text[i+1:]
	}
}

func isTelling(head []byte) bool {
	rest, _ := content(head)
	if len(rest) > 0 && rest[0] == '(' {
		return true
	}
	i := bytes.IndexByte(rest, '\n')
	return i >= 0 && (!nbest.MayBegin(rest[:i]) || bytes.Count(rest, []byte{'\n'}) >= 3)
}

func isEmpty(head []byte) bool {
	rest, _ := content(head)
	return len(rest) == 0
}

func firstLine(head []byte) int {
	_, line := content(head)
	return line
}
